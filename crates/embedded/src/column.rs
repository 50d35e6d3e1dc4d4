//! Columns of a plan in Polars: a column's name is its id, `#12`.

use polars::prelude::{Expr, PlSmallStr, col};

use rowhouse_sql::plan::{ColumnId, Field};

/// The name of a column in Polars.
pub(crate) fn column_name(id: ColumnId) -> PlSmallStr {
    format!("#{}", id.0).into()
}

/// A column in Polars.
pub(crate) fn column(id: ColumnId) -> Expr {
    col(column_name(id))
}

/// The columns of these fields.
pub(crate) fn columns(fields: &[Field]) -> Vec<Expr> {
    fields.iter().map(|field| column(field.id)).collect()
}
