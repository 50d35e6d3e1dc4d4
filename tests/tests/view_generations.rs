//! The life of a view's rows (D25, D26): its definition and fields, refreshes that switch atomically, failed ones that
//! change nothing, entity tags, schedules, and changed SQL.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::Method;
use rowhouse_tests::{Response, Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

async fn workspace(name: &str) -> (Arc<Server>, String) {
    let server = SERVER.get();
    let workspace = server.new_workspace(name).await;
    (server, workspace)
}

/// Replaces a CSV file by one of `count` rows with `value`, with a rename.
fn write_rows(path: &Path, count: usize, value: &str) {
    let next = path.with_extension("next");
    std::fs::write(&next, format!("n,v\n{}", format!("1,{value}\n").repeat(count))).expect("a file");
    std::fs::rename(next, path).expect("a rename");
}

#[tokio::test]
async fn a_view_is_defined_listed_changed_and_dropped() {
    let (server, workspace) = workspace("defining").await;
    let list = format!("/api/v1/materializedViews?workspaceId={workspace}");
    assert_eq!(server.get(&list).await.ok(), json!([]));
    let sql = "SELECT r_regionkey, r_name FROM tpch.tiny.region ORDER BY 1";
    let body = json!({ "workspaceId": workspace, "sqlName": "regions", "sql": sql, "title": "Regions", "description": "All" });
    let made = server.post("/api/v1/materializedView", body).await.ok();
    let refresh = server.finish(&workspace, made["refreshQueryId"].as_str().expect("a refresh")).await;
    assert_eq!(
        (&refresh["status"], &refresh["source"]),
        (&json!("FINISHED"), &json!("MATERIALIZED_VIEW")),
        "{refresh}"
    );
    let id = id_of(&made);
    let view = server.view(&workspace, &id).await;
    for (field, value) in [
        ("id", json!(id)),
        ("workspaceId", json!(workspace)),
        ("sqlName", json!("regions")),
        ("title", json!("Regions")),
        ("description", json!("All")),
        ("sql", json!(sql)),
        ("requiredFilters", json!([])),
        ("rowCount", json!(5)),
    ] {
        assert_eq!(view[field], value, "{field} in {view}");
    }
    assert!(view["schedule"].is_null() && view["lastError"].is_null(), "{view}");
    assert!(
        view["refreshedAt"].as_str().is_some_and(|text| text.ends_with('Z') && text.len() == 24),
        "{view}"
    );
    let names: Vec<&Value> =
        view["columns"].as_array().expect("columns").iter().map(|column| &column["name"]).collect();
    assert_eq!(names, ["r_regionkey", "r_name"]);
    assert_eq!(view["columns"][0]["type"], "bigint");
    assert_eq!(server.get(&list).await.ok(), json!([view]));
    let rows = "/v1/data/defining/materializedView/regions";
    assert_eq!(server.get(rows).await.ok()[4], json!({ "r_regionkey": 4, "r_name": "MIDDLE EAST" }));

    // A new title does not create a generation.
    let path = format!("/api/v1/materializedView/{id}");
    let body = json!({ "title": "Parts of the world" });
    server.put(&format!("{path}?workspaceId={workspace}"), body).await.ok();
    let renamed = server.view(&workspace, &id).await;
    assert_eq!(
        (&renamed["title"], &renamed["generation"]),
        (&json!("Parts of the world"), &view["generation"])
    );
    server.delete(&format!("{path}?workspaceId={workspace}")).await.ok();
    server.get(rows).await.error(404, "NOT_FOUND", []);
    server.get(&format!("{path}?workspaceId={workspace}")).await.error(404, "NOT_FOUND", []);
    server.delete(&format!("{path}?workspaceId={workspace}")).await.error(404, "NOT_FOUND", []);
    assert_eq!(server.get(&list).await.ok(), json!([]));
    // The name is available again.
    server.new_view(&workspace, "regions", "SELECT 1 AS one").await;
    assert_eq!(server.get(rows).await.ok(), json!([{ "one": 1 }]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_switches_all_readers_atomically() {
    const ROWS: usize = 3000;
    let (server, workspace) = workspace("switching").await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("rows.csv");
    write_rows(&file, ROWS, "first");
    server.new_table(&workspace, "rows_file", &file).await;
    let view = server.new_view(&workspace, "rows", "SELECT v FROM rows_file").await;
    let mut generation = server.view(&workspace, &view).await["generation"].as_u64().expect("a generation");
    let is_done = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let readers: Vec<_> = (0..2)
        .map(|_| {
            let (server, is_done) = (Arc::clone(&server), Arc::clone(&is_done));
            tokio::spawn(async move {
                let mut seen = Vec::new();
                while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                    let rows = server.get("/v1/data/switching/materializedView/rows").await.ok();
                    let rows = rows.as_array().expect("rows").clone();
                    assert_eq!(rows.len(), ROWS);
                    assert!(rows.iter().all(|row| row == &rows[0]), "rows of two generations in one answer");
                    let value = rows[0]["v"].as_str().expect("a text").to_owned();
                    if seen.last() != Some(&value) {
                        seen.push(value);
                    }
                }
                seen
            })
        })
        .collect();
    for value in ["second", "third", "fourth"] {
        write_rows(&file, ROWS, value);
        let query = server.refresh_view(&workspace, &view).await;
        assert_eq!((&query["status"], &query["rowCount"]), (&json!("FINISHED"), &json!(ROWS)), "{query}");
        // A client that saw the refresh end sees its rows.
        let rows = server.get("/v1/data/switching/materializedView/rows?limit=1").await.ok();
        assert_eq!(rows, json!([{ "v": value }]));
        let next = server.view(&workspace, &view).await["generation"].as_u64().expect("a generation");
        assert_eq!(next, generation + 1);
        generation = next;
    }
    is_done.store(true, std::sync::atomic::Ordering::Relaxed);
    for reader in readers {
        let seen = reader.await.expect("every answer was of one generation");
        let order = ["first", "second", "third", "fourth"];
        let places: Vec<_> =
            seen.iter().filter_map(|value| order.iter().position(|known| known == value)).collect();
        assert!(places.is_sorted(), "never back: {seen:?}");
    }
}

#[tokio::test]
async fn a_failed_refresh_keeps_the_last_good_generation() {
    let (server, workspace) = workspace("failing").await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("rows.csv");
    write_rows(&file, 3, "7");
    server.new_table(&workspace, "rows_file", &file).await;
    let view = server.new_view(&workspace, "rows", "SELECT CAST(v AS bigint) AS v FROM rows_file").await;
    let before = server.view(&workspace, &view).await;
    let path = "/v1/data/failing/materializedView/rows";
    let good = server.get(path).await;
    assert_eq!(good.ok(), json!([{ "v": 7 }, { "v": 7 }, { "v": 7 }]));
    write_rows(&file, 3, "no number");
    let query = server.refresh_view(&workspace, &view).await;
    assert_eq!(query["status"], "FAILED", "{query}");
    let after = server.view(&workspace, &view).await;
    assert!(!after["lastError"].is_null(), "{after}");
    for field in ["generation", "refreshedAt", "rowCount"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    let kept = server.get(path).await;
    assert_eq!((kept.ok(), kept.header("etag")), (good.ok(), good.header("etag")));
    std::fs::remove_file(&file).expect("the file was there");
    assert_eq!(server.refresh_view(&workspace, &view).await["status"], "FAILED");
    assert_eq!(server.get(path).await.body, good.body);
    write_rows(&file, 1, "8");
    assert_eq!(server.refresh_view(&workspace, &view).await["status"], "FINISHED");
    assert!(server.view(&workspace, &view).await["lastError"].is_null());
    let healed = server.get(path).await;
    assert_eq!(healed.ok(), json!([{ "v": 8 }]));
    assert_ne!(healed.header("etag"), good.header("etag"));
}

#[tokio::test]
async fn entity_tags_depend_on_everything_that_shapes_the_body() {
    let (server, workspace) = workspace("tagged").await;
    let view =
        server.new_view(&workspace, "nations", "SELECT n_nationkey, n_name FROM tpch.tiny.nation").await;
    let path = "/v1/data/tagged/materializedView/nations";
    let first = server.get(path).await;
    check_headers(&first);
    let tag = first.header("etag").expect("a tag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 2, "a strong tag: {tag}");
    let again = server.get(path).await;
    assert_eq!(again.header("etag"), Some(tag.as_str()));
    assert_eq!(again.header("last-modified"), first.header("last-modified"));
    let mut tags = vec![tag.clone()];
    for query in [
        "limit=1",
        "limit=2",
        "offset=1",
        "columnNames=n_name",
        "filters=n_nationkey:EQ:1",
        "filters=n_nationkey:EQ:2",
        "filters=n_nationkey:GT:1",
        "format=ndjson",
    ] {
        let answer = server.get(&format!("{path}?{query}")).await;
        assert_eq!(answer.status, 200, "{query}");
        let tag = answer.header("etag").expect("a tag").to_owned();
        assert!(!tags.contains(&tag), "{query} has the tag of another body");
        tags.push(tag);
    }
    let conditional = async |value: &str| {
        let authorization = format!("Token {}", server.admin_token());
        let headers = [("authorization", authorization.as_str()), ("if-none-match", value)];
        server.request_with(Method::GET, path, headers, None).await
    };
    for value in [tag.clone(), format!("\"other\", {tag}"), format!("W/{tag}"), "*".to_owned()] {
        let answer = conditional(&value).await;
        assert_eq!((answer.status, answer.body.len()), (304, 0), "{value}");
        assert_eq!(answer.header("etag"), Some(tag.as_str()), "{value}");
        assert!(answer.header("vary").is_some() && answer.header("cache-control").is_some(), "{value}");
    }
    for value in ["\"other\"", tags[1].as_str(), tag.trim_matches('"')] {
        assert_eq!(conditional(value).await.status, 200, "{value}");
    }
    // The tag of another generation does not match, even if the rows are the same.
    assert_eq!(server.refresh_view(&workspace, &view).await["status"], "FINISHED");
    let fresh = conditional(&tag).await;
    assert_eq!(fresh.status, 200);
    assert_ne!(fresh.header("etag"), Some(tag.as_str()));
    let authorization = format!("Token {}", server.admin_token());
    let headers = [("authorization", authorization.as_str()), ("accept-encoding", "gzip")];
    let packed = server.request_with(Method::GET, path, headers, None).await;
    assert_eq!(packed.status, 200);
    if packed.header("content-encoding").is_some() {
        assert_ne!(packed.header("etag"), fresh.header("etag"), "other bytes, another strong tag");
    }
    // Without a token the answer is not 304 either.
    let stranger = server.request_with(Method::GET, path, [("if-none-match", "*")], None).await;
    stranger.error(401, "UNAUTHORIZED", []);
}

#[track_caller]
fn check_headers(answer: &Response) {
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    assert_eq!(answer.header("vary"), Some("Accept, Accept-Encoding, Authorization"));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let date = answer.header("last-modified").expect("Last-Modified");
    assert!(date.len() == 29 && date.ends_with(" GMT"), "{date}");
}

#[tokio::test]
async fn changed_sql_and_required_filters_take_effect_at_once() {
    let (server, workspace) = workspace("changed").await;
    let view = server.new_view(&workspace, "v", "SELECT n_nationkey, n_name FROM tpch.tiny.nation").await;
    let (read, change) = ("/v1/data/changed/materializedView/v", format!("/api/v1/materializedView/{view}"));
    let put =
        async |sql: &str| server.put(&change, json!({ "workspaceId": workspace, "sql": sql })).await.ok();
    let answer = put("-- Service API: required(\"n_nationkey:eq\")\nSELECT n_nationkey, n_name AS name FROM tpch.tiny.nation").await;
    server.get(&format!("{read}?limit=1")).await.error(
        400,
        "GENERIC_USER_ERROR",
        ["n_nationkey:EQ and none."],
    );
    let refresh =
        answer["refreshQueryId"].as_str().unwrap_or_else(|| panic!("no refresh in {answer}")).to_owned();
    assert_eq!(server.finish(&workspace, &refresh).await["status"], "FINISHED");
    let rows = server.get(&format!("{read}?filters=n_nationkey:EQ:18")).await.ok();
    assert_eq!(rows, json!([{ "n_nationkey": 18, "name": "CHINA" }]));
    // If the refresh of the new SQL fails, the served generation lacks the column of the required filter.
    let sql = "-- Service API: required(\"number:eq\")\nSELECT CAST(n_name AS bigint) AS number FROM tpch.tiny.nation";
    let answer = put(sql).await;
    let refresh = answer["refreshQueryId"].as_str().expect("a refresh").to_owned();
    assert_eq!(server.finish(&workspace, &refresh).await["status"], "FAILED");
    let answer = server.get(read).await;
    assert!(
        answer.status == 400 || answer.status == 503,
        "rows without their requirement: {}",
        answer.status
    );
    server.get(&format!("{read}?filters=number:EQ:1")).await.error(503, "VIEW_NOT_READY", []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schedule_refreshes() {
    let (server, workspace) = workspace("scheduled").await;
    let body =
        json!({ "workspaceId": workspace, "sqlName": "v", "sql": "SELECT 1 AS a", "schedule": "@every 1s" });
    let view = server.post("/api/v1/materializedView", body).await.ok();
    assert_eq!(view["schedule"], "@every 1s");
    let id = id_of(&view);
    let deadline = Instant::now() + Duration::from_secs(30);
    while server.view(&workspace, &id).await["generation"].as_u64().unwrap_or_default() < 3 {
        assert!(Instant::now() < deadline, "no third generation after 30 s");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Null removes a schedule, and then no refresh runs any more.
    let path = format!("/api/v1/materializedView/{id}?workspaceId={workspace}");
    let changed = server.put(&path, json!({ "schedule": null })).await.ok();
    assert!(changed["schedule"].is_null(), "{changed}");
    tokio::time::sleep(Duration::from_millis(300)).await;
    let generation = server.view(&workspace, &id).await["generation"].clone();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(server.view(&workspace, &id).await["generation"], generation);
    let body = json!({ "workspaceId": workspace, "sqlName": "yearly", "sql": "SELECT 1 AS a", "schedule": "0 0 1 1 *" });
    assert_eq!(server.post("/api/v1/materializedView", body).await.ok()["schedule"], "0 0 1 1 *");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_definition_is_stored_even_if_its_refresh_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.demo().await;
    server.put("/api/v1/service/SQL_ENGINE", json!({ "state": false })).await.ok();
    let body = json!({ "workspaceId": workspace, "sqlName": "later", "sql": "SELECT 1 AS a" });
    let view = server.post("/api/v1/materializedView", body).await.ok();
    assert!(view.get("refreshQueryId").is_some_and(Value::is_null), "{view}");
    assert!(!view["lastError"].is_null(), "{view}");
    let read = "/v1/data/demo/materializedView/later";
    server.get(read).await.error(503, "VIEW_NOT_READY", []);
    server.put("/api/v1/service/SQL_ENGINE", json!({ "state": true })).await.ok();
    assert_eq!(server.refresh_view(&workspace, &id_of(&view)).await["status"], "FINISHED");
    let before = server.get(read).await;
    assert_eq!(before.ok(), json!([{ "a": 1 }]));
    // A generation and its tag survive a kill of the server.
    server.kill();
    let server = Server::builder().data_dir(&data_dir).start();
    let after = server.get(read).await;
    assert_eq!((after.ok(), after.header("etag")), (before.ok(), before.header("etag")));
    let state = server.view(&workspace, &id_of(&view)).await;
    assert!(state["lastError"].is_null() && state["refreshedAt"].is_string(), "{state}");
}

/// A generation is listed once it is served, with the query that computed it; a failed refresh creates none, and a
/// refresh with other rows does not change the entries of earlier ones.
#[tokio::test]
async fn generations_are_listed_newest_first_with_their_queries() {
    let (server, workspace) = workspace("listing_generations").await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("rows.csv");
    write_rows(&file, 3, "a");
    server.new_table(&workspace, "rows", &file).await;
    let body = json!({ "workspaceId": workspace, "sqlName": "counted", "sql": "SELECT n, v FROM rows" });
    let made = server.post("/api/v1/materializedView", body).await.ok();
    let id = id_of(&made);
    let first = made["refreshQueryId"].clone();
    server.finish(&workspace, first.as_str().expect("a refresh")).await;
    write_rows(&file, 5, "b");
    let path = format!("/api/v1/materializedView/{id}/refresh");
    let body = json!({ "workspaceId": workspace });
    let second = server.post(&path, body.clone()).await.ok()["id"].clone();
    server.finish(&workspace, second.as_str().expect("a refresh")).await;
    std::fs::remove_file(&file).expect("removed");
    let failed = server.post(&path, body).await.ok();
    let failed = server.finish(&workspace, &id_of(&failed)).await;
    assert_eq!(failed["status"], "FAILED", "{failed}");

    let listed =
        server.get(&format!("/api/v1/materializedView/{id}/generations?workspaceId={workspace}")).await;
    let listed = listed.ok();
    let entries: Vec<_> = listed.as_array().expect("an array").iter().collect();
    assert_eq!(entries.len(), 2, "{listed}");
    for (entry, generation, rows, query) in [(entries[0], 2, 5, &second), (entries[1], 1, 3, &first)] {
        assert_eq!(entry["generation"], generation, "{listed}");
        assert_eq!(entry["rowCount"], rows, "{listed}");
        assert_eq!(&entry["queryId"], query, "{listed}");
    }
    let view = server.view(&workspace, &id).await;
    assert_eq!(
        (&view["generation"], &view["refreshedAt"]),
        (&entries[0]["generation"], &entries[0]["refreshedAt"]),
        "the newest one is served"
    );
    let unknown = format!("/api/v1/materializedView/none/generations?workspaceId={workspace}");
    server.get(&unknown).await.error(404, "NOT_FOUND", []);
}
