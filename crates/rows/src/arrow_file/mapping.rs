//! The one place that maps files into memory, read-only and shared. A small file may lie in memory instead.
#![expect(
    unsafe_code,
    reason = "a map of a file is sound as long as nobody changes or truncates the file while it is mapped: result, \
              generation and index files are written under another name, synced, renamed, and from then on only \
              read or unlinked, inside a data directory that one server holds by lock; unlinking leaves a mapped \
              file's pages in place"
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

/// A whole file in memory, paged in by the kernel as it is read.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// None of a file that is all in memory.
    map: Option<Arc<Mmap>>,
    buffer: Buffer,
}

/// Lets Arrow buffers keep the map alive.
struct Owner(Arc<Mmap>);

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Mapping {
    /// Maps a file that nobody will change or truncate again.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::of(&File::open(path)?)
    }

    /// Maps an open file that nobody will change or truncate again.
    pub fn of(file: &File) -> io::Result<Self> {
        // SAFETY: the head of this file says why nobody writes to or truncates the file.
        let map = Arc::new(unsafe { Mmap::map(file)? });
        let buffer = Buffer::from(bytes::Bytes::from_owner(Owner(Arc::clone(&map))));
        Ok(Self { map: Some(map), buffer })
    }

    /// A file that is all in memory.
    pub fn of_bytes(bytes: bytes::Bytes) -> Self {
        Self { map: None, buffer: Buffer::from(bytes) }
    }

    /// Whether it is all in memory, without a file.
    pub(super) const fn is_in_memory(&self) -> bool {
        self.map.is_none()
    }

    /// All of the file's bytes; the buffer and slices of it keep the map.
    pub fn buffer(&self) -> Buffer {
        self.buffer.clone()
    }

    /// Bytes of the file.
    pub fn length_bytes(&self) -> usize {
        self.buffer.len()
    }

    /// Asks the kernel to read what is not in memory yet by huge pages, as [`HugePageWriter`](super::HugePageWriter)
    /// leaves what was written: one entry of the page tables for 2 MiB. What lies there in small pages stays so.
    pub fn prefer_huge_pages(&self) {
        #[cfg(target_os = "linux")]
        if let Some(map) = &self.map
            && let Err(error) = map.advise(memmap2::Advice::HugePage)
        {
            tracing::debug!(%error, "the kernel has no huge pages for a mapped file");
        }
    }

    /// Unmaps the pages of a range: mapped pages count as the process's resident memory. The next read of them
    /// is a page fault that finds them in the page cache.
    pub fn forget(&self, range: Range<usize>) {
        let Some(map) = &self.map else { return };
        // SAFETY: DONTNEED discards the content of private pages that were written to; pages of a shared,
        // read-only map have none, they are mapped again from the same unchanged file.
        let advised =
            unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, range.start, range.len()) };
        if let Err(error) = advised {
            tracing::debug!(%error, "the kernel did not take back a range of a mapped file");
        }
    }

    /// Bytes of a batch's arrays that do not lie in the map.
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
