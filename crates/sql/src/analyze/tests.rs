//! Statements and their plans over a small catalog.

use std::path::PathBuf;

use rowhouse_model::{StatementParameters, TableFormat, Timestamp};

use super::*;
use crate::plan::ColumnId;
use crate::statement::{TableRef, TableSchema};
use crate::statistics::{RequestedColumn, TableStatistics};
use crate::types::parse_type;
use rowhouse_executor::catalog::{TableEntry, TableSource};

struct Tables;

const COLUMNS: &[(&str, &str, u64)] = &[
    ("t", "a integer, b bigint, c varchar, d date, e decimal(10,2), f double, g boolean", 8),
    ("u", "a integer, x bigint, y varchar, z timestamp(6)", 6),
    ("g", "k integer, v bigint, w double, flag boolean, s varchar, m decimal(12,3), dt date", 200),
    ("empty", "k integer, s varchar, v double", 0),
    ("region", "r_regionkey bigint, r_name varchar, r_comment varchar", 5),
    ("nation", "n_nationkey bigint, n_name varchar, n_regionkey bigint, n_comment varchar", 25),
    (
        "supplier",
        "s_suppkey bigint, s_name varchar, s_address varchar, s_nationkey bigint, s_phone varchar, s_acctbal decimal(15,2), s_comment varchar",
        10_000,
    ),
    (
        "customer",
        "c_custkey bigint, c_name varchar, c_address varchar, c_nationkey bigint, c_phone varchar, c_acctbal decimal(15,2), c_mktsegment varchar, c_comment varchar",
        150_000,
    ),
    (
        "part",
        "p_partkey bigint, p_name varchar, p_mfgr varchar, p_brand varchar, p_type varchar, p_size integer, p_container varchar, p_retailprice decimal(15,2), p_comment varchar",
        200_000,
    ),
    (
        "partsupp",
        "ps_partkey bigint, ps_suppkey bigint, ps_availqty integer, ps_supplycost decimal(15,2), ps_comment varchar",
        800_000,
    ),
    (
        "orders",
        "o_orderkey bigint, o_custkey bigint, o_orderstatus varchar, o_totalprice decimal(15,2), o_orderdate date, o_orderpriority varchar, o_clerk varchar, o_shippriority integer, o_comment varchar",
        1_500_000,
    ),
    (
        "lineitem",
        "l_orderkey bigint, l_partkey bigint, l_suppkey bigint, l_linenumber integer, l_quantity decimal(15,2), l_extendedprice decimal(15,2), l_discount decimal(15,2), l_tax decimal(15,2), l_returnflag varchar, l_linestatus varchar, l_shipdate date, l_commitdate date, l_receiptdate date, l_shipinstruct varchar, l_shipmode varchar, l_comment varchar",
        6_001_215,
    ),
];

impl TableSchemas for Tables {
    fn schema(&mut self, table: &TableRef) -> Result<TableSchema> {
        let name = match table {
            TableRef::Entry(index) => ["t", "u", "g", "empty"][*index],
            TableRef::Tpch { table, .. } => table,
        };
        let (_, columns, rows) =
            COLUMNS.iter().find(|(known, ..)| *known == name).expect("a table of the tests");
        // The type `decimal(10,2)` contains a comma, but no space after it.
        let columns = columns
            .split(", ")
            .map(|column| {
                let (name, data_type) = column.split_once(' ').expect("a name and a type");
                (name.to_owned(), parse_type(data_type).expect("a type"))
            })
            .collect();
        Ok(TableSchema { columns, row_count: Some(*rows) })
    }

    fn statistics(&mut self, _table: &TableRef, _columns: &[RequestedColumn<'_>]) -> TableStatistics {
        TableStatistics::new()
    }
}

pub(crate) fn catalog() -> CatalogSnapshot {
    let entry = |name: &str| TableEntry {
        catalog: "rowhouse".to_owned(),
        schema: "demo".to_owned(),
        name: name.to_owned(),
        source: TableSource::Files { location: format!("/{name}.parquet"), format: TableFormat::Parquet },
    };
    CatalogSnapshot {
        default_catalog: "rowhouse".to_owned(),
        default_schema: "demo".to_owned(),
        own_schema: "demo".to_owned(),
        other_schemas: Vec::new(),
        queries: Vec::new(),
        session_properties: Vec::new(),
        tables: ["t", "u", "g", "empty"].map(entry).into(),
        tpch_dir: Some(PathBuf::from("/tpch")),
    }
}

fn run(sql: &str, catalog: &CatalogSnapshot, passes: &PassSet) -> Result<Analyzed> {
    run_with(sql, catalog, passes, &StatementParameters::default())
}

fn run_with(
    sql: &str,
    catalog: &CatalogSnapshot,
    passes: &PassSet,
    parameters: &StatementParameters,
) -> Result<Analyzed> {
    let session = Session {
        user: "ada".to_owned(),
        now: Timestamp::from_millis(1_700_000_000_000),
        time_zone: "UTC".to_owned(),
        parameters: parameters.clone(),
    };
    analyze(sql, catalog, &mut Tables, &session, passes)
}

/// Checks the plan before any pass, and its output.
fn check(sql: &str, expected: &str) {
    let analyzed =
        run(sql, &catalog(), &PassSet::none()).unwrap_or_else(|failure| panic!("{sql}: {}", failure.message));
    let output: Vec<String> = analyzed
        .output
        .iter()
        .map(|field| format!("{}={} {}", field.name, field.id, field.data_type))
        .collect();
    let shown = format!("{}[{}]", analyzed.plan, output.join(", "));
    assert_eq!(shown.trim(), expected.trim(), "{sql}");
}

fn check_error(sql: &str, expected: &str) {
    match run(sql, &catalog(), &PassSet::default()) {
        Ok(analyzed) => panic!("{sql} is planned:\n{}", analyzed.plan),
        Err(failure) => assert_eq!(format!("{} {}", failure.error_name, failure.message), expected, "{sql}"),
    }
}

/// Panics if a node names a column that its inputs do not return, returns a column twice, or is a union of inputs that
/// do not match.
fn verify(plan: &Plan, sql: &str) {
    let mut given: Vec<ColumnId> = plan.inputs().iter().flat_map(|input| input.column_ids()).collect();
    if let Plan::SetOperation { inputs, fields, .. } = plan {
        for input in inputs {
            let own = input.fields();
            assert_eq!(own.len(), fields.len(), "{sql}\n{plan}");
            for (own, field) in own.iter().zip(fields) {
                assert_eq!(own.data_type, field.data_type, "{sql}\n{plan}");
            }
        }
    }
    for expr in plan.expressions() {
        for column in expr.columns() {
            assert!(given.contains(&column), "{sql}: {column} is not given to\n{plan}");
        }
    }
    let named: &[ColumnId] = match plan {
        Plan::Aggregate(aggregate) => &aggregate.keys,
        Plan::Distinct { on: Some(on), .. } => on,
        _ => &[],
    };
    assert!(named.iter().all(|column| given.contains(column)), "{sql}: a key is not given to\n{plan}");
    if let Plan::Join(join) = plan {
        for key in &join.keys {
            assert_eq!(key.left.data_type, key.right.data_type, "{sql}\n{plan}");
        }
    }
    given = plan.column_ids();
    let count = given.len();
    given.sort_unstable();
    given.dedup();
    assert_eq!(given.len(), count, "{sql}: a column twice in\n{plan}");
    plan.inputs().into_iter().for_each(|input| verify(input, sql));
}

mod anonymous_columns;
mod corpus;
mod errors;
mod forms;
mod mutations;
mod omitted_columns;
mod plan_growth;
mod plan_time;
mod plans;
mod row_patterns;
mod tokens;
mod tpch;
mod trino_metadata;
