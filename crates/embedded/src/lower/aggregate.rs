//! Aggregation. The arguments of the aggregates are computed first as columns, then follow Polars' own simple
//! aggregates, which have a small state in its streaming engine, then expressions that convert them to SQL's results.

use polars::prelude::{Expr, LazyFrame, PlSmallStr, UniqueKeepStrategy, by_name, col};
use rowhouse_model::QueryError;

use super::Lowering;
use super::aggregate_function::Lowered;
use super::aggregate_steps::Steps;
use super::order::can_be_constant;
use super::partial_input::PartialInput;
use super::scan::values;
use super::signed_zero::signed_keys;
use crate::column::{column, column_name};
use crate::expression::lower_expression;
use crate::numeric::{PackedColumn, PackedNumbers};
use crate::order_key::is_nested;
use crate::packed_texts::{packed_texts, unpacked_text};
use crate::partial_aggregation::partially_distinct;
use rowhouse_sql::expr::{Expr as SqlExpr, Value};
use rowhouse_sql::functions::AggregateFunction;
use rowhouse_sql::plan::{Aggregate, AggregateCall, Field, Plan};
use rowhouse_sql::types::Type;

impl Lowering<'_> {
    pub(super) fn aggregate(&mut self, node: &Aggregate) -> Result<LazyFrame, QueryError> {
        if let Some(counts) = self.table_row_counts(node) {
            return counts;
        }
        let frame = self.lower(&node.input)?;
        if let Some(argument) = only_distinct_argument(&node.aggregates)
            && signed_keys(node).is_empty()
        {
            return self.aggregate_distinct(frame, node, argument);
        }
        let mut steps = Steps::default();
        for call in &node.aggregates {
            self.lower_aggregate(call, &node.input, &mut steps)?;
        }
        self.keep_signs(node, &mut steps);
        if !self.has_few_keys(node)
            && let Some(groups) = self.ordered_groups(&frame, node, &steps)?
        {
            return Ok(groups);
        }
        self.grouped(frame, node, steps, node.aggregates.iter().all(is_streamed))
    }

    /// The groups of a frame in the order of no key. `is_streamed`: the streaming engine computes the aggregates.
    fn grouped(
        &mut self,
        frame: LazyFrame,
        node: &Aggregate,
        steps: Steps,
        is_streamed: bool,
    ) -> Result<LazyFrame, QueryError> {
        let has_few = self.has_few_keys(node);
        let is_sum_of_all = node.keys.is_empty() && steps.have_exact_sums();
        if steps.are_partial() && (has_few || is_sum_of_all) {
            let keys = node.keys.iter().map(|key| column_name(*key)).collect();
            return Ok(steps.apply_partially(frame, keys, self.temporary()));
        }
        if !has_few && let Some(groups) = self.partitioned_groups(&frame, node, &steps)? {
            return Ok(groups);
        }
        let keys: Vec<Expr> = node.keys.iter().map(|key| column(*key)).collect();
        if node.aggregates.is_empty() && has_few {
            let names = node.keys.iter().map(|key| column_name(*key)).collect();
            let frame = partially_distinct(frame, names, self.temporary());
            return Ok(steps.apply(frame, &keys));
        }
        if let Some(numbers) = self.packed_numbers(node, None, is_streamed)
            && let Some(packed) = numbers.pack(&keys)
            && !steps.aggregates.is_empty()
        {
            let name = self.temporary();
            let frame = frame.with_column(packed.alias(name.clone()));
            let keys = node.keys.iter().enumerate();
            let keys: Vec<Expr> = keys
                .map(|(place, key)| numbers.unpack(col(name.clone()), place).alias(column_name(*key)))
                .collect();
            return Ok(steps.apply(frame, &[col(name)]).with_columns(keys));
        }
        match are_texts(node).then(|| packed_texts(&keys)).flatten() {
            Some(packed) if keys.len() > 1 && !steps.aggregates.is_empty() => {
                let name = self.temporary();
                let frame = frame.with_column(packed.alias(name.clone()));
                let texts = node
                    .keys
                    .iter()
                    .enumerate()
                    .map(|(place, key)| unpacked_text(col(name.clone()), place).alias(column_name(*key)));
                let texts: Vec<Expr> = texts.collect();
                Ok(steps.apply(frame, &[col(name)]).with_columns(texts))
            }
            _ if has_wide_key(node) && (!is_streamed || can_be_constant(&node.input, node.keys[0])) => {
                let is_null = keys[0].clone().is_null().alias(self.temporary());
                Ok(steps.apply(frame, &[keys[0].clone(), is_null]))
            }
            _ => Ok(steps.apply(frame, &keys)),
        }
    }

    /// `count(*)` of a whole table, of which the files' footers say the number of rows.
    fn table_row_counts(&self, node: &Aggregate) -> Option<Result<LazyFrame, QueryError>> {
        let Plan::Scan(scan) = &*node.input else { return None };
        let rows = i64::try_from(self.tables[scan.table].row_count?).ok()?;
        let counts_rows = |call: &AggregateCall| {
            call.function == AggregateFunction::Count && call.args.is_empty() && call.filter.is_none()
        };
        if !node.keys.is_empty() || !node.aggregates.iter().all(counts_rows) {
            return None;
        }
        let fields: Vec<Field> = node.aggregates.iter().map(|call| call.output.clone()).collect();
        let count = SqlExpr::literal(Value::Integer(rows), Type::BigInt);
        Some(values(&fields, &[vec![count; fields.len()]]))
    }

    /// The packing of several keys, optionally with an argument, into one number.
    fn packed_numbers(
        &self,
        node: &Aggregate,
        argument: Option<&SqlExpr>,
        is_streamed: bool,
    ) -> Option<PackedNumbers> {
        // Rows of constants may be grouped by the other engine.
        let is_streamed = is_streamed && reads_tables(&node.input);
        PackedNumbers::of(&self.packed_columns(node, argument)?, is_streamed)
    }

    /// The keys, optionally with an argument, as parts of one number.
    pub(super) fn packed_columns(
        &self,
        node: &Aggregate,
        argument: Option<&SqlExpr>,
    ) -> Option<Vec<PackedColumn>> {
        let fields = node.input.fields();
        let keys = node.keys.iter().map(|key| fields.iter().find(|field| field.id == *key));
        let keys: Vec<&Field> = keys.collect::<Option<_>>()?;
        let keys = keys.into_iter().map(|key| SqlExpr::column(key.id, key.data_type.clone()));
        Some(self.packed_values(&node.input, keys.chain(argument.cloned())))
    }

    /// Expressions over a plan's rows as parts of one number.
    pub(super) fn packed_values(
        &self,
        input: &Plan,
        values: impl Iterator<Item = SqlExpr>,
    ) -> Vec<PackedColumn> {
        let columns = values.map(|value| PackedColumn {
            may_be_null: !self.is_not_null(input, &value),
            range: self.integer_range(input, &value),
            most_texts: value.data_type.is_varchar().then(|| self.most_values(input, &value)).flatten(),
            data_type: value.data_type,
        });
        columns.collect()
    }

    /// Lowers aggregates that are all over the distinct values of one argument. The values are made distinct first, so
    /// that the second step reads each value once and no group has a set of its own.
    fn aggregate_distinct(
        &mut self,
        frame: LazyFrame,
        node: &Aggregate,
        argument: &SqlExpr,
    ) -> Result<LazyFrame, QueryError> {
        let name = self.temporary();
        let mut staged = self.staged();
        let value = lower_expression(argument, &mut staged)?.alias(name.clone());
        let frame = staged.apply(frame).with_column(value);
        let mut subset: Vec<PlSmallStr> = node.keys.iter().map(|key| column_name(*key)).collect();
        subset.push(name.clone());
        let mut steps = Steps::default();
        for call in &node.aggregates {
            let arguments = vec![col(name.clone())];
            let call = &AggregateCall { is_distinct: false, ..call.clone() };
            let input = Some(PartialInput::column(&name, &argument.data_type));
            let lowered = Lowered { call, arguments, filter: None, input, is_not_null: false };
            self.lower_function(&lowered, &mut steps)?;
        }
        if !self.has_few_combinations(node, argument)
            && let Some(columns) = self.packed_columns(node, Some(argument))
            && let Some(distinct) =
                self.partitioned(frame.clone(), &node.input, (&columns, &subset), Vec::new())?
        {
            let has_few = self.has_few_keys(node) && distinct.have_few_without_last();
            if !has_few && let Some(groups) = self.groups_of_groups(&distinct, &steps)? {
                return Ok(groups);
            }
            return self.grouped(distinct.with_keys(), node, steps, true);
        }
        let distinct = self.distinct_values(frame, node, argument, &subset);
        self.grouped(distinct, node, steps, true)
    }

    /// The combinations of the keys and an argument, in columns with these names.
    fn distinct_values(
        &mut self,
        frame: LazyFrame,
        node: &Aggregate,
        argument: &SqlExpr,
        names: &[PlSmallStr],
    ) -> LazyFrame {
        let wanted: Vec<Expr> = names.iter().cloned().map(col).collect();
        if let Some(numbers) = self.packed_numbers(node, Some(argument), true)
            && let Some(both) = numbers.pack(&wanted)
        {
            let packed = self.temporary();
            let distinct = frame.select([both.alias(packed.clone())]).unique(None, UniqueKeepStrategy::Any);
            let unpacked = names
                .iter()
                .enumerate()
                .map(|(place, name)| numbers.unpack(col(packed.clone()), place).alias(name.clone()));
            return distinct.select(unpacked.collect::<Vec<Expr>>());
        }
        let frame = if self.has_few_combinations(node, argument) {
            partially_distinct(frame, names.to_vec(), self.temporary())
        } else {
            frame.select(wanted)
        };
        frame.unique(Some(by_name(names.to_vec(), true, false)), UniqueKeepStrategy::Any)
    }
}

/// Whether the only key is a number of 128 bits. As built here, without the unsigned type of 128 bits, Polars' in-memory
/// engine cannot hash such a key alone, and its streaming engine cannot find where the groups of such a key begin if it
/// knows that the key is sorted, as a constant is; both can if there is another key.
fn has_wide_key(node: &Aggregate) -> bool {
    let [key] = node.keys.as_slice() else { return false };
    node.input
        .fields()
        .iter()
        .any(|field| field.id == *key && matches!(field.data_type, Type::Decimal { .. }))
}

/// Whether a plan reads tables or shared plans, and not constants alone.
fn reads_tables(plan: &Plan) -> bool {
    let mut reads = false;
    plan.visit(&mut |node| reads |= matches!(node, Plan::Scan(_) | Plan::Shared { .. }));
    reads
}

/// Whether the streaming engine computes an aggregate.
fn is_streamed(call: &AggregateCall) -> bool {
    is_simple(call.function)
        && !call.is_distinct
        && call.args.iter().all(|argument| !is_nested(&argument.data_type))
}

/// Whether all keys are texts.
fn are_texts(node: &Aggregate) -> bool {
    let fields = node.input.fields();
    let is_text = |key| fields.iter().any(|field| field.id == key && field.data_type.is_varchar());
    node.keys.iter().all(|key| is_text(*key))
}

/// The argument, if all aggregates are over the distinct values of the same argument and none has a filter.
pub(super) fn only_distinct_argument(calls: &[AggregateCall]) -> Option<&SqlExpr> {
    let [first, rest @ ..] = calls else { return None };
    let of = |call: &AggregateCall| {
        let is_plain = call.is_distinct && call.filter.is_none() && call.args.len() == 1;
        let is_flat = call.args.first().is_some_and(|argument| !is_nested(&argument.data_type));
        is_plain && is_flat && is_simple(call.function)
    };
    (of(first) && rest.iter().all(|call| of(call) && call.args == first.args)).then(|| &first.args[0])
}

/// Whether a function's state is a number or a value for each group, and its result does not depend on the order of
/// rows.
pub(super) const fn is_simple(function: AggregateFunction) -> bool {
    matches!(
        function,
        AggregateFunction::Count
            | AggregateFunction::Sum
            | AggregateFunction::Avg
            | AggregateFunction::Min
            | AggregateFunction::Max
    )
}
