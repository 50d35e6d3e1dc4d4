//! Selected rows as Arrow batches of bounded size, renamed and projected: for the formats that are columnar
//! themselves.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take;

use super::budget::{Budget, Progress};
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
    /// What the next batch has so far: kept from one turn to the next, so that turns do not show in the answer.
    pieces: Vec<RecordBatch>,
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
        Self {
            schema: Arc::new(Schema::new(fields)),
            indexes,
            runs: Runs::new(file, selection),
            run: None,
            pieces: Vec::new(),
        }
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The next rows, none after the last. Rows that lie scattered are put together: a batch of its own for each
    /// would be mostly heads.
    pub(super) fn next_batch(&mut self, budget: &mut Budget) -> Result<Progress<Option<RecordBatch>>> {
        let mut row_count: usize = self.pieces.iter().map(RecordBatch::num_rows).sum();
        while row_count < ROWS_PER_BATCH / 2 {
            match self.next_piece(budget)? {
                Progress::Paused => return Ok(Progress::Paused),
                Progress::Done(None) => break,
                Progress::Done(Some(piece)) => {
                    row_count += piece.num_rows();
                    self.pieces.push(piece);
                }
            }
        }
        let mut pieces = std::mem::take(&mut self.pieces);
        Ok(Progress::Done(match &pieces[..] {
            [] | [_] => pieces.pop(),
            _ => Some(
                concat_batches(&self.schema, &pieces)
                    .map_err(|error| Error::internal("cannot put rows together", error))?,
            ),
        }))
    }

    fn next_piece(&mut self, budget: &mut Budget) -> Result<Progress<Option<RecordBatch>>> {
        loop {
            if let Some((run, position)) = &mut self.run
                && *position < run.rows.len()
            {
                let end = run.rows.len().min(*position + ROWS_PER_BATCH);
                let batch = project(run, *position..end, &self.indexes, &self.schema)
                    .map_err(|error| Error::internal("cannot project rows", error))?;
                *position = end;
                return Ok(Progress::Done(Some(batch)));
            }
            match self.runs.next_run(budget)? {
                Progress::Paused => return Ok(Progress::Paused),
                Progress::Done(Some(run)) => self.run = Some((run, 0)),
                Progress::Done(None) => return Ok(Progress::Done(None)),
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
