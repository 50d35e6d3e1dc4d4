//! Sort and Limit.

use std::collections::HashMap;

use polars::lazy::frame::AllowedOptimizations;
use polars::prelude::{Expr, IdxSize, LazyFrame, LiteralValue, Scalar, SortMultipleOptions, col};
use rowhouse_model::QueryError;

use super::Lowering;
use super::relation::is_same_in_all_rows;
use super::top_rows::{Top, candidates, has_candidates, no_constants_without_rows};
use crate::attempt::{Attempt, attempt};
use crate::expression::lower_expression;
use crate::failure;
use crate::order_key::sort_columns;
use rowhouse_sql::expr::{Expr as SqlExpr, ExprKind, SortKey};
use rowhouse_sql::plan::{ColumnId, Plan};
use rowhouse_sql::statistics::RequestedColumn;

/// Rows of a top-k beyond which all rows are sorted: Polars' top-k allocates memory for that many rows, even if there
/// are few.
pub(super) const MAX_TOP_ROWS: u64 = 1 << 20;

/// Rows of a table, and columns besides the keys, from which on a top-k looks for its last row first.
const MIN_LATE_ROWS: u64 = 50_000;
const MIN_LATE_COLUMNS: usize = 3;
/// Values of the first key from which on its last one among the first rows leaves few others.
const MIN_LATE_VALUES: u64 = 1_000;

impl Lowering<'_> {
    /// Omits sort keys without effect, because Polars fails for them: constants, and keys that an earlier key
    /// determines.
    pub(super) fn sort(&mut self, input: &Plan, keys: &[SortKey]) -> Result<LazyFrame, QueryError> {
        let top = self.top_rows.take();
        let mut frame = self.lower(input)?;
        let is_decided = |place: usize| keys[..place].iter().any(|earlier| earlier.expr == keys[place].expr);
        let decides = |place: &usize| !is_same_in_all_rows(&keys[*place].expr) && !is_decided(*place);
        let keys: Vec<&SortKey> = (0..keys.len()).filter(decides).map(|place| &keys[place]).collect();
        if keys.is_empty() {
            return Ok(frame);
        }
        if let Some(rows) = top.filter(|_| self.spill.is_none() && self.is_late(input, &keys))
            && let Some(top) = Top::of(keys[0], rows)
        {
            frame = late_materialized(frame, &top, keys[0])?;
        }
        if let [key] = &keys[..]
            && key.expr.as_column().is_some_and(|id| can_be_constant(input, id))
        {
            // Polars' top-k passes a filter on the first key to its input, and that filter fails for a batch without
            // rows whose key is a constant.
            let allowed = AllowedOptimizations::PROJECTION_PUSHDOWN | AllowedOptimizations::STREAMING;
            frame = frame.map(no_constants_without_rows, allowed, None, Some("no constants without rows"));
        }
        // A key that is computed here may fail for a row that comes too late.
        if let Some(rows) = top
            && has_candidates(input)
            && keys.iter().all(|key| key.expr.as_column().is_some())
            && let Some(top) = Top::of(keys[0], rows)
        {
            frame = candidates(frame, top, self.temporary());
        }
        let mut staged = self.staged();
        let mut by = Vec::with_capacity(keys.len());
        for key in keys {
            by.extend(sort_columns(lower_expression(&key.expr, &mut staged)?, key));
        }
        let frame = staged.apply(frame);
        let options = SortMultipleOptions::default()
            .with_order_descending_multi(by.iter().map(|column| column.is_descending))
            .with_nulls_last_multi(by.iter().map(|column| column.nulls_last));
        let by: Vec<Expr> = by.into_iter().map(|column| column.value).collect();
        Ok(frame.sort_by_exprs(by, options))
    }

    pub(super) fn limit(
        &mut self,
        input: &Plan,
        offset: u64,
        limit: Option<u64>,
    ) -> Result<LazyFrame, QueryError> {
        self.top_rows = limit.filter(|_| is_sort(input)).map(|limit| limit.saturating_add(offset));
        let frame = self.lower(input);
        self.top_rows = None;
        let frame = frame?;
        let limit = limit.map_or(IdxSize::MAX, |limit| IdxSize::try_from(limit).unwrap_or(IdxSize::MAX));
        if is_ordered(input) && offset.saturating_add(u64::from(limit)) > MAX_TOP_ROWS {
            let whole = frame.map(Ok, AllowedOptimizations::empty(), None, Some("the whole order"));
            return Ok(whole.slice(i64::try_from(offset).unwrap_or(i64::MAX), limit));
        }
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        if offset == 0 && limit == 1 {
            // Polars' top-k of one row fails if a batch of its input is empty. Therefore the first of two rows is
            // taken, after a step that keeps Polars from merging the limits.
            let two = frame.slice(0, 2).map(Ok, AllowedOptimizations::empty(), None, Some("two rows"));
            return Ok(two.slice(0, 1));
        }
        Ok(frame.slice(offset, limit))
    }
}

impl Lowering<'_> {
    /// Whether a top-k first looks for its last row by the first key alone, so that other columns of a table are decoded
    /// where rows come before it. A key with few values would leave most of them.
    fn is_late(&self, input: &Plan, keys: &[&SortKey]) -> bool {
        let Some((table, name)) = keys[0].expr.as_column().and_then(|key| column_of_table(input, key)) else {
            return false;
        };
        let table = &self.tables[table];
        let statistics = || table.statistics(&[RequestedColumn { name, is_key: false }]);
        table.row_count.is_some_and(|rows| rows >= MIN_LATE_ROWS)
            && input.fields().len() >= keys.len() + MIN_LATE_COLUMNS
            && statistics()
                .get(name)
                .is_none_or(|known| known.distinct_count.is_none_or(|values| values >= MIN_LATE_VALUES))
    }
}

/// The table and the name of a column of a plan that returns the rows of a table, or some of them.
fn column_of_table(plan: &Plan, id: ColumnId) -> Option<(usize, &str)> {
    match plan {
        Plan::Scan(scan) => {
            let (_, name) = scan.columns.iter().find(|(field, _)| field.id == id)?;
            Some((scan.table, name))
        }
        Plan::Filter { input, predicate } if is_cheap(predicate) => column_of_table(input, id),
        Plan::Project { input, columns } if columns.iter().all(|(_, value)| value.as_column().is_some()) => {
            let (_, value) = columns.iter().find(|(field, _)| field.id == id)?;
            column_of_table(input, value.as_column()?)
        }
        _ => None,
    }
}

/// Whether a condition may be evaluated twice for each row: comparisons of columns and constants.
fn is_cheap(condition: &SqlExpr) -> bool {
    match &condition.kind {
        ExprKind::Column(_) | ExprKind::Literal(_) => true,
        ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::Not(_)
        | ExprKind::Comparison { .. }
        | ExprKind::IsNull(_)
        | ExprKind::InList { .. } => condition.children().into_iter().all(is_cheap),
        _ => false,
    }
}

/// Whether lowering a plan computes the last row of a top-k.
pub(super) fn has_late_rows(plan: &Plan) -> bool {
    let mut found = false;
    plan.visit(&mut |node| {
        found |= matches!(node, Plan::Limit { input, .. } if is_sort(input));
    });
    found
}

/// The rows of a frame that are among the first ones by their first key, and those that are equal to the last of them.
fn late_materialized(frame: LazyFrame, top: &Top, key: &SortKey) -> Result<LazyFrame, QueryError> {
    let by = sort_columns(col(top.name.clone()), key);
    let options = SortMultipleOptions::default()
        .with_order_descending_multi(by.iter().map(|column| column.is_descending))
        .with_nulls_last_multi(by.iter().map(|column| column.nulls_last));
    let by: Vec<Expr> = by.into_iter().map(|column| column.value).collect();
    let first = frame.clone().select([col(top.name.clone())]).sort_by_exprs(by, options);
    let first = first.slice(0, IdxSize::try_from(top.rows).unwrap_or(IdxSize::MAX));
    let rows = attempt(&Attempt::ALL, |attempt| attempt.collect(first.clone()))
        .map_err(|error| failure::query_error(&error))?;
    if rows.height() < top.rows {
        return Ok(frame);
    }
    let keys = &rows.columns()[0];
    let last = keys.get(rows.height() - 1).map_err(|error| failure::query_error(&error))?.into_static();
    let value = || col(top.name.clone());
    let kept = match (last.is_null(), key.nulls_first) {
        (true, true) => value().is_null(),
        (true, false) => return Ok(frame),
        (false, nulls_first) => {
            let last = Expr::Literal(LiteralValue::Scalar(Scalar::new(keys.dtype().clone(), last)));
            let is_before = if key.is_descending { value().gt_eq(last) } else { value().lt_eq(last) };
            if nulls_first { is_before.or(value().is_null()) } else { is_before }
        }
    };
    Ok(frame.filter(kept))
}

/// Whether the rows are those of a sort.
fn is_sort(plan: &Plan) -> bool {
    match plan {
        Plan::Sort { .. } => true,
        Plan::Project { input, .. } => is_sort(input),
        _ => false,
    }
}

/// Whether the rows come from a sort that Polars would merge with a limit above it.
fn is_ordered(plan: &Plan) -> bool {
    match plan {
        Plan::Sort { .. } => true,
        Plan::Project { input, .. } | Plan::Filter { input, .. } => is_ordered(input),
        _ => false,
    }
}

/// Whether the statement makes a column constant in a batch: by a literal, or by NULL in the rows of another grouping
/// set. Shared plans are not inspected.
pub(super) fn can_be_constant(plan: &Plan, id: ColumnId) -> bool {
    can_be_constant_in(plan, id, &mut HashMap::new())
}

/// As [`can_be_constant`], with the columns of which it is known: several columns of each projection may be computed from
/// the same ones below.
fn can_be_constant_in(plan: &Plan, id: ColumnId, known: &mut HashMap<ColumnId, bool>) -> bool {
    match plan {
        Plan::Scan(_) => false,
        Plan::Values { .. } | Plan::Shared { .. } => true,
        Plan::Project { input, columns } => {
            let defined = columns.iter().find(|(field, _)| field.id == id);
            defined.is_some_and(|(_, value)| {
                if value.as_column() == Some(id) {
                    return can_be_constant_in(input, id, known);
                }
                if let Some(known) = known.get(&id) {
                    return *known;
                }
                let sources = value.columns();
                let can_be = sources.into_iter().all(|source| can_be_constant_in(input, source, known));
                known.insert(id, can_be);
                can_be
            })
        }
        Plan::SetOperation { inputs, fields, .. } => {
            let place = fields.iter().position(|field| field.id == id);
            place.is_some_and(|place| {
                inputs.iter().any(|input| can_be_constant_in(input, input.fields()[place].id, known))
            })
        }
        other => other
            .inputs()
            .into_iter()
            .any(|input| input.column_ids().contains(&id) && can_be_constant_in(input, id, known)),
    }
}
