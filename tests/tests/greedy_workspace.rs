//! One workspace that uses everything that its limits allow, and what remains for another. docs/security.md contains
//! the figures that are printed; a loaded machine may double them, which the bounds here allow for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use http::Method;
use rowhouse_tests::{Connection, SLOW_SQL, Server};
use serde_json::{Value, json};

/// Number of requests of each kind from the other workspace, alone and under the load of the greedy one.
const REQUESTS: usize = 300;
const GREEDY_CLIENTS: usize = 12;
/// Maximum time of a statement of the other workspace while the greedy ones run (issue 14).
const LONGEST_STATEMENT: Duration = Duration::from_secs(2);

/// A scan that finds nothing.
const SCAN: &str =
    "/v1/data/greedy/materializedView/orders?filters=o_comment:LIKE:%25no%25comment%25is%25this%25one%25";

/// Counts of the answers to the greedy clients, and the flag that ends them.
#[derive(Debug, Default)]
struct AnswerCounts {
    is_over: AtomicBool,
    answers: AtomicU64,
    refused: AtomicU64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workspace_at_all_its_limits_leaves_capacity_for_others() {
    let server = Server::start();
    let stranger = server.new_workspace("stranger").await;
    let greedy = server.new_workspace("greedy").await;
    let sql = "SELECT o_orderkey, o_comment FROM tpch.tiny.orders";
    server.new_view(&stranger, "orders", sql).await;
    server.new_view(&greedy, "orders", sql).await;
    let limits = json!({
        "concurrency": 1, "queuedStatements": 20, "requestsPerSecond": 100, "resultBytes": 1_000_000,
        "diskBytes": 4_000_000,
    });
    server.put(&format!("/api/v1/workspace/{greedy}/limits"), limits).await.ok();
    let token = server.new_member(&greedy, "greedy", "ANALYST").await;

    measure(&server, &stranger).await;
    let alone = measure(&server, &stranger).await;
    let counts = Arc::new(AnswerCounts::default());
    let load: Vec<_> = (0..GREEDY_CLIENTS)
        .map(|number| {
            let connection = Connection::new(&server.url(), &token);
            tokio::spawn(take_all(connection, greedy.clone(), number, Arc::clone(&counts)))
        })
        .collect();
    // Waits until its slot is taken and its queue is full.
    let usage = format!("/api/v1/workspace/{greedy}/usage");
    let deadline = Instant::now() + Duration::from_secs(60);
    while counts.refused.load(Ordering::Relaxed) < 20 {
        assert!(Instant::now() < deadline, "the limits were never reached: {counts:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Longer than a statement has the priority of new ones (D114).
    tokio::time::sleep(Duration::from_secs(1)).await;
    let beside = measure(&server, &stranger).await;
    let used = server.get(&usage).await.ok();
    counts.is_over.store(true, Ordering::Relaxed);
    for task in load {
        task.await.expect("a greedy client ends");
    }
    println!("SELECT 1: alone {}, beside {}", alone.0, beside.0);
    println!("point read: alone {}, beside {}", alone.1, beside.1);
    println!(
        "greedy: {} answers, {} refused; {used}",
        counts.answers.load(Ordering::Relaxed),
        counts.refused.load(Ordering::Relaxed)
    );

    assert_eq!(used["runningStatements"], 1, "{used}");
    assert!(used["queuedStatements"].as_u64().is_some_and(|queued| queued <= 20), "{used}");
    assert!(used["diskBytes"].as_u64().is_some_and(|bytes| bytes <= 4_000_000), "{used}");
    assert!(beside.0.longest < LONGEST_STATEMENT, "SELECT 1: {}", beside.0);
    assert!(beside.1.longest < LONGEST_STATEMENT, "point reads: {}", beside.1);
}

/// A statement that has run for long has a lower priority than new ones, with all of its threads (D114).
#[tokio::test]
async fn a_long_running_statement_has_a_lower_priority() {
    let server = Server::start();
    let workspace = server.new_workspace("long").await;
    let body = json!({ "workspaceId": workspace, "sql": SLOW_SQL });
    let query = server.post("/api/v1/query", body).await.ok();
    let id = query["id"].as_str().expect("an id");
    let least = (niceness_of_threads(server.pid())[0] + 10).min(19);
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let of_workers: Vec<_> = server.worker_pids().into_iter().map(niceness_of_threads).collect();
        // The threads are read one by one, some of them perhaps before the change.
        if of_workers.iter().any(|all| all.len() > 1 && all.iter().all(|nice| *nice >= least)) {
            break;
        }
        let record = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
        let is_running = record["status"] != "FAILED" && record["status"] != "FINISHED";
        assert!(is_running && Instant::now() < deadline, "no worker stands back: {of_workers:?}, {record}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    server.put(&format!("/api/v1/query/{id}/cancel"), json!({ "workspaceId": workspace })).await.ok();
}

/// The niceness of each thread of a process: the 19th field of its `stat`, the 17th after its name.
fn niceness_of_threads(pid: u32) -> Vec<i32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let states = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
    states
        .filter_map(|state| {
            let behind_name = state.rsplit(')').next()?.to_owned();
            behind_name.split_ascii_whitespace().nth(16)?.parse().ok()
        })
        .collect()
}

/// Latencies of consecutive requests.
struct Latencies {
    median: Duration,
    p95: Duration,
    longest: Duration,
}

impl Latencies {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
        Self { median: at(50), p95: at(95), longest: at(100) }
    }
}

impl std::fmt::Display for Latencies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let millis = |time: Duration| time.as_secs_f64() * 1000.0;
        let Self { median, p95, longest } = *self;
        write!(
            f,
            "p50 {:.1} ms, p95 {:.1} ms, longest {:.1} ms",
            millis(median),
            millis(p95),
            millis(longest)
        )
    }
}

/// Measures statements from submit to rows, and reads of one row of a view.
async fn measure(server: &Server, workspace: &str) -> (Latencies, Latencies) {
    let (mut statements, mut reads) = (Vec::new(), Vec::new());
    for number in 0..REQUESTS {
        let body =
            json!({ "workspaceId": workspace, "sql": format!("SELECT {number}"), "wait": 10, "rows": 1 });
        let begun = Instant::now();
        let answer = server.post("/api/v1/query", body).await.ok();
        statements.push(begun.elapsed());
        assert_eq!(answer["status"], "FINISHED", "{answer}");
        let path = format!("/v1/data/stranger/materializedView/orders?offset={}&limit=1", number * 40);
        let begun = Instant::now();
        let row = server.get(&path).await.ok();
        reads.push(begun.elapsed());
        assert_eq!(row.as_array().map(Vec::len), Some(1), "{row}");
    }
    (Latencies::of(statements), Latencies::of(reads))
}

/// Sends statements that do not end, results that are too large, long texts, and scans that find nothing.
async fn take_all(connection: Connection, workspace: String, number: usize, counts: Arc<AnswerCounts>) {
    for turn in number.. {
        if counts.is_over.load(Ordering::Relaxed) {
            return;
        }
        let sql = match turn % 4 {
            0 => SLOW_SQL.to_owned(),
            1 => "SELECT * FROM tpch.tiny.lineitem".to_owned(),
            2 => format!("SELECT 1 /* {} */ + {number}", "x".repeat(200_000)),
            _ => String::new(),
        };
        let (method, path, body) = if sql.is_empty() {
            (Method::GET, SCAN, Value::Null)
        } else {
            (Method::POST, "/api/v1/query", json!({ "workspaceId": workspace, "sql": sql }))
        };
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let Some((status, answer)) = connection.try_answer(method, path, body).await else { return };
        counts.answers.fetch_add(1, Ordering::Relaxed);
        if status != 200 {
            assert_eq!(status, 429, "{answer}");
            counts.refused.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}
