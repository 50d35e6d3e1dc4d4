//! Selected rows as Arrow batches of bounded size, renamed and projected: for the formats that are columnar
//! themselves.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take;

use super::selection::{RowSelection, Run, RunRows, Runs};
use crate::arrow_file::{ArrowFile, restored};
use crate::{Error, Result};

/// Rows of one batch at most: a copy of them is what encoding needs of memory.
const ROWS_PER_BATCH: usize = 1024;

/// Gives one batch after the other.
#[derive(Debug)]
pub(super) struct Batches {
    runs: Runs,
    indexes: Vec<usize>,
    schema: SchemaRef,
    /// The run that is being given, and the place in it.
    run: Option<(Run, usize)>,
}

impl Batches {
    /// `columns` are the names in the answer and the places in the file.
    pub(super) fn new<N: Into<String>>(
        file: Arc<ArrowFile>,
        columns: impl Iterator<Item = (N, usize)>,
        selection: RowSelection,
    ) -> Self {
        let source = file.schema();
        let (fields, indexes): (Vec<_>, Vec<_>) =
            columns.map(|(name, index)| (source.field(index).clone().with_name(name), index)).unzip();
        Self { schema: Arc::new(Schema::new(fields)), indexes, runs: Runs::new(file, selection), run: None }
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The next rows, none after the last. Rows that lie scattered are put together: a batch of its own for each
    /// would be mostly heads.
    pub(super) fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let mut pieces = Vec::new();
        let mut row_count = 0;
        while row_count < ROWS_PER_BATCH / 2
            && let Some(piece) = self.next_piece()?
        {
            row_count += piece.num_rows();
            pieces.push(piece);
        }
        match &pieces[..] {
            [] | [_] => Ok(pieces.pop()),
            _ => concat_batches(&self.schema, &pieces)
                .map(Some)
                .map_err(|error| Error::internal("cannot put rows together", error)),
        }
    }

    fn next_piece(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some((run, position)) = &mut self.run
                && *position < run.rows.len()
            {
                let end = run.rows.len().min(*position + ROWS_PER_BATCH);
                let batch = project(run, *position..end, &self.indexes, &self.schema)
                    .map_err(|error| Error::internal("cannot project rows", error))?;
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

fn project(
    run: &Run,
    positions: Range<usize>,
    indexes: &[usize],
    schema: &SchemaRef,
) -> Result<RecordBatch, ArrowError> {
    let source = run.batch.stored();
    let row_count = positions.len();
    let columns: Vec<ArrayRef> = match &run.rows {
        RunRows::Range(range) => {
            let start = range.start + positions.start;
            indexes.iter().map(|index| source.column(*index).slice(start, row_count)).collect::<Vec<_>>()
        }
        RunRows::List(rows) => {
            let rows = UInt32Array::from(rows[positions].to_vec());
            indexes.iter().map(|index| take(source.column(*index), &rows, None)).collect::<Result<_, _>>()?
        }
    };
    let fields = schema.fields().iter();
    let columns = columns.iter().zip(fields).map(|(array, field)| restored(array, field.data_type()));
    let columns = columns.collect::<Result<_, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(row_count));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}
