//! Cached results and the tables that they were computed from (D108): verdicts, and answers that follow files and
//! views.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rowhouse_tests::{Server, SharedServer};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;

static SERVER: SharedServer = SharedServer::new(&[]);

/// A file that was changed a moment ago has no version yet; this much later it has one.
const SETTLED: Duration = Duration::from_millis(60);

async fn submit(server: &Server, workspace: &str, sql: &str, check: Option<&str>) -> Value {
    let body = json!({
        "workspaceId": workspace, "sql": sql, "cacheTTL": 600, "cacheRefresh": false, "cacheCheck": check, "wait": 60,
        "rows": 5,
    });
    let query = server.post("/api/v1/query", body).await.ok();
    assert_eq!(query["status"], "FINISHED", "{sql}: {query}");
    query
}

/// The outcome, whether the sources have changed, and the reason.
fn verdict(query: &Value) -> (&str, Option<bool>, Option<&str>) {
    let cache = &query["cache"];
    (
        cache["outcome"].as_str().unwrap_or_else(|| panic!("no verdict in {query}")),
        cache["sourcesChanged"].as_bool(),
        cache["reason"].as_str(),
    )
}

/// Replaces the file of this name by a rename, as writers of data sets do.
fn replace(path: &Path, text: &str) {
    let new = path.with_extension("new");
    fs::write(&new, text).expect("a file");
    fs::rename(new, path).expect("the file replaced");
}

#[tokio::test]
async fn cache_verdicts_depend_on_files_views_days_and_random_numbers() {
    let server = SERVER.get();
    let workspace = server.new_workspace("verdicts").await;
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("orders.csv");
    fs::write(&file, "x\n1\n2\n").expect("a file");
    tokio::time::sleep(SETTLED).await;
    server.new_table(&workspace, "orders", &file).await;
    let sql = "SELECT sum(x) FROM orders";
    let query = async |sql: &str, check| submit(&server, &workspace, sql, check).await;
    let first = query(sql, Some("sources")).await;
    assert_eq!(verdict(&first), ("miss", None, Some("no result of this statement is kept")));
    let hit = query(sql, Some("sources")).await;
    assert_eq!((verdict(&hit), &hit["result"]), (("hit", Some(false), None), &json!([[3]])));

    replace(&file, "x\n1\n7\n");
    tokio::time::sleep(SETTLED).await;
    // With the two fields alone the age decides (D19), and the verdict says that the sources have changed.
    let stale = query(sql, None).await;
    assert_eq!(
        (verdict(&stale), &stale["result"]),
        (("hit", Some(true), Some("table orders changed")), &json!([[3]]))
    );
    let rerun = query(sql, Some("sources")).await;
    assert_eq!(
        (verdict(&rerun), &rerun["result"]),
        (("miss", Some(true), Some("table orders changed")), &json!([[8]]))
    );

    let view = server.new_view(&workspace, "sums", "SELECT sum(x) AS s FROM orders").await;
    let of_view = "SELECT s FROM sums";
    query(of_view, Some("sources")).await;
    assert_eq!(verdict(&query(of_view, Some("sources")).await), ("hit", Some(false), None));
    replace(&file, "x\n5\n");
    // A view keeps its rows until it is refreshed.
    assert_eq!(verdict(&query(of_view, Some("sources")).await), ("hit", Some(false), None));
    server.refresh_view(&workspace, &view).await;
    let refreshed = query(of_view, Some("sources")).await;
    assert_eq!(
        (verdict(&refreshed), &refreshed["result"]),
        (("miss", Some(true), Some("table sums changed")), &json!([[5]]))
    );

    for (sql, reason) in [
        ("SELECT random() < 2", "random may give other rows every time"),
        ("SELECT now() IS NULL", "current_timestamp may give other rows every time"),
        ("SHOW TABLES", "the catalog may give other rows every time"),
    ] {
        query(sql, Some("sources")).await;
        assert_eq!(verdict(&query(sql, Some("sources")).await), ("miss", Some(true), Some(reason)), "{sql}");
        assert_eq!(verdict(&query(sql, Some("age")).await), ("hit", Some(true), Some(reason)), "{sql}");
    }
    query("SELECT current_date", Some("sources")).await;
    assert_eq!(verdict(&query("SELECT current_date", Some("sources")).await).0, "hit");
    query("SELECT count(*) FROM tpch.tiny.region", Some("sources")).await;
    let sample = query("SELECT count(*) FROM tpch.tiny.region", Some("sources")).await;
    assert_eq!(verdict(&sample), ("hit", Some(false), None));

    let body = json!({ "workspaceId": workspace, "sql": sql, "cacheCheck": "files" });
    let refused = server.post("/api/v1/query", body).await;
    refused.error(
        400,
        "INVALID_ARGUMENTS",
        ["field cacheCheck: expected \"age\" or \"sources\", found \"files\""],
    );
}

#[tokio::test]
async fn the_cache_status_header_reports_the_outcome() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let sql = "SELECT 'told by a header'";
    let status = async |cache: bool| {
        let mut body = json!({ "workspaceId": workspace, "sql": sql, "wait": 60 });
        if cache {
            body["cacheTTL"] = json!(600);
            body["cacheRefresh"] = json!(false);
        }
        let answer = server.post("/api/v1/query", body).await;
        answer.header("cache-status").expect("the header").to_owned()
    };
    assert_eq!(status(false).await, "rowhouse; fwd=bypass");
    assert_eq!(status(true).await, "rowhouse; hit");
}

#[tokio::test]
async fn results_that_depend_on_the_user_are_cached_per_user() {
    let server = SERVER.get();
    let workspace = server.new_workspace("by_user").await;
    let token = server.new_member(&workspace, "cache_user", "ANALYST").await;
    let own = submit(&server, &workspace, "SELECT current_user", None).await;
    assert_eq!(own["result"], json!([["admin"]]));
    let body = json!({
        "workspaceId": workspace, "sql": "SELECT current_user", "cacheTTL": 600, "cacheRefresh": false, "wait": 60, "rows": 1,
    });
    let other = server.post_as(&token, "/api/v1/query", body).await.ok();
    assert_eq!(other["result"], json!([["cache_user"]]));
}

/// Files contain a number that only grows, and so does a view over them. With `cacheCheck: sources`, a read after a
/// replacement or a refresh returns the number that was there when it was sent, or a later one. If the age alone
/// decides, the verdict reports an older number as such; and each run names what has changed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_stale_answer_beside_replacements() {
    check_reads_during_replacements("replacements", 300, 8).await;
}

/// The same with more replacements: `cargo test --release -p rowhouse-tests --test cache_sources -- --ignored`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes"]
async fn no_stale_answer_beside_ten_thousand_replacements() {
    check_reads_during_replacements("many_replacements", 10_000, 64).await;
}

/// Number of replacements between two refreshes of the view.
const REPLACEMENTS_PER_REFRESH: u64 = 25;
/// The value of [`There::file`] once nothing is replaced any more.
const OVER: u64 = u64::MAX;

/// The least number that a read sent now may return.
#[derive(Debug, Default)]
struct There {
    file: AtomicU64,
    view: AtomicU64,
}

async fn check_reads_during_replacements(name: &str, replacements: u64, readers: usize) {
    let server = SERVER.get();
    let workspace = server.new_workspace(name).await;
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("n.csv");
    replace(&file, "n\n0\n");
    server.new_table(&workspace, "numbers", &file).await;
    let view = server.new_view(&workspace, "newest", "SELECT max(n) AS n FROM numbers").await;
    let there = Arc::new(There::default());
    let mut reading = JoinSet::new();
    for reader in 0..readers {
        let (server, workspace, there) = (Arc::clone(&server), workspace.clone(), Arc::clone(&there));
        let (check, table) = match reader % 4 {
            3 => ("age", "numbers"),
            2 => ("sources", "newest"),
            _ => ("sources", "numbers"),
        };
        reading.spawn(async move { read_while_replaced(&server, &workspace, check, table, &there).await });
    }
    for number in 1..=replacements {
        replace(&file, &format!("n\n{number}\n"));
        there.file.store(number, Ordering::SeqCst);
        if number % REPLACEMENTS_PER_REFRESH == 0 {
            server.refresh_view(&workspace, &view).await;
            there.view.store(number, Ordering::SeqCst);
        }
        // Some replacements follow at once, others leave time for the cache.
        tokio::time::sleep(Duration::from_millis(if number % 3 == 0 { 60 } else { number % 7 })).await;
    }
    there.file.store(OVER, Ordering::SeqCst);
    let outcomes: Vec<String> = reading.join_all().await.concat();
    let count = |outcome: &str| outcomes.iter().filter(|other| *other == outcome).count();
    let (hits, misses, joined) = (count("hit"), count("miss"), count("joined"));
    println!(
        "{replacements} replacements beside {readers} readers: {hits} hits, {misses} misses, {joined} joined"
    );
    assert!(hits > 10 && misses > 10 && hits + misses + joined == outcomes.len(), "{outcomes:?}");
    let last = submit(&server, &workspace, "SELECT max(n) FROM numbers", Some("sources")).await;
    assert_eq!(last["result"], json!([[replacements]]));
}

/// Reads until there are no more replacements; returns the outcomes of the cache.
async fn read_while_replaced(
    server: &Server,
    workspace: &str,
    check: &str,
    table: &str,
    there: &There,
) -> Vec<String> {
    let mut outcomes = Vec::new();
    let of_table = if table == "newest" { &there.view } else { &there.file };
    let (changed_table, sql) = (format!("table {table} changed"), format!("SELECT max(n) FROM {table}"));
    loop {
        if there.file.load(Ordering::SeqCst) == OVER {
            return outcomes;
        }
        let before = of_table.load(Ordering::SeqCst);
        let answer = submit(server, workspace, &sql, Some(check)).await;
        let number = answer["result"][0][0].as_u64().unwrap_or_else(|| panic!("no number in {answer}"));
        let (outcome, changed, reason) = verdict(&answer);
        let is_stale = before != OVER && number < before;
        assert!(!is_stale || check == "age", "{number}, and {before} was there: {answer}");
        assert!(
            !is_stale || outcome != "hit" || changed == Some(true),
            "{number}, {before} was there: {answer}"
        );
        if outcome == "miss" {
            let reason = reason.unwrap_or_else(|| panic!("a miss without a reason: {answer}"));
            let is_told = reason == changed_table
                || reason == "no result of this statement is kept"
                || reason == "the kept result has just been removed";
            assert!(is_told, "{reason}");
        }
        outcomes.push(outcome.to_owned());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_64_concurrent_equal_requests_runs() {
    let server = SERVER.get();
    let workspace = server.new_workspace("at_once").await;
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("n.csv");
    replace(&file, "n\n1\n");
    tokio::time::sleep(SETTLED).await;
    server.new_table(&workspace, "numbers", &file).await;
    for sql in ["SELECT sum(n) FROM numbers", "SELECT sum(n + 1) FROM numbers"] {
        let mut asking = JoinSet::new();
        for _ in 0..64 {
            let (server, workspace) = (Arc::clone(&server), workspace.clone());
            asking.spawn(async move { submit(&server, &workspace, sql, Some("sources")).await });
        }
        let answers = asking.join_all().await;
        let results: Vec<&Value> = answers.iter().map(|answer| &answer["result"]).collect();
        assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
        let runs = answers.iter().filter(|answer| answer["fromCache"] == false).count();
        assert_eq!(runs, 1, "{sql}");
    }
}
