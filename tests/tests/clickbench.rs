//! The 43 queries of ClickBench over a small synthetic table, compared with the answers of an independent engine.
//! `tests/data/clickbench/make.py` describes how rows and answers were computed.

use rowhouse_tests::{Server, check_answers, path_in_tests};

#[tokio::test]
async fn all_queries_of_clickbench() {
    let server = Server::start();
    let workspace = server.new_workspace("clickbench").await;
    let file = path_in_tests("data/clickbench/hits.parquet");
    server.new_table(&workspace, "hits", &file).await;
    check_answers(&server, &workspace, include_str!("../data/clickbench/queries.json")).await;
}
