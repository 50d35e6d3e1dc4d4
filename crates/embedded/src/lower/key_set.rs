//! Semi joins by the number of a shared plan: its rows are computed ahead, and which numbers they have is a filter, which
//! Polars makes a part of reading a file. What no row asks for is then neither decoded nor looked up further above.

use std::collections::HashSet;

use polars::prelude::LazyFrame;
use rowhouse_model::QueryError;

use super::Lowering;
use crate::column::{column, column_name};
use crate::failure;
use crate::numeric::KeySet;
use rowhouse_sql::Analyzed;
use rowhouse_sql::plan::{ColumnId, Join, JoinKind, Plan, SharedId};

/// The shared plans whose rows are computed ahead.
pub(crate) fn computed_ahead(analyzed: &Analyzed) -> HashSet<SharedId> {
    let mut found = HashSet::new();
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        plan.visit(&mut |node| {
            if let Plan::Join(join) = node
                && let Some((id, ..)) = membership(join)
            {
                found.insert(id);
            }
        });
    }
    // What these name is computed with them, and once.
    for (index, plan) in analyzed.shared.iter().enumerate().rev() {
        if found.contains(&SharedId(index)) {
            plan.visit(&mut |node| {
                if let Plan::Shared { id, .. } = node {
                    found.insert(*id);
                }
            });
        }
    }
    found
}

/// The shared plan that says which rows a semi join keeps, its column, and the column that is looked up there.
fn membership(join: &Join) -> Option<(SharedId, ColumnId, ColumnId)> {
    let (JoinKind::Semi, None, [key], Plan::Shared { id, columns, .. }) =
        (join.kind, &join.residual, join.keys.as_slice(), &*join.right)
    else {
        return None;
    };
    let right = key.right.as_column().filter(|_| key.is_by_number())?;
    let (_, source) = columns.iter().find(|(field, _)| field.id == right)?;
    Some((*id, *source, key.left.as_column()?))
}

impl Lowering<'_> {
    /// The rows that a semi join keeps, if they are those of some numbers.
    pub(super) fn members(&mut self, join: &Join) -> Result<Option<LazyFrame>, QueryError> {
        let Some((id, source, value)) = membership(join) else { return Ok(None) };
        let Some(rows) = &self.shared[&id].rows else { return Ok(None) };
        let keys = rows.column(&column_name(source)).and_then(KeySet::of);
        let Some(keys) = keys.map_err(|error| failure::query_error(&error))? else { return Ok(None) };
        Ok(Some(self.lower(&join.left)?.filter(keys.contains(column(value)))))
    }
}
