//! Spilled rows: unnamed Arrow files, which are deleted when they are closed, regardless of how the process ends.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use polars::lazy::dsl::ScanSources;
use polars::prelude::{DataFrame, LazyFrame, PolarsError, PolarsResult};
use rowhouse_model::{ErrorCode, QueryError};

use super::batch_writer::BatchWriter;
use super::failure;
use super::scan::arrow_frame;
use rowhouse_executor::{SpillLimits, memory_limit_exceeded};

mod divide;
mod place;

pub(super) use divide::Rows;
use place::Samples;
pub(super) use place::{KeyOrder, Placement};

/// Divisor of a statement's memory: the maximum for the rows of one operator. Structures built from them take several
/// times as much, and several operators of a statement run at a time.
const OPERATOR_PART: u64 = 32;
/// Size of a file's write buffer in bytes.
const BUFFER_BYTES: usize = 64 << 10;

/// The files of a statement on disk, and their limits.
#[derive(Debug)]
pub(crate) struct Spill {
    folder: PathBuf,
    limits: SpillLimits,
    on_disk_bytes: AtomicU64,
    written_bytes: AtomicU64,
}

impl Spill {
    /// Creates the state of a statement whose files are created in this folder.
    pub(crate) fn new(folder: PathBuf, limits: SpillLimits) -> Arc<Self> {
        let (on_disk_bytes, written_bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Self { folder, limits, on_disk_bytes, written_bytes })
    }

    /// Bytes written so far, including those of deleted files.
    pub(crate) fn written_bytes(&self) -> u64 {
        self.written_bytes.load(Ordering::Relaxed)
    }

    /// Maximum number of bytes of rows that one operator holds in memory.
    pub(super) fn operator_bytes(&self) -> u64 {
        (self.limits.memory_bytes / OPERATOR_PART).max(1)
    }

    /// The error of a statement that exceeds its memory limit and has nothing to spill.
    pub(super) fn memory_limit_error(&self) -> QueryError {
        QueryError::new(ErrorCode::ExceededMemoryLimit, memory_limit_exceeded(self.limits.memory_bytes))
    }

    /// Converts an error of writing to the statement's error.
    fn failed(&self, error: PolarsError) -> PolarsError {
        let PolarsError::IO { error, .. } = &error else { return error };
        let why = if error.get_ref().is_some_and(|inner| inner.is::<LimitReached>()) {
            format!("the {} MiB that it may spill to disk are used up", self.limits.disk_bytes >> 20)
        } else {
            format!("it cannot spill to disk: {error}")
        };
        let what = format!("{}, and {why}", memory_limit_exceeded(self.limits.memory_bytes));
        failure::raise(ErrorCode::ExceededMemoryLimit, what)
    }
}

/// The statement has reached its limit of spilled bytes.
#[derive(Debug)]
struct LimitReached;

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the limit on what is spilled is reached")
    }
}

impl std::error::Error for LimitReached {}

/// A file whose bytes are counted.
#[derive(Debug)]
struct Metered {
    file: File,
    bytes: u64,
    spill: Arc<Spill>,
}

impl Metered {
    fn create(spill: &Arc<Spill>) -> io::Result<Self> {
        Ok(Self { file: tempfile::tempfile_in(&spill.folder)?, bytes: 0, spill: Arc::clone(spill) })
    }
}

impl Write for Metered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        let count = written as u64;
        self.bytes += count;
        self.spill.written_bytes.fetch_add(count, Ordering::Relaxed);
        let on_disk = self.spill.on_disk_bytes.fetch_add(count, Ordering::Relaxed) + count;
        if on_disk > self.spill.limits.disk_bytes {
            return Err(io::Error::other(LimitReached));
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Metered {
    fn drop(&mut self) {
        self.spill.on_disk_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Writes rows to a file, which is created for the first rows.
#[derive(Default)]
struct SpillWriter {
    writer: Option<BatchWriter<BufWriter<Metered>>>,
    rows: u64,
}

impl SpillWriter {
    fn write(&mut self, spill: &Arc<Spill>, frame: DataFrame) -> PolarsResult<()> {
        let height = frame.height() as u64;
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                let file = Metered::create(spill).map_err(|error| spill.failed(error.into()))?;
                let file = BufWriter::with_capacity(BUFFER_BYTES, file);
                self.writer
                    .insert(BatchWriter::new(file, frame.schema()).map_err(|error| spill.failed(error))?)
            }
        };
        writer.write(frame).map_err(|error| spill.failed(error))?;
        self.rows += height;
        Ok(())
    }

    /// The file; `None` if there are no rows.
    fn finish(self, spill: &Spill) -> PolarsResult<Option<SpillFile>> {
        let Some(writer) = self.writer else { return Ok(None) };
        let file = writer.finish().map_err(|error| spill.failed(error))?;
        let file = file.into_inner().map_err(|error| spill.failed(error.into_error().into()))?;
        Ok(Some(SpillFile { file, rows: self.rows }))
    }
}

/// Rows on disk; at least one.
#[derive(Debug)]
pub(crate) struct SpillFile {
    file: Metered,
    rows: u64,
}

impl SpillFile {
    /// The number of rows.
    pub(super) const fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes on disk, which approximate those of the rows in memory.
    pub(super) const fn bytes(&self) -> u64 {
        self.file.bytes
    }

    /// The rows of files in order; the frame holds the files open. There is at least one file, and all have the same
    /// columns.
    pub(super) fn frame(files: &[Self]) -> PolarsResult<LazyFrame> {
        let opened =
            files.iter().map(|file| file.file.file.try_clone()).collect::<io::Result<Vec<File>>>()?;
        arrow_frame(ScanSources::Files(opened.into()))
    }
}
