//! Rows as a Parquet file, Snappy-compressed, one row group after the other. Names are made unique as in
//! objects (D18): readers find columns by name.

use std::sync::Arc;

use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::batches::Batches;
use super::names::unique_names;
use super::selection::RowSelection;
use super::{CHUNK_BYTES, CHUNK_MEMORY_BYTES, ChunkSource, Envelope, ProjectedColumn};
use crate::arrow_file::ArrowFile;
use crate::{Error, Result};

/// A row group is written when it has so many rows, or so many bytes: it is in memory until then.
const ROW_GROUP_ROWS: usize = 128 << 10;
const ROW_GROUP_BYTES: usize = 8 << 20;
/// Memory of a row group against the bytes of its rows: those that are encoded, compressed, and written.
const ROW_GROUP_COPIES: usize = 4;
/// What the writer of a column takes before it has a row: most of it is the table of its dictionary.
const COLUMN_WRITER_BYTES: usize = 24 << 10;
const DICTIONARY_BYTES: usize = 80 << 10;
/// With more columns than this they have no dictionaries.
const MAX_DICTIONARIES: usize = 128;

/// Encodes rows as Parquet.
pub(super) struct ParquetRows {
    batches: Batches,
    /// None after the end.
    writer: Option<ArrowWriter<Vec<u8>>>,
    prefix: Vec<u8>,
    suffix: Vec<u8>,
    /// What the rows take at most.
    file_bytes: usize,
    column_count: usize,
    /// What is told that the row group takes.
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
        let batches = Batches::new(file, unique_names(columns).into_iter().zip(indexes), selection);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
            .set_dictionary_enabled(columns.len() <= MAX_DICTIONARIES)
            .build();
        let writer = ArrowWriter::try_new(Vec::new(), Arc::clone(batches.schema()), Some(properties));
        let Envelope { prefix, suffix } = envelope;
        let writer = Some(writer.map_err(failed)?);
        let column_count = columns.len();
        let mut rows = Self { batches, writer, prefix, suffix, file_bytes, column_count, told_bytes: 0 };
        rows.told_bytes = rows.row_group_bytes(0);
        Ok(rows)
    }
}

impl ParquetRows {
    /// Memory of a row group with a row, or rows, of so many bytes in it.
    fn row_group_bytes(&self, bytes: usize) -> usize {
        let rows = bytes.max(ROW_GROUP_BYTES).min(self.file_bytes);
        let has_dictionary = self.column_count <= MAX_DICTIONARIES;
        let column = COLUMN_WRITER_BYTES + if has_dictionary { DICTIONARY_BYTES } else { 0 };
        CHUNK_MEMORY_BYTES + ROW_GROUP_COPIES * rows + column * self.column_count
    }
}

impl ChunkSource for ParquetRows {
    fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        let Some(mut writer) = self.writer.take() else { return Ok(None) };
        let mut chunk = std::mem::take(&mut self.prefix);
        while let Some(piece) = self.batches.next_piece()? {
            let needed_bytes = self.row_group_bytes(piece.bytes);
            if needed_bytes > self.told_bytes {
                self.told_bytes = needed_bytes;
                self.writer = Some(writer);
                return Ok(Some(chunk.into()));
            }
            if let Some(batch) = self.batches.next_batch()? {
                writer.write(&batch).map_err(failed)?;
            }
            if writer.in_progress_size() >= ROW_GROUP_BYTES {
                writer.flush().map_err(failed)?;
            }
            // What is left in the writer's own buffer comes with a later chunk.
            if writer.inner().len() >= CHUNK_BYTES {
                put_written(&mut chunk, writer.inner_mut());
                self.writer = Some(writer);
                self.told_bytes = self.row_group_bytes(0);
                return Ok(Some(chunk.into()));
            }
        }
        writer.finish().map_err(failed)?;
        writer.sync().map_err(|error| Error::internal("cannot encode rows as Parquet", error))?;
        put_written(&mut chunk, writer.inner_mut());
        chunk.append(&mut self.suffix);
        Ok(Some(chunk.into()))
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

/// Takes what is written off the writer, with the memory that it lies in: of a row group, that is megabytes.
fn put_written(chunk: &mut Vec<u8>, written: &mut Vec<u8>) {
    if chunk.is_empty() {
        *chunk = std::mem::take(written);
    } else {
        chunk.append(written);
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
