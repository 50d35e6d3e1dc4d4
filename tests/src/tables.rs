//! Tables and views of a test, and their files.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::{Server, id_of, path_in_tests};

/// A file of `tests/data/files`.
///
/// # Panics
/// If it is not there.
pub fn data_file(name: &str) -> PathBuf {
    let path = path_in_tests("data/files").join(name);
    assert!(path.exists(), "{} is not there", path.display());
    path
}

impl Server {
    /// Creates a table of a location; returns the table of the answer.
    pub async fn new_table(&self, workspace_id: &str, name: &str, location: &Path) -> Value {
        let body = json!({ "workspaceId": workspace_id, "name": name, "location": location });
        self.post("/api/v1/table", body).await.ok()
    }

    /// Creates a view and waits until it is filled; returns its id.
    pub async fn new_view(&self, workspace_id: &str, sql_name: &str, sql: &str) -> String {
        let body = json!({ "workspaceId": workspace_id, "sqlName": sql_name, "sql": sql });
        let view = self.post("/api/v1/materializedView", body).await.ok();
        let refresh = view["refreshQueryId"].as_str().unwrap_or_else(|| panic!("no refresh in {view}"));
        let query = self.finish(workspace_id, refresh).await;
        assert_eq!(query["status"], "FINISHED", "{sql}: {query}");
        id_of(&view)
    }

    /// Refreshes a view and waits for the end; returns the refresh's record.
    pub async fn refresh_view(&self, workspace_id: &str, view_id: &str) -> Value {
        let body = json!({ "workspaceId": workspace_id });
        let query = self.post(&format!("/api/v1/materializedView/{view_id}/refresh"), body).await.ok();
        self.finish(workspace_id, &id_of(&query)).await
    }

    /// A view's definition and state.
    pub async fn view(&self, workspace_id: &str, view_id: &str) -> Value {
        self.get(&format!("/api/v1/materializedView/{view_id}?workspaceId={workspace_id}")).await.ok()
    }
}
