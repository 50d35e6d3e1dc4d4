//! What remains of a statement that does not end well: no process, no file, no record that says that it runs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rowhouse_tests::{Server, id_of, memory_bytes};
use serde_json::json;

/// Returns 3.6 · 10^9 rows: its result grows until something stops it.
const GROWING: &str =
    "SELECT a.l_comment, b.l_comment FROM tpch.tiny.lineitem a CROSS JOIN tpch.tiny.lineitem b";

/// Files below a folder whose name contains a text.
fn files(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, text));
        } else if path.to_string_lossy().contains(text) {
            found.push(path);
        }
    }
    found
}

/// Waits until the statement has begun to write its result.
async fn wait_for_file(server: &Server, workspace: &str, id: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let is_begun = || {
        let sizes = files(server.data_dir(), id).into_iter().filter_map(|path| path.metadata().ok());
        sizes.map(|metadata| metadata.len()).max().unwrap_or(0) > 100_000
    };
    while !is_begun() {
        let query = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
        assert!(query["error"].is_null() && Instant::now() < deadline, "no result is written: {query}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_file_of_a_canceled_statement_is_removed_within_a_second() {
    let server = Server::start();
    let workspace = server.demo().await;
    let id = id_of(&server.submit(&workspace, GROWING).await);
    wait_for_file(&server, &workspace, &id).await;
    server.cancel(&workspace, &id).await;
    let canceled = Instant::now();
    while !files(server.data_dir(), &id).is_empty() {
        assert!(canceled.elapsed() < Duration::from_secs(1), "{:?}", files(server.data_dir(), &id));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(server.finish(&workspace, &id).await["error"]["errorName"], "USER_CANCELED");
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_leaves_no_worker_and_no_partial_result() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.demo().await;
    let kept = id_of(&server.run(&workspace, "SELECT n_name FROM tpch.tiny.nation").await);
    let id = id_of(&server.submit(&workspace, GROWING).await);
    wait_for_file(&server, &workspace, &id).await;
    let workers = server.worker_pids();
    assert!(!workers.is_empty());
    server.kill();
    let killed = Instant::now();
    while workers.iter().any(|pid| memory_bytes(*pid, "VmRSS").is_some()) {
        assert!(killed.elapsed() < Duration::from_secs(5), "a worker outlives its server");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let server = Server::builder().data_dir(&data_dir).start();
    let query = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
    assert_eq!(query["status"], "FAILED", "{query}");
    let deadline = Instant::now() + Duration::from_secs(10);
    while !files(&data_dir, &id).is_empty() {
        assert!(Instant::now() < deadline, "half a result is kept: {:?}", files(&data_dir, &id));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(server.result(&workspace, &kept).await["rowCount"], 25);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_dropped_views_and_failed_statements_are_removed() {
    let server = Server::start();
    let workspace = server.demo().await;
    let failed = server.run(&workspace, "SELECT CAST(n_name AS bigint) FROM tpch.tiny.nation").await;
    assert_eq!(failed["status"], "FAILED", "{failed}");
    let count = || files(server.data_dir(), "").len();
    let view = server.new_view(&workspace, "passing", "SELECT n_name FROM tpch.tiny.nation").await;
    let one_generation = count();
    for _ in 0..3 {
        assert_eq!(server.refresh_view(&workspace, &view).await["status"], "FINISHED");
    }
    // Old generations are removed once their readers are gone; the results of the refreshes have records of their own.
    let deadline = Instant::now() + Duration::from_secs(10);
    while count() > one_generation + 6 {
        assert!(Instant::now() < deadline, "{:#?}", files(server.data_dir(), ""));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(files(server.data_dir(), &id_of(&failed)).is_empty(), "a failed statement has a file");
    let generations = files(server.data_dir(), &view).len();
    assert!(generations > 0, "{:#?}", files(server.data_dir(), ""));
    server.delete(&format!("/api/v1/materializedView/{view}?workspaceId={workspace}")).await.ok();
    let deadline = Instant::now() + Duration::from_secs(10);
    while !files(server.data_dir(), &view).is_empty() {
        assert!(Instant::now() < deadline, "{:#?}", files(server.data_dir(), &view));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
