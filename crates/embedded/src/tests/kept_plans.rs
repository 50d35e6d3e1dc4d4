//! A cached plan is used for the same statement over the same tables, and for no other.

use std::time::Duration;

use rowhouse_executor::catalog::{TableEntry, TableSource};
use rowhouse_model::{TableFormat, Timestamp};

use super::*;
use crate::kept_plans;

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
        samples: Samples::Make,
        keeps_plans: true,
    };
    rows_of(&options, statement).expect("rows")
}

fn is_kept(statement: &Statement) -> bool {
    let mut tables = crate::tables::Tables::of(statement, Samples::Make);
    kept_plans::find(statement).is_some_and(|kept| {
        tables.scans(&kept.analyzed.tables).expect("tables");
        kept.is_of(tables.versions())
    })
}

#[test]
fn a_plan_is_kept_for_the_same_tables_in_the_same_versions() {
    let folder = tempfile::tempdir().expect("a folder");
    let sql = "SELECT a, count(*) AS kept_plan FROM t WHERE a > :least GROUP BY a ORDER BY a";
    let mut asked = with_table(sql, folder.path(), "a\n1\n2\n2\n");
    asked.parameters = serde_json::from_value(json!({ "least": 1 })).expect("parameters");
    assert!(!is_kept(&asked));
    assert_eq!(run(&asked), [[json!(2), json!(2)]]);
    assert!(is_kept(&asked));
    assert_eq!(run(&asked), [[json!(2), json!(2)]]);
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
        let mut other = asked.clone();
        change(&mut other);
        assert!(!is_kept(&other));
    }
    run(&asked);
    // A table that the statement does not name may be added or removed after its own.
    let mut beside = asked.clone();
    beside.catalog.tables.push(TableEntry { name: "u".to_owned(), ..asked.catalog.tables[0].clone() });
    assert!(is_kept(&beside));
    // For other files it is planned again, even if their types have changed.
    let mut replaced = with_table(sql, folder.path(), "a\n1.5\n1.5\n");
    replaced.parameters = asked.parameters.clone();
    assert!(!is_kept(&replaced));
    assert_eq!(run(&replaced), [[json!(1.5), json!(2)]]);
    assert!(is_kept(&replaced));
}

#[test]
fn what_is_another_plan_each_time_is_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    for (sql, expected) in [
        ("SELECT current_timestamp AS kept_plan", false),
        ("SELECT random() AS kept_plan", false),
        ("SHOW TABLES", false),
        ("SELECT current_date AS kept_plan", true),
        ("SELECT n_name AS kept_plan FROM tpch.tiny.nation LIMIT 1", true),
    ] {
        let asked = statement(sql, folder.path());
        run(&asked);
        assert_eq!(is_kept(&asked), expected, "{sql}");
    }
    // A table that was just changed has no version.
    let fresh = with_table("SELECT a AS kept_plan FROM t", folder.path(), "a\n1\n");
    fs::write(folder.path().join("t.csv"), "a\n2\n").expect("a file");
    for _ in 0..2 {
        assert_eq!(run(&fresh), [[json!(2)]]);
    }
}
