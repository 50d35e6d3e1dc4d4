//! SIGKILL of the server at any moment under load: nothing acknowledged is lost, nothing stays non-final,
//! and results read the same afterwards.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rowhouse_tests::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Kills of one test run; each with a different delay after the load began.
const ROUNDS: u64 = 6;
/// Clients that submit, save and read at the same time.
const CLIENTS: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_kill_after_kill() {
    let folder = TempDir::new().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let acknowledged = Arc::new(Acknowledged::default());
    for round in 0..ROUNDS {
        let mut server = Server::builder().data_dir(&data_dir).start();
        let workspace = server.demo().await;
        acknowledged.check(&server, &workspace).await;
        let load: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (url, token) = (server.url(), server.admin_token().to_owned());
                let (workspace, acknowledged) = (workspace.clone(), Arc::clone(&acknowledged));
                tokio::spawn(async move {
                    submit_until_killed(&url, &token, &workspace, client, &acknowledged).await
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(150 + 170 * round)).await;
        server.kill();
        for task in load {
            task.await.expect("a client ends with the server");
        }
    }
    let server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.demo().await;
    acknowledged.check(&server, &workspace).await;
    assert!(acknowledged.queries.lock().expect("no panic").len() > 10, "the load did work");
}

/// What the server answered with 200.
#[derive(Default)]
struct Acknowledged {
    /// Query id and what its statement must give.
    queries: Mutex<HashMap<String, i64>>,
    /// Ids of saved SQL.
    saved: Mutex<Vec<String>>,
    /// Query id and the whole body of its result, as read before a kill.
    results: Mutex<HashMap<String, Value>>,
}

impl Acknowledged {
    async fn check(&self, server: &Server, workspace: &str) {
        let queries = self.queries.lock().expect("no panic").clone();
        for (id, expected) in queries {
            let query = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
            let status = query["status"].as_str().expect("a status");
            assert!(
                ["FINISHED", "FAILED"].contains(&status),
                "after a restart nothing is under way: {query}"
            );
            if status == "FAILED" {
                let error_name = query["error"]["errorName"].as_str().expect("an error name");
                assert_eq!(error_name, "SERVER_SHUTTING_DOWN", "{query}");
                continue;
            }
            let result = server.get(&format!("/api/v1/query/{id}/result?workspaceId={workspace}")).await.ok();
            assert_eq!(result["result"], json!([[expected]]), "{query}");
        }
        let results = self.results.lock().expect("no panic").clone();
        for (id, before) in results {
            let after = server.get(&format!("/api/v1/query/{id}/result?workspaceId={workspace}")).await.ok();
            assert_eq!(after, before, "the result of {id}");
        }
        let listed = server.get(&format!("/api/v1/sqls?workspaceId={workspace}")).await.ok();
        let listed: Vec<&str> =
            listed.as_array().expect("a list").iter().filter_map(|sql| sql["id"].as_str()).collect();
        let saved = self.saved.lock().expect("no panic").clone();
        let lost: Vec<&String> = saved.iter().filter(|id| !listed.contains(&id.as_str())).collect();
        assert!(lost.is_empty(), "saved SQL that was acknowledged and is gone: {lost:?}");
    }
}

/// Submits statements, saves SQL and reads results until the server does not answer any more.
async fn submit_until_killed(
    url: &str,
    token: &str,
    workspace: &str,
    client: usize,
    acknowledged: &Acknowledged,
) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let connection = rowhouse_tests::Connection::new(url, token);
    for number in 0_i64.. {
        assert!(Instant::now() < deadline, "the kill never came");
        let value = i64::try_from(client).expect("a small number") * 1_000_000 + number;
        let body = json!({ "workspaceId": workspace, "sql": format!("SELECT {value} AS value") });
        let Some(query) = connection.try_post("/api/v1/query", body).await else { return };
        let id = query["id"].as_str().expect("an id").to_owned();
        acknowledged.queries.lock().expect("no panic").insert(id.clone(), value);
        let body = json!({ "workspaceId": workspace, "title": format!("{value}"), "sql": "SELECT 1" });
        let Some(saved) = connection.try_post("/api/v1/sql", body).await else { return };
        let saved = saved["id"].as_str().expect("an id").to_owned();
        acknowledged.saved.lock().expect("no panic").push(saved);
        let path = format!("/api/v1/query/{id}?workspaceId={workspace}&wait=5");
        let Some(query) = connection.try_get(&path).await else { return };
        if query["status"] != "FINISHED" {
            continue;
        }
        let path = format!("/api/v1/query/{id}/result?workspaceId={workspace}");
        let Some(result) = connection.try_get(&path).await else { return };
        acknowledged.results.lock().expect("no panic").insert(id, result);
    }
}
