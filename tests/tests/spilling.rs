//! Statements that do not fit into memory: they spill to disk, return the right rows, and leave no file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rowhouse_tests::Server;
use serde_json::{Value, json};

/// A memory limit that each of the statements below exceeds, and a disk limit that suffices for those that spill most.
const LIMITS: [&str; 4] = ["--engine-memory-limit", "384MiB", "--engine-spill-limit", "3GiB"];

/// Statements over 6,001,215 rows, and DuckDB's answers.
fn cases() -> [(&'static str, Value); 5] {
    [
        (
            "SELECT count(*), sum(n), sum(s) FROM (SELECT l_orderkey, l_partkey, l_shipdate, count(*) n,
             sum(l_quantity) s FROM tpch.sf1.lineitem GROUP BY 1, 2, 3) t",
            json!([[6_001_215, 6_001_215, 153_078_795.0]]),
        ),
        ("SELECT count(DISTINCT l_comment) FROM tpch.sf1.lineitem", json!([[4_580_667]])),
        (
            "SELECT count(*), sum(length(a.l_comment)), sum(length(b.l_comment) + b.l_linenumber)
             FROM tpch.sf1.lineitem a JOIN tpch.sf1.lineitem b
             ON a.l_orderkey = b.l_orderkey AND a.l_linenumber < b.l_linenumber",
            json!([[12_005_885, 318_036_477, 372_078_301]]),
        ),
        (
            "SELECT sum(rn), sum(rn * l_quantity) FROM (SELECT l_quantity,
             row_number() OVER (PARTITION BY l_orderkey ORDER BY l_linenumber) rn FROM tpch.sf1.lineitem) t",
            json!([[18_007_100, 459_384_486.0]]),
        ),
        (
            "SELECT l_comment, l_orderkey, l_linenumber FROM tpch.sf1.lineitem
             ORDER BY l_comment DESC, l_orderkey, l_linenumber OFFSET 6001213",
            json!([[" Tiresias ", 3_951_142, 2], [" Tiresias ", 5_277_956, 5]]),
        ),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_that_exceed_memory_spill_to_disk() {
    let server = Server::builder().arguments(LIMITS).start();
    let workspace = server.demo().await;
    let at_first = results(&server);
    for (sql, expected) in cases() {
        let query = server.run(&workspace, sql).await;
        assert_eq!(query["status"], "FINISHED", "{sql}: {query}");
        let spilled = query["queryStats"]["spilledBytes"].as_u64().expect("a number");
        assert!(spilled > 50 << 20, "{sql}: {query}");
        let id = query["id"].as_str().expect("an id");
        assert_eq!(server.result(&workspace, id).await["result"], expected, "{sql}");
    }
    // Spilled files have no name, and small results have no file: nothing is left.
    results_become(&server, at_first).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spilling_is_limited_and_can_be_disabled() {
    let [(sql, _), ..] = cases();
    let check = async |spill_limit: &str, part: &str| {
        let server = Server::builder()
            .arguments(["--engine-memory-limit", "640MiB", "--engine-spill-limit", spill_limit])
            .start();
        let workspace = server.demo().await;
        let at_first = results(&server);
        let query = server.run(&workspace, sql).await;
        let error = &query["error"];
        assert_eq!(
            (&error["errorName"], &error["errorType"]),
            (&json!("EXCEEDED_MEMORY_LIMIT"), &json!("INSUFFICIENT_RESOURCES")),
            "{query}"
        );
        assert!(error["message"].as_str().is_some_and(|message| message.ends_with(part)), "{error}");
        results_become(&server, at_first).await;
        assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
    };
    check("0", "memory limit of 640 MiB").await;
    check("20MiB", "and the 20 MiB that it may spill to disk are used up").await;
}

/// Number of result files; the first start leaves one.
fn results(server: &Server) -> usize {
    files_below(&server.data_dir().join("results"))
}

/// Waits for this number of result files; files of a worker that died are removed after the end of its statement.
async fn results_become(server: &Server, expected: usize) {
    for _ in 0..500 {
        if results(server) == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{} files of results, not {expected}", results(server));
}

fn files_below(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| entry.path())
        .map(|path| if path.is_dir() { files_below(&path) } else { 1 })
        .sum()
}
