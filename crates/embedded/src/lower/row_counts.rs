//! EXPLAIN ANALYZE: the number of rows of each node, counted by running the node separately. Nodes that pass on the
//! rows below them are not run, nor are nodes below a LIMIT that may not have read all their rows, nor any node after
//! the time limit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use polars::prelude::{DataType, len};

use super::{DecimalSums, Lowering, lowering};
use crate::attempt::Attempt;
use crate::scan::TableScan;
use rowhouse_sql::Analyzed;
use rowhouse_sql::plan::{Plan, SharedId};

/// The number of rows of each node, if it was counted: for the shared plans in order, then for the plan, each in the
/// order of [`Plan::visit`].
pub(crate) type RowCounts = Vec<Vec<Option<u64>>>;

/// Counts the rows of a statement that has run, for at most the time `most`, which only the node that is running then
/// exceeds. Empty if the shared plans could not be computed again within that time.
pub(crate) fn row_counts(analyzed: &Analyzed, tables: &[TableScan], most: Duration) -> RowCounts {
    let mut counting = Counting {
        lowering: lowering(analyzed, tables, DecimalSums::Quick, None),
        shared: Vec::with_capacity(analyzed.shared.len()),
        until: Instant::now() + most,
    };
    let mut counts = Vec::with_capacity(analyzed.shared.len() + 1);
    for (index, plan) in analyzed.shared.iter().enumerate() {
        let (root, own) = counting.counts_of(plan, true);
        counting.shared.push(root);
        counts.push(own);
        if counting.is_late() || counting.lowering.share(SharedId(index), plan).is_err() {
            return RowCounts::new();
        }
    }
    counts.push(counting.counts_of(&analyzed.plan, true).1);
    counts
}

struct Counting<'a> {
    lowering: Lowering<'a>,
    /// The numbers of rows of the shared plans so far.
    shared: Vec<Option<u64>>,
    until: Instant,
}

impl Counting<'_> {
    fn is_late(&self) -> bool {
        Instant::now() >= self.until
    }

    /// The number of rows of a plan, and those of all its nodes. `is_whole` is whether the statement has read all its
    /// rows.
    fn counts_of(&mut self, plan: &Plan, is_whole: bool) -> (Option<u64>, Vec<Option<u64>>) {
        let reads_all = match plan {
            Plan::Limit { limit, .. } => limit.is_none() && is_whole,
            Plan::Aggregate(_) | Plan::Sort { .. } | Plan::Window { .. } | Plan::MatchRecognize(_) => true,
            _ => is_whole,
        };
        let mut inputs = Vec::with_capacity(2);
        let mut below = Vec::new();
        for input in plan.inputs() {
            let (root, own) = self.counts_of(input, reads_all);
            inputs.push(root);
            below.extend(own);
        }
        let first = inputs.first().copied().flatten();
        let count = match plan {
            Plan::Scan(scan) => scan.row_count.or_else(|| self.counted(plan, is_whole)),
            Plan::Values { rows, .. } => u64::try_from(rows.len()).ok(),
            Plan::Shared { id, .. } => self.shared.get(id.0).copied().flatten(),
            Plan::Project { .. } | Plan::MarkJoin(_) | Plan::Window { .. } | Plan::Sort { .. } => first,
            Plan::EnforceSingleRow { .. } => Some(1),
            Plan::Aggregate(aggregate) if aggregate.keys.is_empty() => Some(1),
            Plan::Limit { .. } => self.counted(plan, true),
            Plan::Filter { .. }
            | Plan::Join(_)
            | Plan::Aggregate(_)
            | Plan::Distinct { .. }
            | Plan::PartialDistinct { .. }
            | Plan::SetOperation { .. }
            | Plan::MatchRecognize(_)
            | Plan::Unnest { .. } => self.counted(plan, is_whole),
        };
        let own = std::iter::once(count).chain(below).collect();
        (count, own)
    }

    /// Counts the rows of a plan; `None` after the time limit, or if the plan fails when it is run separately.
    fn counted(&mut self, plan: &Plan, is_whole: bool) -> Option<u64> {
        if !is_whole || self.is_late() {
            return None;
        }
        let count = || {
            let frame = self.lowering.lower(plan).ok()?.select([len().cast(DataType::UInt64)]);
            Attempt::Streaming.collect(frame).ok()
        };
        // The statement has succeeded, so a fault of Polars must not make it fail now.
        let rows = catch_unwind(AssertUnwindSafe(count)).ok()??;
        rows.columns().first()?.get(0).ok()?.try_extract().ok()
    }
}
