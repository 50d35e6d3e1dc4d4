//! The command line as a shell sees it: arguments, standard output, standard error, exit code, signals.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rowhouse_tests::{Server, binary};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// The command `rowhouse …` for this server, as its admin, in an environment without settings.
fn rowhouse(server: &Server) -> Command {
    let mut command = Command::new(binary());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ROWHOUSE_")) {
        command.env_remove(name);
    }
    command.env("ROWHOUSE_SERVER", server.url()).env("ROWHOUSE_DATA_DIR", server.data_dir());
    command.stdin(Stdio::null());
    command
}

fn run(server: &Server, arguments: &[&str]) -> Output {
    rowhouse(server).args(arguments).output().expect("the command runs")
}

/// Runs a command that must succeed; returns its standard output.
fn out(server: &Server, arguments: &[&str]) -> String {
    let output = run(server, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs a command that prints JSON.
fn json_out(server: &Server, arguments: &[&str]) -> Value {
    let text = out(server, arguments);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
}

/// Runs a command that must fail with this exit code and print nothing to standard output; returns its message.
fn refused(server: &Server, code: i32, arguments: &[&str]) -> String {
    let output = run(server, arguments);
    let message = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{arguments:?}");
    message
}

#[test]
fn rows_are_written_in_each_format() {
    let server = Server::start();
    let sql = "SELECT * FROM (VALUES (1, 'a\"b,c', CAST(1.10 AS decimal(5,2))), (2, NULL, NULL)) t (n, s, d) ORDER BY n";
    assert_eq!(
        out(&server, &["query", sql]),
        "\
┌───┬───────┬──────┐
│ n ┆ s     ┆    d │
╞═══╪═══════╪══════╡
│ 1 ┆ a\"b,c ┆ 1.10 │
│ 2 ┆ NULL  ┆ NULL │
└───┴───────┴──────┘
"
    );
    let ndjson = out(&server, &["query", sql, "--format", "ndjson"]);
    assert_eq!(ndjson, "{\"n\":1,\"s\":\"a\\\"b,c\",\"d\":1.10}\n{\"n\":2,\"s\":null,\"d\":null}\n");
    let rows = json!([{ "n": 1, "s": "a\"b,c", "d": 1.1 }, { "n": 2, "s": null, "d": null }]);
    assert_eq!(json_out(&server, &["query", "--format", "json", sql]), rows);
    let csv = out(&server, &["query", "--format", "csv", sql]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines, ["n,s,d", "1,\"a\"\"b,c\",1.10", "2,,"]);
    assert_eq!(json_out(&server, &["query", "--format", "json", "--limit", "1", sql]), json!([rows[0]]));
    let none = "SELECT 1 AS one WHERE 1 = 2";
    assert_eq!(out(&server, &["query", "--format", "json", none]), "[]\n");
}

#[test]
fn a_statement_comes_from_an_argument_a_file_or_standard_input() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("one.sql");
    std::fs::write(&file, "-- a note\nSELECT 1 AS one;\n").expect("a file");
    let file = file.to_str().expect("a path");
    let one = json!([{ "one": 1 }]);
    assert_eq!(json_out(&server, &["query", "--format", "json", "-f", file]), one);
    assert_eq!(json_out(&server, &["query", "--format", "json", "-- a note\nSELECT 1 AS one"]), one);

    let mut command = rowhouse(&server);
    command.args(["query", "--format", "json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(b"SELECT 1 AS one").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).expect("JSON"), one);

    let output = folder.path().join("rows.csv");
    let path = output.to_str().expect("a path");
    assert_eq!(out(&server, &["query", "SELECT 1 AS one", "--output", path]), "");
    assert_eq!(
        std::fs::read_to_string(&output).expect("the file"),
        "one\r\n1\r\n",
        "CSV by the file's ending"
    );
    refused(&server, 1, &["query", "SELECT nothing", "--output", path]);
    assert_eq!(std::fs::read_to_string(&output).expect("the file"), "one\r\n1\r\n", "left as it was");
}

#[test]
fn parameters_are_values_and_not_text() {
    let server = Server::start();
    let sql = "SELECT :n AS n, :s AS s, :d AS d, x FROM (VALUES 1, 2, 3) t (x) WHERE x IN (:a, :b) LIMIT :n";
    let sql = &sql.replace("VALUES 1, 2, 3", "VALUES (1), (2), (3)");
    let arguments =
        ["query", "--format", "json", sql, "-p", "n=1", "--param", "s=it's; --:x", "--param", "a=2"];
    let more = ["--param", "b:bigint=9", "--param", "d:date=2024-02-29"];
    let arguments: Vec<&str> = arguments.into_iter().chain(more).collect();
    let expected = json!([{ "n": 1, "s": "it's; --:x", "d": "2024-02-29", "x": 2 }]);
    assert_eq!(json_out(&server, &arguments), expected);
    let message = refused(&server, 1, &["query", "SELECT 1,\n  :nn", "--param", "n=1"]);
    assert!(
        message.starts_with("rowhouse: line 2:3: the parameter :nn has no value. Did you mean 'n'?"),
        "{message}"
    );
    assert!(message.ends_with("\n\n2 |   :nn\n  |   ^\n"), "{message}");
    refused(&server, 2, &["query", "SELECT 1", "--param", "n"]);
}

#[test]
fn a_parquet_file_is_written() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.parquet");
    assert_eq!(out(&server, &["query", "SELECT 1 AS one", "-o", path.to_str().expect("a path")]), "");
    let bytes = std::fs::read(&path).expect("the file");
    assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
}

#[test]
fn a_failed_statement_shows_its_location() {
    let server = Server::start();
    let message = refused(&server, 1, &["query", "SELECT n_name,\n       n_nam\nFROM tpch.tiny.nation"]);
    assert!(message.starts_with("rowhouse: line 2:8: "), "{message}");
    assert!(message.contains("(COLUMN_NOT_FOUND)"), "{message}");
    assert!(message.ends_with("\n\n2 |        n_nam\n  |        ^\n"), "{message}");
}

#[test]
fn exit_codes_distinguish_wrong_usage_from_refusals() {
    let server = Server::start();
    refused(&server, 2, &["query", "SELECT 1", "--formt", "json"]);
    refused(&server, 2, &["table", "add"]);
    refused(&server, 2, &["query", "SELECT 1", "--server", "localhost:8080"]);
    refused(&server, 2, &["status", "--data-dir", "/nowhere"]);
    let message = refused(&server, 1, &["status", "--token", "rh_unknown"]);
    assert!(message.contains("(UNAUTHORIZED, request "), "{message}");
    let message = refused(&server, 1, &["query", "SELECT 1", "--workspace", "dem"]);
    assert!(message.contains("did you mean 'demo'?"), "{message}");
    let message = refused(&server, 1, &["status", "--server", "http://127.0.0.1:9"]);
    assert!(message.contains("cannot connect to http://127.0.0.1:9"), "{message}");
    out(&server, &["status", "--server", &format!("{}/web/workspace/x", server.url())]);
}

#[test]
fn workspaces_accounts_tokens_and_roles() {
    let server = Server::start();
    let workspaces = json_out(&server, &["workspace", "list", "--format", "json"]);
    assert_eq!(workspaces[0]["sqlName"], "demo");
    let created =
        json_out(&server, &["workspace", "create", "sales", "--title", "Sales", "--format", "json"]);
    assert_eq!((&created["sqlName"], &created["title"]), (&json!("sales"), &json!("Sales")));
    assert!(out(&server, &["workspace", "list"]).contains("│ sales ┆ Sales "));
    let message = refused(&server, 2, &["query", "SELECT 1"]);
    assert!(message.contains("Give --workspace: demo, sales"), "{message}");

    let account = json_out(&server, &["account", "create", "ada", "--format", "json"]);
    assert_eq!((&account["username"], &account["isAdmin"]), (&json!("ada"), &json!(false)));
    let accounts = json_out(&server, &["account", "list", "--format", "json"]);
    assert_eq!(accounts.as_array().map(Vec::len), Some(2));

    let secret = out(&server, &["token", "create", "laptop", "--account", "ada", "--expires-in-days", "7"]);
    let as_ada = |arguments: &[&str]| {
        rowhouse(&server).args(arguments).args(["--token", secret.trim()]).output().expect("the command runs")
    };
    let listed = as_ada(&["token", "list", "--format", "json"]);
    let tokens: Value = serde_json::from_slice(&listed.stdout).expect("JSON");
    assert_eq!((tokens.as_array().map(Vec::len), &tokens[0]["name"]), (Some(1), &json!("laptop")));
    assert!(!String::from_utf8_lossy(&listed.stdout).contains(secret.trim()), "secrets are not listed");

    let query = ["query", "SELECT 1 AS one", "--workspace", "sales", "--format", "json"];
    assert_eq!(as_ada(&query).status.code(), Some(1), "no member yet");
    out(&server, &["workspace", "member", "ada", "analyst", "--workspace", "sales"]);
    assert_eq!(as_ada(&query).status.code(), Some(0), "a member");
    out(&server, &["workspace", "member", "ada", "none", "--workspace", "sales"]);
    assert_eq!(as_ada(&query).status.code(), Some(1), "no member any more");

    let id = tokens[0]["id"].as_str().expect("an id");
    assert_eq!(as_ada(&["token", "revoke", id]).status.code(), Some(0));
    assert_eq!(as_ada(&["status"]).status.code(), Some(1), "the token has ended");
}

#[test]
fn tables_are_added_queried_and_removed() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cities.csv");
    std::fs::write(&file, "name,people\nOslo,700000\nBern,130000\n").expect("a file");
    let path = file.to_str().expect("a path");
    let table = json_out(&server, &["table", "add", "cities", path, "--format", "json"]);
    assert_eq!(table["columns"][1]["type"], "bigint");
    let sql = "SELECT name FROM cities ORDER BY people";
    let rows = json_out(&server, &["query", sql, "--format", "json"]);
    assert_eq!(rows, json!([{ "name": "Bern" }, { "name": "Oslo" }]));
    assert!(out(&server, &["table", "list"]).contains("name varchar, people bigint"));
    out(&server, &["table", "remove", "cities"]);
    assert_eq!(json_out(&server, &["table", "list", "--format", "json"]), json!([]));
    refused(&server, 1, &["table", "remove", "cities"]);
    assert!(file.exists(), "only the name goes");
}

#[test]
fn views_are_created_refreshed_and_dropped() {
    let server = Server::start();
    let sql =
        "-- Service API: required(\"n_regionkey:eq\")\nSELECT n_name, n_regionkey FROM tpch.tiny.nation";
    let view = json_out(&server, &["view", "create", "nations", sql, "--format", "json"]);
    assert_eq!(view["rowCount"], 25, "the command waits for the rows: {view}");
    assert_eq!(view["requiredFilters"], json!(["n_regionkey:EQ"]));
    let refreshed = json_out(&server, &["view", "refresh", "nations", "--format", "json"]);
    let number = |view: &Value| view["generation"].as_u64().expect("a generation");
    assert_eq!(number(&refreshed), number(&view) + 1);
    assert!(out(&server, &["view", "list"]).contains("n_regionkey:EQ"));
    let generations = json_out(&server, &["view", "generations", "nations", "--format", "json"]);
    let numbers: Vec<_> = generations.as_array().expect("a list").iter().map(number).collect();
    assert_eq!(numbers, [number(&refreshed), number(&view)], "newest first");
    assert!(out(&server, &["view", "generations", "nations"]).contains("25"));

    let message = refused(&server, 1, &["view", "create", "broken", "SELECT n_nam FROM tpch.tiny.nation"]);
    assert!(message.ends_with("\n\n1 | SELECT n_nam FROM tpch.tiny.nation\n  |        ^\n"), "{message}");
    let message =
        refused(&server, 1, &["view", "create", "near", "--Service API: required(\"a\")\nSELECT 1 AS a"]);
    assert!(message.contains("(INVALID_ARGUMENTS, request "), "{message}");
    let message = refused(&server, 1, &["view", "refresh", "nation"]);
    assert!(message.contains("did you mean 'nations'?"), "{message}");

    out(&server, &["view", "drop", "nations"]);
    refused(&server, 1, &["view", "drop", "nations"]);
}

#[test]
fn the_engine_is_disabled_and_enabled() {
    let server = Server::start();
    assert!(out(&server, &["status"]).contains("SQL_ENGINE"));
    out(&server, &["disable"]);
    let message = refused(&server, 1, &["query", "SELECT 1"]);
    assert!(message.contains("SERVICE_DISABLED"), "{message}");
    out(&server, &["enable"]);
    assert_eq!(json_out(&server, &["query", "SELECT 1 AS one", "--format", "json"]), json!([{ "one": 1 }]));
}

#[test]
fn a_page_limit_of_the_server_does_not_truncate_output() {
    let server = Server::builder().arguments(["--results-max-page-rows", "10"]).start();
    let sql = "SELECT n_nationkey FROM tpch.tiny.nation ORDER BY 1";
    let expected: Vec<Value> = (0..25).map(|key| json!({ "n_nationkey": key })).collect();
    assert_eq!(json_out(&server, &["query", sql, "--format", "json"]), json!(expected));
    let csv = out(&server, &["query", sql, "--format", "csv"]);
    assert_eq!(csv.lines().filter(|line| *line == "n_nationkey").count(), 1, "one head");
    assert_eq!(csv.lines().count(), 26);
    assert_eq!(out(&server, &["query", sql, "--format", "ndjson", "--limit", "23"]).lines().count(), 23);
    assert!(out(&server, &["query", sql]).contains("│          24 │"));
    let none = out(&server, &["query", "SELECT 1 AS one WHERE 1 = 2", "--format", "csv"]);
    assert_eq!(none.lines().collect::<Vec<_>>(), ["one"]);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let server = Server::start();
    let sql = "SELECT * FROM tpch.tiny.lineitem";
    let mut child = rowhouse(&server)
        .args(["query", sql, "--format", "ndjson"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut first = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut first).expect("a line");
    assert!(first.starts_with("{\"l_orderkey\":"), "{first}");
    let mut errors = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(errors, "");
}

#[tokio::test]
async fn ctrl_c_cancels_at_the_server() {
    let server = Server::start();
    let demo = server.demo().await;
    let sql =
        "SELECT count(*) FROM tpch.tiny.lineitem a, tpch.tiny.lineitem b WHERE a.l_comment < b.l_comment";
    let mut child = rowhouse(&server)
        .args(["query", sql])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let query = async || {
        server.get(&format!("/api/v1/queries?workspaceId={demo}&limit=1")).await.ok()["result"][0].clone()
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while query().await["status"] != "RUNNING" || query().await["sql"] != sql {
        assert!(Instant::now() < deadline, "it runs: {}", query().await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    kill_process(Pid::from_child(&child), Signal::INT).expect("it can be signalled");
    let mut errors = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    assert!(errors.ends_with("is canceled\n"), "{errors}");
    let query = query().await;
    assert_eq!((&query["status"], &query["error"]["errorName"]), (&json!("FAILED"), &json!("USER_CANCELED")));
}

#[test]
fn completions_need_no_server() {
    for shell in ["bash", "zsh", "fish"] {
        let output = Command::new(binary()).args(["completions", shell]).output().expect("the command runs");
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stdout).contains("workspace"), "{shell}");
    }
}
