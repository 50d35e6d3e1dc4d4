//! Dynamic filtering: the build side of a semi join is a shared plan that is computed ahead, and its keys become a
//! filter on the probe side, which Polars pushes into the scan. Rows without a match are then neither decoded nor
//! hashed.

use std::collections::HashSet;

use polars::prelude::{Column, Expr, LazyFrame, LiteralValue, PolarsResult, Scalar};
use rowhouse_model::QueryError;

use super::Lowering;
use crate::column::{column, column_name};
use crate::failure;
use crate::numeric::DynamicFilter;
use rowhouse_sql::Analyzed;
use rowhouse_sql::plan::{ColumnId, Join, JoinKind, Plan, SharedId};

/// The shared plans whose rows are computed ahead: those of dynamic filters, and those that return groups, which are
/// few. The requirements of a filter do not reach a file through a cache.
pub(crate) fn computed_ahead(analyzed: &Analyzed) -> HashSet<SharedId> {
    let mut found = HashSet::new();
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        plan.visit(&mut |node| {
            if let Plan::Join(join) = node
                && let Some((id, ..)) = dynamic_filter_of(join)
            {
                found.insert(id);
            }
        });
    }
    for (index, plan) in analyzed.shared.iter().enumerate() {
        if gives_groups(plan) {
            found.insert(SharedId(index));
        }
    }
    // The shared plans that these name are computed with them, once.
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

/// Whether the top of a plan, below projections, filters, sorts and limits, groups rows.
fn gives_groups(plan: &Plan) -> bool {
    match plan {
        Plan::Aggregate(_) | Plan::Distinct { .. } => true,
        Plan::Project { input, .. }
        | Plan::Filter { input, .. }
        | Plan::Sort { input, .. }
        | Plan::Limit { input, .. } => gives_groups(input),
        Plan::SetOperation { inputs, .. } => inputs.iter().all(gives_groups),
        _ => false,
    }
}

/// The build side of a semi join that can be a dynamic filter: the shared plan, its key, and the key of the probe side.
fn dynamic_filter_of(join: &Join) -> Option<(SharedId, ColumnId, ColumnId)> {
    let (JoinKind::Semi, None, [key], Plan::Shared { id, columns, .. }) =
        (join.kind, &join.residual, join.keys.as_slice(), &*join.right)
    else {
        return None;
    };
    let right = key.right.as_column().filter(|_| key.is_by_number())?;
    let (_, source) = columns.iter().find(|(field, _)| field.id == right)?;
    Some((*id, *source, key.left.as_column()?))
}

/// The least and the greatest key. They are NULL if there are no keys, and then no value is in the range.
fn range(keys: &Column) -> PolarsResult<(Scalar, Scalar)> {
    Ok((keys.min_reduce()?, keys.max_reduce()?))
}

const fn literal(value: Scalar) -> Expr {
    Expr::Literal(LiteralValue::Scalar(value))
}

impl Lowering<'_> {
    /// Lowers a semi join to a filter on its probe side; `None` if the keys are not integers or dates.
    pub(super) fn lower_dynamic_filter(&mut self, join: &Join) -> Result<Option<LazyFrame>, QueryError> {
        let Some((id, source, value)) = dynamic_filter_of(join) else { return Ok(None) };
        let Some(rows) = &self.shared[&id].rows else { return Ok(None) };
        let keys = rows.column(&column_name(source));
        let found = keys.and_then(|keys| Ok(DynamicFilter::of(keys)?.zip(Some(range(keys)?))));
        let Some((keys, (least, greatest))) = found.map_err(|error| failure::query_error(&error))? else {
            return Ok(None);
        };
        let probed = column(value);
        // The range allows Polars to skip row groups with another range.
        let is_within = probed.clone().gt_eq(literal(least)).and(probed.clone().lt_eq(literal(greatest)));
        Ok(Some(self.lower(&join.left)?.filter(is_within.and(keys.contains(probed)))))
    }
}
