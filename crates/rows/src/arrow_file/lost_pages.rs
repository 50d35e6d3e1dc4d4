//! Handles pages of mapped files that cannot be read, because the file was truncated under its readers or a sector is
//! bad. The kernel sends SIGBUS, which by default ends the process. The handler here records the loss and replaces the
//! page with zeros, so that the reader continues; code that uses mapped bytes checks the record before it returns a
//! result (D128).
#![expect(
    unsafe_code,
    reason = "a signal handler is taken over by system calls; it reads atomics alone, which are never freed or belong to \
              the map whose reader it stands in for, and replaces nothing but a page of such a map"
)]

use std::ffi::{c_int, c_void};
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};

/// Number of mappings in a block of the table.
const SLOTS: usize = 128;

/// The record of lost pages of one or more mappings. Files that are only usable together share one record.
#[derive(Clone, Debug, Default)]
pub struct Loss(Arc<AtomicBool>);

impl Loss {
    /// Whether a reader of one of the mappings has accessed a page that could not be read. If false, everything that
    /// this thread has read before is what the files contain.
    pub fn is_noted(&self) -> bool {
        // Orders the reads of mapped bytes before the read of the flag.
        fence(Ordering::Acquire);
        self.0.load(Ordering::Relaxed)
    }
}

/// Records lost pages of a mapping until it is dropped, which must be before the mapping is.
pub(super) struct Watch {
    slot: &'static Slot,
    loss: Loss,
}

/// An entry of the table. It is free if `start` is 0; `start` is written last and cleared first.
#[derive(Default)]
struct Slot {
    start: AtomicUsize,
    end: AtomicUsize,
    /// The mapping's record of lost pages.
    loss: AtomicPtr<AtomicBool>,
}

/// A block of the table. The table grows by blocks that are never freed, so that it can be read without a lock.
struct Block {
    slots: [Slot; SLOTS],
    next: OnceLock<&'static Block>,
}

static TABLE: OnceLock<&'static Block> = OnceLock::new();
static FREE_SLOTS: Mutex<Vec<&'static Slot>> = Mutex::new(Vec::new());
static PAGE_BYTES: AtomicUsize = AtomicUsize::new(4096);
/// The previous handler of the signal: Rust's, which reports stack overflows.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

impl Watch {
    /// Watches the addresses of a mapping.
    pub(super) fn new(map: Range<usize>, loss: Loss) -> Self {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(take_signal);
        let slot = free_slot();
        slot.end.store(map.end, Ordering::Release);
        slot.loss.store(Arc::as_ptr(&loss.0).cast_mut(), Ordering::Release);
        slot.start.store(map.start, Ordering::Release);
        Self { slot, loss }
    }

    pub(super) fn loss(&self) -> &Loss {
        &self.loss
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.slot.start.store(0, Ordering::SeqCst);
        FREE_SLOTS.lock().unwrap_or_else(PoisonError::into_inner).push(self.slot);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watch").field(&self.loss).finish()
    }
}

impl Slot {
    /// The mapping's record of lost pages, if the mapping contains the address.
    fn loss_at(&self, address: usize) -> Option<*mut AtomicBool> {
        let start = self.start.load(Ordering::Acquire);
        let end = self.end.load(Ordering::Acquire);
        let loss = self.loss.load(Ordering::Acquire);
        // The entry may have been reused for another mapping in between.
        let is_one_map = self.start.load(Ordering::SeqCst) == start;
        (start != 0 && is_one_map && (start..end).contains(&address)).then_some(loss)
    }
}

fn free_slot() -> &'static Slot {
    let mut free = FREE_SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(slot) = free.pop() {
        return slot;
    }
    let block: &'static Block =
        Box::leak(Box::new(Block { slots: std::array::from_fn(|_| Slot::default()), next: OnceLock::new() }));
    free.extend(block.slots.iter().skip(1));
    let mut place = &TABLE;
    while let Some(block) = place.get() {
        place = &block.next;
    }
    // OK to ignore: the lock excludes other writers.
    let _ = place.set(block);
    &block.slots[0]
}

fn take_signal() {
    if let Ok(bytes) = usize::try_from(
        // SAFETY: it takes and returns a number.
        unsafe { libc::sysconf(libc::_SC_PAGESIZE) },
    ) {
        PAGE_BYTES.store(bytes, Ordering::Relaxed);
    }
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: a sigaction of zeros is valid. The handler has the signature that SA_SIGINFO requires and lives as long
    // as the program; both pointers are to values on this stack.
    let is_taken = unsafe {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        action.sa_sigaction = on_bus_error as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        // The previous handler must be known before the signal can arrive.
        libc::sigaction(libc::SIGBUS, std::ptr::null(), before.as_mut_ptr()) == 0
            && BEFORE.set(before.assume_init()).is_ok()
            && libc::sigaction(libc::SIGBUS, &raw const action, null_mut()) == 0
    };
    if !is_taken {
        tracing::warn!("SIGBUS was not taken over: a stored file that is cut off ends the server");
    }
}

extern "C" fn on_bus_error(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the kernel passes it to a handler with SA_SIGINFO, and the address is that of the fault.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    // Codes up to 0 mean that a process has sent the signal.
    let is_fault = code > 0;
    if is_fault && replace_page(address) {
        return;
    }
    // SAFETY: the kernel returned this action, or it is the default one. It handles the signal when the fault recurs or
    // the signal is raised again.
    unsafe {
        let before = BEFORE.get().map_or(std::ptr::null(), std::ptr::from_ref);
        if before.is_null() || libc::sigaction(signal, before, null_mut()) != 0 {
            libc::signal(signal, libc::SIG_DFL);
        }
        if !is_fault {
            libc::raise(signal);
        }
    }
}

/// Records the loss, then replaces a page of a mapping with zeros; false if no mapping contains the address. It is
/// async-signal-safe: it takes no lock, allocates nothing and calls no function of the library but `mmap`, which is the
/// system call.
fn replace_page(address: usize) -> bool {
    let mut block = TABLE.get();
    while let Some(part) = block {
        if let Some(loss) = part.slots.iter().find_map(|slot| slot.loss_at(address)) {
            // SAFETY: the interrupted thread reads the mapping, which keeps its record alive.
            unsafe { &*loss }.store(true, Ordering::SeqCst);
            let page_bytes = PAGE_BYTES.load(Ordering::Relaxed);
            let page = without_provenance_mut(address - address % page_bytes);
            let flags = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            // SAFETY: the page belongs to an existing mapping of ours, which is read-only and stays so.
            return unsafe { libc::mmap(page, page_bytes, libc::PROT_READ, flags, -1, 0) }
                != libc::MAP_FAILED;
        }
        block = part.next.get();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_reused_and_identify_their_mapping() {
        let watches: Vec<Watch> = (1..=3 * SLOTS)
            .map(|number| Watch::new(number << 40..(number << 40) + 8192, Loss::default()))
            .collect();
        let found = |address: usize| {
            let mut block = TABLE.get();
            let mut found = None;
            while let Some(part) = block {
                found = found.or_else(|| part.slots.iter().find_map(|slot| slot.loss_at(address)));
                block = part.next.get();
            }
            found
        };
        for (place, watch) in watches.iter().enumerate() {
            let start = (place + 1) << 40;
            let own = Arc::as_ptr(&watch.loss().0).cast_mut();
            assert_eq!([found(start), found(start + 8191)], [Some(own); 2]);
            assert_eq!([found(start - 1), found(start + 8192)], [None; 2]);
        }
        drop(watches);
        assert_eq!(found(1 << 40), None);
        let blocks = || std::iter::successors(TABLE.get(), |block| block.next.get()).count();
        let before = blocks();
        drop((0..SLOTS).map(|_| Watch::new(4096..8192, Loss::default())).collect::<Vec<_>>());
        assert_eq!(blocks(), before);
    }
}
