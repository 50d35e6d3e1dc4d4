//! Spilling: statements are computed part by part with the same answers; here almost nothing fits into memory.

use std::fs;

use serde_json::Value;

use super::{Attempt, ExecutionOptions, Samples, cases, fault_in, random_cases, rows_in};
use rowhouse_executor::SpillLimits;
use rowhouse_sql::PassSet;

/// No operator may hold any rows in memory.
const NO_MEMORY: SpillLimits = SpillLimits { memory_bytes: 1, disk_bytes: 1 << 30 };

/// Runs the cases; at least `least_spilled` of them must spill.
fn check(cases: &[Value], least_spilled: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ExecutionOptions {
        passes: &PassSet::default(),
        attempts: &Attempt::ALL,
        spill: Some(NO_MEMORY),
        samples: Samples::Create,
        uses_plan_cache: false,
    };
    let mut spilled = 0;
    let mut faults = Vec::new();
    for case in cases {
        match fault_in(&options, case, folder.path()) {
            Some(fault) if fault.contains("EXCEEDED_MEMORY_LIMIT") => {}
            Some(fault) => faults.push(fault),
            None => spilled += 1,
        }
    }
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
    assert!(spilled >= least_spilled, "{spilled} of {} spilled", cases.len());
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("the folder").flatten().map(|entry| entry.path()).collect();
    assert!(left.iter().all(|path| path.extension().is_some_and(|ending| ending == "arrow")), "{left:?}");
}

#[test]
fn answers_over_nulls_and_duplicates_match_duckdb() {
    check(&cases(), 100);
}

#[test]
fn random_statements_match_duckdb() {
    check(&random_cases(), 100);
}

/// A row that is distributed by one random number must not be grouped by another.
#[test]
fn partitions_by_random_numbers_are_not_split() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ExecutionOptions {
        passes: &PassSet::default(),
        attempts: &Attempt::ALL,
        spill: Some(NO_MEMORY),
        samples: Samples::Create,
        uses_plan_cache: false,
    };
    let sql = "SELECT n FROM (SELECT count(*) OVER (PARTITION BY random(3)) n FROM UNNEST(sequence(1, 1000)) t(x)) u
        ORDER BY n";
    let mut rows = rows_in(&options, sql, folder.path()).expect("an answer");
    assert_eq!(rows.len(), 1000);
    rows.dedup();
    assert!((1..=3).contains(&rows.len()), "{rows:?}");
}
