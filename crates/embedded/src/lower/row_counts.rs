//! EXPLAIN ANALYZE: the rows that each node of a statement's plans gives, counted by running the node by itself. Nodes that
//! pass on what is below them are not run, and none any more once the time for it is over.

use std::time::{Duration, Instant};

use polars::prelude::{DataType, len};
use rowhouse_model::QueryError;

use super::{DecimalSums, Lowering, lowering};
use crate::attempt::Attempt;
use crate::failure;
use crate::scan::TableScan;
use rowhouse_sql::Analyzed;
use rowhouse_sql::plan::{Plan, SharedId};

/// The rows of each node, where they were counted: of the shared plans in their order, then of the plan, each in the order in
/// which [`Plan::visit`] comes to it.
pub(crate) type RowCounts = Vec<Vec<Option<u64>>>;

/// Counts the rows of a statement that has run, for so long at most, but for the one node that is running then.
pub(crate) fn row_counts(
    analyzed: &Analyzed,
    tables: &[TableScan],
    sums: DecimalSums,
    most: Duration,
) -> Result<RowCounts, QueryError> {
    let until = Instant::now() + most;
    let mut lowering = lowering(analyzed, tables, sums, None);
    let mut counts = Vec::with_capacity(analyzed.shared.len() + 1);
    let mut shared: Vec<Option<u64>> = Vec::with_capacity(analyzed.shared.len());
    for (index, plan) in analyzed.shared.iter().enumerate() {
        let (root, own) = lowering.counts_of(plan, &shared, until);
        shared.push(root);
        counts.push(own);
        lowering.share(SharedId(index), plan)?;
    }
    counts.push(lowering.counts_of(&analyzed.plan, &shared, until).1);
    Ok(counts)
}

impl Lowering<'_> {
    /// The count of the plan itself, and those of all its nodes.
    fn counts_of(
        &mut self,
        plan: &Plan,
        shared: &[Option<u64>],
        until: Instant,
    ) -> (Option<u64>, Vec<Option<u64>>) {
        let mut inputs = Vec::with_capacity(2);
        let mut below = Vec::new();
        for input in plan.inputs() {
            let (root, own) = self.counts_of(input, shared, until);
            inputs.push(root);
            below.extend(own);
        }
        let first = inputs.first().copied().flatten();
        let count = match plan {
            Plan::Scan(scan) => scan.row_count.or_else(|| self.counted(plan, until)),
            Plan::Values { rows, .. } => u64::try_from(rows.len()).ok(),
            Plan::Shared { id, .. } => shared.get(id.0).copied().flatten(),
            Plan::Project { .. } | Plan::MarkJoin(_) | Plan::Window { .. } | Plan::Sort { .. } => first,
            Plan::EnforceSingleRow { .. } => Some(1),
            Plan::Aggregate(aggregate) if aggregate.keys.is_empty() => Some(1),
            Plan::Filter { .. }
            | Plan::Join(_)
            | Plan::Aggregate(_)
            | Plan::Limit { .. }
            | Plan::Distinct { .. }
            | Plan::SetOperation { .. }
            | Plan::Unnest { .. } => self.counted(plan, until),
        };
        let own = std::iter::once(count).chain(below).collect();
        (count, own)
    }

    /// Runs a plan for the number of its rows; none where it is too late, or where it is an error by itself.
    fn counted(&mut self, plan: &Plan, until: Instant) -> Option<u64> {
        if Instant::now() >= until {
            return None;
        }
        let frame = self.lower(plan).ok()?.select([len().cast(DataType::UInt64)]);
        let rows = Attempt::Streaming.collect(frame).map_err(|error| failure::query_error(&error)).ok()?;
        rows.columns().first()?.get(0).ok()?.try_extract().ok()
    }
}
