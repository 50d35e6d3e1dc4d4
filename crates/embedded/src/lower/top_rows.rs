//! The first key of a top-k, and batches without rows below it.

use polars::prelude::{Column, DataFrame, PlSmallStr, PolarsResult};
use rowhouse_sql::expr::SortKey;
use rowhouse_sql::types::Type;

use crate::column::column_name;

/// Maximum number of rows of a top-k whose first key is read first.
const MAX_ROWS: usize = 10_000;

/// The first key of a sort, and the rows that are wanted.
#[derive(Clone, Debug)]
pub(super) struct Top {
    /// The column of the key.
    pub(super) name: PlSmallStr,
    /// OFFSET and LIMIT together.
    pub(super) rows: usize,
}

impl Top {
    /// `None` if the key is not a column of numbers or times, or if many rows are wanted.
    pub(super) fn of(key: &SortKey, rows: u64) -> Option<Self> {
        let data_type = &key.expr.data_type;
        let is_number = data_type.is_integer()
            || matches!(data_type, Type::Date | Type::Decimal { .. } | Type::Timestamp { .. });
        let rows = usize::try_from(rows).ok().filter(|rows| is_number && (1..=MAX_ROWS).contains(rows))?;
        Some(Self { name: column_name(key.expr.as_column()?), rows })
    }
}

/// In a batch without rows, columns must not be constants.
pub(super) fn no_constants_without_rows(frame: DataFrame) -> PolarsResult<DataFrame> {
    if frame.height() > 0 {
        return Ok(frame);
    }
    let columns = frame.columns().iter().map(|column| Column::from(column.as_materialized_series().clone()));
    DataFrame::new(0, columns.collect())
}
