//! `GET /v1/data/{workspace}/openapi.json`: a workspace's views and endpoints for programs.

use rowhouse_tests::Server;
use serde_json::json;

#[tokio::test]
async fn the_document_has_views_columns_and_required_filters() {
    let server = Server::start();
    let workspace = server.new_workspace("described").await;
    let sql = "-- Service API: required(\"id:eq\", \"day\")\nSELECT * FROM (VALUES (1, DATE '2024-02-29', 1.5, 'x', 0.5e0, ARRAY[1])) t (id, day, price, name, ratio, list)";
    server.new_view(&workspace, "things", sql).await;
    let path = "/v1/data/described/openapi.json";
    let document = server.get(path).await.ok();
    assert_eq!(document["openapi"], "3.1.0");
    let read = &document["paths"]["/v1/data/described/materializedView/things"]["get"];
    assert_eq!(read["x-required-filters"].as_array().map(Vec::len), Some(2), "{read}");
    assert_eq!(read["parameters"][0]["required"], true, "{read}");
    let properties = &document["components"]["schemas"]["things"]["properties"];
    for (column, kinds) in [
        ("id", json!(["integer", "null"])),
        ("day", json!(["string", "null"])),
        ("price", json!(["number", "null"])),
        ("name", json!(["string", "null"])),
        ("ratio", json!(["number", "string", "null"])),
        ("list", json!(["array", "null"])),
    ] {
        assert_eq!(properties[column]["type"], kinds, "{properties}");
    }
    assert_eq!(properties["day"]["format"], "date");
    // It is available to those who may read the views, and to nobody else.
    let consumer = server.new_member(&workspace, "described-consumer", "CONSUMER").await;
    assert_eq!(server.get_as(&consumer, path).await.ok(), document);
    let (_, stranger) = server.new_account("described-stranger").await;
    server.get_as(&stranger, path).await.error(401, "PERMISSION_DENIED", []);
    server.get("/v1/data/nowhere/openapi.json").await.error(404, "NOT_FOUND", []);
    assert_eq!(server.get(&format!("/web{path}")).await.ok()["servers"], json!([{ "url": "/web" }]));
}

#[tokio::test]
async fn the_document_has_endpoints_and_parameters() {
    let server = Server::start();
    let workspace = server.new_workspace("callable").await;
    let sql = "-- Parameter: day date required \"Day of the order\"
-- Parameter: region varchar in ('EU', 'US') default 'EU'
-- Parameter: keys array(bigint)
-- Parameter: most integer between 1 and 1000 default 100
-- Limit: 500 rows
-- Order by: price
SELECT :day AS day, :region AS region, 1.5 AS price WHERE :keys IS NULL OR :most > 0";
    let body = |name: &str, sql: &str| json!({ "workspaceId": workspace, "title": name, "sqlName": name, "sql": sql });
    server.post("/api/v1/sql", body("sales", sql)).await.ok();
    server.post("/api/v1/sql", body("open", "-- Shared: consumers\nSELECT 1 AS limit")).await.ok();
    let path = "/v1/data/callable/openapi.json";
    let document = server.get(path).await.ok();
    let item = &document["paths"]["/v1/data/callable/endpoint/sales"];
    let parameter = |name: &str| {
        let all = item["get"]["parameters"].as_array().expect("parameters").iter();
        let found: Vec<_> = all.filter(|parameter| parameter["name"] == name).collect();
        assert_eq!(found.len(), 1, "{name}: {item}");
        found[0].clone()
    };
    let day = parameter("day");
    assert_eq!((&day["required"], &day["description"]), (&json!(true), &json!("Day of the order")));
    assert_eq!(day["schema"], json!({ "type": "string", "format": "date", "x-sql-type": "date" }));
    let region = parameter("region");
    assert_eq!((&region["required"], &region["schema"]["default"]), (&json!(false), &json!("EU")));
    assert_eq!(region["schema"]["enum"], json!(["EU", "US"]));
    let keys = &parameter("keys")["schema"];
    assert_eq!((&keys["type"], &keys["items"]["format"]), (&json!("array"), &json!("int64")));
    let most = &parameter("most")["schema"];
    let bounds = (&most["type"], &most["minimum"], &most["maximum"], &most["default"]);
    assert_eq!(bounds, (&json!("integer"), &json!(1), &json!(1000), &json!(100)));
    assert_eq!(parameter("orderBy")["schema"]["enum"], json!(["price", "price:asc", "price:desc"]));
    let body = &item["post"]["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(body["required"], json!(["day"]), "{body}");
    assert_eq!(body["properties"]["region"], region["schema"], "{body}");
    let rows = &document["components"]["schemas"]["endpoint.sales"]["properties"];
    assert_eq!(rows["price"]["type"], json!(["number", "null"]), "{rows}");
    // A consumer sees the endpoints that it may call.
    let consumer = server.new_member(&workspace, "callable-consumer", "CONSUMER").await;
    let seen = server.get_as(&consumer, path).await.ok();
    let paths: Vec<&String> = seen["paths"].as_object().expect("paths").keys().collect();
    assert_eq!(paths, ["/v1/data/callable/endpoint/open"]);
}
