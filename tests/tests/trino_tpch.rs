//! The 22 queries of TPC-H on a workspace on Trino, compared with the same answers of an independent engine as for the
//! embedded engine (`sql_answers.rs`). Skipped with a message if Trino is unavailable.

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
