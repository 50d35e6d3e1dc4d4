//! Traces to a collector: a span for each request that continues its caller's trace, the phases of a statement below
//! it, and no harm if the collector is gone or does not answer.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::Method;
use rowhouse_tests::{Server, id_of};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Spans are sent in batches, every five seconds by the protocol's default.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(60);

/// A collector that stores what it receives.
#[derive(Clone)]
struct Collector {
    address: String,
    received: Arc<Mutex<Vec<u8>>>,
}

impl Collector {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let collector = Self { address, received: Arc::default() };
        let received = Arc::clone(&collector.received);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(collect(stream, Arc::clone(&received)));
            }
        });
        collector
    }

    /// Everything received so far: OTLP's protobuf has names as plain text and ids as plain bytes.
    fn received(&self) -> Vec<u8> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn wait_for(&self, wanted: &[&[u8]]) -> Vec<u8> {
        let mut received = Vec::new();
        for wanted in wanted {
            received = self.wait_for_times(wanted, 1).await;
        }
        received
    }

    /// Waits until something was sent so often. Spans of one trace may arrive in several requests.
    async fn wait_for_times(&self, wanted: &[u8], times: usize) -> Vec<u8> {
        let deadline = Instant::now() + EXPORT_TIMEOUT;
        loop {
            let received = self.received();
            if times_in(&received, wanted) >= times {
                return received;
            }
            assert!(Instant::now() < deadline, "{} was not sent", String::from_utf8_lossy(wanted));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// Serves one connection: requests with a length, each answered with an empty message.
async fn collect(mut stream: TcpStream, received: Arc<Mutex<Vec<u8>>>) {
    let mut bytes = Vec::new();
    loop {
        let end = loop {
            if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                return;
            }
        };
        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        assert!(head.starts_with("post /v1/traces "), "{head}");
        assert!(head.contains("content-type: application/x-protobuf"), "{head}");
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.expect("a length").trim().parse().expect("a number");
        while bytes.len() < end + length {
            if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                return;
            }
        }
        let body: Vec<u8> = bytes.drain(..end + length).skip(end).collect();
        received.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&body);
        let answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n";
        if stream.write_all(answer).await.is_err() {
            return;
        }
    }
}

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    times_in(bytes, wanted) > 0
}

fn times_in(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).filter(|window| *window == wanted).count()
}

#[tokio::test]
async fn a_request_continues_its_callers_trace_and_a_statement_shows_its_phases() {
    let collector = Collector::start().await;
    let server = Server::builder().arguments(["--traces-endpoint", &collector.address]).start();
    let workspace = server.demo().await;
    let token = format!("Token {}", server.admin_token());
    let trace =
        [0x4b, 0xf9, 0x2f, 0x35, 0x77, 0xb3, 0x4d, 0xa6, 0xa3, 0xce, 0x92, 0x9d, 0x0e, 0x0e, 0x47, 0x36];
    let caller = [0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7];
    let headers = [
        ("authorization", token.as_str()),
        ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ("x-request-id", "a-traced-request"),
    ];
    let body = json!({ "workspaceId": workspace, "sql": "SELECT count(*) FROM tpch.tiny.nation" });
    let query =
        server.request_with(Method::POST, "/api/v1/query", headers, Some(body.to_string())).await.ok();
    let id = id_of(&query);
    server.finish(&workspace, &id).await;
    let wanted: [&[u8]; 9] = [
        b"POST /api/v1/query",
        b"a-traced-request",
        &trace,
        &caller,
        b"statement",
        b"queued",
        b"planning",
        b"running",
        id.as_bytes(),
    ];
    collector.wait_for(&wanted).await;
    let received = collector.wait_for_times(&trace, 5).await;
    assert_eq!(times_in(&received, &trace), 5, "the request, its statement and three phases are one trace");
    assert!(holds(&received, b"service.name") && holds(&received, b"rowhouse"));
    for secret in [server.admin_token().as_bytes(), b"SELECT count"] {
        assert!(!holds(&received, secret), "{}", String::from_utf8_lossy(secret));
    }

    // A request whose caller does not want it sampled.
    let headers = [
        ("authorization", token.as_str()),
        ("traceparent", "00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-00f067aa0ba902b7-00"),
        ("x-request-id", "not-sampled"),
    ];
    server.request_with(Method::GET, "/api/v1/workspaces", headers, None).await;
    let failing = json!({ "workspaceId": workspace, "sql": "SELECT nothing FROM nowhere" });
    server.post("/api/v1/query", failing).await;
    let received = collector.wait_for(&[b"TABLE_NOT_FOUND"]).await;
    assert!(!holds(&received, b"not-sampled"));
}

// This thread waits for the shutdown: the collector needs another.
#[tokio::test(flavor = "multi_thread")]
async fn the_last_spans_are_sent_at_the_end() {
    let collector = Collector::start().await;
    let mut server = Server::builder().arguments(["--traces-endpoint", &collector.address]).start();
    let headers = [("x-request-id", "the-last-one")];
    server.request_with(Method::GET, "/healthz", headers, None).await;
    assert_eq!(server.terminate(Duration::from_secs(60)), Some(0));
    assert!(holds(&collector.received(), b"the-last-one"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unavailable_collector_does_not_affect_requests() {
    // `gone` is the port of a closed listener; `mute` accepts connections and never answers.
    let gone = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let gone_address = format!("http://{}", gone.local_addr().expect("an address"));
    drop(gone);
    let mute = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let mute_address = format!("http://{}", mute.local_addr().expect("an address"));
    let held = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = mute.accept().await {
            held.push(stream);
        }
    });
    for address in [gone_address, mute_address] {
        let mut server = Server::builder().arguments(["--traces-endpoint", &address]).start();
        let workspace = server.demo().await;
        for _ in 0..300 {
            assert_eq!(server.get("/healthz").await.status, 200);
        }
        server.rows(&workspace, "SELECT 1").await;
        assert_eq!(server.terminate(Duration::from_secs(60)), Some(0));
    }
    held.abort();
}

#[test]
fn an_invalid_collector_address_is_refused() {
    for address in ["collector:4318", "https://collector:4318", "http://"] {
        let output = std::process::Command::new(rowhouse_tests::binary())
            .args(["serve", "--traces-endpoint", address])
            .output()
            .expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("traces-endpoint"), "{stderr}");
    }
}
