//! Which connection a thread polls.

use std::cell::Cell;

thread_local! {
    /// Address of the activity whose connection this thread polls; 0 if none.
    static POLLED: Cell<usize> = const { Cell::new(0) };
}

/// Whether this is called within a poll of the connection of this activity.
pub(super) fn is_polled_here<A>(activity: &A) -> bool {
    POLLED.get() == address(activity)
}

fn address<A>(activity: &A) -> usize {
    std::ptr::from_ref(activity).addr()
}

/// A poll of a connection on this thread.
pub(super) struct Polling {
    before: usize,
}

impl Polling {
    /// Begins a poll of the connection of this activity, which ends on drop.
    pub(super) fn begin<A>(activity: &A) -> Self {
        Self { before: POLLED.replace(address(activity)) }
    }
}

impl Drop for Polling {
    fn drop(&mut self) {
        POLLED.set(self.before);
    }
}
