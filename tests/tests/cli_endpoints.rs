//! `rowhouse call`, `rowhouse sql` and `rowhouse cache` as a shell sees them, and endpoints through the Rust client.

use std::process::{Command, Output, Stdio};

use rowhouse_client::{CacheScope, Client, EndpointCall, ErrorKind, ResultFormat};
use rowhouse_tests::{Server, binary, id_of};
use serde_json::{Value, json};
use tempfile::TempDir;

const SQL: &str = "-- Parameter: least bigint required\n-- Parameter: keys array(bigint)\n-- Cache: 10m\n-- Order by: k\n\
                   SELECT r_regionkey AS k, r_name AS name FROM tpch.tiny.region \
                   WHERE r_regionkey >= :least AND (:keys IS NULL OR contains(:keys, r_regionkey))";

fn run(server: &Server, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ROWHOUSE_")) {
        command.env_remove(name);
    }
    command.env("ROWHOUSE_SERVER", server.url()).env("ROWHOUSE_DATA_DIR", server.data_dir());
    command.stdin(Stdio::null()).args(arguments).output().expect("the command runs")
}

/// Runs a command that must succeed; returns its standard output.
fn out(server: &Server, arguments: &[&str]) -> String {
    let output = run(server, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn json_out(server: &Server, arguments: &[&str]) -> Value {
    let text = out(server, arguments);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
}

async fn save(server: &Server, workspace: &str) -> String {
    let body = json!({ "workspaceId": workspace, "title": "Regions", "sqlName": "regions", "sql": SQL });
    id_of(&server.post("/api/v1/sql", body).await.ok())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_calls_endpoints_and_shows_their_versions_and_results() {
    let server = Server::start();
    let workspace = server.demo().await;
    let id = save(&server, &workspace).await;
    let call = |rest: &[&str]| out(&server, &[&["call", "demo", "regions"], rest].concat());
    assert_eq!(call(&["least=3", "--order-by", "k:desc"]), "k,name\r\n4,MIDDLE EAST\r\n3,EUROPE\r\n");
    assert_eq!(call(&["least=3", "--format", "json", "--columns", "k", "--limit", "1"]), "[{\"k\":3}]\n");
    assert_eq!(
        call(&["least=0", "keys=1", "keys=4", "--format", "ndjson", "--columns", "k"]),
        "{\"k\":1}\n{\"k\":4}\n"
    );
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("regions.parquet");
    assert_eq!(call(&["least=0", "--output", file.to_str().expect("a path")]), "");
    assert!(std::fs::read(&file).expect("a file").starts_with(b"PAR1"));
    let wrong = run(&server, &["call", "demo", "regions", "leest=1"]);
    let message = String::from_utf8_lossy(&wrong.stderr);
    assert!(!wrong.status.success() && message.contains("did you mean least?"), "{message}");
    let wrong = run(&server, &["call", "demo", "regions", "least"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("expected NAME=VALUE"));

    let calls = json_out(&server, &["sql", "calls", "regions", "--format", "json"]);
    assert_eq!((&calls["calls"], &calls["failed"]), (&json!(5), &json!(1)), "{calls}");
    let change = json!({ "workspaceId": workspace, "title": "All regions" });
    server.put(&format!("/api/v1/sql/{id}"), change).await.ok();
    let versions = json_out(&server, &["sql", "versions", "regions", "--format", "json"]);
    let shown: Vec<_> =
        versions.as_array().into_iter().flatten().map(|one| (&one["version"], &one["title"])).collect();
    assert_eq!(shown, [(&json!(2), &json!("All regions")), (&json!(1), &json!("Regions"))], "{versions}");
    assert_eq!(versions[0]["username"], "admin");
    let restored = json_out(&server, &["sql", "restore", "All regions", "1", "--format", "json"]);
    assert_eq!(restored["title"], "Regions");
    assert!(out(&server, &["sql", "list"]).contains("regions"));
    let unknown = run(&server, &["sql", "versions", "regionz"]);
    let message = String::from_utf8_lossy(&unknown.stderr).to_lowercase();
    assert!(message.contains("did you mean 'regions'?"), "{message}");

    let listed = json_out(&server, &["cache", "list", "--format", "json", "--limit", "1"]);
    let query = listed[0]["queryId"].as_str().unwrap_or_else(|| panic!("{listed}"));
    assert_eq!(out(&server, &["cache", "purge", "--query", query]), "1 result\n");
    assert_eq!(out(&server, &["cache", "purge", "--table", "nothing"]), "0 results\n");
    assert_eq!(run(&server, &["cache", "purge"]).status.code(), Some(2), "what is meant has to be said");
    out(&server, &["cache", "purge", "--all"]);
    assert_eq!(json_out(&server, &["cache", "list", "--format", "json"]), json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_calls_endpoints() {
    let server = Server::start();
    let workspace = server.demo().await;
    save(&server, &workspace).await;
    let client = Client::builder(server.url()).token(server.admin_token()).build().expect("a client");
    let call = EndpointCall::new().parameter("least", 3).order_by("k:desc").limit(1);
    let rows: Vec<Value> = client.call_endpoint("demo", "regions", &call).await.expect("rows");
    assert_eq!(rows, [json!({ "k": 4, "name": "MIDDLE EAST" })]);
    let call = EndpointCall::new().parameter("least", 0).list("keys", [1, 2]).columns(["k"]);
    let rows: Vec<Value> = client.call_endpoint("demo", "regions", &call).await.expect("rows");
    assert_eq!(rows, [json!({ "k": 1 }), json!({ "k": 2 })]);
    let mut csv =
        client.download_endpoint("demo", "regions", &call, ResultFormat::Csv).await.expect("a file");
    assert_eq!(csv.chunk().await.expect("bytes").as_deref(), Some(&b"k\r\n1\r\n2\r\n"[..]));
    let wrong = client.call_endpoint::<Value>("demo", "regions", &EndpointCall::new()).await;
    let error = wrong.expect_err("a parameter is missing");
    assert!(matches!(error.kind(), ErrorKind::Api { .. }) && error.to_string().contains("least"), "{error}");
    // A call that is answered with 202 is followed to the end of its query.
    let slow =
        "SELECT count(*) AS n FROM tpch.tiny.orders a JOIN tpch.tiny.orders b ON a.o_orderkey < b.o_orderkey";
    let body = json!({ "workspaceId": workspace, "title": "slow", "sqlName": "slow", "sql": slow });
    server.post("/api/v1/sql", body).await.ok();
    let call = EndpointCall::new().wait(0);
    let rows: Vec<Value> = client.call_endpoint("demo", "slow", &call).await.expect("rows");
    assert_eq!(rows, [json!({ "n": 15_000 * 14_999 / 2 })]);
    let mut json =
        client.download_endpoint("demo", "slow", &call, ResultFormat::Ndjson).await.expect("a file");
    assert_eq!(json.chunk().await.expect("bytes").as_deref(), Some(&b"{\"n\":112492500}\n"[..]));
    let workspace = client.workspace(workspace.as_str());
    assert_eq!(workspace.purge_cache(&CacheScope::Table("nothing".to_owned())).await.expect("done"), 0);
    assert!(
        workspace.cached_results(&CacheScope::Workspace, Some(1)).await.expect("a list").total_count >= 2
    );
}
