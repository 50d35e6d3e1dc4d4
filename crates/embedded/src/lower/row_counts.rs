//! EXPLAIN ANALYZE: the rows that each node of a statement's plans gives, counted by running the node by itself. Nodes that
//! pass on what is below them are not run, nor those of which a LIMIT may not have wanted all rows, and none any more once the
//! time for it is over.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use polars::prelude::{DataType, len};

use super::{DecimalSums, Lowering, lowering};
use crate::attempt::Attempt;
use crate::scan::TableScan;
use rowhouse_sql::Analyzed;
use rowhouse_sql::plan::{Plan, SharedId};

/// The rows of each node, where they were counted: of the shared plans in their order, then of the plan, each in the order in
/// which [`Plan::visit`] comes to it.
pub(crate) type RowCounts = Vec<Vec<Option<u64>>>;

/// Counts the rows of a statement that has run, for so long at most, but for the one node that is running then. Empty where
/// not even the shared plans could be computed again by then.
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
    /// The rows of the shared plans so far.
    shared: Vec<Option<u64>>,
    until: Instant,
}

impl Counting<'_> {
    fn is_late(&self) -> bool {
        Instant::now() >= self.until
    }

    /// The count of the plan itself, and those of all its nodes. `is_whole`: the statement has asked for all its rows.
    fn counts_of(&mut self, plan: &Plan, is_whole: bool) -> (Option<u64>, Vec<Option<u64>>) {
        let asks_for_all = match plan {
            Plan::Limit { limit, .. } => limit.is_none() && is_whole,
            Plan::Aggregate(_) | Plan::Sort { .. } | Plan::Window { .. } | Plan::MatchRecognize(_) => true,
            _ => is_whole,
        };
        let mut inputs = Vec::with_capacity(2);
        let mut below = Vec::new();
        for input in plan.inputs() {
            let (root, own) = self.counts_of(input, asks_for_all);
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
            | Plan::SetOperation { .. }
            | Plan::MatchRecognize(_)
            | Plan::Unnest { .. } => self.counted(plan, is_whole),
        };
        let own = std::iter::once(count).chain(below).collect();
        (count, own)
    }

    /// Runs a plan for the number of its rows; none where it is too late, or where it is an error by itself.
    fn counted(&mut self, plan: &Plan, is_whole: bool) -> Option<u64> {
        if !is_whole || self.is_late() {
            return None;
        }
        let frame = self.lowering.lower(plan).ok()?.select([len().cast(DataType::UInt64)]);
        // The statement has run: no fault of Polars may end it now.
        let counted = catch_unwind(AssertUnwindSafe(|| Attempt::Streaming.collect(frame)));
        let rows = counted.ok()?.ok()?;
        rows.columns().first()?.get(0).ok()?.try_extract().ok()
    }
}
