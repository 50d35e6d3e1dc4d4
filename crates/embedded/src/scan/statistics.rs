//! Statistics of the columns of Parquet files: numbers of NULLs and ranges from footers, numbers of distinct values
//! from the headers of dictionaries, which are read in a few row groups only, and only for requested columns; otherwise
//! keys are sampled. They are estimates, on which no result depends; of ranges of integers it is checked that rows keep
//! to them.

use std::collections::HashMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use polars::io::parquet::read::FileMetadata;
use polars::prelude::ArrowSchema;
use polars_arrow::datatypes::ArrowDataType;
use polars_parquet::parquet::schema::types::PhysicalType;
use polars_parquet::parquet::statistics::Statistics;

use super::dictionary::{Dictionary, dictionary_at};
use super::sample::{MIN_TABLE_ROWS, PLACES, Sample};
use rowhouse_sql::statistics::{ColumnStatistics, RequestedColumn, TableStatistics};

/// Maximum number of row groups of a file, and of a table, whose dictionaries are read.
const MAX_GROUPS: usize = 8;
/// The fraction of a row group's rows from which on all values are assumed to be distinct.
const MOSTLY_DISTINCT: f64 = 0.95;
/// The number of rows for each integer of a range at which random rows omit about one integer in a million.
const ROWS_OF_A_FULL_RANGE: f64 = 14.0;

/// Up to this number doubles represent all integers, and the range of a column is exact.
const EXACT: f64 = (1_u64 << 52) as f64;
/// The definition level of a value takes at most a bit.
const DEFINITION_BITS: f64 = 1.0;
/// Pages of at least a thousand rows have headers of some two hundred bytes.
const HEADER_BYTES_PER_ROW: f64 = 0.25;
/// Bytes of the page headers of a row group with few rows.
const SMALL_PAGE_BYTES: f64 = 1024.0;

/// The information of the footers of a table's files about each column.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    columns: HashMap<String, ColumnFacts>,
    /// Numbers of distinct values of sampled columns; all clones share this cache.
    sampled: Arc<Mutex<HashMap<String, Option<f64>>>>,
    /// Statistics of columns from the footers and the headers of dictionaries; all clones share this cache.
    counted: Arc<Mutex<HashMap<String, ColumnStatistics>>>,
}

#[derive(Clone, Debug, Default)]
struct ColumnFacts {
    rows: f64,
    /// The number of NULLs; `None` if a row group does not have it.
    null_count: Option<u64>,
    range: Option<(f64, f64)>,
    /// Whether no row group has had values so far.
    is_without_values: bool,
    /// The difference between consecutive values of an integer, date or decimal column; `None` for other types.
    step: Option<f64>,
    /// The sum of the widths of the row groups' ranges, and the number of these groups.
    widths: (f64, f64),
    /// The minimum of the first row group, and the maximum of the last one.
    ends: Option<(f64, f64)>,
    /// Whether a row group has values below the maximum of the row group before it, or an unknown range.
    is_shuffled: bool,
    /// Information about some row groups.
    groups: Vec<GroupFacts>,
}

#[derive(Clone, Copy, Debug)]
struct GroupFacts {
    file: usize,
    /// The number of rows before the row group in its file.
    first_row: usize,
    rows: f64,
    /// The uncompressed size of its pages in bytes.
    bytes: f64,
    dictionary_offset: Option<u64>,
}

impl GroupFacts {
    /// The number of values in the dictionary, if it contains all values. A writer whose dictionary has grown too large
    /// stores the remaining values themselves, which take more bytes than their numbers in the dictionary would.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn values(&self, dictionary: Dictionary) -> Option<f64> {
        let values = dictionary.values as f64;
        let number_bytes = (values.log2().ceil().max(1.0) + DEFINITION_BITS) / 8.0 + HEADER_BYTES_PER_ROW;
        let written = self.bytes - dictionary.bytes as f64;
        (written <= self.rows * number_bytes + SMALL_PAGE_BYTES).then_some(values)
    }
}

impl Facts {
    /// The information of one file, whose index among the table's files is set later.
    pub(super) fn of(schema: &ArrowSchema, metadata: &FileMetadata) -> Self {
        let mut columns: HashMap<String, ColumnFacts> = HashMap::new();
        let step = metadata.row_groups.len().div_ceil(MAX_GROUPS).max(1);
        let mut first_row = 0;
        for (place, group) in metadata.row_groups.iter().enumerate() {
            for column in group.parquet_columns() {
                let [name] = column.descriptor().path_in_schema.as_slice() else { continue };
                let Some(field) = schema.get(name.as_str()) else { continue };
                #[expect(clippy::cast_precision_loss, reason = "an estimate")]
                let rows = column.num_values() as f64;
                let statistics = column.statistics(&metadata.footer_buf).and_then(Result::ok);
                let null_count = statistics.as_ref().and_then(Statistics::null_count);
                let null_count = null_count.and_then(|count| u64::try_from(count).ok());
                let range = statistics.as_ref().and_then(|statistics| range(statistics, &field.dtype));
                let facts = columns.entry(name.to_string()).or_insert_with(|| ColumnFacts {
                    null_count: Some(0),
                    is_without_values: true,
                    step: step_of(&field.dtype),
                    ..ColumnFacts::default()
                });
                facts.add(rows, null_count, range);
                if place % step == 0 {
                    let dictionary_offset =
                        column.dictionary_page_offset().and_then(|offset| u64::try_from(offset).ok());
                    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
                    let bytes = column.uncompressed_size() as f64;
                    facts.groups.push(GroupFacts { file: 0, first_row, rows, bytes, dictionary_offset });
                }
            }
            first_row += group.num_rows();
        }
        Self { columns, sampled: Arc::default(), counted: Arc::default() }
    }

    /// Adds the information of the table's file with this index.
    pub(super) fn add_file(&mut self, of_file: Self, file: usize) {
        for (name, added) in of_file.columns {
            let Some(facts) = self.columns.get_mut(&name) else { continue };
            facts.rows += added.rows;
            facts.null_count = facts.null_count.zip(added.null_count).map(|(count, more)| count + more);
            facts.range =
                facts.range.zip(added.range).map(|((low, high), more)| (low.min(more.0), high.max(more.1)));
            facts.widths.0 += added.widths.0;
            facts.widths.1 += added.widths.1;
            facts.is_shuffled |= added.is_shuffled;
            facts.follow(added.ends);
            if facts.groups.len() < MAX_GROUPS * MAX_GROUPS {
                facts.groups.extend(added.groups.into_iter().map(|group| GroupFacts { file, ..group }));
            }
        }
    }

    /// The statistics of columns by name.
    pub(super) fn statistics(&self, files: &[PathBuf], columns: &[RequestedColumn<'_>]) -> TableStatistics {
        let mut opened: HashMap<usize, Option<File>> = HashMap::new();
        let mut dictionary = |group: &GroupFacts| {
            let offset = group.dictionary_offset?;
            let file = opened.entry(group.file).or_insert_with(|| File::open(files.get(group.file)?).ok());
            group.values(dictionary_at(file.as_ref()?, offset)?)
        };
        let known = columns.iter().filter_map(|column| Some((column, self.columns.get(column.name)?)));
        let known = known.map(|(column, facts)| {
            let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
            let mut statistics = match counted.get(column.name) {
                Some(statistics) => *statistics,
                None => {
                    let statistics = facts.statistics(&mut dictionary);
                    counted.insert(column.name.to_owned(), statistics);
                    statistics
                }
            };
            drop(counted);
            if column.is_key && statistics.is_bound {
                facts.count_by_sample(&mut statistics, || self.sampled(files, column.name, facts));
            }
            (column.name.to_owned(), statistics)
        });
        known.collect()
    }

    /// The least and the greatest value of a column of integers or dates.
    pub(super) fn integer_range(&self, name: &str) -> Option<(i64, i64)> {
        let facts = self.columns.get(name).filter(|facts| facts.step == Some(1.0))?;
        let (least, most) = facts.range.filter(|(least, most)| *least >= -EXACT && *most <= EXACT)?;
        #[expect(clippy::cast_possible_truncation, reason = "whole numbers of less than 53 bits")]
        Some((least as i64, most as i64))
    }

    /// Whether nothing is known of any column, as of files that are not Parquet.
    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Whether a column's values in each row group are at least as great as those in the row groups before it.
    pub(super) fn has_increasing_row_groups(&self, name: &str) -> bool {
        self.columns.get(name).is_some_and(|facts| !facts.is_shuffled && facts.ends.is_some())
    }

    /// Whether the ranges of a column in the row groups are narrower than half of its range.
    pub(super) fn has_ordered_row_groups(&self, name: &str) -> bool {
        self.columns.get(name).is_some_and(|facts| facts.parts() >= 2.0)
    }

    fn sampled(&self, files: &[PathBuf], name: &str, facts: &ColumnFacts) -> Option<f64> {
        let cache = || self.sampled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache().get(name) {
            return *known;
        }
        let mut sample = Sample::default();
        let places = facts.sampled_places();
        let read = places.iter().try_for_each(|(file, row)| sample.add(files.get(*file)?, name, *row));
        let found = read.and_then(|()| sample.distinct(facts.filled()));
        cache().insert(name.to_owned(), found);
        found
    }
}

impl ColumnFacts {
    fn add(&mut self, rows: f64, null_count: Option<u64>, range: Option<(f64, f64)>) {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let is_empty = null_count.is_some_and(|count| count as f64 >= rows);
        self.range = match (self.range, range) {
            (range, _) if is_empty => range,
            (None, range) if self.is_without_values => range,
            (Some((low, high)), Some((group_low, group_high))) => {
                Some((low.min(group_low), high.max(group_high)))
            }
            _ => None,
        };
        self.is_without_values &= is_empty;
        self.rows += rows;
        self.null_count = self.null_count.zip(null_count).map(|(count, more)| count + more);
        if let Some((low, high)) = range {
            self.widths.0 += high - low;
            self.widths.1 += 1.0;
        }
        self.is_shuffled |= range.is_none();
        self.follow(range);
    }

    /// Adds the range of the following row groups.
    fn follow(&mut self, range: Option<(f64, f64)>) {
        let Some((low, high)) = range else { return };
        self.is_shuffled |= self.ends.is_some_and(|(_, before)| low < before);
        self.ends = Some((self.ends.map_or(low, |(first, _)| first), high));
    }

    /// The number of rows in which the column is not NULL.
    fn filled(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let nulls = self.null_count.map_or(0.0, |count| count as f64);
        (self.rows - nulls).max(0.0)
    }

    /// Files and first rows of the sampled places: in different row groups, or in several parts of a row group if there
    /// are few.
    fn sampled_places(&self) -> Vec<(usize, usize)> {
        let groups = self.groups.len();
        let place = |place: usize| {
            let group = self.groups.get(place * groups / PLACES)?;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a row number")]
            let rows = group.rows as usize;
            Some((group.file, group.first_row + place * groups % PLACES * rows / PLACES))
        };
        (0..PLACES).filter_map(place).collect()
    }

    /// Uses the sampled number of distinct values, unless the table is small, or the range has so few values that all
    /// of them are assumed to occur.
    fn count_by_sample(&self, statistics: &mut ColumnStatistics, sample: impl FnOnce() -> Option<f64>) {
        let Some(most) = statistics.distinct_count else { return };
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let most = most as f64;
        if self.rows < MIN_TABLE_ROWS || most * ROWS_OF_A_FULL_RANGE <= self.filled() {
            return;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive estimate")]
        if let Some(distinct) = sample() {
            statistics.distinct_count = Some(distinct.min(most) as u64);
            statistics.is_bound = false;
        }
    }

    fn statistics(&self, dictionary: &mut impl FnMut(&GroupFacts) -> Option<f64>) -> ColumnStatistics {
        let filled = self.filled();
        // There are at most as many values as rows and, for integers, as the range has.
        let room = self.range.zip(self.step).map(|((low, high), step)| (high - low) / step + 1.0);
        let most = room.map_or(filled, |room| room.min(filled));
        let step = self.groups.len().div_ceil(MAX_GROUPS).max(1);
        let groups = self.groups.iter().step_by(step);
        let counted: Option<Vec<(f64, f64)>> = groups
            .map(|group| Some((dictionary(group)?, group.rows * filled / self.rows.max(1.0))))
            .collect();
        let counted = counted.filter(|counted| !counted.is_empty());
        let is_bound = counted.is_none();
        let distinct = counted
            .map(|counted| self.of_groups(&counted).min(most))
            // Writers omit or abandon dictionaries if there are many values.
            .or((room.is_some() || !self.groups.is_empty()).then_some(most));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive estimate")]
        let distinct_count = distinct.map(|count| count.max(0.0) as u64);
        ColumnStatistics { null_count: self.null_count, distinct_count, is_bound, range: self.range }
    }

    /// Estimates the number of distinct values from the numbers of values and rows of some row groups. Groups have
    /// different values as far as their ranges do not overlap; otherwise they are samples of the same values.
    fn of_groups(&self, counted: &[(f64, f64)]) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "some groups")]
        let count = counted.len() as f64;
        let values = counted.iter().map(|(values, _)| values).sum::<f64>() / count;
        let rows = counted.iter().map(|(_, rows)| rows).sum::<f64>() / count;
        population(values, rows) * self.parts()
    }

    /// The number of different ranges of the row groups: 1 if all have the same, at most the number of row groups.
    fn parts(&self) -> f64 {
        let (widths, groups) = self.widths;
        self.range.map_or(1.0, |(low, high)| {
            let width = widths / groups.max(1.0);
            if width > 0.0 { ((high - low) / width).clamp(1.0, groups.max(1.0)) } else { groups.max(1.0) }
        })
    }
}

/// The number of values of which `rows` random rows contain `values`: the inverse of Cardenas' formula.
fn population(values: f64, rows: f64) -> f64 {
    if values >= rows * MOSTLY_DISTINCT {
        return f64::INFINITY;
    }
    let seen = |all: f64| all * (1.0 - (-rows / all).exp());
    let (mut low, mut high) = (values.max(1.0), values.max(1.0) * 64.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if seen(middle) < values { low = middle } else { high = middle }
    }
    high
}

/// The least and the greatest value of a number or date column, as SQL values.
fn range(statistics: &Statistics, data_type: &ArrowDataType) -> Option<(f64, f64)> {
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let (low, high) = match statistics {
        Statistics::Int32(of) => (f64::from(of.min_value?), f64::from(of.max_value?)),
        Statistics::Int64(of) => (of.min_value? as f64, of.max_value? as f64),
        Statistics::Float(of) => (f64::from(of.min_value?), f64::from(of.max_value?)),
        Statistics::Double(of) => (of.min_value?, of.max_value?),
        Statistics::FixedLen(of) => {
            (big_endian(of.min_value.as_ref()?)?, big_endian(of.max_value.as_ref()?)?)
        }
        _ => return None,
    };
    let of_one = match data_type {
        ArrowDataType::Int8
        | ArrowDataType::Int16
        | ArrowDataType::Int32
        | ArrowDataType::Int64
        | ArrowDataType::Date32
        | ArrowDataType::Float32
        | ArrowDataType::Float64 => 1.0,
        // 9999 / 100 is the double nearest to 99.99, while 9999 * 0.01 is not.
        ArrowDataType::Decimal(_, scale) => units_of_scale(*scale),
        _ => return None,
    };
    let is_fixed = matches!(statistics.physical_type(), PhysicalType::FixedLenByteArray(_));
    let is_decimal = matches!(data_type, ArrowDataType::Decimal(..));
    (low <= high && (is_decimal || !is_fixed)).then_some((low / of_one, high / of_one))
}

fn step_of(data_type: &ArrowDataType) -> Option<f64> {
    match data_type {
        ArrowDataType::Int8
        | ArrowDataType::Int16
        | ArrowDataType::Int32
        | ArrowDataType::Int64
        | ArrowDataType::Date32 => Some(1.0),
        ArrowDataType::Decimal(_, scale) => Some(units_of_scale(*scale).recip()),
        _ => None,
    }
}

fn units_of_scale(scale: usize) -> f64 {
    10_f64.powi(i32::try_from(scale).unwrap_or(0))
}

/// A big-endian number in two's complement.
fn big_endian(bytes: &[u8]) -> Option<f64> {
    let first = *bytes.first()?;
    let sign: i128 = if first & 0x80 == 0 { 0 } else { -1 };
    let fits = bytes.len() <= size_of::<i128>();
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fits.then(|| bytes.iter().fold(sign, |value, byte| value << 8 | i128::from(*byte)) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(rows: f64, range: Option<(f64, f64)>, groups: usize, width: f64) -> ColumnFacts {
        #[expect(clippy::cast_precision_loss, reason = "some groups")]
        let count = groups as f64;
        ColumnFacts {
            rows,
            null_count: Some(0),
            range,
            is_without_values: false,
            step: range.map(|_| 1.0),
            widths: (width * count, count),
            ends: range,
            is_shuffled: true,
            groups: vec![
                GroupFacts {
                    file: 0,
                    first_row: 0,
                    rows: rows / count,
                    bytes: 0.0,
                    dictionary_offset: Some(4)
                };
                groups
            ],
        }
    }

    #[track_caller]
    fn check(facts: &ColumnFacts, in_dictionary: Option<f64>, expected: u64) {
        let found = facts.statistics(&mut |_| in_dictionary).distinct_count.expect("a number");
        assert!(found.abs_diff(expected) * 50 <= expected, "{found}, not {expected}");
    }

    #[test]
    fn values_are_counted_by_dictionaries_and_ranges() {
        // Flags: all groups have the same values.
        check(&facts(1e6, None, 10, 0.0), Some(3.0), 3);
        // Random keys of another table: 100,000 rows contain 63,212 of 100,000 keys.
        check(&facts(1e6, None, 10, 0.0), Some(63_212.0), 100_000);
        // Dates in ascending order: each group has 100 of its own.
        check(&facts(1e6, Some((0.0, 999.0)), 10, 99.0), Some(100.0), 1000);
        // A primary key, without dictionaries.
        check(&facts(1e6, Some((1.0, 1e6)), 10, 1e5), None, 1_000_000);
        // A foreign key, without dictionaries.
        check(&facts(1e6, Some((1.0, 5000.0)), 10, 5000.0), None, 5000);
        // Texts without dictionaries.
        check(&facts(1e6, None, 10, 0.0), None, 1_000_000);
    }

    #[test]
    fn an_abandoned_dictionary_gives_no_distinct_count() {
        let check = |values: u64, dictionary_bytes: u64, bytes: f64, expected: Option<f64>| {
            let group =
                GroupFacts { file: 0, first_row: 0, rows: 131_072.0, bytes, dictionary_offset: Some(4) };
            assert_eq!(group.values(Dictionary { values, bytes: dictionary_bytes }), expected, "{values}");
        };
        // 25 values, of five bits each.
        check(25, 200, 200.0 + 131_072.0 * 5.0 / 8.0 + 1200.0, Some(25.0));
        // Distinct values in a dictionary of a megabyte: 17 bits each.
        check(131_072, 1 << 20, 1_048_576.0 + 131_072.0 * 17.0 / 8.0 + 1200.0, Some(131_072.0));
        // A quarter of the rows in a dictionary, the others stored themselves with eight bytes each.
        check(33_125, 265_000, 265_000.0 + 33_125.0 * 2.0 + 97_947.0 * 8.0, None);
    }

    #[test]
    fn big_endian_numbers_are_signed() {
        assert_eq!(big_endian(&[0xFF, 0x9C]), Some(-100.0));
        assert_eq!(big_endian(&[0x01, 0x00, 0x00]), Some(65_536.0));
        assert_eq!(big_endian(&[]), None);
    }
}
