//! The outcomes of placing a recorded statement with a run.

use tokio::sync::watch;

use crate::queries::phase::Phase;

/// The placement of a recorded statement.
pub(super) enum Placement {
    /// It has a run, or needs none any more.
    Placed,
    /// An identical statement's run is ending: its entry is about to be there.
    AfterRun(watch::Receiver<Phase>),
    /// An identical statement's run is under way: whether its entry will do is seen when it is there.
    AfterItsReading(watch::Receiver<Phase>),
    /// An identical statement may have ended since the cache was checked.
    LookAgain,
}
