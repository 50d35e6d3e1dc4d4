//! Selected rows as Arrow batches, renamed and projected, for the columnar formats. The size of a batch is limited by
//! rows and by bytes, and announced before it is built.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take;

use super::budget::{Budget, Progress};
use super::run::{Run, RunRows};
use super::selection::{RowSelection, Runs};
use crate::arrow_file::{ArrowFile, restored};
use crate::{Error, Result};

/// Maximum number of rows of one batch.
const ROWS_PER_BATCH: usize = 1024;
/// Maximum bytes of one batch, unless it is a single row: its reader holds all of it in memory.
const BYTES_PER_BATCH: usize = 1 << 20;
/// Approximate bytes of a column in the head of a batch; the minimum size of a batch of many columns depends on it.
const HEAD_BYTES_PER_COLUMN: usize = 64;

/// Returns one batch after the other.
#[derive(Debug)]
pub(super) struct Batches {
    runs: Runs,
    indexes: Vec<usize>,
    schema: SchemaRef,
    bytes_per_batch: usize,
    /// The current run, and the position in it.
    run: Option<(Run, usize)>,
    made: Made,
}

/// The next batch so far: kept between turns, so that turns do not affect the output.
#[derive(Debug, Default)]
struct Made {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    /// Bytes of it that are not in the file's mapping.
    copied_bytes: usize,
}

/// The next rows of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    positions: Range<usize>,
    /// Their approximate bytes in Arrow.
    pub(super) bytes: usize,
    /// Bytes of it that are copied into a batch; the rest stays in the file's mapping.
    pub(super) copied_bytes: usize,
}

/// Rows in columnar form.
#[derive(Debug)]
pub(super) struct MadeBatch {
    pub(super) rows: RecordBatch,
    /// Bytes of it that are not in the file's mapping.
    pub(super) copied_bytes: usize,
}

impl Batches {
    /// `columns` are the names in the answer and the positions in the file.
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
            bytes_per_batch: BYTES_PER_BATCH.max(4 * HEAD_BYTES_PER_COLUMN * indexes.len()),
            indexes,
            runs: Runs::new(file, selection),
            run: None,
            made: Made::default(),
        }
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The next rows, none after the last. Scattered rows are combined: a separate batch for each would be mostly head.
    pub(super) fn next_batch(&mut self, budget: &mut Budget) -> Result<Progress<Option<MadeBatch>>> {
        while self.made.rows < ROWS_PER_BATCH / 2 {
            let piece = match self.next_piece(budget)? {
                Progress::Paused => return Ok(Progress::Paused),
                Progress::Done(piece) => piece,
            };
            let Some(piece) = piece else { break };
            if !self.made.batches.is_empty() && self.made.bytes + piece.bytes > self.bytes_per_batch {
                break;
            }
            let Some((run, position)) = &mut self.run else { break };
            *position = piece.positions.end;
            self.made.rows += piece.positions.len();
            self.made.bytes += piece.bytes;
            self.made.copied_bytes += piece.copied_bytes;
            let batch = project(run, piece.positions, &self.indexes, &self.schema);
            self.made.batches.push(batch.map_err(|error| Error::internal("cannot project rows", error))?);
        }
        let Made { mut batches, bytes, copied_bytes, .. } = std::mem::take(&mut self.made);
        Ok(Progress::Done(match &batches[..] {
            [] | [_] => batches.pop().map(|rows| MadeBatch { rows, copied_bytes }),
            _ => {
                let rows = concat_batches(&self.schema, &batches)
                    .map_err(|error| Error::internal("cannot put rows together", error))?;
                budget.spend(bytes as u64);
                Some(MadeBatch { rows, copied_bytes: bytes })
            }
        }))
    }

    /// The next rows without consuming them. None after the last.
    pub(super) fn next_piece(&mut self, budget: &mut Budget) -> Result<Progress<Option<Piece>>> {
        loop {
            if let Some((run, position)) = &self.run
                && *position < run.rows.len()
            {
                return Ok(Progress::Done(Some(self.piece(run, *position))));
            }
            match self.runs.next_run(budget)? {
                Progress::Paused => return Ok(Progress::Paused),
                Progress::Done(Some(run)) => self.run = Some((run, 0)),
                Progress::Done(None) => return Ok(Progress::Done(None)),
            }
        }
    }

    /// As many rows from a position on as a batch may have, at least one.
    fn piece(&self, run: &Run, start: usize) -> Piece {
        let end = run.rows.len().min(start + ROWS_PER_BATCH);
        let columns = || self.indexes.iter().map(|index| run.batch.column(*index));
        let bytes =
            |rows: Range<usize>| -> usize { columns().map(|column| column.arrow_bytes(rows.clone())).sum() };
        let nested_bytes = |rows: Range<usize>| -> usize {
            columns().map(|column| column.nested_offset_bytes(rows.clone())).sum()
        };
        match &run.rows {
            RunRows::Range(range) => {
                let of = |end: usize| range.start + start..range.start + end;
                let whole = bytes(of(end));
                if whole <= self.bytes_per_batch {
                    return Piece {
                        positions: start..end,
                        bytes: whole,
                        copied_bytes: nested_bytes(of(end)),
                    };
                }
                // More rows take more bytes.
                let (mut fits, mut exceeds) = (start + 1, end);
                while fits + 1 < exceeds {
                    let middle = fits.midpoint(exceeds);
                    if bytes(of(middle)) <= self.bytes_per_batch {
                        fits = middle;
                    } else {
                        exceeds = middle;
                    }
                }
                Piece { positions: start..fits, bytes: bytes(of(fits)), copied_bytes: nested_bytes(of(fits)) }
            }
            RunRows::List(rows) => {
                let row = |position: usize| rows[position] as usize..rows[position] as usize + 1;
                let first = bytes(row(start));
                let (mut total, mut fits) = (first, start + 1);
                while fits < end {
                    let more = bytes(row(fits));
                    if total + more > self.bytes_per_batch {
                        break;
                    }
                    (total, fits) = (total + more, fits + 1);
                }
                // A single row is a slice of the file's batch.
                let copied_bytes = if fits - start == 1 { nested_bytes(row(start)) } else { total };
                Piece { positions: start..fits, bytes: total, copied_bytes }
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
    let sliced = |start: usize| -> Vec<ArrayRef> {
        indexes.iter().map(|index| source.column(*index).slice(start, row_count)).collect()
    };
    let columns = match &run.rows {
        RunRows::Range(range) => sliced(range.start + positions.start),
        RunRows::List(rows) => match &rows[positions] {
            [row] => sliced(*row as usize),
            rows => {
                let rows = UInt32Array::from(rows.to_vec());
                indexes
                    .iter()
                    .map(|index| take(source.column(*index), &rows, None))
                    .collect::<Result<_, _>>()?
            }
        },
    };
    let fields = schema.fields().iter();
    let columns = columns.iter().zip(fields).map(|(array, field)| restored(array, field.data_type()));
    let columns = columns.collect::<Result<_, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(row_count));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}
