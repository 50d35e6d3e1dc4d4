//! Dynamic filtering: the build side of a semi join is a shared plan that is computed ahead, and its keys become a
//! filter on the probe side, which Polars pushes into the scan. Rows without a match are then neither decoded nor
//! hashed. An inner join with such a plan is a lookup: its keys, if they are unique, lead to the values of its rows.

use std::collections::HashSet;

use polars::prelude::{Column, Expr, LazyFrame, LiteralValue, PolarsResult, Scalar};
use rowhouse_model::QueryError;

use super::Lowering;
use crate::column::{column, column_name};
use crate::failure;
use crate::numeric::{DynamicFilter, Lookup};
use rowhouse_sql::Analyzed;
use rowhouse_sql::plan::{ColumnId, Field, Join, JoinKind, Plan, SharedId};

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
        let keys = rows.column(&column_name(source)).map_err(|error| failure::query_error(&error))?;
        let Some(filter) = filter_by(keys, value)? else { return Ok(None) };
        Ok(Some(self.lower(&join.left)?.filter(filter)))
    }

    /// Lowers an inner join with a shared plan whose rows are known and have unique keys to a filter and a lookup of each
    /// column; `None` for other joins.
    pub(super) fn lower_lookup(&mut self, join: &Join) -> Result<Option<LazyFrame>, QueryError> {
        let Some(LookupJoin { id, key, source, columns, probed, other }) = LookupJoin::of(join) else {
            return Ok(None);
        };
        let Some(rows) = self.shared[&id].rows.clone() else { return Ok(None) };
        let keys = rows.column(&column_name(source)).map_err(|error| failure::query_error(&error))?;
        let Some(lookup) = Lookup::of(keys).map_err(|error| failure::query_error(&error))? else {
            return Ok(None);
        };
        let filter = if is_filtered(other, (id, source), probed) {
            None
        } else {
            let Some(filter) = filter_by(keys, probed)? else { return Ok(None) };
            Some(filter)
        };
        let frame = self.lower(other)?;
        let frame = filter.into_iter().fold(frame, LazyFrame::filter);
        let mut values: Vec<Expr> = Vec::with_capacity(columns.len());
        for (field, of) in columns {
            let value = if field.id == key {
                column(probed)
            } else {
                let values = rows.column(&column_name(*of)).map_err(|error| failure::query_error(&error))?;
                lookup.values(column(probed), values)
            };
            values.push(value.alias(column_name(field.id)));
        }
        Ok(Some(frame.with_columns(values)))
    }
}

/// Whether a plan's rows come from a semi join of the column with these keys, so that each has a match.
fn is_filtered(plan: &Plan, keys: (SharedId, ColumnId), probed: ColumnId) -> bool {
    match plan {
        Plan::Join(join) => match join.kind {
            JoinKind::Semi if dynamic_filter_of(join) == Some((keys.0, keys.1, probed)) => true,
            JoinKind::Semi | JoinKind::Anti | JoinKind::Left | JoinKind::Single => {
                is_filtered(&join.left, keys, probed)
            }
            JoinKind::Inner => {
                [&join.left, &join.right].into_iter().any(|side| is_filtered(side, keys, probed))
            }
            JoinKind::Right | JoinKind::Full => false,
        },
        Plan::Project { input, columns } => columns
            .iter()
            .find(|(field, _)| field.id == probed)
            .and_then(|(_, value)| value.as_column())
            .is_some_and(|column| is_filtered(input, keys, column)),
        Plan::Aggregate(aggregate) => {
            aggregate.keys.contains(&probed) && is_filtered(&aggregate.input, keys, probed)
        }
        Plan::Filter { input, .. }
        | Plan::Sort { input, .. }
        | Plan::Distinct { input, on: None }
        | Plan::PartialDistinct { input } => is_filtered(input, keys, probed),
        _ => false,
    }
}

/// Whether a column is one of the keys; `None` if they are not integers or dates.
fn filter_by(keys: &Column, probed: ColumnId) -> Result<Option<Expr>, QueryError> {
    let found = DynamicFilter::of(keys).and_then(|filter| Ok(filter.zip(Some(range(keys)?))));
    let Some((keys, (least, greatest))) = found.map_err(|error| failure::query_error(&error))? else {
        return Ok(None);
    };
    let probed = column(probed);
    // The range allows Polars to skip row groups with another range.
    let is_within = probed.clone().gt_eq(literal(least)).and(probed.clone().lt_eq(literal(greatest)));
    Ok(Some(is_within.and(keys.contains(probed))))
}

/// An inner join with a shared plan by one integer or date.
struct LookupJoin<'p> {
    id: SharedId,
    /// The key in the join's result, and in the shared plan.
    key: ColumnId,
    source: ColumnId,
    /// Each field of the shared plan, with its column there.
    columns: &'p [(Field, ColumnId)],
    /// The key of the other side.
    probed: ColumnId,
    other: &'p Plan,
}

impl<'p> LookupJoin<'p> {
    fn of(join: &'p Join) -> Option<Self> {
        let (JoinKind::Inner, None, [key]) = (join.kind, &join.residual, join.keys.as_slice()) else {
            return None;
        };
        if !key.is_by_number() {
            return None;
        }
        let sides = [
            (&join.right, &key.right, &join.left, &key.left),
            (&join.left, &key.left, &join.right, &key.right),
        ];
        sides.into_iter().find_map(|(shared, key, other, probed)| {
            let Plan::Shared { id, columns, .. } = &**shared else { return None };
            let key = key.as_column()?;
            let (_, source) = columns.iter().find(|(field, _)| field.id == key)?;
            Some(Self { id: *id, key, source: *source, columns, probed: probed.as_column()?, other })
        })
    }
}
