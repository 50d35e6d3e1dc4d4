//! Rows as a Parquet file, Snappy-compressed, one row group after the other. Names are made unique as in
//! objects (D18): readers find columns by name.

use std::sync::Arc;

use arrow_schema::SchemaRef;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::batches::Batches;
use super::names::unique_names;
use super::selection::RowSelection;
use super::{CHUNK_BYTES, ChunkSource, Envelope, ProjectedColumn};
use crate::arrow_file::ArrowFile;
use crate::{Error, Result};

pub(super) mod milliseconds;

/// A row group is written when it has so many rows, or so many bytes: it is in memory until then.
const ROW_GROUP_ROWS: usize = 128 << 10;
const ROW_GROUP_BYTES: usize = 8 << 20;

/// Encodes rows as Parquet.
pub(super) struct ParquetRows {
    batches: Batches,
    /// Where the columns are not written as they are stored.
    schema: Option<SchemaRef>,
    /// None after the end.
    writer: Option<ArrowWriter<Vec<u8>>>,
    prefix: Vec<u8>,
    suffix: Vec<u8>,
}

impl ParquetRows {
    pub(super) fn new(
        file: Arc<ArrowFile>,
        columns: &[ProjectedColumn],
        selection: RowSelection,
        envelope: Envelope,
    ) -> Result<Self> {
        let indexes = columns.iter().map(|column| column.index);
        let batches = Batches::new(file, unique_names(columns).into_iter().zip(indexes), selection);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
            .build();
        let schema = milliseconds::schema(batches.schema());
        let written = Arc::clone(schema.as_ref().unwrap_or_else(|| batches.schema()));
        let writer = ArrowWriter::try_new(Vec::new(), written, Some(properties));
        let Envelope { prefix, suffix } = envelope;
        Ok(Self { batches, schema, writer: Some(writer.map_err(failed)?), prefix, suffix })
    }
}

impl ChunkSource for ParquetRows {
    fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        let Some(mut writer) = self.writer.take() else { return Ok(None) };
        let mut chunk = std::mem::take(&mut self.prefix);
        while let Some(mut batch) = self.batches.next_batch()? {
            if let Some(schema) = &self.schema {
                batch = milliseconds::batch(&batch, schema).map_err(|error| failed(error.into()))?;
            }
            writer.write(&batch).map_err(failed)?;
            if writer.in_progress_size() >= ROW_GROUP_BYTES {
                writer.flush().map_err(failed)?;
            }
            // What is left in the writer's own buffer comes with a later chunk.
            if writer.inner().len() >= CHUNK_BYTES {
                chunk.append(writer.inner_mut());
                self.writer = Some(writer);
                return Ok(Some(chunk.into()));
            }
        }
        writer.finish().map_err(failed)?;
        writer.sync().map_err(|error| Error::internal("cannot encode rows as Parquet", error))?;
        chunk.append(writer.inner_mut());
        chunk.append(&mut self.suffix);
        Ok(Some(chunk.into()))
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
