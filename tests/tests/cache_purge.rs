//! Cached results, listed and purged over HTTP, and entity tags of results.

use hyper::Method;
use rowhouse_tests::{Response, Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

async fn outcome(server: &Server, workspace: &str, sql: &str) -> Value {
    let body =
        json!({ "workspaceId": workspace, "sql": sql, "cacheTTL": 600, "cacheRefresh": false, "wait": 60 });
    server.post("/api/v1/query", body).await.ok()["cache"]["outcome"].clone()
}

#[tokio::test]
async fn cached_results_are_listed_and_purged() {
    let server = SERVER.get();
    let workspace = server.new_workspace("purging").await;
    let analyst = server.new_member(&workspace, "purging_analyst", "ANALYST").await;
    let view = server.new_view(&workspace, "regions", "SELECT r_name FROM tpch.tiny.region").await;
    assert!(!view.is_empty());
    let of_view = "SELECT count(*) FROM regions";
    for sql in [of_view, "SELECT 1"] {
        assert_eq!(outcome(&server, &workspace, sql).await, "miss");
        assert_eq!(outcome(&server, &workspace, sql).await, "hit");
    }
    let cache = format!("/api/v1/cache?workspaceId={workspace}");
    let listed = server.get(&cache).await.ok();
    // The result of the refresh of the view is one of them.
    assert_eq!(listed["totalCount"], 3, "{listed}");
    assert_eq!(
        (&listed["result"][0]["sql"], &listed["result"][0]["tables"]),
        (&json!("SELECT 1"), &json!([]))
    );
    let of_table = server.get(&format!("{cache}&table=regions")).await.ok();
    assert_eq!((&of_table["totalCount"], &of_table["result"][0]["sql"]), (&json!(1), &json!(of_view)));
    let one = server.get(&format!("{cache}&limit=1&offset=1")).await.ok();
    assert_eq!((&one["totalCount"], &one["result"][0]["sql"]), (&json!(3), &json!(of_view)));

    for (rest, text) in [
        ("", "expected queryId, table or all=true"),
        ("&table=a&queryId=b", "expected one of them"),
        ("&table=a&all=true", "beside queryId or table"),
        ("&all=yes", "all"),
    ] {
        server.delete(&format!("{cache}{rest}")).await.error(400, "INVALID_ARGUMENTS", [text]);
    }
    server.delete(&format!("{cache}&queryId=nope")).await.error(404, "NOT_FOUND", []);
    let all = server.request(Method::DELETE, &format!("{cache}&all=true"), Some(&analyst), None).await;
    all.error(401, "PERMISSION_DENIED", []);
    let purge = format!("{cache}&table=regions");
    let purged = server.request(Method::DELETE, &purge, Some(&analyst), None).await.ok();
    assert_eq!(purged, json!({ "purged": 1 }));
    assert_eq!(outcome(&server, &workspace, of_view).await, "miss");
    let query = id_of(&server.submit(&workspace, "SELECT 1 -- the same statement").await);
    server.finish(&workspace, &query).await;
    let purged = server.delete(&format!("{cache}&queryId={query}")).await.ok();
    assert_eq!(purged, json!({ "purged": 1 }));
    assert_eq!(outcome(&server, &workspace, "SELECT 1").await, "miss");
    let purged = server.delete(&format!("{cache}&all=true")).await.ok();
    assert_eq!(purged, json!({ "purged": 3 }));
    assert_eq!(server.get(&cache).await.ok(), json!({ "totalCount": 0, "result": [] }));
    // The record keeps its rows.
    assert_eq!(server.result(&workspace, &query).await["result"], json!([[1]]));
}

#[tokio::test]
async fn rows_of_a_result_have_an_entity_tag() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let query = id_of(&server.submit(&workspace, "SELECT * FROM tpch.tiny.orders ORDER BY o_orderkey").await);
    server.finish(&workspace, &query).await;
    let path = format!("/api/v1/query/{query}/result?workspaceId={workspace}");
    let token = format!("Token {}", server.admin_token());
    let read = async |rest: &str, coding: &str, tag: &str| -> Response {
        let headers =
            [("authorization", token.as_str()), ("accept-encoding", coding), ("if-none-match", tag)];
        server.request_with(Method::GET, &format!("{path}{rest}"), headers, None).await
    };
    let tag_of = |answer: &Response| answer.header("etag").expect("a tag").to_owned();
    let mut tags = Vec::new();
    for (rest, coding) in [
        ("", "identity"),
        ("", "gzip"),
        ("", "zstd"),
        ("&limit=10", "identity"),
        ("&limit=10&offset=1", "identity"),
        ("&format=csv", "identity"),
        ("&format=arrow", "identity"),
        ("&shape=objects", "identity"),
    ] {
        let first = read(rest, coding, "\"other\"").await;
        assert_eq!((first.status, first.header("cache-control")), (200, Some("private, no-cache")), "{rest}");
        let tag = tag_of(&first);
        assert!(!tag.starts_with("W/"), "the same bytes each time: {tag}");
        let again = read(rest, coding, "\"other\"").await;
        assert_eq!((tag_of(&again), again.body == first.body), (tag.clone(), true), "{rest} {coding}");
        for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
            let known = read(rest, coding, &known).await;
            assert_eq!((known.status, known.body.len()), (304, 0), "{rest} {coding}");
            assert_eq!(known.header("etag"), Some(tag.as_str()), "{rest} {coding}");
            assert!(known.header("vary").is_some_and(|vary| vary.contains("Accept-Encoding")));
        }
        assert!(!tags.contains(&tag), "{tag} is that of another answer");
        tags.push(tag);
    }
    // The entity tag of one content coding does not match the answer without a coding.
    assert_eq!(read("", "identity", &tags[1]).await.status, 200);
    let links =
        server.get(&format!("/api/v1/query/{query}/result/signedUrls?workspaceId={workspace}")).await.ok();
    let url = links["urls"][0]["url"].as_str().unwrap_or_else(|| panic!("{links}"));
    let link = url.strip_prefix(&server.url()).unwrap_or(url);
    let file = server.request_with(Method::GET, link, [], None).await;
    let tag = tag_of(&file);
    let known = server.request_with(Method::GET, link, [("if-none-match", tag.as_str())], None).await;
    assert_eq!((file.status, known.status, known.body.len()), (200, 304, 0));
    server.delete(&format!("/api/v1/query/{query}/result?workspaceId={workspace}")).await.ok();
    assert_eq!(read("", "identity", &tags[0]).await.status, 404);
}
