//! Published clients of the Model Context Protocol, unmodified: the Python and TypeScript SDKs, the inspector, and the
//! protocol's own conformance suite. Skipped with a message if they are unavailable.

use std::path::PathBuf;
use std::process::Command;

use rowhouse_tests::{SLOW_SQL, Server, binary, has_program, path_in_tests, python, run_script, skip};
use serde_json::{Value, json};

/// Scenarios of the conformance suite about features that this server has.
const SCENARIOS: [&str; 8] = [
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "resources-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
];
/// The other scenarios, each with the reason why it does not apply.
const NOT_OURS: [(&str, &str); 24] = [
    ("logging-set-level", "no log goes to clients"),
    ("completion-complete", "arguments are not completed"),
    ("tools-call-image", "results are rows"),
    ("tools-call-audio", "results are rows"),
    ("tools-call-embedded-resource", "results are rows"),
    ("tools-call-mixed-content", "results are rows"),
    ("tools-call-with-logging", "no log goes to clients"),
    ("tools-call-with-progress", "an answer is one body, without messages before it"),
    ("tools-call-sampling", "the server asks its clients nothing"),
    ("tools-call-elicitation", "the server asks its clients nothing"),
    ("json-schema-2020-12", "a fixed tool, whose schema no endpoint can declare"),
    ("elicitation-sep1034-defaults", "the server asks its clients nothing"),
    ("elicitation-sep1330-enums", "the server asks its clients nothing"),
    ("server-sse-polling", "an answer is one body, and no stream of events"),
    ("resources-read-text", "a fixed resource: resources are the catalog"),
    ("resources-read-binary", "a fixed resource: resources are the catalog"),
    ("resources-templates-read", "a fixed template: resources are the catalog"),
    ("resources-subscribe", "resources are not watched"),
    ("resources-unsubscribe", "resources are not watched"),
    ("prompts-list", "there are no prompts"),
    ("prompts-get-simple", "there are no prompts"),
    ("prompts-get-with-args", "there are no prompts"),
    ("prompts-get-embedded-resource", "there are no prompts"),
    ("prompts-get-with-image", "there are no prompts"),
];

const ORDERS: &str = "-- Parameter: day date required \"Day of the order\"
-- Parameter: most integer between 1 and 1000 default 5
SELECT o_orderkey, o_orderdate FROM tpch.tiny.orders WHERE o_orderdate >= :day ORDER BY o_orderkey LIMIT :most";

async fn scene(server: &Server) -> String {
    let workspace = server.new_workspace("peers").await;
    // Two have the names that the conformance suite requires.
    for (name, sql) in [
        ("orders", ORDERS),
        ("test_error_handling", "SELECT 1 / (SELECT 0) AS never"),
        ("test_simple_text", "SELECT 'simple' AS text"),
    ] {
        let body = json!({ "workspaceId": workspace, "title": name, "sqlName": name, "sql": sql });
        server.post("/api/v1/sql", body).await.ok();
    }
    server.new_view(&workspace, "nations", "SELECT n_nationkey, n_name FROM tpch.tiny.nation").await;
    workspace
}

/// The task of the Python client, for each transport.
fn flow(mode: &str) -> Value {
    json!({
        "mode": mode,
        "calls": [
            ["orders", { "day": "1998-07-01", "most": 2 }],
            ["orders", { "day": "tomorrow" }],
            ["read_nations", { "filters": ["n_nationkey:LT:3"], "columnNames": ["n_name"] }],
            ["query", { "sql": "SELECT 42 AS answer" }],
        ],
        "read": ["rowhouse://peers/catalog", "rowhouse://peers/table/rowhouse/peers/nations"],
        "slow": ["query", { "sql": SLOW_SQL }],
    })
}

fn check_flow(seen: &Value, version: &str) {
    assert_eq!((&seen["version"], &seen["server"]), (&json!(version), &json!("rowhouse")), "{seen}");
    let tools: Vec<&String> = seen["tools"].as_object().expect("tools").keys().collect();
    assert_eq!(tools, ["orders", "query", "read_nations", "test_error_handling", "test_simple_text"]);
    assert_eq!(seen["tools"]["orders"]["input"]["required"], json!(["day"]));
    let calls = seen["calls"].as_array().expect("calls");
    assert_eq!(calls[0]["structured"]["rows"].as_array().map(Vec::len), Some(2), "{seen}");
    assert_eq!((&calls[1]["isError"], &calls[1]["structured"]), (&json!(true), &Value::Null));
    assert_eq!(
        calls[2]["structured"]["rows"],
        json!([{ "n_name": "ALGERIA" }, { "n_name": "ARGENTINA" }, { "n_name": "BRAZIL" }])
    );
    assert_eq!(calls[3]["structured"]["rows"], json!([[42]]));
    assert_eq!(seen["templates"], json!(["rowhouse://peers/table/{catalog}/{schema}/{table}"]));
    assert_eq!(
        seen["resources"],
        json!(["rowhouse://peers/catalog", "rowhouse://peers/table/rowhouse/peers/nations"])
    );
    assert_eq!(seen["read"][1]["columns"][1]["name"], "n_name");
    assert_eq!(seen["unknown"][0], -32602);
}

/// Adds the address of the server to a client's task.
fn connect(task: &mut Value, server: &Server, is_stdio: bool) {
    let (url, token) = (server.url(), server.admin_token());
    if is_stdio {
        let program = binary().display().to_string();
        task["command"] = json!([program, "mcp", "--server", url, "--token", token, "--workspace", "peers"]);
    } else {
        task["url"] = json!(format!("{url}/mcp/peers"));
        task["token"] = json!(token);
    }
}

/// Checks that the statement that the client abandoned has been canceled.
async fn check_canceled(server: &Server, workspace: &str, seen: &Value) {
    assert_eq!(seen["canceled"], true);
    let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=1")).await.ok();
    let id = list["result"][0]["id"].as_str().expect("an id").to_owned();
    let record = server.wait_for_status(workspace, &id, "FAILED").await;
    assert_eq!(
        (&record["source"], &record["error"]["errorName"]),
        (&json!("MCP"), &json!("USER_CANCELED")),
        "{record}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sdk_in_python_runs_the_documented_flow() {
    if python(&["mcp", "httpx2"]).is_none() {
        return;
    }
    let server = Server::builder().arguments(["--mcp-query", "true", "--mcp-timeout", "10m"]).start();
    let workspace = scene(&server).await;
    for (mode, version) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        for is_stdio in [false, true] {
            let mut task = flow(mode);
            connect(&mut task, &server, is_stdio);
            let interpreter = python(&["mcp", "httpx2"]).expect("it was there");
            let printed = run_script(interpreter, "mcp_client.py", &[], &task.to_string());
            let seen: Value = serde_json::from_str(&printed).expect("JSON");
            check_flow(&seen, version);
            check_canceled(&server, &workspace, &seen).await;
        }
    }
}

/// The folder of the packages that npm has installed; none, with a message on standard error, if they are not.
fn npm_folder() -> Option<PathBuf> {
    let folder = path_in_tests("mcp");
    if has_program("node") && folder.join("node_modules/@modelcontextprotocol/sdk").is_dir() {
        return Some(folder);
    }
    skip("typescript", "install Node.js, npm ci --prefix tests/mcp");
    None
}

/// Runs a program that must succeed; returns its output.
fn printed(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{printed}\n{complaint}", output.status);
    printed
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sdk_in_typescript_runs_the_documented_flow() {
    let Some(folder) = npm_folder() else { return };
    let server = Server::builder().arguments(["--mcp-query", "true", "--mcp-timeout", "10m"]).start();
    let workspace = scene(&server).await;
    for is_stdio in [false, true] {
        let mut task = flow("legacy");
        connect(&mut task, &server, is_stdio);
        let program = folder.join("typescript_client.mjs");
        let output = printed(Command::new("node").arg(program).arg(task.to_string()));
        let mut seen: Value = serde_json::from_str(&output).expect("JSON");
        if is_stdio {
            // This transport does not report the version.
            seen["version"] = json!("2025-11-25");
        }
        check_flow(&seen, "2025-11-25");
        check_canceled(&server, &workspace, &seen).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inspector_shows_and_calls_tools() {
    let Some(folder) = npm_folder() else { return };
    let server = Server::start();
    scene(&server).await;
    let home = tempfile::tempdir().expect("a folder");
    let inspect = |arguments: &[&str]| -> Value {
        let mut command = Command::new(folder.join("node_modules/node/bin/node"));
        command.arg(folder.join("node_modules/.bin/mcp-inspector")).env("HOME", home.path());
        command.args(["--cli", &format!("{}/mcp/peers", server.url()), "--transport", "http", "--header"]);
        command.arg(format!("Authorization: Bearer {}", server.admin_token())).args(arguments);
        serde_json::from_str(&printed(&mut command)).expect("JSON")
    };
    let tools = inspect(&["--method", "tools/list"]);
    assert_eq!(tools["tools"].as_array().map(Vec::len), Some(4), "{tools}");
    let call = [
        "--method",
        "tools/call",
        "--tool-name",
        "orders",
        "--tool-arg",
        "day=1998-07-01",
        "--tool-arg",
        "most=2",
    ];
    let called = inspect(&call);
    assert_eq!(called["structuredContent"]["rowCount"], 2, "{called}");
    let read = inspect(&["--method", "resources/read", "--uri", "rowhouse://peers/table/tpch/tiny/nation"]);
    assert!(read["contents"][0]["text"].as_str().is_some_and(|text| text.contains("n_regionkey")), "{read}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_conformance_suite_passes() {
    let Some(folder) = npm_folder() else { return };
    let server = Server::start();
    scene(&server).await;
    let run = |scenarios: &[&str]| {
        let mut command = Command::new("node");
        command.arg(folder.join("conformance.mjs")).arg(format!("{}/mcp/peers", server.url()));
        printed(command.arg(server.admin_token()).args(scenarios))
    };
    // Each scenario of the suite either passes, or has a reason to be left out.
    let listed = run(&[]);
    let mut all: Vec<&str> =
        listed.lines().filter_map(|line| line.trim().strip_prefix("- ")?.split_whitespace().next()).collect();
    let mut known: Vec<&str> = SCENARIOS.into_iter().chain(NOT_OURS.iter().map(|(name, _)| *name)).collect();
    known.sort_unstable();
    all.sort_unstable();
    assert_eq!(all, known);
    let output = run(&SCENARIOS);
    let expected: Vec<String> = SCENARIOS.iter().map(|name| format!("{name}: passed")).collect();
    assert_eq!(output.lines().collect::<Vec<_>>(), expected, "{output}");
}
