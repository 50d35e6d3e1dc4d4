//! A workspace on a real Trino cluster with spooling: the rows equal those that it sends in pages. Skipped with a
//! message if no such Trino is available.

use std::time::{Duration, Instant};

use rowhouse_tests::{Server, Trino, id_of, spooling_trino};
use serde_json::{Value, json};

/// A value and NULL of every type that is encoded differently.
const TYPES: &str = "SELECT * FROM (VALUES (1, true, tinyint '-8', bigint '9223372036854775807', real '1.5', nan(), -infinity(), \
     decimal '-12345678901234567890.123456789', 'ü \"quoted\" \\ \u{1F600}', cast('ab' AS char(4)), X'00ff10', \
     date '-0044-03-15', time '01:02:03.123456789', time '01:02:03.5 +05:30', timestamp '2020-01-02 03:04:05.123456', \
     timestamp '1969-12-31 23:59:59.9 America/New_York', interval '-3 04:05:06.007' day to second, \
     interval '14' month, array[1, null, 3], map(array['a', 'b'], array[1.5, null]), \
     cast(row(1, row('x', null)) AS row(a bigint, b row(c varchar, d double))), json '{\"a\": [1, null]}', \
     uuid '12151fd2-7586-11e9-8f9e-2a86e4085a59', ipaddress '2001:db8::1'), \
     (2, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, \
     null, null, null, null, null)) ORDER BY 1";
/// Enough for many segments.
const ORDERS: &str = "SELECT * FROM tpch.sf1.orders WHERE o_orderkey <= 800000 ORDER BY o_orderkey";
const ORDER_ROWS: u64 = 200_000;
const LINEITEM_ROWS: u64 = 6_001_215;
const MAX_RESIDENT_BYTES: u64 = 200_000_000;

/// A server with the cluster: workspaces of the engine `trino:direct` get rows in pages.
fn server(trino: &Trino, folder: &std::path::Path) -> Server {
    let file = folder.join("rowhouse.toml");
    let text = format!(
        "[engine]\nkind = \"trino\"\n[engine.trino]\nurl = \"{0}\"\n\
         [engine.trino.direct]\nurl = \"{0}\"\nsession = [\"spooling_enabled=false\"]\n",
        trino.url()
    );
    std::fs::write(&file, text).expect("the file");
    Server::builder().arguments(["--config", file.to_str().expect("UTF-8")]).start()
}

#[tokio::test(flavor = "multi_thread")]
async fn spooled_rows_equal_rows_in_pages() {
    let Some(trino) = spooling_trino() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(&trino, folder.path());
    let workspaces = [server.demo().await, server.new_workspace_on("direct", "trino:direct").await];

    let [spooled, direct] = [&workspaces[0], &workspaces[1]];
    let rows = server.rows(spooled, TYPES).await;
    assert_eq!(rows, server.rows(direct, TYPES).await);
    let first = rows[0].as_array().expect("a row");
    assert_eq!(
        (first.len(), &first[3], &first[5]),
        (24, &json!(9_223_372_036_854_775_807_i64), &json!("NaN")),
        "{rows}"
    );
    assert!(rows[1].as_array().expect("a row")[1..].iter().all(Value::is_null), "{rows}");

    let mut results = Vec::new();
    for workspace in &workspaces {
        let query = server.run(workspace, ORDERS).await;
        assert_eq!(
            (&query["status"], &query["rowCount"]),
            (&json!("FINISHED"), &json!(ORDER_ROWS)),
            "{query}"
        );
        let path = format!(
            "/api/v1/query/{}/result?workspaceId={workspace}&format=ndjson&limit={ORDER_ROWS}",
            id_of(&query)
        );
        let answer = server.get(&path).await;
        assert_eq!(answer.status, 200);
        results.push(answer.body);
        if workspace == spooled {
            trino.reaches(query["statementId"].as_str().expect("an id"), "FINISHED").await;
        }
    }
    assert!(!results[0].is_empty() && results[0] == results[1], "the rows differ");
    wait_until_acknowledged(&trino).await;
}

/// Waits until each segment has been acknowledged, so that the cluster's storage does not fill.
async fn wait_until_acknowledged(trino: &Trino) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let left = std::fs::read_dir(trino.spooled()).expect("the folder").count();
        if left == 0 {
            return;
        }
        assert!(Instant::now() < deadline, "{left} segments are left");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn spooled_statements_are_canceled_and_report_errors() {
    let Some(trino) = spooling_trino() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(&trino, folder.path());
    let workspace = server.demo().await;
    let query = server.run(&workspace, "SELECT 1 / (o_orderkey - 60000) FROM tpch.tiny.orders").await;
    assert_eq!(query["error"]["errorName"], "DIVISION_BY_ZERO", "{query}");
    let query = server.submit(&workspace, "SELECT * FROM tpch.sf10.lineitem").await;
    let deadline = Instant::now() + Duration::from_secs(60);
    while std::fs::read_dir(trino.spooled()).expect("the folder").count() == 0 {
        assert!(Instant::now() < deadline, "nothing is spooled");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let running = server.wait_for_status(&workspace, &id_of(&query), "RUNNING").await;
    let statement = running["statementId"].as_str().expect("an id").to_owned();
    let canceled = server.cancel(&workspace, &id_of(&query)).await;
    assert_eq!(canceled["error"]["errorName"], "USER_CANCELED", "{canceled}");
    trino.reaches(&statement, "FAILED").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lineitem_is_drained_in_bounded_memory() {
    let Some(trino) = spooling_trino() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(&trino, folder.path());
    let workspace = server.demo().await;
    let query = server.run(&workspace, "SELECT * FROM tpch.sf1.lineitem").await;
    assert_eq!(
        (&query["status"], &query["rowCount"]),
        (&json!("FINISHED"), &json!(LINEITEM_ROWS)),
        "{query}"
    );
    let resident = server.memory_bytes("VmHWM");
    eprintln!("the server's memory rose to {} MiB", resident >> 20);
    assert!(resident < MAX_RESIDENT_BYTES, "the server's memory rose to {} MiB", resident >> 20);
    wait_until_acknowledged(&trino).await;
}
