//! Rows as an Arrow IPC stream: slices of the file's batches, renamed and projected.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use arrow_select::take::take;
use bytes::Bytes;

use super::selection::{RowSelection, Run, RunRows, Runs};
use super::{ChunkSource, Envelope, ProjectedColumn};
use crate::arrow_file::ArrowFile;
use crate::{Error, Result};

/// Rows of one message at most: their copy is what the encoding needs of memory.
const ROWS_PER_MESSAGE: usize = 1024;

/// Encodes rows as an Arrow IPC stream.
pub(super) struct ArrowStream {
    runs: Runs,
    indexes: Vec<usize>,
    schema: SchemaRef,
    /// None after the end.
    writer: Option<StreamWriter<Vec<u8>>>,
    run: Option<(Run, usize)>,
    suffix: Vec<u8>,
}

impl ArrowStream {
    pub(super) fn new(
        file: Arc<ArrowFile>,
        columns: &[ProjectedColumn],
        selection: RowSelection,
        envelope: Envelope,
    ) -> Result<Self> {
        let source = file.schema();
        let fields =
            columns.iter().map(|column| source.field(column.index).clone().with_name(column.name.clone()));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Ok(Self {
            runs: Runs::new(file, selection),
            indexes: columns.iter().map(|column| column.index).collect(),
            // The prefix is in front of the schema, which the writer writes at once.
            writer: Some(StreamWriter::try_new(envelope.prefix, &schema).map_err(failed)?),
            schema,
            run: None,
            suffix: envelope.suffix,
        })
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some((run, position)) = &mut self.run
                && *position < run.rows.len()
            {
                let end = run.rows.len().min(*position + ROWS_PER_MESSAGE);
                let batch = project(run, *position..end, &self.indexes, &self.schema).map_err(failed)?;
                *position = end;
                return Ok(Some(batch));
            }
            match self.runs.next_run()? {
                Some(run) => self.run = Some((run, 0)),
                None => return Ok(None),
            }
        }
    }
}

impl ChunkSource for ArrowStream {
    fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        if self.writer.is_none() {
            return Ok(None);
        }
        let batch = self.next_batch()?;
        let Some(mut writer) = self.writer.take() else { return Ok(None) };
        match batch {
            Some(batch) => {
                writer.write(&batch).map_err(failed)?;
                let chunk = std::mem::take(writer.get_mut());
                self.writer = Some(writer);
                Ok(Some(chunk.into()))
            }
            None => {
                writer.finish().map_err(failed)?;
                let mut chunk = std::mem::take(writer.get_mut());
                chunk.append(&mut self.suffix);
                Ok(Some(chunk.into()))
            }
        }
    }
}

fn project(
    run: &Run,
    positions: std::ops::Range<usize>,
    indexes: &[usize],
    schema: &SchemaRef,
) -> Result<RecordBatch, ArrowError> {
    let source = run.batch.record_batch();
    let row_count = positions.len();
    let columns: Vec<ArrayRef> = match &run.rows {
        RunRows::Range(range) => {
            let start = range.start + positions.start;
            indexes.iter().map(|index| source.column(*index).slice(start, row_count)).collect()
        }
        RunRows::List(rows) => {
            let rows = UInt32Array::from(rows[positions].to_vec());
            indexes.iter().map(|index| take(source.column(*index), &rows, None)).collect::<Result<_, _>>()?
        }
    };
    let options = RecordBatchOptions::new().with_row_count(Some(row_count));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}

fn failed(error: ArrowError) -> Error {
    Error::internal("cannot encode rows as an Arrow stream", error)
}
