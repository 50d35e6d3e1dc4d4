//! A cluster that does not behave like a Trino: its pages are too large, too many at once, or say too much. A small server
//! stands for it. Neither the server's memory nor its records may suffer.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rowhouse_tests::{Server, SmallDisk, id_of};
use serde_json::{Value, json};
use tokio::task::JoinSet;

const MIB: usize = 1 << 20;

/// Starts it; returns its address. A statement's first literal says how it is answered.
fn cluster() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let base = url.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let base = base.clone();
            std::thread::spawn(move || serve(&stream, &base));
        }
    });
    url
}

/// Answers the requests of a connection until it ends.
fn serve(mut stream: &TcpStream, base: &str) -> Option<()> {
    let mut lines = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if lines.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let length = head.to_ascii_lowercase();
        let length =
            length.split_once("content-length: ").and_then(|(_, rest)| rest.lines().next()?.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        lines.read_exact(&mut body).ok()?;
        let text = String::from_utf8(body).ok()?;
        let path = head.split(' ').nth(1)?.to_owned();
        let page = match head.split(' ').next()? {
            "POST" => page(base, text.split('\'').nth(1)?, 0),
            "DELETE" => Vec::new(),
            _ => {
                let mut parts = path.rsplit('/');
                let (token, kind) = (parts.next()?.parse().ok()?, parts.next()?.to_owned());
                page(base, &kind, token)
            }
        };
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", page.len());
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(&page).ok()?;
    }
}

/// A page: `large` is three of 64 MiB each.
fn page(base: &str, kind: &str, token: usize) -> Vec<u8> {
    let columns = json!([{ "name": "a", "type": "varchar" }]);
    let long = "x".repeat(MIB);
    let page = match kind.split('-').next().unwrap_or_default() {
        "large" => {
            let next = format!("{base}/v1/statement/executing/{kind}/{}", token + 1);
            let mut page =
                json!({ "id": "x", "columns": columns, "data": [["x".repeat(64 * MIB)]], "stats": {} });
            if token < 2 {
                page["nextUri"] = json!(next);
            }
            page
        }
        "state" => json!({ "id": "x", "columns": columns, "data": [["y"]], "stats": { "state": long } }),
        "id" => json!({ "id": long, "columns": columns, "data": [["y"]], "stats": {} }),
        "failure" => {
            let failure = json!({ "type": long, "message": long });
            json!({ "id": "x", "stats": {}, "error": { "errorName": long, "errorCode": 1, "message": "no", "failureInfo": failure } })
        }
        "columns" => {
            let columns = vec![json!({ "name": "a", "type": "bigint" }); 1_000_000];
            json!({ "id": "x", "columns": columns, "data": [], "stats": {} })
        }
        _ => json!({ "id": "x", "columns": columns, "data": [[kind]], "stats": {} }),
    };
    page.to_string().into_bytes()
}

/// Runs a statement to its end.
async fn run(server: &Server, workspace: &str, kind: &str) -> Value {
    let body = json!({ "workspaceId": workspace, "sql": format!("SELECT '{kind}'"), "wait": 60 });
    let mut query = server.post("/api/v1/query", body).await.ok();
    while !["FINISHED", "FAILED"].contains(&query["status"].as_str().unwrap_or_default()) {
        let path = format!("/api/v1/query/{}?workspaceId={workspace}&wait=60", id_of(&query));
        query = server.get(&path).await.ok();
    }
    query
}

/// Regression: each of the 16 statements that run at clusters had three of its pages in memory, of up to 256 MiB each.
#[tokio::test(flavor = "multi_thread")]
async fn statements_with_large_pages_take_turns() {
    let server = Arc::new(Server::builder().arguments(["--engine-trino-url", &cluster()]).start());
    let workspace = server.new_workspace_on("far", "trino").await;
    let mut running = JoinSet::new();
    for number in 0..6 {
        let (server, workspace) = (Arc::clone(&server), workspace.clone());
        running.spawn(async move { run(&server, &workspace, &format!("large-{number}")).await });
    }
    let mut most = 0;
    let watch = async {
        loop {
            most = most.max(server.memory_bytes("RssAnon"));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let ended =
        tokio::select! { ended = running.join_all() => ended, () = watch => unreachable!("it has no end") };
    for query in ended {
        assert_eq!(query["status"], "FINISHED", "{query}");
    }
    assert!(most < 700 * MIB as u64, "the server took {} MiB", most / MIB as u64);
    assert_eq!(run(&server, &workspace, "small").await["status"], "FINISHED");
}

/// Regression: its texts went into records, which are never truncated, and a million columns took a gigabyte before they
/// were refused.
#[tokio::test(flavor = "multi_thread")]
async fn records_do_not_grow_by_what_a_cluster_says() {
    let server = Server::builder().arguments(["--engine-trino-url", &cluster()]).start();
    let workspace = server.new_workspace_on("far", "trino").await;
    let before = server.memory_bytes("RssAnon");
    assert_eq!(run(&server, &workspace, "state").await["status"], "FINISHED");
    for (kind, error) in [("id", "GENERIC_EXTERNAL"), ("columns", "NOT_SUPPORTED")] {
        let query = run(&server, &workspace, kind).await;
        assert_eq!(query["error"]["errorName"], error, "{kind}");
    }
    assert_eq!(run(&server, &workspace, "failure").await["status"], "FAILED");
    let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}")).await;
    assert_eq!(list.status, 200);
    assert!(list.body.len() < 100_000, "four records take {} bytes", list.body.len());
    let grown = server.memory_bytes("RssAnon").saturating_sub(before) / MIB as u64;
    assert!(grown < 400, "the server grew by {grown} MiB");
}

/// Regression: it was an internal error.
#[tokio::test(flavor = "multi_thread")]
async fn a_result_of_a_cluster_without_disk_space_is_reported_as_such() {
    let Some(disk) = SmallDisk::mount("48m") else { return };
    let server = Server::builder()
        .data_dir(disk.path().join("data"))
        .arguments(["--engine-trino-url", &cluster()])
        .start();
    let workspace = server.new_workspace_on("far", "trino").await;
    let failed = run(&server, &workspace, "large").await;
    assert_eq!(failed["error"]["errorName"], "GENERIC_INSUFFICIENT_RESOURCES", "{failed}");
    assert_eq!(run(&server, &workspace, "small").await["status"], "FINISHED");
}
