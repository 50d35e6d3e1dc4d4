//! `orderBy` and `count=exact` of view reads (D46): with and without an index of the column, beside filters, pages,
//! formats and entity tags.

use rowhouse_tests::{Server, SharedServer};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

/// Keys 1 to 6; values with ties, NULLs and NaN.
const ROWS: &str = "SELECT * FROM (VALUES (1, 2.5e0, 'b', DATE '2024-01-02'), (2, NULL, 'a', DATE '2024-01-01'), \
                    (3, nan(), 'b', NULL), (4, -1e0, NULL, DATE '2024-01-03'), (5, 2.5e0, 'a', DATE '2024-01-02'), \
                    (6, NULL, 'c', NULL)) AS t(id, number, name, day)";

async fn views(server: &Server, workspace: &str) -> [String; 2] {
    let id = server.new_workspace(workspace).await;
    server.new_view(&id, "plain", ROWS).await;
    let required = "-- Service API: required(\"id\", \"number\", \"name\", \"day\")";
    server.new_view(&id, "indexed", &format!("{required}\n{ROWS}")).await;
    let path = |view: &str| format!("/v1/data/{workspace}/materializedView/{view}");
    [path("plain"), path("indexed")]
}

async fn ids(server: &Server, path: &str, query: &str) -> Vec<i64> {
    let rows = server.get(&format!("{path}?{query}&columnNames=id")).await.ok();
    rows.as_array().expect("rows").iter().map(|row| row["id"].as_i64().expect("an id")).collect()
}

#[tokio::test]
async fn nulls_are_last_and_equal_values_keep_their_order() {
    let server = SERVER.get();
    let [plain, indexed] = views(&server, "view_order").await;
    for (order, expected) in [
        ("number:asc", [4, 1, 5, 3, 2, 6]),
        ("number", [4, 1, 5, 3, 2, 6]),
        ("NUMBER:DESC", [3, 1, 5, 4, 2, 6]),
        ("name:asc", [2, 5, 1, 3, 6, 4]),
        ("name:desc", [6, 1, 3, 2, 5, 4]),
        ("day:Asc", [2, 1, 5, 4, 3, 6]),
        ("day:desc", [4, 1, 5, 2, 3, 6]),
        ("id:desc", [6, 5, 4, 3, 2, 1]),
    ] {
        assert_eq!(ids(&server, &plain, &format!("orderBy={order}")).await, expected, "{order}");
        for (offset, limit) in [(0, 2), (1, 3), (4, 10), (6, 1), (0, 0)] {
            let page = ids(&server, &plain, &format!("orderBy={order}&offset={offset}&limit={limit}")).await;
            let wanted: Vec<i64> = expected.iter().copied().skip(offset).take(limit).collect();
            assert_eq!(page, wanted, "{order} {offset} {limit}");
        }
        // The required filters leave the rows 1 and 5.
        let filters = "filters=id:GTE:1&filters=number:GT:0&filters=name:IS_NOT:null&filters=day:IS_NOT:null";
        let wanted: Vec<i64> = expected.iter().copied().filter(|id| [1, 5].contains(id)).collect();
        assert_eq!(ids(&server, &indexed, &format!("{filters}&orderBy={order}")).await, wanted, "{order}");
        assert_eq!(ids(&server, &plain, &format!("{filters}&orderBy={order}")).await, wanted, "{order}");
    }
    // Every format has the same order, and compression does not change it.
    let csv = server.get(&format!("{plain}?orderBy=name:desc&columnNames=id&format=csv")).await;
    assert_eq!(String::from_utf8_lossy(&csv.body), "id\r\n6\r\n1\r\n3\r\n2\r\n5\r\n4\r\n");
    assert_eq!(server.get(&format!("{plain}?orderBy=name&format=arrow")).await.status, 200);
    assert_eq!(server.get(&format!("{plain}?orderBy=name&format=parquet")).await.status, 200);
}

#[tokio::test]
async fn an_index_gives_the_same_order_as_a_scan() {
    let server = SERVER.get();
    let workspace = server.new_workspace("view_order_index").await;
    let sql = "SELECT o_orderkey, o_orderdate, o_totalprice, o_clerk FROM tpch.tiny.orders";
    server.new_view(&workspace, "plain", sql).await;
    for column in ["o_orderdate", "o_totalprice", "o_clerk"] {
        let required = format!("-- Service API: required(\"{column}\")\n{sql}");
        server.new_view(&workspace, &format!("by_{column}"), &required).await;
        let path = |view: &str| format!("/v1/data/view_order_index/materializedView/{view}");
        for query in
            ["limit=50", "limit=40&offset=900", "limit=10&offset=14995", "filters=o_orderkey:LT:3000"]
        {
            for direction in ["asc", "desc"] {
                let query = format!("filters={column}:IS_NOT:null&orderBy={column}:{direction}&{query}");
                let plain = server.get(&format!("{}?{query}", path("plain"))).await.ok();
                let indexed = server.get(&format!("{}?{query}", path(&format!("by_{column}")))).await.ok();
                assert_eq!(plain, indexed, "{query}");
                let values = |row: &Value| row[column].to_string();
                let rows = plain.as_array().expect("rows");
                assert!(!rows.is_empty(), "{query}");
                if column != "o_totalprice" {
                    let is_ordered = rows.windows(2).all(|pair| match direction {
                        "asc" => values(&pair[0]) <= values(&pair[1]),
                        _ => values(&pair[0]) >= values(&pair[1]),
                    });
                    assert!(is_ordered, "{query}");
                }
            }
        }
    }
}

#[tokio::test]
async fn exact_counts_do_not_depend_on_the_page() {
    let server = SERVER.get();
    let [plain, _] = views(&server, "view_count").await;
    for (query, expected) in [
        ("", "6"),
        ("&limit=2", "6"),
        ("&limit=0&offset=100", "6"),
        ("&filters=name:EQ:b", "2"),
        ("&filters=number:IS:null&filters=id:GT:2&limit=1", "1"),
        ("&filters=id:GT:100", "0"),
        ("&orderBy=name&limit=1&format=csv", "6"),
    ] {
        let answer = server.get(&format!("{plain}?count=exact{query}")).await;
        assert_eq!((answer.status, answer.header("x-total-count")), (200, Some(expected)), "{query}");
    }
    assert_eq!(server.get(&plain).await.header("x-total-count"), None);
    server.get(&format!("{plain}?count=planned")).await.error(400, "INVALID_ARGUMENTS", ["count", "exact"]);
    server.get(&format!("{plain}?count=")).await.error(400, "INVALID_ARGUMENTS", ["count"]);
}

#[tokio::test]
async fn unorderable_columns_are_refused() {
    let server = SERVER.get();
    let workspace = server.new_workspace("view_order_refused").await;
    let sql = "-- Service API: required(\"id\")\nSELECT 1 AS id, X'00' AS bytes, 2 AS \"a:desc\"";
    server.new_view(&workspace, "odd", sql).await;
    let path = "/v1/data/view_order_refused/materializedView/odd";
    let read = async |order: &str| server.get(&format!("{path}?filters=id:EQ:1&orderBy={order}")).await;
    read("bytes").await.error(400, "INVALID_ARGUMENTS", ["orderBy", "bytes", "varbinary"]);
    read("id:up").await.error(400, "INVALID_ARGUMENTS", ["orderBy", "id:up"]);
    read("nope:asc").await.error(400, "COLUMN_NOT_FOUND", ["nope"]);
    read("").await.error(400, "INVALID_ARGUMENTS", ["orderBy"]);
    read("id&orderBy=id").await.error(400, "INVALID_ARGUMENTS", ["orderBy"]);
    // A column whose name ends like a direction.
    assert_eq!(read("a:desc").await.ok(), json!([{ "id": 1, "bytes": "AA==", "a:desc": 2 }]));
    assert_eq!(read("a:desc:asc").await.status, 200);
    // Neither bypasses the required filters.
    let unmet = server.get(&format!("{path}?orderBy=id&count=exact")).await;
    unmet.error(400, "GENERIC_USER_ERROR", ["id"]);
    assert_eq!(unmet.header("x-total-count"), None);
}

#[tokio::test]
async fn entity_tags_depend_on_order_and_count() {
    let server = SERVER.get();
    let [plain, _] = views(&server, "view_order_tags").await;
    let mut tags = std::collections::BTreeSet::new();
    let queries =
        ["", "orderBy=id", "orderBy=id:desc", "orderBy=name", "count=exact", "count=exact&orderBy=id"];
    for query in queries {
        let answer = server.get(&format!("{plain}?{query}")).await;
        tags.insert(answer.header("etag").expect("a tag").to_owned());
    }
    assert_eq!(tags.len(), queries.len());
    let spelt = server.get(&format!("{plain}?orderBy=ID:ASC")).await;
    assert!(tags.contains(spelt.header("etag").expect("a tag")), "the same rows, the same tag");
}
