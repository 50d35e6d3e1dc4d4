//! The query cache: when it applies (D19), what counts as the same statement, and runs that several callers
//! share (D20).

use std::collections::HashSet;
use std::time::Duration;

use rowhouse_tests::{SLOW_SQL, Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

/// Runs a statement with the cache's two fields to its end; returns whether the result came from the cache.
async fn is_hit(server: &Server, workspace: &str, sql: &str, ttl: u64, refresh: bool) -> bool {
    let query = server.submit_cached(workspace, sql, ttl, refresh).await;
    let born_finished = query["status"] == "FINISHED";
    let query = server.finish(workspace, &id_of(&query)).await;
    assert_eq!(query["status"], "FINISHED", "{sql}: {query}");
    let from_cache = query["fromCache"].as_bool().expect("fromCache");
    if from_cache && born_finished {
        assert_eq!(query["statementId"], Value::Null, "{query}");
    } else {
        assert!(query["statementId"].is_string(), "{query}");
    }
    from_cache
}

#[tokio::test]
async fn the_cache_is_read_only_with_both_fields() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let sql = "SELECT 'both fields', count(*) FROM tpch.tiny.nation";
    let submit = async |mut body: Value| {
        body["workspaceId"] = json!(workspace);
        body["sql"] = json!(sql);
        let query = server.post("/api/v1/query", body).await.ok();
        server.finish(&workspace, &id_of(&query)).await["fromCache"].clone()
    };
    // With one field or none the cache is not read, but the result is stored for later.
    for body in [json!({}), json!({}), json!({ "cacheTTL": 600 }), json!({ "cacheRefresh": false })] {
        assert_eq!(submit(body.clone()).await, false, "{body}");
    }
    assert!(is_hit(&server, &workspace, sql, 600, false).await, "stored by a run without the fields");
    assert!(!is_hit(&server, &workspace, sql, 0, false).await, "a TTL of 0 always runs");
    assert!(!is_hit(&server, &workspace, sql, 600, true).await, "a refresh runs");
    assert!(is_hit(&server, &workspace, sql, 600, false).await);
    assert_eq!(submit(json!({ "cacheTTL": 600 })).await, false);
}

#[tokio::test]
async fn a_cache_hit_has_its_own_record_and_the_same_rows() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let sql = "SELECT n_name, n_nationkey AS own_record FROM tpch.tiny.nation ORDER BY 1";
    let first =
        server.finish(&workspace, &id_of(&server.submit_cached(&workspace, sql, 60, false).await)).await;
    let hit = server.submit_cached(&workspace, sql, 60, false).await;
    assert_eq!((&hit["status"], &hit["fromCache"]), (&json!("FINISHED"), &json!(true)), "{hit}");
    assert_eq!(hit.get("statementId"), Some(&Value::Null), "{hit}");
    assert_ne!(hit["id"], first["id"]);
    for field in ["rowCount", "columns", "sql", "dataFormat"] {
        assert_eq!(hit[field], first[field], "{field}");
    }
    let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=1000")).await.ok();
    let ids: Vec<String> = list["result"].as_array().expect("records").iter().map(id_of).collect();
    assert!(ids.contains(&id_of(&hit)) && ids.contains(&id_of(&first)));
    let rows = server.result(&workspace, &id_of(&first)).await;
    assert_eq!(server.result(&workspace, &id_of(&hit)).await, rows);
    assert_eq!(rows["rowCount"], 25);
}

#[tokio::test]
async fn the_age_of_an_entry_counts_from_its_run() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let sql = "SELECT 'age of an entry'";
    assert!(!is_hit(&server, &workspace, sql, 1, false).await);
    tokio::time::sleep(Duration::from_millis(1200)).await;
    // The caller decides how old the result may be.
    assert!(is_hit(&server, &workspace, sql, 600, false).await);
    assert!(!is_hit(&server, &workspace, sql, 1, false).await, "older than a second");
    assert!(is_hit(&server, &workspace, sql, 60, false).await, "the second run is the entry now");
}

#[tokio::test]
async fn a_cache_refresh_replaces_the_entry() {
    let server = SERVER.get();
    let workspace = server.new_workspace("refreshing").await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("changing.csv");
    std::fs::write(&file, "n\n1\n").expect("a file");
    let body = json!({ "workspaceId": workspace, "name": "changing", "location": file });
    server.post("/api/v1/table", body).await.ok();
    let sql = "SELECT max(n) FROM changing";
    let rows = async |ttl: u64, refresh: bool| {
        let query = server.submit_cached(&workspace, sql, ttl, refresh).await;
        let query = server.finish(&workspace, &id_of(&query)).await;
        assert_eq!(query["status"], "FINISHED", "{query}");
        server.result(&workspace, &id_of(&query)).await["result"][0][0].clone()
    };
    assert_eq!(rows(600, false).await, 1);
    std::fs::write(&file, "n\n1\n2\n").expect("a file");
    assert_eq!(rows(600, false).await, 1, "the cache knows the statement, not the file");
    assert_eq!(rows(600, true).await, 2);
    assert_eq!(rows(600, false).await, 2, "the new result took the entry's place");
}

#[tokio::test]
async fn the_same_tokens_are_the_same_statement() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let sql =
        "SELECT n_name AS \"Name\", count(*) FROM tpch.tiny.nation WHERE n_name = 'CHINA' GROUP BY n_name";
    assert!(!is_hit(&server, &workspace, sql, 600, false).await);
    for same in [
        sql.to_owned(),
        format!("{sql};"),
        format!("  \n\t{sql}  ;  \n"),
        sql.replace("SELECT", "select").replace("FROM", "From").replace("GROUP BY", "group   by"),
        sql.replace(" WHERE", " /* a; comment */ where -- to the end\n"),
        sql.replace("= 'CHINA'", "='CHINA'").replace("count(*)", "count ( * )"),
        format!("-- leading\n{sql} -- trailing"),
        sql.replace(' ', "\r\n"),
    ] {
        assert!(is_hit(&server, &workspace, &same, 600, false).await, "the same: {same}");
    }
    for other in [
        sql.replace("'CHINA'", "'china'"),
        sql.replace("'CHINA'", "'CHINA '"),
        sql.replace("'CHINA'", "'CH--INA'"),
        sql.replace("\"Name\"", "\"name\""),
        sql.replace("\"Name\"", "\"Name \""),
        sql.replace("\"Name\"", "Name"),
        // Only reserved words fold; a name that is not reserved is compared exactly.
        sql.replace("n_name = ", "N_NAME = "),
        sql.replace("count(*)", "count(1)"),
        sql.replace("= 'CHINA'", "= 'CHINA' AND true"),
    ] {
        assert!(!is_hit(&server, &workspace, &other, 600, false).await, "another: {other}");
    }
    assert!(is_hit(&server, &workspace, sql, 600, false).await);
}

#[tokio::test]
async fn an_entry_belongs_to_its_workspace() {
    let server = SERVER.get();
    let (one, other) = (server.new_workspace("cache_one").await, server.new_workspace("cache_other").await);
    assert!(!is_hit(&server, &one, "SELECT 'of one workspace'", 600, false).await);
    assert!(!is_hit(&server, &other, "SELECT 'of one workspace'", 600, false).await);
    assert!(is_hit(&server, &one, "SELECT 'of one workspace'", 600, false).await);
}

#[tokio::test]
async fn failed_runs_are_not_cached() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    for sql in ["SELECT CAST(n_name AS bigint) FROM tpch.tiny.nation", "SELECT nope"] {
        let mut statements = HashSet::new();
        for _ in 0..2 {
            let query = server.submit_cached(&workspace, sql, 600, false).await;
            let query = server.finish(&workspace, &id_of(&query)).await;
            assert_eq!(query["status"], "FAILED", "{sql}: {query}");
            assert_ne!(query["fromCache"], true, "{sql}: {query}");
            statements.insert(query["id"].to_string());
        }
        assert_eq!(statements.len(), 2);
    }
    let slow = id_of(&server.submit_cached(&workspace, SLOW_SQL, 600, false).await);
    server.wait_for_status(&workspace, &slow, "RUNNING").await;
    server.cancel(&workspace, &slow).await;
    server.finish(&workspace, &slow).await;
    let again = server.submit_cached(&workspace, SLOW_SQL, 600, false).await;
    assert_ne!(again["status"], "FINISHED", "{again}");
    server.cancel(&workspace, &id_of(&again)).await;
}

/// A server whose only slot is taken until the statement with the returned id is canceled.
async fn blocked_server() -> (Server, String, String) {
    let server = Server::builder().arguments(["--engine-concurrency", "1"]).start();
    let workspace = server.demo().await;
    let blocker = id_of(&server.submit(&workspace, SLOW_SQL).await);
    server.wait_for_status(&workspace, &blocker, "RUNNING").await;
    (server, workspace, blocker)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identical_statements_share_one_run() {
    let (server, workspace, blocker) = blocked_server().await;
    let sql = "SELECT count(*) AS shared FROM tpch.tiny.orders";
    let mut ids = Vec::new();
    // Submitted concurrently, each with a different spelling.
    let submits = (0..20).map(|number| {
        let sql = format!("{sql} /* {number} */");
        let (server, workspace) = (&server, &workspace);
        async move { server.submit_cached(workspace, &sql, 600, false).await }
    });
    let mut pending: Vec<_> = submits.map(Box::pin).collect();
    while let Some(submit) = pending.pop() {
        let second = pending.pop();
        let (one, two) = tokio::join!(submit, async {
            match second {
                Some(second) => Some(second.await),
                None => None,
            }
        });
        ids.extend([Some(one), two].into_iter().flatten().map(|query| id_of(&query)));
    }
    // Statements that do not join the run: no fields, a refresh, a TTL of 0.
    let alone = [
        id_of(&server.submit(&workspace, sql).await),
        id_of(&server.submit_cached(&workspace, sql, 600, true).await),
        id_of(&server.submit_cached(&workspace, sql, 0, false).await),
    ];
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 20, "each has its own record");
    server.cancel(&workspace, &blocker).await;
    let mut statements = HashSet::new();
    let mut ran = 0;
    for id in &ids {
        let query = server.finish(&workspace, id).await;
        assert_eq!(query["status"], "FINISHED", "{query}");
        statements.insert(query["statementId"].as_str().expect("a run's id").to_owned());
        ran += usize::from(query["fromCache"] == false);
        assert_eq!(server.result(&workspace, id).await["result"], json!([[15_000]]));
    }
    assert_eq!((statements.len(), ran), (1, 1), "one run, and all but its first are joiners");
    for id in &alone {
        let query = server.finish(&workspace, id).await;
        assert_eq!((&query["status"], &query["fromCache"]), (&json!("FINISHED"), &json!(false)), "{query}");
        assert!(
            statements.insert(query["statementId"].as_str().expect("an id").to_owned()),
            "a run of its own"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn canceling_one_member_does_not_end_the_run() {
    let (server, workspace, blocker) = blocked_server().await;
    let sql = "SELECT count(*) AS members FROM tpch.tiny.orders";
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(id_of(&server.submit_cached(&workspace, sql, 600, false).await));
    }
    // The statement that started the run, and one that joined it.
    for id in [&ids[0], &ids[2]] {
        server.cancel(&workspace, id).await;
        let query = server.finish(&workspace, id).await;
        assert_eq!(query["error"]["errorName"], "USER_CANCELED", "{query}");
        assert_ne!(query["fromCache"], true, "{query}");
    }
    for id in [&ids[1], &ids[3]] {
        let path = format!("/api/v1/query/{id}?workspaceId={workspace}");
        assert_eq!(server.get(&path).await.ok()["status"], "QUEUED");
    }
    server.cancel(&workspace, &blocker).await;
    for id in [&ids[1], &ids[3]] {
        let query = server.finish(&workspace, id).await;
        assert_eq!(query["status"], "FINISHED", "{query}");
        assert_eq!(server.result(&workspace, id).await["result"], json!([[15_000]]));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn canceling_the_last_member_ends_the_run() {
    let server = Server::builder().arguments(["--engine-concurrency", "1"]).start();
    let workspace = server.demo().await;
    let mut members = Vec::new();
    for _ in 0..3 {
        members.push(id_of(&server.submit_cached(&workspace, SLOW_SQL, 600, false).await));
    }
    for id in &members {
        server.wait_for_status(&workspace, id, "RUNNING").await;
    }
    let next = id_of(&server.submit(&workspace, "SELECT 1").await);
    for id in &members[..2] {
        server.cancel(&workspace, id).await;
    }
    let path = |id: &str| format!("/api/v1/query/{id}?workspaceId={workspace}");
    assert_eq!(server.get(&path(&members[2])).await.ok()["status"], "RUNNING");
    assert_eq!(server.get(&path(&next)).await.ok()["status"], "QUEUED", "the run goes on");
    server.cancel(&workspace, &members[2]).await;
    let query = server.get(&format!("{}&wait=10", path(&next))).await.ok();
    assert_eq!(query["status"], "FINISHED", "the slot is free: {query}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_run_fails_all_its_members() {
    let (server, workspace, blocker) = blocked_server().await;
    let sql = "SELECT CAST(n_name AS bigint) FROM tpch.tiny.nation";
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(id_of(&server.submit_cached(&workspace, sql, 600, false).await));
    }
    server.cancel(&workspace, &blocker).await;
    let first = server.finish(&workspace, &ids[0]).await;
    assert_eq!(first["error"]["errorName"], "INVALID_CAST_ARGUMENT", "{first}");
    for id in &ids {
        let query = server.finish(&workspace, id).await;
        assert_eq!((&query["status"], &query["error"]), (&json!("FAILED"), &first["error"]), "{query}");
        assert_eq!(query["fromCache"], false, "{query}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_survives_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let sql = "SELECT count(*) AS lasting FROM tpch.tiny.nation";
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.demo().await;
    assert!(!is_hit(&server, &workspace, sql, 600, false).await);
    server.terminate(Duration::from_secs(20));
    let mut server = Server::builder().data_dir(&data_dir).start();
    assert!(is_hit(&server, &workspace, sql, 600, false).await);
    server.kill();
    let server = Server::builder().data_dir(&data_dir).start();
    let hit = server.submit_cached(&workspace, sql, 600, false).await;
    assert_eq!(hit["fromCache"], true, "{hit}");
    assert_eq!(server.result(&workspace, &id_of(&hit)).await["result"], json!([[25]]));
}
