//! The documented flow: submit, poll to the end, page.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Server;

/// Maximum time of a test's statement on a loaded machine.
const QUERY_TIMEOUT: Duration = Duration::from_secs(300);

/// Compares 3.6 · 10^9 pairs of texts: on the small sample it runs until a test stops it.
pub const SLOW_SQL: &str = "SELECT count(*) FROM tpch.tiny.lineitem a JOIN tpch.tiny.lineitem b \
                            ON a.l_comment || b.l_comment = 'no comment is this one'";

impl Server {
    /// Id of the workspace `demo`.
    pub async fn demo(&self) -> String {
        let workspaces = self.get("/api/v1/workspaces").await.ok();
        let workspaces = workspaces.as_array().expect("an array of workspaces");
        let demo = workspaces.iter().find(|workspace| workspace["sqlName"] == "demo");
        demo.expect("the workspace demo")["id"].as_str().expect("an id").to_owned()
    }

    /// Submits a statement to a workspace; returns the record of the answer.
    pub async fn submit(&self, workspace_id: &str, sql: &str) -> Value {
        self.post("/api/v1/query", json!({ "workspaceId": workspace_id, "sql": sql })).await.ok()
    }

    /// Submits a statement with the cache's two fields; returns the record of the answer.
    pub async fn submit_cached(&self, workspace_id: &str, sql: &str, ttl: u64, refresh: bool) -> Value {
        let body =
            json!({ "workspaceId": workspace_id, "sql": sql, "cacheTTL": ttl, "cacheRefresh": refresh });
        self.post("/api/v1/query", body).await.ok()
    }

    /// Cancels a query; returns the record of the answer.
    pub async fn cancel(&self, workspace_id: &str, query_id: &str) -> Value {
        let body = json!({ "workspaceId": workspace_id });
        self.put(&format!("/api/v1/query/{query_id}/cancel"), body).await.ok()
    }

    /// Polls until a query is in a status.
    pub async fn wait_for_status(&self, workspace_id: &str, query_id: &str, status: &str) -> Value {
        let deadline = Instant::now() + QUERY_TIMEOUT;
        loop {
            let query = self.get(&format!("/api/v1/query/{query_id}?workspaceId={workspace_id}")).await.ok();
            if query["status"] == status {
                return query;
            }
            let is_final = query["status"] == "FINISHED" || query["status"] == "FAILED";
            assert!(!is_final && Instant::now() < deadline, "waiting for {status}: {query}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Polls a query to its end.
    pub async fn finish(&self, workspace_id: &str, query_id: &str) -> Value {
        let deadline = Instant::now() + QUERY_TIMEOUT;
        loop {
            let query = self.get(&format!("/api/v1/query/{query_id}?workspaceId={workspace_id}")).await.ok();
            if query["status"] == "FINISHED" || query["status"] == "FAILED" {
                return query;
            }
            assert!(Instant::now() < deadline, "still {} after {QUERY_TIMEOUT:?}: {query}", query["status"]);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Submits a statement and polls it to its end; returns the final record.
    pub async fn run(&self, workspace_id: &str, sql: &str) -> Value {
        let query = self.submit(workspace_id, sql).await;
        self.finish(workspace_id, query["id"].as_str().expect("an id")).await
    }

    /// Runs a statement that must succeed; returns all rows of the result.
    pub async fn rows(&self, workspace_id: &str, sql: &str) -> Value {
        let query = self.run(workspace_id, sql).await;
        assert_eq!(query["status"], "FINISHED", "{sql}: {query}");
        let id = query["id"].as_str().expect("an id");
        self.result(workspace_id, id).await["result"].clone()
    }

    /// The whole result of a finished query.
    pub async fn result(&self, workspace_id: &str, query_id: &str) -> Value {
        self.get(&format!("/api/v1/query/{query_id}/result?workspaceId={workspace_id}")).await.ok()
    }
}
