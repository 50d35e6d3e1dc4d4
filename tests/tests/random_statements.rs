//! Random statements over small tables with many NULLs and duplicates, compared with the answers of an independent
//! engine. `tests/data/random/grammar.py` generates them, `make.py` beside it the answers; `cargo xtask fuzz sql` runs
//! further ones.

use rowhouse_tests::{Server, check_answers, path_in_tests};

const ANSWERS: &str = include_str!("../data/random/answers.json");

/// An empty answer, or one of NULLs only, cannot distinguish a wrong condition from a right one.
#[test]
fn most_answers_contain_values() {
    let cases: Vec<serde_json::Value> = serde_json::from_str(ANSWERS).expect("cases");
    let has_value = |case: &&serde_json::Value| {
        let rows = case["rows"].as_array().expect("rows").iter();
        rows.flat_map(|row| row.as_array().expect("a row")).any(|cell| !cell.is_null())
    };
    let with_values = cases.iter().filter(has_value).count();
    assert!(with_values * 10 >= cases.len() * 9, "{with_values} of {}", cases.len());
}

#[tokio::test]
async fn statements_of_fixed_seeds_match_the_reference_engine() {
    let server = Server::start();
    let workspace = server.new_workspace("random_statements").await;
    let folder = path_in_tests("data/null_tables");
    for table in ["t0", "t1", "t2"] {
        server.new_table(&workspace, table, &folder.join(format!("{table}.parquet"))).await;
    }
    check_answers(&server, &workspace, ANSWERS).await;
}
