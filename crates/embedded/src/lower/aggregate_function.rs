//! The three steps of one aggregate function. Counts and sums are combined with the number of values, because Polars'
//! sum over no values is 0 where SQL's is NULL.

use polars::prelude::{DataType, Expr, NULL, PlSmallStr, SortMultipleOptions, col, len, lit, when};
use rowhouse_model::QueryError;

use self::percentile::percentile;
use self::rows::needs_rows;
use super::Lowering;
use super::aggregate_steps::Steps;
use super::partial_input::PartialInput;
use crate::column::column_name;
use crate::data_type::storage;
use crate::datum::NanPlace;
use crate::expression::{constant_double, constant_text, lower_expression};
use crate::failure::not_supported;
use crate::numeric::{
    DecimalSums, checked_sum, decimal_average, high_halves, long_sum, month_sum, none_large,
    sum_can_run_over, wide_average,
};
use crate::order_key::{SortColumn, is_nested, order_key, sort_columns};
use crate::partial_aggregation::{Partial, PartialKind};
use rowhouse_sql::expr::fallible::is_fallible;
use rowhouse_sql::expr::{Expr as SqlExpr, ExprKind};
use rowhouse_sql::functions::AggregateFunction;
use rowhouse_sql::plan::{AggregateCall, Plan};
use rowhouse_sql::types::Type;

mod percentile;
mod rows;
mod statistics;

/// A call with its arguments as columns, and its filter.
pub(super) struct Lowered<'a> {
    pub(super) call: &'a AggregateCall,
    pub(super) arguments: Vec<Expr>,
    pub(super) filter: Option<Expr>,
    /// The first argument as an input of partial aggregation.
    pub(super) input: Option<PartialInput>,
    /// Whether no value of the first argument is NULL.
    pub(super) is_not_null: bool,
}

/// The values of a group, some of which may be skipped.
struct Values {
    /// The values that are counted.
    counted: Expr,
    input: Option<PartialInput>,
    /// Whether these are all rows of the group.
    is_every_row: bool,
}

impl Lowering<'_> {
    pub(super) fn lower_aggregate(
        &mut self,
        call: &AggregateCall,
        input: &Plan,
        steps: &mut Steps,
    ) -> Result<(), QueryError> {
        let filter = match &call.filter {
            Some(filter) => {
                let filter = self.row_value(filter, steps)?;
                Some(self.before(filter, steps))
            }
            None => None,
        };
        let mut arguments = Vec::with_capacity(call.args.len());
        for argument in &call.args {
            let mut value = match &call.filter {
                Some(filter) if is_fallible(argument) && !filter.is_random() => {
                    let branches = vec![(filter.clone(), argument.clone())];
                    let kind = ExprKind::Case { branches, otherwise: None };
                    self.row_value(&SqlExpr::new(kind, argument.data_type.clone()), steps)?
                }
                _ => self.row_value(argument, steps)?,
            };
            if let Some(filter) = &filter
                && passes_over_nulls(call.function)
            {
                value =
                    when(filter.clone()).then(value).otherwise(lit(NULL).cast(storage(&argument.data_type)));
            }
            arguments.push(match argument.as_column() {
                Some(_) if filter.is_none() => value,
                _ => self.before(value, steps),
            });
        }
        let first = call.args.first().zip(arguments.first());
        let is_not_null = filter.is_none() && first.is_some_and(|(first, _)| self.is_not_null(input, first));
        // A count computes its argument, because that may fail.
        let is_sum = matches!(call.function, AggregateFunction::Sum | AggregateFunction::Avg);
        let computed = first.filter(|_| is_sum && filter.is_none());
        let computed = computed.and_then(|(first, _)| PartialInput::computed(first));
        let input = first.filter(|_| !call.is_distinct).and_then(|(first, column)| match column {
            Expr::Column(name) => computed.or_else(|| Some(PartialInput::column(name, &first.data_type))),
            _ => computed,
        });
        self.lower_function(&Lowered { call, arguments, filter, input, is_not_null }, steps)
    }

    /// Lowers an expression over the rows.
    fn row_value(&mut self, expr: &SqlExpr, steps: &mut Steps) -> Result<Expr, QueryError> {
        let mut staged = self.staged();
        let value = lower_expression(expr, &mut staged)?;
        steps.before.extend(staged.into_columns());
        Ok(value)
    }

    /// Adds a column that is computed before the aggregation.
    fn before(&mut self, value: Expr, steps: &mut Steps) -> Expr {
        let name = self.temporary();
        steps.before.push(value.alias(name.clone()));
        col(name)
    }

    /// Adds an aggregate under a name of its own.
    fn add(&mut self, aggregate: Expr, steps: &mut Steps) -> Expr {
        let name = self.temporary();
        steps.aggregates.push(aggregate.alias(name.clone()));
        col(name)
    }

    /// Adds an aggregate that is the sum of the results of batches, unless it was added before.
    fn add_partial(&mut self, aggregate: Expr, kind: Option<PartialKind>, steps: &mut Steps) -> Expr {
        let Some(kind) = kind else { return self.add(aggregate, steps) };
        if let Some(known) = steps.partials.iter().find(|partial| partial.kind == kind) {
            return col(known.output.clone());
        }
        let output = self.temporary();
        steps.aggregates.push(aggregate.alias(output.clone()));
        steps.partials.push(Partial { output: output.clone(), kind });
        col(output)
    }

    /// Adds the number of values that are not NULL.
    fn count(&mut self, values: &Values, steps: &mut Steps) -> Expr {
        if values.is_every_row {
            return self.rows(steps);
        }
        let kind = values.input.as_ref().map(PartialInput::count);
        self.add_partial(values.counted.clone().count(), kind, steps)
    }

    /// Adds the number of rows. The cast keeps Polars from counting the lines of text files instead.
    fn rows(&mut self, steps: &mut Steps) -> Expr {
        self.add_partial(len().cast(DataType::Int64), Some(PartialKind::Rows), steps)
    }

    /// Adds the sum of values.
    fn add_sum(&mut self, sum: Expr, input: Option<&PartialInput>, steps: &mut Steps) -> Expr {
        self.add_partial(sum, input.and_then(PartialInput::sum), steps)
    }

    pub(super) fn lower_function(
        &mut self,
        lowered: &Lowered<'_>,
        steps: &mut Steps,
    ) -> Result<(), QueryError> {
        use AggregateFunction as F;
        let call = lowered.call;
        let output: PlSmallStr = column_name(call.output.id);
        let wanted = storage(&call.output.data_type);
        let all = lowered.arguments.first().cloned();
        let Some(all) = all else {
            // Only count(*) has no arguments.
            let count = match &lowered.filter {
                Some(filter) => self.add(filter.clone().sum(), steps),
                None => self.rows(steps),
            };
            steps.after.push(count.cast(DataType::Int64).alias(output));
            return Ok(());
        };
        if needs_rows(call) {
            let result = self.over_rows(lowered, steps)?;
            steps.after.push(result.cast(wanted).alias(output));
            return Ok(());
        }
        let value = self.ordered(all.clone(), lowered, steps)?;
        // The distinct values, if the call is DISTINCT.
        let each = if call.is_distinct { all.clone().drop_nulls().unique() } else { all.clone() };
        let input = lowered.input.clone();
        let every = Values { counted: all.clone(), input, is_every_row: lowered.is_not_null };
        let result = match call.function {
            F::Count => {
                if call.is_distinct {
                    self.add(all.drop_nulls().n_unique(), steps)
                } else {
                    self.count(&every, steps)
                }
            }
            F::CountIf => self.add(each.sum(), steps).fill_null(lit(0)),
            F::Sum => self.sum(&call.args[0].data_type, each, &every, steps),
            F::Avg => {
                let is_every_row = every.is_every_row && !call.is_distinct;
                let counted = Values { counted: each.clone(), is_every_row, ..every };
                self.average(&call.args[0].data_type, each, &counted, steps)
            }
            F::Min | F::Max if is_nested(&call.args[0].data_type) => {
                let by = (all.clone(), &call.args[0].data_type);
                self.extreme_by(all, by, call.function == F::Max, steps)
            }
            F::Min => self.add(all.min(), steps),
            F::Max => self.add(all.max(), steps),
            F::MinBy | F::MaxBy => {
                let [value, by] = lowered.arguments.as_slice() else {
                    return Err(not_supported("min_by and max_by take two arguments here", None));
                };
                let by = (by.clone(), &call.args[1].data_type);
                self.extreme_by(value.clone(), by, call.function == F::MaxBy, steps)
            }
            F::AnyValue => self.add(value.drop_nulls().first(), steps),
            F::ArrayAgg => self.array_agg(call, value, steps),
            F::ListAgg => {
                let separator = match call.args.get(1) {
                    Some(separator) => constant_text(separator)?,
                    None => String::new(),
                };
                let listed = self.add(distinct_in_order(value.drop_nulls(), call), steps);
                let joined = listed.clone().list().join(lit(separator), true);
                when(listed.list().len().gt(lit(0))).then(joined).otherwise(lit(NULL))
            }
            F::BoolAnd => self.add(all.min(), steps),
            F::BoolOr => self.add(all.max(), steps),
            F::ApproxDistinct => self.add(all.drop_nulls().n_unique(), steps),
            F::ApproxPercentile => {
                let fraction = constant_double(&call.args[1])?;
                let options = SortMultipleOptions::default().with_nulls_last(true);
                let sorted = each.clone().drop_nulls().sort_by([each.drop_nulls()], options).implode(true);
                percentile(self.add(sorted, steps), fraction)
            }
            F::Stddev | F::StddevPop | F::Variance | F::VarPop | F::Skewness | F::Kurtosis => {
                self.spread(call.function, each, steps)
            }
            F::Corr | F::CovarSamp | F::CovarPop | F::RegrSlope | F::RegrIntercept => {
                self.of_pairs(lowered, steps).cast(storage(&call.output.data_type))
            }
            F::GeometricMean => {
                let logarithms = each.cast(DataType::Float64).log(lit(std::f64::consts::E));
                self.add(logarithms.mean(), steps).exp().cast(storage(&call.output.data_type))
            }
            F::BitwiseAndAgg => self.if_any(all.bitwise_and(), &every, steps),
            F::BitwiseOrAgg => self.if_any(all.bitwise_or(), &every, steps),
            F::BitwiseXorAgg => self.if_any(each.bitwise_xor(), &every, steps),
        };
        steps.after.push(result.cast(wanted).alias(output));
        Ok(())
    }

    /// The values of the rows in the order of the call's ORDER BY. The filter is applied if the function counts NULLs.
    fn ordered(&mut self, value: Expr, lowered: &Lowered<'_>, steps: &mut Steps) -> Result<Expr, QueryError> {
        let call = lowered.call;
        let filter = lowered.filter.as_ref().filter(|_| !passes_over_nulls(call.function));
        let of_rows = |column: Expr| match filter {
            Some(filter) => column.filter(filter.clone()),
            None => column,
        };
        if call.order_by.is_empty() {
            return Ok(of_rows(value));
        }
        let mut by = Vec::with_capacity(call.order_by.len());
        for key in &call.order_by {
            let column = self.row_value(&key.expr, steps)?;
            for sorted_by in sort_columns(column, key) {
                by.push(SortColumn { value: self.before(sorted_by.value, steps), ..sorted_by });
            }
        }
        let options = SortMultipleOptions::default()
            .with_order_descending_multi(by.iter().map(|column| column.is_descending))
            .with_nulls_last_multi(by.iter().map(|column| column.nulls_last))
            .with_maintain_order(true);
        let by: Vec<Expr> = by.into_iter().map(|column| of_rows(column.value)).collect();
        Ok(of_rows(value).sort_by(by, options))
    }

    /// Adds an aggregate that is NULL if there are no values.
    fn if_any(&mut self, aggregate: Expr, values: &Values, steps: &mut Steps) -> Expr {
        let count = self.count(values, steps);
        let aggregate = self.add(aggregate, steps);
        when(count.gt(lit(0))).then(aggregate).otherwise(lit(NULL))
    }

    fn sum(&mut self, data_type: &Type, value: Expr, all: &Values, steps: &mut Steps) -> Expr {
        match data_type {
            // 64-bit integers are summed in 128 bits, and the sum must fit 64 bits.
            Type::BigInt => {
                let count = self.count(all, steps);
                let sum = self.add_sum(value.cast(DataType::Int128).sum(), all.input.as_ref(), steps);
                long_sum(when(count.gt(lit(0))).then(sum).otherwise(lit(NULL)))
            }
            Type::Decimal { precision, scale } => {
                let digits = (*precision, *scale);
                let sum = self.decimal_sum(digits, value, all.input.as_ref(), steps);
                let count = self.count(all, steps);
                when(count.gt(lit(0))).then(sum).otherwise(lit(NULL))
            }
            // Adding zero turns the sum of negative zeros into positive zero, which is SQL's result.
            Type::Double => {
                let count = self.count(all, steps);
                let sum = self.add_sum(value.sum(), all.input.as_ref(), steps);
                when(count.gt(lit(0))).then(sum + lit(0.0)).otherwise(lit(NULL))
            }
            Type::Real => {
                let sum = self.if_any(value.cast(DataType::Float64).sum(), all, steps);
                sum + lit(0.0)
            }
            Type::IntervalDayToSecond | Type::IntervalYearToMonth => {
                let units = value.cast(DataType::Int64).cast(DataType::Int128);
                let sum = self.if_any(units.sum(), all, steps);
                if *data_type == Type::IntervalYearToMonth { month_sum(sum) } else { long_sum(sum) }
            }
            _ => self.if_any(value.sum(), all, steps),
        }
    }

    /// Adds a sum that fails if it has more than 38 digits.
    fn decimal_sum(
        &mut self,
        (precision, scale): (u8, u8),
        value: Expr,
        input: Option<&PartialInput>,
        steps: &mut Steps,
    ) -> Expr {
        if !sum_can_run_over(precision) {
            return self.add_sum(value.sum(), input, steps);
        }
        match self.sums {
            DecimalSums::Quick => self.add_sum(none_large(value, precision, scale).sum(), input, steps),
            DecimalSums::Careful => {
                let high = self.add(high_halves(value.clone()).sum(), steps);
                let sum = self.add(value.sum(), steps);
                checked_sum(sum, high, scale)
            }
        }
    }

    fn average(&mut self, data_type: &Type, value: Expr, counted: &Values, steps: &mut Steps) -> Expr {
        match data_type {
            Type::Decimal { precision, scale } => {
                let digits = (*precision, *scale);
                if sum_can_run_over(*precision) && self.sums == DecimalSums::Careful {
                    let high = self.add(high_halves(value.clone()).sum(), steps);
                    let sum = self.add(value.sum(), steps);
                    return wide_average(sum, high, self.count(counted, steps), digits);
                }
                let sum = self.decimal_sum(digits, value, counted.input.as_ref(), steps);
                let count = self.count(counted, steps);
                decimal_average(sum, count, *precision, *scale)
            }
            Type::Double => {
                let sum = self.add_sum(value.sum(), counted.input.as_ref(), steps);
                let count = self.count(counted, steps);
                when(count.clone().gt(lit(0))).then((sum + lit(0.0)) / count).otherwise(lit(NULL))
            }
            Type::Real => self.add(value.cast(DataType::Float64).mean(), steps) + lit(0.0),
            // As in Trino, a half is rounded up, also below zero.
            Type::IntervalDayToSecond => {
                let mean = self.add(value.cast(DataType::Int64).mean(), steps);
                half_up(mean).cast(DataType::Int64)
            }
            Type::IntervalYearToMonth => half_up(self.add(value.mean(), steps)),
            _ => self.add(value.mean(), steps),
        }
    }

    /// The value in the row with the least or greatest `by`. Rows with NULL as `by` are ignored; the value may be NULL.
    fn extreme_by(
        &mut self,
        value: Expr,
        (by, by_type): (Expr, &Type),
        is_greatest: bool,
        steps: &mut Steps,
    ) -> Expr {
        let nan = if is_greatest { NanPlace::First } else { NanPlace::Last };
        let options = SortMultipleOptions::default()
            .with_order_descending(is_greatest)
            .with_nulls_last(true)
            .with_maintain_order(true);
        let by = if is_nested(by_type) {
            let key = order_key(by, by_type, nan);
            vec![self.before(key, steps)]
        } else if matches!(by_type, Type::Real | Type::Double) {
            // NaN comes last for both directions.
            let is_nan = when(by.clone().is_nan()).then(lit(true)).otherwise(lit(false));
            let is_nan = if is_greatest { is_nan.not() } else { is_nan };
            vec![self.before(is_nan, steps), by.clone()]
        } else {
            vec![by]
        };
        let any = by.last().cloned().map_or(lit(0), Expr::count);
        let first = self.add(value.sort_by(by, options).first(), steps);
        let any = self.add(any, steps);
        when(any.gt(lit(0))).then(first).otherwise(lit(NULL))
    }

    fn array_agg(&mut self, call: &AggregateCall, value: Expr, steps: &mut Steps) -> Expr {
        let listed = self.add(distinct_in_order(value, call), steps);
        when(listed.clone().list().len().gt(lit(0))).then(listed).otherwise(lit(NULL))
    }
}

/// Rounded to an integer, halves up.
fn half_up(mean: Expr) -> Expr {
    let below = mean.clone().floor();
    below.clone() + (mean - below).gt_eq(lit(0.5)).cast(DataType::Float64)
}

/// The values of a group as a list, distinct ones if the call is DISTINCT.
fn distinct_in_order(value: Expr, call: &AggregateCall) -> Expr {
    if call.is_distinct { value.unique_stable().implode(true) } else { value.implode(true) }
}

/// Whether the function ignores NULLs, so that a filter can replace values by NULL.
const fn passes_over_nulls(function: AggregateFunction) -> bool {
    !matches!(function, AggregateFunction::ArrayAgg)
}
