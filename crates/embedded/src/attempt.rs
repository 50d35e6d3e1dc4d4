//! Handling of faults in Polars: a run that ends in a panic, or in an internal error of the engine, is tried again with
//! other execution options, which may avoid the fault.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

use polars::prelude::{DataFrame, Engine, LazyFrame, PlanCallback, PolarsError, PolarsResult};

use rowhouse_sql::Analyzed;
use rowhouse_sql::plan::Plan;

use super::{failure, run_thread};

/// A way to run a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// On the streaming engine; memory is what its operators hold.
    Streaming,
    /// As `Streaming`, without Polars' optimizer: some faults are in the plans that the optimizer produces.
    AsGiven,
    /// On Polars' in-memory engine, which shares expressions and file readers with the streaming engine, but neither
    /// operators nor scheduling. It materializes the rows of each step, so it is tried last; the worker's memory limit
    /// applies. As built here, it panics when it groups or joins by values of 128 bits: decimals, and two integers as
    /// one key.
    InMemory,
    /// As `InMemory`, on the caller's thread, for the few rows of a [light](is_light) plan: starting and stopping the
    /// streaming engine takes longer than the whole statement.
    InPlace,
}

impl Attempt {
    /// All attempts, in order.
    pub(super) const ALL: [Self; 3] = [Self::Streaming, Self::AsGiven, Self::InMemory];
    /// The attempts for a light plan, in order.
    pub(super) const LIGHT: [Self; 3] = [Self::InPlace, Self::Streaming, Self::AsGiven];

    /// The frame that this attempt runs.
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

    /// Collects the rows of a frame.
    pub(super) fn collect(self, frame: LazyFrame) -> PolarsResult<DataFrame> {
        Ok(self.prepared(frame).collect_with_engine(self.engine())?.unwrap_single())
    }

    /// Runs a frame while `take` reads its rows in order, in batches of `rows` rows; the last batch may be smaller. One
    /// batch is buffered. An error of `take` ends the run.
    ///
    /// Each thread retains memory of its work. Therefore the thread that drives Polars only passes rows on, and the
    /// caller's thread does the work.
    pub(super) fn feed<T>(
        self,
        frame: LazyFrame,
        rows: NonZeroUsize,
        take: impl FnOnce(Batches) -> PolarsResult<T>,
    ) -> PolarsResult<T> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let (end_sender, end) = mpsc::sync_channel(1);
        run_thread::start(move || {
            let run = || {
                // Signals the end however the run ends, even if Polars retains a part of the frame.
                let _end = End(sender.clone());
                self.run(frame, rows, sender)
            };
            // OK to ignore: the caller waits for it.
            let _ = end_sender.send(catch_unwind(AssertUnwindSafe(run)));
        })?;
        let taken = catch_unwind(AssertUnwindSafe(|| take(Batches(receiver))));
        // Whatever the caller does next, Polars works no more.
        let ran = end.recv().map_err(|_| PolarsError::ComputeError("the run has no end".into()))?;
        let taken = taken.unwrap_or_else(|panic| resume_unwind(panic))?;
        ran.unwrap_or_else(|panic| resume_unwind(panic))?;
        Ok(taken)
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

/// Maximum number of literal rows of a light plan: the streaming engine would process that many in one piece.
const MAX_LIGHT_ROWS: usize = 1024;

/// Whether a plan only computes values for a few literal rows. Such a plan reads no file and returns no more rows than
/// it contains.
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
            | Plan::PartialDistinct { .. }
            | Plan::SetOperation { .. }
            | Plan::Unnest { .. } => return false,
        }
    }
}

/// The rows of a run, as they are produced. They end early if the run fails.
pub(super) struct Batches(Receiver<Option<DataFrame>>);

impl Batches {
    /// The next rows, if they arrive within `time`; `None` after the last ones.
    ///
    /// # Errors
    ///
    /// `NotYet` if no rows have arrived.
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

/// No rows have arrived within the time.
#[derive(Debug)]
pub(super) struct NotYet;

/// Signals, when dropped, that no more rows follow.
struct End(SyncSender<Option<DataFrame>>);

impl Drop for End {
    fn drop(&mut self) {
        // OK to ignore: a consumer that has stopped reading does not wait for the end.
        let _ = self.0.send(None);
    }
}

/// Tries the attempts in order until one does not end with a fault. If all do, the fault of the last one is returned.
pub(super) fn attempt<T>(
    attempts: &[Attempt],
    mut run: impl FnMut(Attempt) -> PolarsResult<T>,
) -> PolarsResult<T> {
    let (last, others) = attempts.split_last().unwrap_or((&Attempt::Streaming, &[]));
    for attempt in others {
        match catch_unwind(AssertUnwindSafe(|| run(*attempt))) {
            Ok(Err(error)) if failure::is_internal(&error) => {
                eprintln!("rowhouse worker: Polars failed, another way is tried: {error}");
            }
            Ok(ended) => return ended,
            // The panic's message is on standard error already.
            Err(_panic) => {}
        }
    }
    run(*last)
}
