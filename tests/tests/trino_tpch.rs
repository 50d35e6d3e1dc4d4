//! The 22 queries of TPC-H on a workspace on Trino: the answers are those that the embedded engine is held to
//! (`sql_answers.rs`), made by an independent engine. Skipped, loudly, where no Trino can be had.

use rowhouse_tests::{Server, check_answers, trino};

#[tokio::test(flavor = "multi_thread")]
async fn the_22_queries_have_the_answers_of_the_embedded_engine() {
    let Some(trino) = trino() else { return };
    let server = Server::builder()
        .arguments(["--engine-kind", "trino", "--engine-trino-url", &trino.url()])
        .arguments(["--engine-trino-catalog", "tpch", "--engine-trino-schema", "tiny"])
        .start();
    let workspace = server.demo().await;
    check_answers(&server, &workspace, include_str!("../data/answers/tpch.json")).await;
}
