//! The outcomes of placing a recorded statement with a run.

use tokio::sync::watch;

use crate::queries::phase::Phase;

/// The placement of a recorded statement.
pub(super) enum Placement {
    /// It has a run, or needs none any more.
    Placed,
    /// An identical statement's run is ending: its cache entry will soon exist.
    AfterRun(watch::Receiver<Phase>),
    /// An identical statement's run is in progress: whether its cache entry qualifies is checked when it exists.
    AfterItsReading(watch::Receiver<Phase>),
    /// An identical statement may have ended since the cache was checked.
    LookAgain,
}
