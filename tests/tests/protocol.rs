//! HTTP itself: compression, HTTP/2, keep-alive connections, request ids, bodies without a length, faulty requests, and
//! a shutdown that lets answers in flight finish.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Full};
use hyper::{Method, Request, Version};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rowhouse_tests::{Server, SharedServer, id_of, skip};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

/// The path of a result of 15,000 rows.
async fn large_result(server: &Server) -> String {
    let workspace = server.demo().await;
    let query = server.run(&workspace, "SELECT * FROM tpch.tiny.orders").await;
    format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query))
}

#[tokio::test]
async fn answers_are_compressed_as_asked() {
    let server = SERVER.get();
    let path = large_result(&server).await;
    let plain = server.get(&path).await;
    assert_eq!(plain.header("content-encoding"), None);
    let authorization = format!("Token {}", server.admin_token());
    let get = async |encoding: &str| {
        let headers = [("authorization", authorization.as_str()), ("accept-encoding", encoding)];
        server.request_with(Method::GET, &path, headers, None).await
    };
    for (asked, expected) in [
        ("gzip", Some("gzip")),
        ("zstd", Some("zstd")),
        ("br, gzip;q=0.5", Some("gzip")),
        ("gzip;q=0, zstd", Some("zstd")),
        ("zstd;q=0.1, gzip;q=0.9", Some("gzip")),
        ("GZIP", Some("gzip")),
        ("br", None),
        ("identity", None),
        ("gzip;q=0", None),
        ("", None),
        ("no sense;;q=x,,", None),
    ] {
        let answer = get(asked).await;
        assert_eq!(answer.status, 200, "{asked}");
        assert_eq!(answer.header("content-encoding"), expected, "{asked}");
        let vary = answer.header("vary").unwrap_or_default().to_ascii_lowercase();
        assert!(vary.contains("accept-encoding"), "{asked}: {vary}");
        match expected {
            None => assert_eq!(answer.body, plain.body, "{asked}"),
            Some(tool) => {
                assert!(answer.body.len() < plain.body.len() / 2, "{asked}: {} bytes", answer.body.len());
                if let Some(unpacked) = unpack(tool, &answer.body) {
                    assert_eq!(unpacked, plain.body, "{asked}");
                }
            }
        }
    }
    // A small body is not compressed.
    let headers = [("authorization", authorization.as_str()), ("accept-encoding", "gzip")];
    let small = server.request_with(Method::GET, "/healthz", headers, None).await;
    assert_eq!(small.header("content-encoding"), None);
}

/// Decompresses with the system's program; none if it is not installed.
fn unpack(tool: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let child = Command::new(tool).arg("-dc").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        skip(tool, "it is not installed");
        return None;
    };
    let mut input = child.stdin.take().expect("a pipe");
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("all was taken");
    assert!(output.status.success(), "{tool} does not understand the body");
    Some(output.stdout)
}

#[tokio::test]
async fn http_2_is_supported_with_prior_knowledge() {
    let server = SERVER.get();
    let path = large_result(&server).await;
    let client: Client<_, Empty<Bytes>> = Client::builder(TokioExecutor::new()).http2_only(true).build_http();
    let request = |path: &str| {
        Request::get(format!("{}{path}", server.url()))
            .header("authorization", format!("Token {}", server.admin_token()))
            .body(Empty::new())
            .expect("a well-formed request")
    };
    // Many streams on one connection, each complete.
    let pages: Vec<_> = (0..20)
        .map(|page| tokio::spawn(client.request(request(&format!("{path}&limit=500&offset={}", page * 500)))))
        .collect();
    let mut rows = Vec::new();
    for page in pages {
        let answer = page.await.expect("no panic").expect("an answer");
        assert_eq!((answer.status().as_u16(), answer.version()), (200, Version::HTTP_2));
        assert!(answer.headers().contains_key("x-request-id"));
        let body = answer.into_body().collect().await.expect("a body").to_bytes();
        let body: Value = serde_json::from_slice(&body).expect("JSON");
        rows.extend(body["result"].as_array().expect("rows").clone());
    }
    let whole = server.get(&format!("{path}&limit=10000")).await.ok();
    assert_eq!(Value::Array(rows), whole["result"]);
    let answer = client.request(request("/api/v1/nope")).await.expect("an answer");
    assert_eq!((answer.status().as_u16(), answer.version()), (404, Version::HTTP_2));
}

#[tokio::test]
async fn heads_and_bodies_of_http_2_have_limits() {
    let server = SERVER.get();
    let client: Client<_, Full<Bytes>> = Client::builder(TokioExecutor::new()).http2_only(true).build_http();
    let get = |path: &str| {
        let token = format!("Token {}", server.admin_token());
        Request::get(format!("{}{path}", server.url())).header("authorization", token)
    };
    let answer = async |request: Request<Full<Bytes>>| {
        let answer = client.request(request).await.expect("an answer");
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await.expect("a body").to_bytes();
        (status, serde_json::from_slice::<Value>(&body).expect("JSON"))
    };
    let with_headers = |count: usize| {
        let more = (1..count).map(|number| format!("x-{number}"));
        more.fold(get("/api/v1/workspaces"), |request, name| request.header(name, "1"))
    };
    let (status, _) = answer(with_headers(100).body(Full::default()).expect("a request")).await;
    assert_eq!(status, 200);
    let (status, refusal) = answer(with_headers(101).body(Full::default()).expect("a request")).await;
    assert_eq!(
        (status, &refusal["code"], &refusal["message"]),
        (400, &json!("INVALID_ARGUMENTS"), &json!("the request has 101 headers, at most 100 are accepted"))
    );
    // An address as long as any.
    let long = get(&format!("/api/v1/workspaces?x={}", "a".repeat(60_000)));
    assert_eq!(answer(long.body(Full::default()).expect("a request")).await.0, 200);
    // A body that nobody reads, larger than what a connection may have under way.
    let body = Full::new(Bytes::from(vec![b'x'; 3 << 20]));
    let request = get("/api/v1/workspaces").body(body).expect("a request");
    // The server may end the stream before all of it is sent.
    if let Ok(answer) = client.request(request).await {
        assert_eq!(answer.status().as_u16(), 200);
    }
    assert_eq!(answer(get("/api/v1/workspaces").body(Full::default()).expect("a request")).await.0, 200);
}

#[tokio::test]
async fn keep_alive_connections_answer_pipelined_requests_in_order() {
    let server = SERVER.get();
    let token = server.admin_token();
    let get = |path: &str, more: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Token {token}\r\n{more}\r\n")
    };
    // Pipelined, with an error in between; the last one ends the connection.
    let bytes = [
        get("/healthz", "X-Request-Id: first\r\n"),
        get("/api/v1/nope", "X-Request-Id: second\r\n"),
        get("/api/v1/queries?limit=x", "X-Request-Id: third\r\n"),
        get("/api/v1/workspaces", "X-Request-Id: fourth\r\nConnection: close\r\n"),
    ]
    .concat();
    let begun = Instant::now();
    let answer = server.exchange(bytes.as_bytes());
    assert!(begun.elapsed() < Duration::from_secs(5), "the server closes after the last answer");
    let ids: Vec<&str> = answer
        .lines()
        .filter(|line| line.to_ascii_lowercase().starts_with("x-request-id: "))
        .map(|line| &line[14..])
        .collect();
    assert_eq!(ids, ["first", "second", "third", "fourth"], "{answer}");
    let statuses: Vec<&str> = answer.split("HTTP/1.1 ").skip(1).map(|part| &part[..3]).collect();
    assert_eq!(statuses, ["200", "404", "400", "200"]);
    // An HTTP/1.0 request is answered and the connection is closed.
    let answer = server.exchange(b"GET /healthz HTTP/1.0\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.0 200") || answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn a_valid_request_id_is_adopted() {
    let server = SERVER.get();
    let get =
        async |id: &str| server.request_with(Method::GET, "/api/v1/nope", [("x-request-id", id)], None).await;
    for id in ["abc", "0e8400-e29b_41d4.a716", "A1"] {
        let answer = get(id).await;
        assert_eq!(answer.header("x-request-id"), Some(id));
        assert_eq!(answer.json()["requestId"], id, "the body says the same");
    }
    for id in ["", "a b", "<script>", "\"", &"a".repeat(10_000), "a\u{e9}", "a,b{}"] {
        let answer = get(id).await;
        let given = answer.header("x-request-id").expect("an id").to_owned();
        assert!(given != id && (8..=64).contains(&given.len()), "{id} became {given}");
    }
    let (one, other) = (server.get("/healthz").await, server.get("/healthz").await);
    assert_ne!(one.header("x-request-id"), other.header("x-request-id"));
}

#[tokio::test]
async fn chunked_bodies_are_accepted_up_to_the_limit() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let token = server.admin_token();
    let head = format!(
        "POST /api/v1/query HTTP/1.1\r\nHost: a\r\nAuthorization: Token {token}\r\nConnection: close\r\n"
    );
    let body = json!({ "workspaceId": workspace, "sql": "SELECT 1" }).to_string();
    let (one, two) = body.split_at(10);
    let chunks = format!("{:x}\r\n{one}\r\n{:x}\r\n{two}\r\n0\r\n\r\n", one.len(), two.len());
    let answer = server.exchange(format!("{head}Transfer-Encoding: chunked\r\n\r\n{chunks}").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // The limit also holds for bodies without a length.
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 20, " ".repeat(1 << 20));
    let bytes = format!("{head}Transfer-Encoding: chunked\r\n\r\n{}0\r\n\r\n", chunk.repeat(3));
    let answer = server.exchange(bytes.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("PAYLOAD_TOO_LARGE"), "{answer}");
    // A body that announces a length over the limit is refused before it is sent.
    let answer = server.exchange(format!("{head}Content-Length: 99999999999\r\n\r\n").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    let expect = format!("{head}Expect: 100-continue\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let answer = server.exchange(expect.as_bytes());
    assert!(answer.contains("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn invalid_http_is_refused_and_does_not_affect_others() {
    let server = SERVER.get();
    for bytes in [
        &b"nonsense\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n: no name\r\n\r\n",
        b"POST /api/v1/query HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnonsense",
    ] {
        let mut stream = server.connect();
        stream.set_read_timeout(Some(Duration::from_secs(2))).expect("a time limit");
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(bytes));
    }
    let head = format!("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: {}\r\n\r\n", "a".repeat(10 << 20));
    assert!(!server.exchange(head.as_bytes()).starts_with("HTTP/1.1 200"));
    assert_eq!(server.get("/healthz").await.status, 200);
}

/// RFC 9112, section 3.2: two readers of a request must not see different hosts in it. Regression: such a request was
/// answered.
#[tokio::test]
async fn a_request_must_have_one_host() {
    let server = SERVER.get();
    for (request, expected) in [
        ("GET /healthz HTTP/1.1\r\nHost: a\r\n", 200),
        ("GET /healthz HTTP/1.1\r\nHost:\r\n", 200),
        ("GET /healthz HTTP/1.0\r\n", 200),
        ("GET /healthz HTTP/1.1\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n", 400),
        ("GET /healthz HTTP/1.0\r\nHost: a\r\nhost: b\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a/b\r\n", 400),
        ("GET http://a/healthz HTTP/1.1\r\n", 400),
        ("OPTIONS /healthz HTTP/1.1\r\nOrigin: http://a\r\nAccess-Control-Request-Method: GET\r\n", 400),
    ] {
        let answer = server.exchange(format!("{request}Connection: close\r\n\r\n").as_bytes());
        let status = answer.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5));
        assert_eq!(status, Some(expected.to_string().as_str()), "{request}{answer}");
        assert_eq!(
            answer.contains("INVALID_ARGUMENTS") && answer.contains("header Host"),
            expected == 400,
            "{answer}"
        );
    }
}

/// RFC 9112, section 2.2: a reader in front of the server may not accept LF alone as the end of a line, and then sees
/// another request.
#[tokio::test]
async fn header_lines_must_end_with_crlf() {
    let server = SERVER.get();
    for (request, is_refused) in [
        ("GET /healthz HTTP/1.1\r\nHost: a\r\n", false),
        ("\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n", false),
        ("GET /healthz HTTP/1.1\nHost: a\r\n", true),
        ("GET /healthz HTTP/1.1\r\nHost: a\n", true),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nX: b\nContent-Length: 0\r\n", true),
    ] {
        // Two requests on one connection: if the first head is ambiguous, nothing after it is read.
        let sound = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        let answer = server.exchange(format!("{request}\r\n{sound}").as_bytes());
        let answers = |status: &str| answer.matches(&format!("HTTP/1.1 {status}")).count();
        let expected = if is_refused { (0, 1) } else { (2, 0) };
        assert_eq!((answers("200"), answers("400")), expected, "{request}{answer}");
        assert_eq!(answer.contains("LF alone"), is_refused, "{answer}");
    }
}

/// RFC 9112, section 6: two readers of a request must not see different ends of its body. Regression: a length beside chunks, a
/// repeated length and codings beside `chunked` were answered.
#[tokio::test]
async fn the_end_of_a_body_must_be_certain() {
    let server = SERVER.get();
    let chunks = "2\r\n{}\r\n0\r\n\r\n";
    for (headers, body, status, expected) in [
        ("Content-Length: 2\r\n", "{}", 401, "UNAUTHORIZED"),
        ("Transfer-Encoding: chunked\r\n", chunks, 401, "UNAUTHORIZED"),
        ("Transfer-Encoding: CHUNKED\r\n", chunks, 401, "UNAUTHORIZED"),
        ("Content-Length: 17\r\nTransfer-Encoding: chunked\r\n", chunks, 400, "beside Transfer-Encoding"),
        ("transfer-encoding: chunked\r\ncontent-length: 2\r\n", chunks, 400, "beside Transfer-Encoding"),
        ("Content-Length: 2\r\nContent-Length: 2\r\n", "{}", 400, "Content-Length is given several times"),
        ("Transfer-Encoding: gzip, chunked\r\n", chunks, 501, "transfer coding \\\"gzip\\\""),
        ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunks, 501, "transfer coding"),
        ("Transfer-Encoding: chunked, chunked\r\n", chunks, 400, "chunked several times"),
        // Refused by hyper.
        ("Transfer-Encoding: chunked, gzip\r\n", chunks, 400, "HTTP/1.1 400"),
        ("Content-Length: 2, 2\r\n", "{}", 400, "HTTP/1.1 400"),
        ("Content-Length: +2\r\n", "{}", 400, "HTTP/1.1 400"),
        ("Content-Length: 2\r\nContent-Length: 3\r\n", "{}", 400, "HTTP/1.1 400"),
        ("Transfer-Encoding : chunked\r\n", chunks, 400, "HTTP/1.1 400"),
    ] {
        let sound = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        let request = format!("POST /api/v1/query HTTP/1.1\r\nHost: a\r\n{headers}\r\n{body}{sound}");
        let answer = server.exchange(request.as_bytes());
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{request}{answer}");
        assert!(answer.contains(expected), "{request}{answer}");
        // Nothing behind an uncertain end is read.
        assert_eq!(answer.contains("HTTP/1.1 200"), status == 401, "{request}{answer}");
    }
}

/// Regression: a thread that hung in the file system kept the process alive forever. A pipe without a writer stands for
/// such a file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_ends_in_time_despite_a_blocked_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("rowhouse.toml");
    std::fs::write(&file, "").expect("written");
    let config = file.to_str().expect("UTF-8");
    let mut server = Server::builder().arguments(["--config", config]).start();
    std::fs::remove_file(&file).expect("removed");
    let made = std::process::Command::new("mkfifo").arg(&file).status().expect("a pipe");
    assert!(made.success());
    // It opens the pipe and blocks.
    server.hang_up();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(server.get("/healthz").await.status, 200);
    let code = tokio::task::spawn_blocking(move || server.terminate(Duration::from_secs(20))).await;
    assert_eq!(code.expect("no panic"), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_lets_answers_in_flight_finish() {
    let mut server = Server::start();
    let path = large_result(&server).await;
    let expected = server.get(&format!("{path}&format=ndjson")).await.body.len();
    // The answer has begun and is read slowly, so that it is in flight when the signal arrives.
    let stream = tokio::net::TcpStream::connect(server.address()).await.expect("a connection");
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("HTTP/1.1");
    let connection = tokio::spawn(connection);
    let request = Request::get(format!("{path}&format=ndjson"))
        .header("host", "a")
        .header("authorization", format!("Token {}", server.admin_token()))
        .body(Empty::<Bytes>::new())
        .expect("a well-formed request");
    let mut body = sender.send_request(request).await.expect("an answer").into_body();
    let mut length = body.frame().await.expect("a frame").expect("no error").into_data().expect("data").len();
    assert!(length < expected, "the answer is too small to be in flight");
    let address = server.address().to_owned();
    let ended = tokio::task::spawn_blocking(move || {
        let code = server.terminate(Duration::from_secs(20));
        (code, server)
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(tokio::net::TcpStream::connect(&address).await.is_err(), "new connections are refused");
    while let Some(frame) = body.frame().await {
        length += frame.expect("the answer is not cut").into_data().map_or(0, |data| data.len());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(length, expected, "every byte came");
    drop(sender);
    let _ = connection.await;
    let (code, server) = ended.await.expect("no panic");
    assert_eq!(code, Some(0), "the server ended by itself");
    assert!(server.worker_pids().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_connections_at_once_are_served() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let id = id_of(&server.run(&workspace, "SELECT n_nationkey FROM tpch.tiny.nation").await);
    let path = Arc::new(format!("/api/v1/query/{id}/result?workspaceId={workspace}"));
    let held: Vec<_> = (0..300).map(|_| server.connect()).collect();
    let requests: Vec<_> = (0..200)
        .map(|_| {
            let (server, path) = (Arc::clone(&server), Arc::clone(&path));
            tokio::spawn(async move { server.get(&path).await.ok()["rowCount"].clone() })
        })
        .collect();
    for request in requests {
        assert_eq!(request.await.expect("no panic"), 25);
    }
    drop(held);
}

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let server =
        Server::builder().arguments(["--limits-header-timeout", "1s", "--limits-idle-timeout", "1s"]).start();
    let begun = Instant::now();
    let mut stream = server.connect();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHo").expect("the server reads");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(begun.elapsed() < Duration::from_secs(6), "half a head is waited for {:?}", begun.elapsed());
    let begun = Instant::now();
    let answer = server.exchange(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(begun.elapsed() < Duration::from_secs(6), "an idle connection is kept {:?}", begun.elapsed());
}

#[tokio::test]
async fn a_second_server_cannot_use_the_data_directory() {
    let server = SERVER.get();
    let output = Command::new(rowhouse_tests::binary())
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(server.data_dir())
        .output()
        .expect("it runs");
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains(&server.pid().to_string()), "which process holds it: {message}");
    assert_eq!(server.get("/readyz").await.status, 200);
}
