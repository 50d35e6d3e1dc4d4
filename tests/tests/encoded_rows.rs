//! Pages of views whose rows are encoded before they are read, because reads have encoded them often enough (D186): the
//! bytes are the same, whichever reads they are, and the disk space is given back.

use std::time::{Duration, Instant};

use rowhouse_tests::{Exposition, Server};
use serde_json::{Value, json};

const ROWS: usize = 60_175;
const PAGE: usize = 1000;
const PATH: &str = "/v1/data/encoded/materializedView/lines";

async fn encoded_bytes(server: &Server) -> f64 {
    let answer = server.get("/metrics").await;
    let metrics = Exposition::parse(std::str::from_utf8(&answer.body).expect("UTF-8"));
    metrics.get("rowhouse_view_encoded_row_bytes", []).expect("a sample")
}

async fn page(server: &Server, query: &str) -> Vec<u8> {
    let answer = server.get(&format!("{PATH}?{query}")).await;
    assert_eq!(answer.status, 200, "{query}");
    answer.body.to_vec()
}

/// All pages of the view, in order.
async fn pages(server: &Server) -> Vec<Vec<u8>> {
    let mut pages = Vec::new();
    for offset in (0..ROWS).step_by(PAGE) {
        pages.push(page(server, &format!("limit={PAGE}&offset={offset}")).await);
    }
    pages
}

/// Waits until the encoded rows have such a size.
async fn wait_for(server: &Server, is_reached: impl Fn(f64) -> bool) {
    let begun = Instant::now();
    while !is_reached(encoded_bytes(server).await) {
        assert!(begun.elapsed() < Duration::from_secs(30), "{} bytes", encoded_bytes(server).await);
        // A read begins the work that reads have earned.
        server.get(&format!("{PATH}?limit=1")).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

const QUERIES: [&str; 8] = [
    "limit=1000&offset=31234",
    "filters=l_orderkey:EQ:1",
    "filters=l_shipmode:EQ:RAIL&limit=500",
    "filters=l_shipdate:GTE:1995-01-01&filters=l_shipdate:LT:1995-02-01",
    "orderBy=l_extendedprice&limit=300",
    "columnNames=l_comment,l_orderkey&limit=50&offset=100",
    "limit=100000&offset=59000",
    "limit=0",
];

async fn answers(server: &Server) -> Vec<Vec<u8>> {
    let mut answers = Vec::new();
    for query in QUERIES {
        answers.push(page(server, query).await);
    }
    answers
}

#[tokio::test]
async fn pages_are_the_same_once_their_rows_are_encoded() {
    let server = Server::start();
    let workspace = server.new_workspace("encoded").await;
    let sql = "SELECT * FROM tpch.tiny.lineitem ORDER BY l_orderkey, l_linenumber";
    let view = server.new_view(&workspace, "lines", sql).await;
    let before = answers(&server).await;
    assert_eq!(encoded_bytes(&server).await, 0.0);
    let encoded = pages(&server).await;
    wait_for(&server, |bytes| bytes > 0.0).await;
    let whole: Value = server.get(PATH).await.ok();
    assert!(pages(&server).await == encoded, "pages of copied rows");
    for ((query, answer), before) in QUERIES.iter().zip(answers(&server).await).zip(before) {
        assert_eq!(String::from_utf8_lossy(&answer), String::from_utf8_lossy(&before), "{query}");
    }
    let rows: Vec<Value> =
        encoded.iter().flat_map(|page| serde_json::from_slice::<Vec<Value>>(page).expect("JSON")).collect();
    assert_eq!(rows.len(), ROWS);
    assert_eq!(json!(rows), whole);

    // Another generation has its own rows, also where there were encoded ones.
    let changed = "SELECT l_orderkey, -l_linenumber AS n FROM tpch.tiny.lineitem ORDER BY 1, 2";
    let path = format!("/api/v1/materializedView/{view}?workspaceId={workspace}");
    let refresh = server.put(&path, json!({ "sql": changed })).await.ok()["refreshQueryId"].clone();
    server.finish(&workspace, refresh.as_str().expect("a refresh")).await;
    assert_eq!(server.get(&format!("{PATH}?limit=1")).await.ok(), json!([{ "l_orderkey": 1, "n": -6 }]));
    wait_for(&server, |bytes| bytes == 0.0).await;
}

#[tokio::test]
async fn nothing_is_encoded_before_it_is_read_if_that_is_disabled() {
    let server = Server::builder().arguments(["--views-encoded-rows", "0"]).start();
    let workspace = server.new_workspace("encoded").await;
    server.new_view(&workspace, "lines", "SELECT * FROM tpch.tiny.lineitem").await;
    for _ in 0..3 {
        pages(&server).await;
    }
    assert_eq!(encoded_bytes(&server).await, 0.0);
}
