//! Workspaces on a real Trino cluster: the documented flow, cancel, cache, kill, read-only access and configuration.
//! Skipped with a message if Trino is unavailable.

use std::time::{Duration, Instant};

use rowhouse_tests::{Server, ServerBuilder, Trino, binary, id_of, trino};
use serde_json::{Value, json};

/// Runs for minutes at Trino, and returns a row only at the end.
const SLOW: &str = "SELECT count(*) FROM tpch.sf100.lineitem WHERE l_comment LIKE '%no comment is this%'";

fn server(trino: &Trino) -> ServerBuilder {
    let url = trino.url();
    Server::builder().arguments(["--engine-kind", "trino", "--engine-trino-url", &url]).arguments([
        "--engine-trino-catalog",
        "tpch",
        "--engine-trino-schema",
        "tiny",
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_flow() {
    let Some(trino) = trino() else { return };
    let server = server(&trino).start();
    let workspace = server.demo().await;
    let sql = "SELECT * FROM nation ORDER BY n_nationkey; -- the end";
    let query = server.run(&workspace, sql).await;
    assert_eq!(query["status"], "FINISHED", "{query}");
    assert_eq!(query["rowCount"], 25);
    let id = query["statementId"].as_str().expect("an id");
    // The statement id is Trino's.
    trino.reaches(id, "FINISHED").await;
    let columns = query["columns"].as_array().expect("columns");
    assert_eq!(columns[1]["type"], "varchar(25)");
    assert_eq!(columns[1]["typeSignature"]["arguments"], json!([{ "kind": "LONG", "value": 25 }]));
    let stats = &query["queryStats"];
    assert_eq!((&stats["state"], &stats["nodes"]), (&json!("FINISHED"), &json!(1)), "{stats}");
    assert!(stats["totalSplits"].as_u64() > Some(0) && stats["processedRows"] == 25, "{stats}");
    assert!(!query["outputStage"]["subStages"].as_array().expect("stages").is_empty());
    let result = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
    let page = server.get(&format!("{result}&limit=2&offset=23&shape=objects")).await.ok();
    assert_eq!(page["result"][1]["n_name"], "UNITED STATES", "{page}");

    let rows = server.rows(&workspace, "SHOW CATALOGS").await;
    assert_eq!(rows, json!([["memory"], ["system"], ["tpch"]]));
    let rows = server.rows(&workspace, "DESCRIBE region").await;
    assert_eq!(rows[0], json!(["r_regionkey", "bigint", "", ""]));
    assert!(
        server.rows(&workspace, "EXPLAIN SELECT 1").await[0][0]
            .as_str()
            .expect("a plan")
            .contains("Fragment 0")
    );
    let sql = "SELECT decimal '12345678901234567890.123456789', map(array[1], array[row(1, 'a')]), \
               timestamp '2020-07-01 12:00:00.5 Europe/Berlin', interval '14' month, uuid '12151fd2-7586-11e9-8f9e-2a86e4085a59'";
    let rows = server.rows(&workspace, sql).await;
    assert_eq!(
        rows[0].as_array().expect("a row")[1..],
        [
            json!({ "1": { "field0": 1, "field1": "a" } }),
            json!("2020-07-01T12:00:00.5+02:00".replace(".5", ".500")),
            json!("1-2"),
            json!("12151fd2-7586-11e9-8f9e-2a86e4085a59"),
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_those_of_trino_and_forbidden_statements_do_not_reach_it() {
    let Some(trino) = trino() else { return };
    let server = server(&trino).start();
    let workspace = server.demo().await;
    let check = async |sql: &str, name: &str, place: Option<(u32, u32)>| {
        let query = server.run(&workspace, sql).await;
        assert_eq!(query["status"], "FAILED", "{sql}");
        let error = &query["error"];
        assert_eq!(error["errorName"], name, "{sql}: {error}");
        if let Some((line, column)) = place {
            let location = json!({ "lineNumber": line, "columnNumber": column });
            assert_eq!(error["errorLocation"], location, "{sql}");
            let prefix = format!("line {line}:{column}: ");
            assert!(error["message"].as_str().expect("a message").starts_with(&prefix), "{error}");
        }
    };
    check("SELECT *\nFROM nosuch", "TABLE_NOT_FOUND", Some((2, 6))).await;
    check("SELEC 1", "PERMISSION_DENIED", Some((1, 1))).await;
    check("SELECT * FORM nation", "SYNTAX_ERROR", Some((1, 10))).await;
    check("SELECT * FROM other.schema.t", "CATALOG_NOT_FOUND", Some((1, 15))).await;
    check("SELECT 1 / 0 AS reaches_it", "DIVISION_BY_ZERO", None).await;
    check("SELECT cast('x' AS bigint)", "INVALID_CAST_ARGUMENT", None).await;
    check("CREATE TABLE memory.default.is_kept_back AS SELECT 1 a", "PERMISSION_DENIED", Some((1, 1))).await;
    check("EXPLAIN ANALYZE DELETE FROM memory.default.is_kept_back", "PERMISSION_DENIED", Some((1, 17)))
        .await;
    check("USE tpch.is_kept_back", "NOT_SUPPORTED", Some((1, 1))).await;
    check("SELECT 1; SELECT 2 AS is_kept_back", "SYNTAX_ERROR", Some((1, 11))).await;
    // Other tests use the same cluster meanwhile: statements are recognized by their text.
    assert_eq!((trino.count_of("reaches_it").await, trino.count_of("is_kept_back").await), (1, 0));
    let body = json!({ "workspaceId": workspace, "name": "t", "location": "/srv/t.csv" });
    let answer = server.post("/api/v1/table", body).await;
    assert_eq!(answer.status, 400);
    assert!(String::from_utf8_lossy(&answer.body).contains("NOT_SUPPORTED"));
}

#[tokio::test(flavor = "multi_thread")]
async fn several_clusters_are_configured_by_name_and_one_is_writable() {
    let Some(trino) = trino() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("rowhouse.toml");
    let nowhere = "http://127.0.0.1:1";
    let text = format!(
        "[engine]\nkind = \"trino:main\"\n[engine.trino.main]\nurl = \"{0}\"\nuser = \"ann\"\ncatalog = \"memory\"\n\
         schema = \"default\"\nread_only = false\nsession = [\"query_max_run_time=5m\"]\n\
         [engine.trino.away]\nurl = \"{nowhere}\"\nretry_timeout = \"1s\"\n",
        trino.url()
    );
    std::fs::write(&file, text).expect("the file");
    let server = Server::builder().arguments(["--config", file.to_str().expect("UTF-8")]).start();
    let workspace = server.demo().await;
    let query = server.run(&workspace, "CREATE TABLE written AS SELECT 7 a").await;
    assert_eq!(query["status"], "FINISHED", "{query}");
    assert_eq!(server.rows(&workspace, "SELECT a, current_user FROM written").await, json!([[7, "ann"]]));
    assert_eq!(server.run(&workspace, "DROP TABLE written").await["status"], "FINISHED");
    let session = server.rows(&workspace, "SHOW SESSION LIKE 'query_max_run_time'").await;
    assert_eq!(session[0][1], "5m", "{session}");

    // An unreachable cluster fails its own statements only, and is reported.
    let away = server.new_workspace_on("away", "trino:away").await;
    let query = server.run(&away, "SELECT 1").await;
    assert_eq!(
        (&query["error"]["errorName"], &query["error"]["errorType"]),
        (&json!("GENERIC_EXTERNAL"), &json!("EXTERNAL"))
    );
    let message = query["error"]["message"].as_str().expect("a message");
    assert!(message.contains("'trino:away'") && message.contains("Connection refused"), "{message}");
    let status = seen_clusters(&server, &[("trino:away", "UNREACHABLE"), ("trino:main", "REACHABLE")]).await;
    assert_eq!(status["trino:main"]["version"], trino.version());
    assert!(status["trino:away"]["message"].as_str().expect("a reason").contains("Connection refused"));
    let output = std::process::Command::new(binary())
        .args(["status", "--server", &server.url(), "--token", server.admin_token()])
        .output()
        .expect("the command runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains("REACHABLE") && said.contains("UNREACHABLE") && said.contains("trino:main"),
        "{said}"
    );

    let body = json!({ "title": "x", "sqlName": "x", "engine": "trino:nosuch" });
    let answer = server.post("/api/v1/workspace", body).await;
    let body: Value = serde_json::from_slice(&answer.body).expect("JSON");
    assert_eq!((answer.status, &body["code"]), (400, &json!("NOT_SUPPORTED")));
    assert!(body["message"].as_str().expect("a message").contains("trino:away, trino:main"), "{body}");
    let body = json!({ "title": "x", "sqlName": "x", "engine": "Trino" });
    assert_eq!(server.post("/api/v1/workspace", body).await.status, 400);
}

/// The clusters of the service's status by name, once each has the expected status. A busy cluster may first be seen
/// with another status; it is checked every 10 seconds.
async fn seen_clusters(server: &Server, expected: &[(&str, &str)]) -> Value {
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let status = server.get("/api/v1/service/SQL_ENGINE").await.ok();
        let clusters = status["clusters"].as_array().expect("clusters").iter();
        let named =
            clusters.map(|cluster| (cluster["name"].as_str().unwrap_or("").to_owned(), cluster.clone()));
        let named: Value = named.collect::<serde_json::Map<_, _>>().into();
        if expected.iter().all(|(name, state)| named[name]["status"] == *state) {
            return named;
        }
        assert!(Instant::now() < deadline, "not {expected:?}: {named}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_stops_the_statement_at_trino() {
    let Some(trino) = trino() else { return };
    let server = server(&trino).start();
    let workspace = server.demo().await;
    let query = server.submit(&workspace, SLOW).await;
    let running = server.wait_for_status(&workspace, &id_of(&query), "RUNNING").await;
    let id = running["statementId"].as_str().expect("an id").to_owned();
    trino.reaches(&id, "RUNNING").await;
    let canceled = server.cancel(&workspace, &id_of(&query)).await;
    assert_eq!(
        (&canceled["status"], &canceled["error"]["errorName"]),
        (&json!("FAILED"), &json!("USER_CANCELED"))
    );
    trino.reaches(&id, "FAILED").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_limit_stops_the_statement_at_trino() {
    let Some(trino) = trino() else { return };
    // If Trino is busy, the time limit may be over before it has accepted the statement: then the test repeats with a
    // longer one.
    for limit in ["3s", "15s", "60s"] {
        let server = server(&trino).arguments(["--engine-statement-timeout", limit]).start();
        let workspace = server.demo().await;
        let query = server.run(&workspace, SLOW).await;
        assert_eq!(query["error"]["errorName"], "EXCEEDED_TIME_LIMIT", "{query}");
        let id = query["statementId"].as_str().expect("an id");
        if trino.knows(id).await {
            return trino.reaches(id, "FAILED").await;
        }
    }
    panic!("Trino does not take a statement within a minute");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_leaves_nothing_running_at_trino() {
    let Some(trino) = trino() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = server(&trino).data_dir(folder.path().join("data")).start();
    let workspace = first.demo().await;
    let query = first.submit(&workspace, SLOW).await;
    let running = first.wait_for_status(&workspace, &id_of(&query), "RUNNING").await;
    let id = running["statementId"].as_str().expect("an id").to_owned();
    trino.reaches(&id, "RUNNING").await;
    first.kill();
    // The killed server has not canceled the statement at Trino.
    assert_eq!(trino.state_of(&id).await, "RUNNING");

    let second = server(&trino).data_dir(folder.path().join("data")).start();
    let record = second.finish(&workspace, &id_of(&query)).await;
    assert_eq!(record["error"]["errorName"], "SERVER_SHUTTING_DOWN", "{record}");
    trino.reaches(&id, "FAILED").await;
    let notes = || std::fs::read_dir(folder.path().join("data/trino")).map_or(0, Iterator::count);
    while notes() > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(second.rows(&workspace, "SELECT 1").await, json!([[1]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_cancels_statements_at_trino() {
    let Some(trino) = trino() else { return };
    let mut server = server(&trino).arguments(["--limits-shutdown-timeout", "0s"]).start();
    let workspace = server.demo().await;
    let query = server.submit(&workspace, SLOW).await;
    let running = server.wait_for_status(&workspace, &id_of(&query), "RUNNING").await;
    assert_eq!(server.terminate(Duration::from_secs(30)), Some(0));
    trino.reaches(running["statementId"].as_str().expect("an id"), "FAILED").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cache_hit_does_not_reach_trino() {
    let Some(trino) = trino() else { return };
    let server = server(&trino).start();
    let workspace = server.demo().await;
    let sql = "SELECT n_name FROM nation WHERE n_comment LIKE '%a_cache_hit%' OR n_nationkey = 7";
    let first = server.submit_cached(&workspace, sql, 600, false).await;
    let first = server.finish(&workspace, &id_of(&first)).await;
    assert_eq!(first["status"], "FINISHED", "{first}");
    assert_eq!(trino.count_of("a_cache_hit").await, 1);
    let again = format!("-- again\n{}", sql.replace("SELECT", "select"));
    let hit = server.submit_cached(&workspace, &again, 600, false).await;
    assert_eq!(
        (&hit["status"], &hit["fromCache"], &hit["statementId"]),
        (&json!("FINISHED"), &json!(true), &Value::Null)
    );
    assert_eq!(server.result(&workspace, &id_of(&hit)).await["result"], json!([["GERMANY"]]));
    assert_eq!(trino.count_of("a_cache_hit").await, 1, "Trino has not seen it again");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalog_is_that_of_the_cluster() {
    let Some(trino) = trino() else { return };
    let server = server(&trino).start();
    let workspace = server.demo().await;
    let place = format!("/api/v1/catalog?workspaceId={workspace}");
    let names = |values: &Value, field: &str| -> Vec<String> {
        let values = values.as_array().expect("an array").iter();
        values.map(|value| value[field].as_str().expect("a name").to_owned()).collect()
    };

    // Without a catalog or schema: the catalogs, and the contents of the defaults.
    let root = server.get(&place).await.ok();
    assert_eq!((&root["defaultCatalog"], &root["defaultSchema"]), (&json!("tpch"), &json!("tiny")));
    assert_eq!(root["catalogs"], json!(["memory", "system", "tpch"]));
    let schemas = names(&root["schemas"], "name");
    assert!(
        schemas.contains(&"tiny".to_owned()) && schemas.contains(&"information_schema".to_owned()),
        "{schemas:?}"
    );
    assert!(names(&root["schemas"], "catalog").iter().all(|catalog| catalog == "tpch"));
    let tables = names(&root["tables"], "name");
    assert_eq!(
        tables,
        ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"]
    );
    assert!(root["truncated"].is_null() && !root["functions"].as_array().expect("functions").is_empty());

    // Every listed table can be queried, and has the listed columns.
    for table in root["tables"].as_array().expect("tables") {
        assert_eq!(table["kind"], "TABLE");
        let sql = format!("SELECT * FROM tpch.tiny.{} WHERE 1 = 0", table["name"].as_str().expect("a name"));
        let query = server.run(&workspace, &sql).await;
        assert_eq!(query["columns"], table["columns"], "{sql}: {query}");
    }

    let other = server.get(&format!("{place}&catalog=memory")).await.ok();
    let mut schemas = names(&other["schemas"], "name");
    // Another test makes it, of which the cluster may know already.
    schemas.retain(|name| name != "told");
    assert_eq!(schemas, ["default", "information_schema"]);
    assert_eq!(other["tables"], json!([]));
    let other = server.get(&format!("{place}&catalog=system&schema=runtime")).await.ok();
    assert!(names(&other["tables"], "name").contains(&"nodes".to_owned()), "{other}");
    let same = server.get(&format!("{place}&schema=tiny")).await.ok();
    assert_eq!(same["tables"], root["tables"], "of the default catalog");

    // An answer is cached for all callers: one statement at the cluster. Names are quoted, so that a quote inside does
    // not end them.
    let asked = async |part: &str| trino.count_of(part).await;
    assert!(
        server.get(&format!("{place}&schema=asked_once")).await.ok()["tables"]
            .as_array()
            .is_some_and(Vec::is_empty)
    );
    let others = server.new_workspace_on("others", "trino").await;
    server.get(&format!("/api/v1/catalog?workspaceId={others}&catalog=tpch&schema=asked_once")).await.ok();
    assert_eq!(asked("asked_once").await, 1);
    let odd = server.get(&format!("{place}&schema=it%27s%20%22odd%22")).await.ok();
    assert_eq!(odd["tables"], json!([]));
    let refused = server.get(&format!("{place}&catalog=no%22such")).await;
    let body: Value = serde_json::from_slice(&refused.body).expect("JSON");
    assert_eq!((refused.status, &body["code"]), (400, &json!("CATALOG_NOT_FOUND")), "{body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalog_lists_views_of_a_cluster_and_reports_an_unreachable_one() {
    let Some(trino) = trino() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("rowhouse.toml");
    let text = format!(
        "[engine]\nkind = \"trino:main\"\n[engine.trino.main]\nurl = \"{}\"\nread_only = false\n\
         [engine.trino.away]\nurl = \"http://127.0.0.1:1\"\nretry_timeout = \"1s\"\n",
        trino.url()
    );
    std::fs::write(&file, text).expect("the file");
    let server = Server::builder().arguments(["--config", file.to_str().expect("UTF-8")]).start();
    let workspace = server.demo().await;
    let query = server.run(&workspace, "CREATE SCHEMA memory.told").await;
    assert_eq!(query["status"], "FINISHED", "{query}");
    let query = server.run(&workspace, "CREATE VIEW memory.told.few AS SELECT 1 a, 'x' b").await;
    assert_eq!(query["status"], "FINISHED", "{query}");
    // Without defaults there are only catalogs, and a schema requires its catalog.
    let place = format!("/api/v1/catalog?workspaceId={workspace}");
    let root = server.get(&place).await.ok();
    assert_eq!((&root["schemas"], &root["defaultCatalog"]), (&json!([]), &Value::Null));
    assert_eq!(server.get(&format!("{place}&schema=told")).await.status, 400);
    let listed = server.get(&format!("{place}&catalog=memory&schema=told")).await.ok();
    assert_eq!(
        (&listed["tables"][0]["name"], &listed["tables"][0]["kind"]),
        (&json!("few"), &json!("VIEW")),
        "{listed}"
    );
    assert_eq!(listed["tables"][0]["columns"][1]["type"], "varchar(1)", "{listed}");

    let away = server.new_workspace_on("away", "trino:away").await;
    let refused = server.get(&format!("/api/v1/catalog?workspaceId={away}")).await;
    let body: Value = serde_json::from_slice(&refused.body).expect("JSON");
    assert_eq!((refused.status, &body["code"]), (400, &json!("GENERIC_EXTERNAL")), "{body}");
    assert!(body["message"].as_str().expect("a message").contains("Connection refused"), "{body}");
}
