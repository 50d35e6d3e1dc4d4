//! Sort and Limit.

use polars::lazy::frame::AllowedOptimizations;
use polars::prelude::{IdxSize, LazyFrame, SortMultipleOptions};
use rowhouse_model::QueryError;

use super::Lowering;
use super::relation::is_constant;
use crate::embedded::expression::lower_expression;
use crate::sql::expr::SortKey;
use crate::sql::plan::Plan;

/// Rows of an order beyond which the whole is sorted: Polars' top-k takes the memory of that many rows at once,
/// however few there are.
const MAX_TOP_ROWS: u64 = 1 << 20;

impl Lowering<'_> {
    /// Keys that decide nothing are left out, for Polars fails at them: what is the same for every row, and what
    /// an earlier key has decided already.
    pub(super) fn sort(&mut self, input: &Plan, keys: &[SortKey]) -> Result<LazyFrame, QueryError> {
        let frame = self.lower(input)?;
        let is_decided = |place: usize| keys[..place].iter().any(|earlier| earlier.expr == keys[place].expr);
        let decides = |place: &usize| !is_constant(&keys[*place].expr) && !is_decided(*place);
        let keys: Vec<&SortKey> = (0..keys.len()).filter(decides).map(|place| &keys[place]).collect();
        if keys.is_empty() {
            return Ok(frame);
        }
        let mut staged = self.staged();
        let by =
            keys.iter().map(|key| lower_expression(&key.expr, &mut staged)).collect::<Result<Vec<_>, _>>()?;
        let frame = staged.apply(frame);
        let options = SortMultipleOptions::default()
            .with_order_descending_multi(keys.iter().map(|key| key.is_descending))
            .with_nulls_last_multi(keys.iter().map(|key| !key.nulls_first));
        Ok(frame.sort_by_exprs(by, options))
    }

    pub(super) fn limit(
        &mut self,
        input: &Plan,
        offset: u64,
        limit: Option<u64>,
    ) -> Result<LazyFrame, QueryError> {
        let frame = self.lower(input)?;
        let limit = limit.map_or(IdxSize::MAX, |limit| IdxSize::try_from(limit).unwrap_or(IdxSize::MAX));
        if is_ordered(input) && offset.saturating_add(u64::from(limit)) > MAX_TOP_ROWS {
            let whole = frame.map(Ok, AllowedOptimizations::empty(), None, Some("the whole order"));
            return Ok(whole.slice(i64::try_from(offset).unwrap_or(i64::MAX), limit));
        }
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        if offset == 0 && limit == 1 {
            // Polars' top-k of one row fails where a batch of its input is empty: of two rows the first is taken,
            // behind a step that keeps the limits apart.
            let two = frame.slice(0, 2).map(Ok, AllowedOptimizations::empty(), None, Some("two rows"));
            return Ok(two.slice(0, 1));
        }
        Ok(frame.slice(offset, limit))
    }
}

/// Whether the rows come out of a sort that Polars would make one with a limit above it.
fn is_ordered(plan: &Plan) -> bool {
    match plan {
        Plan::Sort { .. } => true,
        Plan::Project { input, .. } | Plan::Filter { input, .. } => is_ordered(input),
        _ => false,
    }
}
