//! Clients that disconnect while their call is being received.

use std::time::{Duration, Instant};

use rowhouse_tests::SLOW_SQL;
use serde_json::json;

use super::client::Client;
use super::{ENDS_WITHIN, SERVER};

/// Time between the moments at which clients disconnect.
const STEP: Duration = Duration::from_millis(1);

/// A client may disconnect at any moment, also while the statement is being accepted and planned.
#[tokio::test]
async fn a_call_of_a_client_that_disconnects_at_once_leaves_nothing_running() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("hasty_clients").await;
    let client = Client::new(server, "/mcp/hasty_clients");
    let slow = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call",
                       "params": { "name": "query", "arguments": { "sql": SLOW_SQL } } });
    for step in 1..=20 {
        // OK to ignore: no answer arrives that early.
        let _ = tokio::time::timeout(step * STEP, client.send(slow.clone())).await;
    }
    let deadline = Instant::now() + ENDS_WITHIN;
    loop {
        let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}")).await.ok();
        let records = list["result"].as_array().expect("records");
        if records.iter().all(|record| record["status"] == "FAILED") {
            break;
        }
        assert!(Instant::now() < deadline, "{list}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
