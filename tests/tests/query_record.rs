//! The Query object over HTTP: every field with its JSON type and when it is present, the errors of invalid SQL with
//! their locations (D4, D5), source, columns and statistics (D13 to D16).

use rowhouse_tests::{SLOW_SQL, Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

/// The 16 statistics, each but the first three a number.
const STATISTICS: [&str; 16] = [
    "state",
    "queued",
    "scheduled",
    "nodes",
    "totalSplits",
    "queuedSplits",
    "runningSplits",
    "completedSplits",
    "cpuTimeMillis",
    "wallTimeMillis",
    "queuedTimeMillis",
    "elapsedTimeMillis",
    "processedRows",
    "processedBytes",
    "peakMemoryBytes",
    "spilledBytes",
];

/// Checks each field of a record against the specification's table, and that no other field is present.
#[track_caller]
fn check_types(query: &Value) {
    let object = query.as_object().expect("an object");
    for field in ["id", "statementId", "workspaceId"] {
        assert!(object.contains_key(field), "no {field} in {query}");
    }
    for (field, value) in object {
        let is_right = match field.as_str() {
            "statementId" | "accountId" => value.is_string() || value.is_null(),
            "id" | "workspaceId" | "startedAt" | "sql" | "workspaceSqlName" | "location" | "userId"
            | "userType" => value.as_str().is_some_and(|text| !text.is_empty()),
            "status" => {
                ["QUEUED", "PLANNING", "RUNNING", "FINISHED", "FAILED"].iter().any(|name| value == name)
            }
            "source" | "dataFormat" => value.is_string(),
            "duration" | "rowCount" => value.as_f64().is_some_and(|number| number >= 0.0),
            "fromCache" => value.is_boolean(),
            // Present if the submit consulted the cache.
            "cache" => value["outcome"].is_string(),
            "error" | "queryStats" | "outputStage" => value.is_object(),
            "columns" => value.as_array().is_some_and(|columns| columns.iter().all(Value::is_object)),
            _ => panic!("an unknown field {field} in {query}"),
        };
        assert!(is_right, "{field} is {value} in {query}");
    }
    if let Some(started_at) = object.get("startedAt") {
        check_timestamp(started_at);
    }
}

/// A timestamp such as `2026-01-31T23:59:59.999Z` (D13).
#[track_caller]
fn check_timestamp(value: &Value) {
    let text = value.as_str().expect("a text");
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(shape, "0000-00-00T00:00:00.000Z", "{text}");
}

#[track_caller]
fn check_present(query: &Value, fields: &[&str]) {
    for field in fields {
        assert!(!query[field].is_null(), "no {field} in {query}");
    }
}

/// The fields that a record has from the start.
const ALWAYS: [&str; 8] =
    ["id", "accountId", "status", "sql", "workspaceId", "workspaceSqlName", "userId", "source"];

#[tokio::test]
async fn records_have_the_specified_fields_in_every_state() {
    let server = Server::builder().arguments(["--engine-concurrency", "1"]).start();
    let workspace = server.demo().await;
    let running = server.submit(&workspace, SLOW_SQL).await;
    let running = server.wait_for_status(&workspace, &id_of(&running), "RUNNING").await;
    check_types(&running);
    check_present(&running, &ALWAYS);
    check_present(&running, &["startedAt", "duration", "statementId", "userType"]);
    let queued = server.submit(&workspace, "SELECT n_name FROM tpch.tiny.nation").await;
    check_types(&queued);
    check_present(&queued, &ALWAYS);
    assert_eq!(queued["status"], "QUEUED");
    for field in ["error", "rowCount", "columns", "location"] {
        assert!(queued[field].is_null(), "{field} in {queued}");
    }
    assert_eq!(queued["sql"], "SELECT n_name FROM tpch.tiny.nation");
    assert_eq!((&queued["workspaceId"], &queued["workspaceSqlName"]), (&json!(workspace), &json!("demo")));
    server.cancel(&workspace, &id_of(&running)).await;

    let finished = server.finish(&workspace, &id_of(&queued)).await;
    assert_eq!(finished["status"], "FINISHED", "{finished}");
    check_types(&finished);
    check_present(&finished, &ALWAYS);
    let fields = [
        "statementId",
        "startedAt",
        "duration",
        "userType",
        "rowCount",
        "fromCache",
        "columns",
        "queryStats",
        "outputStage",
        "dataFormat",
        "location",
    ];
    check_present(&finished, &fields);
    assert!(finished.get("error").is_none(), "{finished}");
    assert_eq!((&finished["rowCount"], &finished["fromCache"]), (&json!(25), &json!(false)));
    assert_eq!(finished["userType"], "OWNER", "an admin counts as OWNER (D6)");
    let location = finished["location"].as_str().expect("a location");
    assert!(!location.starts_with('/') && !location.contains(".."), "{location}");
    assert!(location.starts_with("results/"), "{location}");
    assert!(!server.data_dir().join(location).exists(), "a small result is in the database");
    check_statement_id(&finished["statementId"]);
    let formats = ["ARROW", "PARQUET", "JSON", "CSV"];
    assert!(formats.iter().any(|format| finished["dataFormat"] == *format), "{finished}");
    check_statistics(&finished["queryStats"]);
    check_stage(&finished["outputStage"]);

    let failed = server.finish(&workspace, &id_of(&running)).await;
    check_types(&failed);
    check_present(&failed, &ALWAYS);
    check_present(&failed, &["error", "duration", "startedAt"]);
    for field in ["rowCount", "location"] {
        assert!(failed.get(field).is_none(), "{field} in {failed}");
    }
    assert_ne!(failed["fromCache"], true);

    server
        .finish(&workspace, &id_of(&server.submit_cached(&workspace, "SELECT 7 AS n", 60, false).await))
        .await;
    let hit = server.submit_cached(&workspace, "SELECT 7 AS n", 60, false).await;
    check_types(&hit);
    check_present(&hit, &ALWAYS);
    check_present(&hit, &["rowCount", "columns", "dataFormat", "startedAt", "duration"]);
    assert_eq!((&hit["status"], &hit["fromCache"]), (&json!("FINISHED"), &json!(true)), "{hit}");
    assert_eq!(hit.get("statementId"), Some(&Value::Null), "{hit}");
}

/// A statement id, `YYYYMMDD_HHMMSS_NNNNN_xxxxx` (D14).
fn check_statement_id(value: &Value) {
    let text = value.as_str().expect("a text");
    let lengths: Vec<usize> = text.split('_').map(str::len).collect();
    assert_eq!(lengths, [8, 6, 5, 5], "{text}");
    let (digits, tail) = text.split_at(22);
    assert!(digits.chars().all(|c| c.is_ascii_digit() || c == '_'), "{text}");
    assert!(tail.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "{text}");
}

fn check_statistics(stats: &Value) {
    for name in STATISTICS {
        let value = &stats[name];
        let is_right = match name {
            "state" => value == "FINISHED",
            "queued" | "scheduled" => value.is_boolean(),
            _ => value.as_f64().is_some_and(|number| number >= 0.0),
        };
        assert!(is_right, "{name} is {value} in {stats}");
    }
    assert_eq!(stats["queued"], false, "{stats}");
    assert_eq!(stats["processedRows"], 25, "{stats}");
    assert_eq!((&stats["queuedSplits"], &stats["runningSplits"]), (&json!(0), &json!(0)), "{stats}");
}

/// A tree of stages (D16).
fn check_stage(stage: &Value) {
    let object = stage.as_object().expect("a stage is an object");
    for field in ["stageId", "state", "operator", "subStages"] {
        assert!(object.contains_key(field), "no {field} in {stage}");
    }
    for (field, value) in object {
        match field.as_str() {
            "stageId" => assert!(value.is_string() || value.is_number(), "{stage}"),
            "state" | "operator" => assert!(value.is_string(), "{stage}"),
            "outputRows" | "outputBytes" => assert!(value.is_u64(), "{stage}"),
            "subStages" => value.as_array().expect("an array").iter().for_each(check_stage),
            _ => panic!("an unknown field {field} in {stage}"),
        }
    }
}

#[tokio::test]
async fn invalid_sql_is_a_failed_query_with_a_location() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    // Statement, name, Trino's code, line, column.
    for (sql, name, code, line, column) in [
        ("SELEC 1", "SYNTAX_ERROR", 1, 1, 1),
        ("SELECT 1 FROM", "SYNTAX_ERROR", 1, 1, 14),
        ("SELECT 1 +\n  FROM tpch.tiny.nation", "SYNTAX_ERROR", 1, 2, 3),
        ("SELECT nope FROM tpch.tiny.nation", "COLUMN_NOT_FOUND", 47, 1, 8),
        ("SELECT 1,\n   nope\nFROM tpch.tiny.nation", "COLUMN_NOT_FOUND", 47, 2, 4),
        ("SELECT n.nope FROM tpch.tiny.nation n", "COLUMN_NOT_FOUND", 47, 1, 8),
        ("SELECT n_name FROM tpch.tiny.nation WHERE nope = 1", "COLUMN_NOT_FOUND", 47, 1, 43),
        ("SELECT * FROM tpch.tiny.nowhere", "TABLE_NOT_FOUND", 46, 1, 15),
        ("SELECT *\nFROM nowhere", "TABLE_NOT_FOUND", 46, 2, 6),
        ("SELECT /* é */ nope FROM tpch.tiny.nation", "COLUMN_NOT_FOUND", 47, 1, 16),
    ] {
        let query = failed_at_once(&server, &workspace, sql).await;
        let error = &query["error"];
        assert_eq!(
            (&error["errorName"], &error["errorCode"]),
            (&json!(name), &json!(code)),
            "{sql}: {error}"
        );
        assert_eq!(error["errorType"], "USER_ERROR", "{sql}: {error}");
        let place = json!({ "lineNumber": line, "columnNumber": column });
        assert_eq!(error["errorLocation"], place, "{sql}: {error}");
        let message = error["message"].as_str().expect("a message");
        assert!(message.starts_with(&format!("line {line}:{column}: ")), "{sql}: {message}");
        check_error_fields(error);
    }
}

/// The answer to a submit already shows the failure. On a loaded machine planning may take longer than the answer
/// waits, so one of several attempts must.
async fn failed_at_once(server: &Server, workspace: &str, sql: &str) -> Value {
    for _ in 0..4 {
        let query = server.submit(workspace, sql).await;
        check_types(&query);
        if query["status"] == "FAILED" {
            return query;
        }
        server.finish(workspace, &id_of(&query)).await;
    }
    panic!("answered as not FAILED, four times: {sql}");
}

#[track_caller]
fn check_error_fields(error: &Value) {
    for (field, value) in error.as_object().expect("an object") {
        match field.as_str() {
            "message" | "errorName" => {
                assert!(value.as_str().is_some_and(|text| !text.is_empty()), "{error}")
            }
            "errorCode" => assert!(value.is_i64(), "{error}"),
            "errorType" => {
                let types = ["USER_ERROR", "INTERNAL_ERROR", "INSUFFICIENT_RESOURCES", "EXTERNAL"];
                assert!(types.iter().any(|name| value == name), "{error}");
            }
            "errorLocation" => {
                assert!(value["lineNumber"].is_u64() && value["columnNumber"].is_u64(), "{error}");
            }
            "failureInfo" => assert!(value["type"].is_string() && value["message"].is_string(), "{error}"),
            _ => panic!("an unknown field {field} in {error}"),
        }
    }
}

#[tokio::test]
async fn only_a_single_read_only_statement_is_run() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    for sql in [
        "DROP TABLE tpch.tiny.nation",
        "CREATE TABLE t AS SELECT 1",
        "CREATE TABLE t (a int)",
        "INSERT INTO tpch.tiny.nation VALUES (1, 'a', 1, 'b')",
        "UPDATE tpch.tiny.nation SET n_name = 'x'",
        "DELETE FROM tpch.tiny.nation",
        "TRUNCATE TABLE tpch.tiny.nation",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE tpch.tiny.nation",
        "SET x = 1",
        "COPY tpch.tiny.nation TO '/tmp/x'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "-- nothing",
        ";",
    ] {
        let query = server.submit(&workspace, sql).await;
        let query = server.finish(&workspace, &id_of(&query)).await;
        assert_eq!(query["status"], "FAILED", "{sql}: {query}");
        assert_eq!(query["error"]["errorType"], "USER_ERROR", "{sql}: {query}");
        check_error_fields(&query["error"]);
    }
    assert_eq!(server.rows(&workspace, "SELECT count(*) FROM tpch.tiny.nation;").await, json!([[25]]));
}

#[tokio::test]
async fn the_source_is_taken_from_the_body() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    for source in
        ["API", "WEB", "CLI", "NOTEBOOK", "SAVED_SQL", "SCHEDULE", "MATERIALIZED_VIEW", "my tool", "web"]
    {
        let body = json!({ "workspaceId": workspace, "sql": "SELECT 1", "source": source });
        assert_eq!(server.post("/api/v1/query", body).await.ok()["source"], source);
    }
    assert_eq!(server.submit(&workspace, "SELECT 1").await["source"], "API");
}

#[tokio::test]
async fn the_user_is_who_submitted() {
    let server = SERVER.get();
    let workspace = server.new_workspace("users").await;
    let (account, token) = server.new_account("query_record_analyst").await;
    let body = json!({ "accountId": account, "role": "ANALYST" });
    server.put(&format!("/api/v1/workspace/{workspace}/member"), body).await.ok();
    let body = json!({ "workspaceId": workspace, "sql": "SELECT 1" });
    let query = server.post_as(&token, "/api/v1/query", body).await.ok();
    assert_eq!((&query["userType"], &query["accountId"]), (&json!("ANALYST"), &json!(account)), "{query}");
    // Another member sees the same record.
    let path = format!("/api/v1/query/{}?workspaceId={workspace}&wait=30", id_of(&query));
    let seen = server.get(&path).await.ok();
    assert_eq!((&seen["userType"], &seen["accountId"]), (&json!("ANALYST"), &json!(account)));
    assert_eq!(seen["userId"], query["userId"]);
}

#[tokio::test]
async fn column_types_are_formatted_like_trino() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let long = |value: u64| json!({ "kind": "LONG", "value": value });
    for (expression, type_name, raw_type, arguments) in [
        ("true", "boolean", "boolean", json!([])),
        ("CAST(1 AS tinyint)", "tinyint", "tinyint", json!([])),
        ("CAST(1 AS smallint)", "smallint", "smallint", json!([])),
        ("CAST(1 AS integer)", "integer", "integer", json!([])),
        ("CAST(1 AS bigint)", "bigint", "bigint", json!([])),
        ("CAST(1 AS real)", "real", "real", json!([])),
        ("CAST(1 AS double)", "double", "double", json!([])),
        ("CAST(1 AS decimal(12,3))", "decimal(12,3)", "decimal", json!([long(12), long(3)])),
        ("CAST('a' AS varchar)", "varchar", "varchar", json!([long(2_147_483_647)])),
        ("CAST('a' AS varchar(5))", "varchar(5)", "varchar", json!([long(5)])),
        ("'äöü'", "varchar(3)", "varchar", json!([long(3)])),
        ("DATE '2024-02-29'", "date", "date", json!([])),
        ("TIME '12:34:56'", "time(0)", "time", json!([long(0)])),
        ("TIMESTAMP '2024-02-29 12:34:56.12'", "timestamp(2)", "timestamp", json!([long(2)])),
        (
            "TIMESTAMP '2024-02-29 12:34:56.1234567 UTC'",
            "timestamp(7) with time zone",
            "timestamp with time zone",
            json!([long(7)]),
        ),
        ("n_name", "varchar(25)", "varchar", json!([long(25)])),
        ("n_nationkey", "bigint", "bigint", json!([])),
        ("count(*)", "bigint", "bigint", json!([])),
    ] {
        let from = if expression.starts_with("n_") || expression.starts_with("count") {
            " FROM tpch.tiny.nation"
        } else {
            ""
        };
        let query = server.run(&workspace, &format!("SELECT {expression} AS c{from}")).await;
        let signature = json!({
            "rawType": raw_type, "arguments": arguments, "typeArguments": [], "literalArguments": [],
        });
        let column = json!({ "name": "c", "type": type_name, "typeSignature": signature });
        assert_eq!(query["columns"], json!([column]), "{expression}: {query}");
        let result = server.result(&workspace, &id_of(&query)).await;
        assert_eq!(result["columns"], query["columns"], "{expression}");
    }
}
