//! Counts the process's allocated memory and its peak, which is reported as a statement's memory.
//!
//! Resident memory would be wrong: a worker keeps memory that its statements freed, and the pages of mapped files
//! belong to the system. A program that runs workers makes [`CountingAllocator`] its global allocator.
#![expect(
    unsafe_code,
    reason = "an allocator is called with layouts and addresses that only its caller can vouch for"
)]

use std::alloc::{GlobalAlloc, Layout};
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use rustix::process::{Resource, getrlimit};

mod refused;

pub use refused::{USED_UP_STATUS, exit_with_status_when_used_up, was_refused};

/// Smaller allocations are not counted: they are the majority by number and negligible by size.
const COUNTED_BYTES: usize = 4096;

static PROCESS: Counts = Counts::new();
/// Bytes of the process's limit that are reserved and not available to a statement.
static RESERVED_BYTES: AtomicU64 = AtomicU64::new(0);

/// Allocated bytes, and their peak.
#[derive(Debug)]
struct Counts {
    allocated: AtomicUsize,
    peak: AtomicUsize,
}

/// Counts the blocks of 4 KiB or more that another allocator returns.
#[derive(Debug)]
pub struct CountingAllocator<A> {
    allocator: A,
    counts: &'static Counts,
}

impl<A> CountingAllocator<A> {
    /// Wraps `allocator`. There is one count per process, however many of these exist.
    pub const fn new(allocator: A) -> Self {
        Self { allocator, counts: &PROCESS }
    }

    /// Records a new block, or that there was no memory for it.
    fn record(&self, address: *mut u8, bytes: usize) {
        if address.is_null() {
            refused::note();
        } else {
            self.counts.add(bytes);
        }
    }
}

/// Begins a statement: the peak restarts at what is allocated now, and nothing [`was_refused`].
pub fn begin_statement() {
    refused::forget();
    PROCESS.reset_peak();
}

/// Peak of allocated bytes since the last [`begin_statement`]; 0 in a program without [`CountingAllocator`].
pub fn peak_bytes() -> usize {
    PROCESS.peak.load(Relaxed)
}

/// Reserves a part of the process's limit on data that no statement may use: the stack of a permanent thread.
pub fn reserve(bytes: u64) {
    RESERVED_BYTES.store(bytes, Relaxed);
}

/// Bytes of data that a statement may allocate; none where no limit is set, which means outside workers.
pub fn limit_bytes() -> Option<u64> {
    Some(getrlimit(Resource::Data).current?.saturating_sub(RESERVED_BYTES.load(Relaxed)))
}

/// Whether the system could not provide memory, or a stack for another thread.
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

// SAFETY: every call is passed to the other allocator unchanged, and its answer is returned; counting allocates
// nothing.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAllocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the same contract.
        let address = unsafe { self.allocator.alloc(layout) };
        self.record(address, layout.size());
        address
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the same contract.
        let address = unsafe { self.allocator.alloc_zeroed(layout) };
        self.record(address, layout.size());
        address
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the same contract.
        unsafe { self.allocator.dealloc(address, layout) };
        self.counts.subtract(layout.size());
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller upholds the same contract.
        let moved = unsafe { self.allocator.realloc(address, layout, new_size) };
        if !moved.is_null() {
            self.counts.subtract(layout.size());
        }
        self.record(moved, new_size);
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
        // SAFETY: each block is freed with the layout that it was allocated with.
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
