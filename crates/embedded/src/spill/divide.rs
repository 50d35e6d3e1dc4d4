//! Runs a frame and writes its rows to disk.

use std::num::NonZeroUsize;
use std::sync::Arc;

use polars::prelude::{Column, DataFrame, IdxCa, LazyFrame, PlSmallStr, PolarsResult, col};

use super::{KeyOrder, Placement, Samples, Spill, SpillFile, SpillWriter};
use crate::attempt::{Attempt, attempt};

/// Rows per batch of a file, if the rows are distributed evenly.
const ROWS_PER_BATCH: usize = 4096;
/// Maximum number of rows that are distributed at a time.
const MAX_ROWS_AT_A_TIME: usize = 1 << 17;

/// A frame whose rows are written to disk.
pub(crate) struct Rows<'a> {
    pub(crate) frame: LazyFrame,
    /// The columns that are written.
    pub(crate) columns: &'a [PlSmallStr],
    /// The estimated bytes of a row in memory.
    pub(crate) row_bytes: u64,
}

impl Rows<'_> {
    /// Writes all rows to one file; `None` if there are no rows.
    pub(crate) fn write(self, spill: &Arc<Spill>) -> PolarsResult<Option<SpillFile>> {
        let columns = self.columns;
        let take = |file: &mut SpillWriter, frame: DataFrame| file.write(spill, frame.select(columns)?);
        self.run(spill, 1, SpillWriter::default, take)?.finish(spill)
    }

    /// Samples the columns of the keys, which the frame must have, without writing.
    pub(crate) fn sample(
        mut self,
        spill: &Spill,
        keys: &[PlSmallStr],
        order: &KeyOrder,
    ) -> PolarsResult<Samples> {
        self.frame = self.frame.select(keys.iter().map(|key| col(key.clone())).collect::<Vec<_>>());
        let take = |samples: &mut Samples, frame: DataFrame| samples.take(&key_columns(&frame, keys)?);
        self.run(spill, 1, || Samples::new(order.clone()), take)
    }

    /// Distributes the rows to files by the columns of the keys, which the frame must have; `None` for a file without
    /// rows. Rows of one file retain their order.
    pub(crate) fn divide(
        self,
        spill: &Arc<Spill>,
        keys: &[PlSmallStr],
        placement: &Placement,
    ) -> PolarsResult<Vec<Option<SpillFile>>> {
        let columns = self.columns;
        let take = |files: &mut Vec<SpillWriter>, frame: DataFrame| {
            let rows_of_files = placement.rows_of_files(&key_columns(&frame, keys)?)?;
            let frame = frame.select(columns)?;
            for (file, rows) in files.iter_mut().zip(rows_of_files) {
                if !rows.is_empty() {
                    file.write(spill, frame.take(&IdxCa::from_vec("".into(), rows))?)?;
                }
            }
            Ok(())
        };
        let none = || (0..placement.files()).map(|_| SpillWriter::default()).collect();
        let files = self.run(spill, placement.files(), none, take)?;
        files.into_iter().map(|file| file.finish(spill)).collect()
    }

    /// Runs the frame until a run does not end with a fault. Each run has a new state from `begin`.
    fn run<W>(
        self,
        spill: &Spill,
        files: usize,
        begin: impl Fn() -> W,
        take: impl Fn(&mut W, DataFrame) -> PolarsResult<()>,
    ) -> PolarsResult<W> {
        let rows = self.rows_at_a_time(spill, files);
        attempt(&Attempt::ALL, |attempt| {
            attempt.feed(self.frame.clone(), rows, |mut batches| {
                let mut into = begin();
                batches.try_for_each(|batch| take(&mut into, batch))?;
                Ok(into)
            })
        })
    }

    /// The number of rows that contains a batch for each file, if they fit into memory.
    fn rows_at_a_time(&self, spill: &Spill, files: usize) -> NonZeroUsize {
        let fitting = usize::try_from(spill.operator_bytes() / self.row_bytes.max(1)).unwrap_or(usize::MAX);
        let rows = (files * ROWS_PER_BATCH).min(MAX_ROWS_AT_A_TIME).min(fitting);
        NonZeroUsize::new(rows).unwrap_or(NonZeroUsize::MIN)
    }
}

fn key_columns(frame: &DataFrame, names: &[PlSmallStr]) -> PolarsResult<Vec<Column>> {
    names.iter().map(|name| frame.column(name).cloned()).collect()
}
