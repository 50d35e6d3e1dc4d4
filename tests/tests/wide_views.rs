//! Views and results with very many columns: they are limited when they are made, and whatever is there, the statements of
//! the workspace run and the server's memory is bounded.

use rowhouse_tests::{Server, id_of};
use serde_json::{Value, json};

/// Columns of one statement, whose JSON has about a megabyte.
const COLUMNS: usize = 900;

/// A row with columns whose names begin like this.
fn wide(prefix: &str) -> String {
    let name_rest = "x".repeat(1_000);
    let columns = (0..COLUMNS).map(|number| format!("{number} \"{prefix}{number}_{name_rest}\""));
    format!("SELECT {}", columns.collect::<Vec<_>>().join(", "))
}

#[tokio::test]
async fn a_workspace_with_as_many_wide_views_as_it_may_have_works() {
    let server = Server::start();
    let workspace = server.new_workspace("wide").await;
    server.new_view(&workspace, "left", &wide("a")).await;
    server.new_view(&workspace, "right", &wide("b")).await;
    let both = "SELECT * FROM \"left\" CROSS JOIN \"right\"";
    let mut views = Vec::new();
    let refused = loop {
        let name = format!("both{}", views.len());
        let body = json!({ "workspaceId": workspace, "sqlName": name, "sql": both });
        let created = server.post("/api/v1/materializedView", body).await;
        if created.status != 200 {
            break created;
        }
        let view = created.json();
        let refresh = view["refreshQueryId"].as_str().unwrap_or_else(|| panic!("no refresh"));
        assert_eq!(server.finish(&workspace, refresh).await["status"], "FINISHED");
        views.push(id_of(&view));
        assert!(views.len() < 10, "there is no limit");
    };
    refused.error(400, "INVALID_ARGUMENTS", ["16777216 are the most", "drop views"]);
    assert!(views.len() > 4, "{}", views.len());

    let count = |sql: &'static str| {
        let (server, workspace) = (&server, &workspace);
        async move { server.rows(workspace, sql).await[0][0].clone() }
    };
    let (last, columns) = (views.len() - 1, 2 * COLUMNS);
    assert_eq!(count("SELECT count(*) FROM both0").await, 1);
    assert_eq!(server.rows(&workspace, "SHOW TABLES").await.as_array().map(Vec::len), Some(views.len() + 2));
    let described = server.rows(&workspace, &format!("DESCRIBE both{last}")).await;
    assert_eq!(described.as_array().map(Vec::len), Some(columns));
    let listed = count("SELECT count(*) FROM information_schema.columns WHERE table_name LIKE 'both%'").await;
    assert_eq!(listed, columns * views.len());
    let of_one = count("SELECT count(*) FROM system.jdbc.columns WHERE table_name = 'right'").await;
    assert_eq!(of_one, COLUMNS);
    let texts =
        count("SELECT count(*) FROM system.metadata.materialized_views WHERE definition LIKE '%CROSS JOIN%'");
    assert_eq!(texts.await, views.len());

    // Documents that list the columns are written while they are sent.
    let before = server.memory_bytes("VmHWM");
    let document = server.get("/v1/data/wide/openapi.json").await.ok();
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas.as_object().map(serde_json::Map::len), Some(views.len() + 2));
    assert_eq!(schemas["both0"]["properties"].as_object().map(serde_json::Map::len), Some(columns));
    let all = server.get(&format!("/api/v1/materializedViews?workspaceId={workspace}")).await.ok();
    assert_eq!(all.as_array().map(Vec::len), Some(views.len() + 2));
    let grown = server.memory_bytes("VmHWM").saturating_sub(before);
    assert!(grown < 128 << 20, "{grown} bytes of memory for documents");

    // What does not grow may be changed, and there is room again after a view was dropped.
    let path = |id: &str| format!("/api/v1/materializedView/{id}?workspaceId={workspace}");
    let renamed = json!({ "sqlName": "renamed", "sql": "SELECT * FROM \"left\"" });
    server.put(&path(&views[0]), renamed).await.ok();
    server.delete(&path(&views[1])).await.ok();
    server.new_view(&workspace, "again", both).await;
    assert_eq!(count("SELECT count(*) FROM again").await, 1);
}

#[tokio::test]
async fn the_columns_of_old_records_are_limited_like_their_texts() {
    let server = Server::builder().arguments(["--records-text-bytes", "8MiB"]).start();
    let workspace = server.new_workspace("wide").await;
    server.new_view(&workspace, "wide", &wide("c")).await;
    let mut queries = Vec::new();
    for number in 0..8 {
        let query = server.run(&workspace, &format!("SELECT * FROM wide WHERE {number} = {number}")).await;
        assert_eq!(query["status"], "FINISHED");
        assert_eq!(query["columns"].as_array().map(Vec::len), Some(COLUMNS));
        queries.push(id_of(&query));
    }
    let record = |id: &String| {
        let path = format!("/api/v1/query/{id}?workspaceId={workspace}");
        let server = &server;
        async move { server.get(&path).await.ok() }
    };
    let oldest = record(&queries[0]).await;
    assert_eq!((&oldest["status"], &oldest["rowCount"]), (&json!("FINISHED"), &json!(1)));
    assert_eq!((&oldest["columns"], &oldest["sql"]), (&Value::Null, &Value::Null));
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", queries[0]);
    assert_ne!(server.get(&path).await.status, 200, "without its columns a result cannot be read");
    let newest = record(&queries[7]).await;
    assert_eq!(newest["columns"].as_array().map(Vec::len), Some(COLUMNS));
    assert_eq!(server.result(&workspace, &queries[7]).await["result"].as_array().map(Vec::len), Some(1));
    // The same statement is executed again, and then answered as before.
    let again = server.submit_cached(&workspace, "SELECT * FROM wide WHERE 0 = 0", 600, false).await;
    let again = server.finish(&workspace, &id_of(&again)).await;
    assert_ne!(again["fromCache"], true);
    assert_eq!(again["columns"].as_array().map(Vec::len), Some(COLUMNS));
    let bytes = std::fs::metadata(server.data_dir().join("rowhouse.db")).expect("the database").len();
    assert!(bytes < 40 << 20, "{bytes} bytes");
}
