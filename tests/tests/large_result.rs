//! The documented flow over 6 million rows: any page size gives the same rows, and the server's memory does
//! not grow with the result.

use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use rowhouse_tests::Server;
use serde_json::Value;

const LINEITEM_ROWS: u64 = 6_001_215;
const MAX_RESIDENT_BYTES: u64 = 150 << 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lineitem_is_paged_and_streamed_in_bounded_memory() {
    let server = Server::start();
    let workspace = server.demo().await;
    let query = server.run(&workspace, "SELECT * FROM tpch.sf1.lineitem").await;
    assert_eq!(query["status"], "FINISHED", "{query}");
    assert_eq!(query["rowCount"], LINEITEM_ROWS);
    let id = query["id"].as_str().expect("an id");
    let result = format!("/api/v1/query/{id}/result?workspaceId={workspace}");

    // The whole stream: every row once, and the memory stays the same.
    let (rows, first_rows) = count_rows(&server, &format!("{result}&format=ndjson")).await;
    assert_eq!(rows, LINEITEM_ROWS);
    let resident = server.memory_bytes("VmHWM");
    assert!(resident < MAX_RESIDENT_BYTES, "the server's memory rose to {} MiB", resident >> 20);

    // Pages of odd sizes across the boundaries of batches add up to the same rows.
    for (offset, limit) in [(0, 1), (8_190, 5), (1_000_003, 777), (5_900_000, 10_000), (6_001_210, 100)] {
        let page = server.get(&format!("{result}&limit={limit}&offset={offset}")).await.ok();
        let page = page["result"].as_array().expect("rows").clone();
        let expected = limit.min(LINEITEM_ROWS - offset);
        assert_eq!(page.len() as u64, expected, "offset {offset}, limit {limit}");
        let mut pieces = Vec::new();
        for piece_offset in (offset..offset + expected).step_by(256) {
            let piece_limit = 256.min(offset + expected - piece_offset);
            let piece = server.get(&format!("{result}&limit={piece_limit}&offset={piece_offset}")).await.ok();
            pieces.extend(piece["result"].as_array().expect("rows").clone());
        }
        assert_eq!(page, pieces, "offset {offset}, limit {limit}");
        if offset == 0 {
            assert_eq!(page[0], first_rows[0], "the stream and the page begin with the same row");
        }
    }
}

/// Reads an NDJSON answer without keeping it; returns the number of lines and the first ones.
async fn count_rows(server: &Server, path: &str) -> (u64, Vec<Value>) {
    let request = Request::get(format!("{}{path}", server.url()))
        .header("authorization", format!("Token {}", server.admin_token()))
        .body(Empty::<Bytes>::new())
        .expect("a well-formed request");
    let client = Client::builder(TokioExecutor::new()).build_http();
    let answer = client.request(request).await.expect("an answer");
    assert_eq!(answer.status(), 200);
    let mut body = answer.into_body();
    let (mut rows, mut head) = (0, Vec::new());
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.expect("the stream ends well").into_data() else { continue };
        rows += data.iter().filter(|byte| **byte == b'\n').count() as u64;
        if head.len() < 4096 {
            head.extend_from_slice(&data);
        }
    }
    let lines = head.split(|byte| *byte == b'\n').take(3);
    (rows, lines.map(|line| serde_json::from_slice(line).expect("each line is JSON")).collect())
}
