//! Failures: refusals, resets, slowness, bodies that are truncated, too long or not JSON.

use std::time::{Duration, Instant};

use rowhouse_client::model::{ErrorCode, QueryId};
use rowhouse_client::{Client, Error, ErrorKind, ResultFormat, RetryPolicy, RowRequest};
use serde_json::json;

use crate::scripted_server::{ScriptedServer, Step, answer, ok, refusal};

const RECORD: &str = r#"{"id":"q1","statementId":null,"workspaceId":"w1","status":"FINISHED"}"#;

/// Plays a script for `GET /query/q1` and returns the outcome and the number of requests.
async fn get(script: impl IntoIterator<Item = Step>) -> (Result<(), Error>, usize) {
    let server = ScriptedServer::start(script);
    let outcome = server.client().workspace("w1").query(&QueryId::new("q1")).await;
    (outcome.map(|_| ()), server.seen().len())
}

/// The same for `POST /query`.
async fn submit(script: impl IntoIterator<Item = Step>) -> (Result<(), Error>, usize) {
    let server = ScriptedServer::start(script);
    let outcome = server.client().workspace("w1").submit("SELECT 1").await;
    (outcome.map(|_| ()), server.seen().len())
}

#[tokio::test]
async fn a_refusal_with_retry_after_is_retried() {
    let overload = || refusal(503, "QUERY_QUEUE_FULL", "retry-after: 0\r\n");
    let (outcome, requests) = get([overload(), refusal(429, "X", "retry-after: 0\r\n"), ok(RECORD)]).await;
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!(requests, 3);

    let (outcome, requests) = submit([overload(), ok(RECORD)]).await;
    assert!(outcome.is_ok(), "a refused submit was not accepted, so it is safe to send again: {outcome:?}");
    assert_eq!(requests, 2);

    let started = Instant::now();
    let (outcome, _) = get([refusal(503, "X", "retry-after: 1\r\n"), ok(RECORD)]).await;
    assert!(outcome.is_ok());
    assert!(started.elapsed() >= Duration::from_secs(1), "as long as the server asks");
}

#[tokio::test]
async fn other_refusals_are_not_retried() {
    for (status, code, headers) in [
        (503, "VIEW_NOT_READY", ""),
        (503, "SERVICE_DISABLED", "retry-after: 31\r\n"),
        (503, "SERVICE_DISABLED", "retry-after: Fri, 31 Dec 1999 23:59:59 GMT\r\n"),
        (500, "GENERIC_INTERNAL_ERROR", "retry-after: 0\r\n"),
        (401, "UNAUTHORIZED", ""),
    ] {
        let (outcome, requests) = get([refusal(status, code, headers), ok(RECORD)]).await;
        let error = outcome.expect_err("refused");
        assert_eq!(requests, 1, "{code}");
        assert_eq!(*error.kind(), ErrorKind::Api { status, code: Some(code.to_owned()) });
        assert_eq!(error.message(), format!("it is {code}"));
        assert_eq!(error.request_id(), Some("req_7"));
        assert_eq!(error.status(), Some(status));
        assert_eq!(error.error_code().map(ErrorCode::as_str), Some(code));
    }
}

#[tokio::test]
async fn attempts_are_limited() {
    let overload = || refusal(429, "QUERY_QUEUE_FULL", "retry-after: 0\r\n");
    let (outcome, requests) = get([overload(), overload(), overload(), overload(), ok(RECORD)]).await;
    assert_eq!(outcome.expect_err("four attempts").code(), Some("QUERY_QUEUE_FULL"));
    assert_eq!(requests, 4);
}

#[tokio::test]
async fn a_lost_answer_is_retried_only_for_a_get() {
    let (outcome, requests) = get([Step::Close, ok(RECORD)]).await;
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!(requests, 2);

    let (outcome, requests) = submit([Step::Close, ok(RECORD)]).await;
    assert_eq!(*outcome.expect_err("it may be running").kind(), ErrorKind::Transport);
    assert_eq!(requests, 1);
}

#[tokio::test]
async fn a_truncated_body_is_retried() {
    let mut cut = answer(200, "", RECORD);
    cut.truncate(cut.len() - 10);
    let (outcome, requests) = get([Step::SendAndClose(cut.clone()), ok(RECORD)]).await;
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!(requests, 2);

    let (outcome, requests) = submit([Step::SendAndClose(cut), ok(RECORD)]).await;
    assert_eq!(*outcome.expect_err("it may be running").kind(), ErrorKind::Transport);
    assert_eq!(requests, 1);
}

#[tokio::test]
async fn a_truncated_download_is_an_error() {
    let mut cut = answer(200, "content-type: text/csv\r\n", "a\n1\n2\n");
    cut.truncate(cut.len() - 2);
    let server = ScriptedServer::start([Step::SendAndClose(cut)]);
    let workspace = server.client().workspace("w1");
    let mut download = workspace
        .download(&QueryId::new("q1"), ResultFormat::Csv, &RowRequest::new())
        .await
        .expect("the head came");
    assert_eq!(download.content_type(), Some("text/csv"));
    assert_eq!(download.chunk().await.expect("a piece").as_deref(), Some(b"a\n1\n".as_slice()));
    assert_eq!(*download.chunk().await.expect_err("cut").kind(), ErrorKind::Transport);
    assert_eq!(server.lines(), ["GET /api/v1/query/q1/result?workspaceId=w1&offset=0&format=csv"]);
}

#[tokio::test]
async fn an_answer_that_is_not_a_record_is_an_error() {
    for body in ["", "{", "[]", r#"{"id":1}"#, "<html>"] {
        let (outcome, requests) = get([ok(body)]).await;
        let error = outcome.expect_err(body);
        assert_eq!(*error.kind(), ErrorKind::Decode);
        assert!(
            error.message().starts_with("GET /api/v1/query/q1?workspaceId=w1: unexpected answer: "),
            "{error}"
        );
        assert_eq!(requests, 1);
    }
}

#[tokio::test]
async fn a_page_of_a_proxy_keeps_its_status() {
    let page = answer(502, "x-request-id: proxy_1\r\n", "<html>Bad gateway</html>");
    let (outcome, _) = get([Step::Send(page)]).await;
    let error = outcome.expect_err("no Rowhouse answer");
    assert_eq!(*error.kind(), ErrorKind::Api { status: 502, code: None });
    assert_eq!(error.request_id(), Some("proxy_1"));
}

#[tokio::test]
async fn slow_answers_end_at_the_deadlines() {
    let late = Step::Late(Duration::from_secs(20), answer(200, "", RECORD));
    let started = Instant::now();
    let (outcome, requests) = get([late]).await;
    assert_eq!(*outcome.expect_err("no head in time").kind(), ErrorKind::Timeout);
    assert_eq!(requests, 1);

    let mut half = answer(200, "", RECORD);
    half.truncate(half.len() - 10);
    let (outcome, _) = get([Step::Send(half)]).await;
    assert_eq!(*outcome.expect_err("no end in time").kind(), ErrorKind::Timeout);
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
}

#[tokio::test]
async fn an_answer_beyond_the_limit_is_refused() {
    let server = ScriptedServer::start([ok(json!({ "x": "y".repeat(1000) }))]);
    let client = server.builder().body_limit_bytes(500).build().expect("a client");
    let error = client.workspace("w1").query(&QueryId::new("q1")).await.expect_err("too long");
    assert_eq!(*error.kind(), ErrorKind::TooLarge { limit_bytes: 500 });
}

#[tokio::test]
async fn a_refused_connection_is_a_transport_error_with_the_address() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let client = Client::builder(format!("http://{address}")).retry(RetryPolicy::never()).build();
    let error = client.expect("a client").workspaces().await.expect_err("nobody listens");
    assert_eq!(*error.kind(), ErrorKind::Transport);
    assert!(error.message().contains(&address.to_string()), "{error}");
    assert!(error.message().contains("refused"), "{error}");
}

#[tokio::test]
async fn the_token_is_sent_and_never_printed() {
    let server = ScriptedServer::start([ok("[]")]);
    let builder = server.builder().user_agent("the-test/1");
    let client = builder.clone().build().expect("a client");
    client.workspaces().await.expect("an answer");
    let headers = &server.seen()[0].headers;
    assert!(headers.contains(&"authorization: token secret-of-the-test".to_owned()), "{headers:?}");
    assert!(headers.contains(&"user-agent: the-test/1".to_owned()), "{headers:?}");
    let printed = format!("{builder:?} {client:?} {:?}", client.workspace("w1"));
    assert!(!printed.contains("secret"), "{printed}");

    for token in ["", " ", "a\nb-secret"] {
        let error = server.builder().token(token).build().expect_err("no header value");
        assert_eq!(*error.kind(), ErrorKind::InvalidInput);
        assert!(!format!("{error:?}").contains("secret"));
    }
}

#[tokio::test]
async fn a_failed_connection_is_retried_even_for_a_submit() {
    let server = ScriptedServer::start_after(Duration::from_millis(200), [ok(RECORD)]);
    let retry = RetryPolicy { first_pause: Duration::from_millis(100), ..RetryPolicy::default() };
    let client = server.builder().retry(retry).build().expect("a client");
    client.workspace("w1").submit("SELECT 1").await.expect("the server is there in time");
    assert_eq!(server.seen().len(), 1);
}
