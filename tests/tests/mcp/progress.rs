//! Long calls of clients that request progress notifications.

use std::time::Duration;

use rowhouse_tests::{SLOW_SQL, Server};
use serde_json::{Value, json};

use super::client::Client;
use super::{SERVER, the_record};

fn slow() -> Value {
    let params =
        json!({ "name": "query", "arguments": { "sql": SLOW_SQL }, "_meta": { "progressToken": "p7" } });
    json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params })
}

const CANCEL: &str = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;

/// Sends a call to a server whose time limit ends it after some seconds.
async fn timed_out(workspace: &str, with_events: bool) -> (Server, rowhouse_tests::Response) {
    let server = Server::builder().arguments(["--mcp-query", "true", "--mcp-timeout", "5s"]).start();
    server.new_workspace(workspace).await;
    let path = format!("/mcp/{workspace}");
    let client = Client::new(&server, &path);
    let client = if with_events { client } else { client.without_events() };
    let answer = client.send(slow()).await;
    (server, answer)
}

/// Sends a call, and cancels it when it has been running for some seconds.
async fn canceled(client: &Client<'_>, workspace: &str) -> rowhouse_tests::Response {
    let server = &SERVER.get();
    let canceling = async {
        the_record(server, workspace, "RUNNING").await;
        tokio::time::sleep(Duration::from_secs(4)).await;
        let accepted = client.send(serde_json::from_str(CANCEL).expect("JSON")).await;
        assert_eq!(accepted.status, 202);
    };
    tokio::join!(client.send(slow()), canceling).0
}

/// The messages in an answer of server-sent events.
fn messages(answer: &rowhouse_tests::Response) -> Vec<Value> {
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/event-stream")));
    let text = String::from_utf8(answer.body.to_vec()).expect("text");
    let data = |event: &str| {
        let data = event.strip_prefix("event: message\ndata: ").unwrap_or_else(|| panic!("{event}"));
        serde_json::from_str(data).expect("JSON")
    };
    text.split_terminator("\n\n").map(data).collect()
}

#[tokio::test]
async fn a_long_call_reports_its_progress() {
    let (_server, answer) = timed_out("telling", true).await;
    let events = messages(&answer);
    let (last, before) = events.split_last().expect("events");
    assert_eq!((&last["id"], &last["result"]["isError"]), (&json!(7), &json!(true)), "{events:?}");
    assert!(!before.is_empty(), "{events:?}");
    let mut seconds = 0.0;
    for event in before {
        let params = &event["params"];
        assert_eq!(
            (&event["method"], &params["progressToken"]),
            (&json!("notifications/progress"), &json!("p7")),
            "{event}"
        );
        let progress = params["progress"].as_f64().expect("a number");
        assert!(progress > seconds, "{events:?}");
        seconds = progress;
    }
    assert!(before.iter().any(|event| event["params"]["message"] == "RUNNING"), "{events:?}");
}

/// As the protocol requires, the stream of events ends without an answer.
#[tokio::test]
async fn a_canceled_call_has_events_and_no_answer() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("withdrawn").await;
    let client = Client::new(server, "/mcp/withdrawn").with_header("mcp-session-id", "one");
    let events = messages(&canceled(&client, &workspace).await);
    assert!(!events.is_empty() && events.iter().all(|event| event["id"].is_null()), "{events:?}");
    let record = the_record(server, &workspace, "FAILED").await;
    assert_eq!((&record["error"]["errorName"], &record["source"]), (&json!("USER_CANCELED"), &json!("MCP")));
}

#[tokio::test]
async fn a_client_without_event_streams_gets_one_body() {
    let (_server, answer) = timed_out("silent", false).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.ok()["result"]["isError"], true);
}

#[tokio::test]
async fn a_call_with_events_is_canceled_with_its_client() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("going").await;
    let client = Client::new(server, "/mcp/going");
    let gone = async {
        the_record(server, &workspace, "RUNNING").await;
        // The client has received events by now.
        tokio::time::sleep(Duration::from_secs(3)).await;
    };
    tokio::select! {
        answer = client.send(slow()) => panic!("{:?}", answer.json()),
        () = gone => {}
    }
    let record = the_record(server, &workspace, "FAILED").await;
    assert_eq!(record["error"]["errorName"], "USER_CANCELED", "{record}");
}
