//! Statistics of a table's columns, available before rows are read. They affect how a statement runs, never its result.

use std::collections::HashMap;

/// The statistics of a table's columns by name; columns without an entry have unknown statistics.
pub type TableStatistics = HashMap<String, ColumnStatistics>;

/// The statistics of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColumnStatistics {
    /// The number of NULLs.
    pub null_count: Option<u64>,
    /// The approximate number of distinct values other than NULL.
    pub distinct_count: Option<u64>,
    /// Whether `distinct_count` is only an upper bound, and not counted.
    pub is_bound: bool,
    /// The minimum and the maximum of numbers (integers, decimals, doubles), or of dates in days since 1970-01-01.
    pub range: Option<(f64, f64)>,
}

/// A column for which statistics are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestedColumn<'a> {
    /// The name as in the table's files.
    pub name: &'a str,
    /// Whether the number of distinct values matters most, for joins and groups; a sample of the rows may be read for
    /// it.
    pub is_key: bool,
}
