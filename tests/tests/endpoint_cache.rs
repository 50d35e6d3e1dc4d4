//! Endpoints whose cached results answer: from memory without a record, stale while one run renews them, and the
//! statistics of calls.

use std::fs;
use std::time::Duration;

use rowhouse_tests::{Response, Server, SharedServer, id_of};
use serde_json::{Value, json};
use tempfile::TempDir;

static SERVER: SharedServer = SharedServer::new(&[]);

/// A file that was changed a moment ago has no version yet; this much later it has one.
const SETTLED: Duration = Duration::from_millis(60);

async fn save(server: &Server, workspace: &str, name: &str, sql: &str) -> String {
    let body = json!({ "workspaceId": workspace, "title": name, "sqlName": name, "sql": sql });
    id_of(&server.post("/api/v1/sql", body).await.ok())
}

/// A table of one file with these numbers.
async fn numbers(server: &Server, workspace: &str, folder: &TempDir, text: &str) {
    let file = folder.path().join("n.csv");
    fs::write(&file, text).expect("a file");
    tokio::time::sleep(SETTLED).await;
    server.new_table(workspace, "numbers", &file).await;
}

async fn replace(folder: &TempDir, text: &str) {
    let new = folder.path().join("new");
    fs::write(&new, text).expect("a file");
    fs::rename(&new, folder.path().join("n.csv")).expect("replaced");
    tokio::time::sleep(SETTLED).await;
}

fn status(answer: &Response) -> &str {
    answer.header("cache-status").expect("the header")
}

async fn record_count(server: &Server, workspace: &str) -> Value {
    server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=1")).await.ok()["totalCount"].clone()
}

/// Regression: the second call considered the declaration alone, not WITH SESSION, and took the zone to be UTC.
#[tokio::test]
async fn session_properties_of_a_statement_apply_to_every_call() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("with_session").await;
    let sql = "-- Cache: 10m\nWITH SESSION cache_refresh = true SELECT count(*) AS n FROM tpch.tiny.nation";
    save(server, &workspace, "always_new", sql).await;
    let path = "/v1/data/with_session/endpoint/always_new";
    let mut records = Vec::new();
    for _ in 0..3 {
        let answer = server.get(path).await;
        assert_eq!(answer.status, 200);
        assert_ne!(status(&answer), "rowhouse; hit");
        records.push(answer.header("x-query-id").expect("the record's id").to_owned());
    }
    records.dedup();
    assert_eq!(records.len(), 3);
}

#[tokio::test]
async fn repeated_calls_are_answered_from_memory() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("from_memory").await;
    let folder = TempDir::new().expect("a temporary folder");
    numbers(server, &workspace, &folder, "x\n1\n2\n").await;
    let sql = "-- Parameter: least bigint default 0\n-- Cache: 10m\n-- Order by: x\nSELECT x FROM numbers WHERE x >= :least";
    let id = save(server, &workspace, "numbers", sql).await;
    let path = "/v1/data/from_memory/endpoint/numbers?orderBy=x";
    let first = server.get(path).await;
    let made = first.header("x-query-id").expect("the record's id").to_owned();
    let before = record_count(server, &workspace).await;
    for suffix in ["", "", "&limit=1", "&limit=1", "&shape=arrays", "&format=csv", "&count=exact"] {
        let kept = server.get(&format!("{path}{suffix}")).await;
        assert_eq!((kept.status, status(&kept)), (200, "rowhouse; hit"), "{suffix}");
        assert_eq!(kept.header("x-query-id"), Some(made.as_str()), "{suffix}");
        assert!(kept.header("server-timing").is_some_and(|timing| timing.starts_with("total;dur=")));
    }
    assert_eq!(server.get(path).await.ok(), json!([{ "x": 1 }, { "x": 2 }]));
    assert_eq!(server.get(&format!("{path}&limit=1")).await.ok(), json!([{ "x": 1 }]));
    assert_eq!(server.get(&format!("{path}&shape=arrays")).await.ok(), json!([[1], [2]]));
    assert_eq!(server.get(&format!("{path}&count=exact")).await.header("x-total-count"), Some("2"));
    assert_eq!(record_count(server, &workspace).await, before, "no record");
    // Another value or another order is another call.
    assert_eq!(server.get(&format!("{path}&least=2")).await.ok(), json!([{ "x": 2 }]));
    assert_eq!(server.get(&format!("{path}:desc")).await.ok(), json!([{ "x": 2 }, { "x": 1 }]));

    let calls = server.get(&format!("/api/v1/sql/{id}/calls?workspaceId={workspace}")).await.ok();
    let refused = server.get(&format!("{path}&leest=2")).await;
    refused.error(400, "INVALID_ARGUMENTS", ["did you mean least?"]);
    let after = server.get(&format!("/api/v1/sql/{id}/calls?workspaceId={workspace}")).await.ok();
    assert_eq!(
        (&calls["calls"], &calls["kept"], &calls["failed"]),
        (&json!(14), &json!(11), &json!(0)),
        "{calls}"
    );
    assert_eq!((&after["calls"], &after["failed"]), (&json!(15), &json!(1)), "{after}");
    let millis = |name: &str| calls[name].as_f64().expect("a figure");
    assert!(millis("p50Millis") > 0.0 && millis("p50Millis") <= millis("p95Millis"), "{calls}");

    // After a changed file, a changed text, a purge and a deleted result no cached result answers.
    replace(&folder, "x\n7\n").await;
    assert_eq!(server.get(path).await.ok(), json!([{ "x": 7 }]));
    assert_eq!(status(&server.get(path).await), "rowhouse; hit");
    let change = json!({ "workspaceId": workspace, "sql": sql.replace("SELECT x", "SELECT x + 1 AS x") });
    server.put(&format!("/api/v1/sql/{id}"), change).await.ok();
    assert_eq!(server.get(path).await.ok(), json!([{ "x": 8 }]));
    assert_eq!(status(&server.get(path).await), "rowhouse; hit");
    let purged = server.delete(&format!("/api/v1/cache?workspaceId={workspace}&table=numbers")).await.ok();
    assert!(purged["purged"].as_u64() >= Some(2), "{purged}");
    let again = server.get(path).await;
    assert!(status(&again).starts_with("rowhouse; fwd=uri-miss"), "{}", status(&again));
    assert_eq!(status(&server.get(path).await), "rowhouse; hit");
    let made = again.header("x-query-id").expect("an id");
    server.delete(&format!("/api/v1/query/{made}/result?workspaceId={workspace}")).await.ok();
    let again = server.get(path).await;
    assert!(status(&again).starts_with("rowhouse; fwd=uri-miss"), "{}", status(&again));
}

#[tokio::test]
async fn answers_that_depend_on_the_user_are_not_shared() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("by_caller").await;
    let token = server.new_member(&workspace, "memory_user", "CONSUMER").await;
    save(server, &workspace, "who", "-- Cache: 10m\n-- Shared: consumers\nSELECT Current_User AS u").await;
    let path = "/v1/data/by_caller/endpoint/who";
    for _ in 0..3 {
        assert_eq!(server.get(path).await.ok(), json!([{ "u": "admin" }]));
        assert_eq!(server.get_as(&token, path).await.ok(), json!([{ "u": "memory_user" }]));
    }
    assert_eq!(status(&server.get_as(&token, path).await), "rowhouse; hit");
}

#[tokio::test]
async fn a_stale_answer_is_returned_at_once_and_renewed() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("renewing").await;
    let folder = TempDir::new().expect("a temporary folder");
    numbers(server, &workspace, &folder, "x\n3\n").await;
    save(server, &workspace, "sum", "-- Cache: 10m stale 1h\nSELECT sum(x) AS s FROM numbers").await;
    let path = "/v1/data/renewing/endpoint/sum";
    server.get(path).await.ok();
    assert_eq!(status(&server.get(path).await), "rowhouse; hit");
    replace(&folder, "x\n5\n").await;
    let stale = server.get(path).await;
    assert_eq!(stale.ok(), json!([{ "s": 3 }]));
    assert_eq!(status(&stale), "rowhouse; hit; ttl=0; detail=\"table numbers changed\"");
    let id = stale.header("x-query-id").expect("an id");
    let record = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
    assert_eq!(
        (&record["cache"]["outcome"], &record["cache"]["sourcesChanged"]),
        (&json!("stale"), &json!(true))
    );
    let renewed = async {
        while server.get(path).await.ok() != json!([{ "s": 5 }]) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), renewed).await.expect("it is renewed");
    assert_eq!(status(&server.get(path).await), "rowhouse; hit");
    let queries = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=1000")).await.ok();
    let renewals = queries["result"].as_array().into_iter().flatten();
    let renewals = renewals.filter(|query| query["source"] == "CACHE_RENEWAL").count();
    assert_eq!(renewals, 1);
    // The same with a submit.
    let submit = async || {
        let body = json!({
            "workspaceId": workspace, "sql": "SELECT max(x) FROM numbers", "cacheTTL": 600, "cacheRefresh": false,
            "cacheCheck": "sources", "cacheStale": 60, "wait": 60, "rows": 1,
        });
        server.post("/api/v1/query", body).await.ok()
    };
    assert_eq!(submit().await["cache"]["outcome"], "miss");
    replace(&folder, "x\n6\n").await;
    let stale = submit().await;
    assert_eq!((&stale["cache"]["outcome"], &stale["result"]), (&json!("stale"), &json!([[5]])), "{stale}");
}

#[tokio::test]
async fn a_warm_endpoint_is_run_after_a_refresh() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("warm").await;
    let folder = TempDir::new().expect("a temporary folder");
    numbers(server, &workspace, &folder, "x\n1\n").await;
    let view = server.new_view(&workspace, "sums", "SELECT sum(x) AS s FROM numbers").await;
    let required = "-- Parameter: a bigint required\n-- Cache: 10m warm\nSELECT s FROM sums WHERE s > :a";
    let body = json!({ "workspaceId": workspace, "title": "w", "sqlName": "w", "sql": required });
    server.post("/api/v1/sql", body).await.error(
        400,
        "INVALID_ARGUMENTS",
        ["warm` is called without values"],
    );
    let sql = "-- Parameter: a bigint default 0\n-- Cache: 10m warm\nSELECT s FROM sums WHERE s > :a";
    save(server, &workspace, "warmed", sql).await;
    let path = "/v1/data/warm/endpoint/warmed";
    assert_eq!(server.get(path).await.ok(), json!([{ "s": 1 }]));
    replace(&folder, "x\n9\n").await;
    server.refresh_view(&workspace, &view).await;
    let warmed = async {
        loop {
            let queries =
                server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=100")).await.ok();
            let mut records = queries["result"].as_array().into_iter().flatten();
            if records.any(|query| query["source"] == "CACHE_WARM_UP" && query["status"] == "FINISHED") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), warmed).await.expect("it is called");
    let answer = server.get(path).await;
    assert_eq!((answer.ok(), status(&answer)), (json!([{ "s": 9 }]), "rowhouse; hit"));
}

#[tokio::test]
async fn call_statistics_survive_a_restart() {
    let folder = TempDir::new().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.new_workspace("counted").await;
    let id = save(&server, &workspace, "one", "-- Cache: 10m\nSELECT 1 AS x").await;
    let other = save(&server, &workspace, "two", "SELECT 2 AS x").await;
    for name in ["one", "one", "two"] {
        server.get(&format!("/v1/data/counted/endpoint/{name}")).await.ok();
    }
    let calls = async |server: &Server, id: &str| {
        server.get(&format!("/api/v1/sql/{id}/calls?workspaceId={workspace}")).await.ok()
    };
    let before = [calls(&server, &id).await, calls(&server, &other).await];
    assert_eq!(
        (&before[0]["calls"], &before[0]["kept"], &before[1]["calls"]),
        (&json!(2), &json!(1), &json!(1))
    );
    assert!(server.terminate(Duration::from_secs(60)).is_some());
    let mut server = Server::builder().data_dir(&data_dir).start();
    assert_eq!([calls(&server, &id).await, calls(&server, &other).await], before);
    server.get("/v1/data/counted/endpoint/one").await.ok();
    assert_eq!(calls(&server, &id).await["calls"], 3);
    // The statistics of a deleted endpoint are deleted.
    server.delete(&format!("/api/v1/sql/{other}?workspaceId={workspace}")).await.ok();
    assert!(server.terminate(Duration::from_secs(60)).is_some());
    let server = Server::builder().data_dir(&data_dir).start();
    assert_eq!(calls(&server, &id).await["calls"], 3);
}
