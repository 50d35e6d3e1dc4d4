//! Runs a frame to disk.

use std::num::NonZeroUsize;
use std::sync::Arc;

use polars::prelude::{Column, DataFrame, IdxCa, LazyFrame, PlSmallStr, PolarsResult, col};

use super::{KeyOrder, Placement, Samples, Spill, SpillFile, SpillWriter};
use crate::attempt::{Attempt, attempt};

/// Rows that a file gets at a time, if all files get as many.
const ROWS_PER_BATCH: usize = 4096;
/// Rows that are divided at a time.
const MAX_ROWS_AT_A_TIME: usize = 1 << 17;

/// A frame that is to be written, and how.
pub(crate) struct Rows<'a> {
    pub(crate) frame: LazyFrame,
    /// The columns that are written.
    pub(crate) columns: &'a [PlSmallStr],
    /// What a row takes in memory, about.
    pub(crate) row_bytes: u64,
}

impl Rows<'_> {
    /// All rows in one file; none where there are no rows.
    pub(crate) fn keep(self, spill: &Arc<Spill>) -> PolarsResult<Option<SpillFile>> {
        let columns = self.columns;
        let take = |file: &mut SpillWriter, frame: DataFrame| file.write(spill, frame.select(columns)?);
        self.run(spill, 1, SpillWriter::default, take)?.finish(spill)
    }

    /// Looks at the keys' columns, which the frame has, and writes nothing.
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

    /// The rows in files by the keys' columns, which the frame has; none for a file without rows. Rows of one file keep
    /// their order.
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

    /// Runs the frame until a run does not end by a fault, each into what `begin` makes.
    fn run<W>(
        self,
        spill: &Spill,
        files: usize,
        begin: impl Fn() -> W,
        take: impl Fn(&mut W, DataFrame) -> PolarsResult<()>,
    ) -> PolarsResult<W> {
        let rows = self.rows_at_a_time(spill, files);
        attempt(&Attempt::ALL, |way| {
            way.feed(self.frame.clone(), rows, |mut batches| {
                let mut into = begin();
                batches.try_for_each(|batch| take(&mut into, batch))?;
                Ok(into)
            })
        })
    }

    /// As many as give each file a batch of some rows, if they fit into memory.
    fn rows_at_a_time(&self, spill: &Spill, files: usize) -> NonZeroUsize {
        let fitting = usize::try_from(spill.operator_bytes() / self.row_bytes.max(1)).unwrap_or(usize::MAX);
        let rows = (files * ROWS_PER_BATCH).min(MAX_ROWS_AT_A_TIME).min(fitting);
        NonZeroUsize::new(rows).unwrap_or(NonZeroUsize::MIN)
    }
}

fn key_columns(frame: &DataFrame, names: &[PlSmallStr]) -> PolarsResult<Vec<Column>> {
    names.iter().map(|name| frame.column(name).cloned()).collect()
}
