//! Required filters (D24): when they are met, the exact message when they are not, what is refused when the view
//! is defined, and the order of a read's checks.

use std::sync::Arc;

use rowhouse_tests::{Server, SharedServer};
use serde_json::json;

static SERVER: SharedServer = SharedServer::new(&[]);

const SELECT: &str = "SELECT n_nationkey, n_name, n_regionkey AS \"Region\" FROM tpch.tiny.nation";

async fn workspace(name: &str) -> (Arc<Server>, String) {
    let server = SERVER.get();
    let workspace = server.new_workspace(name).await;
    (server, workspace)
}

#[tokio::test]
async fn unmet_required_filters_are_refused_with_the_exact_message() {
    let (server, workspace) = workspace("required").await;
    let sql = format!(
        "-- Service API: required(\"n_regionkey:eq\", \"n_name\")\nSELECT * FROM ({}) t",
        "SELECT * FROM tpch.tiny.nation"
    );
    server.new_view(&workspace, "nations", &sql).await;
    let path = "/v1/data/required/materializedView/nations";
    let entries = "n_regionkey:EQ,n_name";
    for (query, remainder) in [
        ("", "none"),
        ("?limit=1", "none"),
        ("?filters=n_regionkey:EQ:1", "n_regionkey:EQ"),
        ("?filters=n_name:EQ:CHINA", "n_name:EQ"),
        ("?filters=n_name:eq:CHINA&filters=n_regionkey:gt:1", "n_name:EQ,n_regionkey:GT"),
        (
            "?filters=n_regionkey:GTE:1&filters=n_regionkey:LTE:1&filters=n_name:is_not:null",
            "n_regionkey:GTE,n_regionkey:LTE,n_name:IS_NOT",
        ),
        ("?filters=n_nationkey:IN:1,2", "n_nationkey:IN"),
        // The message has columns as the request spells them.
        ("?filters=N_NAME:LIKE:C%25", "N_NAME:LIKE"),
    ] {
        let answer = server.get(&format!("{path}{query}")).await;
        assert_eq!(answer.status, 400, "{query}");
        let body = answer.json();
        let message = format!("Required filters and request filters not matched: {entries} and {remainder}.");
        assert_eq!(
            (&body["code"], &body["message"]),
            (&json!("GENERIC_USER_ERROR"), &json!(message)),
            "{query}"
        );
    }
    for query in [
        "filters=n_regionkey:EQ:2&filters=n_name:EQ:CHINA",
        "filters=n_name:LIKE:CH%25&filters=n_regionkey:eq:2",
        "filters=N_REGIONKEY:EQ:2&filters=N_Name:EQ:CHINA",
        "filters=n_regionkey:GT:0&filters=n_regionkey:EQ:2&filters=n_name:EQ:CHINA",
    ] {
        let rows = server.get(&format!("{path}?{query}&columnNames=n_name")).await.ok();
        assert_eq!(rows, json!([{ "n_name": "CHINA" }]), "{query}");
    }
    let view =
        server.get(&format!("/api/v1/materializedViews?workspaceId={workspace}")).await.ok()[0].clone();
    assert!(view["requiredFilters"].as_array().is_some_and(|entries| entries.len() == 2), "{view}");
}

#[tokio::test]
async fn only_the_first_line_comment_counts() {
    let (server, workspace) = workspace("first_comment").await;
    let required = "-- Service API: required(\"n_nationkey:eq\")";
    // SQL and the expected required filters.
    let cases = [
        (format!("{required}\n{SELECT}"), Some("n_nationkey:EQ")),
        (format!("{SELECT}\n{required}"), Some("n_nationkey:EQ")),
        (format!("{SELECT} {required}"), Some("n_nationkey:EQ")),
        (format!("-- about nations\n{required}\n{SELECT}"), Some("n_nationkey:EQ")),
        (format!("{required}\n-- Service API: required(\"n_name\")\n{SELECT}"), Some("n_nationkey:EQ")),
        // After a valid comment near misses are ignored.
        (format!("{required}\n--Service API: required(nope)\n{SELECT}"), Some("n_nationkey:EQ")),
        (
            "-- Service API: required(\"n_nationkey\",\"n_name:gt\")\n".to_owned() + SELECT,
            Some("n_nationkey,n_name:GT"),
        ),
        ("-- Service API: required(\"Region:eq\")\n".to_owned() + SELECT, Some("Region:EQ")),
        ("-- Service API: required(\"n_name:is_not\")\n".to_owned() + SELECT, Some("n_name:IS_NOT")),
        (format!("/* {required} */ {SELECT}"), None),
        (format!("{SELECT} WHERE n_name <> '{}'", required.replace('\'', "''")), None),
        (format!("{SELECT} WHERE n_name <> '\n{required}\n'"), None),
        (
            format!("SELECT n_nationkey AS \"\n{}\" FROM tpch.tiny.nation", required.replace('"', "\"\"")),
            None,
        ),
        (SELECT.to_owned(), None),
    ];
    for (number, (sql, demanded)) in cases.iter().enumerate() {
        let name = format!("v{number}");
        server.new_view(&workspace, &name, sql).await;
        let answer = server.get(&format!("/v1/data/first_comment/materializedView/{name}?limit=1")).await;
        match demanded {
            None => assert_eq!(answer.status, 200, "{sql}: {:?}", answer.body),
            Some(entries) => {
                let message =
                    format!("Required filters and request filters not matched: {entries} and none.");
                assert_eq!((answer.status, &answer.json()["message"]), (400, &json!(message)), "{sql}");
            }
        }
    }
}

#[tokio::test]
async fn invalid_required_filters_are_refused_at_definition() {
    let (server, workspace) = workspace("refused").await;
    let good = "-- Service API: required(\"n_name\")";
    let view = server.new_view(&workspace, "kept", &format!("{good}\n{SELECT}")).await;
    for line in [
        "--Service API: required(\"n_name\")",
        "--  Service API: required(\"n_name\")",
        "-- service api: required(\"n_name\")",
        "-- Service api: required(\"n_name\")",
        "-- SERVICE API: required(\"n_name\")",
        "-- Service API:required(\"n_name\")",
        "-- Service API : required(\"n_name\")",
        "-- Service  API: required(\"n_name\")",
        "-- Service API: Required(\"n_name\")",
        "-- Service API: required (\"n_name\")",
        "-- Service API: required()",
        "-- Service API: required(\"\")",
        "-- Service API: required(n_name)",
        "-- Service API: required('n_name')",
        "-- Service API: required(\"n_name\"",
        "-- Service API: required(\"n_name\",)",
        "-- Service API: required(\"n_name\" \"n_regionkey\")",
        "-- Service API: required(\"n_name\"), required(\"n_nationkey\")",
        "-- Service API: required(\"n_name\") please",
        "-- Service API: required(\"n_name:equals\")",
        "-- Service API: required(\"n_name:\")",
        "-- Service API: required(\"nope\")",
        "-- Service API: required(\"nope:eq\")",
        // Readers see the alias, not the column below it.
        "-- Service API: required(\"n_regionkey\")",
        "-- Service API:",
    ] {
        // A valid comment after it does not help: the first one counts.
        for sql in
            [format!("{line}\n{SELECT}"), format!("{line}\n{good}\n{SELECT}"), format!("{SELECT}\n{line}")]
        {
            let body = json!({ "workspaceId": workspace, "sqlName": "refused", "sql": sql });
            let answer = server.post("/api/v1/materializedView", body).await;
            assert_eq!(answer.status, 400, "{sql}");
            let code = answer.json()["code"].clone();
            assert!(code == "INVALID_ARGUMENTS" || code == "COLUMN_NOT_FOUND", "{sql}: {}", answer.json());
            let body = json!({ "workspaceId": workspace, "sql": sql });
            let answer = server.put(&format!("/api/v1/materializedView/{view}"), body).await;
            assert_eq!(answer.status, 400, "{sql}");
        }
    }
    let list = server.get(&format!("/api/v1/materializedViews?workspaceId={workspace}")).await.ok();
    assert_eq!(list.as_array().map(Vec::len), Some(1), "nothing of it was stored: {list}");
    assert_eq!(list[0]["sql"], format!("{good}\n{SELECT}"));
}

#[tokio::test]
async fn sql_that_cannot_be_planned_is_refused_with_its_own_error() {
    let (server, workspace) = workspace("unplanned").await;
    for (sql, code, place) in [
        ("SELEC 1", "SYNTAX_ERROR", "line 1:1: "),
        ("SELECT 1 AS a,\n nope FROM tpch.tiny.nation", "COLUMN_NOT_FOUND", "line 2:2: "),
        ("SELECT * FROM tpch.tiny.nowhere", "TABLE_NOT_FOUND", "line 1:15: "),
    ] {
        let body = json!({ "workspaceId": workspace, "sqlName": "v", "sql": sql });
        server.post("/api/v1/materializedView", body).await.error(400, code, [place]);
    }
    let body = json!({ "workspaceId": workspace, "sqlName": "v", "sql": "DROP TABLE tpch.tiny.nation" });
    server.post("/api/v1/materializedView", body).await.error(400, "NOT_SUPPORTED", []);
    // Rows are objects, so their keys must be unique.
    let body = json!({ "workspaceId": workspace, "sqlName": "v", "sql": "SELECT 1 AS a, 2 AS a" });
    let doubled = server.post("/api/v1/materializedView", body).await;
    if doubled.status == 200 {
        let id = doubled.json()["id"].as_str().expect("an id").to_owned();
        let refresh = doubled.json()["refreshQueryId"].as_str().expect("a refresh").to_owned();
        server.finish(&workspace, &refresh).await;
        let rows = server.get("/v1/data/unplanned/materializedView/v").await.ok();
        assert_eq!(rows, json!([{ "a": 1, "a_1": 2 }]));
        server.delete(&format!("/api/v1/materializedView/{id}?workspaceId={workspace}")).await.ok();
    } else {
        assert_eq!(doubled.status, 400);
    }
}

#[tokio::test]
async fn the_checks_of_a_read_run_in_order() {
    let (server, workspace) = workspace("checks").await;
    // A view whose first refresh fails: it is never ready.
    let sql = "-- Service API: required(\"n_name:eq\")\nSELECT n_name, CAST(n_name AS bigint) AS number FROM tpch.tiny.nation";
    let body = json!({ "workspaceId": workspace, "sqlName": "unready", "sql": sql });
    let view = server.post("/api/v1/materializedView", body).await.ok();
    let refresh = server.finish(&workspace, view["refreshQueryId"].as_str().expect("a refresh")).await;
    assert_eq!(refresh["status"], "FAILED", "{refresh}");
    assert_eq!(refresh["source"], "MATERIALIZED_VIEW", "{refresh}");
    let state = server.view(&workspace, view["id"].as_str().expect("an id")).await;
    assert!(!state["lastError"].is_null() && state["refreshedAt"].is_null(), "{state}");
    let outsider = server.new_account("checks_outsider").await.1;
    let path =
        |name: &str, view: &str, query: &str| format!("/v1/data/{name}/materializedView/{view}?{query}");
    let bad = "limit=x&filters=nope:EQ:1";
    // The order of checks: token and workspace, the view, the parameters, the required filters, readiness.
    server.get_as("wrong", &path("nowhere", "nope", bad)).await.error(401, "UNAUTHORIZED", []);
    server.get(&path("nowhere", "nope", bad)).await.error(404, "NOT_FOUND", ["nowhere"]);
    server.get_as(&outsider, &path("checks", "nope", bad)).await.error(401, "PERMISSION_DENIED", []);
    server.get(&path("checks", "nope", bad)).await.error(404, "NOT_FOUND", ["nope"]);
    server.get(&path("checks", "unready", bad)).await.error(400, "INVALID_ARGUMENTS", ["limit"]);
    server.get(&path("checks", "unready", "filters=nope:EQ:1")).await.error(
        400,
        "COLUMN_NOT_FOUND",
        ["nope"],
    );
    server.get(&path("checks", "unready", "columnNames=nope")).await.error(400, "COLUMN_NOT_FOUND", ["nope"]);
    server.get(&path("checks", "unready", "")).await.error(
        400,
        "GENERIC_USER_ERROR",
        ["n_name:EQ and none."],
    );
    let met = "filters=n_name:EQ:CHINA";
    server.get(&path("checks", "unready", met)).await.error(503, "VIEW_NOT_READY", []);
}
