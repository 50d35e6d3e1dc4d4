//! Statement parameters (D41): `:name` in the text, a typed value beside it.

use rowhouse_tests::{Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

async fn submit(server: &Server, workspace: &str, sql: &str, parameters: Value) -> Value {
    let body = json!({ "workspaceId": workspace, "sql": sql, "parameters": parameters });
    let query = server.post("/api/v1/query", body).await.ok();
    server.finish(workspace, &id_of(&query)).await
}

/// Checks the rows of a statement with these parameters.
async fn check(sql: &str, parameters: Value, expected: Value) {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let query = submit(&server, &workspace, sql, parameters.clone()).await;
    assert_eq!(query["status"], "FINISHED", "{sql} {parameters}: {query}");
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
    assert_eq!(server.get(&path).await.ok()["result"], expected, "{sql} {parameters}");
}

/// Checks the error of a statement with these parameters, which is known before anything runs.
async fn check_error(sql: &str, parameters: Value, name: &str, message: &str) {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let body = json!({ "workspaceId": workspace, "sql": sql, "parameters": parameters });
    let query = server.post("/api/v1/query", body).await.ok();
    assert_eq!(query["status"], "FAILED", "{sql} {parameters}: {query}");
    assert_eq!(query["error"]["errorName"], name, "{query}");
    assert_eq!(query["error"]["message"], message, "{query}");
    assert!(query["error"]["errorLocation"]["lineNumber"].is_u64(), "{query}");
}

#[tokio::test]
async fn values_of_every_type() {
    let typed = |name: &str, value: Value| json!({ "a": { "type": name, "value": value } });
    for (parameters, data_type, expected) in [
        (json!({ "a": 1 }), "integer", json!(1)),
        (json!({ "a": 5_000_000_000_i64 }), "bigint", json!(5_000_000_000_i64)),
        (json!({ "a": "x'y" }), "varchar", json!("x'y")),
        (json!({ "a": true }), "boolean", json!(true)),
        (json!({ "a": 2.5 }), "decimal(2,1)", json!(2.5)),
        (json!({ "a": [1, null] }), "array(integer)", json!([1, null])),
        (typed("tinyint", json!(-128)), "tinyint", json!(-128)),
        (typed("smallint", json!("7")), "smallint", json!(7)),
        (typed("bigint", Value::Null), "bigint", Value::Null),
        (typed("real", json!(1.5)), "real", json!(1.5)),
        (typed("double", json!("NaN")), "double", json!("NaN")),
        (typed("double", json!(3)), "double", json!(3.0)),
        (typed("decimal(10,3)", json!("1.5")), "decimal(10,3)", json!(1.5)),
        (typed("varbinary", json!("AP8=")), "varbinary", json!("AP8=")),
        (typed("date", json!("2024-02-29")), "date", json!("2024-02-29")),
        (typed("time(6)", json!("12:34:56.5")), "time(6)", json!("12:34:56.500000")),
        (
            typed("timestamp(6)", json!("2024-02-29T12:00:00")),
            "timestamp(6)",
            json!("2024-02-29T12:00:00.000000"),
        ),
        (
            typed("timestamp(3) with time zone", json!("2024-02-29 12:00:00 +01:00")),
            "timestamp(3) with time zone",
            json!("2024-02-29T12:00:00.000+01:00"),
        ),
        (typed("array(varchar)", json!(["a", null])), "array(varchar)", json!(["a", null])),
    ] {
        check("SELECT :a, typeof(:a)", parameters, json!([[expected, data_type]])).await;
    }
}

#[tokio::test]
async fn parameters_are_allowed_wherever_constants_are() {
    check(
        "SELECT x FROM (VALUES (1), (2), (3)) t (x) ORDER BY x LIMIT :n OFFSET :o",
        json!({ "n": 1, "o": 1 }),
        json!([[2]]),
    )
    .await;
    check(
        "SELECT x FROM (VALUES (1), (2), (3)) t (x) WHERE x IN (:a, :b) ORDER BY 1",
        json!({ "a": 3, "b": 1 }),
        json!([[1], [3]]),
    )
    .await;
    check("SELECT substr(:s, :from, 2) || :s", json!({ "s": "abcd", "from": 2 }), json!([["bcabcd"]])).await;
    check(
        "SELECT CAST(:s AS bigint), :s::bigint, ':s', \"x:s\" FROM (VALUES (1)) t (\"x:s\")",
        json!({ "s": "7" }),
        json!([[7, 7, ":s", 1]]),
    )
    .await;
    check("SELECT count(*) FROM tpch.tiny.nation WHERE n_regionkey BETWEEN :low AND :high AND n_name LIKE :like", json!({ "low": 1, "high": 3, "like": "%A%" }), json!([[13]]))
        .await;
    check(
        "SELECT count(*) FILTER (WHERE o_orderdate < :day) = count(*) FILTER (WHERE o_orderdate < DATE '1992-01-09'), count(*) > 0 FROM tpch.tiny.orders WHERE o_orderdate < :day",
        json!({ "day": { "type": "date", "value": "1992-01-09" } }),
        json!([[true, true]]),
    )
    .await;
    check(
        "WITH q AS (SELECT :a AS a) SELECT a, CASE WHEN a = :a THEN :b END FROM q /* :c */ -- :d",
        json!({ "a": 1, "b": "yes" }),
        json!([[1, "yes"]]),
    )
    .await;
    check("SELECT cardinality(:list), contains(:list, 2)", json!({ "list": [1, 2] }), json!([[2, true]]))
        .await;
}

/// A text that would end a literal if it were inserted into the SQL stays a value.
#[tokio::test]
async fn parameter_values_cannot_change_the_statement() {
    let text = "'; DROP TABLE x; -- :a \" /* \\ \u{0}";
    check("SELECT :a, :b", json!({ "a": text, "b": ":a" }), json!([[text, ":a"]])).await;
}

#[tokio::test]
async fn invalid_parameter_values_are_refused_with_a_location() {
    check_error(
        "SELECT 1,\n :a",
        json!({}),
        "INVALID_PARAMETER_USAGE",
        "line 2:2: the parameter :a has no value",
    )
    .await;
    check_error(
        "SELECT :a",
        json!({ "a": 1, "other": 2 }),
        "INVALID_PARAMETER_USAGE",
        "line 1:1: the statement does not name the parameter :other",
    )
    .await;
    check_error(
        "SELECT :d",
        json!({ "d": { "type": "date", "value": "2023-02-29" } }),
        "INVALID_CAST_ARGUMENT",
        "line 1:8: the parameter :d: \"2023-02-29\" is no value of type date",
    )
    .await;
    check_error(
        "SELECT :d",
        json!({ "d": { "type": "money", "value": 1 } }),
        "TYPE_NOT_FOUND",
        "line 1:8: the parameter :d: unknown type 'money'",
    )
    .await;
    let server = SERVER.get();
    let workspace = server.demo().await;
    for (parameters, text) in [
        (json!([1]), "expected an object of parameters by name"),
        (json!({ "a b": 1 }), "\"a b\" is not a name of a parameter"),
        (json!({ "a": { "value": 1 } }), "parameter a: expected {\"type\": …, \"value\": …}"),
        (json!({ "a": [{}] }), "parameter a: an object is no value"),
    ] {
        let body = json!({ "workspaceId": workspace, "sql": "SELECT :a", "parameters": parameters });
        server.post("/api/v1/query", body).await.error(400, "INVALID_ARGUMENTS", ["field parameters", text]);
    }
    // A view cannot have parameters: nobody supplies values for its refreshes.
    let body = json!({ "workspaceId": workspace, "sqlName": "with_parameter", "sql": "SELECT :a AS a" });
    server.post("/api/v1/materializedView", body).await.error(
        400,
        "INVALID_PARAMETER_USAGE",
        ["line 1:8", ":a"],
    );
}

#[tokio::test]
async fn parameter_values_are_part_of_the_cache_key_and_the_record() {
    let server = SERVER.get();
    let workspace = server.new_workspace("parameters_cached").await;
    let run = async |value: Value| {
        let body = json!({
            "workspaceId": workspace, "sql": "SELECT :a AS a", "parameters": { "a": value },
            "cacheTTL": 600, "cacheRefresh": false,
        });
        let query = server.post("/api/v1/query", body).await.ok();
        server.finish(&workspace, &id_of(&query)).await
    };
    assert_eq!(run(json!(1)).await["fromCache"], false);
    assert_eq!(run(json!(1)).await["fromCache"], true);
    assert_eq!(run(json!("1")).await["fromCache"], false);
    let last = run(json!({ "type": "bigint", "value": 1 })).await;
    assert_eq!(last["fromCache"], false);
    assert_eq!(last["parameters"], json!({ "a": { "type": "bigint", "value": 1 } }));
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&last));
    assert_eq!(server.get(&path).await.ok()["columns"][0]["type"], "bigint");
    let plain = server.run(&workspace, "SELECT 1").await;
    assert!(plain.get("parameters").is_none(), "{plain}");
}

#[tokio::test]
async fn explain_and_saved_sql_accept_parameters() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let plan = submit(&server, &workspace, "EXPLAIN SELECT :a AS x", json!({ "a": "seen" })).await;
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&plan));
    assert!(server.get(&path).await.ok()["result"].to_string().contains("seen"));

    let body = json!({ "workspaceId": workspace, "title": "One", "sql": "SELECT :a + :b" });
    let saved = id_of(&server.post("/api/v1/sql", body).await.ok());
    let body = json!({ "workspaceId": workspace, "parameters": { "a": 40, "b": 2 } });
    let query = server.post(&format!("/api/v1/sql/{saved}"), body).await.ok();
    let query = server.finish(&workspace, &id_of(&query)).await;
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
    assert_eq!(server.get(&path).await.ok()["result"], json!([[42]]));
    let body = json!({ "workspaceId": workspace });
    let query = server.post(&format!("/api/v1/sql/{saved}"), body).await.ok();
    assert_eq!(query["error"]["errorName"], "INVALID_PARAMETER_USAGE", "{query}");
}
