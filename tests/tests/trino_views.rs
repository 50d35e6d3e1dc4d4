//! Materialized views of a workspace on Trino: defined, refreshed on schedule, and served while Trino is stopped.
//! Skipped with a message if Trino is unavailable.

use std::time::Duration;

use rowhouse_tests::{Server, id_of, own_trino};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_view_outlives_its_cluster() {
    // A separate Trino, because it is stopped.
    let Some(trino) = own_trino() else { return };
    let url = trino.url();
    let server = Server::builder()
        .arguments([
            "--engine-kind",
            "trino",
            "--engine-trino-url",
            &url,
            "--engine-trino-retry-timeout",
            "1s",
        ])
        .arguments(["--engine-trino-catalog", "tpch", "--engine-trino-schema", "tiny"])
        .start();
    let workspace = server.new_workspace_on("sales", "trino").await;
    let sql = "-- Service API: required(\"o_custkey:eq\")\n\
               SELECT o_orderkey, o_custkey, o_totalprice, o_orderdate, cast(o_orderstatus AS char(3)) o_status,\n\
               current_timestamp AT TIME ZONE '+01:00' made FROM orders ORDER BY o_orderkey";
    let definition = |sql: &str| json!({ "workspaceId": workspace, "sqlName": "orders", "sql": sql });

    // An invalid definition is refused with its location in the given text.
    let refused = async |sql: &str, code: &str, part: &str| {
        let answer = server.post("/api/v1/materializedView", definition(sql)).await;
        let body: Value = serde_json::from_slice(&answer.body).expect("JSON");
        assert_eq!((answer.status, &body["code"]), (400, &json!(code)), "{sql}: {body}");
        assert!(body["message"].as_str().expect("a message").contains(part), "{body}");
    };
    refused("SELECT 1 a,\n nosuch b FROM orders", "COLUMN_NOT_FOUND", "line 2:2: ").await;
    refused("SELECT * FROM nosuch.t", "SCHEMA_NOT_FOUND", "line 1:15: ").await;
    refused("SELECT 1 a, 2 a", "DUPLICATE_COLUMN_NAME", "'a' stands twice").await;
    refused("DELETE FROM orders", "PERMISSION_DENIED", "DELETE may not run here").await;
    refused("-- Service API: required(\"nosuch\")\nSELECT 1 a", "COLUMN_NOT_FOUND", "nosuch").await;

    let mut body = definition(sql);
    body["schedule"] = json!("@every 1s");
    let view = server.post("/api/v1/materializedView", body).await.ok();
    assert_eq!(view["columns"][2]["type"], "decimal(12,2)", "{view}");
    assert_eq!(view["columns"][5]["type"], "timestamp(3) with time zone", "{view}");
    let id = id_of(&view);
    let generation = async || server.view(&workspace, &id).await["generation"].as_u64().unwrap_or(0);
    while generation().await < 2 {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    trino.stop();
    // The last refresh may have succeeded or broken off; later ones fail.
    while server.view(&workspace, &id).await["lastError"].is_null() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let path = "/v1/data/sales/materializedView/orders";
    let unmet = server.get(path).await;
    assert_eq!(unmet.status, 400);
    let rows =
        server.get(&format!("{path}?filters=o_custkey:EQ:370&filters=o_orderdate:GTE:1996-01-01")).await.ok();
    let rows = rows.as_array().expect("rows");
    assert!(!rows.is_empty());
    assert!(
        rows.iter().all(|row| row["o_custkey"] == 370 && row["o_orderdate"].as_str() >= Some("1996-01-01"))
    );
    assert!(rows[0]["made"].as_str().expect("a moment").ends_with("+01:00"), "{}", rows[0]);
    let count = async |filter: &str| {
        let rows = server.get(&format!("{path}?filters=o_custkey:EQ:370&filters={filter}")).await.ok();
        rows.as_array().expect("rows").len()
    };
    let all = count("o_orderkey:GT:0").await;
    // A char is compared without its padding, a zoned timestamp by its instant.
    assert_eq!(count("o_status:IN:F,O,P").await, all);
    assert_eq!(count("o_status:EQ:X").await, 0);
    assert_eq!(count("made:GT:2020-01-01T00:00:00Z").await, all);
    assert_eq!(count("made:LT:2020-01-01T00:00:00Z").await, 0);
    let query = server.run(&workspace, "SELECT 1").await;
    assert_eq!(query["error"]["errorType"], "EXTERNAL", "{query}");

    trino.start_again();
    let before = generation().await;
    while generation().await <= before {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(server.view(&workspace, &id).await["lastError"], Value::Null);
}
