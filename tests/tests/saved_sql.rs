//! Saved SQL: created, listed, changed, executed, deleted, and the 16 statistics of its last run (D28).

use hyper::Method;
use rowhouse_tests::{SLOW_SQL, Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

async fn save(server: &Server, workspace: &str, title: &str, sql: &str) -> Value {
    let body = json!({ "workspaceId": workspace, "title": title, "sql": sql, "description": "d" });
    server.post("/api/v1/sql", body).await.ok()
}

#[track_caller]
fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[tokio::test]
async fn saved_sql_is_created_and_listed_oldest_first() {
    let server = SERVER.get();
    let workspace = server.new_workspace("saving").await;
    let path = format!("/api/v1/sqls?workspaceId={workspace}");
    assert_eq!(server.get(&path).await.ok(), json!([]));
    let first = save(&server, &workspace, "one title", "SELECT 1").await;
    assert_eq!(keys(&first), ["description", "id", "sql", "title", "workspaceId"], "no accountId here");
    let expected = json!({
        "id": first["id"], "title": "one title", "description": "d", "sql": "SELECT 1", "workspaceId": workspace,
    });
    assert_eq!(first, expected);
    // Titles may repeat; SQL is not checked before it runs.
    let second = save(&server, &workspace, "one title", "SELEC nope").await;
    assert_ne!(first["id"], second["id"]);
    let body =
        json!({ "workspaceId": workspace, "title": "ünïcode \u{1F3E0}", "sql": "SELECT 'ß' -- ok\n;" });
    let third = server.post("/api/v1/sql", body).await.ok();
    assert!(third.get("description").is_none_or(Value::is_null), "{third}");
    assert_eq!(
        (&third["title"], &third["sql"]),
        (&json!("ünïcode \u{1F3E0}"), &json!("SELECT 'ß' -- ok\n;"))
    );
    let list = server.get(&path).await.ok();
    let ids: Vec<String> = list.as_array().expect("a list").iter().map(id_of).collect();
    assert_eq!(ids, [id_of(&first), id_of(&second), id_of(&third)]);
    for (listed, made) in list.as_array().expect("a list").iter().zip([&first, &second, &third]) {
        assert!(listed["accountId"].as_str().is_some_and(|id| !id.is_empty()), "{listed}");
        for field in ["id", "title", "sql", "workspaceId"] {
            assert_eq!(listed[field], made[field]);
        }
    }
    let other = server.new_workspace("not_saving").await;
    assert_eq!(server.get(&format!("/api/v1/sqls?workspaceId={other}")).await.ok(), json!([]));
}

#[tokio::test]
async fn a_saved_sql_is_changed_and_deleted() {
    let server = SERVER.get();
    let workspace = server.new_workspace("changing_sql").await;
    let saved = save(&server, &workspace, "before", "SELECT 1").await;
    let path = format!("/api/v1/sql/{}", id_of(&saved));
    let changed = server.put(&path, json!({ "workspaceId": workspace, "title": "after" })).await.ok();
    assert_eq!(
        (&changed["title"], &changed["sql"], &changed["description"]),
        (&json!("after"), &json!("SELECT 1"), &json!("d"))
    );
    server.put(&path, json!({ "workspaceId": workspace, "sql": "SELECT 2" })).await.ok();
    let query = server.post(&path, json!({ "workspaceId": workspace })).await.ok();
    server.finish(&workspace, &id_of(&query)).await;
    assert_eq!(server.result(&workspace, &id_of(&query)).await["result"], json!([[2]]));
    let scoped = format!("{path}?workspaceId={workspace}");
    assert_eq!(server.delete(&scoped).await.status, 200);
    assert_eq!(server.get(&format!("/api/v1/sqls?workspaceId={workspace}")).await.ok(), json!([]));
    server.get(&scoped).await.error(404, "NOT_FOUND", []);
    server.delete(&scoped).await.error(404, "NOT_FOUND", []);
    server.post(&path, json!({ "workspaceId": workspace })).await.error(404, "NOT_FOUND", []);
    server.put(&path, json!({ "workspaceId": workspace, "title": "t" })).await.error(404, "NOT_FOUND", []);
    // The query that it ran keeps its result.
    assert_eq!(server.result(&workspace, &id_of(&query)).await["rowCount"], 1);
}

#[tokio::test]
async fn statistics_are_zero_before_the_first_run() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let saved = save(&server, &workspace, "never run", "SELECT 1").await;
    let stats = server.get(&format!("/api/v1/sql/{}?workspaceId={workspace}", id_of(&saved))).await.ok();
    let expected = json!({
        "state": "NONE", "queued": false, "scheduled": false, "nodes": 0, "totalSplits": 0, "queuedSplits": 0,
        "runningSplits": 0, "completedSplits": 0, "cpuTimeMillis": 0, "wallTimeMillis": 0, "queuedTimeMillis": 0,
        "elapsedTimeMillis": 0, "processedRows": 0, "processedBytes": 0, "peakMemoryBytes": 0, "spilledBytes": 0,
    });
    assert_eq!(stats, json!({ "id": saved["id"], "stats": expected }));
}

#[tokio::test]
async fn statistics_are_those_of_the_last_run() {
    let server = Server::builder().arguments(["--engine-concurrency", "1"]).start();
    let workspace = server.demo().await;
    let sql = "SELECT l_returnflag, count(*), min(l_comment) FROM tpch.tiny.lineitem GROUP BY l_returnflag";
    let saved = save(&server, &workspace, "statistics", sql).await;
    let path = format!("/api/v1/sql/{}", id_of(&saved));
    let scoped = format!("{path}?workspaceId={workspace}");
    // Behind another statement it is queued, and its statistics show that.
    let blocker = id_of(&server.submit(&workspace, SLOW_SQL).await);
    server.wait_for_status(&workspace, &blocker, "RUNNING").await;
    let query = server.post(&path, json!({ "workspaceId": workspace })).await.ok();
    let waiting = server.get(&scoped).await.ok()["stats"].clone();
    check_types(&waiting);
    assert_eq!((&waiting["state"], &waiting["queued"]), (&json!("QUEUED"), &json!(true)), "{waiting}");
    assert_eq!((&waiting["scheduled"], &waiting["processedRows"]), (&json!(false), &json!(0)), "{waiting}");
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    server.cancel(&workspace, &blocker).await;
    let query = server.finish(&workspace, &id_of(&query)).await;
    assert_eq!((&query["status"], &query["rowCount"]), (&json!("FINISHED"), &json!(3)), "{query}");

    let answer = server.get(&scoped).await.ok();
    assert_eq!(keys(&answer), ["id", "stats"]);
    assert_eq!(answer["id"], saved["id"]);
    let stats = &answer["stats"];
    check_types(stats);
    assert_eq!(stats["state"], "FINISHED");
    assert_eq!((&stats["queued"], &stats["scheduled"]), (&json!(false), &json!(true)), "{stats}");
    let number = |name: &str| stats[name].as_f64().unwrap_or_else(|| panic!("{name} in {stats}"));
    assert_eq!(number("processedRows"), 60_175.0, "the rows of lineitem");
    for name in [
        "nodes",
        "totalSplits",
        "completedSplits",
        "wallTimeMillis",
        "elapsedTimeMillis",
        "processedBytes",
        "peakMemoryBytes",
    ] {
        assert!(number(name) > 0.0, "{name} in {stats}");
    }
    assert_eq!(number("completedSplits"), number("totalSplits"));
    assert_eq!((number("queuedSplits"), number("runningSplits")), (0.0, 0.0));
    assert!(number("queuedTimeMillis") >= 150.0, "it waited: {stats}");
    assert!(number("elapsedTimeMillis") >= number("queuedTimeMillis"), "{stats}");
    assert!(number("peakMemoryBytes") > 1e6 && number("peakMemoryBytes") < 4e9, "{stats}");
    for name in keys(stats) {
        assert_eq!(query["queryStats"][name], stats[name], "{name} of the query's own statistics");
    }

    server.put(&path, json!({ "workspaceId": workspace, "sql": "SELECT nope" })).await.ok();
    let failed = server.post(&path, json!({ "workspaceId": workspace })).await.ok();
    let failed = server.finish(&workspace, &id_of(&failed)).await;
    assert_eq!(failed["status"], "FAILED", "bad SQL is no HTTP error (D4): {failed}");
    let stats = server.get(&scoped).await.ok()["stats"].clone();
    check_types(&stats);
    assert_eq!((&stats["state"], &stats["processedRows"]), (&json!("FAILED"), &json!(0)), "{stats}");
}

#[track_caller]
fn check_types(stats: &Value) {
    let numbers = [
        "nodes",
        "totalSplits",
        "queuedSplits",
        "runningSplits",
        "completedSplits",
        "cpuTimeMillis",
        "wallTimeMillis",
        "queuedTimeMillis",
        "elapsedTimeMillis",
        "processedRows",
        "processedBytes",
        "peakMemoryBytes",
        "spilledBytes",
    ];
    assert!(stats["state"].is_string(), "{stats}");
    assert!(stats["queued"].is_boolean() && stats["scheduled"].is_boolean(), "{stats}");
    for name in numbers {
        assert!(stats[name].as_f64().is_some_and(|number| number >= 0.0), "{name} in {stats}");
    }
    assert_eq!(stats.as_object().map(serde_json::Map::len), Some(16), "{stats}");
}

#[tokio::test]
async fn executing_returns_a_query_object() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let saved =
        save(&server, &workspace, "run", "SELECT r_name FROM tpch.tiny.region ORDER BY 1 LIMIT 1").await;
    let path = format!("/api/v1/sql/{}", id_of(&saved));
    for (source, expected) in [(None, "API"), (Some("SCHEDULE"), "SCHEDULE"), (Some("a tool"), "a tool")] {
        let mut body = json!({ "workspaceId": workspace });
        if let Some(source) = source {
            body["source"] = json!(source);
        }
        let query = server.post(&path, body).await.ok();
        assert_eq!((&query["source"], &query["sql"]), (&json!(expected), &saved["sql"]), "{query}");
        assert!(
            ["QUEUED", "PLANNING", "RUNNING", "FINISHED"].iter().any(|status| query["status"] == *status)
        );
        server.finish(&workspace, &id_of(&query)).await;
        assert_eq!(server.result(&workspace, &id_of(&query)).await["result"], json!([["AFRICA"]]));
    }
    for method in [Method::GET, Method::POST] {
        let answer = match method {
            Method::GET => server.get(&format!("/api/v1/sql/nope?workspaceId={workspace}")).await,
            _ => server.post("/api/v1/sql/nope", json!({ "workspaceId": workspace })).await,
        };
        answer.error(404, "NOT_FOUND", []);
    }
}
