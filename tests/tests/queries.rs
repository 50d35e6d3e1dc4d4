//! The life of a query as a caller sees it: the documented flow, cancels, results of queries that are not finished, the
//! order of the list, long polls, and the base paths. The record's fields are in `query_record.rs`.

use std::time::{Duration, Instant};

use hyper::Method;
use rowhouse_tests::{SLOW_SQL, Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&["--base-path", "/behind/a/proxy"]);

const NATIONS: &str = "SELECT n_nationkey, n_name FROM tpch.tiny.nation ORDER BY n_nationkey";

#[tokio::test]
async fn the_documented_flow_gives_rows_by_page() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let id = id_of(&server.submit(&workspace, NATIONS).await);
    let query = server.finish(&workspace, &id).await;
    assert_eq!(query["status"], "FINISHED", "{query}");
    let path = format!("/api/v1/query/{id}/result?workspaceId={workspace}");
    let whole = server.get(&path).await.ok();
    let rows = whole["result"].as_array().expect("rows");
    assert_eq!(rows.len(), 25);
    assert_eq!((&rows[0], &rows[24]), (&json!([0, "ALGERIA"]), &json!([24, "UNITED STATES"])));
    assert_eq!(whole["rowCount"], 25);
    assert_eq!(whole["columns"][1]["name"], "n_name");
    let keys: Vec<&str> = whole.as_object().expect("an object").keys().map(String::as_str).collect();
    let sorted = {
        let mut keys = keys.clone();
        keys.sort_unstable();
        keys
    };
    assert_eq!(sorted, ["columns", "result", "rowCount"]);
    for (limit, offset) in
        [(10, 0), (10, 20), (1, 24), (7, 7), (25, 0), (100, 0), (5, 25), (5, 1_000_000), (0, 3)]
    {
        let page = server.get(&format!("{path}&limit={limit}&offset={offset}")).await.ok();
        let expected: Vec<Value> = rows.iter().skip(offset).take(limit).cloned().collect();
        assert_eq!(page["result"], json!(expected), "limit {limit}, offset {offset}");
        // The count and the columns are those of the whole result, whatever the page (D7, D13).
        assert_eq!((&page["rowCount"], &page["columns"]), (&json!(25), &whole["columns"]));
    }
    let tail = server.get(&format!("{path}&offset=23")).await.ok();
    assert_eq!(tail["result"], json!([[23, "UNITED KINGDOM"], [24, "UNITED STATES"]]));
    let objects = server.get(&format!("{path}&limit=1&shape=objects")).await.ok();
    assert_eq!(objects["result"], json!([{ "n_nationkey": 0, "n_name": "ALGERIA" }]));
    assert_eq!(
        server.get(&format!("{path}&limit=1&shape=arrays")).await.ok()["result"],
        json!([[0, "ALGERIA"]])
    );
    server.get(&format!("{path}&shape=circles")).await.error(400, "INVALID_ARGUMENTS", ["shape"]);
}

#[tokio::test]
async fn duplicate_column_names_are_numbered_in_objects() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let id = id_of(&server.run(&workspace, "SELECT 1 AS a, 2 AS a, 3 AS a, 4 AS b").await);
    let path = format!("/api/v1/query/{id}/result?workspaceId={workspace}");
    let result = server.get(&path).await.ok();
    assert_eq!(result["result"], json!([[1, 2, 3, 4]]));
    let names: Vec<&Value> =
        result["columns"].as_array().expect("columns").iter().map(|c| &c["name"]).collect();
    assert_eq!(names, ["a", "a", "a", "b"]);
    let objects = server.get(&format!("{path}&shape=objects")).await.ok();
    assert_eq!(objects["result"], json!([{ "a": 1, "a_1": 2, "a_2": 3, "b": 4 }]));
}

#[tokio::test]
async fn a_status_never_goes_backwards() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let rank = |status: &Value| match status.as_str() {
        Some("QUEUED") => 0,
        Some("PLANNING") => 1,
        Some("RUNNING") => 2,
        Some("FINISHED" | "FAILED") => 3,
        _ => panic!("a status of {status}"),
    };
    for number in 0..4 {
        let sql =
            format!("SELECT count(*) + {number} FROM tpch.tiny.lineitem WHERE l_comment LIKE '%a%b%c%'");
        let mut query = server.submit(&workspace, &sql).await;
        let path = format!("/api/v1/query/{}?workspaceId={workspace}", id_of(&query));
        let mut duration = 0.0;
        while rank(&query["status"]) < 3 {
            let next = server.get(&path).await.ok();
            assert!(rank(&next["status"]) >= rank(&query["status"]), "{query}, then {next}");
            if let Some(next) = next["duration"].as_f64() {
                assert!(next >= duration, "the duration fell from {duration} to {next}");
                duration = next;
            }
            query = next;
        }
        assert_eq!(query["status"], "FINISHED", "{query}");
        assert_eq!(server.get(&path).await.ok(), query, "an end is final");
    }
}

#[tokio::test]
async fn cancel_is_idempotent_and_does_not_change_finished_queries() {
    // One slot, so that the second statement stays queued.
    let server = Server::builder().arguments(["--engine-concurrency", "1"]).start();
    let workspace = server.demo().await;
    let running = id_of(&server.submit(&workspace, SLOW_SQL).await);
    let waiting = id_of(&server.submit(&workspace, NATIONS).await);
    server.wait_for_status(&workspace, &running, "RUNNING").await;
    let path = |id: &str| format!("/api/v1/query/{id}?workspaceId={workspace}");
    assert_eq!(server.get(&path(&waiting)).await.ok()["status"], "QUEUED");

    // Neither has a result (D11).
    for id in [&running, &waiting] {
        let result = server.get(&format!("/api/v1/query/{id}/result?workspaceId={workspace}")).await;
        result.error(400, "QUERY_NOT_FINISHED", []);
    }
    for id in [&waiting, &running] {
        server.cancel(&workspace, id).await;
        let query = server.finish(&workspace, id).await;
        assert_eq!(query["status"], "FAILED", "{query}");
        let error = &query["error"];
        assert_eq!(
            (&error["errorName"], &error["errorCode"]),
            (&json!("USER_CANCELED"), &json!(3)),
            "{query}"
        );
        assert_eq!(error["errorType"], "USER_ERROR");
        assert_eq!(server.cancel(&workspace, id).await, query, "canceled again");
        assert_eq!(server.get(&path(id)).await.ok(), query);
        let result = server.get(&format!("/api/v1/query/{id}/result?workspaceId={workspace}")).await;
        result.error(400, "USER_CANCELED", []);
    }
    let finished = server.run(&workspace, NATIONS).await;
    assert_eq!(finished["status"], "FINISHED", "{finished}");
    let id = id_of(&finished);
    assert_eq!(server.cancel(&workspace, &id).await, finished);
    assert_eq!(server.result(&workspace, &id).await["rowCount"], 25);
    let failed = server.run(&workspace, "SELECT nope").await;
    assert_eq!(server.cancel(&workspace, &id_of(&failed)).await, failed);
}

#[tokio::test]
async fn the_result_of_a_failed_query_is_its_error() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    for (sql, code) in [
        ("SELEC 1", "SYNTAX_ERROR"),
        ("SELECT nope FROM tpch.tiny.nation", "COLUMN_NOT_FOUND"),
        ("SELECT * FROM tpch.tiny.nowhere", "TABLE_NOT_FOUND"),
        ("SELECT CAST(n_name AS bigint) FROM tpch.tiny.nation", "INVALID_CAST_ARGUMENT"),
        ("DROP TABLE tpch.tiny.nation", "NOT_SUPPORTED"),
    ] {
        let query = server.run(&workspace, sql).await;
        assert_eq!(query["error"]["errorName"], code, "{sql}: {query}");
        let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
        server.get(&path).await.error(400, code, []);
    }
}

#[tokio::test]
async fn a_result_is_gone_after_its_retention() {
    let server = Server::builder().arguments(["--results-retention", "2s"]).start();
    let workspace = server.demo().await;
    let finished = server.run(&workspace, NATIONS).await;
    let id = id_of(&finished);
    let path = format!("/api/v1/query/{id}/result?workspaceId={workspace}");
    server.get(&path).await.ok();
    tokio::time::sleep(Duration::from_millis(2500)).await;
    server.get(&path).await.error(404, "RESULT_EXPIRED", []);
    let record = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
    assert_eq!(record["status"], "FINISHED", "the record outlives the result");
    // A deleted result is no cache entry either.
    let again = server.submit_cached(&workspace, NATIONS, 3600, false).await;
    let again = server.finish(&workspace, &id_of(&again)).await;
    assert_eq!((&again["status"], &again["fromCache"]), (&json!("FINISHED"), &json!(false)), "{again}");
}

#[tokio::test]
async fn the_list_is_newest_first_and_counts_all() {
    let server = SERVER.get();
    let workspace = server.new_workspace("listed").await;
    let empty = server.get(&format!("/api/v1/queries?workspaceId={workspace}")).await.ok();
    assert_eq!(empty, json!({ "totalCount": 0, "result": [] }));
    // Failed statements have records as well, and are cheap.
    let mut ids = Vec::new();
    for number in 0..105 {
        ids.push(id_of(&server.submit(&workspace, &format!("SELECT nope_{number}")).await));
    }
    ids.push(id_of(&server.run(&workspace, "SELECT 1").await));
    ids.reverse();
    let list = async |tail: &str| {
        let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}{tail}")).await.ok();
        assert_eq!(list["totalCount"], 106, "{tail}");
        let records = list["result"].as_array().expect("records");
        records.iter().map(id_of).collect::<Vec<_>>()
    };
    assert_eq!(list("").await, ids[..100], "100 by default (D8)");
    assert_eq!(list("&limit=1000").await, ids);
    assert_eq!(list("&limit=3").await, ids[..3]);
    assert_eq!(list("&limit=3&offset=2").await, ids[2..5]);
    assert_eq!(list("&offset=100").await, ids[100..]);
    assert_eq!(list("&offset=106").await, ids[106..]);
    assert_eq!(list("&offset=9223372036854775807").await, ids[106..]);
    assert_eq!(list("&limit=0").await, ids[106..]);
    assert_eq!(list("&limit=0007").await, ids[..7]);
    let over = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=1001")).await;
    over.error(400, "INVALID_ARGUMENTS", ["limit", "1000"]);
    // An element equals the record of GET /query/:id.
    let path = format!("/api/v1/queries?workspaceId={workspace}&limit=1");
    let first = &server.get(&path).await.ok()["result"][0];
    let record = server.get(&format!("/api/v1/query/{}?workspaceId={workspace}", ids[0])).await.ok();
    assert_eq!(first, &record);
}

#[tokio::test]
async fn a_long_poll_ends_with_the_query_or_with_its_time() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let id = id_of(&server.submit(&workspace, "SELECT count(*) FROM tpch.tiny.orders").await);
    let query = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}&wait=30")).await.ok();
    assert_eq!(query["status"], "FINISHED", "{query}");
    let begun = Instant::now();
    server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}&wait=30")).await.ok();
    assert!(begun.elapsed() < Duration::from_secs(5), "an ended query is answered at once");

    let slow = id_of(&server.submit(&workspace, SLOW_SQL).await);
    let begun = Instant::now();
    let query = server.get(&format!("/api/v1/query/{slow}?workspaceId={workspace}&wait=1")).await.ok();
    let waited = begun.elapsed();
    assert!(query["status"] != "FINISHED" && query["status"] != "FAILED", "{query}");
    assert!(waited >= Duration::from_millis(900) && waited < Duration::from_secs(10), "{waited:?}");
    // A cancel ends the wait.
    let path = format!("/api/v1/query/{slow}?workspaceId={workspace}&wait=30");
    let (waited, _) = tokio::join!(server.get(&path), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        server.cancel(&workspace, &slow).await
    });
    assert_eq!(waited.ok()["error"]["errorName"], "USER_CANCELED");
    for wait in ["x", "-1", "1.5", ""] {
        let path = format!("/api/v1/query/{id}?workspaceId={workspace}&wait={wait}");
        server.get(&path).await.error(400, "INVALID_ARGUMENTS", ["wait"]);
    }
}

#[tokio::test]
async fn every_base_path_gives_the_same_answers() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let id = id_of(&server.run(&workspace, NATIONS).await);
    for path in [
        format!("/api/v1/query/{id}?workspaceId={workspace}"),
        format!("/api/v1/query/{id}/result?workspaceId={workspace}&limit=2"),
        format!("/api/v1/sqls?workspaceId={workspace}"),
        "/api/v1/workspaces".to_owned(),
        "/api/v1/openapi.json".to_owned(),
    ] {
        let plain = server.get(&path).await.ok();
        for base in ["/web", "/behind/a/proxy"] {
            assert_eq!(server.get(&format!("{base}{path}")).await.ok(), plain, "{base}{path}");
        }
    }
    for base in ["", "/web", "/behind/a/proxy"] {
        for path in ["/healthz", "/readyz", "/metrics"] {
            let answer = server.request(Method::GET, &format!("{base}{path}"), None, None).await;
            assert_eq!(answer.status, 200, "{base}{path}");
        }
        let body = json!({ "workspaceId": workspace, "sql": "SELECT 1" });
        assert!(server.post(&format!("{base}/api/v1/query"), body).await.ok()["id"].is_string(), "{base}");
        let view = server.get(&format!("{base}/v1/data/demo/materializedView/nowhere")).await;
        view.error(404, "NOT_FOUND", []);
    }
    for path in
        ["/webapi/v1/workspaces", "/web/web/api/v1/workspaces", "/behind/a/api/v1/workspaces", "/api/v1"]
    {
        server.get(path).await.error(404, "NOT_FOUND", []);
    }
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let id = id_of(&server.run(&workspace, NATIONS).await);
    for path in [
        "/healthz".to_owned(),
        "/api/v1/workspaces".to_owned(),
        "/api/v1/service/SQL_ENGINE".to_owned(),
        format!("/api/v1/sqls?workspaceId={workspace}"),
        format!("/api/v1/queries?workspaceId={workspace}&limit=1"),
        format!("/api/v1/query/{id}?workspaceId={workspace}"),
        format!("/api/v1/query/{id}/result?workspaceId={workspace}"),
        format!("/api/v1/query/nope?workspaceId={workspace}"),
        format!("/api/v1/queries?workspaceId={workspace}&limit=x"),
        "/api/v1/nope".to_owned(),
    ] {
        let get = server.get(&path).await;
        let head = server.request(Method::HEAD, &path, Some(server.admin_token()), None).await;
        assert_eq!(head.status, get.status, "{path}");
        assert_eq!(head.body.len(), 0, "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
    }
    let head = server.request(Method::HEAD, "/api/v1/workspaces", None, None).await;
    assert_eq!((head.status, head.header("www-authenticate")), (401, Some("Token")));
}

#[tokio::test]
async fn pages_over_the_configured_limit_are_refused() {
    let server = Server::builder().arguments(["--results-max-page-rows", "10"]).start();
    let workspace = server.demo().await;
    let id = id_of(&server.run(&workspace, NATIONS).await);
    let path = format!("/api/v1/query/{id}/result?workspaceId={workspace}");
    server.get(&path).await.error(400, "INVALID_ARGUMENTS", ["10"]);
    server.get(&format!("{path}&limit=11")).await.error(400, "INVALID_ARGUMENTS", ["limit", "10"]);
    assert_eq!(
        server.get(&format!("{path}&limit=10")).await.ok()["result"].as_array().map(Vec::len),
        Some(10)
    );
    // The limit applies whatever the number of rows (D8).
    let one = id_of(&server.run(&workspace, "SELECT 1").await);
    let path = format!("/api/v1/query/{one}/result?workspaceId={workspace}");
    server.get(&path).await.error(400, "INVALID_ARGUMENTS", ["10"]);
    assert_eq!(server.get(&format!("{path}&limit=10")).await.ok()["result"], json!([[1]]));
}
