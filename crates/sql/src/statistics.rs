//! Statistics of a table's columns, available before any row is read. They decide how a statement runs, never its
//! result.

use std::collections::HashMap;

/// What the files of a table tell of its columns; of a column that is not there nothing is known.
pub type TableStatistics = HashMap<String, ColumnStatistics>;

/// What is known of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColumnStatistics {
    /// Rows in which it is NULL.
    pub null_count: Option<u64>,
    /// Its different values other than NULL, about.
    pub distinct_count: Option<u64>,
    /// Whether nobody has counted them: they are no more.
    pub is_bound: bool,
    /// The least and the greatest of its numbers (integers, decimals, doubles), or days since 1970-01-01 of its dates.
    pub range: Option<(f64, f64)>,
}

/// A column of which something is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WantedColumn<'a> {
    /// As the table's files spell it.
    pub name: &'a str,
    /// Whether the number of its values matters most, for joins and groups: some of its rows may be read for it.
    pub is_key: bool,
}
