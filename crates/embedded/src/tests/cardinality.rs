//! Compares the cardinality model with the true numbers: rows of every join, filter and aggregation of TPC-H and
//! TPC-DS, estimated and counted. The q-error of an estimate is the factor by which it is too large or too small. It
//! must not get worse: a bound here is lowered when the model improves, and never raised.

use std::fs;
use std::path::Path;

use polars::prelude::{DataType, len};

use super::{Attempt, DecimalSums, Samples, Tables, lower, plan, statement};
use rowhouse_executor::Statement;
use rowhouse_executor::catalog::{TableEntry, TableSource};
use rowhouse_model::TableFormat;
use rowhouse_sql::plan::Plan;
use rowhouse_sql::{Analyzed, PassSet, row_estimates};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");

/// Upper bounds of the q-errors of a benchmark.
struct Bounds {
    median: f64,
    nine_of_ten: f64,
    most: f64,
}

/// The q-errors of a statement's nodes, each with the node.
fn q_errors(statement: &Statement) -> Vec<(f64, String)> {
    let mut tables = Tables::of(statement, Samples::Create);
    let analyzed = plan(statement, &PassSet::default(), &mut tables).expect("a plan");
    let scans = tables.scans(&analyzed.tables).expect("the tables");
    let mut errors = Vec::new();
    let plans = analyzed.shared.iter().chain([&analyzed.plan]);
    for (plan, estimates) in plans.zip(row_estimates(&analyzed)) {
        let mut estimates = estimates.into_iter();
        plan.visit(&mut |node| {
            let estimate = estimates.next().expect("an estimate for each node");
            let is_one_group = matches!(node, Plan::Aggregate(aggregate) if aggregate.keys.is_empty());
            if is_one_group || !matches!(node, Plan::Join(_) | Plan::Filter { .. } | Plan::Aggregate(_)) {
                return;
            }
            let alone = Analyzed { plan: node.clone(), output: node.fields(), ..analyzed.clone() };
            let frame = lower(&alone, &scans, DecimalSums::Quick, None).expect("a frame");
            let counted = Attempt::Streaming.collect(frame.select([len().cast(DataType::Int64)]));
            let count = counted.expect("rows");
            let count: f64 =
                count.columns()[0].get(0).and_then(|count| count.try_extract()).expect("a number");
            let (estimate, count) = (estimate.max(1.0), count.max(1.0));
            let error = (estimate / count).max(count / estimate);
            errors.push((error, format!("{estimate:.0} for {count:.0}: {}", node.node())));
        });
    }
    errors
}

#[track_caller]
fn check(name: &str, mut errors: Vec<(f64, String)>, bounds: &Bounds) {
    errors.sort_by(|one, other| one.0.total_cmp(&other.0));
    let at = |part: usize| errors[(errors.len() - 1) * part / 100].0;
    let (median, nine_of_ten, most) = (at(50), at(90), at(100));
    println!(
        "{name}: {} nodes, q-error {median:.2} median, {nine_of_ten:.1} of nine in ten, {most:.0} at most",
        errors.len()
    );
    for (error, node) in errors.iter().rev().take(12) {
        println!("  {error:.0} {}", node.chars().take(200).collect::<String>());
    }
    assert!(median <= bounds.median, "{name}: {median} median");
    assert!(nine_of_ten <= bounds.nine_of_ten, "{name}: {nine_of_ten} of nine in ten");
    assert!(most <= bounds.most, "{name}: {most} at most");
}

fn queries(suite: &str) -> Vec<String> {
    let files = fs::read_dir(format!("{DATA}/{suite}")).expect("the queries");
    let paths = files.map(|file| file.expect("a file").path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|kind| kind == "sql")).collect();
    paths.sort();
    let texts = paths.iter().map(|path| fs::read_to_string(path).expect("a query"));
    texts.map(|text| text.trim().trim_end_matches(';').to_owned()).collect()
}

fn tpcds(sql: &str, folder: &Path) -> Statement {
    let mut submitted = statement(sql, folder);
    let first = submitted.catalog.tables[0].clone();
    let files = fs::read_dir(format!("{DATA}/tpcds")).expect("the tables");
    let paths = files.map(|file| file.expect("a file").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|kind| kind == "parquet"));
    let entries = paths.map(|path| TableEntry {
        name: path.file_stem().expect("a name").display().to_string(),
        source: TableSource::Files { location: path.display().to_string(), format: TableFormat::Parquet },
        ..first.clone()
    });
    submitted.catalog.tables = entries.collect();
    submitted
}

#[test]
fn cardinality_estimates_of_tpch_do_not_regress() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut errors = Vec::new();
    for sql in queries("tpch") {
        let mut submitted = statement(&sql, folder.path());
        "tpch".clone_into(&mut submitted.catalog.default_catalog);
        "tiny".clone_into(&mut submitted.catalog.default_schema);
        // The files are created while the first statement is planned; the next one uses their statistics.
        q_errors(&submitted);
        errors.extend(q_errors(&submitted));
    }
    check("TPC-H", errors, &Bounds { median: 1.95, nine_of_ten: 47.0, most: 10_000.0 });
}

#[test]
fn cardinality_estimates_of_tpcds_do_not_regress() {
    let folder = tempfile::tempdir().expect("a folder");
    let errors = queries("tpcds").iter().flat_map(|sql| q_errors(&tpcds(sql, folder.path()))).collect();
    check("TPC-DS", errors, &Bounds { median: 1.75, nine_of_ten: 8.5, most: 2_200.0 });
}
