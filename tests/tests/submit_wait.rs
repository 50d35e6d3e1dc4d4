//! A submit that waits for the end and returns the first rows, and small results after a kill.

use std::path::Path;
use std::time::{Duration, Instant};

use rowhouse_tests::{SLOW_SQL, Server, SharedServer, id_of};
use serde_json::{Value, json};
use tempfile::TempDir;

static SERVER: SharedServer = SharedServer::new(&[]);

async fn submit(server: &Server, mut body: Value) -> Value {
    body["workspaceId"] = json!(server.demo().await);
    server.post("/api/v1/query", body).await.ok()
}

#[tokio::test]
async fn the_first_rows_come_with_the_record() {
    let server = SERVER.get();
    let sql = "SELECT n_nationkey AS k, n_name FROM tpch.tiny.nation ORDER BY 1";
    let answer = submit(&server, json!({ "sql": sql, "wait": 30, "rows": 2 })).await;
    assert_eq!(answer["status"], "FINISHED", "{answer}");
    assert_eq!(answer["result"], json!([[0, "ALGERIA"], [1, "ARGENTINA"]]));
    assert_eq!((&answer["rowCount"], &answer["columns"][0]["name"]), (&json!(25), &json!("k")));
    let objects = submit(&server, json!({ "sql": sql, "wait": 30, "rows": 1, "shape": "objects" })).await;
    assert_eq!(objects["result"], json!([{ "k": 0, "n_name": "ALGERIA" }]));
    // Without `rows` the answer is the record alone, with all its fields.
    let record = submit(&server, json!({ "sql": sql, "wait": 30 })).await;
    assert_eq!((record["status"].as_str(), record.get("result")), (Some("FINISHED"), None));
    let none = submit(&server, json!({ "sql": sql, "wait": 30, "rows": 0 })).await;
    assert_eq!(none["result"], json!([]));
    // The answer is the same record that everybody sees.
    let address = format!("/api/v1/query/{}?workspaceId={}", id_of(&answer), server.demo().await);
    let polled = server.get(&address).await.ok();
    let mut answered = answer.clone();
    answered.as_object_mut().expect("an object").remove("result");
    assert_eq!(answered, polled);
    // A cached answer has rows at once, a failed statement none.
    let cached = json!({ "sql": sql, "cacheTTL": 60, "cacheRefresh": false, "wait": 30, "rows": 1 });
    submit(&server, cached.clone()).await;
    let hit = submit(&server, cached).await;
    assert_eq!((&hit["fromCache"], &hit["result"]), (&json!(true), &json!([[0, "ALGERIA"]])));
    let failed = submit(&server, json!({ "sql": "SELECT 1 / 0", "wait": 30, "rows": 1 })).await;
    assert_eq!((failed["status"].as_str(), failed.get("result")), (Some("FAILED"), None));
}

#[tokio::test]
async fn a_wait_ends_before_a_slow_statement_does() {
    let server = SERVER.get();
    let begun = Instant::now();
    let answer = submit(&server, json!({ "sql": SLOW_SQL, "wait": 1, "rows": 1 })).await;
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert!(answer.get("result").is_none() && answer["status"] != "FINISHED", "{answer}");
    server.cancel(&server.demo().await, &id_of(&answer)).await;
}

/// Rows of constants are answered when they are parsed (D138), others by a worker; neither creates a file.
#[tokio::test]
async fn small_results_are_in_the_database_and_outlive_the_server() {
    let folder = TempDir::new().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.demo().await;
    let mut answers = Vec::new();
    for number in 0..12 {
        let from = ["", " FROM tpch.tiny.region WHERE r_regionkey = 0"][number % 2];
        let body = json!({ "sql": format!("SELECT {number} AS n, 'x' AS t{from}"), "wait": 30, "rows": 1 });
        let answer = submit(&server, body).await;
        assert_eq!(answer["result"], json!([[number, "x"]]), "{answer}");
        let location = answer["location"].as_str().expect("a location").to_owned();
        assert!(kept(&data_dir).contains(&location), "durable with its record");
        assert!(!data_dir.join(&location).exists());
        answers.push((id_of(&answer), number, location));
    }
    let before = in_all_formats(&server, &workspace, &answers[11].0).await;
    let last = submit(&server, json!({ "sql": "SELECT 'the last'", "wait": 30 })).await;
    assert_eq!(last["status"], "FINISHED", "{last}");
    server.kill();
    let server = Server::builder().data_dir(&data_dir).start();
    assert_eq!(server.result(&workspace, &id_of(&last)).await["result"], json!([["the last"]]));
    for (id, number, _) in &answers {
        assert_eq!(server.result(&workspace, id).await["result"], json!([[number, "x"]]));
    }
    assert_eq!(in_all_formats(&server, &workspace, &answers[11].0).await, before);
    // A deleted result takes no space.
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", answers[0].0);
    let deleted = server.request(http::Method::DELETE, &path, Some(server.admin_token()), None).await;
    assert_eq!(deleted.status, 200);
    server.get(&path).await.error(404, "RESULT_EXPIRED", ["deleted"]);
    let kept = kept(&data_dir);
    assert!(!kept.contains(&answers[0].2) && kept.contains(&answers[1].2));
}

/// The body and the entity tag of a result, and of a part of it, in each format.
async fn in_all_formats(server: &Server, workspace: &str, id: &str) -> Vec<(Vec<u8>, Option<String>)> {
    let mut read = Vec::new();
    for more in [
        "format=json",
        "format=csv",
        "format=ndjson",
        "format=arrow",
        "format=parquet",
        "offset=1",
        "limit=1",
    ] {
        let path = format!("/api/v1/query/{id}/result?workspaceId={workspace}&{more}");
        let answer = server.get(&path).await;
        assert_eq!(answer.status, 200, "{more}");
        read.push((answer.body.to_vec(), answer.header("etag").map(str::to_owned)));
    }
    read
}

/// The record of rows of constants has the same fields as any other, and the cache answers from it.
#[tokio::test]
async fn rows_of_constants_have_ordinary_records() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let constant = submit(&server, json!({ "sql": "SELECT 1 AS a, 'x' AS b", "wait": 30, "rows": 1 })).await;
    let sql = "SELECT 1 AS a, 'x' AS b FROM tpch.tiny.region WHERE r_regionkey = 0";
    let run = submit(&server, json!({ "sql": sql, "wait": 30, "rows": 1 })).await;
    let names = |answer: &Value| -> Vec<String> {
        let mut names: Vec<String> = answer.as_object().expect("an object").keys().cloned().collect();
        names.sort();
        names
    };
    assert_eq!(names(&constant), names(&run));
    assert_eq!(names(&constant["queryStats"]), names(&run["queryStats"]));
    for field in ["status", "columns", "rowCount", "fromCache", "dataFormat", "userId", "result"] {
        assert_eq!(constant[field], run[field], "{field}");
    }
    assert_eq!(constant["queryStats"]["state"], "FINISHED");
    assert_eq!(constant["outputStage"]["state"], "FINISHED");
    assert!(constant["statementId"].is_string());
    let path = format!("/api/v1/query/{}?workspaceId={workspace}", id_of(&constant));
    let polled = server.get(&path).await.ok();
    assert_eq!(polled["queryStats"], constant["queryStats"]);
    let again = json!({ "sql": "SELECT 1 AS a, 'x' AS b", "cacheTTL": 60, "cacheRefresh": false, "wait": 30, "rows": 1 });
    let hit = submit(&server, again).await;
    assert_eq!((&hit["fromCache"], &hit["result"]), (&json!(true), &json!([[1, "x"]])));
}

/// The result files that the database stores.
fn kept(data_dir: &Path) -> Vec<String> {
    let database = rusqlite::Connection::open(data_dir.join("rowhouse.db")).expect("the database");
    let mut statement = database.prepare("SELECT location FROM kept_results ORDER BY 1").expect("the table");
    let locations = statement.query_map([], |row| row.get(0)).expect("rows");
    locations.collect::<Result<_, _>>().expect("texts")
}
