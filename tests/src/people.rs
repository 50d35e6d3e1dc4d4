//! Workspaces, accounts and tokens of a test.

use hyper::Method;
use serde_json::{Value, json};

use crate::{Response, Server};

impl Server {
    /// Creates a workspace; returns its id. Its title is its SQL name.
    pub async fn new_workspace(&self, sql_name: &str) -> String {
        let body = json!({ "title": sql_name, "sqlName": sql_name });
        id_of(&self.post("/api/v1/workspace", body).await.ok())
    }

    /// Creates a workspace on an engine; returns its id.
    pub async fn new_workspace_on(&self, sql_name: &str, engine: &str) -> String {
        let body = json!({ "title": sql_name, "sqlName": sql_name, "engine": engine });
        id_of(&self.post("/api/v1/workspace", body).await.ok())
    }

    /// Creates an account that belongs to no workspace; returns its id and a token.
    pub async fn new_account(&self, username: &str) -> (String, String) {
        let account = id_of(&self.post("/api/v1/account", json!({ "username": username })).await.ok());
        let body = json!({ "name": "test", "accountId": account });
        let token = self.post("/api/v1/token", body).await.ok();
        let secret = token["token"].as_str().expect("a secret").to_owned();
        (account, secret)
    }

    /// Creates an account with a role in a workspace; returns its token.
    pub async fn new_member(&self, workspace_id: &str, username: &str, role: &str) -> String {
        let (account, token) = self.new_account(username).await;
        let body = json!({ "accountId": account, "role": role });
        self.put(&format!("/api/v1/workspace/{workspace_id}/member"), body).await.ok();
        token
    }

    /// POST of a JSON body with another token.
    pub async fn post_as(&self, token: &str, path: &str, body: Value) -> Response {
        self.request(Method::POST, path, Some(token), Some(body.to_string())).await
    }
}

/// The `id` of an answer.
///
/// # Panics
/// If it has none.
#[track_caller]
pub fn id_of(answer: &Value) -> String {
    answer["id"].as_str().unwrap_or_else(|| panic!("no id in {answer}")).to_owned()
}
