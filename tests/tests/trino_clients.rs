//! Published clients of Trino, unmodified, against this server and against a Trino: JDBC, Python and the command line give
//! the same transcript of the same statements. Skipped, loudly, where they cannot be had.

use rowhouse_tests::{Server, TrinoClients, current_trino, python, run_script};
use serde_json::{Value, json};

/// Statements about values of every type, errors, the session and prepared ones.
const STATEMENTS: &str = include_str!("../data/trino_clients/statements.sql");

fn statements() -> Vec<String> {
    STATEMENTS.split(";\n").map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// The 22 of TPC-H, in the sample schema.
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
fn jdbc_shows_the_same_as_from_a_trino() {
    let (Some(trino), Some(clients)) = (current_trino(), TrinoClients::get()) else { return };
    let server = Server::start();
    let compare = |statements: &[String], is_told: &dyn Fn(&str) -> bool| {
        let told = |transcript: Vec<String>| -> Vec<String> {
            let told =
                |entry: &String| entry.lines().filter(|line| is_told(line)).collect::<Vec<_>>().join("\n");
            transcript.iter().map(told).collect()
        };
        let theirs = told(clients.jdbc(&trino.url(), "", statements));
        let ours = told(clients.jdbc(&server.url(), server.admin_token(), statements));
        assert_same(&theirs, &ours, "JDBC");
    };
    compare(&statements(), &|_| true);
    // Prices have 15 digits here and 12 there, which shows in the types of what is computed of them.
    compare(&tpch(), &|line| !line.starts_with("column "));
}

#[test]
fn python_shows_the_same_as_from_a_trino() {
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
fn the_command_line_shows_the_same_as_from_a_trino() {
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
