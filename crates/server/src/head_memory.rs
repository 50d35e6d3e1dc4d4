//! The memory of heads that have not arrived completely, which need no token: counted over all connections, and refused
//! before the server runs out of it (D166).

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What a head may have without being counted: a connection reserves as much in any case, and nearly no request has more.
const UNCOUNTED_BYTES: usize = 8 << 10;

/// The memory of all connections.
#[derive(Clone, Debug)]
pub(crate) struct HeadMemory(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limit_bytes: usize,
    used_bytes: AtomicUsize,
    refused: AtomicU64,
}

/// What one connection holds of it; released on drop.
#[derive(Debug)]
pub(crate) struct HeldHead {
    memory: HeadMemory,
    bytes: AtomicUsize,
}

impl HeadMemory {
    /// With this limit.
    pub(crate) fn new(limit_bytes: usize) -> Self {
        Self(Arc::new(Inner { limit_bytes, used_bytes: AtomicUsize::new(0), refused: AtomicU64::new(0) }))
    }

    /// What heads hold now beyond what is not counted.
    pub(crate) fn used_bytes(&self) -> usize {
        self.0.used_bytes.load(Ordering::Relaxed)
    }

    /// Number of heads that had no room.
    pub(crate) fn refused(&self) -> u64 {
        self.0.refused.load(Ordering::Relaxed)
    }

    /// The part of a new connection.
    pub(crate) fn of_connection(&self) -> HeldHead {
        HeldHead { memory: self.clone(), bytes: AtomicUsize::new(0) }
    }
}

impl HeldHead {
    /// Holds memory for a head of which this much has arrived; returns whether there is room. A head gets no more than what is
    /// left to others, so that a few long ones do not take everything.
    pub(crate) fn grow_to(&self, arrived_bytes: usize) -> bool {
        self.grow_to_counted(arrived_bytes.saturating_sub(UNCOUNTED_BYTES))
    }

    /// As [`grow_to`](Self::grow_to), of memory that counts from its first byte.
    pub(crate) fn grow_to_counted(&self, counted: usize) -> bool {
        let more = counted.saturating_sub(self.bytes.load(Ordering::Relaxed));
        if more == 0 {
            return true;
        }
        let Inner { limit_bytes, used_bytes, refused } = &*self.memory.0;
        let used = used_bytes.fetch_add(more, Ordering::Relaxed) + more;
        self.bytes.fetch_add(more, Ordering::Relaxed);
        let has_room = counted <= limit_bytes.saturating_sub(used);
        if !has_room {
            refused.fetch_add(1, Ordering::Relaxed);
        }
        has_room
    }

    /// Another part of the same memory.
    pub(crate) fn another(&self) -> Self {
        self.memory.of_connection()
    }

    /// The head is complete.
    pub(crate) fn release(&self) {
        let bytes = self.bytes.swap(0, Ordering::Relaxed);
        if bytes > 0 {
            self.memory.0.used_bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
}

/// Why a connection is closed whose head has no room.
pub(crate) fn exhausted() -> io::Error {
    io::Error::other("unfinished heads take all their memory")
}

impl Default for HeldHead {
    /// Of memory without a limit.
    fn default() -> Self {
        HeadMemory::new(usize::MAX).of_connection()
    }
}

impl Drop for HeldHead {
    fn drop(&mut self) {
        self.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_share_their_memory_until_they_are_complete() {
        let memory = HeadMemory::new(100_000);
        let used = || memory.0.used_bytes.load(Ordering::Relaxed);
        let (one, two, three) = (memory.of_connection(), memory.of_connection(), memory.of_connection());
        assert!(one.grow_to(UNCOUNTED_BYTES) && used() == 0);
        assert!(one.grow_to(UNCOUNTED_BYTES + 30_000) && one.grow_to(UNCOUNTED_BYTES + 40_000));
        assert_eq!(used(), 40_000);
        assert!(!two.grow_to(UNCOUNTED_BYTES + 40_000), "20,000 bytes are left, and it would have 40,000");
        assert_eq!((memory.refused(), memory.used_bytes()), (1, 80_000));
        drop(two);
        assert!(three.grow_to(UNCOUNTED_BYTES + 20_000));
        one.release();
        assert!(one.grow_to(UNCOUNTED_BYTES + 10_000) && used() == 30_000);
        drop((one, three));
        assert_eq!(used(), 0);
    }
}
