//! Statements and rows: the documented flow, paging, waiting.

use std::time::{Duration, Instant};

use rowhouse_client::model::{QueryId, QueryStatus, Source};
use rowhouse_client::{ErrorKind, RowRequest, RowShape, Statement};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::scripted_server::{ScriptedServer, Step, answer, ok};

fn record(status: &str) -> Step {
    ok(record_text(status))
}

fn record_text(status: &str) -> Value {
    json!({ "id": "q1", "statementId": null, "workspaceId": "w1", "status": status })
}

fn page(rows: Value, row_count: u64) -> Step {
    ok(json!({ "result": rows, "columns": [], "rowCount": row_count }))
}

#[tokio::test]
async fn a_statement_is_submitted_as_the_interface_says() {
    let server = ScriptedServer::start([record("QUEUED"), record("FINISHED")]);
    let workspace = server.client().workspace("w1");
    workspace.submit("SELECT 1").await.expect("a record");
    workspace.submit(Statement::new("SELECT 2").cache(60, true).source(Source::Cli)).await.expect("a record");
    let seen = server.seen();
    assert_eq!(seen[0].line, "POST /api/v1/query");
    assert!(seen[0].headers.contains(&"content-type: application/json".to_owned()));
    assert_eq!(seen[0].body, r#"{"workspaceId":"w1","sql":"SELECT 1"}"#);
    assert_eq!(
        seen[1].body,
        r#"{"workspaceId":"w1","sql":"SELECT 2","cacheRefresh":true,"cacheTTL":60,"source":"CLI"}"#
    );
}

#[tokio::test]
async fn a_wait_is_a_long_poll() {
    let late = Step::Late(Duration::from_millis(1300), answer(200, "", &record_text("FINISHED").to_string()));
    let server = ScriptedServer::start([record("RUNNING"), late]);
    let query = server.client().workspace("w1").wait(&QueryId::new("q1")).await.expect("a record");
    assert_eq!(query.status, Some(QueryStatus::Finished));
    let line = "GET /api/v1/query/q1?workspaceId=w1&wait=30";
    assert_eq!(server.lines(), [line, line], "later than the response timeout, within what was asked");
}

#[tokio::test]
async fn a_server_that_does_not_wait_is_polled_once_a_second() {
    let script = ["QUEUED", "RUNNING", "RUNNING", "RUNNING", "FAILED"].map(record);
    let server = ScriptedServer::start(script);
    let started = Instant::now();
    let query = server.client().workspace("w1").wait(&QueryId::new("q1")).await.expect("a record");
    assert_eq!(query.status, Some(QueryStatus::Failed));
    let elapsed = started.elapsed();
    assert!((1900..8000).contains(&elapsed.as_millis()), "two pauses of a second: {elapsed:?}");
}

#[tokio::test]
async fn a_wait_ends_at_its_timeout() {
    let server = ScriptedServer::start(vec![record("RUNNING"); 9]);
    let started = Instant::now();
    let wait = server.client().workspace("w1");
    let error =
        wait.wait_timeout(&QueryId::new("q1"), Duration::from_millis(1200)).await.expect_err("too short");
    assert_eq!(*error.kind(), ErrorKind::Timeout);
    assert_eq!(error.message(), "query q1 is still RUNNING");
    assert!((1100..8000).contains(&started.elapsed().as_millis()), "{:?}", started.elapsed());
}

#[tokio::test]
async fn run_returns_an_error_for_a_failed_statement() {
    let failed = json!({
        "id": "q1", "statementId": null, "workspaceId": "w1", "status": "FAILED",
        "error": {
            "message": "line 1:8: Column 'x' cannot be resolved", "errorCode": 47,
            "errorName": "COLUMN_NOT_FOUND", "errorType": "USER_ERROR",
            "errorLocation": { "lineNumber": 1, "columnNumber": 8 },
        },
    });
    let server = ScriptedServer::start([record("QUEUED"), ok(failed)]);
    let error = server.client().workspace("w1").run("SELECT x").await.expect_err("failed");
    assert_eq!(*error.kind(), ErrorKind::QueryFailed { code: "COLUMN_NOT_FOUND".to_owned() });
    assert_eq!(error.code(), Some("COLUMN_NOT_FOUND"));
    let location = error.query_error().and_then(|error| error.error_location).expect("a place");
    assert_eq!((location.line_number, location.column_number), (1, 8));

    let server = ScriptedServer::start([record("FINISHED")]);
    server.client().workspace("w1").run("SELECT 1").await.expect("a cache hit needs no second request");
    assert_eq!(server.lines().len(), 1);
}

#[tokio::test]
async fn rows_come_page_by_page() {
    let script = [
        page(json!([[1, "a"], [2, "b"]]), 5),
        page(json!([[3, "c"], [4, null]]), 5),
        page(json!([[5, "e"]]), 5),
    ];
    let server = ScriptedServer::start(script);
    let request = RowRequest::new().page_rows(2);
    let mut rows = server
        .client()
        .workspace("w1")
        .rows::<(i64, Option<String>)>(&QueryId::new("q1"), &request)
        .await
        .expect("rows");
    assert_eq!(rows.row_count(), 5);
    let mut read = Vec::new();
    while let Some(row) = rows.next().await {
        read.push(row.expect("a row"));
    }
    assert!(rows.next().await.is_none(), "the end stays the end");
    let letters = [Some("a"), Some("b"), Some("c"), None, Some("e")];
    let expected: Vec<_> = (1..).zip(letters.map(|letter| letter.map(str::to_owned))).collect();
    assert_eq!(read, expected);
    assert_eq!(
        server.lines(),
        ["offset=0&limit=2", "offset=2&limit=2", "offset=4&limit=1"]
            .map(|range| format!("GET /api/v1/query/q1/result?workspaceId=w1&{range}&shape=arrays"))
    );
}

#[tokio::test]
async fn rows_deserialize_into_structs_and_keep_every_digit() {
    #[derive(Debug, Deserialize)]
    struct Part {
        name: String,
        price: Box<RawValue>,
    }
    let body = r#"{"result":[{"price":12345678901234567890.10,"name":"x"}],"columns":[],"rowCount":9}"#;
    let server = ScriptedServer::start([ok(body)]);
    let request = RowRequest::new().shape(RowShape::Objects).offset(3).limit(1);
    let mut rows =
        server.client().workspace("w1").rows::<Part>(&QueryId::new("q1"), &request).await.expect("rows");
    let part = rows.next().await.expect("one").expect("a row");
    assert_eq!((part.name.as_str(), part.price.get()), ("x", "12345678901234567890.10"));
    assert!(rows.next().await.is_none(), "the limit is reached");
    assert_eq!(server.lines(), ["GET /api/v1/query/q1/result?workspaceId=w1&offset=3&limit=1&shape=objects"]);
}

#[tokio::test]
async fn an_empty_result_gives_no_rows() {
    for (request, row_count) in
        [(RowRequest::new(), 0), (RowRequest::new().offset(7), 5), (RowRequest::new().limit(0), 5)]
    {
        let server = ScriptedServer::start([page(json!([]), row_count)]);
        let workspace = server.client().workspace("w1");
        let mut rows = workspace.rows::<Vec<Value>>(&QueryId::new("q1"), &request).await.expect("rows");
        assert_eq!(rows.row_count(), row_count);
        assert!(rows.next().await.is_none(), "{request:?}");
        assert_eq!(server.lines().len(), 1);
    }
}

#[tokio::test]
async fn missing_rows_are_an_error() {
    let server = ScriptedServer::start([page(json!([[1], [2]]), 5), page(json!([[3]]), 5)]);
    let workspace = server.client().workspace("w1");
    let request = RowRequest::new().page_rows(2);
    let mut rows = workspace.rows::<(i64,)>(&QueryId::new("q1"), &request).await.expect("rows");
    assert!(rows.next().await.is_some_and(|row| row.is_ok()));
    assert!(rows.next().await.is_some_and(|row| row.is_ok()));
    let error = rows.next().await.expect("an error").expect_err("a row is missing");
    assert_eq!(error.message(), "query q1: 2 rows were due from offset 2, 1 came");
    assert!(rows.next().await.is_none());
}

#[tokio::test]
async fn pages_respect_the_operators_row_limit() {
    let refusal = json!({
        "code": "INVALID_ARGUMENTS", "message": "at most 2", "requestId": "r", "details": { "maxPageRows": 2 },
    });
    let refusal = Step::Send(answer(400, "", &refusal.to_string()));
    let server = ScriptedServer::start([refusal, page(json!([[1], [2]]), 3), page(json!([[3]]), 3)]);
    let workspace = server.client().workspace("w1");
    let mut rows = workspace.rows::<(i64,)>(&QueryId::new("q1"), &RowRequest::new()).await.expect("rows");
    assert_eq!(rows.row_count(), 3);
    for number in 1..=3 {
        assert_eq!(rows.next().await.expect("a row").expect("a row"), (number,));
    }
    assert!(rows.next().await.is_none());
    let limits: Vec<bool> = server.lines().iter().map(|line| line.contains("limit=2")).collect();
    assert_eq!(limits, [false, true, false], "10000, then 2, then the one that is left");
}

#[tokio::test]
async fn pages_shrink_until_they_fit() {
    let wide = "x".repeat(150);
    let script = [
        page(json!([[wide], [wide], [wide], [wide]]), 4),
        page(json!([[wide], [wide]]), 4),
        page(json!([[wide], [wide]]), 4),
    ];
    let server = ScriptedServer::start(script);
    let client = server.builder().body_limit_bytes(500).build().expect("a client");
    let request = RowRequest::new().page_rows(4);
    let mut rows =
        client.workspace("w1").rows::<(String,)>(&QueryId::new("q1"), &request).await.expect("rows");
    let mut count = 0;
    while let Some(row) = rows.next().await {
        assert_eq!(row.expect("a row").0, wide);
        count += 1;
    }
    assert_eq!(count, 4);
    assert_eq!(server.lines().len(), 3);
}
