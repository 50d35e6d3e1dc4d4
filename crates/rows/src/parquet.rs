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
use super::{Budget, CHUNK_BYTES, ChunkSource, Envelope, Progress, ProjectedColumn};
use crate::arrow_file::ArrowFile;
use crate::{Error, Result};

pub(super) mod milliseconds;

/// A row group is written when it has so many rows, or so many bytes: it is in memory until then.
const ROW_GROUP_ROWS: usize = 128 << 10;
const ROW_GROUP_BYTES: usize = 8 << 20;
/// What encoding takes for each value and for each byte that it makes, in steps of a budget: dictionaries are looked up
/// and pages compressed.
const STEPS_PER_VALUE: usize = 16;
const STEPS_PER_BYTE: usize = 4;

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
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>> {
        let Some(mut writer) = self.writer.take() else { return Ok(Progress::Done(None)) };
        while let Progress::Done(batch) = self.batches.next_batch(budget)? {
            let Some(batch) = batch else {
                writer.finish().map_err(failed)?;
                writer.sync().map_err(|error| Error::internal("cannot encode rows as Parquet", error))?;
                let mut chunk = std::mem::take(&mut self.prefix);
                chunk.append(writer.inner_mut());
                chunk.append(&mut self.suffix);
                return Ok(Progress::Done(Some(chunk.into())));
            };
            let batch = match &self.schema {
                Some(schema) => milliseconds::batch(&batch, schema).map_err(|error| failed(error.into()))?,
                None => batch,
            };
            let before = writer.in_progress_size() + writer.inner().len();
            writer.write(&batch).map_err(failed)?;
            let written = (writer.in_progress_size() + writer.inner().len()).saturating_sub(before);
            let values = batch.num_rows() * batch.num_columns();
            budget.spend((values * STEPS_PER_VALUE + written * STEPS_PER_BYTE) as u64);
            if writer.in_progress_size() >= ROW_GROUP_BYTES {
                writer.flush().map_err(failed)?;
            }
            // What is left in the writer's own buffer comes with a later chunk.
            if writer.inner().len() >= CHUNK_BYTES {
                let mut chunk = std::mem::take(&mut self.prefix);
                chunk.append(writer.inner_mut());
                self.writer = Some(writer);
                return Ok(Progress::Done(Some(chunk.into())));
            }
            if budget.is_spent() {
                break;
            }
        }
        self.writer = Some(writer);
        Ok(Progress::Paused)
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
