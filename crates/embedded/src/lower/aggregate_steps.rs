//! The steps of the aggregates of one node, and their combination.

use polars::prelude::{Expr, LazyFrame, PlSmallStr, UniqueKeepStrategy, col};

use crate::partial_aggregation::{Partial, partially_aggregated};

/// The three steps of all aggregates of one node.
#[derive(Default)]
pub(super) struct Steps {
    /// Columns of the rows, before grouping.
    pub(super) before: Vec<Expr>,
    /// Aggregates over columns.
    pub(super) aggregates: Vec<Expr>,
    /// The results from the aggregates' columns.
    pub(super) after: Vec<Expr>,
    /// The aggregates as sums of what batches give, as far as they can be had so.
    pub(super) partials: Vec<Partial>,
}

impl Steps {
    /// Whether all aggregates are sums of what batches give.
    pub(super) fn are_partial(&self) -> bool {
        !self.partials.is_empty() && self.partials.len() == self.aggregates.len()
    }

    /// The groups of all rows from those of batches.
    pub(super) fn apply_partially(
        self,
        frame: LazyFrame,
        keys: Vec<PlSmallStr>,
        own_name: PlSmallStr,
    ) -> LazyFrame {
        let frame = self.before.into_iter().fold(frame, LazyFrame::with_column);
        let sums: Vec<Expr> = self.partials.iter().map(|partial| col(partial.output.clone()).sum()).collect();
        let grouped_by: Vec<Expr> = keys.iter().cloned().map(col).collect();
        let groups = partially_aggregated(frame, keys, self.partials, own_name);
        groups.group_by(grouped_by).agg(sums).with_columns(self.after)
    }

    pub(super) fn apply(self, frame: LazyFrame, keys: &[Expr]) -> LazyFrame {
        // One after the other, because some are computed from others; Polars puts together what it can.
        let frame = self.before.into_iter().fold(frame, LazyFrame::with_column);
        let grouped = if keys.is_empty() {
            frame.select(self.aggregates)
        } else if self.aggregates.is_empty() {
            frame.select(keys).unique(None, UniqueKeepStrategy::Any)
        } else {
            frame.group_by(keys).agg(self.aggregates)
        };
        if self.after.is_empty() { grouped } else { grouped.with_columns(self.after) }
    }
}
