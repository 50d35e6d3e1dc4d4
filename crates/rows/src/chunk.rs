//! Sources of encoded rows, one chunk of bytes at a time, and the size of a chunk.

use std::fmt;

use bytes::Bytes;

use super::budget::{Budget, Progress, to_the_end};
use crate::Result;

/// A chunk is returned when it has reached this size: large enough that a hop between threads and a write are cheap in
/// comparison, small enough that it stays in a core's cache and that a thousand slow readers are cheap.
pub const CHUNK_BYTES: usize = 128 << 10;

/// Memory of a chunk, including the value that fills it.
pub const CHUNK_MEMORY_BYTES: usize = CHUNK_BYTES + SLACK_BYTES;

/// Capacity beyond [`CHUNK_BYTES`], so that the value that fills a chunk rarely makes its buffer grow.
pub(super) const SLACK_BYTES: usize = 8 << 10;

/// Approximate memory of a column's name, place and form in the plan of the rows.
const PLANNED_COLUMN_BYTES: usize = 256;

/// The form of a row in JSON and NDJSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowShape {
    /// `[1,"a"]` in column order (D17).
    Arrays,
    /// `{"id":1,"name":"a"}`; repeated names get `_1`, `_2` (D18).
    Objects,
}

/// Bytes around the rows, in the first and the last chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// Before the first row.
    pub prefix: Vec<u8>,
    /// After the last row.
    pub suffix: Vec<u8>,
}

impl Envelope {
    /// Its bytes beyond those for which each chunk has room.
    pub(super) fn excess_bytes(&self) -> usize {
        (self.prefix.len() + self.suffix.len()).saturating_sub(SLACK_BYTES)
    }

    /// What a source of rows of so many columns holds between chunks, with this before and after them.
    pub(super) fn held_bytes(&self, columns: usize) -> usize {
        let plan = columns * PLANNED_COLUMN_BYTES;
        (self.prefix.len() + self.suffix.len() + plan).saturating_sub(SLACK_BYTES)
    }
}

/// A source of encoded rows.
pub trait ChunkSource: Send {
    /// The next bytes, none after the last; if the budget is spent before they are complete, a further call continues.
    /// Costs CPU time and page faults, up to about a millisecond beyond the budget: not for the reactor, except for a
    /// page known to be small.
    ///
    /// # Errors
    /// `Damaged`: the file is not what was written, or cannot be read any more. The source returns nothing more after
    /// an error.
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>>;

    /// The next bytes, however long they take: where rows are searched for, that may be long.
    ///
    /// # Errors
    /// As [`ChunkSource::advance`].
    fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        to_the_end(|budget| self.advance(budget))
    }

    /// Splits off the next part of the rows, about a chunk of them, for another thread: its chunks precede those that
    /// remain here. Cheap. None if there is no such part, or no separable part.
    fn split(&mut self) -> Option<Box<dyn ChunkSource>> {
        None
    }

    /// Approximate memory for building the next chunk, including the chunk itself, as far as known. If a part takes
    /// more, the source returns a chunk that ends before it, possibly empty, and announces it here.
    fn next_chunk_bytes(&self) -> usize {
        CHUNK_MEMORY_BYTES
    }

    /// Memory that the source holds between chunks, beyond what every source holds.
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
