//! Cancel, time limit, memory limit and the death of a worker: the statement is FAILED with the right error, its
//! process is gone, and other statements are not affected.

use std::time::{Duration, Instant};

use rowhouse_tests::{Server, memory_bytes};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// Compares 36 · 10^12 pairs of texts: it runs until something stops it.
const ENDLESS: &str = "SELECT count(*) FROM tpch.sf1.lineitem a JOIN tpch.sf1.lineitem b \
                       ON a.l_comment || b.l_comment = 'no comment is this one'";
/// A function with an endless loop.
const LOOPING: &str = "WITH FUNCTION f(n bigint) RETURNS bigint BEGIN LOOP SET n = n + 1; SET n = n - 1; END LOOP; RETURN n; END \
                       SELECT f(n_nationkey), f(1) FROM tpch.tiny.nation";
/// A row pattern whose match attempt from every row reads up to the last row.
const SEARCHING: &str = "SELECT count(*) FROM tpch.sf1.lineitem MATCH_RECOGNIZE \
                         (MEASURES MATCH_NUMBER() AS m PATTERN (A+ B) DEFINE B AS B.l_quantity < 0)";
/// A row pattern with alternatives that double with every row.
const DOUBLING: &str = "SELECT count(*) FROM tpch.sf1.lineitem MATCH_RECOGNIZE \
                        (MEASURES MATCH_NUMBER() AS m PATTERN ((A | B)* C) DEFINE C AS sum(A.l_quantity) < 0)";
/// Needs the memory of all comments several times over.
const GREEDY: &str = "SELECT array_agg(a.l_comment || b.l_comment) FROM tpch.sf1.lineitem a \
                      JOIN tpch.sf1.lineitem b ON a.l_suppkey = b.l_suppkey";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_stops_the_work_within_a_second() {
    let server = Server::start();
    let workspace = server.demo().await;
    server.rows(&workspace, "SELECT count(*) FROM tpch.sf1.lineitem").await;
    let id = start(&server, &workspace, ENDLESS).await;
    let busy = busiest_worker(&server);
    let begun = Instant::now();
    let body = json!({ "workspaceId": workspace });
    let canceled = server.put(&format!("/api/v1/query/{id}/cancel"), body.clone()).await.ok();
    let query = server.finish(&workspace, &id).await;
    assert_failed(&query, "USER_CANCELED", "USER_ERROR");
    assert_eq!(query["error"]["errorCode"], 3);
    while memory_bytes(busy, "VmRSS").is_some() {
        assert!(begun.elapsed() < Duration::from_secs(1), "the worker {busy} lives on after the cancel");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // A repeated cancel returns the same record.
    let again = server.put(&format!("/api/v1/query/{id}/cancel"), body).await.ok();
    assert_eq!((&again["status"], &again["error"]), (&query["status"], &query["error"]), "{canceled}");
    let result = server.get(&format!("/api/v1/query/{id}/result?workspaceId={workspace}")).await;
    result.error(400, "USER_CANCELED", []);
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exceeding_the_time_limit_fails_only_the_statement() {
    let server = Server::builder().arguments(["--engine-statement-timeout", "3s"]).start();
    let workspace = server.demo().await;
    for endless in [ENDLESS, LOOPING, SEARCHING] {
        let slow = server.submit(&workspace, endless).await;
        let quick = server.rows(&workspace, "SELECT count(*) FROM tpch.tiny.nation").await;
        assert_eq!(quick, json!([[25]]));
        let query = server.finish(&workspace, slow["id"].as_str().expect("an id")).await;
        assert_failed(&query, "EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exceeding_the_memory_limit_fails_only_the_statement() {
    let server = Server::builder().arguments(["--engine-memory-limit", "768MiB"]).start();
    let workspace = server.demo().await;
    server.rows(&workspace, "SELECT count(*) FROM tpch.sf1.lineitem").await;
    for greedy in [GREEDY, DOUBLING] {
        let greedy = server.submit(&workspace, greedy).await;
        let quick = server.rows(&workspace, "SELECT count(*) FROM tpch.tiny.nation").await;
        assert_eq!(quick, json!([[25]]));
        let query = server.finish(&workspace, greedy["id"].as_str().expect("an id")).await;
        assert_failed(&query, "EXCEEDED_MEMORY_LIMIT", "INSUFFICIENT_RESOURCES");
    }
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
}

/// A path of 60 KB that leads 30,000 times to a document of a megabyte copied it each time, 30 GB.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn items_of_a_json_path_are_not_copied() {
    let server = Server::builder().arguments(["--engine-memory-limit", "768MiB"]).start();
    let workspace = server.demo().await;
    let places = vec!["0"; 30_000].join(",");
    let document = "'{\"a\":\"' || rpad('x', 1000000, 'y') || '\"}'";
    let sql = format!(
        "SELECT count(*) FROM (SELECT {document} AS document) CROSS JOIN \
         JSON_TABLE(document, 'lax $[{places}]' COLUMNS (b varchar PATH 'lax $.b'))"
    );
    assert_eq!(server.rows(&workspace, &sql).await, json!([[30_000]]));
}

/// The stack on which statements are planned does not count towards the limit, which it would exceed by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn planning_does_not_count_towards_the_memory_limit() {
    let server = Server::builder().arguments(["--engine-memory-limit", "64MiB"]).start();
    let workspace = server.demo().await;
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crashed_worker_fails_only_its_statement() {
    let server = Server::start();
    let workspace = server.demo().await;
    server.rows(&workspace, "SELECT count(*) FROM tpch.sf1.lineitem").await;
    let id = start(&server, &workspace, ENDLESS).await;
    let pid = i32::try_from(busiest_worker(&server)).ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, Signal::KILL).expect("the worker can be killed");
    let query = server.finish(&workspace, &id).await;
    assert_failed(&query, "GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR");
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
}

/// Submits a statement and waits until it is running.
async fn start(server: &Server, workspace: &str, sql: &str) -> String {
    let id = server.submit(workspace, sql).await["id"].as_str().expect("an id").to_owned();
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let query = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
        match query["status"].as_str() {
            Some("RUNNING") => break,
            Some("QUEUED" | "PLANNING") if Instant::now() < deadline => {}
            _ => panic!("it should be at work: {query}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Gives it time to allocate memory.
    tokio::time::sleep(Duration::from_millis(500)).await;
    id
}

/// The worker with the most memory, which runs the statement.
fn busiest_worker(server: &Server) -> u32 {
    let workers = server.worker_pids();
    let busiest = workers.iter().max_by_key(|pid| memory_bytes(**pid, "VmRSS"));
    *busiest.expect("the server has workers")
}

#[track_caller]
fn assert_failed(query: &Value, error_name: &str, error_type: &str) {
    let error = &query["error"];
    assert_eq!(
        (&query["status"], &error["errorName"], &error["errorType"]),
        (&json!("FAILED"), &json!(error_name), &json!(error_type)),
        "{query}"
    );
}

/// Regression: the worker aborted, which was reported as an internal error. Expected is an answer, or a refusal with
/// its location.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_union_of_thousands_of_branches_is_answered_or_refused() {
    let server = Server::start();
    let workspace = server.demo().await;
    for (branch, branches) in [
        ("SELECT 1", 5000),
        ("SELECT n_nationkey FROM tpch.tiny.nation", 5000),
        ("(SELECT count(*) FROM tpch.tiny.nation WHERE n_nationkey = 1)", 1000),
        ("VALUES 1", 20_000),
    ] {
        for word in [" UNION ALL ", " UNION ", " EXCEPT "] {
            let sql = vec![branch; branches].join(word);
            let query = server.run(&workspace, &sql).await;
            let error = &query["error"];
            let is_answer = query["status"] == "FINISHED";
            let is_located = error["errorLocation"]["lineNumber"].is_u64();
            let is_limit = error["errorType"] == "INSUFFICIENT_RESOURCES";
            assert!(is_answer || is_located || is_limit, "{branches} of {branch} with {word}: {error}");
            assert_ne!(error["errorType"], "INTERNAL_ERROR", "{branches} of {branch} with {word}: {error}");
        }
    }
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
}
