//! Tools that use Trino's drivers, unmodified, against this server and against a Trino: SQLAlchemy's dialect, Ibis, dbt
//! and Superset call their own functions and show the same. Skipped with a message if they are unavailable.

use std::path::Path;
use std::process::Command;

use rowhouse_tests::{SLOW_SQL, Server, Trino, current_trino, python, run_script, skip};
use serde_json::{Value, json};

/// The rows of the table that both servers have.
const NAMES: &str =
    "SELECT n_nationkey, CAST(n_name AS varchar) AS n_name, n_regionkey FROM tpch.tiny.nation";
/// The variable with an interpreter that has Superset, which requires other versions of libraries than the other tests.
const SUPERSET: &str = "ROWHOUSE_TEST_SUPERSET";

/// What the tool shows of Trino.
fn theirs(trino: &Trino, interpreter: Command, tool: &str) -> Value {
    let setup = [
        "CREATE SCHEMA IF NOT EXISTS memory.crew".to_owned(),
        format!("CREATE TABLE IF NOT EXISTS memory.crew.names AS {NAMES}"),
    ];
    shown(interpreter, tool, &trino.url(), &json!({"catalog": "memory", "setup": setup}))
}

/// What the tool shows of this server, where the table is a Parquet file.
async fn ours(interpreter: Command, tool: &str) -> Value {
    let server = Server::start();
    // Its name sorts before `demo`: a connection without a schema, as Superset's for listing schemas, runs in the first
    // workspace and sees only that.
    let workspace = server.new_workspace("crew").await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("names.parquet");
    write_parquet(&server, &workspace, &file).await;
    server.new_table(&workspace, "names", &file).await;
    let task = json!({"catalog": "rowhouse", "token": server.admin_token()});
    let (url, tool) = (server.url(), tool.to_owned());
    tokio::task::spawn_blocking(move || shown(interpreter, &tool, &url, &task)).await.expect("it ran")
}

async fn write_parquet(server: &Server, workspace: &str, file: &Path) {
    let query = server.run(workspace, &format!("{NAMES} ORDER BY 1")).await;
    let id = query["id"].as_str().expect("an id");
    let path = format!("/api/v1/query/{id}/result?workspaceId={workspace}&format=parquet");
    let answer = server.get(&path).await;
    assert_eq!(answer.status, 200);
    std::fs::write(file, answer.body).expect("the file");
}

fn shown(interpreter: Command, tool: &str, url: &str, more: &Value) -> Value {
    let (host, port) = url.trim_start_matches("http://").rsplit_once(':').expect("host and port");
    let mut task = json!({
        "host": host, "port": port.parse::<u16>().expect("a port"), "user": "alice", "schema": "crew", "slow": SLOW_SQL,
    });
    task.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let printed = run_script(interpreter, "trino_peers.py", &[tool], &task.to_string());
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{tool}: {error}: {printed}"))
}

async fn check(interpreter: impl Fn() -> Option<Command>, tool: &'static str) {
    let (Some(trino), Some(first), Some(second)) = (current_trino(), interpreter(), interpreter()) else {
        return;
    };
    let theirs = tokio::task::spawn_blocking(move || theirs(&trino, first, tool)).await.expect("it ran");
    let ours = ours(second, tool).await;
    assert_eq!(theirs, ours, "{tool}: a Trino, and this server");
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlalchemy_shows_the_same_as_with_trino() {
    check(|| python(&["trino", "sqlalchemy"]), "sqlalchemy").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ibis_shows_the_same_as_with_trino() {
    check(|| python(&["ibis", "trino"]), "ibis").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dbt_shows_the_same_as_with_trino() {
    check(|| python(&["dbt.adapters.trino", "dbt.cli.main"]), "dbt").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn superset_shows_the_same_as_with_trino() {
    let interpreter = || {
        let named = std::env::var_os(SUPERSET).filter(|path| !path.is_empty());
        if named.is_none() {
            skip("superset", format!("{SUPERSET} names no interpreter that has apache-superset and trino"));
        }
        named.map(Command::new)
    };
    check(interpreter, "superset").await;
}
