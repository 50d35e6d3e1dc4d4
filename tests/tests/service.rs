//! The service `SQL_ENGINE` (D21): its status, enable and disable, idle stop and wake.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rowhouse_tests::{SLOW_SQL, Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

const SERVICE: &str = "/api/v1/service/SQL_ENGINE";

#[track_caller]
fn check_types(service: &Value) {
    let mut keys: Vec<&str> = service.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["id", "lastUsed", "maxIdleTime", "service", "status"], "{service}");
    let states = ["RUNNING", "STARTING", "STOPPING", "STOPPED", "ERROR"];
    assert!(states.iter().any(|state| service["status"] == *state), "{service}");
    assert_eq!(service["service"], "SQL_ENGINE");
    assert!(service["id"].as_str().is_some_and(|id| !id.is_empty()), "{service}");
    let shape: String = service["lastUsed"]
        .as_str()
        .expect("a timestamp")
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    assert_eq!(shape, "0000-00-00T00:00:00.000Z", "{service}");
    assert!(service["maxIdleTime"].is_u64(), "{service}");
}

/// Polls the service until it is in one of the states.
async fn wait_for(server: &Server, states: &[&str]) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let service = server.get(SERVICE).await.ok();
        check_types(&service);
        if states.iter().any(|state| service["status"] == *state) {
            return service;
        }
        assert!(Instant::now() < deadline, "waiting for {states:?}: {service}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn the_status_has_its_five_fields() {
    let server = SERVER.get();
    let service = wait_for(&server, &["RUNNING"]).await;
    assert_eq!(service["maxIdleTime"], 900);
    for name in ["sql_engine", "SQL", "SQL_ENGINE2", "%20"] {
        server.get(&format!("/api/v1/service/{name}")).await.error(404, "NOT_FOUND", []);
        let body = json!({ "state": true });
        server.put(&format!("/api/v1/service/{name}"), body).await.error(404, "NOT_FOUND", []);
    }
}

#[tokio::test]
async fn last_used_is_the_start_and_then_the_last_statement() {
    let before = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    let server = Server::start();
    let workspace = server.demo().await;
    let date = async || server.get(SERVICE).await.ok()["lastUsed"].as_str().expect("a timestamp").to_owned();
    let started = date().await;
    let day = |seconds: u64| seconds / 86_400;
    assert_eq!(days_of(&started), day(before), "{started}");
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(date().await, started, "looking is no use");
    server.rows(&workspace, "SELECT 1").await;
    let used = date().await;
    assert!(used > started, "{used} after {started}");
}

/// Days since 1970 of a timestamp's date.
fn days_of(text: &str) -> u64 {
    let number = |from: usize, to: usize| text[from..to].parse::<u64>().expect("digits");
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    // Years that begin in March, so that the leap day is the last day of the year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disabled_engine_takes_no_new_statement() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.demo().await;
    let cached = "SELECT 'served while disabled'";
    server.finish(&workspace, &id_of(&server.submit_cached(&workspace, cached, 600, false).await)).await;
    let body = json!({ "workspaceId": workspace, "sql": "SELECT 1", "title": "t" });
    let saved = id_of(&server.post("/api/v1/sql", body).await.ok());
    let sql = "SELECT n_nationkey FROM tpch.tiny.nation";
    let body = json!({ "workspaceId": workspace, "sqlName": "while_disabled", "sql": sql });
    let view = server.post("/api/v1/materializedView", body).await.ok();
    server.finish(&workspace, view["refreshQueryId"].as_str().expect("a refresh")).await;
    let running = id_of(&server.submit(&workspace, "SELECT count(*) FROM tpch.tiny.lineitem a JOIN tpch.tiny.nation b ON a.l_comment <> b.n_comment").await);

    let answer = server.put(SERVICE, json!({ "state": false })).await.ok();
    check_types(&answer);
    let query = server.finish(&workspace, &running).await;
    assert_eq!(query["status"], "FINISHED", "what had been accepted runs to its end: {query}");
    let stopped = wait_for(&server, &["STOPPED"]).await;
    assert_eq!(stopped["service"], "SQL_ENGINE");
    for round in ["before", "after"] {
        let body = json!({ "workspaceId": workspace, "sql": "SELECT 1" });
        server.post("/api/v1/query", body).await.error(503, "SERVICE_DISABLED", []);
        let body = json!({ "workspaceId": workspace });
        let execute = format!("/api/v1/sql/{saved}");
        server.post(&execute, body.clone()).await.error(503, "SERVICE_DISABLED", []);
        let refresh = format!("/api/v1/materializedView/{}/refresh", id_of(&view));
        server.post(&refresh, body).await.error(503, "SERVICE_DISABLED", []);
        let hit = server.submit_cached(&workspace, cached, 600, false).await;
        assert_eq!((&hit["status"], &hit["fromCache"]), (&json!("FINISHED"), &json!(true)), "{hit}");
        let result = server.result(&workspace, &id_of(&hit)).await;
        assert_eq!(result["result"], json!([["served while disabled"]]));
        let rows = server.get("/v1/data/demo/materializedView/while_disabled?limit=1").await.ok();
        assert_eq!(rows, json!([{ "n_nationkey": 0 }]), "Interface B needs no engine");
        assert!(server.worker_pids().is_empty(), "{round} the restart");
        if round == "before" {
            server.terminate(Duration::from_secs(20));
            server = Server::builder().data_dir(&data_dir).start();
            assert_eq!(server.get(SERVICE).await.ok()["status"], "STOPPED", "disabled survives a restart");
        }
    }
    for _ in 0..2 {
        server.put(SERVICE, json!({ "state": true })).await.ok();
    }
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
    wait_for(&server, &["RUNNING"]).await;
    server.terminate(Duration::from_secs(20));
    let server = Server::builder().data_dir(&data_dir).start();
    wait_for(&server, &["RUNNING"]).await;
    assert_eq!(server.rows(&workspace, "SELECT 2").await, json!([[2]]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_engine_stops_and_the_next_statement_wakes_it() {
    let server = Server::builder().arguments(["--engine-max-idle-time", "1s"]).start();
    let workspace = server.demo().await;
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
    let service = wait_for(&server, &["STOPPED"]).await;
    assert_eq!(service["maxIdleTime"], 1);
    assert!(server.worker_pids().is_empty(), "its processes are gone, and their memory");
    // Reading the status does not wake it; neither does a cache hit.
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(server.get(SERVICE).await.ok()["status"], "STOPPED");
    assert_eq!(server.rows(&workspace, "SELECT 2").await, json!([[2]]));
    wait_for(&server, &["STOPPED"]).await;
    // Enabling wakes as well.
    let answer = server.put(SERVICE, json!({ "state": true })).await.ok();
    assert!(["STARTING", "RUNNING"].iter().any(|state| answer["status"] == *state), "{answer}");
    // A statement that runs longer than the idle time keeps it awake.
    let slow = id_of(&server.submit(&workspace, SLOW_SQL).await);
    server.wait_for_status(&workspace, &slow, "RUNNING").await;
    tokio::time::sleep(Duration::from_millis(2500)).await;
    assert_eq!(server.get(SERVICE).await.ok()["status"], "RUNNING");
    let query = server.get(&format!("/api/v1/query/{slow}?workspaceId={workspace}")).await.ok();
    assert_eq!(query["status"], "RUNNING", "{query}");
    server.cancel(&workspace, &slow).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_time_of_zero_disables_the_idle_stop() {
    let server = Server::builder().arguments(["--engine-max-idle-time", "0"]).start();
    let workspace = server.demo().await;
    server.rows(&workspace, "SELECT 1").await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let service = server.get(SERVICE).await.ok();
    assert_eq!((&service["status"], &service["maxIdleTime"]), (&json!("RUNNING"), &json!(0)));
}
