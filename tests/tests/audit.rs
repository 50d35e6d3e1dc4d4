//! The audit log: a line for each statement, read, change and refusal, with who, what, where and how it ended; never a
//! token, and SQL only if it is configured.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use http::Method;
use rowhouse_tests::{SLOW_SQL, Server, id_of, next_path};
use serde_json::{Value, json};

/// How long a line may take to reach the file on a busy machine.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

fn start(folder: &Path, more: &[&str]) -> (Server, PathBuf) {
    let file = folder.join("audit.jsonl");
    let mut builder = Server::builder().arguments(["--audit-file", &file.to_string_lossy()]);
    for argument in more {
        builder = builder.arguments([*argument]);
    }
    (builder.log_file(folder.join("log")).start(), file)
}

/// The line of a request, once it is there.
async fn line_of(file: &Path, request_id: &str) -> Value {
    let deadline = Instant::now() + WRITE_TIMEOUT;
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let mut lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        if let Some(line) = lines.find(|line| line["requestId"] == request_id) {
            return line;
        }
        assert!(Instant::now() < deadline, "no line of {request_id} in {text}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A request with this id; its line.
async fn line(
    server: &Server,
    file: &Path,
    id: &str,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> Value {
    let token = format!("Token {}", server.admin_token());
    let headers =
        [("authorization", token.as_str()), ("x-request-id", id), ("x-forwarded-for", "203.0.113.9")];
    server.request_with(method, path, headers, body.map(|body| body.to_string())).await;
    line_of(file, id).await
}

#[tokio::test]
async fn statements_reads_changes_and_refusals_are_logged() {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, file) = start(folder.path(), &[]);
    let workspace = server.demo().await;
    let secret = "SELECT 'a secret of the statement' AS x";
    let body = json!({ "workspaceId": workspace, "sql": secret, "cacheTTL": 5, "cacheRefresh": false });
    let ran = line(&server, &file, "r1", Method::POST, "/api/v1/query", Some(body)).await;
    for (field, expected) in [
        ("action", json!("statement")),
        ("outcome", json!("done")),
        ("status", json!(200)),
        ("account", json!("admin")),
        ("workspaceId", json!(workspace)),
        ("from", json!("127.0.0.1")),
        ("forwardedFor", json!("203.0.113.9")),
        ("route", json!("POST /api/v1/query")),
        ("fields", json!({ "cacheTTL": 5, "cacheRefresh": false })),
        ("complete", json!(true)),
    ] {
        assert_eq!(ran[field], expected, "{field} in {ran}");
    }
    let id = id_of(&ran);
    assert_eq!(server.finish(&workspace, &id).await["sql"], secret, "the line has the query's id");
    assert!(
        ran["queryStatus"].is_string() && ran["accountId"].is_string() && ran["time"].is_string(),
        "{ran}"
    );

    let path = format!("/api/v1/query/{id}/result?workspaceId={workspace}&limit=5");
    let read = line(&server, &file, "r2", Method::GET, &path, None).await;
    assert_eq!((&read["action"], &read["outcome"]), (&json!("result"), &json!("done")), "{read}");
    assert_eq!(read["path"], format!("/api/v1/query/{id}/result"), "no query string");
    assert!(read["bytes"].as_u64() > Some(0), "{read}");

    let path = "/v1/data/demo/materializedView/orders_by_customer?filters=o_custkey:EQ:370";
    let read = line(&server, &file, "r3", Method::GET, path, None).await;
    assert_eq!((&read["action"], &read["outcome"]), (&json!("view"), &json!("done")), "{read}");
    let unmet = "/v1/data/demo/materializedView/orders_by_customer";
    let read = line(&server, &file, "r4", Method::GET, unmet, None).await;
    assert_eq!(
        (&read["outcome"], &read["code"]),
        (&json!("refused"), &json!("GENERIC_USER_ERROR")),
        "{read}"
    );

    let body = json!({ "username": "carla", "isAdmin": false });
    let made = line(&server, &file, "r5", Method::POST, "/api/v1/account", Some(body.clone())).await;
    assert_eq!((&made["action"], &made["fields"]), (&json!("change"), &body), "{made}");
    let account = id_of(&made);
    let body = json!({ "accountId": account, "role": "CONSUMER" });
    let path = format!("/api/v1/workspace/{workspace}/member");
    let made = line(&server, &file, "r6", Method::PUT, &path, Some(body.clone())).await;
    assert_eq!((&made["fields"], &made["path"]), (&body, &json!(path)), "{made}");
    let body = json!({ "name": "carla's", "accountId": account });
    line(&server, &file, "r7", Method::POST, "/api/v1/token", Some(body)).await;

    let headers = [("authorization", "Token a-wrong-one"), ("x-request-id", "r8")];
    server.request_with(Method::GET, "/api/v1/queries", headers, None).await;
    let refused = line_of(&file, "r8").await;
    assert_eq!(
        (&refused["action"], &refused["code"]),
        (&json!("access"), &json!("UNAUTHORIZED")),
        "{refused}"
    );
    assert_eq!(refused.get("account"), None);

    // Reading a record leaves no line: the line of the later request exists, its own does not.
    let headers = [("x-request-id", "r9")];
    server.request_with(Method::GET, "/healthz", headers, None).await;
    line(
        &server,
        &file,
        "r10",
        Method::PUT,
        &format!("/api/v1/query/{id}/cancel"),
        Some(json!({ "workspaceId": workspace })),
    )
    .await;
    let text = std::fs::read_to_string(&file).expect("the log");
    assert!(!text.contains("\"r9\"") && text.ends_with('\n'));
    for secret in [server.admin_token(), "a secret of the statement", "a-wrong-one", "o_custkey:EQ"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let mode = std::fs::metadata(&file).expect("the log").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn sql_is_logged_on_request_and_a_rotated_file_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, file) = start(folder.path(), &["--audit-sql", "true"]);
    let workspace = server.demo().await;
    let body = json!({ "workspaceId": workspace, "sql": "SELECT 'line\nbreak \"quoted\"'" });
    let ran = line(&server, &file, "s1", Method::POST, "/api/v1/query", Some(body.clone())).await;
    assert_eq!(ran["fields"]["sql"], body["sql"]);

    let rotated = folder.path().join("audit.jsonl.1");
    std::fs::rename(&file, &rotated).expect("rotated");
    server.hang_up();
    let deadline = Instant::now() + WRITE_TIMEOUT;
    let token = format!("Token {}", server.admin_token());
    // The new file is there a moment before lines go to it.
    let mut number = 2;
    let first = loop {
        let id = format!("s{number}");
        let headers = [("authorization", token.as_str()), ("x-request-id", id.as_str())];
        server.request_with(Method::POST, "/api/v1/query", headers, Some(body.to_string())).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        let new = std::fs::read_to_string(&file).unwrap_or_default();
        if let Some(first) = (2..=number).find(|number| new.contains(&format!("\"s{number}\""))) {
            break first;
        }
        assert!(Instant::now() < deadline, "the file is not opened anew");
        number += 1;
    };
    line(&server, &file, "last", Method::POST, "/api/v1/query", Some(body)).await;
    let old = std::fs::read_to_string(&rotated).expect("the rotated file");
    assert!(old.contains("\"s1\"") && !old.contains("\"last\"") && !old.contains(&format!("\"s{first}\"")));
}

#[tokio::test]
async fn the_log_is_complete_after_a_shutdown() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut server, file) = start(folder.path(), &[]);
    let workspace = server.demo().await;
    for _ in 0..200 {
        server
            .post("/api/v1/sql", json!({ "workspaceId": workspace, "sql": "SELECT 1", "title": "t" }))
            .await
            .ok();
    }
    assert_eq!(server.terminate(Duration::from_secs(60)), Some(0));
    let text = std::fs::read_to_string(&file).expect("the log");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("each line is whole")).collect();
    let count = lines.iter().filter(|line| line["route"] == "POST /api/v1/sql").count();
    assert_eq!(count, 200);
}

#[tokio::test]
async fn scheduled_refreshes_and_reads_by_signed_links_are_logged() {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, file) = start(folder.path(), &[]);
    let workspace = server.demo().await;
    let sql = "SELECT n_name FROM tpch.tiny.nation";
    let body = json!({ "workspaceId": workspace, "sqlName": "ticking", "sql": sql, "schedule": "@every 1s" });
    let view = server.post("/api/v1/materializedView", body).await.ok();
    let deadline = Instant::now() + WRITE_TIMEOUT;
    let entry = loop {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let mut lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        if let Some(line) = lines.find(|line| line["action"] == "refresh") {
            break line;
        }
        assert!(Instant::now() < deadline, "no refresh in {text}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    for (field, expected) in [
        ("outcome", json!("done")),
        ("source", json!("SCHEDULE")),
        ("account", json!("admin")),
        ("workspaceId", json!(workspace)),
        ("viewId", view["id"].clone()),
        ("viewSqlName", json!("ticking")),
    ] {
        assert_eq!(entry[field], expected, "{field} in {entry}");
    }
    let query = server.finish(&workspace, &id_of(&entry)).await;
    assert_eq!((&query["source"], &query["sql"]), (&json!("SCHEDULE"), &json!(sql)), "{query}");

    let path = format!("/api/v1/query/{}/result/signedUrls?workspaceId={workspace}", id_of(&query));
    let links = server.get(&path).await.ok();
    let url = links["urls"][0]["url"].as_str().expect("a link");
    let id = [("x-request-id", "link")];
    server.request_with(Method::GET, url, id, None).await;
    let read = line_of(&file, "link").await;
    for (field, expected) in [
        ("action", json!("result")),
        ("outcome", json!("done")),
        ("route", json!("GET /api/v1/query/:id/result/file")),
        ("workspaceId", json!(workspace)),
    ] {
        assert_eq!(read[field], expected, "{field} in {read}");
    }
    assert_eq!(read.get("account"), None, "whoever has the link: {read}");
    let text = std::fs::read_to_string(&file).expect("the log");
    assert!(!text.contains("signature"), "no query string: {text}");
}

/// An address of Trino's protocol is a credential in itself, so no line contains one.
#[tokio::test]
async fn statements_of_trino_clients_are_logged_without_their_slugs() {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, file) = start(folder.path(), &[]);
    let workspace = server.demo().await;
    let other = server.new_workspace("other").await;
    let token = format!("Bearer {}", server.admin_token());
    let schema = ("x-trino-schema", "demo");
    let mut answer = Value::Null;
    for (id, sql) in [("t1", "SHOW TABLES FROM rowhouse.other"), ("t2", SLOW_SQL)] {
        let headers = [("authorization", token.as_str()), ("x-request-id", id), schema];
        answer = server.request_with(Method::POST, "/v1/statement", headers, Some(sql.to_owned())).await.ok();
        let entry = line_of(&file, id).await;
        assert_eq!(
            (&entry["action"], &entry["workspaceId"], &entry["id"], &entry["account"]),
            (&json!("statement"), &json!(workspace), &answer["id"], &json!("admin")),
            "{entry}"
        );
        let others = if id == "t1" { json!([other]) } else { Value::Null };
        assert_eq!(entry["otherWorkspaces"], others, "{entry}");
        if id == "t1" {
            let page = next_path(&server, &answer).expect("an address");
            server.request_with(Method::GET, &page, [("x-request-id", "t3")], None).await.ok();
            let read = line_of(&file, "t3").await;
            let path = format!("/v1/statement/queued/{}", answer["id"].as_str().expect("an id"));
            assert_eq!(
                (&read["action"], &read["path"], &read["otherWorkspaces"]),
                (&json!("result"), &json!(path), &others),
                "{read}"
            );
        }
    }
    let address = next_path(&server, &answer).expect("an address");
    server.request_with(Method::DELETE, &address, [("x-request-id", "t4")], None).await;
    let canceled = line_of(&file, "t4").await;
    assert_eq!(
        (&canceled["action"], &canceled["account"]),
        (&json!("statement"), &json!("admin")),
        "{canceled}"
    );
    let slug = address.split('/').nth(5).expect("a slug");
    assert!(!std::fs::read_to_string(&file).expect("the log").contains(slug));
}
