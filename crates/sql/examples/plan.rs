//! Prints the plan of a text, without an engine:
//! `cargo run --release -p rowhouse-sql --example plan -- "SELECT o.id FROM orders o JOIN lines l ON l.order_id = o.id WHERE l.price > 10"`

use std::process::ExitCode;

use rowhouse_executor::{CatalogSnapshot, OWN_CATALOG, TableEntry, TableSource};
use rowhouse_model::{QueryError, StatementParameters, TableFormat, Timestamp};
use rowhouse_sql::statistics::{RequestedColumn, TableStatistics};
use rowhouse_sql::types::parse_type;
use rowhouse_sql::{PassSet, Session, TableRef, TableSchema, TableSchemas, analyze};

/// Name, columns with Trino's names of types, number of rows.
type Table = (&'static str, &'static [(&'static str, &'static str)], u64);

const TABLES: &[Table] = &[
    ("orders", &[("id", "bigint"), ("day", "date"), ("customer", "varchar")], 1_000),
    ("lines", &[("order_id", "bigint"), ("price", "decimal(12,2)")], 50_000),
];
const SQL: &str = "SELECT day, sum(price) AS total FROM orders JOIN lines ON order_id = id WHERE customer = 'ada' GROUP BY day";

/// Where an engine would look at the files.
struct Schemas;

impl TableSchemas for Schemas {
    fn schema(&mut self, table: &TableRef) -> Result<TableSchema, QueryError> {
        let TableRef::Entry(index) = table else { unreachable!("the catalog below has no sample tables") };
        let (_, columns, rows) = TABLES[*index];
        let typed = |(name, of): &(&str, &str)| ((*name).to_owned(), parse_type(of).expect("a type above"));
        Ok(TableSchema { columns: columns.iter().map(typed).collect(), row_count: Some(rows) })
    }

    fn statistics(&mut self, _table: &TableRef, _columns: &[RequestedColumn<'_>]) -> TableStatistics {
        TableStatistics::new()
    }
}

fn main() -> ExitCode {
    let sql = std::env::args().nth(1).unwrap_or_else(|| SQL.to_owned());
    let entry = |name: &str| TableEntry {
        catalog: OWN_CATALOG.to_owned(),
        schema: "demo".to_owned(),
        name: name.to_owned(),
        source: TableSource::Files {
            location: format!("/data/{name}.parquet"),
            format: TableFormat::Parquet,
        },
    };
    let catalog = CatalogSnapshot {
        default_catalog: OWN_CATALOG.to_owned(),
        default_schema: "demo".to_owned(),
        own_schema: "demo".to_owned(),
        other_schemas: Vec::new(),
        queries: Vec::new(),
        session_properties: Vec::new(),
        tables: TABLES.iter().map(|(name, ..)| entry(name)).collect(),
        tpch_dir: None,
    };
    let session = Session {
        user: "ada".to_owned(),
        now: Timestamp::from_millis(1_700_000_000_000),
        time_zone: "UTC".to_owned(),
        parameters: StatementParameters::default(),
    };
    match analyze(&sql, &catalog, &mut Schemas, &session, &PassSet::default()) {
        Ok(analyzed) => {
            print!("{}", analyzed.plan);
            for column in analyzed.columns() {
                println!("{}: {}", column.name, column.type_name);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {}", error.error_name, error.message);
            ExitCode::FAILURE
        }
    }
}
