//! Errors of Polars that can be recognized only by their text, in the version that the workspace locks.

/// Whether the text of an `InvalidOperation` is that of a cast that failed for a value.
pub(super) fn is_failed_conversion(text: &str) -> bool {
    text.starts_with("conversion from ")
}

/// Whether the text of a panic says that there was no memory for a text in Polars.
pub(super) fn is_no_memory(panic: &str) -> bool {
    panic.starts_with("Cannot allocate memory to hold CompactString")
}

#[cfg(test)]
mod tests {
    use polars::prelude::{DataType, IntoLazy, NamedFrom, PolarsError, Series, col, df, lit};

    use super::*;

    #[test]
    fn failed_casts_of_polars_are_recognized() {
        let text = Series::new("a".into(), ["x"]);
        let failed = text.strict_cast(&DataType::Int64).expect_err("x is no number");
        assert!(
            matches!(&failed, PolarsError::InvalidOperation(text) if is_failed_conversion(text)),
            "{failed}"
        );
        let frame = df!("a" => ["x"]).expect("a frame").lazy();
        let failed = frame.select([col("a").strict_cast(DataType::Int64)]).collect().expect_err("no number");
        assert_eq!(super::super::query_error(&failed).error_name, "INVALID_CAST_ARGUMENT", "{failed:?}");
    }

    #[test]
    fn other_invalid_operations_are_not_failed_casts() {
        let frame = df!("a" => ["x"]).expect("a frame").lazy();
        let failed = frame.select([col("a") * lit(true)]).collect().expect_err("no product");
        assert_eq!(super::super::query_error(&failed).error_name, "GENERIC_INTERNAL_ERROR", "{failed:?}");
    }
}
