//! Statistics of each batch of a generation: its first row, and per column the least and the greatest key and the
//! number of NULLs. One small file beside the generation's, mapped, so that opening a generation costs the same
//! whatever its size.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use arrow_buffer::ScalarBuffer;

use super::key::{KeyKind, for_each_key, text_key};
use super::predicate::{Predicate, Test, TextEnd, literal_prefix};
use super::sections::{Sections, sync_and_rename};
use crate::Result;
use rowhouse_rows::arrow_file::{ArrowFile, Batch, Loss};

const MAGIC: [u8; 8] = *b"RWHSTAT1";

/// Statistics of all batches. Keys of text are those of the text's first bytes.
#[derive(Debug)]
pub(super) struct Statistics {
    column_count: usize,
    starts: ScalarBuffer<u64>,
    /// By batch, then by column. If a column has no keys, the least is above the greatest.
    least: ScalarBuffer<i128>,
    greatest: ScalarBuffer<i128>,
    null_counts: ScalarBuffer<u64>,
}

/// Statistics being collected.
#[derive(Debug)]
pub(super) struct StatisticsBuilder {
    kinds: Vec<KeyKind>,
    starts: Vec<u64>,
    least: Vec<i128>,
    greatest: Vec<i128>,
    null_counts: Vec<u64>,
}

impl Statistics {
    /// Maps the statistics of a generation.
    ///
    /// # Errors
    /// As [`Sections::open`].
    pub(super) fn open(path: &Path, loss: Loss) -> Result<Self> {
        let sections = Sections::open(path, MAGIC, loss)?;
        let [batch_count, column_count, ..] = sections.numbers().map(|number| number as usize);
        let cells = sections.product(batch_count, column_count)?;
        let mut reader = sections.reader();
        let statistics = Self {
            column_count,
            starts: reader.take(batch_count + 1)?,
            least: reader.take(cells)?,
            greatest: reader.take(cells)?,
            null_counts: reader.take(cells)?,
        };
        reader.finish()?;
        Ok(statistics)
    }

    /// The first row of each batch, then the number of rows.
    pub(super) fn starts(&self) -> ScalarBuffer<u64> {
        self.starts.clone()
    }

    /// Number of columns of the file.
    pub(super) fn column_count(&self) -> usize {
        self.column_count
    }

    /// The least and the greatest key of a column in a batch; none if no value of it has a key.
    pub(super) fn keys(&self, batch_index: usize, column: usize) -> Option<(i128, i128)> {
        let cell = batch_index * self.column_count + column;
        let (least, greatest) = (*self.least.get(cell)?, *self.greatest.get(cell)?);
        (least <= greatest).then_some((least, greatest))
    }

    /// Whether a batch can contain a matching row.
    pub(super) fn may_match(&self, batch_index: usize, predicate: &Predicate) -> bool {
        let cell = batch_index * self.column_count + predicate.column;
        let (Some(&least), Some(&greatest), Some(&null_count)) =
            (self.least.get(cell), self.greatest.get(cell), self.null_counts.get(cell))
        else {
            return true;
        };
        let meets = |low: i128, high: i128| low <= greatest && high >= least;
        match &predicate.test {
            Test::IsNull(true) => null_count > 0,
            Test::IsNull(false) => null_count < self.starts[batch_index + 1] - self.starts[batch_index],
            Test::IsNotTruth(truth) => null_count > 0 || meets((!*truth).into(), (!*truth).into()),
            Test::Narrow(ranges) => ranges.iter().any(|(low, high)| meets((*low).into(), (*high).into())),
            Test::Wide(ranges) => ranges.iter().any(|(low, high)| meets(*low, *high)),
            Test::Text(ranges) => ranges.iter().any(|range| {
                let low = match &range.low {
                    TextEnd::Open => i128::MIN,
                    TextEnd::Included(text) | TextEnd::Excluded(text) => text_key(text),
                };
                let high = match &range.high {
                    TextEnd::Open => i128::MAX,
                    TextEnd::Included(text) | TextEnd::Excluded(text) => text_key(text),
                };
                meets(low, high)
            }),
            Test::Like(pattern) => {
                let (low, high) = prefix_keys(literal_prefix(pattern).as_bytes());
                meets(low, high)
            }
        }
    }
}

/// The least and greatest key of texts with a prefix.
pub(super) fn prefix_keys(prefix: &[u8]) -> (i128, i128) {
    let mut last = prefix.to_vec();
    last.resize(last.len().max(super::key::TEXT_KEY_BYTES), 0xff);
    (text_key(prefix), text_key(&last))
}

impl StatisticsBuilder {
    pub(super) fn new(file: &ArrowFile) -> Self {
        Self {
            kinds: file.schema().fields().iter().map(|field| KeyKind::of(field.data_type())).collect(),
            starts: vec![0],
            least: Vec::new(),
            greatest: Vec::new(),
            null_counts: Vec::new(),
        }
    }

    /// Adds the next batch.
    pub(super) fn add(&mut self, batch: &Batch) {
        let start = self.starts.last().copied().unwrap_or(0);
        self.starts.push(start + batch.num_rows() as u64);
        for (index, kind) in self.kinds.iter().enumerate() {
            let column = batch.column(index);
            let array = batch.stored().column(index);
            let mut range = (i128::MAX, i128::MIN);
            if *kind != KeyKind::Opaque {
                for_each_key(
                    &column.values,
                    (0..batch.num_rows()).filter(|row| !column.is_null(*row)),
                    text_key,
                    |_, key| range = (range.0.min(key), range.1.max(key)),
                );
            }
            self.least.push(range.0);
            self.greatest.push(range.1);
            self.null_counts.push(array.logical_null_count() as u64);
        }
    }

    /// Writes them under their final name.
    ///
    /// # Errors
    /// `Internal`: the disk is full.
    pub(super) fn write(self, path: &Path) -> Result<()> {
        let batch_count = self.starts.len() as u64 - 1;
        sync_and_rename(path, |file: File| {
            let mut out = BufWriter::new(file);
            Sections::write_head(&mut out, MAGIC, [batch_count, self.kinds.len() as u64, 0, 0])?;
            Sections::write_section(&mut out, &self.starts, |value| value.to_le_bytes())?;
            Sections::write_section(&mut out, &self.least, |value| value.to_le_bytes())?;
            Sections::write_section(&mut out, &self.greatest, |value| value.to_le_bytes())?;
            Sections::write_section(&mut out, &self.null_counts, |value| value.to_le_bytes())?;
            out.flush()?;
            out.into_inner().map_err(std::io::IntoInnerError::into_error)
        })
    }
}
