//! A cached plan is used for the same statement over the same tables, and for no other.

use std::time::Duration;

use rowhouse_executor::catalog::{TableEntry, TableSource};
use rowhouse_model::{TableFormat, Timestamp};

use super::*;
use crate::plan_cache;

/// A file has no version yet if it was changed within this time.
const SETTLED: Duration = Duration::from_millis(60);

fn with_table(sql: &str, folder: &Path, csv: &str) -> Statement {
    let mut statement = statement(sql, folder);
    let file = folder.join("t.csv");
    fs::write(&file, csv).expect("a file");
    std::thread::sleep(SETTLED);
    statement.catalog.tables.push(TableEntry {
        catalog: "rowhouse".to_owned(),
        schema: "demo".to_owned(),
        name: "t".to_owned(),
        source: TableSource::Files { location: file.display().to_string(), format: TableFormat::Csv },
    });
    statement
}

fn run(statement: &Statement) -> Vec<Vec<Value>> {
    let _ = fs::remove_file(&statement.output);
    let options = ExecutionOptions {
        passes: &PassSet::default(),
        attempts: &Attempt::ALL,
        spill: None,
        samples: Samples::Create,
        uses_plan_cache: true,
    };
    rows_of(&options, statement).expect("rows")
}

fn is_cached(statement: &Statement) -> bool {
    let mut tables = crate::tables::Tables::of(statement, Samples::Create);
    plan_cache::find(statement).is_some_and(|cached| {
        tables.scans(&cached.analyzed.tables).expect("tables");
        cached.is_of(tables.versions())
    })
}

#[test]
fn a_plan_is_cached_for_the_same_versions_of_the_same_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let sql = "SELECT a, count(*) AS kept_plan FROM t WHERE a > :least GROUP BY a ORDER BY a";
    let mut submitted = with_table(sql, folder.path(), "a\n1\n2\n2\n");
    submitted.parameters = serde_json::from_value(json!({ "least": 1 })).expect("parameters");
    assert!(!is_cached(&submitted));
    assert_eq!(run(&submitted), [[json!(2), json!(2)]]);
    assert!(is_cached(&submitted));
    assert_eq!(run(&submitted), [[json!(2), json!(2)]]);
    // Another value, user, zone, schema, table or quarter of an hour.
    let others: [fn(&mut Statement); 6] = [
        |other| other.parameters = serde_json::from_value(json!({ "least": 2 })).expect("parameters"),
        |other| other.user = "other".to_owned(),
        |other| other.session.time_zone = Some("Europe/Berlin".to_owned()),
        |other| other.catalog.default_schema = "other".to_owned(),
        |other| other.catalog.tables.rotate_left(1),
        |other| other.now = Timestamp::from_millis(other.now.as_millis() + 15 * 60 * 1000),
    ];
    for change in others {
        let mut other = submitted.clone();
        change(&mut other);
        assert!(!is_cached(&other));
    }
    run(&submitted);
    // A table that the statement does not name may be added or removed after its own.
    let mut beside = submitted.clone();
    beside.catalog.tables.push(TableEntry { name: "u".to_owned(), ..submitted.catalog.tables[0].clone() });
    assert!(is_cached(&beside));
    // For other files it is planned again, even if their types have changed.
    let mut replaced = with_table(sql, folder.path(), "a\n1.5\n1.5\n");
    replaced.parameters = submitted.parameters.clone();
    assert!(!is_cached(&replaced));
    assert_eq!(run(&replaced), [[json!(1.5), json!(2)]]);
    assert!(is_cached(&replaced));
}

#[test]
fn nondeterministic_plans_are_not_cached() {
    let folder = tempfile::tempdir().expect("a folder");
    for (sql, expected) in [
        ("SELECT current_timestamp AS kept_plan", false),
        ("SELECT random() AS kept_plan", false),
        ("SHOW TABLES", false),
        ("SELECT current_date AS kept_plan", true),
        ("SELECT n_name AS kept_plan FROM tpch.tiny.nation LIMIT 1", true),
    ] {
        let submitted = statement(sql, folder.path());
        run(&submitted);
        assert_eq!(is_cached(&submitted), expected, "{sql}");
    }
    // A table that was just changed has no version.
    let fresh = with_table("SELECT a AS kept_plan FROM t", folder.path(), "a\n1\n");
    fs::write(folder.path().join("t.csv"), "a\n2\n").expect("a file");
    for _ in 0..2 {
        assert_eq!(run(&fresh), [[json!(2)]]);
    }
}
