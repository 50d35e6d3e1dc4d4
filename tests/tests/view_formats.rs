//! Reads of a view in other formats, by `format` and by `Accept`, and compressed.

use hyper::Method;
use rowhouse_tests::{Response, Server, SharedServer};
use serde_json::json;

static SERVER: SharedServer = SharedServer::new(&[]);

const SQL: &str = "SELECT r_regionkey, r_name FROM tpch.tiny.region ORDER BY r_regionkey";

async fn get(server: &Server, path: &str, accept: &str) -> Response {
    let authorization = format!("Token {}", server.admin_token());
    let headers = [("authorization", authorization.as_str()), ("accept", accept)];
    server.request_with(Method::GET, path, headers, None).await
}

#[tokio::test]
async fn the_format_is_set_by_parameter_or_accept() {
    let server = SERVER.get();
    let workspace = server.new_workspace("view_formats").await;
    server.new_view(&workspace, "regions", SQL).await;
    let path = "/v1/data/view_formats/materializedView/regions?filters=r_regionkey:LTE:1";
    let rows = json!([{ "r_regionkey": 0, "r_name": "AFRICA" }, { "r_regionkey": 1, "r_name": "AMERICA" }]);
    for accept in ["application/json", "*/*", "text/html, */*;q=0.1", "application/*"] {
        let answer = get(&server, path, accept).await;
        assert_eq!(answer.ok(), rows, "{accept}");
        assert_eq!(answer.header("content-type"), Some("application/json"), "{accept}");
    }
    let csv = "r_regionkey,r_name\r\n0,AFRICA\r\n1,AMERICA\r\n";
    let ndjson = "{\"r_regionkey\":0,\"r_name\":\"AFRICA\"}\n{\"r_regionkey\":1,\"r_name\":\"AMERICA\"}\n";
    for (answer, expected) in [
        (server.get(&format!("{path}&format=csv")).await, csv),
        (get(&server, path, "text/csv").await, csv),
        (server.get(&format!("{path}&format=ndjson")).await, ndjson),
        (get(&server, path, "application/x-ndjson").await, ndjson),
    ] {
        assert_eq!((answer.status, String::from_utf8_lossy(&answer.body).as_ref()), (200, expected));
        assert_eq!(answer.header("vary"), Some("Accept, Accept-Encoding, Authorization"));
    }
    // `format` takes precedence over `Accept`.
    let answer = get(&server, &format!("{path}&format=json"), "text/csv").await;
    assert_eq!(answer.ok(), rows);
    let arrow = server.get(&format!("{path}&format=arrow")).await;
    assert_eq!((arrow.status, arrow.body.get(..4)), (200, Some(&[0xff; 4][..])));
    for parquet in [
        server.get(&format!("{path}&format=parquet")).await,
        get(&server, path, "text/csv;q=0.9, application/vnd.apache.parquet").await,
    ] {
        assert_eq!((parquet.status, parquet.body.get(..4)), (200, Some(&b"PAR1"[..])));
        assert!(parquet.header("etag").is_some(), "{:?}", parquet.headers);
    }
    server.get(&format!("{path}&format=xml")).await.error(400, "INVALID_ARGUMENTS", ["format"]);
    let twice = server.get(&format!("{path}&format=csv&format=csv")).await;
    twice.error(400, "INVALID_ARGUMENTS", ["format"]);
}

#[tokio::test]
async fn an_empty_view_is_an_empty_array() {
    let server = SERVER.get();
    let workspace = server.new_workspace("view_empty").await;
    server
        .new_view(&workspace, "nothing", "SELECT r_name FROM tpch.tiny.region WHERE r_regionkey > 99")
        .await;
    let path = "/v1/data/view_empty/materializedView/nothing";
    let answer = server.get(path).await;
    assert_eq!(answer.ok(), json!([]));
    assert_eq!(String::from_utf8_lossy(&answer.body), "[]");
    let csv = server.get(&format!("{path}?format=csv")).await;
    assert_eq!(String::from_utf8_lossy(&csv.body).trim_end(), "r_name");
    let ndjson = server.get(&format!("{path}?format=ndjson")).await;
    assert_eq!((ndjson.status, ndjson.body.len()), (200, 0));
}

#[tokio::test]
async fn pages_of_a_large_view_equal_the_whole() {
    let server = SERVER.get();
    let workspace = server.new_workspace("view_large").await;
    let sql = "-- Service API: required(\"o_custkey\")\nSELECT o_orderkey, o_custkey, o_comment FROM tpch.tiny.orders";
    server.new_view(&workspace, "orders", sql).await;
    let path = "/v1/data/view_large/materializedView/orders?filters=o_custkey:GT:0";
    let whole = server.get(path).await.ok();
    let whole = whole.as_array().expect("rows");
    assert_eq!(whole.len(), 15_000);
    let mut pages = Vec::new();
    for offset in (0..15_000).step_by(4_321) {
        let page = server.get(&format!("{path}&limit=4321&offset={offset}")).await.ok();
        pages.extend(page.as_array().expect("rows").clone());
    }
    assert_eq!(&pages, whole);
    // With the index of the required filter, and by testing each row.
    for key in [1, 370, 1499, 1_000_000] {
        let found = server.get(&format!("{path}&filters=o_custkey:EQ:{key}")).await.ok();
        let expected: Vec<_> = whole.iter().filter(|row| row["o_custkey"] == key).cloned().collect();
        assert_eq!(found, json!(expected), "{key}");
        let found = server.get(&format!("{path}&filters=o_custkey:BETWEEN:{key},{}", key + 2)).await.ok();
        let is_in =
            |row: &&serde_json::Value| (key..=key + 2).contains(&row["o_custkey"].as_i64().expect("a key"));
        let expected: Vec<_> = whole.iter().filter(is_in).cloned().collect();
        assert_eq!(found, json!(expected), "{key} and the next two");
    }
    let authorization = format!("Token {}", server.admin_token());
    let headers = [("authorization", authorization.as_str()), ("accept-encoding", "gzip")];
    let packed = server.request_with(Method::GET, path, headers, None).await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert!(packed.body.len() > 1000, "{} bytes", packed.body.len());
}
