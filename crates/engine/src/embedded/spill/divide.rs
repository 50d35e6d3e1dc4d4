//! Running a frame onto disk.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use polars::prelude::{Column, DataFrame, IdxCa, LazyFrame, PlSmallStr, PolarsError, PolarsResult, col};

use super::{KeyOrder, Placement, Samples, Spill, SpillFile, SpillWriter};
use crate::embedded::attempt::{Attempt, attempt};

/// Rows that a file gets at a time, if all files get as many.
const ROWS_PER_BATCH: usize = 4096;
/// Rows that are divided at a time.
const MAX_ROWS_AT_A_TIME: usize = 1 << 17;

/// A frame that is to be written, and how.
pub(in crate::embedded) struct Rows<'a> {
    pub(in crate::embedded) frame: LazyFrame,
    /// The columns that are written.
    pub(in crate::embedded) columns: &'a [PlSmallStr],
    /// What a row takes in memory, about.
    pub(in crate::embedded) row_bytes: u64,
}

impl Rows<'_> {
    /// All rows in one file; none where there are no rows.
    pub(in crate::embedded) fn keep(self, spill: &Arc<Spill>) -> PolarsResult<Option<SpillFile>> {
        let (disk, columns) = (Arc::clone(spill), self.columns.to_vec());
        let take = move |file: &mut SpillWriter, frame: DataFrame| file.write(&disk, frame.select(&columns)?);
        self.run(spill, 1, SpillWriter::default, take)?.finish(spill)
    }

    /// Looks at the keys' columns, which the frame has, and writes nothing.
    pub(in crate::embedded) fn sample(
        mut self,
        spill: &Spill,
        keys: &[PlSmallStr],
        order: &KeyOrder,
    ) -> PolarsResult<Samples> {
        let keys = keys.to_vec();
        self.frame = self.frame.select(keys.iter().map(|key| col(key.clone())).collect::<Vec<_>>());
        let take = move |samples: &mut Samples, frame: DataFrame| samples.take(&key_columns(&frame, &keys)?);
        self.run(spill, 1, || Samples::new(order.clone()), take)
    }

    /// The rows in files by the keys' columns, which the frame has; none for a file without rows. Rows of one file keep
    /// their order.
    pub(in crate::embedded) fn divide(
        self,
        spill: &Arc<Spill>,
        keys: &[PlSmallStr],
        placement: &Placement,
    ) -> PolarsResult<Vec<Option<SpillFile>>> {
        let (disk, columns, keys) = (Arc::clone(spill), self.columns.to_vec(), keys.to_vec());
        let rule = placement.clone();
        let take = move |files: &mut Vec<SpillWriter>, frame: DataFrame| {
            let rows_of_files = rule.rows_of_files(&key_columns(&frame, &keys)?)?;
            let frame = frame.select(&columns)?;
            for (file, rows) in files.iter_mut().zip(rows_of_files) {
                if !rows.is_empty() {
                    file.write(&disk, frame.take(&IdxCa::from_vec("".into(), rows))?)?;
                }
            }
            Ok(())
        };
        let none = || (0..placement.files()).map(|_| SpillWriter::default()).collect();
        let files = self.run(spill, placement.files(), none, take)?;
        files.into_iter().map(|file| file.finish(spill)).collect()
    }

    /// Runs the frame until a run does not end by a fault, each into what `begin` makes.
    fn run<W: Send + 'static>(
        self,
        spill: &Spill,
        files: usize,
        begin: impl Fn() -> W,
        take: impl Fn(&mut W, DataFrame) -> PolarsResult<()> + Clone + Send + 'static,
    ) -> PolarsResult<W> {
        let rows = self.rows_at_a_time(spill, files);
        attempt(&Attempt::ALL, |way| {
            let written = Arc::new(Mutex::new(Some(begin())));
            let (into, take) = (Arc::clone(&written), take.clone());
            way.feed(self.frame.clone(), rows, move |frame| {
                let mut into = into.lock().unwrap_or_else(PoisonError::into_inner);
                take(into.as_mut().ok_or_else(ended)?, frame)
            })?;
            let written = written.lock().unwrap_or_else(PoisonError::into_inner).take();
            written.ok_or_else(ended)
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

/// Rows that come after the end.
fn ended() -> PolarsError {
    PolarsError::ComputeError("rows came after the last".into())
}
