//! Reads a stored result or a view's generation: an Arrow IPC file, memory-mapped, opened once and shared by its
//! readers. A batch is decoded and validated when it is first read, and cached; its values stay in the mapping.
//! Encoding is done elsewhere.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Once, OnceLock};

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_buffer::{Buffer, ScalarBuffer};
use arrow_ipc::reader::FileDecoder;
use arrow_schema::SchemaRef;

use crate::{Error, Result};

mod checksums;
pub mod column;
mod column_size;
mod footer;
mod huge_page_writer;
mod lost_pages;
mod mapping;
pub(crate) mod plain_text;
mod storage;
#[cfg(test)]
mod tests;
mod write;
pub mod zone;

use checksums::Checksums;
pub use checksums::{ChecksumWriter, FooterMark};
use column::ColumnValues;
use footer::{BatchBlock, Footer};
pub use huge_page_writer::HugePageWriter;
pub use lost_pages::Loss;
pub use mapping::Mapping;
pub(crate) use storage::restored;
pub use write::{ArrowFileWriter, ROWS_PER_BATCH, small_file};

/// Maximum bytes of decoded arrays that a file caches outside its mapping: values of a compressed or misaligned file
/// must be copied, and its readers may not hold all of it in memory.
const KEPT_COPIES_LIMIT_BYTES: usize = 16 << 20;

/// Maximum size of a batch that is decoded without a thread for it: some ten microseconds.
const AT_HAND_BYTES: usize = 64 << 10;

/// A larger file may not fit in memory: reading 2 MiB from the disk for one row would then cost more than small pages
/// do.
const HUGE_PAGES_LIMIT_BYTES: usize = 4 << 30;

/// An Arrow IPC file with random access to its batches by row number.
pub struct ArrowFile {
    path: PathBuf,
    /// None if the file is in memory.
    file: Option<File>,
    mapping: Mapping,
    checksums: Option<Checksums>,
    schema: SchemaRef,
    decoder: FileDecoder,
    blocks: Vec<BatchBlock>,
    /// First row of each batch, then the number of rows.
    starts: ScalarBuffer<u64>,
    batches: Vec<OnceLock<Arc<Batch>>>,
    kept_copies_bytes: AtomicUsize,
    is_damaged: AtomicBool,
    /// Triggered by the first read of a batch, to request huge pages; opening reads only the footer.
    is_read: Once,
}

/// Approximate memory of a column of an open file: its field and the array of a batch, without the values.
const OPEN_COLUMN_BYTES: usize = 768;

/// One decoded batch of a file.
#[derive(Debug)]
pub struct Batch {
    /// The arrays as stored in the file: decimals as 16 bytes each.
    stored: RecordBatch,
    schema: SchemaRef,
    columns: Vec<ColumnValues>,
}

impl ArrowFile {
    /// Opens a finished file. It must never be written or truncated again; it may be unlinked.
    ///
    /// # Errors
    /// `Internal`: the file cannot be opened. `Damaged`: it is not an Arrow IPC file, is truncated, or contains a type
    /// that no result has.
    pub fn open(path: &Path) -> Result<Arc<Self>> {
        let (file, mapping, footer) = read_footer(path, Loss::default())?;
        let starts = starts(path, &footer, |buffer, place| file.read_exact_at(buffer, place as u64))?;
        Self::assemble(path, Some(file), mapping, footer, starts)
    }

    /// Opens a file that is in memory, as small ones may be; `path` names it in errors.
    ///
    /// # Errors
    /// `Damaged`: as for [`open`](Self::open).
    pub fn of_bytes(path: &Path, bytes: bytes::Bytes) -> Result<Arc<Self>> {
        let mapping = Mapping::of_bytes(bytes);
        let content = mapping.buffer();
        let footer = Footer::parse(&content).map_err(|reason| corrupt(path, reason))?;
        let starts = starts(path, &footer, |buffer, place| read_exact(&content, buffer, place))?;
        Self::assemble(path, None, mapping, footer, starts)
    }

    /// Opens a file whose batches' first rows are known, without touching a batch: `starts` has the first row of each
    /// batch and then the number of rows. Each is checked when its batch is decoded. `loss` is shared by files that are
    /// only usable together: a lost page of one is a loss of all.
    pub fn open_with_starts(path: &Path, starts: ScalarBuffer<u64>, loss: Loss) -> Result<Arc<Self>> {
        let (file, mapping, footer) = read_footer(path, loss)?;
        if starts.len() != footer.blocks.len() + 1 || starts.first() != Some(&0) || !starts.is_sorted() {
            return Err(corrupt(path, "its batches are not the ones that were noted down for it"));
        }
        Self::assemble(path, Some(file), mapping, footer, starts)
    }

    fn assemble(
        path: &Path,
        file: Option<File>,
        mapping: Mapping,
        footer: Footer,
        starts: ScalarBuffer<u64>,
    ) -> Result<Arc<Self>> {
        let batches = footer.blocks.iter().map(|_| OnceLock::new()).collect();
        let decoder = footer.decoder();
        Ok(Arc::new(Self {
            path: path.to_owned(),
            file,
            mapping,
            checksums: footer.checksums,
            schema: footer.schema,
            decoder,
            blocks: footer.blocks,
            starts,
            batches,
            kept_copies_bytes: AtomicUsize::new(0),
            is_damaged: AtomicBool::new(false),
            is_read: Once::new(),
        }))
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Size of the file, bytes.
    pub fn size_bytes(&self) -> u64 {
        self.mapping.length_bytes() as u64
    }

    /// Approximate memory of its columns' schema and arrays if nobody else has the file open, otherwise none.
    pub(crate) fn exclusive_bytes(self: &Arc<Self>) -> usize {
        if Arc::strong_count(self) == 1 { self.schema.fields().len() * OPEN_COLUMN_BYTES } else { 0 }
    }

    /// Names and Arrow types of the columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Number of rows of all batches.
    pub fn num_rows(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Number of batches.
    pub fn num_batches(&self) -> usize {
        self.blocks.len()
    }

    /// The row numbers of a batch; empty after the last batch.
    pub fn rows_of_batch(&self, batch: usize) -> Range<u64> {
        match (self.starts.get(batch), self.starts.get(batch + 1)) {
            (Some(&start), Some(&end)) => start..end,
            _ => self.num_rows()..self.num_rows(),
        }
    }

    /// The batch that contains a row, and the row's position in it.
    pub fn locate(&self, row: u64) -> Option<(usize, usize)> {
        if row >= self.num_rows() {
            return None;
        }
        // In files with batches of one size (except the last), as written here, a division finds the row.
        let size = self.starts[1].max(1);
        let even = usize::try_from(row / size).unwrap_or(usize::MAX);
        let batch = match self.starts.get(even..).and_then(<[u64]>::first_chunk) {
            Some([start, end]) if (*start..*end).contains(&row) => even,
            // Batches may be empty: the row is in the last one that starts at or before it.
            _ => self.starts.partition_point(|&start| start <= row) - 1,
        };
        Some((batch, (row - self.starts[batch]) as usize))
    }

    /// A batch by its number: decoded and validated the first time, then cached.
    ///
    /// # Errors
    /// `Damaged`: the batch is not as written, or there is no such batch.
    pub fn batch(&self, index: usize) -> Result<Arc<Batch>> {
        let kept =
            self.batches.get(index).ok_or_else(|| corrupt(&self.path, format!("it has no batch {index}")))?;
        if let Some(batch) = kept.get() {
            return Ok(Arc::clone(batch));
        }
        self.is_read.call_once(|| {
            if !self.mapping.is_in_memory() && self.mapping.length_bytes() <= HUGE_PAGES_LIMIT_BYTES {
                self.mapping.prefer_huge_pages();
            }
        });
        let batch = Arc::new(self.decode_batch(index)?);
        let copied_bytes = self.mapping.bytes_outside(&batch.stored);
        if copied_bytes > 0 {
            let before = self.kept_copies_bytes.fetch_add(copied_bytes, Ordering::Relaxed);
            if before + copied_bytes > KEPT_COPIES_LIMIT_BYTES {
                self.kept_copies_bytes.fetch_sub(copied_bytes, Ordering::Relaxed);
                return Ok(batch);
            }
        }
        // Two readers may decode concurrently; the first one's batch is kept.
        Ok(Arc::clone(kept.get_or_init(|| batch)))
    }

    /// Size of a batch in the file, bytes.
    pub(crate) fn bytes_of_batch(&self, index: usize) -> usize {
        self.blocks.get(index).map_or(0, |block| block.range().len())
    }

    /// Whether a batch is decoded and cached.
    pub fn is_decoded(&self, index: usize) -> bool {
        self.batches.get(index).is_some_and(|batch| batch.get().is_some())
    }

    /// Whether a batch can be read at once, without the disk and with little work: it is decoded, or it is small, in
    /// memory and uncompressed.
    pub fn is_at_hand(&self, index: usize) -> bool {
        self.is_decoded(index)
            || self.mapping.is_in_memory()
                && self.blocks.get(index).is_some_and(|block| {
                    block.range().len() <= AT_HAND_BYTES && block.is_plain(&self.mapping.buffer())
                })
    }

    /// Whether the values of every batch can stay in the mapping: uncompressed and aligned. Decodes the first batch.
    pub fn is_zero_copy(&self) -> Result<bool> {
        match self.num_batches() {
            0 => Ok(true),
            _ => Ok(self.mapping.bytes_outside(&self.decode_batch(0)?.stored) == 0),
        }
    }

    /// Reads the whole file and verifies its checksums; false if it has none.
    ///
    /// # Errors
    /// `Damaged`: bytes are not as written, or cannot be read.
    pub fn verify_all(&self) -> Result<bool> {
        self.verify(0..self.mapping.length_bytes())?;
        Ok(self.checksums.is_some())
    }

    fn verify(&self, range: Range<usize>) -> Result<()> {
        let Some(checksums) = &self.checksums else { return Ok(()) };
        let verified = match &self.file {
            Some(file) => checksums.verify(file, range),
            None => checksums.verify_bytes(&self.mapping.buffer()),
        };
        verified.map_err(|reason| self.damaged(reason))
    }

    /// Whether a reader has found bytes that are damaged or cannot be read.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed) || self.mapping.is_lost()
    }

    /// Runs work that reads values in place, in the mapping, and returns its result only if all pages could be read. A
    /// page that cannot be read is replaced by zeros (D128), which may also make the work panic.
    ///
    /// # Errors
    /// Those of the work; `Damaged`: pages of the file, or of another that was opened with its `Loss`, are lost.
    pub fn guarded<T, E: From<Error>>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        // OK because the caller that receives the error or the panic drops incomplete state.
        let done = catch_unwind(AssertUnwindSafe(work));
        self.check()?;
        done.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// # Errors
    /// `Damaged`: pages are lost.
    fn check(&self) -> Result<()> {
        if !self.mapping.is_lost() {
            return Ok(());
        }
        Err(self.damaged(
            "a part of it cannot be read any more: it was cut off, or the disk has lost it".to_owned(),
        ))
    }

    fn damaged(&self, reason: String) -> Error {
        self.is_damaged.store(true, Ordering::Relaxed);
        corrupt(&self.path, reason)
    }

    /// Releases the memory of a batch that a streaming reader has passed. Concurrent readers find it in the page cache.
    pub fn forget_batch(&self, index: usize) {
        if let Some(block) = self.blocks.get(index) {
            self.mapping.forget(block.range());
        }
    }

    /// As [`ArrowFile::forget_batch`], for all batches.
    pub fn forget_all(&self) {
        self.mapping.forget(0..self.mapping.length_bytes());
    }

    /// A batch by its number, decoded and validated, not cached.
    ///
    /// # Errors
    /// As [`ArrowFile::batch`].
    pub fn decode_batch(&self, index: usize) -> Result<Batch> {
        let block =
            self.blocks.get(index).ok_or_else(|| corrupt(&self.path, format!("it has no batch {index}")))?;
        let range = block.range();
        self.verify(range.clone())?;
        let buffer = self.mapping.buffer().slice_with_length(range.start, range.len());
        let row_count = self.rows_of_batch(index);
        let decoded = block.decode(&self.decoder, &buffer);
        self.check()?;
        let decoded = decoded.and_then(|record_batch| {
            if record_batch.num_rows() as u64 == row_count.end - row_count.start {
                Ok(record_batch)
            } else {
                Err(format!(
                    "it has {} rows, not {}",
                    record_batch.num_rows(),
                    row_count.end - row_count.start
                ))
            }
        });
        let stored = decoded.map_err(|reason| self.damaged(format!("batch {index}: {reason}")))?;
        let fields = self.schema.fields().iter();
        let columns = stored.columns().iter().zip(fields);
        let columns =
            columns.map(|(array, field)| ColumnValues::of_field(array, field)).collect::<Result<_>>();
        self.check()?;
        Ok(Batch { columns: columns?, stored, schema: Arc::clone(&self.schema) })
    }
}

impl Batch {
    /// The batch as Arrow arrays; decimals that are misaligned in the file are copied.
    ///
    /// # Errors
    /// `Internal`: the arrays do not match the schema, which the validation of the batch excludes.
    pub fn record_batch(&self) -> Result<RecordBatch> {
        let arrays = self.stored.columns().iter().zip(self.schema.fields());
        let arrays = arrays.map(|(array, field)| restored(array, field.data_type()));
        let options = RecordBatchOptions::new().with_row_count(Some(self.num_rows()));
        arrays
            .collect::<Result<_, _>>()
            .and_then(|arrays| RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options))
            .map_err(|error| Error::internal("cannot restore a batch", error))
    }

    /// Number of rows.
    pub fn num_rows(&self) -> usize {
        self.stored.num_rows()
    }

    /// The arrays as stored in the file: decimals as 16 bytes each.
    pub fn stored(&self) -> &RecordBatch {
        &self.stored
    }

    /// The values of a column, by its position in the schema.
    pub fn column(&self, index: usize) -> &ColumnValues {
        &self.columns[index]
    }
}

impl fmt::Debug for ArrowFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrowFile")
            .field("path", &self.path)
            .field("num_rows", &self.num_rows())
            .field("num_batches", &self.num_batches())
            .finish_non_exhaustive()
    }
}

/// Verifies the checksums of a file in memory; false if it has none.
///
/// # Errors
/// `Damaged`: bytes are not as written.
pub fn verify_bytes(file: &[u8]) -> Result<bool> {
    let damaged = |reason| Error::damaged("a stored result is damaged", reason);
    let checksums = Footer::parse(&Buffer::from(file)).map_err(damaged)?.checksums;
    let Some(checksums) = checksums else { return Ok(false) };
    checksums.verify_bytes(file).map_err(damaged)?;
    Ok(true)
}

/// The first row of each batch, then the number of rows; `read` fills a buffer with the file's bytes from an offset on.
fn starts(
    path: &Path,
    footer: &Footer,
    read: impl Fn(&mut [u8], usize) -> io::Result<()>,
) -> Result<ScalarBuffer<u64>> {
    let mut starts = Vec::with_capacity(footer.blocks.len() + 1);
    let mut start = 0_u64;
    for block in &footer.blocks {
        starts.push(start);
        start = start
            .checked_add(block.row_count(&read).map_err(|reason| corrupt(path, reason))?)
            .ok_or_else(|| corrupt(path, "its batches have too many rows"))?;
    }
    starts.push(start);
    Ok(starts.into())
}

fn read_exact(content: &[u8], buffer: &mut [u8], place: usize) -> io::Result<()> {
    let bytes = content.get(place..).and_then(|rest| rest.get(..buffer.len()));
    buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
    Ok(())
}

fn read_footer(path: &Path, loss: Loss) -> Result<(File, Mapping, Footer)> {
    let file = File::open(path).map_err(|error| cannot_open(path, error))?;
    let mapping = Mapping::of(&file, loss).map_err(|error| cannot_open(path, error))?;
    let buffer: Buffer = mapping.buffer();
    let footer = Footer::parse(&buffer).map_err(|reason| corrupt(path, reason))?;
    if mapping.is_lost() {
        return Err(corrupt(path, "its end cannot be read"));
    }
    Ok((file, mapping, footer))
}

fn cannot_open(path: &Path, error: io::Error) -> Error {
    Error::internal(format!("cannot open {}", path.display()), error)
}

fn corrupt(path: &Path, reason: impl Into<String>) -> Error {
    Error::damaged(format!("{} is not a usable Arrow IPC file", path.display()), reason.into())
}
