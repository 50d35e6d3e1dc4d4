//! Who may do what (D6): the matrix of roles and endpoints, own, foreign and missing workspaces, unknown routes
//! and wrong methods. Tokens themselves are in `tokens.rs`.

use hyper::Method;
use rowhouse_tests::{Response, Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

/// The least role that an endpoint requires.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
enum Least {
    /// Any valid token.
    Token,
    Consumer,
    Analyst,
    Owner,
    Admin,
}

/// One endpoint of the matrix: `W` stands for the workspace's id. Other ids do not exist, so that an allowed request
/// has no effect and is recognized by its status.
struct Endpoint {
    method: Method,
    path: &'static str,
    body: Option<Value>,
    least: Least,
    /// The status that an allowed caller gets.
    allowed: u16,
}

fn endpoints() -> Vec<Endpoint> {
    let row = |method, path, body, least, allowed| Endpoint { method, path, body, least, allowed };
    let w = || Some(json!({ "workspaceId": "W" }));
    vec![
        row(Method::GET, "/api/v1/queries?workspaceId=W&limit=1", None, Least::Analyst, 200),
        row(Method::GET, "/api/v1/query/nope?workspaceId=W", None, Least::Analyst, 404),
        row(Method::GET, "/api/v1/query/nope/result?workspaceId=W", None, Least::Analyst, 404),
        row(Method::PUT, "/api/v1/query/nope/cancel", w(), Least::Analyst, 404),
        row(Method::DELETE, "/api/v1/query/nope/result?workspaceId=W", None, Least::Analyst, 404),
        row(Method::PUT, "/api/v1/account/nope", Some(json!({})), Least::Admin, 404),
        row(
            Method::POST,
            "/api/v1/query",
            Some(json!({ "workspaceId": "W", "sql": "SELECT nope" })),
            Least::Analyst,
            200,
        ),
        row(Method::GET, "/api/v1/sqls?workspaceId=W", None, Least::Analyst, 200),
        row(Method::GET, "/api/v1/sql/nope?workspaceId=W", None, Least::Analyst, 404),
        row(Method::GET, "/api/v1/sql/nope/calls?workspaceId=W", None, Least::Analyst, 404),
        row(Method::GET, "/api/v1/sql/nope/versions?workspaceId=W", None, Least::Analyst, 404),
        row(
            Method::POST,
            "/api/v1/sql",
            Some(json!({ "workspaceId": "W", "sql": "SELECT 1", "title": "t" })),
            Least::Analyst,
            200,
        ),
        row(Method::POST, "/api/v1/sql/nope", w(), Least::Analyst, 404),
        row(
            Method::PUT,
            "/api/v1/sql/nope",
            Some(json!({ "workspaceId": "W", "title": "t" })),
            Least::Analyst,
            404,
        ),
        row(Method::DELETE, "/api/v1/sql/nope?workspaceId=W", None, Least::Analyst, 404),
        row(Method::GET, "/api/v1/tables?workspaceId=W", None, Least::Analyst, 200),
        row(Method::DELETE, "/api/v1/table/nope?workspaceId=W", None, Least::Admin, 404),
        row(
            Method::POST,
            "/api/v1/table",
            Some(json!({ "workspaceId": "W", "name": "nope", "location": "/nowhere/a.csv" })),
            Least::Admin,
            400,
        ),
        row(Method::GET, "/api/v1/catalog?workspaceId=W", None, Least::Analyst, 200),
        row(Method::GET, "/api/v1/cache?workspaceId=W", None, Least::Analyst, 200),
        row(Method::DELETE, "/api/v1/cache?workspaceId=W&table=nope", None, Least::Analyst, 200),
        row(Method::DELETE, "/api/v1/cache?workspaceId=W&queryId=nope", None, Least::Analyst, 404),
        row(Method::DELETE, "/api/v1/cache?workspaceId=W&all=true", None, Least::Owner, 200),
        row(Method::GET, "/api/v1/materializedViews?workspaceId=W", None, Least::Consumer, 200),
        row(Method::GET, "/api/v1/materializedView/nope?workspaceId=W", None, Least::Analyst, 404),
        row(
            Method::POST,
            "/api/v1/materializedView",
            Some(json!({ "workspaceId": "W", "sqlName": "nope", "sql": "SELECT nope" })),
            Least::Analyst,
            400,
        ),
        row(
            Method::PUT,
            "/api/v1/materializedView/nope?workspaceId=W",
            Some(json!({ "workspaceId": "W", "title": "t" })),
            Least::Analyst,
            404,
        ),
        row(Method::DELETE, "/api/v1/materializedView/nope?workspaceId=W", None, Least::Analyst, 404),
        row(Method::POST, "/api/v1/materializedView/nope/refresh", w(), Least::Analyst, 404),
        row(Method::GET, "/v1/data/NAME/materializedView/nope", None, Least::Consumer, 404),
        row(
            Method::PUT,
            "/api/v1/workspace/W/member",
            Some(json!({ "accountId": "nope", "role": "ANALYST" })),
            Least::Owner,
            404,
        ),
        row(Method::GET, "/api/v1/workspace/W/members", None, Least::Owner, 200),
        row(Method::GET, "/api/v1/workspace/W/usage", None, Least::Analyst, 200),
        row(Method::PUT, "/api/v1/workspace/W/limits", Some(json!({})), Least::Admin, 200),
        row(Method::GET, "/api/v1/workspaces", None, Least::Token, 200),
        row(
            Method::POST,
            "/api/v1/workspace",
            Some(json!({ "title": "t", "sqlName": "taken" })),
            Least::Admin,
            409,
        ),
        row(Method::GET, "/api/v1/accounts", None, Least::Owner, 200),
        row(Method::POST, "/api/v1/account", Some(json!({ "username": "admin" })), Least::Admin, 409),
        row(Method::GET, "/api/v1/tokens", None, Least::Token, 200),
        row(Method::DELETE, "/api/v1/token/nope", None, Least::Token, 404),
        row(Method::POST, "/api/v1/token", Some(json!({ "name": "own" })), Least::Token, 200),
        row(Method::GET, "/api/v1/service/SQL_ENGINE", None, Least::Token, 200),
        row(Method::PUT, "/api/v1/service/SQL_ENGINE", Some(json!({ "state": true })), Least::Owner, 200),
    ]
}

/// Sends an endpoint's request for a workspace.
async fn send(server: &Server, endpoint: &Endpoint, token: Option<&str>, id: &str, name: &str) -> Response {
    let path = endpoint.path.replace("/W/", &format!("/{id}/"));
    let path = path.replace("workspaceId=W", &format!("workspaceId={id}")).replace("NAME", name);
    let body = endpoint.body.clone().map(|mut body| {
        if body["workspaceId"].is_string() {
            body["workspaceId"] = json!(id);
        }
        body.to_string()
    });
    server.request(endpoint.method.clone(), &path, token, body).await
}

fn is_scoped(endpoint: &Endpoint) -> bool {
    let in_body = endpoint.body.as_ref().is_some_and(|body| body["workspaceId"].is_string());
    in_body || endpoint.path.contains("=W") || endpoint.path.contains("/W/") || endpoint.path.contains("NAME")
}

#[tokio::test]
async fn each_role_has_exactly_its_permissions() {
    let server = SERVER.get();
    let own = server.new_workspace("own").await;
    let foreign = server.new_workspace("foreign").await;
    server.new_workspace("taken").await;
    let mut people = vec![(Least::Admin, server.admin_token().to_owned())];
    for (least, role) in [(Least::Owner, "OWNER"), (Least::Analyst, "ANALYST"), (Least::Consumer, "CONSUMER")]
    {
        people.push((least, server.new_member(&own, &format!("one_{}", role.to_lowercase()), role).await));
    }
    // An account without any workspace.
    people.push((Least::Token, server.new_account("outsider").await.1));
    let mut faults = Vec::new();
    for (role, token) in &people {
        for endpoint in endpoints() {
            let is_member = *role >= Least::Consumer;
            let scoped = is_scoped(&endpoint);
            let mut check = |case: &str, answer: &Response, status: u16, code: Option<&str>| {
                let found = (answer.status != 200)
                    .then(|| answer.json()["code"].as_str().map(str::to_owned))
                    .flatten();
                if answer.status != status || (code.is_some() && found.as_deref() != code) {
                    let Endpoint { method, path, .. } = &endpoint;
                    faults.push(format!(
                        "{role:?} {method} {path}, {case}: {} {found:?}, not {status} {code:?}",
                        answer.status
                    ));
                }
            };
            let answer = send(&server, &endpoint, Some(token), &own, "own").await;
            if *role >= endpoint.least && (is_member || !scoped) {
                let code = (endpoint.allowed == 404).then_some("NOT_FOUND");
                check("own workspace", &answer, endpoint.allowed, code);
            } else {
                check("own workspace", &answer, 401, Some("PERMISSION_DENIED"));
            }
            if !scoped {
                continue;
            }
            let answer = send(&server, &endpoint, Some(token), &foreign, "foreign").await;
            if *role == Least::Admin {
                check("foreign workspace", &answer, endpoint.allowed, None);
            } else {
                check("foreign workspace", &answer, 401, Some("PERMISSION_DENIED"));
            }
            let answer = send(&server, &endpoint, Some(token), "no-such-id", "no_such_name").await;
            // Of endpoints for admins only, others need not learn which workspaces exist.
            if endpoint.least < Least::Admin || *role == Least::Admin {
                check("missing workspace", &answer, 404, Some("NOT_FOUND"));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[tokio::test]
async fn only_public_routes_answer_without_a_token() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    for endpoint in endpoints() {
        for token in [None, Some("wrong")] {
            // The token is checked before anything is looked up.
            for id in [workspace.as_str(), "no-such-id"] {
                let answer = send(&server, &endpoint, token, id, "demo").await;
                answer.error(401, "UNAUTHORIZED", []);
                assert_eq!(
                    answer.header("www-authenticate"),
                    Some("Token"),
                    "{} {}",
                    endpoint.method,
                    endpoint.path
                );
            }
        }
    }
    for path in ["/healthz", "/readyz", "/metrics", "/api/v1/openapi.json", "/web/healthz"] {
        assert_eq!(server.request(Method::GET, path, None, None).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn workspaces_are_listed_if_the_caller_may_enter_them() {
    let server = SERVER.get();
    let mine = server.new_workspace("mine_to_list").await;
    server.new_workspace("not_mine_to_list").await;
    let token = server.new_member(&mine, "lister", "CONSUMER").await;
    let list = server.get_as(&token, "/api/v1/workspaces").await.ok();
    assert_eq!(list.as_array().map(Vec::len), Some(1), "{list}");
    let (id, name, role) = (&list[0]["id"], &list[0]["sqlName"], &list[0]["role"]);
    assert_eq!((id, name, role), (&json!(mine), &json!("mine_to_list"), &json!("CONSUMER")));
    assert!(list[0]["title"].is_string() && list[0]["engine"].is_string(), "{list}");
    let all = server.get("/api/v1/workspaces").await.ok();
    let all = all.as_array().expect("an array");
    assert!(all.len() >= 3 && all.iter().all(|workspace| workspace["role"] == "OWNER"), "{all:?}");
}

#[tokio::test]
async fn membership_changes_take_effect_at_once() {
    let server = SERVER.get();
    let workspace = server.new_workspace("changing").await;
    let (account, token) = server.new_account("changing_member").await;
    let (views, sqls) = (
        format!("/api/v1/materializedViews?workspaceId={workspace}"),
        format!("/api/v1/sqls?workspaceId={workspace}"),
    );
    let member = format!("/api/v1/workspace/{workspace}/member");
    for (role, may_read_views, may_list_sql) in [
        (json!("CONSUMER"), true, false),
        (json!("ANALYST"), true, true),
        (json!("CONSUMER"), true, false),
        (Value::Null, false, false),
        (json!("OWNER"), true, true),
    ] {
        server.put(&member, json!({ "accountId": account, "role": role })).await.ok();
        for (path, may) in [(&views, may_read_views), (&sqls, may_list_sql)] {
            let answer = server.get_as(&token, path).await;
            if may {
                answer.ok();
            } else {
                answer.error(401, "PERMISSION_DENIED", []);
            }
        }
    }
    let body = json!({ "accountId": account, "role": "KING" });
    server.put(&member, body).await.error(400, "INVALID_ARGUMENTS", ["role"]);
}

#[tokio::test]
async fn ids_of_another_workspace_are_not_found() {
    let server = SERVER.get();
    let (one, other) = (server.new_workspace("ids_one").await, server.new_workspace("ids_other").await);
    let query = id_of(&server.run(&one, "SELECT 1").await);
    let body = json!({ "workspaceId": one, "sql": "SELECT 1", "title": "t" });
    let saved = id_of(&server.post("/api/v1/sql", body).await.ok());
    let body = json!({ "workspaceId": one, "sql": "SELECT 1 AS a", "sqlName": "v" });
    let view = id_of(&server.post("/api/v1/materializedView", body).await.ok());
    for path in [
        format!("/api/v1/query/{query}"),
        format!("/api/v1/query/{query}/result"),
        format!("/api/v1/sql/{saved}"),
        format!("/api/v1/materializedView/{view}"),
    ] {
        assert_eq!(server.get(&format!("{path}?workspaceId={one}")).await.status, 200, "{path}");
        server.get(&format!("{path}?workspaceId={other}")).await.error(404, "NOT_FOUND", []);
    }
    let body = json!({ "workspaceId": other });
    for (method, path) in [
        (Method::PUT, format!("/api/v1/query/{query}/cancel")),
        (Method::POST, format!("/api/v1/sql/{saved}")),
        (Method::POST, format!("/api/v1/materializedView/{view}/refresh")),
        (Method::DELETE, format!("/api/v1/sql/{saved}?workspaceId={other}")),
        (Method::DELETE, format!("/api/v1/materializedView/{view}?workspaceId={other}")),
    ] {
        let body = (method != Method::DELETE).then(|| body.to_string());
        let answer = server.request(method, &path, Some(server.admin_token()), body).await;
        answer.error(404, "NOT_FOUND", []);
    }
    server.get("/v1/data/ids_other/materializedView/v").await.error(404, "NOT_FOUND", []);
}

#[tokio::test]
async fn an_unknown_route_is_404_and_a_wrong_method_405() {
    let server = SERVER.get();
    for path in [
        "/nope",
        "/api",
        "/api/v1/",
        "/api/v2/queries",
        "/api/v1/nope",
        "/api/v1/query",
        "/api/v1/query/",
        "/api/v1/query/a/result/b",
        "/v1/data",
        "/v1/data/demo/nope/x",
        "/v1/data/demo/materializedView/",
        "/api/v1/QUERIES",
        "/api/v1/queries/",
        "//api/v1/queries",
    ] {
        if path == "/api/v1/query" {
            continue; // POST is there: 405 below.
        }
        for token in [None, Some("wrong"), Some(server.admin_token())] {
            server.request(Method::GET, path, token, None).await.error(404, "NOT_FOUND", []);
        }
    }
    for (path, allowed) in [
        ("/api/v1/query", &["POST"][..]),
        ("/api/v1/queries", &["GET", "HEAD"]),
        ("/api/v1/query/a", &["GET", "HEAD"]),
        ("/api/v1/query/a/result", &["GET", "HEAD", "DELETE"]),
        ("/api/v1/query/a/cancel", &["PUT"]),
        ("/api/v1/sql", &["POST"]),
        ("/api/v1/sqls", &["GET", "HEAD"]),
        ("/api/v1/sql/a", &["GET", "HEAD", "POST", "PUT", "DELETE"]),
        ("/api/v1/sql/a/calls", &["GET", "HEAD"]),
        ("/api/v1/sql/a/versions", &["GET", "HEAD"]),
        ("/api/v1/service/SQL_ENGINE", &["GET", "HEAD", "PUT"]),
        ("/api/v1/workspaces", &["GET", "HEAD"]),
        ("/api/v1/workspace", &["POST"]),
        ("/api/v1/workspace/a/member", &["PUT"]),
        ("/api/v1/accounts", &["GET", "HEAD"]),
        ("/api/v1/account", &["POST"]),
        ("/api/v1/tokens", &["GET", "HEAD"]),
        ("/api/v1/token", &["POST"]),
        ("/api/v1/token/a", &["DELETE"]),
        ("/api/v1/tables", &["GET", "HEAD"]),
        ("/api/v1/cache", &["GET", "HEAD", "DELETE"]),
        ("/api/v1/table", &["POST"]),
        ("/api/v1/table/a", &["DELETE"]),
        ("/api/v1/materializedViews", &["GET", "HEAD"]),
        ("/api/v1/materializedView", &["POST"]),
        ("/api/v1/materializedView/a", &["GET", "HEAD", "PUT", "DELETE"]),
        ("/api/v1/materializedView/a/refresh", &["POST"]),
        ("/api/v1/openapi.json", &["GET", "HEAD"]),
        ("/v1/data/demo/materializedView/a", &["GET", "HEAD"]),
        ("/healthz", &["GET", "HEAD"]),
        ("/readyz", &["GET", "HEAD"]),
        ("/metrics", &["GET", "HEAD"]),
    ] {
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            if allowed.contains(&method.as_str()) {
                continue;
            }
            for base in ["", "/web"] {
                let address = format!("{base}{path}");
                let answer = server.request(method.clone(), &address, Some(server.admin_token()), None).await;
                assert_eq!(answer.status, 405, "{method} {address}");
                answer.error(405, "METHOD_NOT_ALLOWED", []);
                let allow = answer.header("allow").expect("Allow lists the methods");
                let mut listed: Vec<&str> = allow.split(',').map(str::trim).collect();
                listed.sort_unstable();
                listed.retain(|method| !["HEAD", "OPTIONS"].contains(method));
                let mut expected: Vec<&str> =
                    allowed.iter().copied().filter(|method| *method != "HEAD").collect();
                expected.sort_unstable();
                assert_eq!(listed, expected, "{method} {address}");
            }
        }
    }
}
