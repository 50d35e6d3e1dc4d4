//! Lowers the plan of a statement to a lazy frame. Each kind of node has its own file; all follow one rule: the name of
//! a column in Polars is its id, `#12`, so that names never collide and a join renames no column.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use polars::prelude::{Expr, LazyFrame, PlSmallStr};
use rowhouse_model::QueryError;

pub(super) use self::dynamic_filter::computed_ahead;
use self::order::has_late_rows;
use self::product::has_one_row;
pub(super) use self::row_counts::row_counts;
use self::shared::Shared;
use super::column::{column, column_name};
use super::expression::Staged;
use super::numeric::DecimalSums;
use super::scan::TableScan;
use super::spill::Spill;
use rowhouse_sql::Analyzed;
use rowhouse_sql::plan::{ColumnId, Field, Plan, SharedId};

mod accumulator;
mod aggregate;
mod aggregate_function;
mod aggregate_steps;
mod distinct_values;
mod dynamic_filter;
mod empty_relation;
mod integer_range;
mod join;
mod large_frame;
mod low_cardinality;
mod mark_join;
mod match_recognize;
mod nullability;
mod order;
mod ordered_aggregate;
mod out_of_core;
mod partial_distinct;
mod partial_input;
mod partitioned_aggregate;
mod product;
mod relation;
mod residual_join;
mod row_counts;
mod scan;
mod scan_filter;
mod set_operation;
mod shared;
mod signed_zero;
mod top_rows;
mod unnest;
mod window;

/// The frame of a statement over these tables, in the order of their indexes; its columns have their ids as names. With
/// `spill`, operators whose rows may not fit into memory are computed here, part by part, and the frame reads their
/// results from disk.
pub(crate) fn lower(
    analyzed: &Analyzed,
    tables: &[TableScan],
    sums: DecimalSums,
    spill: Option<&Arc<Spill>>,
) -> Result<LazyFrame, QueryError> {
    let mut lowering = lowering(analyzed, tables, sums, spill);
    for (index, shared) in analyzed.shared.iter().enumerate() {
        lowering.share(SharedId(index), shared)?;
    }
    let mut plan = lowering.without_empty_relations(&analyzed.plan);
    if let Some(spill) = spill {
        plan = lowering.out_of_core(plan, spill)?;
    }
    lowering.lower(&plan)
}

fn lowering<'a>(
    analyzed: &Analyzed,
    tables: &'a [TableScan],
    sums: DecimalSums,
    spill: Option<&Arc<Spill>>,
) -> Lowering<'a> {
    // A statement that spills needs all memory.
    let frames = match spill {
        Some(_) => tables.iter().map(|table| table.frame.clone()).collect(),
        None => scan::frames(analyzed, tables),
    };
    Lowering {
        tables,
        frames,
        sums,
        spill: spill.cloned(),
        shared: HashMap::new(),
        dynamic_filters: computed_ahead(analyzed),
        statement_shares: analyzed.shared.len(),
        next_shared: analyzed.shared.len(),
        next_temporary: 0,
        top_rows: None,
    }
}

/// Whether lowering a statement may execute parts of it.
pub(crate) fn executes_parts(analyzed: &Analyzed) -> bool {
    let mut plans = analyzed.shared.iter().chain([&analyzed.plan]);
    plans.any(|plan| has_late_rows(plan) || has_groups(plan))
        || !computed_ahead(analyzed).is_empty()
        || has_one_row(analyzed)
}

/// Whether a plan contains groups or distinct rows, which may be computed in order or in partitions.
fn has_groups(plan: &Plan) -> bool {
    let mut has_groups = false;
    plan.visit(&mut |node| has_groups |= matches!(node, Plan::Aggregate(_) | Plan::Distinct { .. }));
    has_groups
}

/// A statement that is being lowered.
struct Lowering<'a> {
    tables: &'a [TableScan],
    /// The frame of each table.
    frames: Vec<LazyFrame>,
    sums: DecimalSums,
    /// Storage for rows that do not fit into memory, if the statement may spill.
    spill: Option<Arc<Spill>>,
    /// The statement's shared plans, and the plans whose rows are on disk.
    shared: HashMap<SharedId, Shared>,
    /// The shared plans that are computed ahead as dynamic filters.
    dynamic_filters: HashSet<SharedId>,
    /// The number of shared plans of the statement; larger ids are those of rows on disk.
    statement_shares: usize,
    next_shared: usize,
    next_temporary: u32,
    /// The number of rows that a LIMIT takes from the sort directly below it.
    top_rows: Option<u64>,
}

impl Lowering<'_> {
    /// Lowers a plan. The frame has the plan's fields under their ids, and possibly further columns that only the
    /// lowering uses.
    fn lower(&mut self, plan: &Plan) -> Result<LazyFrame, QueryError> {
        let frame = self.lower_node(plan)?;
        large_frame::bounded(plan, frame)
    }

    fn lower_node(&mut self, plan: &Plan) -> Result<LazyFrame, QueryError> {
        match plan {
            Plan::Scan(node) => self.scan(node),
            Plan::Values { fields, rows } => scan::values(fields, rows),
            Plan::Shared { id, columns, .. } => Ok(self.shared(*id, columns)),
            Plan::Filter { input, predicate } => self.filter(input, predicate),
            Plan::Project { input, columns } => self.project(input, columns),
            Plan::Join(node) => self.join(node),
            Plan::MarkJoin(node) => self.mark_join(node),
            Plan::Aggregate(node) => self.aggregate(node),
            Plan::Window { input, functions } => self.window(input, functions, None),
            Plan::MatchRecognize(node) => self.match_recognize(plan, node),
            Plan::Sort { input, keys } => self.sort(input, keys),
            Plan::Limit { input, offset, limit } => self.limit(input, *offset, *limit),
            Plan::Distinct { input, on } => self.distinct(input, on.as_deref()),
            Plan::PartialDistinct { input } => self.partial_distinct(input),
            Plan::SetOperation { kind, inputs, fields } => self.set_operation(*kind, inputs, fields),
            Plan::Unnest { input, arrays, ordinality, is_outer } => {
                self.unnest(input, arrays, ordinality.as_ref(), *is_outer)
            }
            Plan::EnforceSingleRow { input } => self.enforce_single_row(input),
        }
    }

    fn shared(&self, id: SharedId, columns: &[(Field, ColumnId)]) -> LazyFrame {
        let renamed: Vec<Expr> =
            columns.iter().map(|(field, source)| column(*source).alias(column_name(field.id))).collect();
        self.shared[&id].frame.clone().select(renamed)
    }

    /// An empty list of columns for expressions over one frame.
    fn staged(&mut self) -> Staged {
        Staged::new(self.temporary())
    }

    /// A name that no column of the statement has.
    fn temporary(&mut self) -> PlSmallStr {
        self.next_temporary += 1;
        format!("#t{}", self.next_temporary).into()
    }
}
