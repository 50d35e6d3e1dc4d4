//! The disk space of a statement: its file is within its limit at every moment, not only at the end, and nothing of it
//! remains.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rowhouse_tests::{Server, id_of};
use serde_json::json;

/// Its result has gigabytes without a limit.
const LARGE: &str = "SELECT a.l_comment, b.n_comment, c.n_comment FROM tpch.tiny.lineitem a CROSS JOIN tpch.tiny.nation b \
                     CROSS JOIN tpch.tiny.nation c";

/// Bytes of all files in a folder.
fn bytes_in(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => bytes_in(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}

/// Watches the maximum size of a server's folders until it is dropped.
struct Watch {
    most: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
}

impl Watch {
    fn begin(server: &Server) -> Self {
        let (most, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let folders = ["workers", "results"].map(|name| server.data_dir().join(name));
        let (noted, ended) = (Arc::clone(&most), Arc::clone(&is_over));
        std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                let bytes = folders.iter().map(|folder| bytes_in(folder)).sum();
                noted.fetch_max(bytes, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        Self { most, is_over }
    }

    fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

async fn is_empty_soon(folder: &Path) {
    for _ in 0..200 {
        if bytes_in(folder) == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{} bytes are left in {}", bytes_in(folder), folder.display());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_over_its_limit_is_stopped_while_it_is_written() {
    const LARGEST: u64 = 8 << 20;
    let largest = LARGEST.to_string();
    let server = Server::builder().arguments(["--results-max-bytes", &largest]).start();
    let workspace = server.demo().await;
    server
        .rows(&workspace, "SELECT count(*) FROM tpch.tiny.lineitem, tpch.tiny.nation WHERE n_nationkey = 1")
        .await;
    let watch = Watch::begin(&server);
    let before = bytes_in(&server.data_dir().join("results"));
    let failed = server.run(&workspace, LARGE).await;
    assert_eq!(failed["error"]["errorName"], "GENERIC_INSUFFICIENT_RESOURCES", "{failed}");
    let message = failed["error"]["message"].as_str().expect("a message");
    assert!(message.contains(&largest) && message.contains("results.max_bytes"), "{message}");
    assert!(watch.most() <= before + LARGEST, "{} bytes were on the disk", watch.most());
    is_empty_soon(&server.data_dir().join("workers")).await;
    assert_eq!(bytes_in(&server.data_dir().join("results")), before);
    // The same worker runs a statement with a small result.
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
    let fits = server.run(&workspace, "SELECT * FROM tpch.tiny.orders").await;
    assert_eq!(fits["status"], "FINISHED", "{fits}");
}

/// Two statements at a time, each of which would fit by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workspace_stays_within_its_disk_limit_while_results_are_written() {
    const ROOM: u64 = 24 << 20;
    let server = Server::builder().arguments(["--engine-concurrency", "2"]).start();
    let workspace = server.demo().await;
    server.put(&format!("/api/v1/workspace/{workspace}/limits"), json!({ "diskBytes": ROOM })).await.ok();
    server
        .rows(&workspace, "SELECT count(*) FROM tpch.tiny.lineitem, tpch.tiny.nation WHERE n_nationkey = 1")
        .await;
    let watch = Watch::begin(&server);
    let first = id_of(&server.submit(&workspace, LARGE).await);
    let second =
        id_of(&server.submit(&workspace, &LARGE.replace("a.l_comment", "a.l_comment, a.l_orderkey")).await);
    for id in [first, second] {
        let failed = server.finish(&workspace, &id).await;
        assert_eq!(failed["error"]["errorName"], "GENERIC_INSUFFICIENT_RESOURCES", "{failed}");
        let message = failed["error"]["message"].as_str().expect("a message");
        assert!(message.contains("workspaces.disk_bytes"), "{message}");
    }
    // Each alone is stopped at once; both together at the next check.
    assert!(watch.most() <= 2 * ROOM, "{} bytes were on the disk", watch.most());
    is_empty_soon(&server.data_dir().join("workers")).await;
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
    let usage = server.get(&format!("/api/v1/workspace/{workspace}/usage")).await.ok();
    assert!(usage["diskBytes"].as_u64().is_some_and(|bytes| bytes < 1 << 20), "{usage}");
}
