//! The phase of a run.

/// The phase of a run, as stored in memory; the type of its handle says the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It waits for a slot or for the engine to wake.
    Queued,
    /// The executor resolves names and types.
    Planning,
    /// The executor computes rows.
    Running,
    /// Its end is decided and being written; no record can join or leave.
    Ending,
}
