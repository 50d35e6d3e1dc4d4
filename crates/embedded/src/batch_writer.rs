//! Writes rows as an Arrow IPC file, batch by batch: no views, no dictionaries, no compression.

use std::io::Write;
use std::sync::Arc;

use polars::prelude::{Column, CompatLevel, DataFrame, PolarsResult, Schema};
use polars_arrow::datatypes::ArrowSchema;
use polars_arrow::io::ipc::write::{FileWriter, WriteOptions};
use polars_arrow::record_batch::RecordBatchT;

use super::stored_type::StoredColumns;

/// A file that is being written.
pub(super) struct BatchWriter<W: Write> {
    writer: FileWriter<W>,
    schema: Arc<ArrowSchema>,
    /// The columns of a result; `None` for files that only Polars reads.
    columns: Option<StoredColumns>,
}

impl<W: Write> BatchWriter<W> {
    /// Begins a file with these columns in Polars' storage.
    pub(super) fn new(file: W, schema: &Schema) -> PolarsResult<Self> {
        let schema = schema.iter().map(|(name, data_type)| {
            (name.clone(), data_type.to_arrow_field(name.clone(), CompatLevel::oldest()))
        });
        Self::begin(file, Arc::new(schema.collect()), None)
    }

    /// Begins a result file.
    pub(super) fn of_result(file: W, columns: StoredColumns) -> PolarsResult<Self> {
        Self::begin(file, Arc::clone(&columns.schema), Some(columns))
    }

    fn begin(file: W, schema: Arc<ArrowSchema>, columns: Option<StoredColumns>) -> PolarsResult<Self> {
        let options = WriteOptions { compression: None };
        let writer = FileWriter::try_new(file, Arc::clone(&schema), None, options)?;
        Ok(Self { writer, schema, columns })
    }

    /// Writes the rows as one batch; an empty frame has no batch.
    pub(super) fn write(&mut self, mut frame: DataFrame) -> PolarsResult<()> {
        let height = frame.height();
        if height == 0 {
            return Ok(());
        }
        frame.rechunk_mut();
        let arrays = frame
            .columns()
            .iter()
            .map(|column: &Column| column.as_materialized_series().to_arrow(0, CompatLevel::oldest()))
            .collect();
        let arrays = match &self.columns {
            Some(columns) => columns.stored(arrays),
            None => arrays,
        };
        let batch = RecordBatchT::try_new(height, Arc::clone(&self.schema), arrays)?;
        self.writer.write(&batch, None)
    }

    /// Writes the footer, flushes and returns the file.
    pub(super) fn finish(mut self) -> PolarsResult<W> {
        self.writer.finish()?;
        Ok(self.writer.into_inner())
    }
}
