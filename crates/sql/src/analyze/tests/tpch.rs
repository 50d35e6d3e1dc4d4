//! Plans the 22 queries of TPC-H.

use super::{PassSet, catalog, run, verify};

#[test]
fn all_queries_are_planned() {
    let mut catalog = catalog();
    catalog.default_catalog = "tpch".to_owned();
    catalog.default_schema = "sf1".to_owned();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/tpch");
    let mut refused = Vec::new();
    for number in 1..=22 {
        let path = format!("{folder}/q{number:02}.sql");
        let sql = std::fs::read_to_string(&path).unwrap_or_else(|failure| panic!("{path}: {failure}"));
        for passes in [PassSet::none(), PassSet::default()] {
            match run(&sql, &catalog, &passes) {
                Ok(analyzed) => {
                    assert!(analyzed.plan.free_columns().is_empty(), "q{number}:\n{}", analyzed.plan);
                    verify(&analyzed.plan, &path);
                    if std::env::var("SHOW_PLANS").is_ok() {
                        println!("q{number}:\n{}", analyzed.plan);
                    }
                }
                Err(failure) => refused.push(format!("q{number}: {}", failure.message)),
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
