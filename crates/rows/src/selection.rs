//! The wanted rows of a file, and the walk over them batch by batch.

use std::ops::Range;
use std::sync::Arc;

use super::budget::{Budget, Progress};
use super::matching::{BatchFilter, Matching, MatchingRun};
use super::run::{Run, RunRows};
use crate::Result;
use crate::arrow_file::ArrowFile;

/// A walk over more batches than this releases each one's memory when it has passed it: it is a stream, not a page, and
/// would otherwise make the whole file resident.
const STREAM_BATCHES: usize = 8;

/// More rows than this must be encoded off the reactor.
pub const ROWS_AT_HAND: u64 = 256;
/// Rows in another order than the file's access batches in any order: the memory of all of them is released
/// periodically.
const ORDERED_RUNS_KEPT: usize = 4096;
/// This many rows from an index are a stream: they access most batches.
const STREAM_ROWS: usize = 4096;

/// The wanted rows of a file, in the file's order (D25) unless another one was requested.
#[derive(Clone, Debug)]
pub enum RowSelection {
    /// Rows by position.
    Range {
        /// Rows to skip.
        offset: u64,
        /// Maximum number of rows.
        limit: u64,
    },
    /// These rows, in ascending order; row numbers after the end are ignored.
    Rows(Arc<[u32]>),
    /// These rows in this order; row numbers after the end are ignored.
    Ordered(Arc<[u32]>),
    /// The rows that pass a filter, found while encoding: memory does not grow with their number, and nothing is read
    /// beyond the last wanted one.
    Matching {
        /// Finds the rows.
        filter: Arc<dyn BatchFilter>,
        /// Matching rows to skip.
        offset: u64,
        /// Maximum number of matching rows.
        limit: u64,
    },
}

impl RowSelection {
    /// All rows.
    pub const ALL: Self = Self::Range { offset: 0, limit: u64::MAX };

    /// Whether the rows are few and in batches that [can be read at once](ArrowFile::is_at_hand), so that encoding them
    /// costs microseconds (unless one has a long value; a chunk is bounded in any case).
    pub fn is_at_hand(&self, file: &ArrowFile) -> bool {
        let is_ready = |row: u64| file.locate(row).is_none_or(|(batch, _)| file.is_at_hand(batch));
        match self {
            Self::Range { offset, .. } if *offset >= file.num_rows() => true,
            Self::Range { offset, limit } => {
                let count = (*limit).min(file.num_rows() - offset);
                // Every batch, not every row: a stranger's file may have large batches between small ones.
                let batch_of = |row: u64| file.locate(row).map(|(batch, _)| batch);
                let batches = batch_of(*offset).zip(batch_of(offset + count.saturating_sub(1)));
                count <= ROWS_AT_HAND
                    && batches.is_none_or(|(first, last)| {
                        (first..=last)
                            .all(|batch| file.rows_of_batch(batch).is_empty() || file.is_at_hand(batch))
                    })
            }
            Self::Rows(rows) | Self::Ordered(rows) => {
                rows.len() as u64 <= ROWS_AT_HAND && rows.iter().all(|row| is_ready(u64::from(*row)))
            }
            Self::Matching { .. } => false,
        }
    }
}

/// The walk.
#[derive(Debug)]
pub(super) struct Runs {
    file: Arc<ArrowFile>,
    walk: Walk,
    /// The batch of the last run.
    left: Option<usize>,
    is_stream: bool,
}

#[derive(Debug)]
enum Walk {
    Range(Range<u64>),
    Rows { rows: Arc<[u32]>, next: usize },
    Ordered { rows: Arc<[u32]>, next: usize, runs: usize },
    Matching(Matching),
}

impl Runs {
    pub(super) fn new(file: Arc<ArrowFile>, selection: RowSelection) -> Self {
        let num_rows = file.num_rows();
        let batches = file.num_batches();
        let (walk, is_stream) = match selection {
            RowSelection::Range { offset, limit } => {
                let start = offset.min(num_rows);
                let range = start..start.saturating_add(limit).min(num_rows);
                let spanned = match (file.locate(range.start), file.locate(range.end.saturating_sub(1))) {
                    (Some((first, _)), Some((last, _))) => last - first.min(last),
                    _ => 0,
                };
                (Walk::Range(range), spanned > STREAM_BATCHES)
            }
            RowSelection::Rows(rows) => {
                let is_stream = rows.len() >= STREAM_ROWS;
                (Walk::Rows { rows, next: 0 }, is_stream)
            }
            RowSelection::Ordered(rows) => (Walk::Ordered { rows, next: 0, runs: 0 }, false),
            RowSelection::Matching { filter, offset, limit } => {
                (Walk::Matching(Matching::new(filter, offset, limit)), batches > STREAM_BATCHES)
            }
        };
        Self { file, walk, left: None, is_stream }
    }

    /// Maximum number of rows that are certain to follow, to size the first chunk.
    pub(super) fn rows_at_most(&self) -> u64 {
        match &self.walk {
            Walk::Range(range) => range.end - range.start,
            Walk::Rows { rows, next } | Walk::Ordered { rows, next, .. } => (rows.len() - next) as u64,
            Walk::Matching(matching) => matching.rows_at_most(),
        }
    }

    /// Whether the rows are a stream that passes through the file, not a page.
    pub(super) const fn is_stream(&self) -> bool {
        self.is_stream
    }

    pub(super) const fn file(&self) -> &Arc<ArrowFile> {
        &self.file
    }

    /// Takes the rows of the last run from `position` on back; false if that is impossible, as with rows that were
    /// searched for.
    pub(super) fn give_back(&mut self, run: &Run, position: usize) -> bool {
        let (Walk::Range(range), Some(index), RunRows::Range(rows)) = (&mut self.walk, self.left, &run.rows)
        else {
            return false;
        };
        range.start = self.file.rows_of_batch(index).start + (rows.start + position) as u64;
        true
    }

    /// A walk over the next `rows` rows, which this one skips. None at the end, or if rows must be searched for.
    pub(super) fn split_off(&mut self, rows: u64) -> Option<Self> {
        let Walk::Range(range) = &mut self.walk else { return None };
        let end = range.start.saturating_add(rows).min(range.end);
        let part = range.start..end;
        let (batch, _) = (!part.is_empty()).then(|| self.file.locate(part.start)).flatten()?;
        range.start = end;
        if self.is_stream
            && let Some(left) = self.left.replace(batch)
            && left != batch
        {
            // Concurrent readers find it in the page cache.
            self.file.forget_batch(left.saturating_sub(1));
        }
        Some(Self { file: Arc::clone(&self.file), walk: Walk::Range(part), left: None, is_stream: false })
    }

    /// The next wanted rows of a batch. Only a search for rows may take more than one turn.
    pub(super) fn next_run(&mut self, budget: &mut Budget) -> Result<Progress<Option<Run>>> {
        if let Some(left) = self.left.take()
            && self.is_stream
        {
            self.file.forget_batch(left);
            // Its rows may have been split off.
            self.file.forget_batch(left.saturating_sub(1));
        }
        match &mut self.walk {
            Walk::Range(range) => {
                let Some((index, start)) =
                    (range.start < range.end).then(|| self.file.locate(range.start)).flatten()
                else {
                    return Ok(Progress::Done(None));
                };
                let end = self.file.rows_of_batch(index).end.min(range.end);
                let rows = start..start + (end - range.start) as usize;
                range.start = end;
                self.left = Some(index);
                let run = Run::open(&self.file, index, RunRows::Range(rows), budget)?;
                Ok(Progress::Done(Some(run)))
            }
            Walk::Rows { rows, next } => {
                let Some((index, _)) = rows.get(*next).and_then(|row| self.file.locate(u64::from(*row)))
                else {
                    return Ok(Progress::Done(None));
                };
                let batch_rows = self.file.rows_of_batch(index);
                let rest = &rows[*next..];
                let count = rest.partition_point(|row| u64::from(*row) < batch_rows.end);
                let places =
                    rest[..count].iter().map(|row| (u64::from(*row) - batch_rows.start) as u32).collect();
                *next += count;
                self.left = Some(index);
                let run = Run::open(&self.file, index, RunRows::List(places), budget)?;
                Ok(Progress::Done(Some(run)))
            }
            Walk::Ordered { rows, next, runs } => {
                let Some((index, _)) = rows.get(*next).and_then(|row| self.file.locate(u64::from(*row)))
                else {
                    return Ok(Progress::Done(None));
                };
                let batch_rows = self.file.rows_of_batch(index);
                let of_batch = rows[*next..].iter().take_while(|row| batch_rows.contains(&u64::from(**row)));
                let places: Vec<u32> =
                    of_batch.map(|row| (u64::from(*row) - batch_rows.start) as u32).collect();
                *next += places.len();
                *runs += 1;
                if runs.is_multiple_of(ORDERED_RUNS_KEPT) {
                    self.file.forget_all();
                }
                let run = Run::open(&self.file, index, RunRows::List(places), budget)?;
                Ok(Progress::Done(Some(run)))
            }
            Walk::Matching(matching) => {
                Ok(matching.next_run(&self.file, self.is_stream, budget)?.map(|met| {
                    met.map(|MatchingRun { run, left }| {
                        self.left = left;
                        run
                    })
                }))
            }
        }
    }
}
