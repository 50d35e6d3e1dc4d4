//! Clients of Trino's protocol that send too much, request what is not theirs, or never return: each gets one clear
//! error, and nothing of them remains.

use hyper::Method;
use rowhouse_tests::{ProtocolClient, SLOW_SQL, Server, next_path};

/// A statement whose result has several pages and segments.
const LARGE: &str = "SELECT l_orderkey, l_linenumber, l_comment FROM tpch.tiny.lineitem";
const MIB: u64 = 1 << 20;

/// The server's own memory, without the files that it has mapped.
fn memory_mib(server: &Server) -> u64 {
    server.memory_bytes("RssAnon") / MIB
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_of_a_megabyte_are_refused() {
    let server = Server::start();
    let before = memory_mib(&server);
    for name in ["X-Trino-Session", "X-Trino-Prepared-Statement", "X-Trino-Client-Info", "X-Nobodys"] {
        for _ in 0..8 {
            let value = "x=1,".repeat(256 << 10);
            let token = server.admin_token();
            let request = format!(
                "POST /v1/statement HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{name}: {value}\r\n\
                 Content-Length: 8\r\n\r\nSELECT 1"
            );
            let answer = server.exchange(request.as_bytes());
            // The server may close the connection before the client has sent everything; then the answer is lost.
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{name}: {answer}");
        }
    }
    let grown = memory_mib(&server).saturating_sub(before);
    assert!(grown < 64, "the server grew by {grown} MiB");
    assert_eq!(ProtocolClient::of(&server).rows("SELECT 1", &[]).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_prepared_statements_leave_no_state() {
    let server = Server::start();
    let client = ProtocolClient::of(&server);
    client.rows("SELECT 1", &[]).await;
    let workspace = server.demo().await;
    let count = || async {
        let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=1")).await.ok();
        list["totalCount"].as_u64().expect("a count")
    };
    let (records, before) = (count().await, memory_mib(&server));
    for number in 0..10_000 {
        let prepared = client.post(&format!("PREPARE p{number} FROM SELECT {number} + ?"), &[]).await;
        assert!(
            prepared
                .header("x-trino-added-prepare")
                .is_some_and(|value| value.starts_with(&format!("p{number}=")))
        );
    }
    // The session is stored by the client: no record, and no memory except the cache of parsed texts.
    assert_eq!(count().await, records);
    let grown = memory_mib(&server).saturating_sub(before);
    assert!(grown < 48, "the server grew by {grown} MiB");
    // Too many to be sent back as headers, whether in one header or in one each.
    let many: String = (0..1001).map(|number| format!("p{number}=SELECT+1,")).collect();
    let refused = client.post("SELECT 1", &[("x-trino-prepared-statement", &many)]).await;
    refused.error(400, "INVALID_ARGUMENTS", ["1000 entries"]);
    let all: String =
        (0..10_000).map(|number| format!("X-Trino-Prepared-Statement: p{number}=SELECT+1\r\n")).collect();
    let token = server.admin_token();
    let request = format!(
        "POST /v1/statement HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{all}Content-Length: 8\r\n\r\nSELECT 1"
    );
    let answer = server.exchange(request.as_bytes());
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 431 ") || answer.starts_with("HTTP/1.1 400 "),
        "{answer}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_of_other_accounts_are_not_found() {
    let server = Server::start();
    let admin = ProtocolClient::of(&server);
    let private = server.new_workspace("private").await;
    let mallory = server.new_member(&private, "mallory", "ANALYST").await;
    let workspace = server.demo().await;
    let running = admin.post(SLOW_SQL, &[]).await.ok();
    let id = running["id"].as_str().expect("an id").to_owned();
    let address = next_path(&server, &running).expect("an address");
    let bearer = format!("Bearer {mallory}");
    let as_mallory = [("authorization", bearer.as_str())];
    for method in [Method::GET, Method::DELETE] {
        let by_id = server.request_with(method.clone(), &format!("/v1/query/{id}"), as_mallory, None).await;
        by_id.error(404, "NOT_FOUND", []);
        let beside = server.request_with(method.clone(), &address, as_mallory, None).await;
        beside.error(401, "UNAUTHORIZED", ["another account"]);
        let guessed = address.replace(&id, "20260101_000000_00000_aaaaa");
        server.request_with(method.clone(), &guessed, [], None).await.error(404, "NOT_FOUND", []);
        let nobodys = server.request_with(method, &format!("/v1/query/{id}"), [], None).await;
        assert_eq!(nobodys.status, 401);
    }
    let call = format!("CALL system.runtime.kill_query('{id}')");
    let error = ProtocolClient::with(&server, &mallory).error(&call, &[]).await;
    assert_eq!(error, format!("NOT_FOUND Target query not found: {id}"));
    // The statement still runs.
    let record = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
    assert!(record["status"] != "FAILED", "{record}");
    // A former member of the workspace can no longer read its pages.
    let large = server.new_member(&workspace, "leaver", "ANALYST").await;
    let leaver = ProtocolClient::with(&server, &large);
    let answers = leaver.answers(LARGE, &[]).await;
    let page = answers.iter().filter_map(|answer| next_path(&server, answer)).next_back().expect("a page");
    leaver.get(&page).await.ok();
    let members = server.get(&format!("/api/v1/workspace/{workspace}/members")).await.ok();
    let members = members.as_array().expect("a list");
    let account =
        members.iter().find(|member| member["username"] == "leaver").expect("a member")["accountId"].clone();
    let body = serde_json::json!({ "accountId": account, "role": null });
    server.put(&format!("/api/v1/workspace/{workspace}/member"), body).await.ok();
    let gone = leaver.get(&page).await;
    assert!(gone.status == 401 || gone.json()["error"]["errorName"] == "PERMISSION_DENIED", "{gone:?}");
}

/// A client that submits and never asks again: the statement ends by itself, its slot becomes free, and the segments
/// that wait for it stay within their bound.
#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_statement_ends_and_frees_its_resources() {
    let server = Server::builder().arguments(["--engine-concurrency", "1"]).start();
    let client = ProtocolClient::of(&server);
    let workspace = server.demo().await;
    let spooled = [("x-trino-query-data-encoding", "json+zstd")];
    client.answers(LARGE, &spooled).await;
    let before = memory_mib(&server);
    for number in 0..100 {
        // A separate statement each; its first pages are requested and its segments are not.
        let sql = format!("SELECT *, {number} FROM tpch.tiny.lineitem");
        let mut answer = client.post(&sql, &spooled).await.ok();
        while answer["data"].is_null() {
            let next = next_path(&server, &answer).expect("there is more");
            answer = client.get(&next).await.ok();
        }
        // The client abandons the statement here.
    }
    let grown = memory_mib(&server).saturating_sub(before);
    assert!(grown < 128, "the server grew by {grown} MiB");
    let mut abandoned = Vec::new();
    for number in 0..20 {
        let answer =
            client.post(&format!("SELECT count(*), {number} FROM tpch.tiny.lineitem"), &[]).await.ok();
        abandoned.push(answer["id"].as_str().expect("an id").to_owned());
    }
    for id in abandoned {
        let record = server.finish(&workspace, &id).await;
        assert_eq!(record["status"], "FINISHED", "{record}");
    }
    let limited = client.post(SLOW_SQL, &[("x-trino-session", "query_max_run_time=2s")]).await.ok();
    let record = server.finish(&workspace, limited["id"].as_str().expect("an id")).await;
    assert_eq!(record["error"]["errorName"], "EXCEEDED_TIME_LIMIT");
    assert_eq!(client.rows("SELECT 1", &[]).await.len(), 1);
}
