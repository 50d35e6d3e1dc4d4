//! The bytes of a chunk being built: fixed-width stores into initialized memory, and buffers that are reused when their
//! chunk has been sent.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use super::chunk::{CHUNK_BYTES, SLACK_BYTES};

/// Maximum number of spare buffers of one encoding: some are being filled, some being sent.
const SPARE_BUFFERS: usize = 8;

/// Size of the buffers that each thread keeps for small answers: clearing new memory for each would cost as much as
/// filling it.
const SMALL_BUFFER_BYTES: usize = 32 << 10;
/// Maximum number of small buffers per thread.
const SMALL_BUFFERS: usize = 16;
/// An answer up to this size is copied to memory of its own size: its client may take long to read it.
const COPIED_BYTES: usize = SMALL_BUFFER_BYTES / 4;

thread_local! {
    static SMALL: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

type Spares = Arc<Mutex<Vec<Vec<u8>>>>;

/// A growing chunk. `bytes` is initialized to its whole length, `length` of it is filled.
#[derive(Debug)]
pub(super) struct Output {
    bytes: Vec<u8>,
    length: usize,
    /// Created with the first chunk that is followed by another.
    spares: Option<Spares>,
}

/// A chunk that returns its buffer when the last reader of it is gone.
struct Sent {
    bytes: Vec<u8>,
    length: usize,
    /// The destination; a small one is returned to the thread.
    spares: Option<Spares>,
}

impl Output {
    /// A chunk of this expected size.
    pub(super) fn new(expected_bytes: usize) -> Self {
        let bytes = match expected_bytes {
            0..=SMALL_BUFFER_BYTES => small_buffer(),
            _ => vec![0; expected_bytes.min(CHUNK_BYTES + SLACK_BYTES)],
        };
        Self { bytes, length: 0, spares: None }
    }

    /// Another chunk of the same encoding, built concurrently.
    pub(super) fn sibling(&mut self) -> Self {
        let spares = self.spares.get_or_insert_default();
        let spare = spares.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let bytes = spare.unwrap_or_else(|| vec![0; CHUNK_BYTES + SLACK_BYTES]);
        Self { bytes, length: 0, spares: Some(Arc::clone(spares)) }
    }

    /// Number of filled bytes.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// The filled bytes.
    pub(super) fn filled(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Discards the filled bytes after the first `length`.
    pub(super) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Discards the filled bytes.
    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    /// Takes the filled bytes and begins a new chunk if `more` follows.
    pub(super) fn take(&mut self, more: bool) -> Bytes {
        if !more && self.spares.is_none() {
            let length = std::mem::take(&mut self.length);
            let is_small = self.bytes.len() == SMALL_BUFFER_BYTES;
            if is_small && length <= COPIED_BYTES {
                return Bytes::copy_from_slice(&self.bytes[..length]);
            }
            let mut bytes = std::mem::take(&mut self.bytes);
            if is_small {
                return Bytes::from_owner(Sent { bytes, length, spares: None });
            }
            bytes.truncate(length);
            return bytes.into();
        }
        let spares = self.spares.get_or_insert_default();
        let spare =
            if more { spares.lock().unwrap_or_else(PoisonError::into_inner).pop() } else { Some(Vec::new()) };
        let next = spare.unwrap_or_else(|| vec![0; CHUNK_BYTES + SLACK_BYTES]);
        let bytes = std::mem::replace(&mut self.bytes, next);
        let length = std::mem::take(&mut self.length);
        Bytes::from_owner(Sent { bytes, length, spares: Some(Arc::clone(spares)) })
    }

    /// A window of `N` bytes after the filled ones; [`Output::advance`] fills them.
    #[inline(always)]
    pub(super) fn window<const N: usize>(&mut self) -> &mut [u8; N] {
        if self.bytes.len() - self.length < N {
            self.grow(N);
        }
        // OK because there is room for N bytes from here on.
        self.bytes[self.length..].first_chunk_mut().expect("grown above")
    }

    /// Counts bytes of the last window as filled.
    #[inline(always)]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.length += bytes;
    }

    /// Appends one byte.
    #[inline(always)]
    pub(super) fn push(&mut self, byte: u8) {
        *self.window::<1>() = [byte];
        self.length += 1;
    }

    /// Appends a few bytes whose number is a compile-time constant.
    #[inline(always)]
    pub(super) fn put_array<const N: usize>(&mut self, bytes: &[u8; N]) {
        *self.window::<N>() = *bytes;
        self.length += N;
    }

    /// Appends bytes.
    #[inline]
    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// The free space after the filled bytes, at least `bytes`.
    #[inline(always)]
    pub(super) fn room(&mut self, bytes: usize) -> &mut [u8] {
        if self.bytes.len() - self.length < bytes {
            self.grow(bytes);
        }
        &mut self.bytes[self.length..]
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, bytes: usize) {
        let least = self.length + bytes;
        let size = match self.bytes.len() {
            size if size < CHUNK_BYTES && least <= CHUNK_BYTES + SLACK_BYTES => {
                (size * 4).clamp(least, CHUNK_BYTES + SLACK_BYTES)
            }
            // Pieces of values that are mostly escapes: growing by halves wastes little memory.
            size => least.max(size + size / 2),
        };
        self.bytes.resize(size, 0);
    }
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        let Some(spares) = &self.spares else { return keep_small(&mut self.bytes) };
        let mut spares = spares.lock().unwrap_or_else(PoisonError::into_inner);
        if spares.len() < SPARE_BUFFERS && self.bytes.len() == CHUNK_BYTES + SLACK_BYTES {
            spares.push(std::mem::take(&mut self.bytes));
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        keep_small(&mut self.bytes);
    }
}

/// A buffer that an earlier answer has left here, with arbitrary content.
fn small_buffer() -> Vec<u8> {
    let kept = SMALL.with_borrow_mut(Vec::pop);
    kept.unwrap_or_else(|| vec![0; SMALL_BUFFER_BYTES])
}

/// Keeps a buffer for the next small answer of this thread, if it is a small one.
fn keep_small(bytes: &mut Vec<u8>) {
    if bytes.len() != SMALL_BUFFER_BYTES {
        return;
    }
    // OK to ignore: a thread that is ending keeps nothing.
    let _ = SMALL.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        if kept.len() < SMALL_BUFFERS {
            kept.push(std::mem::take(bytes));
        }
    });
}
