//! Statements whose rows a cluster spools as segments: pages as Trino 476 sends them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::fake::{Bench, FakeTrino, Fault, Outcome, driven_clock};
use super::faults::external;
use crate::TrinoAuthentication;

const ROWS_PER_SEGMENT: usize = 3000;

fn rows(segment: usize) -> String {
    let rows = (segment * ROWS_PER_SEGMENT..(segment + 1) * ROWS_PER_SEGMENT)
        .map(|row| json!([row, format!("row {row}")]));
    Value::from_iter(rows).to_string()
}

fn compressed(text: &str) -> Vec<u8> {
    zstd::bulk::compress(text.as_bytes(), 3).unwrap()
}

fn metadata(text: &str, is_compressed: bool) -> Value {
    let mut metadata = json!({ "segmentSize": text.len(), "rowsCount": ROWS_PER_SEGMENT, "rowOffset": 0 });
    if is_compressed {
        metadata["uncompressedSize"] = text.len().into();
    }
    metadata
}

fn inline(segment: usize, is_compressed: bool) -> Value {
    let text = rows(segment);
    let bytes = if is_compressed { compressed(&text) } else { text.clone().into_bytes() };
    json!({ "type": "inline", "data": STANDARD.encode(bytes), "metadata": metadata(&text, is_compressed) })
}

/// A segment at a path of `{BASE}`.
fn spooled(segment: usize) -> Value {
    json!({
        "type": "spooled",
        "uri": format!("{{BASE}}/v1/spooled/download/{segment}"),
        "ackUri": format!("{{BASE}}/v1/spooled/ack/{segment}"),
        "headers": { "x-amz-key": ["of it alone", "twice"] },
        "metadata": metadata(&rows(segment), true),
    })
}

/// An exchange with these segments, one page each.
fn pages(segments: &[Vec<Value>], encoding: &str) -> Vec<String> {
    let columns = json!([{ "name": "n", "type": "bigint" }, { "name": "t", "type": "varchar" }]);
    let page = |token: usize, state: &str| {
        json!({
            "id": "20260101_000000_00001_fake0",
            "nextUri": format!("{{BASE}}/v1/statement/executing/x/y/{token}"),
            "columns": columns,
            "stats": { "state": state },
        })
    };
    let mut pages: Vec<Value> = Vec::new();
    for (token, segments) in segments.iter().enumerate() {
        let mut page = page(token + 1, "RUNNING");
        page["data"] = json!({ "encoding": encoding, "segments": segments });
        pages.push(page);
    }
    let mut end = page(0, "FINISHED");
    end.as_object_mut().unwrap().remove("nextUri");
    pages.push(end);
    pages.iter().map(Value::to_string).collect()
}

async fn server(segments: &[Vec<Value>]) -> FakeTrino {
    let server = FakeTrino::replay(&pages(segments, "json+zstd")).await;
    for segment in 0..segments.iter().map(Vec::len).sum() {
        server.put(&format!("/v1/spooled/download/{segment}"), compressed(&rows(segment)));
        server.put(&format!("/v1/spooled/ack/{segment}"), "");
    }
    server
}

async fn run(server: &FakeTrino) -> Outcome {
    Bench::with_clock(server.cluster(), driven_clock()).run("SELECT 1").await
}

#[track_caller]
fn complete(outcome: &Outcome, segments: usize) {
    let count = segments * ROWS_PER_SEGMENT;
    assert_eq!(outcome.result.as_ref().map(|done| done.row_count), Ok(count as u64));
    let rows = outcome.rows();
    assert_eq!(rows.len(), count);
    assert!(rows.iter().enumerate().all(|(row, values)| *values == json!([row, format!("row {row}")])));
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_of_all_encodings_form_one_ordered_result() {
    let segments = [
        vec![inline(0, false), inline(1, true)],
        vec![spooled(2)],
        vec![spooled(3), spooled(4), spooled(5), spooled(6), spooled(7), inline(8, true)],
        vec![],
        (9..40).map(spooled).collect(),
        vec![spooled(40)],
    ];
    let server = server(&segments).await;
    let mut cluster = server.cluster();
    cluster.authentication = TrinoAuthentication::Basic { password: "secret".to_owned() };
    let outcome = Bench::new(cluster).run("SELECT 1").await;
    complete(&outcome, 41);
    assert_eq!((server.count("DELETE"), outcome.notes()), (0, 0));
    let seen = server.seen();
    assert!(
        seen[0].headers.contains(&"x-trino-query-data-encoding: json+zstd,json".to_owned()),
        "{:?}",
        seen[0]
    );
    let segments: Vec<_> = seen.iter().filter(|seen| seen.line.contains("/v1/spooled/")).collect();
    assert!(!segments.is_empty());
    for seen in segments {
        let is_secret =
            |header: &String| header.starts_with("authorization") || header.starts_with("x-trino");
        assert!(!seen.headers.iter().any(is_secret), "a segment's place gets no credentials: {seen:?}");
        for header in ["x-amz-key: of it alone", "x-amz-key: twice"] {
            assert!(seen.headers.iter().any(|seen| seen == header), "{seen:?}");
        }
    }
    // Each is acknowledged once it is read.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while server.count("GET /v1/spooled/ack/") < 38 {
        assert!(
            std::time::Instant::now() < deadline,
            "{} were given back",
            server.count("GET /v1/spooled/ack/")
        );
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_segment_may_be_stored_elsewhere() {
    let server = FakeTrino::replay(&pages(&[vec![spooled(0)]], "json+zstd")).await;
    let store = FakeTrino::replay(&[]).await;
    server.redirect("/v1/spooled/download/0", &format!("http://{}/bucket/1", store.address));
    store.redirect("/bucket/1", "/bucket/2");
    store.put("/bucket/2", compressed(&rows(0)));
    complete(&run(&server).await, 1);

    let circle = FakeTrino::replay(&pages(&[vec![spooled(0)]], "json+zstd")).await;
    circle.redirect("/v1/spooled/download/0", "/v1/spooled/download/0");
    external(&run(&circle).await, "leads in circles");
}

#[tokio::test(flavor = "multi_thread")]
async fn temporary_faults_are_retried() {
    let segments = [vec![spooled(0)], vec![spooled(1)]];
    for request in 1..5 {
        for fault in [Fault::Status(503, ""), Fault::ResetInMidPage, Fault::Close] {
            let server = server(&segments).await;
            server.plan(request, fault);
            complete(&run(&server).await, 2);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_that_contradict_their_metadata_fail_the_statement() {
    let replaced = async |body: Vec<u8>| {
        let server = server(&[vec![spooled(0)], vec![spooled(1)]]).await;
        server.put("/v1/spooled/download/1", body);
        run(&server).await
    };
    external(&replaced(b"nothing".to_vec()).await, "a segment of Trino's cannot be stored");
    external(&replaced(compressed("[[1,\"a\"]]")).await, "a segment of Trino's cannot be stored");
    let one_less = rows(1).replacen("[3000,\"row 3000\"],", "", 1);
    let padded = one_less.clone() + &" ".repeat(rows(1).len() - one_less.len());
    external(&replaced(compressed(&padded)).await, "it has 2999 rows, not 3000");

    let gone = FakeTrino::replay(&pages(&[vec![spooled(0)]], "json+zstd")).await;
    external(&run(&gone).await, "status 404");
    let unknown = FakeTrino::replay(&pages(&[vec![inline(0, false)]], "arrow")).await;
    external(&run(&unknown).await, "encoded as 'arrow'");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_precede_pending_segments_fail_the_statement() {
    let mut pages = pages(&[vec![spooled(0)], vec![]], "json+zstd");
    let mut page: Value = serde_json::from_str(&pages[1]).unwrap();
    page["data"] = json!([[1, "a"]]);
    pages[1] = page.to_string();
    let server = FakeTrino::replay(&pages).await;
    server.hold("/v1/spooled/download/0");
    // Without the bench's manual clock, which would give up the segment before the next page exists.
    external(&server.run().await, "rows before its segments are read");
}
