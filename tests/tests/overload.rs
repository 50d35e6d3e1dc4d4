//! More load than the server accepts: a full queue (429), and operators' smaller limits (D27). Accepted statements are
//! not affected.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use rowhouse_tests::{SLOW_SQL, Server, binary, id_of};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_refuses_statements_until_it_drains() {
    let arguments = ["--engine-concurrency", "1", "--limits-queued-statements", "2"];
    let server = Server::builder().arguments(arguments).start();
    let workspace = server.demo().await;
    let cached = "SELECT 'served from the cache though the queue is full'";
    server.finish(&workspace, &id_of(&server.submit_cached(&workspace, cached, 600, false).await)).await;
    let body = json!({ "workspaceId": workspace, "sql": "SELECT 1", "title": "t" });
    let saved = id_of(&server.post("/api/v1/sql", body).await.ok());
    let running = id_of(&server.submit(&workspace, SLOW_SQL).await);
    server.wait_for_status(&workspace, &running, "RUNNING").await;
    let waiting = [
        id_of(&server.submit(&workspace, "SELECT 1 AS a").await),
        id_of(&server.submit(&workspace, "SELECT 2 AS a").await),
    ];
    let total = async || {
        let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=0")).await.ok();
        list["totalCount"].as_u64().expect("a count")
    };
    let before = total().await;
    for (path, body) in [
        ("/api/v1/query".to_owned(), json!({ "workspaceId": workspace, "sql": "SELECT 3" })),
        (format!("/api/v1/sql/{saved}"), json!({ "workspaceId": workspace })),
    ] {
        let answer = server.post(&path, body).await;
        answer.error(429, "QUERY_QUEUE_FULL", []);
        let retry_after = answer.header("retry-after").expect("Retry-After");
        assert!(retry_after.parse::<u64>().is_ok_and(|seconds| seconds > 0), "{retry_after}");
    }
    assert_eq!(total().await, before, "a refused statement has no record");
    let hit = server.submit_cached(&workspace, cached, 600, false).await;
    assert_eq!(hit["fromCache"], true, "{hit}");
    // Reads continue.
    assert_eq!(server.get("/readyz").await.status, 200);
    server.cancel(&workspace, &running).await;
    for (id, expected) in waiting.iter().zip([1, 2]) {
        assert_eq!(server.finish(&workspace, id).await["status"], "FINISHED");
        assert_eq!(server.result(&workspace, id).await["result"], json!([[expected]]));
    }
    assert_eq!(server.rows(&workspace, "SELECT 3").await, json!([[3]]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_burst_of_statements_ends_in_order_and_none_is_lost() {
    let server = Server::builder().arguments(["--engine-concurrency", "2"]).start();
    let workspace = server.demo().await;
    server.rows(&workspace, "SELECT count(*) FROM tpch.tiny.nation").await;
    let mut ids = Vec::new();
    for number in 0..60 {
        let sql = format!("SELECT {number} + count(*) FROM tpch.tiny.nation");
        ids.push(id_of(&server.submit(&workspace, &sql).await));
    }
    for (number, id) in ids.iter().enumerate() {
        assert_eq!(server.finish(&workspace, id).await["status"], "FINISHED");
        assert_eq!(server.result(&workspace, id).await["result"], json!([[number + 25]]));
    }
    let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=60")).await.ok();
    let listed: Vec<String> = list["result"].as_array().expect("records").iter().map(id_of).collect();
    ids.reverse();
    assert_eq!(listed, ids, "newest first");
}

#[tokio::test]
async fn configured_limits_are_enforced() {
    let arguments = [
        "--limits-body-bytes",
        "2KiB",
        "--limits-sql-bytes",
        "1KiB",
        "--limits-filters",
        "2",
        "--limits-filter-bytes",
        "64",
    ];
    let server = Server::builder().arguments(arguments).start();
    let workspace = server.demo().await;
    let sql = |bytes: usize| json!({ "workspaceId": workspace, "sql": format!("SELECT 1 /*{}*/", "x".repeat(bytes - 13)) });
    server.post("/api/v1/query", sql(1024)).await.ok();
    server.post("/api/v1/query", sql(1025)).await.error(400, "INVALID_ARGUMENTS", ["sql"]);
    server.post("/api/v1/query", sql(2048)).await.error(413, "PAYLOAD_TOO_LARGE", []);
    server.new_view(&workspace, "limited", "SELECT n_name FROM tpch.tiny.nation").await;
    let read = "/v1/data/demo/materializedView/limited?limit=0";
    let filter = "&filters=n_name:NEQ:x";
    assert_eq!(server.get(&format!("{read}{}", filter.repeat(2))).await.ok(), json!([]));
    server.get(&format!("{read}{}", filter.repeat(3))).await.error(400, "INVALID_ARGUMENTS", ["2"]);
    let long = format!("{read}&filters=n_name:EQ:{}", "x".repeat(60));
    server.get(&long).await.error(400, "INVALID_ARGUMENTS", ["64"]);
}

#[tokio::test]
async fn metrics_count_statements_and_can_require_a_token() {
    let server = Server::builder().arguments(["--metrics-require-token", "true"]).start();
    let workspace = server.demo().await;
    server.rows(&workspace, "SELECT 1").await;
    server.request(hyper::Method::GET, "/metrics", None, None).await.error(401, "UNAUTHORIZED", []);
    let metrics = server.get("/metrics").await;
    assert_eq!(metrics.status, 200);
    assert_eq!(metrics.header("content-type").map(|text| text.starts_with("text/plain")), Some(true));
    let text = String::from_utf8(metrics.body.to_vec()).expect("text");
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let value = line.rsplit(' ').next().and_then(|value| value.parse::<f64>().ok());
        let is_named = ["rowhouse_", "process_"].iter().any(|prefix| line.starts_with(prefix));
        assert!(value.is_some() && is_named, "{line}");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(server.request(hyper::Method::GET, path, None, None).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn records_are_deleted_after_their_retention() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let start = || {
        let builder = Server::builder().data_dir(folder.path().join("data"));
        builder.arguments(["--records-retention", "1s", "--results-retention", "1s"]).start()
    };
    let mut server = start();
    let workspace = server.demo().await;
    server.run(&workspace, "SELECT l_comment FROM tpch.tiny.lineitem").await;
    let results = server.data_dir().join("results");
    assert!(files_below(&results) > 0, "a large result is a file");
    let kept = |data_dir: &std::path::Path| -> i64 {
        let database = rusqlite::Connection::open(data_dir.join("rowhouse.db")).expect("the database");
        database.query_row("SELECT count(*) FROM kept_results", [], |row| row.get(0)).expect("a count")
    };
    let query = server.run(&workspace, "SELECT 1").await;
    assert!(kept(server.data_dir()) > 0, "a small one is in the database");
    tokio::time::sleep(Duration::from_millis(1500)).await;
    // A start removes what has expired; a running server does so once a minute.
    server.terminate(Duration::from_secs(20));
    let server = start();
    let deadline = Instant::now() + Duration::from_secs(90);
    let path = format!("/api/v1/query/{}?workspaceId={workspace}", id_of(&query));
    loop {
        let answer = server.get(&path).await;
        let list: Value = server.get(&format!("/api/v1/queries?workspaceId={workspace}")).await.ok();
        let is_gone = files_below(&results) == 0 && kept(server.data_dir()) == 0;
        if answer.status == 404 && list["totalCount"] == 0 && is_gone {
            break;
        }
        assert!(Instant::now() < deadline, "after 90 s: {} {list}", answer.status);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn files_below(folder: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| if entry.path().is_dir() { files_below(&entry.path()) } else { 1 }).sum()
}

/// Regression: 150 idle connections took all open files of a server that may have 100, and it could not do anything any more.
/// Its soft limit was left as low as it was.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_leave_open_files_to_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("limited");
    let script =
        format!("#!/bin/sh\nulimit -S -n 100\nulimit -H -n 300\nexec '{}' \"$@\"\n", binary().display());
    std::fs::write(&program, script).expect("a script");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).expect("it can be run");
    let server = Server::builder().program(program).start();
    let workspace = server.demo().await;
    let metrics = server.get("/metrics").await.body;
    assert!(String::from_utf8_lossy(&metrics).contains("\nprocess_max_fds 300"), "the hard limit");
    let mut connection = TcpStream::connect(server.address()).expect("a connection of its own");
    ask(&mut connection, &server, "GET", "/api/v1/workspaces", "");
    let idle: Vec<_> =
        (0..400).map(|_| TcpStream::connect(server.address()).expect("it waits in the backlog")).collect();
    let begun = Instant::now();
    for number in 0..3 {
        let sql = format!("SELECT count(*) + {number} FROM tpch.tiny.region");
        let body = json!({ "workspaceId": workspace, "sql": sql }).to_string();
        let id = id_of(&ask(&mut connection, &server, "POST", "/api/v1/query", &body));
        let path = format!("/api/v1/query/{id}?workspaceId={workspace}");
        loop {
            let query = ask(&mut connection, &server, "GET", &path, "");
            if query["status"] == "FINISHED" {
                break;
            }
            assert!(query["error"].is_null() && begun.elapsed() < Duration::from_secs(60), "{query}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    // Those that wait are served when others end.
    drop(idle);
    assert_eq!(server.get("/healthz").await.status, 200);
}

/// A request on a connection that stays open.
fn ask(connection: &mut TcpStream, server: &Server, method: &str, path: &str, body: &str) -> Value {
    let token = server.admin_token();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Token {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    connection.write_all(request.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    let mut piece = [0; 16 << 10];
    loop {
        let read = connection.read(&mut piece).expect("an answer");
        assert!(read > 0, "the connection was closed");
        answer.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&answer);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            assert!(head.starts_with("HTTP/1.1 200 "), "{text}");
            if let Ok(value) = serde_json::from_str(body) {
                return value;
            }
        }
    }
}
