//! Published clients of Trino, unmodified, against this server and against a Trino: JDBC, Python and the command line
//! give the same transcript of the same statements. Skipped with a message if they are unavailable.

use std::io::Write as _;
use std::process::{Command, Stdio};

use rowhouse_tests::{
    SLOW_SQL, Server, TrinoClients, current_trino, has_program, path_in_tests, python, run_script, skip,
};
use serde_json::{Value, json};

/// Statements with values of every type, errors, session statements and prepared statements.
const STATEMENTS: &str = include_str!("../data/trino_clients/statements.sql");

fn statements() -> Vec<String> {
    STATEMENTS.split(";\n").map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// The 22 queries of TPC-H, in the sample schema.
fn tpch() -> Vec<String> {
    let folder = rowhouse_tests::path_in_tests("data/tpch");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the queries").flatten().map(|entry| entry.path()).collect();
    files.sort();
    let read = |path| std::fs::read_to_string(path).expect("a query");
    let mut statements = vec!["USE tpch.tiny".to_owned()];
    statements.extend(files.into_iter().map(|path| read(path).trim().trim_end_matches(';').to_owned()));
    statements
}

fn assert_same(theirs: &[String], ours: &[String], what: &str) {
    let differing: Vec<_> = theirs.iter().zip(ours).filter(|(theirs, ours)| theirs != ours).collect();
    for (theirs, ours) in &differing {
        eprintln!("{what}, a Trino:\n{theirs}\nthis server:\n{ours}\n");
    }
    assert_eq!((differing.len(), theirs.len()), (0, ours.len()), "{what}: transcripts that differ");
}

#[test]
fn jdbc_gives_the_same_transcript_as_with_trino() {
    let (Some(trino), Some(clients)) = (current_trino(), TrinoClients::get()) else { return };
    let server = Server::start();
    let compare = |statements: &[String], is_compared: &dyn Fn(&str) -> bool| {
        let normalized = |transcript: Vec<String>| -> Vec<String> {
            let normalized = |entry: &String| {
                entry.lines().filter(|line| is_compared(line)).collect::<Vec<_>>().join("\n")
            };
            transcript.iter().map(normalized).collect()
        };
        let theirs = normalized(clients.jdbc(&trino.url(), "", statements));
        let ours = normalized(clients.jdbc(&server.url(), server.admin_token(), statements));
        assert_same(&theirs, &ours, "JDBC");
    };
    compare(&statements(), &|_| true);
    // Prices have 15 digits here and 12 in Trino, which changes the types of expressions over them.
    compare(&tpch(), &|line| !line.starts_with("column "));
}

/// Expected differences of `DatabaseMetaData` from Trino's, by the prefixes of lines: types that do not exist here, the
/// sample's columns, which Trino says are never NULL, and the user, who is the token's owner.
const METADATA_DIFFERENCES: [&str; 5] = [
    "getTypeInfo[] |",
    "tpch columns | tpch |",
    "tpch columns n\\_n% |",
    "CATALOG schemas",
    "getUserName[] =",
];

#[test]
fn jdbc_metadata_setters_and_getters_match_trino() {
    let (Some(trino), Some(clients)) = (current_trino(), TrinoClients::get()) else { return };
    let server = Server::start();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let workspace = runtime.block_on(server.new_workspace("peers"));
    drop(workspace);
    let setup = ["CREATE SCHEMA memory.peers".to_owned()];
    clients.jdbc(&trino.url(), "", &setup);
    let normalized = |lines: Vec<String>, catalog: &str| -> Vec<String> {
        let lines = lines.into_iter().map(|line| line.replace(catalog, "CATALOG"));
        lines.filter(|line| !METADATA_DIFFERENCES.iter().any(|start| line.starts_with(start))).collect()
    };
    let theirs = normalized(clients.jdbc_metadata(&trino.url(), "", ("memory", "peers"), SLOW_SQL), "memory");
    let ours = clients.jdbc_metadata(&server.url(), server.admin_token(), ("rowhouse", "peers"), SLOW_SQL);
    let types: Vec<_> = ours.iter().filter(|line| line.starts_with("getTypeInfo[] |")).collect();
    assert!(types.len() >= 20, "{types:?}");
    let ours = normalized(ours, "rowhouse");
    assert!(theirs.len() > 1900, "{}", theirs.len());
    assert!(ours.contains(&"canceled [SQLException 0 null] within a second true".to_owned()));
    assert_same(&theirs, &ours, "JDBC's metadata");
}

/// Runs a program with this standard input; returns its output.
fn printed(command: &mut Command, input: &str) -> String {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("it starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads its input");
    let output = child.wait_with_output().expect("it ends");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {complaint}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn node_gives_the_same_transcript_as_with_trino() {
    let folder = path_in_tests("typescript");
    if !has_program("node") || !folder.join("node_modules/trino-client").is_dir() {
        skip("typescript", "install Node.js, npm ci --prefix tests/typescript");
        return;
    }
    let Some(trino) = current_trino() else { return };
    let server = Server::start();
    let transcript = |url: String, token: &str| -> Vec<Value> {
        let task = json!({"url": url, "user": "alice", "token": token, "slow": SLOW_SQL});
        let printed = printed(Command::new("node").arg(folder.join("trino_client.mjs")), &task.to_string());
        serde_json::from_str(&printed).expect("a transcript")
    };
    let theirs = transcript(trino.url(), "");
    assert_eq!(theirs, transcript(server.url(), server.admin_token()), "a Trino, and this server");
    assert_eq!(theirs.len(), 7);
}

#[test]
fn go_gives_the_same_transcript_as_with_trino() {
    let is_there = Command::new("go").arg("version").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        skip("go", "install Go 1.25 or later");
        return;
    }
    let Some(trino) = current_trino() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("trino_client");
    let mut compile = Command::new("go");
    compile.args(["build", "-o"]).arg(&program).arg(".").current_dir(path_in_tests("go"));
    printed(&mut compile, "");
    let server = Server::start();
    let transcript = |url: String, token: &str| {
        let url = url.replacen("http://", "http://alice@", 1);
        let task = json!({"url": url, "token": token, "slow": SLOW_SQL});
        printed(&mut Command::new(&program), &task.to_string())
    };
    let theirs = transcript(trino.url(), "");
    assert!(theirs.ends_with("canceled true true\n"), "{theirs}");
    assert_same(&[theirs], &[transcript(server.url(), server.admin_token())], "Go");
}

#[test]
fn python_gives_the_same_transcript_as_with_trino() {
    let (Some(trino), Some(_)) = (current_trino(), python(&["trino"])) else { return };
    let server = Server::start();
    let transcript = |url: &str, token: &str| -> Vec<String> {
        let (host, port) = url.trim_start_matches("http://").rsplit_once(':').expect("host and port");
        let with_parameters = json!([
            {"sql": "SELECT ?, ?, ?, CAST(? AS varchar), ?", "parameters": [1, "it's ?", true, null, 1.5]},
            {"sql": "SELECT ?, ?, ?", "parameters": [
                {"decimal": "12345.678"}, {"date": "2024-02-29"}, {"timestamp": "2024-02-29T12:34:56.789012"},
            ]},
            {"sql": "SELECT n_name FROM tpch.tiny.nation WHERE n_nationkey IN (?, ?) AND n_name LIKE ? ORDER BY 1",
             "parameters": [1, 2, "%A%"]},
            {"sql": "SELECT ?", "parameters": ["'; DROP TABLE t --"]},
        ]);
        let mut all: Vec<Value> = statements().into_iter().map(|sql| json!({"sql": sql})).collect();
        all.extend(with_parameters.as_array().expect("a list").iter().cloned());
        let task = json!({
            "host": host, "port": port.parse::<u16>().expect("a port"), "user": "alice", "token": token, "statements": all,
        });
        let interpreter = python(&["trino"]).expect("it was there");
        let printed = run_script(interpreter, "trino_transcript.py", &[], &task.to_string());
        let entries: Vec<Value> = serde_json::from_str(&printed).expect("a transcript");
        all.iter().zip(entries).map(|(statement, entry)| format!("{statement}\n{entry}")).collect()
    };
    assert_same(&transcript(&trino.url(), ""), &transcript(&server.url(), server.admin_token()), "Python");
}

#[test]
fn the_command_line_gives_the_same_transcript_as_with_trino() {
    let (Some(trino), Some(clients)) = (current_trino(), TrinoClients::get()) else { return };
    let server = Server::start();
    let statements = [
        "SELECT n_name, n_regionkey FROM tpch.tiny.nation ORDER BY 1 LIMIT 5",
        "SELECT DATE '2024-02-29', 1.50, ARRAY[1, NULL], CAST(NULL AS bigint)",
        "SELECT nothing",
    ];
    for sql in statements {
        let theirs = clients.command_line(&trino.url(), "", sql);
        let ours = clients.command_line(&server.url(), server.admin_token(), sql);
        assert_eq!(theirs, ours, "{sql}");
    }
}
