//! Each endpoint once: the request that is sent, and that the model's golden files deserialize as the answers.

use std::fmt::Debug;
use std::path::Path;

use rowhouse_client::model::*;
use rowhouse_client::{Client, Result};

use crate::scripted_server::{ScriptedServer, ok};

/// Sends one request and compares its line and its body; the answer is a golden file, or an array of one.
async fn check<T: Debug>(
    request: impl AsyncFnOnce(Client) -> Result<T>,
    answer: &str,
    expected_line: &str,
    expected_body: &str,
) {
    let body = match answer.strip_prefix("array of ") {
        Some(golden) => format!("[{}]", golden_file(golden)),
        None if answer == "nothing" => String::new(),
        None => golden_file(answer),
    };
    let server = ScriptedServer::start([ok(body)]);
    request(server.client()).await.expect("the answer reads");
    let seen = server.seen();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].line, expected_line);
    assert_eq!(seen[0].body, expected_body);
}

fn golden_file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/tests/golden");
    std::fs::read_to_string(folder.join(format!("{name}.json"))).expect("a golden file")
}

const WORKSPACE: &str = r#"{"workspaceId":"w1"}"#;

#[tokio::test]
async fn the_service() {
    let line = "/api/v1/service/SQL_ENGINE";
    check(async |c| c.service_status().await, "service_status", &format!("GET {line}"), "").await;
    check(async |c| c.enable_service().await, "service_status", &format!("PUT {line}"), r#"{"state":true}"#)
        .await;
    check(
        async |c| c.disable_service().await,
        "service_status",
        &format!("PUT {line}"),
        r#"{"state":false}"#,
    )
    .await;
    check(async |c| c.ready().await, "nothing", "GET /readyz", "").await;
}

#[tokio::test]
async fn saved_sql() {
    let id = SavedSqlId::new("s/1");
    check(
        async |c| c.workspace("w1").saved_sqls().await,
        "array of saved_sql",
        "GET /api/v1/sqls?workspaceId=w1",
        "",
    )
    .await;
    check(
        async |c| c.workspace("w1").saved_sql_statistics(&id).await,
        "saved_sql_statistics",
        "GET /api/v1/sql/s%2F1?workspaceId=w1",
        "",
    )
    .await;
    check(
        async |c| c.workspace("w1").create_saved_sql("One", "SELECT 1", None).await,
        "saved_sql_created",
        "POST /api/v1/sql",
        r#"{"workspaceId":"w1","sql":"SELECT 1","title":"One"}"#,
    )
    .await;
    check(
        async |c| {
            let changes = UpdateSavedSql {
                workspace_id: WorkspaceId::new("w1"),
                sql: None,
                description: None,
                title: Some("Two".to_owned()),
                sql_name: None,
                version: None,
            };
            c.workspace("w1").update_saved_sql(&id, &changes).await
        },
        "saved_sql",
        "PUT /api/v1/sql/s%2F1",
        r#"{"workspaceId":"w1","title":"Two"}"#,
    )
    .await;
    check(
        async |c| c.workspace("w1").execute_saved_sql(&id, None, StatementParameters::default()).await,
        "query_minimal",
        "POST /api/v1/sql/s%2F1",
        WORKSPACE,
    )
    .await;
    check(
        async |c| c.workspace("w1").delete_saved_sql(&id).await,
        "nothing",
        "DELETE /api/v1/sql/s%2F1?workspaceId=w1",
        "",
    )
    .await;
}

#[tokio::test]
async fn queries() {
    let id = QueryId::new("q1");
    check(
        async |c| c.workspace("w1").query(&id).await,
        "query_finished",
        "GET /api/v1/query/q1?workspaceId=w1",
        "",
    )
    .await;
    check(
        async |c| c.workspace("w1").cancel(&id).await,
        "query_failed",
        "PUT /api/v1/query/q1/cancel",
        WORKSPACE,
    )
    .await;
    check(
        async |c| c.workspace("w1").queries(10, 20).await,
        "query_list",
        "GET /api/v1/queries?workspaceId=w1&limit=10&offset=20",
        "",
    )
    .await;
}

#[tokio::test]
async fn accounts_and_tokens() {
    check(async |c| c.accounts().await, "array of account", "GET /api/v1/accounts", "").await;
    check(
        async |c| c.create_account(&CreateAccount { username: "bob".to_owned(), is_admin: None }).await,
        "account",
        "POST /api/v1/account",
        r#"{"username":"bob"}"#,
    )
    .await;
    check(async |c| c.tokens().await, "array of token", "GET /api/v1/tokens", "").await;
    check(
        async |c| {
            let token =
                CreateToken { name: "x".to_owned(), account_id: None, expires_in_days: Some(7), allow: None };
            c.create_token(&token).await
        },
        "created_token",
        "POST /api/v1/token",
        r#"{"name":"x","expiresInDays":7}"#,
    )
    .await;
    check(async |c| c.revoke_token(&TokenId::new("t1")).await, "nothing", "DELETE /api/v1/token/t1", "")
        .await;
}

#[tokio::test]
async fn workspaces_and_members() {
    check(async |c| c.workspaces().await, "array of workspace", "GET /api/v1/workspaces", "").await;
    check(
        async |c| {
            let workspace =
                CreateWorkspace { title: "Demo".to_owned(), sql_name: "demo".to_owned(), engine: None };
            c.create_workspace(&workspace).await
        },
        "workspace",
        "POST /api/v1/workspace",
        r#"{"title":"Demo","sqlName":"demo"}"#,
    )
    .await;
    check(
        async |c| {
            let member = SetMember { account_id: AccountId::new("a1"), role: None };
            c.workspace("w1").set_member(&member).await
        },
        "member",
        "PUT /api/v1/workspace/w1/member",
        r#"{"accountId":"a1","role":null}"#,
    )
    .await;
}

#[tokio::test]
async fn tables() {
    check(
        async |c| c.workspace("w1").tables().await,
        "array of table",
        "GET /api/v1/tables?workspaceId=w1",
        "",
    )
    .await;
    check(
        async |c| c.workspace("w1").create_table("t", "data/*.csv", Some(TableFormat::Csv)).await,
        "table",
        "POST /api/v1/table",
        r#"{"workspaceId":"w1","name":"t","location":"data/*.csv","format":"csv"}"#,
    )
    .await;
    check(
        async |c| c.workspace("w1").remove_table("t").await,
        "nothing",
        "DELETE /api/v1/table/t?workspaceId=w1",
        "",
    )
    .await;
}

#[tokio::test]
async fn materialized_views() {
    let id = ViewId::new("v1");
    let line = "/api/v1/materializedView/v1";
    check(
        async |c| c.workspace("w1").materialized_views().await,
        "array of materialized_view",
        "GET /api/v1/materializedViews?workspaceId=w1",
        "",
    )
    .await;
    check(
        async |c| c.workspace("w1").materialized_view(&id).await,
        "materialized_view",
        &format!("GET {line}?workspaceId=w1"),
        "",
    )
    .await;
    check(
        async |c| {
            let definition = CreateMaterializedView {
                workspace_id: WorkspaceId::new("w1"),
                sql_name: "v".to_owned(),
                sql: "SELECT 1 AS one".to_owned(),
                title: None,
                description: None,
                schedule: Some("@every 10m".to_owned()),
            };
            c.workspace("w1").create_materialized_view(&definition).await
        },
        "created_materialized_view",
        "POST /api/v1/materializedView",
        r#"{"workspaceId":"w1","sqlName":"v","sql":"SELECT 1 AS one","schedule":"@every 10m"}"#,
    )
    .await;
    check(
        async |c| {
            let changes =
                UpdateMaterializedView { schedule: Some(None), ..UpdateMaterializedView::default() };
            c.workspace("w1").update_materialized_view(&id, &changes).await
        },
        "created_materialized_view",
        &format!("PUT {line}?workspaceId=w1"),
        r#"{"schedule":null}"#,
    )
    .await;
    check(
        async |c| c.workspace("w1").view_generations(&id).await,
        "array of view_generation",
        &format!("GET {line}/generations?workspaceId=w1"),
        "",
    )
    .await;
    check(
        async |c| c.workspace("w1").refresh_materialized_view(&id).await,
        "query_minimal",
        &format!("POST {line}/refresh"),
        WORKSPACE,
    )
    .await;
    check(
        async |c| c.workspace("w1").drop_materialized_view(&id).await,
        "nothing",
        &format!("DELETE {line}?workspaceId=w1"),
        "",
    )
    .await;
}

#[tokio::test]
async fn an_empty_id_is_not_sent() {
    let server = ScriptedServer::start([]);
    let error = server.client().workspace("w1").query(&QueryId::new("")).await.expect_err("empty");
    assert_eq!(error.message(), "the query's id is empty");
    assert!(server.seen().is_empty());
}
