//! From the plan of a statement to a lazy frame. Each kind of node has a file of its own; all keep to one
//! rule: a column's name in Polars is its id, `#12`, so that names never collide and a join renames nothing.

use polars::prelude::{Expr, LazyFrame, PlSmallStr, col};
use rowhouse_model::QueryError;

use self::shared::Shared;
use super::expression::Staged;
use super::numeric::DecimalSums;
use super::scan::TableScan;
use crate::sql::Analyzed;
use crate::sql::plan::{ColumnId, Field, Plan, SharedId};

mod aggregate;
mod aggregate_function;
mod join;
mod mark_join;
mod nothing;
mod order;
mod range_join;
mod relation;
mod scan;
mod set_operation;
mod shared;
mod unnest;
mod window;

/// The frame of a statement over these tables, in the order of their indexes; its columns have their ids as names.
pub(crate) fn lower(
    analyzed: &Analyzed,
    tables: &[TableScan],
    sums: DecimalSums,
) -> Result<LazyFrame, QueryError> {
    let mut lowering = Lowering { tables, sums, shared: Vec::new(), next_temporary: 0 };
    for shared in &analyzed.shared {
        lowering.share(shared)?;
    }
    let plan = lowering.without_nothing(&analyzed.plan);
    lowering.lower(&plan)
}

/// A statement that is being lowered.
struct Lowering<'a> {
    tables: &'a [TableScan],
    sums: DecimalSums,
    shared: Vec<Shared>,
    next_temporary: u32,
}

impl Lowering<'_> {
    /// Lowers a plan. The frame has the plan's fields under their ids, and possibly columns that only the
    /// lowering knows.
    fn lower(&mut self, plan: &Plan) -> Result<LazyFrame, QueryError> {
        match plan {
            Plan::Scan(node) => self.scan(node),
            Plan::Values { fields, rows } => scan::values(fields, rows),
            Plan::Shared { id, columns, .. } => Ok(self.shared(*id, columns)),
            Plan::Filter { input, predicate } => self.filter(input, predicate),
            Plan::Project { input, columns } => self.project(input, columns),
            Plan::Join(node) => self.join(node),
            Plan::MarkJoin(node) => self.mark_join(node),
            Plan::Aggregate(node) => self.aggregate(node),
            Plan::Window { input, functions } => self.window(input, functions),
            Plan::Sort { input, keys } => self.sort(input, keys),
            Plan::Limit { input, offset, limit } => self.limit(input, *offset, *limit),
            Plan::Distinct { input, on } => self.distinct(input, on.as_deref()),
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
        self.shared[id.0].frame.clone().select(renamed)
    }

    /// For expressions over the rows of one frame.
    fn staged(&mut self) -> Staged {
        Staged::new(self.temporary())
    }

    /// A name that no column of the statement has.
    fn temporary(&mut self) -> PlSmallStr {
        self.next_temporary += 1;
        format!("#t{}", self.next_temporary).into()
    }
}

/// The name of a column in Polars.
pub(crate) fn column_name(id: ColumnId) -> PlSmallStr {
    format!("#{}", id.0).into()
}

/// A column in Polars.
pub(crate) fn column(id: ColumnId) -> Expr {
    col(column_name(id))
}

/// The columns of these fields.
fn columns(fields: &[Field]) -> Vec<Expr> {
    fields.iter().map(|field| column(field.id)).collect()
}
