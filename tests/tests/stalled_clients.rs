//! Clients that do not read their answers, and clients that are gone (D60, D62): neither holds a connection, a stream
//! or rows for longer than the idle timeout, in either version of HTTP.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::BodyExt as _;
use rowhouse_tests::{Exposition, SLOW_SQL, Server, id_of};

const IDLE_TIMEOUT: [&str; 2] = ["--limits-idle-timeout", "2s"];
/// Maximum time of these on a loaded machine.
const DEADLINE: Duration = Duration::from_secs(60);

async fn metric(server: &Server, name: &str) -> f64 {
    let text = server.get("/metrics").await.body;
    let exposition = Exposition::parse(std::str::from_utf8(&text).expect("text"));
    exposition.get(name, []).unwrap_or_else(|| panic!("there is no {name}"))
}

async fn connections(server: &Server) -> f64 {
    metric(server, "rowhouse_http_connections").await
}

/// Streams without a token. Regression: with a window of 0 the server had nothing to write, so its write deadline never
/// began; 10,000 such connections are the maximum.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_with_a_closed_window_are_closed_after_the_idle_timeout() {
    let server = Server::builder().arguments(IDLE_TIMEOUT).start();
    let mut held = Vec::new();
    for number in 0..400_u32 {
        // With a window of one byte, the server has begun to write.
        let mut client = server.http2_client(number % 2).await;
        let answer = client.ask(&server, "/api/v1/openapi.json", None).await;
        assert_eq!(answer.status(), 200);
        held.push((client, answer));
    }
    let begun = Instant::now();
    for (number, (client, _)) in held.iter_mut().enumerate() {
        let left = DEADLINE.saturating_sub(begun.elapsed());
        assert!(
            tokio::time::timeout(left, &mut client.connection).await.is_ok(),
            "connection {number} is still there"
        );
    }
    assert_eq!(server.get("/healthz").await.status, 200);
}

/// Each stream ends by itself: the others on its connection continue.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stalled_stream_is_reset_and_others_continue() {
    let server = Arc::new(Server::builder().arguments(IDLE_TIMEOUT).start());
    let workspace = server.demo().await;
    let query = server.run(&workspace, "SELECT * FROM tpch.tiny.lineitem").await;
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
    let token = server.admin_token().to_owned();
    let before = server.memory_bytes("VmRSS");
    let mut stalled = Vec::new();
    let mut clients = Vec::new();
    for _ in 0..10 {
        let mut client = server.http2_client(65_535).await;
        for _ in 0..30 {
            let answer = client.ask(&server, &path, Some(&token)).await;
            assert_eq!(answer.status(), 200);
            stalled.push(answer);
        }
        clients.push(client);
    }
    let held = server.memory_bytes("VmRSS").saturating_sub(before);
    eprintln!("300 stalled streams hold {} KiB each", held / 300 / 1024);
    // Another stream of the first connection is read slowly, with pauses shorter than the timeout.
    let mut taken = clients[0].ask(&server, &format!("{path}&limit=3000"), Some(&token)).await.into_body();
    let mut length = 0;
    let begun = Instant::now();
    while let Some(frame) = taken.frame().await {
        length += frame.expect("it is taken").into_data().map_or(0, |data| data.len());
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
    assert!(begun.elapsed() > Duration::from_secs(2), "it takes longer than a stall may");
    let whole = server.get(&format!("{path}&limit=3000")).await.body.len();
    assert_eq!(length, whole);
    while metric(&server, "rowhouse_http_broken_answers_total").await < 300.0 {
        assert!(begun.elapsed() < DEADLINE, "stalled streams are still there");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for answer in stalled {
        let mut body = answer.into_body();
        let ended = loop {
            match body.frame().await {
                // Bytes that were sent before arrive first.
                Some(Ok(_)) => {}
                ended => break ended,
            }
        };
        assert!(matches!(ended, Some(Err(_))), "half an answer is not taken for a whole one");
    }
}

/// Regression: the system keeps megabytes of an answer and reports progress only when a third of them has been read, which
/// takes a client of 256 KiB a second twice the idle timeout.
#[test]
fn a_client_that_reads_slowly_keeps_its_answer() {
    const PER_SECOND: usize = 256 << 10;
    let server = Server::builder().arguments(IDLE_TIMEOUT).start();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let path = runtime.block_on(async {
        let workspace = server.demo().await;
        let sql = "SELECT l.* FROM tpch.tiny.lineitem l, (VALUES 1, 2, 3) v(copy)";
        let query = server.run(&workspace, sql).await;
        format!("/api/v1/query/{}/result?workspaceId={workspace}&format=ndjson", id_of(&query))
    });
    let whole = runtime.block_on(server.get(&path)).body.len();
    assert!(whole > 16 << 20, "{whole} bytes do not fill the system's buffers");
    let mut stream = server.connect();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Token {}\r\nConnection: close\r\n\r\n",
        server.admin_token()
    );
    stream.write_all(request.as_bytes()).expect("sent");
    let mut part = vec![0; PER_SECOND / 8];
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(12) {
        stream.read_exact(&mut part).expect("a part of the answer");
        std::thread::sleep(Duration::from_millis(125));
    }
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).expect("the rest of the answer");
    assert!(rest.ends_with(b"\r\n0\r\n\r\n"), "the answer is whole");
}

/// Regression: 500 clients that had closed kept their connections until the statements ended for which they waited.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn disconnected_clients_are_detected_while_they_wait_for_answers() {
    let server = Server::builder().arguments(IDLE_TIMEOUT).start();
    let workspace = server.demo().await;
    let query = id_of(&server.submit(&workspace, SLOW_SQL).await);
    server.wait_for_status(&workspace, &query, "RUNNING").await;
    let token = server.admin_token();
    let request = |wait: u32| {
        format!(
            "GET /api/v1/query/{query}?workspaceId={workspace}&wait={wait} HTTP/1.1\r\nHost: a\r\n\
             Authorization: Token {token}\r\nConnection: close\r\n\r\n"
        )
    };
    let before = connections(&server).await;
    for _ in 0..100 {
        let mut stream = server.connect();
        stream.write_all(request(60).as_bytes()).expect("sent");
    }
    let begun = Instant::now();
    // The connection that reads the metrics counts, too.
    while connections(&server).await > before + 5.0 {
        assert!(begun.elapsed() < Duration::from_secs(40), "{} are held", connections(&server).await);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    // A client that has closed only its sending side still gets an answer that comes soon.
    let mut stream = server.connect();
    stream.write_all(request(1).as_bytes()).expect("sent");
    stream.shutdown(Shutdown::Write).expect("closed");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("RUNNING"), "{answer}");
    server.cancel(&workspace, &query).await;
}
