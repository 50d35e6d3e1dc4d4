//! Columns without NULLs according to the footers: counting rows instead of their values must have no visible effect.

use std::fs::File;
use std::path::Path;

use polars::prelude::{ParquetWriter, df};
use serde_json::json;

use super::*;

/// Two files, the second one with two row groups: `b` has NULLs only in the last row group, `u` is cast when it is
/// read.
fn write_files(folder: &Path) {
    let write = |name: &str, rows: &[(i64, i64, Option<i64>)]| {
        let mut frame = df!(
            "k" => rows.iter().map(|row| row.0).collect::<Vec<_>>(),
            "a" => rows.iter().map(|row| row.1).collect::<Vec<_>>(),
            "b" => rows.iter().map(|row| row.2).collect::<Vec<_>>(),
            "u" => rows.iter().map(|row| row.1.unsigned_abs()).collect::<Vec<_>>(),
        )
        .expect("a frame");
        let file = File::create(folder.join(name)).expect("a file");
        ParquetWriter::new(file).with_row_group_size(Some(2)).finish(&mut frame).expect("rows");
    };
    write("1.parquet", &[(1, 10, Some(1)), (1, 20, Some(2))]);
    write("2.parquet", &[(2, 30, Some(3)), (2, 40, Some(4)), (2, 50, None), (3, 60, None)]);
}

#[test]
fn counts_and_sums_of_not_null_columns_are_correct() {
    let files = tempfile::tempdir().expect("a folder");
    write_files(files.path());
    let location = format!("{}/*.parquet", files.path().display());
    let scan = scan_files(&location, TableFormat::Parquet).expect("a table");
    let mut full: Vec<&str> = scan.not_null_columns.iter().map(String::as_str).collect();
    full.sort_unstable();
    assert_eq!(full, ["a", "k"]);
    let folder = tempfile::tempdir().expect("a folder");
    let check = |sql: &str, expected: serde_json::Value| {
        let options = ExecutionOptions {
            passes: &PassSet::default(),
            attempts: &Attempt::ALL,
            spill: None,
            samples: Samples::Create,
            uses_plan_cache: false,
        };
        let mut submitted = statement(sql, folder.path());
        let source = TableSource::Files { location: location.clone(), format: TableFormat::Parquet };
        submitted.catalog.tables[0] =
            TableEntry { name: "x".to_owned(), source, ..submitted.catalog.tables[0].clone() };
        assert_eq!(json!(rows_of(&options, &submitted).expect("rows")), expected, "{sql}");
    };
    check(
        "SELECT k, count(a), sum(a), count(b), sum(b), avg(b), count(a + b), sum(a + b), count(a * 2), count(*)
         FROM x GROUP BY k ORDER BY k",
        json!([
            [1, 2, 30, 2, 3, 1.5, 2, 33, 2, 2],
            [2, 3, 120, 2, 7, 3.5, 2, 77, 3, 3],
            [3, 1, 60, 0, null, null, 0, null, 1, 1],
        ]),
    );
    check(
        "SELECT count(a), sum(a), avg(a), sum(CAST(a AS decimal(38, 1))) FROM x WHERE k > 9",
        json!([[0, null, null, null]]),
    );
    check(
        "SELECT y.k, count(x.a), sum(x.a), sum(y.k) FROM (VALUES 1, 9) y (k) LEFT JOIN x ON x.k = y.k
         GROUP BY y.k ORDER BY y.k",
        json!([[1, 2, 30, 2], [9, 0, null, 9]]),
    );
    check(
        "SELECT y.k, count(x.a), sum(x.a) FROM x RIGHT JOIN (VALUES 1, 9) y (k) ON x.k = y.k GROUP BY 1 ORDER BY 1",
        json!([[1, 2, 30], [9, 0, null]]),
    );
    check(
        "SELECT x.k, y.k, count(x.a), sum(x.a) FROM x FULL JOIN (VALUES 1, 9) y (k) ON x.k = y.k
         GROUP BY 1, 2 ORDER BY 1, 2",
        json!([[1, 1, 2, 30], [2, null, 3, 120], [3, null, 1, 60], [null, 9, 0, null]]),
    );
    check(
        "SELECT k, sum(a) FILTER (WHERE a > 20), count(a) FILTER (WHERE a > 20), count(nullif(a, 30)),
         sum(CASE WHEN a > 50 THEN a END), count(TRY_CAST(a AS tinyint)), count(DISTINCT a), sum(DISTINCT a)
         FROM x GROUP BY k ORDER BY k",
        json!([
            [1, null, 0, 2, null, 2, 2, 30],
            [2, 120, 3, 2, null, 3, 3, 120],
            [3, 60, 1, 1, 60, 1, 1, 60],
        ]),
    );
    check("SELECT count(s), sum(s) FROM (SELECT k, sum(b) s FROM x GROUP BY k) t", json!([[2, 10]]));
    check("SELECT count(a), sum(a) FROM (SELECT a FROM x UNION ALL SELECT b FROM x) t", json!([[10, 220]]));
    check("SELECT sum(u), count(u) FROM x", json!([[210.0, 6]]));
}
