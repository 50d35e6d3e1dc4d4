//! From the plan of a statement to a lazy frame. Each kind of node has a file of its own; all keep to one
//! rule: a column's name in Polars is its id, `#12`, so that names never collide and a join renames nothing.

use polars::prelude::{Expr, LazyFrame, PlSmallStr, col};
use rowhouse_model::QueryError;

use super::scan::TableScan;
use crate::sql::plan::{ColumnId, Field, Plan, SharedId};

mod aggregate;
mod aggregate_function;
mod join;
mod mark_join;
mod range_join;
mod relation;
mod scan;
mod set_operation;
mod unnest;
mod window;

/// A statement that is being lowered.
pub(crate) struct Lowering<'a> {
    tables: &'a [TableScan],
    shared: Vec<LazyFrame>,
    next_temporary: u32,
}

impl<'a> Lowering<'a> {
    /// Of a statement over these tables, in the order of their indexes.
    pub(crate) fn new(tables: &'a [TableScan]) -> Self {
        Self { tables, shared: Vec::new(), next_temporary: 0 }
    }

    /// Lowers the next shared plan: it is computed once, however often it is used.
    pub(crate) fn share(&mut self, plan: &Plan) -> Result<(), QueryError> {
        let frame = self.lower(plan)?.cache();
        self.shared.push(frame);
        Ok(())
    }

    /// Lowers a plan. The frame has the plan's fields under their ids, and possibly columns that only the
    /// lowering knows.
    pub(crate) fn lower(&mut self, plan: &Plan) -> Result<LazyFrame, QueryError> {
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
        self.shared[id.0].clone().select(renamed)
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
