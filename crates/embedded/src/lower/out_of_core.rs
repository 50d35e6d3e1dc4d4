//! Spilling: plans whose rows do not fit into memory. An operator's input is written to disk first, partitioned so that
//! the operator can be computed part by part: by a hash of the keys if only equal keys match, by order for a sort. The
//! results of the parts are on disk, too, and the plan above reads them like a table.
//!
//! The steps run while the plan is lowered, from the leaves to the root, so the sizes of the data on disk are known.
//! Small data is not partitioned.

use std::sync::Arc;

use polars::prelude::{Expr, IdxSize, JoinBuildSide, PlSmallStr, col, len};
use rowhouse_model::QueryError;

use self::operator::{Held, Keyed};
use self::size::{Size, row_bytes};
use super::Lowering;
use super::aggregate::{is_simple, only_distinct_argument};
use super::order::MAX_TOP_ROWS;
use super::shared::Shared;
use crate::attempt::{Attempt, attempt};
use crate::column::{column_name, columns};
use crate::data_type::storage;
use crate::expression::lower_expression;
use crate::failure;
use crate::order_key::sort_columns;
use crate::spill::{KeyOrder, Placement, Rows, Spill, SpillFile};
use rowhouse_sql::expr::{Expr as SqlExpr, SortKey};
use rowhouse_sql::functions::AggregateFunction;
use rowhouse_sql::plan::{Aggregate, Field, Join, Plan, SharedId};

mod operator;
mod size;

/// Number of parts of an operator. Each one is an open file with a write buffer.
const PARTS: std::ops::RangeInclusive<u64> = 4..=64;

/// Minimum number of rows of a part.
const LEAST_ROWS: u64 = 1024;
/// Number of rows whose groups are counted to estimate the cardinality.
const SAMPLED_ROWS: IdxSize = 1 << 18;
/// Minimum average number of rows of a group for low cardinality.
const ROWS_OF_FEW_GROUPS: usize = 100;

impl Lowering<'_> {
    /// The plan, in which operators that may not fit into memory are replaced by their results.
    pub(super) fn out_of_core(&mut self, plan: Plan, spill: &Arc<Spill>) -> Result<Plan, QueryError> {
        let plan = self.step(plan, spill, false)?;
        // A computed result may be empty.
        Ok(self.without_empty_relations(&plan))
    }

    /// A sort under a LIMIT is a top-k: Polars does not materialize it.
    fn step(
        &mut self,
        mut plan: Plan,
        spill: &Arc<Spill>,
        are_first_wanted: bool,
    ) -> Result<Plan, QueryError> {
        let are_first_wanted_below = match &plan {
            Plan::Limit { offset, limit: Some(limit), .. } => offset.saturating_add(*limit) <= MAX_TOP_ROWS,
            Plan::Project { .. } => are_first_wanted,
            _ => false,
        };
        for input in plan.inputs_mut() {
            let taken = input.take();
            *input = self.step(taken, spill, are_first_wanted_below)?;
        }
        match plan {
            Plan::Sort { input, keys } if !are_first_wanted => self.sort_by_parts(*input, keys, spill),
            Plan::Aggregate(node) => {
                let plan = Plan::Aggregate(self.distinct_by_parts(node, spill)?);
                self.by_parts_if_keyed(plan, spill)
            }
            other => self.by_parts_if_keyed(other, spill),
        }
    }

    fn by_parts_if_keyed(&mut self, plan: Plan, spill: &Arc<Spill>) -> Result<Plan, QueryError> {
        match Keyed::of(&plan) {
            Some(keyed) => self.by_parts(plan, &keyed, spill),
            None => Ok(plan),
        }
    }

    /// Computes an operator part by part.
    fn by_parts(&mut self, mut plan: Plan, keyed: &Keyed, spill: &Arc<Spill>) -> Result<Plan, QueryError> {
        let sizes: Vec<Size> = plan.inputs().into_iter().map(|input| Size::of(input, &self.shared)).collect();
        let bytes = |input: &usize| sizes[*input].bytes();
        let is_large = |bytes: u64| bytes > spill.operator_bytes();
        let mut held: Vec<usize> = match keyed.held {
            Held::One(input) => vec![input],
            Held::Smaller | Held::All => (0..sizes.len()).collect(),
        };
        held.sort_by_key(bytes);
        let must_be_divided = match keyed.held {
            Held::One(_) | Held::Smaller => held.first().is_some_and(|input| is_large(bytes(input))),
            Held::All => held.iter().any(|input| is_large(bytes(input))),
        };
        if !must_be_divided || plan.inputs().iter().any(|input| input.fields().is_empty()) {
            return Ok(plan);
        }
        if !holds_rows(&plan)
            && let ([input], [keys]) = (&plan.inputs()[..], &keyed.keys[..])
            && self.has_few_groups(input, keys)?
        {
            return Ok(plan);
        }
        // Inputs that are not held in memory come last: they may not need to be partitioned.
        let others = (0..sizes.len()).filter(|input| !held.contains(input));
        let in_turn: Vec<usize> = held.iter().copied().chain(others).collect();
        let placement = Placement::hash(parts(&sizes, spill));
        let mut divided: Vec<Vec<Option<SpillFile>>> = sizes.iter().map(|_| Vec::new()).collect();
        for (turn, input) in in_turn.into_iter().enumerate() {
            let of_input = plan.inputs()[input];
            let fields = of_input.fields();
            let files = self.divided(of_input, &keyed.keys[input], &placement, spill)?;
            let on_disk = files.iter().flatten().map(SpillFile::bytes).sum();
            if turn == 0 && keyed.held != Held::All && !is_large(on_disk) {
                let on_disk = self.read(files.into_iter().flatten().collect(), fields)?;
                let written = std::mem::replace(&mut *plan.inputs_mut()[input], on_disk);
                self.release(&written);
                return Ok(plan);
            }
            divided[input] = files;
        }
        plan.inputs().into_iter().for_each(|input| self.release(input));
        let fields = plan.fields();
        let mut results = Vec::new();
        for part in 0..divided.iter().map(Vec::len).max().unwrap_or(0) {
            let mut of_part = plan.clone();
            for (input, files) in of_part.inputs_mut().into_iter().zip(&mut divided) {
                let file = files.get_mut(part).and_then(Option::take);
                *input = self.read(file.into_iter().collect(), input.fields())?;
            }
            results.extend(self.part(&of_part, spill)?);
        }
        self.read(results, fields)
    }

    /// Computes aggregates over the distinct values of a column: the values of each group are made distinct beforehand.
    fn distinct_by_parts(
        &mut self,
        mut node: Aggregate,
        spill: &Arc<Spill>,
    ) -> Result<Aggregate, QueryError> {
        let Some(argument) = only_distinct_argument(&node.aggregates).and_then(SqlExpr::as_column) else {
            return Ok(node);
        };
        let wanted = |field: &Field| field.id == argument || node.keys.contains(&field.id);
        let columns = node.input.fields().into_iter().filter(wanted).map(|field| {
            let column = SqlExpr::column(field.id, field.data_type.clone());
            (field, column)
        });
        let columns = columns.collect();
        let distinct =
            Plan::Distinct { input: Box::new(Plan::Project { input: node.input, columns }), on: None };
        node.input = Box::new(self.by_parts_if_keyed(distinct, spill)?);
        node.aggregates.iter_mut().for_each(|call| call.is_distinct = false);
        Ok(node)
    }

    /// Computes a sort: the rows are partitioned into ranges, which are sorted separately.
    fn sort_by_parts(
        &mut self,
        input: Plan,
        keys: Vec<SortKey>,
        spill: &Arc<Spill>,
    ) -> Result<Plan, QueryError> {
        let size = Size::of(&input, &self.shared);
        let fields = input.fields();
        if size.bytes() <= spill.operator_bytes() || fields.is_empty() {
            return Ok(Plan::Sort { input: Box::new(input), keys });
        }
        let (rows, key_names, order) = self.with_sort_keys(&input, &keys, &[])?;
        let samples = rows.sample(spill, &key_names, &order).map_err(|error| failure::query_error(&error))?;
        let size = Size { rows: samples.rows() as u64, ..size };
        if size.bytes() <= spill.operator_bytes() {
            return Ok(Plan::Sort { input: Box::new(input), keys });
        }
        let placement = samples.into_placement(parts(&[size], spill));
        let names = names(&fields);
        let (rows, key_names, _) = self.with_sort_keys(&input, &keys, &names)?;
        let files =
            rows.divide(spill, &key_names, &placement).map_err(|error| failure::query_error(&error))?;
        self.release(&input);
        let mut results = Vec::new();
        for file in files.into_iter().flatten() {
            let rows = self.read(vec![file], fields.clone())?;
            results.extend(self.part(&Plan::Sort { input: Box::new(rows), keys: keys.clone() }, spill)?);
        }
        self.read(results, fields)
    }

    /// Whether the first rows have few groups. Then the state is small, or most groups have many rows.
    fn has_few_groups(&mut self, input: &Plan, keys: &[SqlExpr]) -> Result<bool, QueryError> {
        let (rows, key_names) = self.with_keys(input, keys, &[])?;
        let keys: Vec<Expr> = key_names.iter().map(|name| col(name.clone())).collect();
        let groups = rows.frame.select(&keys).limit(SAMPLED_ROWS).group_by(keys).agg([len().alias("rows")]);
        let groups = attempt(&Attempt::ALL, |attempt| attempt.collect(groups.clone()));
        let groups = groups.map_err(|error| failure::query_error(&error))?;
        let rows = groups.column("rows").and_then(|rows| rows.as_materialized_series().sum::<usize>());
        let rows = rows.map_err(|error| failure::query_error(&error))?;
        Ok(groups.height().saturating_mul(ROWS_OF_FEW_GROUPS) <= rows)
    }

    /// The rows of a plan, partitioned into files.
    fn divided(
        &mut self,
        plan: &Plan,
        keys: &[SqlExpr],
        placement: &Placement,
        spill: &Arc<Spill>,
    ) -> Result<Vec<Option<SpillFile>>, QueryError> {
        let names = names(&plan.fields());
        let (rows, key_names) = self.with_keys(plan, keys, &names)?;
        rows.divide(spill, &key_names, placement).map_err(|error| failure::query_error(&error))
    }

    /// The rows of a plan, with its keys as additional columns.
    fn with_keys<'a>(
        &mut self,
        plan: &Plan,
        keys: &[SqlExpr],
        names: &'a [PlSmallStr],
    ) -> Result<(Rows<'a>, Vec<PlSmallStr>), QueryError> {
        let frame = self.lower(plan)?;
        let mut staged = self.staged();
        let mut key_names = Vec::with_capacity(keys.len());
        let mut key_columns = Vec::with_capacity(keys.len());
        for key in keys {
            let name = self.temporary();
            // Both sides of a join need the same type, so that equal keys have equal hashes.
            let value = lower_expression(key, &mut staged)?.cast(storage(&key.data_type));
            key_columns.push(value.alias(name.clone()));
            key_names.push(name);
        }
        let frame = staged.apply(frame).with_columns(key_columns);
        Ok((Rows { frame, columns: names, row_bytes: row_bytes(&plan.fields()) }, key_names))
    }

    /// The rows of a plan, with its sort keys as additional columns.
    fn with_sort_keys<'a>(
        &mut self,
        plan: &Plan,
        keys: &[SortKey],
        names: &'a [PlSmallStr],
    ) -> Result<(Rows<'a>, Vec<PlSmallStr>, KeyOrder), QueryError> {
        let frame = self.lower(plan)?;
        let mut staged = self.staged();
        let mut order = KeyOrder { is_descending: Vec::new(), nulls_last: Vec::new() };
        let (mut key_names, mut key_columns) = (Vec::new(), Vec::new());
        for key in keys {
            for column in sort_columns(lower_expression(&key.expr, &mut staged)?, key) {
                let name = self.temporary();
                key_columns.push(column.value.alias(name.clone()));
                key_names.push(name);
                order.is_descending.push(column.is_descending);
                order.nulls_last.push(column.nulls_last);
            }
        }
        let frame = staged.apply(frame).with_columns(key_columns);
        Ok((Rows { frame, columns: names, row_bytes: row_bytes(&plan.fields()) }, key_names, order))
    }

    /// Computes a part, whose inputs are on disk and are removed afterwards.
    fn part(&mut self, plan: &Plan, spill: &Arc<Spill>) -> Result<Option<SpillFile>, QueryError> {
        let file = self.spilled(&self.without_empty_relations(plan), spill)?;
        plan.inputs().into_iter().for_each(|input| self.release(input));
        Ok(file)
    }

    /// Computes a plan and writes its rows to disk.
    pub(super) fn on_disk(&mut self, plan: &Plan, spill: &Arc<Spill>) -> Result<Shared, QueryError> {
        let file = self.spilled(plan, spill)?;
        Shared::on_disk(file.into_iter().collect(), &plan.fields())
    }

    fn spilled(&mut self, plan: &Plan, spill: &Arc<Spill>) -> Result<Option<SpillFile>, QueryError> {
        let fields = plan.fields();
        let frame = self.lower(plan)?.select(columns(&fields));
        let rows = Rows { frame, columns: &names(&fields), row_bytes: row_bytes(&fields) };
        rows.write(spill).map_err(|error| failure::query_error(&error))
    }

    /// A plan that reads rows from disk.
    fn read(&mut self, files: Vec<SpillFile>, fields: Vec<Field>) -> Result<Plan, QueryError> {
        let id = SharedId(self.next_shared);
        self.next_shared += 1;
        let row_estimate = Some(files.iter().map(SpillFile::rows).sum());
        self.shared.insert(id, Shared::on_disk(files, &fields)?);
        let columns = fields.into_iter().map(|field| (field.clone(), field.id)).collect();
        Ok(Plan::Shared { id, columns, row_estimate })
    }

    /// The build side of a join. If memory is limited, it is chosen here, because Polars' own sampling of the rows
    /// needs memory.
    pub(super) fn build_side(&self, node: &Join) -> Option<JoinBuildSide> {
        self.spill.as_ref()?;
        let of = |plan: &Plan| Size::of(plan, &self.shared).bytes();
        let is_left = of(&node.left) < of(&node.right);
        Some(if is_left { JoinBuildSide::ForceLeft } else { JoinBuildSide::ForceRight })
    }

    /// Removes the rows of a plan from disk, except those of the statement's shared plans.
    pub(super) fn release(&mut self, plan: &Plan) {
        plan.visit(&mut |node| {
            if let Plan::Shared { id, .. } = node
                && id.0 >= self.statement_shares
            {
                self.shared.remove(id);
            }
        });
    }
}

/// Whether an operator holds its rows, instead of a small state for each group.
fn holds_rows(plan: &Plan) -> bool {
    match plan {
        Plan::Distinct { .. } => false,
        Plan::Aggregate(node) => node.aggregates.iter().any(|call| {
            let holds_little = is_simple(call.function)
                || matches!(
                    call.function,
                    AggregateFunction::BoolAnd | AggregateFunction::BoolOr | AggregateFunction::AnyValue
                );
            !holds_little || call.is_distinct || !call.order_by.is_empty()
        }),
        _ => true,
    }
}

/// The number of parts for inputs of these sizes, with a reserve for parts that are larger than others.
fn parts(inputs: &[Size], spill: &Spill) -> usize {
    let bytes = inputs.iter().map(|size| size.bytes()).fold(0, u64::saturating_add);
    let rows = inputs.iter().map(|size| size.rows).fold(0, u64::saturating_add);
    let wanted = bytes / (spill.operator_bytes() / 2).max(1);
    usize::try_from(wanted.min(rows / LEAST_ROWS).clamp(*PARTS.start(), *PARTS.end())).unwrap_or(1)
}

fn names(fields: &[Field]) -> Vec<PlSmallStr> {
    fields.iter().map(|field| column_name(field.id)).collect()
}
