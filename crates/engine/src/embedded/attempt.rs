//! What is done about faults of Polars: a run that ends by a panic, or by an error that is nobody's but the engine's, is
//! made again in another way, of which the fault may be no part.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use polars::prelude::{DataFrame, Engine, LazyFrame, PlanCallback, PolarsResult};

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
}

impl Attempt {
    /// All of them, in their order.
    pub(super) const ALL: [Self; 3] = [Self::Streaming, Self::AsGiven, Self::InMemory];

    /// The frame as it is run.
    pub(super) fn prepared(self, frame: LazyFrame) -> LazyFrame {
        match self {
            Self::Streaming | Self::InMemory => frame,
            Self::AsGiven => frame.without_optimizations(),
        }
    }

    pub(super) const fn engine(self) -> Engine {
        match self {
            Self::Streaming | Self::AsGiven => Engine::Streaming,
            Self::InMemory => Engine::InMemory,
        }
    }

    /// The rows of a frame.
    pub(super) fn collect(self, frame: LazyFrame) -> PolarsResult<DataFrame> {
        Ok(self.prepared(frame).collect_with_engine(self.engine())?.unwrap_single())
    }

    /// Hands over the rows of a frame in their order, so many at a time and what is left; what `take` fails at is the
    /// run's error.
    pub(super) fn feed(
        self,
        frame: LazyFrame,
        rows: NonZeroUsize,
        mut take: impl FnMut(DataFrame) -> PolarsResult<()> + Send + 'static,
    ) -> PolarsResult<()> {
        if self == Self::InMemory {
            let all = self.collect(frame)?;
            return (0..all.height())
                .step_by(rows.get())
                .try_for_each(|first| take(all.slice(i64::try_from(first).unwrap_or(i64::MAX), rows.get())));
        }
        let take = Mutex::new(take);
        let callback = PlanCallback::new(move |frame: DataFrame| {
            (take.lock().unwrap_or_else(PoisonError::into_inner))(frame)?;
            Ok(false)
        });
        let sink = self.prepared(frame).sink_batches(callback, true, Some(rows))?;
        sink.collect_with_engine(self.engine()).map(|_| ())
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
