//! One workspace at its limits, alone and concurrent with another: places in the queue, concurrent statements, requests
//! of a token, and the usage that is reported.

use std::time::{Duration, Instant};

use http::Method;
use rowhouse_tests::{SLOW_SQL, Server, id_of};
use serde_json::{Value, json};

async fn usage(server: &Server, workspace: &str) -> Value {
    server.get(&format!("/api/v1/workspace/{workspace}/usage")).await.ok()
}

/// Regression: one workspace filled all places, and the first statement of every other was 429.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_greedy_workspace_leaves_queue_places_to_others() {
    let arguments =
        ["--engine-concurrency", "2", "--limits-queued-statements", "20", "--workspaces-concurrency", "1"];
    let server = Server::builder().arguments(arguments).start();
    let (greedy, other) = (server.demo().await, server.new_workspace("other").await);
    let mut taken = 0;
    let refused = loop {
        let body = json!({ "workspaceId": greedy, "sql": SLOW_SQL });
        let answer = server.post("/api/v1/query", body).await;
        if answer.status != 200 {
            break answer;
        }
        taken += 1;
    };
    refused.error(429, "QUERY_QUEUE_FULL", ["workspace 'demo'"]);
    assert!(refused.header("retry-after").is_some());
    assert_eq!(taken, 11, "half of the 20 that may wait and the 2 that may run");
    let reported = usage(&server, &greedy).await;
    assert_eq!(
        (&reported["runningStatements"], &reported["queuedStatements"]),
        (&json!(1), &json!(10)),
        "{reported}"
    );
    assert_eq!(reported["limits"]["inForce"]["concurrency"], 1, "{reported}");
    let began = Instant::now();
    assert_eq!(server.rows(&other, "SELECT 1").await, json!([[1]]));
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(usage(&server, &other).await["queuedStatements"], 0);
}

/// Regression: memory was limited by statement only, so a workspace had as much as it had statements.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_wait_for_memory_of_their_workspace() {
    let arguments = ["--engine-concurrency", "4", "--engine-memory-limit", "512MiB"];
    let server = Server::builder().arguments(arguments).start();
    let (small, other) = (server.demo().await, server.new_workspace("other").await);
    let path = format!("/api/v1/workspace/{small}/limits");
    let set = server.put(&path, json!({ "memoryBytes": 1_200_000_000 })).await.ok();
    assert_eq!(set["inForce"]["memoryBytes"], 1_200_000_000, "{set}");
    let begun = [SLOW_SQL.to_owned(), format!("{SLOW_SQL} "), format!(" {SLOW_SQL}")];
    let mut ids = Vec::new();
    for sql in &begun {
        ids.push(id_of(
            &server.post("/api/v1/query", json!({ "workspaceId": small, "sql": sql })).await.ok(),
        ));
    }
    let deadline = Instant::now() + Duration::from_secs(20);
    let reported = loop {
        let reported = usage(&server, &small).await;
        if reported["runningStatements"] == 2 {
            break reported;
        }
        assert!(Instant::now() < deadline, "{reported}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(
        (&reported["memoryBytes"], &reported["queuedStatements"]),
        (&json!(1_u64 << 30), &json!(1)),
        "{reported}"
    );
    let metrics = server.get("/metrics").await;
    let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
    let line = format!("rowhouse_workspace_memory_bytes{{workspace=\"demo\"}} {}", 1_u64 << 30);
    assert!(metrics.contains(&line), "{metrics}");
    // Other workspaces are not affected, and the third statement runs when one of the two ends.
    assert_eq!(server.rows(&other, "SELECT 1").await, json!([[1]]));
    let record = server.get(&format!("/api/v1/query/{}?workspaceId={small}", ids[2])).await.ok();
    assert_eq!(record["status"], "QUEUED", "{record}");
    server.put(&format!("/api/v1/query/{}/cancel", ids[0]), json!({ "workspaceId": small })).await.ok();
    let deadline = Instant::now() + Duration::from_secs(20);
    while server.get(&format!("/api/v1/query/{}?workspaceId={small}", ids[2])).await.ok()["status"]
        == "QUEUED"
    {
        assert!(Instant::now() < deadline, "it waits on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // A statement that can never have enough memory fails at once.
    server.put(&path, json!({ "memoryBytes": 100_000_000 })).await.ok();
    let refused = server.run(&small, "SELECT 2").await;
    assert_eq!(refused["error"]["errorName"], "GENERIC_INSUFFICIENT_RESOURCES", "{refused}");
    let message = refused["error"]["message"].as_str().expect("a message");
    assert!(
        ["engine.memory_limit", "max_memory", "memoryBytes"].iter().all(|name| message.contains(name)),
        "{message}"
    );
}

#[tokio::test]
async fn limits_are_persistent_and_requests_are_counted_per_token() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.demo().await;
    let token = server.new_member(&workspace, "ann", "ANALYST").await;
    let path = format!("/api/v1/workspace/{workspace}/limits");
    let list = format!("/api/v1/queries?workspaceId={workspace}&limit=1");
    let body = json!({ "requestsPerSecond": 3, "concurrency": null });
    let refused = server.request(Method::PUT, &path, Some(&token), Some(body.to_string())).await;
    refused.error(401, "PERMISSION_DENIED", []);
    server.put(&path, json!({ "requestsPerSecond": -1 })).await.error(
        400,
        "INVALID_ARGUMENTS",
        ["requestsPerSecond"],
    );
    let set = server.put(&path, body).await.ok();
    assert_eq!(set["set"]["requestsPerSecond"], 3, "{set}");
    assert!(set["set"]["queuedStatements"].is_null(), "{set}");
    assert_eq!(set["inForce"], set["set"]);
    server.kill();
    let server = Server::builder().data_dir(&data_dir).start();
    let ask = async || server.request(Method::GET, &list, Some(&token), None).await;
    let mut refusals = 0;
    for _ in 0..30 {
        let answer = ask().await;
        if answer.status != 200 {
            answer.error(429, "TOO_MANY_REQUESTS", ["requestsPerSecond", " ms"]);
            assert_eq!(answer.header("retry-after"), Some("1"));
            refusals += 1;
        }
    }
    assert!(refusals > 0, "30 requests at once, 3 a second");
    // Without the delays 27 or more: while a refusal is held back, the next request becomes possible.
    assert!(refusals <= 18, "{refusals} refusals, which are held back (D160)");
    let metrics = server.get("/metrics").await;
    let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
    assert!(metrics.contains(&format!("rowhouse_requests_refused_total {refusals}")), "{metrics}");
    let query = format!("{{ sqls(where: {{workspaceId: \"{workspace}\"}}) {{ id }} }}");
    let body = json!({ "query": query }).to_string();
    let ask_graphql =
        async || server.request(Method::POST, "/graphql", Some(&token), Some(body.clone())).await;
    let refused = loop {
        let answer = ask_graphql().await;
        if answer.status != 200 {
            break answer;
        }
    };
    refused.error(429, "TOO_MANY_REQUESTS", ["requestsPerSecond"]);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(ask().await.status, 200, "after the time in the refusal");
    let id = id_of(&server.post("/api/v1/account", json!({ "username": "bob" })).await.ok());
    assert!(!id.is_empty(), "who enters no workspace is not counted");
}

/// Regression: a statement of Trino's protocol over the rate of its workspace ran in the first one of its account.
#[tokio::test]
async fn a_statement_over_its_rate_runs_in_no_other_workspace() {
    let server = Server::start();
    let first = server.demo().await;
    let limited = server.new_workspace("limited").await;
    let limits = json!({ "requestsPerSecond": 1 });
    server.put(&format!("/api/v1/workspace/{limited}/limits"), limits).await.ok();
    let count = async || {
        let list = server.get(&format!("/api/v1/queries?workspaceId={first}&limit=1")).await.ok();
        list["totalCount"].as_u64().expect("a number")
    };
    let before = count().await;
    let authorization = format!("Token {}", server.admin_token());
    let headers = [
        ("authorization", authorization.as_str()),
        ("x-trino-user", "admin"),
        ("x-trino-catalog", "rowhouse"),
        ("x-trino-schema", "limited"),
    ];
    for _ in 0..6 {
        server.request_with(Method::POST, "/v1/statement", headers, Some("SELECT 1".to_owned())).await.ok();
    }
    assert_eq!(count().await, before);
    let metrics = server.get("/metrics").await;
    let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
    assert!(!metrics.contains("rowhouse_requests_refused_total 0"), "some were refused: {metrics}");
}
