//! The steps of the aggregates of a node, and their combination.

use polars::prelude::{Expr, LazyFrame, PlSmallStr, UniqueKeepStrategy, col};

use crate::partial_aggregation::{Attempts, Partial, PartialKind, partially_aggregated};

/// The three steps of all aggregates of a node.
#[derive(Default)]
pub(super) struct Steps {
    /// Columns that are computed before grouping.
    pub(super) before: Vec<Expr>,
    /// Aggregates over columns.
    pub(super) aggregates: Vec<Expr>,
    /// The results, computed from the columns of the aggregates.
    pub(super) after: Vec<Expr>,
    /// The aggregates that are sums of the results of batches.
    pub(super) partials: Vec<Partial>,
}

impl Steps {
    /// Whether all aggregates are sums of the results of batches.
    pub(super) fn are_partial(&self) -> bool {
        !self.partials.is_empty() && self.partials.len() == self.aggregates.len()
    }

    /// Whether there are sums of integers or decimals, which Polars computes in 128 bits.
    pub(super) fn have_exact_sums(&self) -> bool {
        self.partials.iter().any(|partial| matches!(partial.kind, PartialKind::Sum { .. }))
    }

    /// Groups the rows of each batch, and then the groups of all batches. Without keys, there is one row.
    pub(super) fn apply_partially(
        self,
        frame: LazyFrame,
        keys: Vec<PlSmallStr>,
        own_name: PlSmallStr,
    ) -> LazyFrame {
        let grouped_by: Vec<Expr> = keys.iter().cloned().map(col).collect();
        let sums = self.sums();
        let groups = self.groups_of_batches(frame, keys, own_name, Attempts::default());
        let grouped =
            if grouped_by.is_empty() { groups.select(sums) } else { groups.group_by(grouped_by).agg(sums) };
        grouped.with_columns(self.after)
    }

    /// The groups of each batch.
    pub(super) fn groups_of_batches(
        &self,
        frame: LazyFrame,
        keys: Vec<PlSmallStr>,
        own_name: PlSmallStr,
        attempts: Attempts,
    ) -> LazyFrame {
        let frame = self.before.iter().cloned().fold(frame, LazyFrame::with_column);
        partially_aggregated(frame, keys, self.partials.clone(), own_name, attempts)
    }

    /// Adds up the groups of all batches.
    pub(super) fn sums(&self) -> Vec<Expr> {
        self.partials.iter().map(|partial| col(partial.output.clone()).sum()).collect()
    }

    pub(super) fn apply(self, frame: LazyFrame, keys: &[Expr]) -> LazyFrame {
        // The columns are added one after the other, because some depend on others. Polars combines them where
        // possible.
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
