//! Signed links to a result (D42): whoever has one can read its rows until it expires, and nothing else.

use hyper::Method;
use rowhouse_tests::{Response, Server, SharedServer, id_of};
use serde_json::Value;

static SERVER: SharedServer = SharedServer::new(&["--results-signed-url-expiry", "1h"]);

const ROWS: u64 = 1500;

/// Runs a query of 1500 rows; returns the address of its result, and its workspace.
async fn result(server: &Server) -> (String, String) {
    let workspace = server.demo().await;
    let query = server.run(&workspace, "SELECT c_custkey, c_name FROM tpch.tiny.customer ORDER BY 1").await;
    (format!("/api/v1/query/{}/result", id_of(&query)), workspace)
}

async fn follow(server: &Server, url: &str) -> Response {
    server.request(Method::GET, url, None, None).await
}

fn urls(answer: &Value) -> Vec<String> {
    let urls = answer["urls"].as_array().expect("links");
    urls.iter().map(|link| link["url"].as_str().expect("a link").to_owned()).collect()
}

#[tokio::test]
async fn a_link_needs_no_token_and_gives_a_parquet_file() {
    let server = SERVER.get();
    let (path, workspace) = result(&server).await;
    let answer = server.get(&format!("{path}/signedUrls?workspaceId={workspace}")).await.ok();
    assert_eq!(answer["rowCount"], ROWS, "{answer}");
    assert_eq!(answer["columns"][1]["name"], "c_name");
    let [url] = &urls(&answer)[..] else { panic!("one small file: {answer}") };
    let file = follow(&server, url).await;
    assert_eq!((file.status, file.header("content-type")), (200, Some("application/vnd.apache.parquet")));
    assert_eq!((&file.body[..4], &file.body[file.body.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
    assert!(file.header("content-disposition").is_some_and(|text| text.ends_with("-0.parquet\"")));
    let same = server.get(&format!("{path}?workspaceId={workspace}&format=parquet")).await;
    assert_eq!(file.body, same.body, "the same rows");
    assert_eq!(answer["signedUrls"], serde_json::json!([format!("{}{url}", server.url())]));
    // The link has the base path of its request.
    let answer = server.get(&format!("/web{path}/signedUrls?workspaceId={workspace}")).await.ok();
    let url = &urls(&answer)[0];
    assert!(url.starts_with("/web/api/v1/"), "{url}");
    assert_eq!(follow(&server, url).await.body, same.body);
}

#[tokio::test]
async fn a_large_result_is_several_files() {
    let server = SERVER.get();
    let (path, workspace) = result(&server).await;
    let tail = format!("workspaceId={workspace}&rowsPerFile=400&expiresInSeconds=60");
    let answer = server.get(&format!("{path}/signedUrls?{tail}")).await.ok();
    let parts: Vec<(u64, u64)> = answer["urls"]
        .as_array()
        .expect("links")
        .iter()
        .map(|link| {
            (link["offset"].as_u64().expect("a number"), link["rowCount"].as_u64().expect("a number"))
        })
        .collect();
    assert_eq!(parts, [(0, 400), (400, 400), (800, 400), (1200, 300)]);
    for (url, (offset, rows)) in urls(&answer).iter().zip(parts) {
        let page = format!("{path}?workspaceId={workspace}&format=parquet&offset={offset}&limit={rows}");
        assert_eq!(follow(&server, url).await.body, server.get(&page).await.body, "{url}");
    }
    let nothing = server.run(&workspace, "SELECT 1 AS one WHERE 1 = 2").await;
    let path = format!("/api/v1/query/{}/result/signedUrls?workspaceId={workspace}", id_of(&nothing));
    let answer = server.get(&path).await.ok();
    let [url] = &urls(&answer)[..] else { panic!("one file without rows: {answer}") };
    assert_eq!(follow(&server, url).await.body.get(..4), Some(&b"PAR1"[..]));
}

#[tokio::test]
async fn a_modified_link_is_refused() {
    let server = SERVER.get();
    let (path, workspace) = result(&server).await;
    let (other, _) = result(&server).await;
    let tail = format!("workspaceId={workspace}&rowsPerFile=400");
    let answer = server.get(&format!("{path}/signedUrls?{tail}")).await.ok();
    let url = &urls(&answer)[0];
    let expires = url.split("expires=").nth(1).and_then(|rest| rest.split('&').next()).expect("a moment");
    let later: u64 = expires.parse::<u64>().expect("a number") + 1;
    let digit = if url.ends_with('0') { "1" } else { "0" };
    for changed in [
        url.replace("offset=0", "offset=1"),
        url.replace("limit=400", "limit=401"),
        url.replace(&format!("expires={expires}"), &format!("expires={later}")),
        url.replace(&path, &other),
        url.replace(&workspace, "another"),
        format!("{}{digit}", &url[..url.len() - 1]),
        url[..url.len() - 2].to_owned(),
    ] {
        assert_ne!(&changed, url);
        let refused = follow(&server, &changed).await;
        refused.error(401, "UNAUTHORIZED", ["signature"]);
        assert_eq!(refused.header("www-authenticate"), Some("Token"), "{changed}");
    }
    for missing in ["offset", "limit", "expires", "signature", "workspaceId"] {
        let without = url.replace(&format!("{missing}="), "x=");
        follow(&server, &without).await.error(400, "INVALID_ARGUMENTS", [missing]);
    }
    // An account's token does not replace a signature.
    let without = url.split("&signature").next().expect("a link");
    server.get(without).await.error(400, "INVALID_ARGUMENTS", ["signature"]);
}

#[tokio::test]
async fn a_link_expires_and_its_lifetime_is_limited() {
    let server = SERVER.get();
    let (path, workspace) = result(&server).await;
    let ask =
        async |tail: &str| server.get(&format!("{path}/signedUrls?workspaceId={workspace}{tail}")).await;
    let answer = ask("&expiresInSeconds=1").await.ok();
    let url = &urls(&answer)[0];
    // The test polls until the link is refused, which may have no other reason than its expiry.
    let refused = loop {
        let answer = follow(&server, url).await;
        if answer.status != 200 {
            break answer;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    refused.error(401, "UNAUTHORIZED", ["expired"]);
    for wrong in [
        "&expiresInSeconds=0",
        "&expiresInSeconds=3601",
        "&expiresInSeconds=x",
        "&rowsPerFile=0",
        "&rowsPerFile=1",
    ] {
        ask(wrong).await.error(400, "INVALID_ARGUMENTS", ["parameter"]);
    }
}

#[tokio::test]
async fn a_link_requires_read_access_to_the_result() {
    let server = SERVER.get();
    let (path, workspace) = result(&server).await;
    let path = format!("{path}/signedUrls?workspaceId={workspace}");
    server.request(Method::GET, &path, None, None).await.error(401, "UNAUTHORIZED", []);
    let consumer = server.new_member(&workspace, "signed-consumer", "CONSUMER").await;
    server.get_as(&consumer, &path).await.error(401, "PERMISSION_DENIED", []);
    let failed = server.run(&workspace, "SELECT nothing").await;
    let path = format!("/api/v1/query/{}/result/signedUrls?workspaceId={workspace}", id_of(&failed));
    server.get(&path).await.error(400, "COLUMN_NOT_FOUND", []);
}
