//! Statements over the small sample, compared with the answers of an independent engine. The statements are in
//! `tests/data/answers/*.sql`; `make.py` beside them describes how the answers in `*.json` were computed.

use rowhouse_tests::{SharedServer, check_answers, path_in_tests};

static SERVER: SharedServer = SharedServer::new(&["--engine-concurrency", "2"]);

#[tokio::test]
async fn aggregates() {
    check(include_str!("../data/answers/aggregates.json")).await;
}

#[tokio::test]
async fn arithmetic() {
    check(include_str!("../data/answers/arithmetic.json")).await;
}

/// Long chains of conditions that may fail, each guarded by those before it.
#[tokio::test]
async fn conditions() {
    check(include_str!("../data/answers/conditions.json")).await;
}

#[tokio::test]
async fn dates() {
    check(include_str!("../data/answers/dates.json")).await;
}

#[tokio::test]
async fn joins() {
    check(include_str!("../data/answers/joins.json")).await;
}

#[tokio::test]
async fn nulls() {
    check(include_str!("../data/answers/nulls.json")).await;
}

#[tokio::test]
async fn sets() {
    check(include_str!("../data/answers/sets.json")).await;
}

#[tokio::test]
async fn strings() {
    check(include_str!("../data/answers/strings.json")).await;
}

#[tokio::test]
async fn subqueries() {
    check(include_str!("../data/answers/subqueries.json")).await;
}

/// TRY: an expression that fails is NULL, whatever the expressions around it compute from NULLs.
#[tokio::test]
async fn try_of_expressions() {
    check(include_str!("../data/answers/try.json")).await;
}

#[tokio::test]
async fn windows() {
    check(include_str!("../data/answers/windows.json")).await;
}

#[tokio::test]
async fn tpch() {
    // Its queries have unqualified table names: a workspace whose tables are the sample's files.
    let server = SERVER.get();
    let (demo, workspace) = (server.demo().await, server.new_workspace("tpch_queries").await);
    for table in ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"] {
        server.rows(&demo, &format!("SELECT count(*) FROM tpch.tiny.{table}")).await;
        let file = rowhouse_tests::sample_dir().join(format!("tpch/tiny/{table}.parquet"));
        server.new_table(&workspace, table, &file).await;
    }
    check_answers(&server, &workspace, include_str!("../data/answers/tpch.json")).await;
}

#[test]
fn every_file_of_answers_is_checked() {
    let folder = path_in_tests("data/answers");
    let program = include_str!("sql_answers.rs");
    for entry in std::fs::read_dir(folder).expect("the folder").flatten() {
        let name = entry.file_name().into_string().expect("a name");
        if name.ends_with(".json") {
            assert!(program.contains(&format!("data/answers/{name}\"")), "{name} is not read by any test");
        }
    }
}

async fn check(cases: &str) {
    let server = SERVER.get();
    check_answers(&server, &server.demo().await, cases).await;
}
