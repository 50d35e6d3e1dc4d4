//! What tools query to discover a server: the tables of `system` and `information_schema`, SHOW and EXPLAIN, run to
//! their rows. The tests of the analyzer compare columns and types with Trino's.

use std::fs;

use rowhouse_tests::{SharedServer, data_file};
use serde_json::{Map, Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

fn stored(name: &str) -> Map<String, Value> {
    let text =
        fs::read_to_string(data_file("").join("../trino_metadata").join(name)).expect("a stored answer");
    serde_json::from_str(&text).expect("JSON")
}

/// Every statement that Trino answers is answered here, and every other one fails with Trino's error.
#[tokio::test]
async fn statements_of_tools_run_to_their_end() {
    let server = SERVER.get();
    let workspace = server.new_workspace("tiny").await;
    let mut count = 0;
    for (sql, answer) in stored("statements.json") {
        // The recorded schema of Trino has these tables.
        let sql =
            sql.replace("FROM nation", "FROM tpch.tiny.nation").replace("IN nation", "IN tpch.tiny.nation");
        let sql =
            sql.replace(" nation", " tpch.tiny.nation").replace("TABLE nation", "TABLE tpch.tiny.nation");
        let query = server.run(&workspace, &sql).await;
        match answer {
            Value::String(name) => assert_eq!(query["error"]["errorName"], json!(name), "{sql}: {query}"),
            _ => assert_eq!(query["status"], "FINISHED", "{sql}: {query}"),
        }
        count += 1;
    }
    assert!(count > 90);
    for (name, _) in stored("tables.json") {
        let query = server.run(&workspace, &format!("SELECT * FROM system.{name}")).await;
        assert_eq!(query["status"], "FINISHED", "{name}: {query}");
    }
}

#[tokio::test]
async fn tables_and_materialized_views_are_distinguished() {
    let server = SERVER.get();
    let workspace = server.new_workspace("told_apart").await;
    server.new_table(&workspace, "typed", &data_file("types.parquet")).await;
    let sql = "-- Service API: required(\"r:eq\")\nSELECT r_regionkey AS r, r_name FROM tpch.tiny.region";
    let body =
        json!({ "workspaceId": workspace, "sqlName": "regions", "sql": sql, "description": "it's all" });
    let view = server.post("/api/v1/materializedView", body).await.ok();
    server.finish(&workspace, view["refreshQueryId"].as_str().expect("a refresh")).await;
    let rows = |sql: &'static str| server.rows(&workspace, sql);

    let listed = "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'told_apart' ORDER BY 1";
    assert_eq!(rows(listed).await, json!([["regions", "BASE TABLE"], ["typed", "BASE TABLE"]]));
    let views = "SELECT catalog_name, schema_name, name, freshness, last_fresh_time IS NULL, comment, definition \
        FROM system.metadata.materialized_views";
    let expected = json!([["rowhouse", "told_apart", "regions", "UNKNOWN", false, "it's all", sql]]);
    assert_eq!(rows(views).await, expected);
    let comments = "SELECT table_name, comment FROM system.metadata.table_comments WHERE schema_name = 'told_apart' ORDER BY 1";
    assert_eq!(rows(comments).await, json!([["regions", "it's all"], ["typed", null]]));
    let created =
        format!("CREATE MATERIALIZED VIEW rowhouse.told_apart.regions\nCOMMENT 'it''s all' AS\n{sql}");
    assert_eq!(rows("SHOW CREATE MATERIALIZED VIEW regions").await, json!([[created]]));
    let query = server.run(&workspace, "SHOW CREATE TABLE regions").await;
    let message = query["error"]["message"].as_str().unwrap_or_default();
    assert!(
        message.ends_with("Relation 'rowhouse.told_apart.regions' is a materialized view, not a table"),
        "{query}"
    );
    assert_eq!(
        rows("DESCRIBE regions").await,
        json!([["r", "bigint", "", ""], ["r_name", "varchar(25)", "", ""]])
    );
    // Another workspace sees none of them.
    let other = server.new_workspace("told_elsewhere").await;
    assert_eq!(server.rows(&other, views).await, json!([]));
    let names = "SELECT count(*) FROM system.jdbc.columns WHERE table_schem = 'told_apart'";
    assert_eq!(server.rows(&other, names).await, json!([[0]]));
}

/// A column has the same name and type in every listing.
#[tokio::test]
async fn columns_are_the_same_in_every_listing() {
    let server = SERVER.get();
    let workspace = server.new_workspace("told_alike").await;
    server.new_table(&workspace, "typed", &data_file("types.parquet")).await;
    let described = server.rows(&workspace, "SELECT * FROM typed WHERE false").await;
    assert_eq!(described, json!([]));
    let shown = server.rows(&workspace, "SHOW COLUMNS FROM typed").await;
    let shown: Vec<Value> =
        shown.as_array().expect("rows").iter().map(|row| json!([row[0], row[1]])).collect();
    assert!(shown.len() > 5, "{shown:?}");
    let from = "WHERE table_schema = 'told_alike' ORDER BY ordinal_position";
    let sql = format!("SELECT column_name, data_type FROM information_schema.columns {from}");
    assert_eq!(server.rows(&workspace, &sql).await, json!(shown));
    let sql = "SELECT column_name, type_name FROM system.jdbc.columns WHERE table_schem LIKE 'told\\_alike' ESCAPE '\\' \
        ORDER BY ordinal_position";
    assert_eq!(server.rows(&workspace, sql).await, json!(shown));
}

#[tokio::test]
async fn runtime_queries_lists_statements_of_the_workspace() {
    let server = SERVER.get();
    let workspace = server.new_workspace("told_statements").await;
    server.run(&workspace, "SELECT 1 + 1").await;
    server.run(&workspace, "SELECT nothing").await;
    let sql = "SELECT query, state, user, error_type, error_code, started >= created, \"end\" >= started \
        FROM system.runtime.queries ORDER BY created, state";
    let rows = server.rows(&workspace, sql).await;
    let rows = rows.as_array().expect("rows");
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert_eq!(rows[0], json!(["SELECT 1 + 1", "FINISHED", "admin", null, null, true, true]));
    assert_eq!(
        rows[1],
        json!(["SELECT nothing", "FAILED", "admin", "USER_ERROR", "COLUMN_NOT_FOUND", true, true])
    );
    assert_eq!((&rows[2][0], &rows[2][6]), (&json!(sql), &Value::Null));
    let tasks = "SELECT count(*) FROM system.runtime.tasks WHERE state = 'FINISHED' AND output_rows = 1";
    assert_eq!(server.rows(&workspace, tasks).await, json!([[1]]));
    let other = server.new_workspace("told_no_statements").await;
    let own = "SELECT count(*) FROM system.runtime.queries";
    assert_eq!(server.rows(&other, own).await, json!([[1]]));
}

#[tokio::test]
async fn explain_supports_every_format() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let explained = async |sql: &str| {
        let rows = server.rows(&workspace, sql).await;
        assert_eq!(rows.as_array().map(Vec::len), Some(1), "{sql}: {rows}");
        rows[0][0].as_str().unwrap_or_else(|| panic!("{sql}: {rows}")).to_owned()
    };
    let of = "SELECT n_name FROM tpch.tiny.nation WHERE n_nationkey < 5";
    let read = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    let plan = read(&explained(&format!("EXPLAIN (FORMAT JSON) {of}")).await);
    assert_eq!(plan["0"]["name"], "Output");
    assert_eq!(plan["0"]["descriptor"]["columnNames"], "[n_name]");
    let inputs = read(&explained(&format!("EXPLAIN (TYPE IO, FORMAT JSON) {of}")).await);
    let input = &inputs["inputTableColumnInfos"][0];
    assert_eq!(input["table"]["schemaTable"], json!({ "schema": "tiny", "table": "nation" }));
    assert_eq!(input["estimate"]["outputRowCount"], 25);
    assert!(
        explained(&format!("EXPLAIN (FORMAT GRAPHVIZ) {of}")).await.starts_with("digraph distributed_plan {")
    );
    let text = explained(&format!("EXPLAIN {of}")).await;
    let analyzed = explained(&format!("EXPLAIN ANALYZE {of}")).await;
    assert!(analyzed.contains("Input: 25 rows (") && analyzed.contains("Output: 5 rows ("), "{analyzed}");
    // The actual row counts are printed beside the estimates.
    assert!(text.contains("{rows: ") && analyzed.contains("{rows: 5, estimated: "), "{analyzed}");
}
