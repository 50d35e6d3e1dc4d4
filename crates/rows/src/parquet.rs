//! Rows as a Parquet file, compressed with Snappy, one row group after the other. Names are made unique as in objects
//! (D18): readers find columns by name.

use std::sync::Arc;

use arrow_schema::SchemaRef;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::batches::Batches;
use super::names::unique_names;
use super::projected_column::names;
use super::selection::RowSelection;
use super::{Budget, CHUNK_BYTES, CHUNK_MEMORY_BYTES, ChunkSource, Envelope, Progress, ProjectedColumn};
use crate::arrow_file::ArrowFile;
use crate::{Error, Result};

pub(super) mod milliseconds;

/// Maximum number of rows of a row group; bytes are limited as well, because it is in memory until it is written.
const ROW_GROUP_ROWS: usize = 128 << 10;
const ROW_GROUP_BYTES: usize = 8 << 20;
/// Cost of encoding per value and per produced byte, in steps of a budget: dictionary look-ups and compression of
/// pages.
const STEPS_PER_VALUE: usize = 16;
const STEPS_PER_BYTE: usize = 4;

/// Memory of a row group in proportion to the bytes of its rows: encoded, compressed, and written.
const ROW_GROUP_COPIES: usize = 4;
/// Memory of a column's writer without rows: mostly the table of its dictionary.
const COLUMN_WRITER_BYTES: usize = 24 << 10;
const DICTIONARY_BYTES: usize = 80 << 10;
/// With more columns than this no dictionaries are used.
const MAX_DICTIONARIES: usize = 128;

/// Encodes rows as Parquet.
pub(super) struct ParquetRows {
    batches: Batches,
    /// The written schema, if it differs from the stored one.
    schema: Option<SchemaRef>,
    /// None after the end.
    writer: Option<ArrowWriter<Vec<u8>>>,
    prefix: Vec<u8>,
    suffix: Vec<u8>,
    /// Maximum bytes of the rows.
    file_bytes: usize,
    column_count: usize,
    /// The announced memory of the row group.
    told_bytes: usize,
}

impl ParquetRows {
    pub(super) fn new(
        file: Arc<ArrowFile>,
        columns: &[ProjectedColumn],
        selection: RowSelection,
        envelope: Envelope,
    ) -> Result<Self> {
        let indexes = columns.iter().map(|column| column.index);
        let file_bytes = usize::try_from(file.size_bytes()).unwrap_or(usize::MAX);
        let batches = Batches::new(file, unique_names(&names(columns)).into_iter().zip(indexes), selection);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
            .set_dictionary_enabled(columns.len() <= MAX_DICTIONARIES)
            .build();
        let schema = milliseconds::schema(batches.schema());
        let written = Arc::clone(schema.as_ref().unwrap_or_else(|| batches.schema()));
        let writer = ArrowWriter::try_new(Vec::new(), written, Some(properties));
        let Envelope { prefix, suffix } = envelope;
        let writer = Some(writer.map_err(failed)?);
        let column_count = columns.len();
        let mut rows =
            Self { batches, schema, writer, prefix, suffix, file_bytes, column_count, told_bytes: 0 };
        rows.told_bytes = rows.row_group_bytes(0);
        Ok(rows)
    }

    /// Memory of a row group with rows of this many bytes.
    fn row_group_bytes(&self, bytes: usize) -> usize {
        let rows = bytes.max(ROW_GROUP_BYTES).min(self.file_bytes);
        let has_dictionary = self.column_count <= MAX_DICTIONARIES;
        let column = COLUMN_WRITER_BYTES + if has_dictionary { DICTIONARY_BYTES } else { 0 };
        CHUNK_MEMORY_BYTES + ROW_GROUP_COPIES * rows + column * self.column_count
    }

    /// The bytes written so far, without those in the writer's own buffer, which come with a later chunk.
    fn take_written(&mut self, writer: &mut ArrowWriter<Vec<u8>>) -> Vec<u8> {
        let mut chunk = std::mem::take(&mut self.prefix);
        if chunk.is_empty() {
            // With its allocation: for a row group, that is megabytes.
            return std::mem::take(writer.inner_mut());
        }
        chunk.append(writer.inner_mut());
        chunk
    }
}

impl ChunkSource for ParquetRows {
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>> {
        let Some(mut writer) = self.writer.take() else { return Ok(Progress::Done(None)) };
        loop {
            let piece = match self.batches.next_piece(budget)? {
                Progress::Paused => break,
                Progress::Done(piece) => piece,
            };
            let needed_bytes = piece.map_or(0, |piece| self.row_group_bytes(piece.bytes));
            if needed_bytes > self.told_bytes {
                self.told_bytes = needed_bytes;
                // A waiter for memory must hold none meanwhile, or all could wait for each other.
                writer.flush().map_err(failed)?;
                let chunk = self.take_written(&mut writer);
                self.writer = Some(writer);
                return Ok(Progress::Done(Some(chunk.into())));
            }
            let batch = match self.batches.next_batch(budget)? {
                Progress::Paused => break,
                Progress::Done(batch) => batch,
            };
            let Some(batch) = batch else {
                writer.finish().map_err(failed)?;
                writer.sync().map_err(|error| Error::internal("cannot encode rows as Parquet", error))?;
                let mut chunk = self.take_written(&mut writer);
                chunk.append(&mut self.suffix);
                return Ok(Progress::Done(Some(chunk.into())));
            };
            let batch = match &self.schema {
                Some(schema) => {
                    milliseconds::batch(&batch.rows, schema).map_err(|error| failed(error.into()))?
                }
                None => batch.rows,
            };
            let before = writer.in_progress_size() + writer.inner().len();
            writer.write(&batch).map_err(failed)?;
            let written = (writer.in_progress_size() + writer.inner().len()).saturating_sub(before);
            let values = batch.num_rows() * batch.num_columns();
            budget.spend((values * STEPS_PER_VALUE + written * STEPS_PER_BYTE) as u64);
            if writer.in_progress_size() >= ROW_GROUP_BYTES {
                writer.flush().map_err(failed)?;
            }
            if writer.inner().len() >= CHUNK_BYTES {
                let chunk = self.take_written(&mut writer);
                self.writer = Some(writer);
                self.told_bytes = self.row_group_bytes(0);
                return Ok(Progress::Done(Some(chunk.into())));
            }
            if budget.is_spent() {
                break;
            }
        }
        self.writer = Some(writer);
        Ok(Progress::Paused)
    }

    /// A chunk is a row group: its rows are in memory until it is full.
    fn next_chunk_bytes(&self) -> usize {
        if self.writer.is_some() { self.told_bytes } else { CHUNK_MEMORY_BYTES }
    }

    fn held_bytes(&self) -> usize {
        let writer = self.writer.as_ref();
        writer.map_or(0, |writer| writer.memory_size() + writer.inner().capacity())
    }
}

fn failed(error: ParquetError) -> Error {
    match error {
        ParquetError::NYI(what) | ParquetError::ArrowError(what) => {
            Error::new(crate::ErrorKind::NotSupported, format!("Parquet cannot hold these columns: {what}"))
        }
        error => Error::internal("cannot encode rows as Parquet", error),
    }
}
