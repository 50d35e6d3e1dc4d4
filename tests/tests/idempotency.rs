//! `Idempotency-Key`: a repeated submit creates one query.

use hyper::Method;
use rowhouse_tests::{Response, Server, id_of};
use serde_json::{Value, json};

async fn submit_to(server: &Server, token: &str, path: &str, key: &str, body: &Value) -> Response {
    let token = format!("Token {token}");
    let headers = [("authorization", token.as_str()), ("idempotency-key", key)];
    server.request_with(Method::POST, path, headers, Some(body.to_string())).await
}

async fn submit(server: &Server, key: &str, body: &Value) -> Response {
    submit_to(server, server.admin_token(), "/api/v1/query", key, body).await
}

#[tokio::test]
async fn a_repeated_submit_runs_once_even_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::builder().data_dir(folder.path()).start();
    let workspace = server.new_workspace("once").await;
    let body = json!({ "workspaceId": workspace, "sql": "SELECT random() AS r", "wait": 10, "rows": 1 });
    let first = submit(&server, "a", &body).await;
    assert!(!first.headers.contains_key("idempotent-replayed"));
    let first = first.ok();
    let again = submit(&server, "a", &body).await;
    assert_eq!(again.headers["idempotent-replayed"], "true");
    assert_eq!(again.ok(), first, "the same rows of the same query");
    // Without a key, or with another one, it is another query.
    let other = submit(&server, "b", &body).await.ok();
    let unnamed = server.post("/api/v1/query", body.clone()).await.ok();
    assert!(other["id"] != first["id"] && unnamed["id"] != first["id"] && unnamed["id"] != other["id"]);
    // A failed query is replayed, too.
    let wrong = json!({ "workspaceId": workspace, "sql": "SELECT nothing" });
    let failed = submit(&server, "c", &wrong).await.ok();
    assert_eq!(failed["status"], "FAILED");
    assert_eq!(submit(&server, "c", &wrong).await.ok()["id"], failed["id"]);

    let admin = server.admin_token().to_owned();
    server.kill();
    drop(server);
    let server = Server::builder().data_dir(folder.path()).start();
    assert_eq!(server.admin_token(), admin);
    let after = submit(&server, "a", &body).await.ok();
    assert_eq!((&after["id"], &after["result"]), (&first["id"], &first["result"]));
}

#[tokio::test]
async fn a_key_belongs_to_one_request_of_one_account() {
    let server = Server::start();
    let workspace = server.new_workspace("named").await;
    let body = json!({ "workspaceId": workspace, "sql": "SELECT 1" });
    let id = id_of(&submit(&server, "key", &body).await.ok());
    let other = json!({ "workspaceId": workspace, "sql": "SELECT 2" });
    let expected = ["Idempotency-Key", "'key'", "another request"];
    submit(&server, "key", &other).await.error(409, "ALREADY_EXISTS", expected);
    submit(&server, "two words", &body).await.error(400, "INVALID_ARGUMENTS", ["Idempotency-Key", "255"]);
    submit(&server, &"x".repeat(256), &body).await.error(
        400,
        "INVALID_ARGUMENTS",
        ["Idempotency-Key", "255"],
    );
    // The same key of another account is another key.
    let member = server.new_member(&workspace, "named-member", "ANALYST").await;
    let of_member = submit_to(&server, &member, "/api/v1/query", "key", &body).await.ok();
    assert_ne!(id_of(&of_member), id);
    // The same key with the body of another saved SQL is another request.
    let save = async |sql: &str| {
        let body = json!({ "workspaceId": workspace, "title": sql, "sql": sql });
        id_of(&server.post("/api/v1/sql", body).await.ok())
    };
    let (one, two) = (save("SELECT 1").await, save("SELECT 2").await);
    let body = json!({ "workspaceId": workspace });
    let run =
        async |id: &str| submit_to(&server, &member, &format!("/api/v1/sql/{id}"), "saved", &body).await;
    let ran = id_of(&run(&one).await.ok());
    assert_eq!(id_of(&run(&one).await.ok()), ran);
    run(&two).await.error(409, "ALREADY_EXISTS", ["another request"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_concurrent_submits_runs() {
    let server = Server::start();
    let workspace = server.new_workspace("many").await;
    let body = json!({ "workspaceId": workspace, "sql": "SELECT count(*) FROM tpch.tiny.orders" });
    let server = std::sync::Arc::new(server);
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..32 {
        let (server, body) = (std::sync::Arc::clone(&server), body.clone());
        all.spawn(async move { id_of(&submit(&server, "one", &body).await.ok()) });
    }
    let ids: std::collections::HashSet<String> = all.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 1, "{ids:?}");
    let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=100")).await.ok();
    assert_eq!(list["totalCount"], 1, "{list}");
}
