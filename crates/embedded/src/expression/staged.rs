//! Columns that are computed before an expression. Polars' expressions are trees: a subexpression that is used twice is
//! copied, and nested copies double the plan each time. A chain of conditions, each the guard of the next, would grow
//! exponentially; a large subexpression becomes a column instead, and the column is copied.

use polars::prelude::{Expr, LazyFrame, PlSmallStr, col};

/// Nodes beyond which an expression is not copied.
const MAX_COPIED_NODES: usize = 24;

/// The columns, each computed from those before it.
#[derive(Debug)]
pub(crate) struct Staged {
    prefix: PlSmallStr,
    columns: Vec<Expr>,
    /// Whether expressions without columns are computed ahead. Not within one of them: what cannot be a constant, a row or
    /// a division by zero, would be computed again with each level around it.
    pub(super) is_folding: bool,
}

impl Staged {
    /// The columns' names begin with `prefix`, which no other column's name may.
    pub(crate) const fn new(prefix: PlSmallStr) -> Self {
        Self { prefix, columns: Vec::new(), is_folding: true }
    }

    /// Of a frame that is made while what `around` belongs to is evaluated.
    pub(super) const fn within(around: &Self, prefix: PlSmallStr) -> Self {
        Self { prefix, columns: Vec::new(), is_folding: around.is_folding }
    }

    /// The frame with the columns.
    pub(crate) fn apply(self, frame: LazyFrame) -> LazyFrame {
        self.columns.into_iter().fold(frame, LazyFrame::with_column)
    }

    /// The columns, with their names.
    pub(crate) fn into_columns(self) -> Vec<Expr> {
        self.columns
    }

    /// Computes an expression as a column.
    pub(crate) fn column(&mut self, value: Expr) -> Expr {
        let name: PlSmallStr = format!("{}.{}", self.prefix, self.columns.len()).into();
        self.columns.push(value.alias(name.clone()));
        col(name)
    }

    /// The same value in a form that may be copied.
    pub(super) fn copyable(&mut self, value: Expr) -> Expr {
        if (&value).into_iter().nth(MAX_COPIED_NODES).is_some() { self.column(value) } else { value }
    }
}
