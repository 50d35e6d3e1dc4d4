//! Endpoints: saved SQL with a name, called over HTTP with typed parameters.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use hyper::Method;
use rowhouse_tests::{Response, Server, SharedServer, id_of};
use serde_json::{Value, json};
use tempfile::TempDir;

static SERVER: SharedServer = SharedServer::new(&[]);

/// A file that was changed a moment ago has no version yet; this much later it has one.
const SETTLED: Duration = Duration::from_millis(60);

const SALES: &str = "-- Sales by day.
-- Parameter: day date required \"Day of the order\"
-- Parameter: status varchar in ('F', 'O', 'P')
-- Parameter: customers array(bigint)
-- Parameter: most integer between 1 and 1000 default 5
-- Cache: 60s
-- Limit: 100 rows 60s
-- Order by: o_totalprice, o_orderkey
SELECT o_orderkey, o_custkey, o_orderstatus, o_totalprice, o_orderdate FROM tpch.tiny.orders
WHERE o_orderdate >= :day AND (:status IS NULL OR o_orderstatus = :status)
  AND (:customers IS NULL OR contains(:customers, o_custkey))
ORDER BY o_orderkey LIMIT :most; -- the end";

async fn save(server: &Server, workspace: &str, name: &str, sql: &str) -> Response {
    let body = json!({ "workspaceId": workspace, "title": name, "sqlName": name, "sql": sql });
    server.post("/api/v1/sql", body).await
}

/// A conditional read by a client that has a cached answer.
async fn server_has(server: &Server, path: &str, tag: &str) -> Response {
    let token = format!("Token {}", server.admin_token());
    let headers = [("authorization", token.as_str()), ("if-none-match", tag)];
    server.request_with(Method::GET, path, headers, None).await
}

/// Rows as objects.
async fn rows(server: &Server, path: &str) -> Vec<Value> {
    let answer = server.get(path).await.ok();
    answer.as_array().unwrap_or_else(|| panic!("{answer} is no array")).clone()
}

#[tokio::test]
async fn a_named_saved_sql_is_called_with_parameters() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("called").await;
    let saved = save(server, &workspace, "sales", SALES).await.ok();
    assert_eq!(saved["sqlName"], "sales");
    let path = "/v1/data/called/endpoint/sales";
    let sql = |rest: &str| {
        format!(
            "SELECT o_orderkey FROM tpch.tiny.orders WHERE o_orderdate >= DATE '1998-07-01' {rest} ORDER BY 1 LIMIT 5"
        )
    };
    let keys = |rows: &[Value]| rows.iter().map(|row| json!([row["o_orderkey"]])).collect::<Vec<_>>();
    let found = rows(server, &format!("{path}?day=1998-07-01")).await;
    assert_eq!(json!(keys(&found)), server.rows(&workspace, &sql("")).await);
    assert_eq!(found[0].as_object().map(serde_json::Map::len), Some(5));
    let found = rows(server, &format!("{path}?day=1998-07-01&status=P&most=3")).await;
    assert!(found.len() <= 3 && found.iter().all(|row| row["o_orderstatus"] == "P"), "{found:?}");
    let customers: Vec<i64> = rows(server, &format!("{path}?day=1998-07-01&most=50"))
        .await
        .iter()
        .filter_map(|row| row["o_custkey"].as_i64())
        .collect();
    let two =
        rows(server, &format!("{path}?day=1998-07-01&customers={}&customers={}", customers[0], customers[1]))
            .await;
    assert!(
        !two.is_empty()
            && two.iter().all(|row| customers[..2].contains(&row["o_custkey"].as_i64().unwrap_or(0)))
    );
    // The same as a POST, whose body may be longer than a URL.
    let body = json!({ "day": "1998-07-01", "customers": customers[..2], "most": 5 });
    assert_eq!(server.post(path, body).await.ok(), json!(two));
    let many: Vec<i64> = (1..=5000).collect();
    let body = json!({ "day": "1998-07-01", "customers": many, "most": 2, "columnNames": ["o_custkey"] });
    assert_eq!(server.post(path, body).await.ok().as_array().map(Vec::len), Some(2));

    // Page, columns, order, forms.
    let all = rows(server, &format!("{path}?day=1998-07-01&most=20")).await;
    let page = rows(server, &format!("{path}?day=1998-07-01&most=20&limit=3&offset=2")).await;
    assert_eq!(page, all[2..5]);
    let narrow =
        rows(server, &format!("{path}?day=1998-07-01&columnNames=o_custkey,O_ORDERKEY&limit=1")).await;
    assert_eq!(narrow, [json!({ "o_custkey": all[0]["o_custkey"], "o_orderkey": all[0]["o_orderkey"] })]);
    let dearest = rows(server, &format!("{path}?day=1998-07-01&most=20&orderBy=o_totalprice:desc")).await;
    let prices: Vec<f64> = dearest.iter().filter_map(|row| row["o_totalprice"].as_f64()).collect();
    assert!(prices.len() == 20 && prices.windows(2).all(|pair| pair[0] >= pair[1]), "{prices:?}");
    let counted =
        server.get(&format!("{path}.csv?day=1998-07-01&limit=1&count=exact&columnNames=o_orderkey")).await;
    assert_eq!(counted.header("x-total-count"), Some("5"));
    assert_eq!(counted.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    assert_eq!(String::from_utf8_lossy(&counted.body), format!("o_orderkey\r\n{}\r\n", all[0]["o_orderkey"]));
    for (suffix, kind) in [
        ("json", "application/json"),
        ("ndjson", "application/x-ndjson"),
        ("arrow", "application/vnd.apache.arrow.stream"),
        ("parquet", "application/vnd.apache.parquet"),
    ] {
        let answer = server.get(&format!("{path}.{suffix}?day=1998-07-01")).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)));
    }
    let arrays =
        server.get(&format!("{path}?day=1998-07-01&shape=arrays&limit=1&columnNames=o_orderkey")).await.ok();
    assert_eq!(arrays, json!([[all[0]["o_orderkey"]]]));
    server.get(&format!("{path}.xlsx?day=1998-07-01")).await.error(404, "NOT_FOUND", [".parquet"]);
    server.get("/v1/data/called/endpoint/sale").await.error(404, "NOT_FOUND", []);
    assert_eq!(server.get(&format!("/web{path}?day=1998-07-01")).await.status, 200);

    // Each call has an ordinary record.
    let call = server.get(&format!("{path}?day=1998-07-02")).await;
    let id = call.header("x-query-id").expect("the record's id").to_owned();
    let record = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
    assert_eq!((&record["source"], &record["status"]), (&json!("ENDPOINT"), &json!("FINISHED")), "{record}");
    assert_eq!(record["parameters"]["day"], json!({ "type": "date", "value": "1998-07-02" }));
    let timing = call.header("server-timing").expect("the times");
    assert!(timing.contains("run;dur=") && timing.contains("total;dur="), "{timing}");
    let stats = server.get(&format!("/api/v1/sql/{}?workspaceId={workspace}", id_of(&saved))).await.ok();
    assert_eq!(stats["stats"]["state"], "FINISHED");
}

#[tokio::test]
async fn all_faults_of_a_call_are_reported_together() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("refusing").await;
    save(server, &workspace, "sales", SALES).await.ok();
    let path = "/v1/data/refusing/endpoint/sales";
    let wrong = |answer: &Response| -> BTreeMap<String, Value> {
        answer.error(400, "INVALID_ARGUMENTS", ["parameters are wrong"]);
        let body = answer.json();
        let parameters = body["details"]["parameters"].as_array().expect("the wrong ones").clone();
        parameters
            .into_iter()
            .map(|wrong| (wrong["name"].as_str().unwrap_or_default().to_owned(), wrong))
            .collect()
    };
    let answer = server
        .get(&format!(
            "{path}?status=X&most=1001&customers=1&customers=y&regoin=EU&limit=101&offset=-1&orderBy=o_custkey&columnNames=nope\
             &format=xml&shape=round&count=about&wait=x"
        ))
        .await;
    let found = wrong(&answer);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "columnNames",
            "count",
            "customers",
            "day",
            "format",
            "limit",
            "most",
            "offset",
            "orderBy",
            "regoin",
            "shape",
            "status",
            "wait"
        ]
    );
    assert_eq!(
        found["status"],
        json!({ "name": "status", "value": "X", "type": "varchar", "message": "it is none of the allowed values",
                "expected": "varchar, one of 'F', 'O', 'P'" })
    );
    assert_eq!((&found["day"]["message"], &found["day"]["value"]), (&json!("it is missing"), &Value::Null));
    assert_eq!(found["most"]["expected"], "integer between 1 and 1000");
    assert!(
        found["orderBy"]["expected"].as_str().is_some_and(|text| text.contains("o_totalprice, o_orderkey"))
    );
    let found = wrong(
        &server
            .post(
                &format!("{path}?status=F"),
                json!({ "status": "O", "day": 7, "most": { "type": "integer", "value": 1 } }),
            )
            .await,
    );
    assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), ["day", "most", "status"]);
    server.post(path, json!([])).await.error(400, "INVALID_ARGUMENTS", ["the body"]);
    let twice = server.get(&format!("{path}?day=1998-01-01&day=1998-01-02")).await;
    assert_eq!(wrong(&twice)["day"]["message"], "it is given more than once");
    // None of these calls has run.
    let queries = server.get(&format!("/api/v1/queries?workspaceId={workspace}")).await.ok();
    assert_eq!(queries["totalCount"], 0);

    // Invalid definitions are refused with their location.
    for (sql, code, text) in [
        ("SELECT :day", "INVALID_ARGUMENTS", "line 1:8: the parameter :day is not declared"),
        ("-- Parameter: day date requird\nSELECT :day", "INVALID_ARGUMENTS", "line 1:15: "),
        ("-- Paramter: day date\nSELECT 1", "INVALID_ARGUMENTS", "did you mean `-- Parameter: …`?"),
        (
            "-- Parameter: day date\nSELECT nope FROM tpch.tiny.region WHERE :day IS NULL",
            "COLUMN_NOT_FOUND",
            "line 2:8",
        ),
        ("-- Order by: x\nSELECT 1 AS y", "INVALID_ARGUMENTS", "line 1:14: column `x` does not exist"),
        ("-- Order by: Catalog\nSHOW CATALOGS", "INVALID_ARGUMENTS", "cannot be put in the order"),
    ] {
        save(server, &workspace, "refused", sql).await.error(400, code, [text]);
    }
    save(server, &workspace, "Refused", "SELECT 1").await.error(400, "INVALID_ARGUMENTS", ["sqlName"]);
    save(server, &workspace, "sales", "SELECT 1").await.error(409, "ALREADY_EXISTS", ["sales"]);
    assert_eq!(server.get("/v1/data/refusing/endpoint/refused").await.status, 404);
}

#[tokio::test]
async fn answers_are_cached_until_their_sources_change() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("keeping").await;
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("orders.csv");
    fs::write(&file, "x\n1\n2\n").expect("a file");
    tokio::time::sleep(SETTLED).await;
    server.new_table(&workspace, "orders", &file).await;
    let sql = "-- Parameter: least bigint default 0\n-- Cache: 10m\nSELECT sum(x) AS s FROM orders WHERE x >= :least";
    save(server, &workspace, "sum", sql).await.ok();
    let path = "/v1/data/keeping/endpoint/sum";
    let first = server.get(path).await;
    assert_eq!(
        (first.ok(), first.header("cache-status")),
        (json!([{ "s": 3 }]), Some("rowhouse; fwd=uri-miss; detail=\"no result of this statement is kept\""))
    );
    let second = server.get(path).await;
    assert_eq!((second.ok(), second.header("cache-status")), (json!([{ "s": 3 }]), Some("rowhouse; hit")));
    let tag = second.header("etag").expect("a tag").to_owned();
    assert_eq!(first.header("etag"), Some(tag.as_str()), "the same result");
    let known = server_has(server, path, &tag).await;
    assert_eq!((known.status, known.body.len(), known.header("etag")), (304, 0, Some(tag.as_str())));
    let other = server.get(&format!("{path}?least=2")).await;
    assert_ne!(other.header("etag"), Some(tag.as_str()));
    // After the file was replaced, the next answer is computed from the new one.
    let new = folder.path().join("new");
    fs::write(&new, "x\n5\n").expect("a file");
    fs::rename(&new, &file).expect("replaced");
    tokio::time::sleep(SETTLED).await;
    let changed = server_has(server, path, &tag).await;
    assert_eq!(changed.ok(), json!([{ "s": 5 }]));
    assert_eq!(changed.header("cache-status"), Some("rowhouse; fwd=stale; detail=\"table orders changed\""));
    // Without a cache declaration no result is cached.
    save(server, &workspace, "anew", "SELECT sum(x) AS s FROM orders").await.ok();
    for _ in 0..2 {
        let answer = server.get("/v1/data/keeping/endpoint/anew").await;
        assert_eq!(answer.header("cache-status"), Some("rowhouse; fwd=bypass"));
    }
}

#[tokio::test]
async fn row_limits_apply_and_slow_calls_continue() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("limited").await;
    let many = "-- Limit: 10 rows\nSELECT o_orderkey FROM tpch.tiny.orders ORDER BY 1";
    save(server, &workspace, "many", many).await.ok();
    let path = "/v1/data/limited/endpoint/many";
    server.get(path).await.error(400, "INVALID_ARGUMENTS", ["15000 rows", "at most 10", "limit and offset"]);
    assert_eq!(rows(server, &format!("{path}?limit=10&offset=7")).await.len(), 10);
    assert_eq!(rows(server, &format!("{path}?offset=14995")).await.len(), 5);
    let slow = |limit: &str| {
        format!(
            "-- Limit: {limit}\nSELECT count(*) AS n FROM tpch.tiny.lineitem a JOIN tpch.tiny.lineitem b \
             ON a.l_comment || b.l_comment = 'no comment is this one'"
        )
    };
    save(server, &workspace, "ended", &slow("1s")).await.ok();
    let ended = server.get("/v1/data/limited/endpoint/ended").await;
    ended.error(400, "EXCEEDED_TIME_LIMIT", []);
    save(server, &workspace, "slow", &slow("1h")).await.ok();
    let answer = server.get("/v1/data/limited/endpoint/slow?wait=1").await;
    assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
    let query = answer.json();
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert_eq!(
        answer.header("location"),
        Some(format!("/api/v1/query/{}?workspaceId={workspace}", id_of(&query)).as_str())
    );
    assert!(query.get("sql").is_none(), "the text is not for every caller: {query}");
    server.wait_for_status(&workspace, &id_of(&query), "RUNNING").await;
    server.cancel(&workspace, &id_of(&query)).await;
}

#[tokio::test]
async fn consumers_can_call_only_shared_endpoints() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("sharing").await;
    save(server, &workspace, "open", "-- Shared: consumers\nSELECT 1 AS x").await.ok();
    save(server, &workspace, "closed", "SELECT 2 AS x").await.ok();
    let consumer = server.new_member(&workspace, "endpoint-consumer", "CONSUMER").await;
    let called = server.get_as(&consumer, "/v1/data/sharing/endpoint/open").await;
    assert_eq!(called.ok(), json!([{ "x": 1 }]));
    server.get_as(&consumer, "/v1/data/sharing/endpoint/closed").await.error(404, "NOT_FOUND", ["closed"]);
    let id = called.header("x-query-id").expect("an id");
    for path in [
        format!("/api/v1/query/{id}?workspaceId={workspace}"),
        format!("/api/v1/query/{id}/result?workspaceId={workspace}"),
    ] {
        server.get_as(&consumer, &path).await.error(401, "PERMISSION_DENIED", []);
    }
    let (_, stranger) = server.new_account("endpoint-stranger").await;
    server.get_as(&stranger, "/v1/data/sharing/endpoint/open").await.error(401, "PERMISSION_DENIED", []);
    let anyone = server.request(Method::GET, "/v1/data/sharing/endpoint/open", None, None).await;
    anyone.error(401, "UNAUTHORIZED", []);
    let analyst = server.new_member(&workspace, "endpoint-analyst", "ANALYST").await;
    assert_eq!(server.get_as(&analyst, "/v1/data/sharing/endpoint/closed").await.status, 200);
}

#[tokio::test]
async fn an_endpoint_is_changed_renamed_and_survives_a_restart() {
    let folder = TempDir::new().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.new_workspace("lasting").await;
    let saved = save(&server, &workspace, "one", "SELECT 1 AS x").await.ok();
    let address = format!("/api/v1/sql/{}", id_of(&saved));
    let change = async |server: &Server, mut body: Value| {
        body["workspaceId"] = json!(workspace);
        server.put(&address, body).await
    };
    change(&server, json!({ "sql": "-- Parameter: n bigint default 7\nSELECT :n AS x" })).await.ok();
    assert_eq!(rows(&server, "/v1/data/lasting/endpoint/one").await, [json!({ "x": 7 })]);
    change(&server, json!({ "sql": "SELECT nope" })).await.error(400, "COLUMN_NOT_FOUND", []);
    assert_eq!(rows(&server, "/v1/data/lasting/endpoint/one?n=8").await, [json!({ "x": 8 })]);
    change(&server, json!({ "sqlName": "two", "title": "Two" })).await.ok();
    assert_eq!(server.get("/v1/data/lasting/endpoint/one").await.status, 404);
    server.kill();
    let server = Server::builder().data_dir(&data_dir).start();
    assert_eq!(rows(&server, "/v1/data/lasting/endpoint/two").await, [json!({ "x": 7 })]);
    assert_eq!(change(&server, json!({ "sqlName": null })).await.ok().get("sqlName"), None);
    assert_eq!(server.get("/v1/data/lasting/endpoint/two").await.status, 404);
    change(&server, json!({ "sqlName": "three" })).await.ok();
    assert_eq!(server.delete(&format!("{address}?workspaceId={workspace}")).await.status, 200);
    assert_eq!(server.get("/v1/data/lasting/endpoint/three").await.status, 404);
}

/// An optional parameter that a call omits costs as much as the statement without its condition; one that a call
/// supplies prunes files like the same condition with a literal.
#[tokio::test]
async fn optional_parameters_prune_files_like_plain_conditions() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("pruning").await;
    let from = "SELECT sum(o_orderkey) AS s FROM tpch.tiny.orders";
    let optional = format!(
        "-- Parameter: day date\n-- Parameter: key bigint\n{from} WHERE (:day IS NULL OR o_orderdate >= :day) AND (:key IS NULL OR o_orderkey = :key)"
    );
    save(server, &workspace, "optional", &optional).await.ok();
    let bytes = async |id: &str| {
        let record = server.finish(&workspace, id).await;
        record["queryStats"]["processedBytes"].as_u64().unwrap_or_else(|| panic!("no bytes in {record}"))
    };
    for (query, plain) in [
        ("", String::new()),
        ("?key=7", " WHERE o_orderkey = 7".to_owned()),
        ("?day=1998-07-01", " WHERE o_orderdate >= DATE '1998-07-01'".to_owned()),
    ] {
        let called = server.get(&format!("/v1/data/pruning/endpoint/optional{query}")).await;
        let plain = server.run(&workspace, &format!("{from}{plain}")).await;
        let expected = server.result(&workspace, &id_of(&plain)).await["result"].clone();
        assert_eq!(json!([[called.ok()[0]["s"]]]), expected, "{query}");
        let called = bytes(called.header("x-query-id").expect("an id")).await;
        assert_eq!(called, bytes(&id_of(&plain)).await, "{query}");
        assert!(called > 0);
    }
}
