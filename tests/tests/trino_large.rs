//! A result of 6 million rows drained from Trino in bounded memory, and how fast. Skipped, loudly, where no Trino can
//! be had.

use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use rowhouse_tests::{Server, Trino, id_of, trino};

const LINEITEM_ROWS: u64 = 6_001_215;
const LINEITEM: &str = "SELECT * FROM tpch.sf1.lineitem";
const MAX_RESIDENT_BYTES: u64 = 200_000_000;

fn server(trino: &Trino) -> Server {
    Server::builder().arguments(["--engine-kind", "trino", "--engine-trino-url", &trino.url()]).start()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lineitem_is_drained_in_bounded_memory() {
    let Some(trino) = trino() else { return };
    let server = server(&trino);
    let workspace = server.demo().await;
    let query = server.run(&workspace, LINEITEM).await;
    assert_eq!(
        (&query["status"], query["rowCount"].as_u64()),
        (&"FINISHED".into(), Some(LINEITEM_ROWS)),
        "{query}"
    );
    let result = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
    for offset in [0, 1_000_003, LINEITEM_ROWS - 2] {
        let page = server.get(&format!("{result}&limit=2&offset={offset}")).await.ok();
        let rows = page["result"].as_array().expect("rows");
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].as_array().map(Vec::len), Some(16));
    }
    let resident = server.memory_bytes("VmHWM");
    eprintln!("the server's memory rose to {} MiB", resident >> 20);
    assert!(resident < MAX_RESIDENT_BYTES, "the server's memory rose to {} MiB", resident >> 20);
}

/// `cargo test --release -p rowhouse-tests --test trino_large -- --ignored --nocapture`
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures: for a quiet machine"]
async fn draining_beside_a_minimal_client() {
    let Some(trino) = trino() else { return };
    let server = server(&trino);
    let workspace = server.demo().await;
    // Once for Trino's own warming up.
    drain(&trino, LINEITEM).await;
    let mut ratios = Vec::new();
    for _ in 0..3 {
        let started = Instant::now();
        let bytes = drain(&trino, LINEITEM).await;
        let alone = started.elapsed();
        let started = Instant::now();
        let query = server.run(&workspace, LINEITEM).await;
        assert_eq!(query["rowCount"], LINEITEM_ROWS, "{query}");
        let ours = started.elapsed();
        let megabytes = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
        let ratio = alone.as_secs_f64() / ours.as_secs_f64();
        eprintln!(
            "{} MB of JSON: minimal client {alone:.2?} ({:.0} MB/s), Rowhouse {ours:.2?} ({:.0} MB/s), {:.0} %",
            bytes / 1_000_000,
            megabytes(alone),
            megabytes(ours),
            ratio * 100.0
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    assert!(ratios[1] >= 0.8, "the median of three is {:.0} %", ratios[1] * 100.0);
}

/// A client that does the least: it follows `nextUri`, which it looks for as text, and throws the rows away.
async fn drain(trino: &Trino, sql: &str) -> usize {
    let client = Client::builder(TokioExecutor::new()).build_http();
    let send = async |method: &str, uri: &str, body: &str| {
        let request = Request::builder()
            .method(method)
            .uri(uri)
            .header("x-trino-user", "minimal")
            .body(Full::new(Bytes::from(body.to_owned())))
            .expect("a request");
        let answer = client.request(request).await.expect("Trino answers");
        assert_eq!(answer.status(), 200);
        answer.into_body().collect().await.expect("a page").to_bytes()
    };
    let mut page = send("POST", &format!("{}/v1/statement", trino.url()), sql).await;
    let mut bytes = page.len();
    while let Some(next) = next_uri(&page) {
        page = send("GET", &next, "").await;
        bytes += page.len();
    }
    bytes
}

fn next_uri(page: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&page[..page.len().min(2000)]).into_owned();
    let rest = head.split_once("\"nextUri\":\"")?.1;
    Some(rest.split_once('"')?.0.to_owned())
}
