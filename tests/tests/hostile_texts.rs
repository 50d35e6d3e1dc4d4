//! Many texts at once that are expensive to parse or to plan (D56, D57). Regression: 530 texts of 250 bytes blocked
//! every parsing thread forever, no statement was accepted any more, and SIGTERM did not end the server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rowhouse_tests::{Server, hostile_text, id_of};
use serde_json::json;
use tokio::task::JoinSet;

/// More than the number of threads for blocking work.
const TEXTS: usize = 530;
/// Maximum time of another account's statement and reads meanwhile, on a loaded machine.
const STRANGER_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum time of a shutdown: the server gives its statements some seconds.
const END_TIMEOUT: Duration = Duration::from_secs(60);

/// Sends all texts at once; each is answered, or refused because there are too many.
fn send_all(server: &Arc<Server>, workspace: &str) -> JoinSet<u16> {
    let mut requests = JoinSet::new();
    for number in 0..TEXTS {
        let (server, workspace) = (Arc::clone(server), workspace.to_owned());
        requests.spawn(async move {
            let body = json!({ "workspaceId": workspace, "sql": hostile_text(number) });
            server.post("/api/v1/query", body).await.status
        });
    }
    requests
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hundreds_of_expensive_texts_do_not_block_others() {
    let server = Arc::new(Server::start());
    let attacked = server.new_workspace("attacked").await;
    let calm = server.new_workspace("calm").await;
    let (_, token) = server.new_account("stranger").await;
    let member = server.new_member(&calm, "calm_member", "ANALYST").await;
    server.new_view(&calm, "nations", "SELECT n_nationkey AS id, n_name FROM tpch.tiny.nation").await;
    let mut requests = send_all(&server, &attacked);
    let mut reads = 0;
    while !requests.is_empty() {
        let stranger = async {
            // No other statement has this text, so it is parsed, planned and run.
            let sql = format!("SELECT {reads} AS calm");
            let body = json!({ "workspaceId": calm, "sql": sql });
            let query = server.post_as(&member, "/api/v1/query", body).await.ok();
            assert_eq!(server.finish(&calm, &id_of(&query)).await["status"], "FINISHED");
            let path = "/v1/data/calm/materializedView/nations?filters=id:EQ:7";
            assert_eq!(server.get(path).await.status, 200);
            assert_eq!(server.get_as(&token, "/api/v1/workspaces").await.status, 200);
        };
        let begun = Instant::now();
        tokio::time::timeout(STRANGER_TIMEOUT, stranger).await.expect("a stranger is served");
        eprintln!("a stranger's round: {:?}, {} texts left", begun.elapsed(), requests.len());
        reads += 1;
        while let Some(status) = requests.try_join_next() {
            let status = status.expect("an answer");
            assert!([200, 429, 503].contains(&status), "{status}");
        }
    }
    let found = server.get(&format!("/api/v1/queries?workspaceId={attacked}&limit=1000")).await.ok();
    let records = found["result"].as_array().expect("records");
    assert!(!records.is_empty());
    for record in records {
        let query = server.finish(&attacked, &id_of(record)).await;
        let name = query["error"]["errorName"].as_str().unwrap_or_default();
        let is_told = [
            "SYNTAX_ERROR",
            "NOT_SUPPORTED",
            "TYPE_MISMATCH",
            "TABLE_NOT_FOUND",
            "COLUMN_NOT_FOUND",
            "FUNCTION_NOT_FOUND",
        ];
        assert!(query["status"] == "FINISHED" || is_told.contains(&name), "{query}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_parses_many_texts_shuts_down_in_time() {
    let server = Arc::new(Server::start());
    let workspace = server.new_workspace("attacked").await;
    let mut requests = send_all(&server, &workspace);
    // The server is in the middle of the work.
    requests.join_next().await.expect("an answer").expect("a status");
    requests.abort_all();
    while requests.join_next().await.is_some() {}
    let mut server = Arc::into_inner(server).expect("nobody else has it");
    assert_eq!(server.terminate(END_TIMEOUT), Some(0));
}
