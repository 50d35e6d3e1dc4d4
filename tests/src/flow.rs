//! The documented flow: submit, poll until the end, page.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Server;

/// How long a statement of a test may take on a loaded machine.
const QUERY_TIMEOUT: Duration = Duration::from_secs(300);

impl Server {
    /// Id of the workspace `demo`.
    pub async fn demo(&self) -> String {
        let workspaces = self.get("/api/v1/workspaces").await.ok();
        let workspaces = workspaces.as_array().expect("an array of workspaces");
        let demo = workspaces.iter().find(|workspace| workspace["sqlName"] == "demo");
        demo.expect("the workspace demo")["id"].as_str().expect("an id").to_owned()
    }

    /// Submits a statement to a workspace; the record as first answered.
    pub async fn submit(&self, workspace_id: &str, sql: &str) -> Value {
        self.post("/api/v1/query", json!({ "workspaceId": workspace_id, "sql": sql })).await.ok()
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

    /// Submits a statement and polls it to its end; the final record.
    pub async fn run(&self, workspace_id: &str, sql: &str) -> Value {
        let query = self.submit(workspace_id, sql).await;
        self.finish(workspace_id, query["id"].as_str().expect("an id")).await
    }

    /// Runs a statement that must succeed; the whole result's rows.
    pub async fn rows(&self, workspace_id: &str, sql: &str) -> Value {
        let query = self.run(workspace_id, sql).await;
        assert_eq!(query["status"], "FINISHED", "{sql}: {query}");
        let id = query["id"].as_str().expect("an id");
        let result = self.get(&format!("/api/v1/query/{id}/result?workspaceId={workspace_id}")).await.ok();
        result["result"].clone()
    }
}
