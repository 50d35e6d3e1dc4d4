//! Filters of a query string against a view's columns and its required filters:
//! `cargo run -p rowhouse-filters --example filter -- "region:EQ:EUROPE" "price:GT:10"`

use std::process::ExitCode;

use rowhouse_filters::{Error, Filter, RequiredFilters};

const COLUMNS: [&str; 3] = ["orderkey", "region", "price"];
const SQL: &str =
    "-- Service API: required(\"region:eq\", \"orderkey\")\nSELECT orderkey, region, price FROM orders";

fn main() -> ExitCode {
    let texts: Vec<String> = std::env::args().skip(1).collect();
    match check(&texts) {
        Ok(None) => ExitCode::SUCCESS,
        Ok(Some(unmet)) => {
            eprintln!("{unmet}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The unmet required filters of the view, if any.
fn check(texts: &[String]) -> Result<Option<String>, Error> {
    let required = RequiredFilters::from_sql(SQL)?;
    required.check_columns(&COLUMNS)?;
    let filters = texts.iter().map(|text| Filter::parse(text, &COLUMNS)).collect::<Result<Vec<_>, _>>()?;
    for filter in &filters {
        println!("{}: {:?} {:?}", filter.column(), filter.operator(), filter.operand());
    }
    Ok(required.unmet(&filters, &COLUMNS))
}
