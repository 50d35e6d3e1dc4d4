//! `GET /v1/data/{workspace}/openapi.json`: a workspace's views for programs.

use rowhouse_tests::Server;
use serde_json::json;

#[tokio::test]
async fn views_their_columns_and_their_required_filters() {
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
    // For who may read the views, and for nobody else.
    let consumer = server.new_member(&workspace, "described-consumer", "CONSUMER").await;
    assert_eq!(server.get_as(&consumer, path).await.ok(), document);
    let (_, stranger) = server.new_account("described-stranger").await;
    server.get_as(&stranger, path).await.error(401, "PERMISSION_DENIED", []);
    server.get("/v1/data/nowhere/openapi.json").await.error(404, "NOT_FOUND", []);
    assert_eq!(server.get(&format!("/web{path}")).await.ok()["servers"], json!([{ "url": "/web" }]));
}
