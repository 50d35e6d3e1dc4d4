//! Statements of tools that these tests do not run, taken from their sources: Metabase's driver
//! (starburstdata/metabase-driver) and Grafana's data source (trinodb/grafana-trino).

use rowhouse_tests::{ProtocolClient, Server, data_file};
use serde_json::json;

const SESSION: [(&str, &str); 2] = [("x-trino-catalog", "rowhouse"), ("x-trino-schema", "demo")];

#[tokio::test(flavor = "multi_thread")]
async fn metabase_finds_schemas_tables_and_columns() {
    let server = Server::start();
    let workspace = server.demo().await;
    server.new_table(&workspace, "people", &data_file("people.parquet")).await;
    let client = ProtocolClient::of(&server);
    let schemas = client.rows("SHOW SCHEMAS FROM \"rowhouse\"", &SESSION).await;
    assert_eq!(schemas, [json!(["demo"]), json!(["information_schema"])]);
    let tables = client.rows("SHOW TABLES FROM \"rowhouse\".\"demo\"", &SESSION).await;
    assert!(tables.contains(&json!(["people"])), "{tables:?}");
    for form in [
        "SHOW TABLES FROM \"demo\" LIKE 'people'".to_owned(),
        // The driver sends it as a prepared statement.
        "EXECUTE IMMEDIATE 'SHOW TABLES FROM \"demo\" LIKE ''people'''".to_owned(),
    ] {
        assert_eq!(client.rows(&form, &SESSION).await, [json!(["people"])], "{form}");
    }
    let columns = client.rows("DESCRIBE \"rowhouse\".\"demo\".\"people\"", &SESSION).await;
    assert!(columns.len() > 2 && columns.iter().all(|column| column[1].is_string()), "{columns:?}");
    let zone = client.rows("SELECT current_timezone() as \"time-zone\"", &SESSION).await;
    assert_eq!(zone, [json!(["UTC"])]);
    let sample = "SELECT \"source\".\"name\" AS \"name\", COUNT(*) AS \"count\" FROM \
                  (SELECT \"demo\".\"people\".\"name\" AS \"name\" FROM \"demo\".\"people\") AS \"source\" \
                  GROUP BY \"source\".\"name\" ORDER BY \"count\" DESC, \"source\".\"name\" ASC LIMIT 10";
    assert!(!client.rows(sample, &SESSION).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn grafanas_macros_run() {
    let server = Server::start();
    let client = ProtocolClient::of(&server);
    let events =
        "(VALUES (TIMESTAMP '2024-02-29 10:00:30', 1), (TIMESTAMP '2024-02-29 10:01:10', 2)) e(at, n)";
    for (sql, expected) in [
        (
            // $__timeGroup and $__timeFilter.
            format!(
                "SELECT FROM_UNIXTIME(FLOOR(TO_UNIXTIME(at)/60)*60) AS time, sum(n) FROM {events} WHERE at BETWEEN \
                 TIMESTAMP '2024-02-29 10:00:00' AND TIMESTAMP '2024-02-29 11:00:00' GROUP BY 1 ORDER BY 1"
            ),
            json!([["2024-02-29 10:00:00.000 UTC", 1], ["2024-02-29 10:01:00.000 UTC", 2]]),
        ),
        // $__dateFilter.
        (
            format!("SELECT count(*) FROM {events} WHERE at BETWEEN date '2024-02-29' AND date '2024-03-01'"),
            json!([[2]]),
        ),
        // $__unixEpochGroup and $__unixEpochFilter.
        (
            "SELECT FROM_UNIXTIME(FLOOR(t/60)*60), count(*) FROM (VALUES 1709200830) e(t) WHERE t BETWEEN 1709200800 \
             AND 1709204400 GROUP BY 1"
                .to_owned(),
            json!([["2024-02-29 10:00:00.000 UTC", 1]]),
        ),
        // $__parseTime.
        (
            "SELECT to_unixtime(parse_datetime('2024/02/29','yyyy/MM/dd')), TIMESTAMP '2024-02-29 10:00:30'".to_owned(),
            json!([[1_709_164_800.0, "2024-02-29 10:00:30.000"]]),
        ),
    ] {
        let grafana = [SESSION[0], SESSION[1], ("x-trino-source", "grafana")];
        assert_eq!(json!(client.rows(&sql, &grafana).await), expected, "{sql}");
    }
}
