//! Errors of Polars that can be recognized only by their text, in the version that the workspace locks.

/// Whether the text of an `InvalidOperation` is that of a cast that failed for a value.
pub(super) fn is_failed_conversion(text: &str) -> bool {
    text.starts_with("conversion from ")
}

/// Whether the text of a panic says that there was no memory for a text in Polars.
pub(super) fn is_no_memory(panic: &str) -> bool {
    panic.starts_with("Cannot allocate memory to hold CompactString")
}

/// What is wrong with a CSV file, if the text of a `ComputeError` says that something is.
pub(super) fn csv_fault(text: &str) -> Option<&'static str> {
    if text == "invalid utf-8 sequence" {
        Some("invalid UTF-8 in a field")
    } else if text.starts_with("CSV malformed: expected ")
        || text == "string field is not properly escaped"
        || text.contains("invalid csv file") && text.contains("is not properly escaped")
    {
        Some("a field in quotes has no end, or a quote in it is not doubled")
    } else if text.starts_with("found more fields than defined in 'Schema'") {
        Some("a line has more fields than the header")
    } else {
        None
    }
}

/// What is wrong with a Parquet file, if the text of a `ComputeError` says that something is.
pub(super) fn parquet_fault(text: &str) -> Option<&str> {
    text.strip_prefix("parquet: ")
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
    fn faults_of_csv_files_are_recognized() {
        let folder = tempfile::tempdir().expect("a folder");
        let check = |bytes: &[u8], expected: &str| {
            let file = folder.path().join("t.csv");
            std::fs::write(&file, bytes).expect("a file");
            let path = polars::prelude::PlRefPath::try_from_path(&file).expect("a path");
            let frame = polars::prelude::LazyCsvReader::new(path);
            let failed = polars::prelude::LazyFileListReader::finish(frame).expect("a frame").collect();
            let failed = failed.expect_err("no rows");
            assert!(
                matches!(&failed, PolarsError::ComputeError(text) if csv_fault(text) == Some(expected)),
                "{failed:?}"
            );
        };
        check(b"k,v\n1,ok\n2,\xff\xfe\n", "invalid UTF-8 in a field");
        check(b"k,v\n1,\"ok\n2,x\n", "a field in quotes has no end, or a quote in it is not doubled");
        check(b"k,v\n1,x\n1,x,y\n", "a line has more fields than the header");
        // Where the end of a file is looked for in parallel.
        let counted =
            "CSV malformed: expected 0 rows, actual 1 rows, in chunk starting at row_offset 0, length 14";
        assert!(csv_fault(counted).is_some());
        assert_eq!(csv_fault("cannot parse '' as CSV"), None);
    }

    #[test]
    fn faults_of_parquet_files_are_recognized() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("t.parquet");
        let texts: Vec<String> = (0..1_000).map(|number| format!("text {number}")).collect();
        let mut frame = df!("a" => texts).expect("a frame");
        let mut bytes = Vec::new();
        let writer = polars::prelude::ParquetWriter::new(&mut bytes);
        let writer = writer.with_compression(polars::prelude::ParquetCompression::Snappy);
        writer.finish(&mut frame).expect("a file");
        // In the middle of the compressed page.
        let middle = bytes.len() / 3;
        bytes[middle..middle + 100].fill(0xff);
        std::fs::write(&file, bytes).expect("a file");
        let path = polars::prelude::PlRefPath::try_from_path(&file).expect("a path");
        let frame = polars::prelude::LazyFrame::scan_parquet(path, Default::default()).expect("a frame");
        let failed = frame.collect().expect_err("no rows");
        assert!(
            matches!(&failed, PolarsError::ComputeError(text) if parquet_fault(text).is_some()),
            "{failed:?}"
        );
        assert_eq!(parquet_fault("cannot compare parquet: with 1"), None);
    }

    #[test]
    fn other_invalid_operations_are_not_failed_casts() {
        let frame = df!("a" => ["x"]).expect("a frame").lazy();
        let failed = frame.select([col("a") * lit(true)]).collect().expect_err("no product");
        assert_eq!(super::super::query_error(&failed).error_name, "GENERIC_INTERNAL_ERROR", "{failed:?}");
    }
}
