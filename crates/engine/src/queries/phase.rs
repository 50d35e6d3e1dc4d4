//! Where a run stands.

/// Where a run stands, as the memory knows it; the handle's type says the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It waits for a slot or for the engine to wake.
    Queued,
    /// The executor resolves names and types.
    Planning,
    /// The executor computes rows.
    Running,
    /// Its end is decided and on the way to the disk; nothing can join or leave.
    Ending,
}
