//! Estimates the number of distinct values of a column from a sample of its rows, if neither dictionaries nor ranges
//! determine it. Adjacent rows are often similar, so the sample is taken from a few places, and its unit is the
//! distinct values of a place, not its rows.

use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::Path;

use polars::prelude::{ParallelStrategy, ParquetReader, SerReader};

/// Number of places of a table that are sampled.
pub(super) const PLACES: usize = 4;
/// Number of rows of a place.
const ROWS: usize = 4096;
/// Minimum number of rows of a sampled table: a statement that joins it reads far more than the sample.
pub(super) const MIN_TABLE_ROWS: f64 = (16 * PLACES * ROWS) as f64;

/// The distinct values of a sample.
#[derive(Debug, Default)]
pub(super) struct Sample {
    /// For each value, by its hash, the number of places that contain it.
    places: HashMap<u64, usize>,
    /// The number of rows that are not NULL.
    rows: usize,
}

impl Sample {
    /// Adds a place: the rows of a column in a Parquet file from `first_row` on.
    pub(super) fn add(&mut self, file: &Path, column: &str, first_row: usize) -> Option<()> {
        let reader = ParquetReader::new(File::open(file).ok()?)
            .with_columns(Some(vec![column.to_owned()]))
            .with_slice(Some((first_row, ROWS)))
            .read_parallel(ParallelStrategy::None);
        let rows = reader.finish().ok()?;
        let values = rows.columns().first()?.as_materialized_series().drop_nulls();
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        self.add_values(values.iter().map(|value| hasher.hash_one(value)));
        Some(())
    }

    fn add_values(&mut self, hashes: impl Iterator<Item = u64>) {
        let mut hashes: Vec<u64> = hashes.collect();
        self.rows += hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        for hash in hashes {
            *self.places.entry(hash).or_default() += 1;
        }
    }

    /// Estimates the number of distinct values in `rows` rows without NULL, by the estimator of Haas and Stokes (1998)
    /// that PostgreSQL uses; the distinct values of a place are the drawn items. `None` for an empty sample.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn distinct(&self, rows: f64) -> Option<f64> {
        let drawn = self.places.values().sum::<usize>() as f64;
        let all = drawn / self.rows as f64 * rows;
        let once = self.places.values().filter(|places| **places == 1).count() as f64;
        let distinct = drawn * self.places.len() as f64 / (drawn - once + once * drawn / all);
        distinct.is_finite().then_some(distinct)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the estimate for a table whose row number `n` has the value `value(n)`.
    #[track_caller]
    fn check(table_rows: u64, value: impl Fn(u64) -> u64, expected: f64) {
        let mut sample = Sample::default();
        for place in 0..PLACES as u64 {
            let first = table_rows / PLACES as u64 * place;
            sample.add_values((first..first + ROWS as u64).map(&value));
        }
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let found = sample.distinct(table_rows as f64).expect("a number");
        assert!((found / expected - 1.0).abs() < 0.25, "{found}, not {expected}");
    }

    const fn scattered(number: u64) -> u64 {
        let mixed = (number ^ (number >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 16
    }

    #[test]
    fn distinct_counts_are_estimated_from_a_sample() {
        // A primary key.
        check(6_000_000, |row| row, 6_000_000.0);
        // Order numbers of line items, four for each order, in order.
        check(6_000_000, |row| row / 4, 1_500_000.0);
        // Customers of orders, in random order.
        check(1_500_000, |row| scattered(row) % 100_000, 100_000.0);
        check(1_500_000, |row| scattered(row) % 10_000, 10_000.0);
        // Flags.
        check(1_500_000, |row| row % 3, 3.0);
        // Dates in ascending order. The sample contains few of them; the others are assumed to be as frequent.
        check(1_500_000, |row| row / 1500, 1000.0);
    }

    #[test]
    fn an_empty_sample_has_no_estimate() {
        assert_eq!(Sample::default().distinct(1000.0), None);
    }
}
