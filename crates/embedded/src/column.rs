//! Names of plan columns in Polars, which are their ids (`#12`), and row indexes.

use polars::prelude::{Expr, IdxSize, PlSmallStr, col};

use rowhouse_sql::plan::{ColumnId, Field};

/// The name of a column in Polars.
pub(crate) fn column_name(id: ColumnId) -> PlSmallStr {
    format!("#{}", id.0).into()
}

/// A column in Polars.
pub(crate) fn column(id: ColumnId) -> Expr {
    col(column_name(id))
}

/// A number of rows or elements as Polars' index type.
pub(crate) fn as_index(place: usize) -> IdxSize {
    IdxSize::try_from(place).unwrap_or(IdxSize::MAX)
}

/// The columns of these fields.
pub(crate) fn columns(fields: &[Field]) -> Vec<Expr> {
    fields.iter().map(|field| column(field.id)).collect()
}
