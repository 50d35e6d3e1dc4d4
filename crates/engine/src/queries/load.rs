//! How busy the engine is, for those who watch it.

use super::Queries;
use super::run::Phase;

/// What is under way at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Records that are not final.
    pub statements: usize,
    /// Runs that wait for a slot or for the engine to wake; identical statements share one (D20).
    pub queued_runs: usize,
    /// Runs that are planned or computed.
    pub active_runs: usize,
}

impl Queries {
    /// What is under way now.
    pub fn load(&self) -> Load {
        let state = self.shared.state();
        let mut load = Load { statements: state.live.len(), ..Load::default() };
        for run in state.runs.values() {
            match run.phase {
                Phase::Queued => load.queued_runs += 1,
                Phase::Planning | Phase::Running => load.active_runs += 1,
                Phase::Ending => {}
            }
        }
        load
    }
}
