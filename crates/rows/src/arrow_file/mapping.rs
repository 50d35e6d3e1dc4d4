//! The one place that maps files into memory, read-only and shared. A small file may be in memory instead.
#![expect(
    unsafe_code,
    reason = "a map of a file is sound as long as nobody changes or truncates the file while it is mapped: result, \
              generation and index files are written under another name, synced, renamed, and from then on only \
              read or unlinked, inside a data directory that one server holds by lock; unlinking leaves a mapped \
              file's pages in place. One that is cut off all the same is zeros to its readers, and reported (`lost_pages`)"
)]

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use memmap2::{Mmap, UncheckedAdvice};

use super::lost_pages::{Loss, Watch};

/// A whole file in memory, paged in by the kernel as it is read.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// None if the file is in memory.
    map: Option<Arc<Watched>>,
    buffer: Buffer,
}

/// A mapping whose lost pages are recorded. Fields are dropped in this order.
#[derive(Debug)]
struct Watched {
    watch: Watch,
    map: Mmap,
}

/// Lets Arrow buffers keep the map alive.
struct Owner(Arc<Watched>);

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        &self.0.map
    }
}

impl Mapping {
    /// Maps a file that must never be changed or truncated again. Pages that are lost nevertheless are recorded in
    /// `loss`.
    pub fn open(path: &Path, loss: Loss) -> io::Result<Self> {
        Self::of(&File::open(path)?, loss)
    }

    /// As [`open`](Self::open), for an open file.
    pub fn of(file: &File, loss: Loss) -> io::Result<Self> {
        // SAFETY: the reason of the lint expectation above says why nobody writes to or truncates the file.
        let map = unsafe { Mmap::map(file)? };
        let range = map.as_ptr_range();
        let watch = Watch::new(range.start as usize..range.end as usize, loss);
        let map = Arc::new(Watched { watch, map });
        let buffer = Buffer::from(bytes::Bytes::from_owner(Owner(Arc::clone(&map))));
        Ok(Self { map: Some(map), buffer })
    }

    /// Wraps the bytes of a file that is in memory.
    pub fn of_bytes(bytes: bytes::Bytes) -> Self {
        Self { map: None, buffer: Buffer::from(bytes) }
    }

    /// Whether the bytes are in memory, without a mapped file.
    pub(super) const fn is_in_memory(&self) -> bool {
        self.map.is_none()
    }

    /// All of the file's bytes; the buffer and slices of it keep the mapping alive.
    pub fn buffer(&self) -> Buffer {
        self.buffer.clone()
    }

    /// Bytes of the file.
    pub fn length_bytes(&self) -> usize {
        self.buffer.len()
    }

    /// Whether pages of it, or of a mapping that shares its record, could not be read.
    pub fn is_lost(&self) -> bool {
        self.map.as_ref().is_some_and(|map| map.watch.loss().is_noted())
    }

    /// Asks the kernel to use huge pages for what is not in memory yet, as [`HugePageWriter`](super::HugePageWriter)
    /// does for written data: one page table entry for 2 MiB. Small pages that are already in memory stay.
    pub fn prefer_huge_pages(&self) {
        #[cfg(target_os = "linux")]
        if let Some(Watched { map, .. }) = self.map.as_deref()
            && let Err(error) = map.advise(memmap2::Advice::HugePage)
        {
            tracing::debug!(%error, "the kernel has no huge pages for a mapped file");
        }
    }

    /// Unmaps the pages of a range: mapped pages count as the process's resident memory. The next read of them is a
    /// page fault that finds them in the page cache.
    pub fn forget(&self, range: Range<usize>) {
        let Some(Watched { map, .. }) = self.map.as_deref() else { return };
        // SAFETY: DONTNEED discards the content of private pages that were written to; pages of a shared,
        // read-only map have none, they are mapped again from the same unchanged file.
        let advised =
            unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, range.start, range.len()) };
        if let Err(error) = advised {
            tracing::debug!(%error, "the kernel did not take back a range of a mapped file");
        }
    }

    /// Bytes of a batch's arrays outside the mapping.
    pub fn bytes_outside(&self, batch: &RecordBatch) -> usize {
        batch.columns().iter().map(|array| self.array_bytes_outside(&array.to_data())).sum()
    }

    fn array_bytes_outside(&self, data: &ArrayData) -> usize {
        let nulls = data.nulls().map(|nulls| nulls.buffer());
        let own: usize =
            data.buffers().iter().chain(nulls).map(|buffer| self.buffer_bytes_outside(buffer)).sum();
        own + data.child_data().iter().map(|child| self.array_bytes_outside(child)).sum::<usize>()
    }

    fn buffer_bytes_outside(&self, buffer: &Buffer) -> usize {
        let map = self.buffer.as_slice().as_ptr_range();
        if buffer.is_empty() || map.contains(&buffer.as_ptr()) { 0 } else { buffer.len() }
    }
}
