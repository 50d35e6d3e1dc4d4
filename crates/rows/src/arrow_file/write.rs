//! Writes a result file in the form that every executor must produce: Arrow IPC, uncompressed, batches of one size,
//! values aligned so that readers need not copy them.

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::MetadataVersion;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::concat::concat_batches;

use super::{ChecksumWriter, FooterMark, HugePageWriter};
use crate::{Error, Result};

/// Rows of every batch but the last.
pub const ROWS_PER_BATCH: usize = 8192;

/// Alignment of values, bytes: a cache line, which also suffices for the widest value.
const ALIGNMENT_BYTES: usize = 64;

/// Alignment of values in a file of few rows: what the widest value needs.
const SMALL_ALIGNMENT_BYTES: usize = 16;

/// The bytes of a file with one batch, which has at most [`ROWS_PER_BATCH`] rows.
///
/// # Errors
/// `Internal`: a column has a type that no file has.
pub fn small_file(batch: &RecordBatch) -> Result<Vec<u8>> {
    let options =
        IpcWriteOptions::try_new(SMALL_ALIGNMENT_BYTES, false, MetadataVersion::V5).map_err(failed)?;
    let (file, footer) = ChecksumWriter::new(Vec::new());
    let mut writer = FileWriter::try_new_with_options(file, &batch.schema(), options).map_err(failed)?;
    writer.write(batch).map_err(failed)?;
    footer.set();
    writer.finish().map_err(failed)?;
    let file = writer.into_inner().map_err(failed)?;
    file.seal().map_err(|error| failed(error.into()))
}

/// Writes batches of any size as batches of [`ROWS_PER_BATCH`] rows. The caller names, syncs and renames.
pub struct ArrowFileWriter {
    writer: FileWriter<ChecksumWriter<HugePageWriter<File>>>,
    footer: FooterMark,
    schema: SchemaRef,
    /// Buffered rows, fewer than [`ROWS_PER_BATCH`].
    waiting: Vec<RecordBatch>,
    waiting_rows: usize,
    rows_per_batch: usize,
    row_count: u64,
}

impl ArrowFileWriter {
    /// Creates the file; an existing one is replaced.
    ///
    /// # Errors
    /// `Internal`: the file cannot be written.
    pub fn create(path: &Path, schema: SchemaRef) -> Result<Self> {
        let file = File::create(path)
            .map_err(|error| Error::internal(format!("cannot create {}", path.display()), error))?;
        let options =
            IpcWriteOptions::try_new(ALIGNMENT_BYTES, false, MetadataVersion::V5).map_err(failed)?;
        let (file, footer) = ChecksumWriter::new(HugePageWriter::new(file, 0));
        let writer = FileWriter::try_new_with_options(file, &schema, options).map_err(failed)?;
        Ok(Self {
            writer,
            footer,
            schema,
            waiting: Vec::new(),
            waiting_rows: 0,
            rows_per_batch: ROWS_PER_BATCH,
            row_count: 0,
        })
    }

    /// Writes batches of another size, at least one row: for tests of batch boundaries.
    #[must_use]
    pub fn with_rows_per_batch(mut self, rows_per_batch: usize) -> Self {
        self.rows_per_batch = rows_per_batch.max(1);
        self
    }

    /// Adds rows.
    ///
    /// # Errors
    /// `Internal`: the disk is full, or the batch has another schema.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.row_count += batch.num_rows() as u64;
        let mut start = 0;
        while start < batch.num_rows() {
            let length = (self.rows_per_batch - self.waiting_rows).min(batch.num_rows() - start);
            self.waiting.push(batch.slice(start, length));
            self.waiting_rows += length;
            start += length;
            if self.waiting_rows == self.rows_per_batch {
                self.write_waiting()?;
            }
        }
        Ok(())
    }

    /// Writes the buffered rows as a batch, so that they take no memory.
    ///
    /// # Errors
    /// `Internal`: the disk is full.
    pub fn flush(&mut self) -> Result<()> {
        if self.waiting_rows > 0 { self.write_waiting() } else { Ok(()) }
    }

    /// Writes the rest, the footer and the checksums, syncs the file and returns the number of rows.
    ///
    /// # Errors
    /// `Internal`: the disk is full.
    pub fn finish(mut self) -> Result<u64> {
        if self.waiting_rows > 0 {
            self.write_waiting()?;
        }
        self.footer.set();
        self.writer.finish().map_err(failed)?;
        let file = self.writer.into_inner().map_err(failed)?;
        let file = file.seal().map_err(|error| failed(error.into()))?.into_inner();
        file.sync_all().map_err(|error| failed(error.into()))?;
        Ok(self.row_count)
    }

    fn write_waiting(&mut self) -> Result<()> {
        let batch = match &self.waiting[..] {
            [batch] => batch.clone(),
            batches => concat_batches(&self.schema, batches).map_err(failed)?,
        };
        let batch = batch.with_schema(Arc::clone(&self.schema)).map_err(failed)?;
        self.waiting.clear();
        self.waiting_rows = 0;
        self.writer.write(&batch).map_err(failed)
    }
}

impl fmt::Debug for ArrowFileWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrowFileWriter").field("row_count", &self.row_count).finish_non_exhaustive()
    }
}

fn failed(error: ArrowError) -> Error {
    Error::internal("cannot write a result file", error)
}
