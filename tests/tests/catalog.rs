//! `GET /catalog` and `GET /workspace/:id/members`: what an editor completes from, and what an owner sees of members.

use rowhouse_tests::{SharedServer, data_file};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

#[track_caller]
fn array<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("no array {name} in {value}"))
}

/// Every table that the catalog lists can be named in a statement, with the columns that it lists.
#[tokio::test]
async fn every_listed_table_can_be_queried() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let catalog = server.get(&format!("/api/v1/catalog?workspaceId={workspace}")).await.ok();
    assert_eq!((&catalog["defaultCatalog"], &catalog["defaultSchema"]), (&json!("rowhouse"), &json!("demo")));
    let tables = array(&catalog, "tables");
    let kinds: Vec<_> = tables.iter().filter_map(|table| table["kind"].as_str()).collect();
    assert!(kinds.contains(&"MATERIALIZED_VIEW") && kinds.contains(&"SAMPLE"), "{kinds:?}");
    for table in tables.iter().filter(|table| table["schema"] != "sf1") {
        let [catalog, schema, name] =
            ["catalog", "schema", "name"].map(|part| table[part].as_str().expect(part));
        let sql = format!("SELECT * FROM {catalog}.{schema}.{name} WHERE 1 = 0");
        let query = server.run(&workspace, &sql).await;
        assert_eq!(query["columns"], table["columns"], "{sql}: {query}");
    }
}

#[tokio::test]
async fn a_single_catalog_or_schema_can_be_requested() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let place = format!("/api/v1/catalog?workspaceId={workspace}");
    let all = server.get(&place).await.ok();
    assert_eq!(all["catalogs"], json!(["rowhouse", "tpch"]));
    let of = |catalog: &Value, part: &str, field: &str, value: &str| -> Vec<Value> {
        array(catalog, part).iter().filter(|found| found[field] == value).cloned().collect()
    };
    let tpch = server.get(&format!("{place}&catalog=tpch")).await.ok();
    assert_eq!(array(&tpch, "schemas"), of(&all, "schemas", "catalog", "tpch"));
    assert_eq!(array(&tpch, "tables"), of(&all, "tables", "catalog", "tpch"));
    let tiny = server.get(&format!("{place}&catalog=tpch&schema=tiny")).await.ok();
    assert_eq!(array(&tiny, "tables"), of(&tpch, "tables", "schema", "tiny"));
    assert_eq!(array(&tiny, "tables").len(), 8);
    // Without a catalog, a schema belongs to the default catalog.
    let own = server.get(&format!("{place}&schema=demo")).await.ok();
    assert_eq!(own["schemas"], json!([{ "catalog": "rowhouse", "name": "demo" }]));
    assert_eq!(array(&own, "tables"), of(&all, "tables", "catalog", "rowhouse"));
    let none = server.get(&format!("{place}&schema=tiny")).await.ok();
    assert_eq!((&none["tables"], &none["schemas"]), (&json!([]), &json!([])));
    for bad in ["&catalog=", "&schema=", "&catalog=tpch&catalog=tpch"] {
        assert_eq!(server.get(&format!("{place}{bad}")).await.status, 400, "{bad}");
    }
}

#[tokio::test]
async fn a_file_table_is_only_in_the_catalog_of_its_workspace() {
    let server = SERVER.get();
    let (own, other) =
        (server.new_workspace("own_catalog").await, server.new_workspace("other_catalog").await);
    let table = server.new_table(&own, "mine", &data_file("types.parquet")).await;
    let listed = |catalog: Value| -> Vec<Value> {
        array(&catalog, "tables").iter().filter(|table| table["kind"] == "TABLE").cloned().collect()
    };
    let seen = listed(server.get(&format!("/api/v1/catalog?workspaceId={own}")).await.ok());
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!((&seen[0]["name"], &seen[0]["schema"]), (&json!("mine"), &json!("own_catalog")));
    assert_eq!(seen[0]["columns"], table["columns"]);
    let seen = listed(server.get(&format!("/api/v1/catalog?workspaceId={other}")).await.ok());
    assert!(seen.is_empty(), "{seen:?}");
}

#[tokio::test]
async fn functions_have_names_kinds_and_signatures() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let catalog = server.get(&format!("/api/v1/catalog?workspaceId={workspace}")).await.ok();
    let functions = array(&catalog, "functions");
    let kind_of = |name: &str| {
        let found = functions.iter().find(|function| function["name"] == name);
        found.map(|function| function["kind"].as_str().expect("a kind"))
    };
    assert_eq!(kind_of("upper"), Some("SCALAR"));
    assert_eq!(kind_of("sum"), Some("AGGREGATE"));
    assert_eq!(kind_of("row_number"), Some("WINDOW"));
    assert_eq!(kind_of("pow"), kind_of("power"), "an alias is there too");
    assert_eq!(kind_of("no_such_function"), None);
    for function in functions {
        let signatures = array(function, "signatures");
        assert!(
            signatures.iter().all(|text| text.as_str().is_some_and(|text| text.starts_with('('))),
            "{function}"
        );
    }
}

#[tokio::test]
async fn members_are_listed_by_name_with_their_roles() {
    let server = SERVER.get();
    let workspace = server.new_workspace("with_members").await;
    server.new_member(&workspace, "zoe", "ANALYST").await;
    server.new_member(&workspace, "abel", "CONSUMER").await;
    let path = format!("/api/v1/workspace/{workspace}/members");
    let members = server.get(&path).await.ok();
    let seen: Vec<_> = members.as_array().expect("an array").iter().collect();
    let names: Vec<_> = seen.iter().map(|member| (&member["username"], &member["role"])).collect();
    let [abel, zoe, analyst, consumer] = ["abel", "zoe", "ANALYST", "CONSUMER"].map(|text| json!(text));
    assert_eq!(names, [(&abel, &consumer), (&zoe, &analyst)]);
    let body = json!({ "accountId": seen[0]["accountId"], "role": null });
    server.put(&format!("/api/v1/workspace/{workspace}/member"), body).await.ok();
    assert_eq!(server.get(&path).await.ok().as_array().map(Vec::len), Some(1));
}
