//! Limit of a record's result columns: they are part of every answer with the record, and of every list.

use rowhouse_model::{Column, ErrorCode, QueryError};

use crate::json_size::json_bytes;

/// Maximum bytes of columns as JSON: about 16,000 of simple types.
const MAX_COLUMNS_BYTES: usize = 2 << 20;

/// Checks that names and types of columns are not longer than a record may hold.
///
/// # Errors
/// `NOT_SUPPORTED`.
pub fn check_columns(columns: &[Column]) -> Result<(), QueryError> {
    let bytes = json_bytes(columns);
    if bytes <= MAX_COLUMNS_BYTES {
        return Ok(());
    }
    let message = format!(
        "the result has {} columns, whose names and types take {bytes} bytes; {MAX_COLUMNS_BYTES} are the most: select \
         fewer columns, or rows with fewer fields",
        columns.len()
    );
    Err(QueryError::new(ErrorCode::NotSupported, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_limited_to_what_a_record_may_hold() {
        let columns = |count: usize| -> Vec<Column> {
            (0..count).map(|number| Column::new(format!("column_{number}"), "bigint")).collect()
        };
        check_columns(&[]).expect("none");
        check_columns(&columns(10_000)).expect("many");
        let refused = check_columns(&columns(30_000)).expect_err("too many");
        assert_eq!(refused.error_name, "NOT_SUPPORTED");
        assert!(refused.message.contains("30000 columns"), "{}", refused.message);
        // A single column with a type of that length.
        let fields: Vec<String> = (0..20_000).map(|number| format!("f{number} bigint")).collect();
        let row = Column::new("a", format!("row({})", fields.join(", ")));
        assert!(check_columns(&[row]).is_err());
    }
}
