//! Rows on their way out, a chunk of bytes at a time: how large a chunk is and what makes the next one.

use std::fmt;

use bytes::Bytes;

use super::budget::{Budget, Progress, to_the_end};
use crate::Result;

/// A chunk is given out when it has reached this size: large enough that a hop between threads and a write
/// cost little beside it, small enough that it stays in a core's cache and that a thousand slow readers are
/// cheap.
pub const CHUNK_BYTES: usize = 128 << 10;

/// Memory of a chunk: room for the value that fills it.
pub const CHUNK_MEMORY_BYTES: usize = CHUNK_BYTES + SLACK_BYTES;

/// Room beyond [`CHUNK_BYTES`] so that the value that fills a chunk rarely makes its buffer grow.
pub(super) const SLACK_BYTES: usize = 8 << 10;

/// What one row looks like in JSON and NDJSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowShape {
    /// `[1,"a"]` in column order (D17).
    Arrays,
    /// `{"id":1,"name":"a"}`; repeated names get `_1`, `_2` (D18).
    Objects,
}

/// Bytes around the rows, in the first and in the last chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// Before the first row.
    pub prefix: Vec<u8>,
    /// After the last row.
    pub suffix: Vec<u8>,
}

/// Rows on their way out.
pub trait ChunkSource: Send {
    /// The next bytes, none after the last, unless the budget is spent before they are made: then it goes on when it is
    /// asked again. Costs CPU time and page faults, up to about a millisecond beyond the budget: not for the reactor,
    /// save for a page known to be small.
    ///
    /// # Errors
    /// `Damaged`: the file is not what was written, or cannot be read any more. The source gives nothing more after an
    /// error.
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>>;

    /// The next bytes, however long they take to make: where rows are looked for, that may be long.
    ///
    /// # Errors
    /// As [`ChunkSource::advance`].
    fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        to_the_end(|budget| self.advance(budget))
    }

    /// Takes the next part of the rows off, about a chunk of them, for another thread: its chunks come before those
    /// that are left here. Costs next to nothing. None where there is no such part, or no part by itself.
    fn split(&mut self) -> Option<Box<dyn ChunkSource>> {
        None
    }

    /// Memory that making the next chunk takes, about, with the chunk itself, as far as it is known. Where something
    /// comes that takes more, the source gives a chunk that ends before it, an empty one if need be, and tells it here.
    fn next_chunk_bytes(&self) -> usize {
        CHUNK_MEMORY_BYTES
    }

    /// Memory that the source holds between chunks, beyond what every source does.
    fn held_bytes(&self) -> usize {
        0
    }
}

impl ChunkSource for Box<dyn ChunkSource> {
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>> {
        (**self).advance(budget)
    }

    fn split(&mut self) -> Option<Box<dyn ChunkSource>> {
        (**self).split()
    }

    fn next_chunk_bytes(&self) -> usize {
        (**self).next_chunk_bytes()
    }

    fn held_bytes(&self) -> usize {
        (**self).held_bytes()
    }
}

impl fmt::Debug for dyn ChunkSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChunkSource")
    }
}
