//! Tells a worker process that ends for want of memory from one that crashes: by a flag that is set where memory is
//! refused, and by the exit status. No text is read for it.
#![expect(
    unsafe_code,
    reason = "a signal handler is taken over by a system call; it reads an atomic and ends the process, which a handler may"
)]

use std::ffi::c_int;
use std::io;
use std::mem::MaybeUninit;
use std::panic;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Exit status of a worker process that ended because its memory limit was reached; `EX_OSERR` of `sysexits.h`.
pub const USED_UP_STATUS: u8 = 71;

/// Bytes of the stack of a thread, if nothing else is asked for: the most that is allocated by others than the
/// allocator.
const STACK_BYTES: usize = 2 << 20;

static IS_REFUSED: AtomicBool = AtomicBool::new(false);

/// Records that memory was refused.
pub(super) fn note() {
    IS_REFUSED.store(true, Relaxed);
}

/// Forgets what was refused to earlier statements.
pub(super) fn forget() {
    IS_REFUSED.store(false, Relaxed);
}

/// Whether the process has been refused memory since its statement began; false outside of workers.
pub fn was_refused() -> bool {
    IS_REFUSED.load(Relaxed) && super::limit_bytes().is_some()
}

/// From now on, a process that aborts after it was refused memory exits with [`USED_UP_STATUS`], and a panic for which
/// there is no memory for another thread counts as a refusal, too.
///
/// # Errors
///
/// If the system does not let the process handle SIGABRT.
pub fn exit_with_status_when_used_up() -> io::Result<()> {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // Here, before the stack is unwound, everything is still allocated.
        if !has_memory_for_a_thread() {
            note();
        }
        before(info);
    }));
    // SAFETY: a sigaction of zeros is valid. The handler has the signature that no flag requires, and lives as long as
    // the program; the pointer is to a value on this stack.
    let is_taken = unsafe {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        action.sa_sigaction = on_abort as *const () as usize;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(libc::SIGABRT, &raw const action, null_mut()) == 0
    };
    if is_taken { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Ends the process if memory was refused. Otherwise it returns, after which `abort` ends the process by the signal.
extern "C" fn on_abort(_: c_int) {
    if IS_REFUSED.load(Relaxed) {
        // SAFETY: it takes a number, ends the process and is async-signal-safe.
        unsafe { libc::_exit(c_int::from(USED_UP_STATUS)) }
    }
}

fn has_memory_for_a_thread() -> bool {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: the system chooses the address, and nothing refers to the pages, which are given back at once.
    unsafe {
        let pages = libc::mmap(null_mut(), STACK_BYTES, access, kind, -1, 0);
        pages != libc::MAP_FAILED && libc::munmap(pages, STACK_BYTES) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_of_workers_nothing_is_refused() {
        assert!(has_memory_for_a_thread());
        note();
        assert!(!was_refused(), "there is no limit here");
        forget();
    }
}
