//! A submit that waits for the end and brings the first rows, and small results over kills.

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
    // Without them the record alone, with all its fields.
    let record = submit(&server, json!({ "sql": sql, "wait": 30 })).await;
    assert_eq!((record["status"].as_str(), record.get("result")), (Some("FINISHED"), None));
    let none = submit(&server, json!({ "sql": sql, "wait": 30, "rows": 0 })).await;
    assert_eq!(none["result"], json!([]));
    // What answers is the record that everybody sees.
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

#[tokio::test]
async fn small_results_outlive_the_loss_of_files_that_were_not_synced() {
    let folder = TempDir::new().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.demo().await;
    let mut answers = Vec::new();
    for number in 0..12 {
        let body = json!({ "sql": format!("SELECT {number} AS n, 'x' AS t"), "wait": 30, "rows": 1 });
        let answer = submit(&server, body).await;
        assert_eq!(answer["result"], json!([[number, "x"]]), "{answer}");
        let location = answer["location"].as_str().expect("a location").to_owned();
        assert!(data_dir.join(&location).exists(), "the file of what is FINISHED");
        answers.push((id_of(&answer), number, location));
    }
    server.kill();
    // A machine that stops loses what was not synced: files are gone, or half there.
    let unsynced = unsynced(&data_dir);
    assert!(!unsynced.is_empty(), "the last one was made a moment ago");
    for (place, location) in unsynced.iter().enumerate() {
        let path = data_dir.join(location);
        match place % 3 {
            0 => std::fs::remove_file(&path).expect("the file"),
            1 => std::fs::write(&path, b"ARROW1").expect("the file"),
            _ => {}
        }
    }
    let server = Server::builder().data_dir(&data_dir).start();
    for (id, number, location) in &answers {
        assert_eq!(server.result(&workspace, id).await["result"], json!([[number, "x"]]));
        assert!(data_dir.join(location).exists());
    }
    drop(server);
    assert_eq!(self::unsynced(&data_dir), Vec::<String>::new());
}

/// What the database keeps the bytes of.
fn unsynced(data_dir: &Path) -> Vec<String> {
    let database = rusqlite::Connection::open(data_dir.join("rowhouse.db")).expect("the database");
    let mut statement = database.prepare("SELECT location FROM small_results ORDER BY 1").expect("the table");
    let locations = statement.query_map([], |row| row.get(0)).expect("rows");
    locations.collect::<Result<_, _>>().expect("texts")
}
