//! Builds batches from the rows of Trino's pages: decoded from JSON directly into columns, returned as batches of the
//! file's size, or smaller ones if rows are large.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use rowhouse_model::Column;

use super::json::{Json, Read};
use rowhouse_rows::arrow_file::ROWS_PER_BATCH;

mod builder;
mod value;
mod value_text;
mod value_type;

use builder::Builder;
pub(super) use value_type::ValueType;

/// JSON bytes of rows after which a batch is closed early, so that large rows do not accumulate in memory.
const BYTES_PER_BATCH: usize = 8 << 20;

/// The batch under construction.
#[derive(Debug)]
pub(super) struct Rows {
    schema: SchemaRef,
    builders: Vec<Builder>,
    row_count: usize,
    /// JSON bytes of the pages since the last batch.
    bytes: usize,
    full: Vec<RecordBatch>,
}

impl Rows {
    /// Creates the builders of a result with these columns.
    pub(super) fn new(columns: &[Column]) -> Self {
        let types: Vec<ValueType> =
            columns.iter().map(|column| ValueType::of(&column.type_signature)).collect();
        let fields = columns.iter().zip(&types);
        let fields: Vec<Field> =
            fields.map(|(column, value_type)| value_type.field(&column.name, true)).collect();
        let builders = types.into_iter().map(Builder::new).collect();
        Self { schema: Arc::new(Schema::new(fields)), builders, row_count: 0, bytes: 0, full: Vec::new() }
    }

    /// Parses an array of rows.
    pub(super) fn read(&mut self, json: &mut Json<'_>) -> Read<()> {
        json.expect(b'[')?;
        let mut has_another = json.has_first(b']');
        while has_another {
            value::read_row(&mut self.builders, json)?;
            self.row_count += 1;
            if self.row_count == ROWS_PER_BATCH {
                self.close().map_err(|error| json.malformed(error))?;
            }
            has_another = json.has_another(b']')?;
        }
        Ok(())
    }

    /// Names and Arrow types of the columns.
    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Number of rows since the last batch and in full batches.
    pub(super) fn waiting(&self) -> usize {
        self.row_count + self.full.iter().map(RecordBatch::num_rows).sum::<usize>()
    }

    /// Records that a page of this many bytes was parsed; returns the batches to write now.
    pub(super) fn take_full(&mut self, page_bytes: usize) -> Result<Vec<RecordBatch>, ArrowError> {
        self.bytes += page_bytes;
        if self.bytes >= BYTES_PER_BATCH && self.row_count > 0 {
            self.close()?;
        }
        Ok(std::mem::take(&mut self.full))
    }

    /// The last batch, if there is one.
    pub(super) fn take_rest(&mut self) -> Result<Vec<RecordBatch>, ArrowError> {
        if self.row_count > 0 {
            self.close()?;
        }
        Ok(std::mem::take(&mut self.full))
    }

    fn close(&mut self) -> Result<(), ArrowError> {
        let arrays = self.builders.iter_mut().map(Builder::finish).collect::<Result<_, _>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(self.row_count));
        self.full.push(RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)?);
        (self.row_count, self.bytes) = (0, 0);
        Ok(())
    }
}
