//! Handling of faults of Polars: a run that ends in a panic, or in an internal error of the engine, is attempted again
//! with other execution options, which may avoid the fault.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

use polars::prelude::{DataFrame, Engine, LazyFrame, PlanCallback, PolarsError, PolarsResult};

use rowhouse_sql::Analyzed;
use rowhouse_sql::plan::Plan;

use super::failure;

/// A way to run a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// On the streaming engine, in the memory that its operators need.
    Streaming,
    /// As `Streaming`, and the plan as it was given: some faults are in what Polars' optimizer makes of a plan.
    AsGiven,
    /// On Polars' other engine, which shares expressions and the reading of files with the streaming one, but neither
    /// the operators nor what is between them. It has the rows of each step in memory as a whole, so it comes last; the
    /// worker's limit holds. As built here it panics where it groups or joins by values of 128 bits: decimals, and two
    /// whole numbers as one key.
    InMemory,
    /// As `InMemory`, on the caller's thread, for the few rows of a [light](is_light) plan: to start and to end the
    /// streaming engine takes more than the whole statement.
    InPlace,
}

impl Attempt {
    /// All of them, in their order.
    pub(super) const ALL: [Self; 3] = [Self::Streaming, Self::AsGiven, Self::InMemory];
    /// Those for a light plan.
    pub(super) const LIGHT: [Self; 3] = [Self::InPlace, Self::Streaming, Self::AsGiven];

    /// The frame as it is run.
    pub(super) fn prepared(self, frame: LazyFrame) -> LazyFrame {
        match self {
            Self::Streaming | Self::InMemory | Self::InPlace => frame,
            Self::AsGiven => frame.without_optimizations(),
        }
    }

    pub(super) const fn engine(self) -> Engine {
        match self {
            Self::Streaming | Self::AsGiven => Engine::Streaming,
            Self::InMemory | Self::InPlace => Engine::InMemory,
        }
    }

    /// The rows of a frame.
    pub(super) fn collect(self, frame: LazyFrame) -> PolarsResult<DataFrame> {
        Ok(self.prepared(frame).collect_with_engine(self.engine())?.unwrap_single())
    }

    /// Runs a frame while `take` takes its rows in their order, so many at a time and what is left. Rows are made ahead by
    /// one batch. An error of `take` ends the run.
    ///
    /// Polars' own threads come and go by the dozen, and each keeps memory of what it has done: they hand rows over, and
    /// the caller's thread does the work.
    pub(super) fn feed<T>(
        self,
        frame: LazyFrame,
        rows: NonZeroUsize,
        take: impl FnOnce(Batches) -> PolarsResult<T>,
    ) -> PolarsResult<T> {
        let (sender, receiver) = mpsc::sync_channel(1);
        std::thread::scope(|scope| {
            let run =
                std::thread::Builder::new().name("rowhouse-run".to_owned()).spawn_scoped(scope, || {
                    // However the run ends, and whatever of it Polars keeps.
                    let _end = End(sender.clone());
                    self.run(frame, rows, sender)
                })?;
            let taken = take(Batches(receiver));
            let ran = run.join();
            let taken = taken?;
            ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok(taken)
        })
    }

    fn run(
        self,
        frame: LazyFrame,
        rows: NonZeroUsize,
        batches: SyncSender<Option<DataFrame>>,
    ) -> PolarsResult<()> {
        let give = move |frame: DataFrame| {
            let nobody = |_| PolarsError::ComputeError("nobody takes the rows any more".into());
            batches.send(Some(frame)).map_err(nobody)
        };
        if self == Self::InMemory {
            let all = self.collect(frame)?;
            return (0..all.height())
                .step_by(rows.get())
                .try_for_each(|first| give(all.slice(i64::try_from(first).unwrap_or(i64::MAX), rows.get())));
        }
        let callback = PlanCallback::new(move |frame: DataFrame| give(frame).map(|()| false));
        let sink = self.prepared(frame).sink_batches(callback, true, Some(rows))?;
        sink.collect_with_engine(self.engine()).map(|_| ())
    }
}

/// Most rows, written out in a statement, of a light plan: what the streaming engine would do in one piece.
const MAX_LIGHT_ROWS: usize = 1024;

/// Whether all that a plan does is to compute some values for a few rows that are written out in it. Such a plan reads no
/// file, and makes no more rows than there are.
pub(super) fn is_light(analyzed: &Analyzed) -> bool {
    analyzed.shared.is_empty() && is_light_plan(&analyzed.plan)
}

fn is_light_plan(plan: &Plan) -> bool {
    let mut plan = plan;
    loop {
        match plan {
            Plan::Values { rows, .. } => return rows.len() <= MAX_LIGHT_ROWS,
            Plan::Filter { input, .. }
            | Plan::Project { input, .. }
            | Plan::Sort { input, .. }
            | Plan::Limit { input, .. }
            | Plan::EnforceSingleRow { input } => plan = input,
            Plan::Scan(_)
            | Plan::Shared { .. }
            | Plan::Join(_)
            | Plan::MarkJoin(_)
            | Plan::Aggregate(_)
            | Plan::Window { .. }
            | Plan::MatchRecognize(_)
            | Plan::Distinct { .. }
            | Plan::SetOperation { .. }
            | Plan::Unnest { .. } => return false,
        }
    }
}

/// The rows of a run, as they come. It ends early where the run fails.
pub(super) struct Batches(Receiver<Option<DataFrame>>);

impl Batches {
    /// The next rows, if they come within this time.
    ///
    /// # Errors
    ///
    /// There are none yet.
    pub(super) fn next_within(&self, time: Duration) -> Result<Option<DataFrame>, NotYet> {
        match self.0.recv_timeout(time) {
            Ok(batch) => Ok(batch),
            Err(RecvTimeoutError::Timeout) => Err(NotYet),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
        }
    }
}

impl Iterator for Batches {
    type Item = DataFrame;

    fn next(&mut self) -> Option<DataFrame> {
        self.0.recv().ok().flatten()
    }
}

/// No rows have come.
#[derive(Debug)]
pub(super) struct NotYet;

/// Tells that no more rows will come.
struct End(SyncSender<Option<DataFrame>>);

impl Drop for End {
    fn drop(&mut self) {
        // OK to ignore: who takes no more rows does not wait for their end.
        let _ = self.0.send(None);
    }
}

/// Runs in one way after the other until a run does not end by a fault; the fault of the last is the caller's.
pub(super) fn attempt<T>(
    ways: &[Attempt],
    mut run: impl FnMut(Attempt) -> PolarsResult<T>,
) -> PolarsResult<T> {
    let (last, others) = ways.split_last().unwrap_or((&Attempt::Streaming, &[]));
    for way in others {
        match catch_unwind(AssertUnwindSafe(|| run(*way))) {
            Ok(Err(error)) if failure::is_internal(&error) => {
                eprintln!("rowhouse worker: Polars failed, another way is tried: {error}");
            }
            Ok(ended) => return ended,
            // What it says is on standard error already.
            Err(_panic) => {}
        }
    }
    run(*last)
}
