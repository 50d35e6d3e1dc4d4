//! How much memory the process has allocated, and at most: what a statement is said to have taken.
//!
//! Resident memory would not tell: a worker keeps what its statements freed, and the pages of mapped files are the
//! system's. A program that runs workers makes [`CountingAllocator`] its global allocator.
#![expect(
    unsafe_code,
    reason = "an allocator is called with layouts and addresses that only its caller can vouch for"
)]

use std::alloc::{GlobalAlloc, Layout};
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use rustix::process::{Resource, getrlimit};

/// Smaller allocations are not counted: they are most of them, and next to nothing of the memory.
const COUNTED_BYTES: usize = 4096;

static PROCESS: Counts = Counts::new();
/// Bytes of the process's limit that are no statement's.
static RESERVED_BYTES: AtomicU64 = AtomicU64::new(0);

/// Bytes that are allocated, and that were at most at a time.
#[derive(Debug)]
struct Counts {
    allocated: AtomicUsize,
    peak: AtomicUsize,
}

/// Counts what another allocator hands out, in blocks of 4 KiB or more.
#[derive(Debug)]
pub struct CountingAllocator<A> {
    allocator: A,
    counts: &'static Counts,
}

impl<A> CountingAllocator<A> {
    /// Counts for `allocator`. There is one count for the process, whatever the number of these.
    pub const fn new(allocator: A) -> Self {
        Self { allocator, counts: &PROCESS }
    }
}

/// Counts from here; the peak is what is allocated now.
pub fn reset_peak() {
    PROCESS.reset_peak();
}

/// Bytes that were allocated at most at a time since the last [`reset_peak`]; 0 in a program without
/// [`CountingAllocator`].
pub fn peak_bytes() -> usize {
    PROCESS.peak.load(Relaxed)
}

/// Says how much of the process's limit on data is no statement's: the stack of a thread that stays.
pub fn reserve(bytes: u64) {
    RESERVED_BYTES.store(bytes, Relaxed);
}

/// Bytes of data that a statement may have, where that is limited: in a worker.
pub fn limit_bytes() -> Option<u64> {
    Some(getrlimit(Resource::Data).current?.saturating_sub(RESERVED_BYTES.load(Relaxed)))
}

/// Whether the system had no memory to give, or no stack for another thread.
pub fn is_used_up(error: &io::Error) -> bool {
    limit_bytes().is_some() && matches!(error.kind(), io::ErrorKind::OutOfMemory | io::ErrorKind::WouldBlock)
}

impl Counts {
    const fn new() -> Self {
        Self { allocated: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    fn add(&self, bytes: usize) {
        if bytes >= COUNTED_BYTES {
            let allocated = self.allocated.fetch_add(bytes, Relaxed) + bytes;
            if allocated > self.peak.load(Relaxed) {
                self.peak.fetch_max(allocated, Relaxed);
            }
        }
    }

    fn subtract(&self, bytes: usize) {
        if bytes >= COUNTED_BYTES {
            self.allocated.fetch_sub(bytes, Relaxed);
        }
    }

    fn reset_peak(&self) {
        self.peak.store(self.allocated.load(Relaxed), Relaxed);
    }
}

// SAFETY: every call goes to the other allocator as it came, and its answer back; counting allocates nothing.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAllocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        let address = unsafe { self.allocator.alloc(layout) };
        if !address.is_null() {
            self.counts.add(layout.size());
        }
        address
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        let address = unsafe { self.allocator.alloc_zeroed(layout) };
        if !address.is_null() {
            self.counts.add(layout.size());
        }
        address
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the same contract.
        unsafe { self.allocator.dealloc(address, layout) };
        self.counts.subtract(layout.size());
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        let moved = unsafe { self.allocator.realloc(address, layout, new_size) };
        if !moved.is_null() {
            self.counts.subtract(layout.size());
            self.counts.add(new_size);
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use std::alloc::System;

    use super::*;

    #[test]
    fn what_is_allocated_at_a_time_is_counted() {
        static COUNTS: Counts = Counts::new();
        let counting = CountingAllocator { allocator: System, counts: &COUNTS };
        let block = |kib: usize| Layout::from_size_align(kib << 10, 16).expect("a layout");
        let kib = || (COUNTS.allocated.load(Relaxed) >> 10, COUNTS.peak.load(Relaxed) >> 10);
        // SAFETY: each block is given back with the layout that it has.
        unsafe {
            let first = counting.alloc(block(64));
            let second = counting.alloc_zeroed(block(32));
            let small = counting.alloc(block(1));
            assert_eq!(kib(), (96, 96));
            counting.dealloc(second, block(32));
            let first = counting.realloc(first, block(64), 80 << 10);
            assert_eq!(kib(), (80, 96));
            COUNTS.reset_peak();
            assert_eq!(kib(), (80, 80));
            let first = counting.realloc(first, block(80), 1 << 10);
            assert_eq!(kib(), (0, 80));
            counting.dealloc(first, block(1));
            counting.dealloc(small, block(1));
        }
        assert_eq!(kib(), (0, 80));
    }
}
