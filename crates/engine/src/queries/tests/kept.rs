//! Small results, which are in the store and have no file (D137).

use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{Query, QueryStatus, WorkspaceId, WorkspaceLimits};

use super::bench::{Bench, access, small_rows};
use crate::error::ErrorKind;
use crate::store::small_results;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The locations of the results in the store.
fn kept(bench: &Bench) -> Vec<String> {
    let mut locations: Vec<_> = bench.store.read(small_results::locations).unwrap().into_iter().collect();
    locations.sort();
    locations
}

fn used_bytes(bench: &Bench) -> u64 {
    bench.queries.shared.result_files.usage_of(&WorkspaceId::new("one")).bytes
}

async fn rows(bench: &Bench, query: &Query) -> Result<u64, ErrorKind> {
    let result = bench.queries.result(&access("one"), &query.id).await;
    result.map(|result| result.file.num_rows()).map_err(|error| error.kind())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_result_is_deleted_with_the_last_record_that_names_it() {
    let bench = Bench::new();
    let bytes = small_rows().len() as u64;
    let run = bench.ended(&bench.submit_cached("'small'", 0, true).await).await;
    assert_eq!(rows(&bench, &run).await, Ok(1));
    assert_eq!((kept(&bench), used_bytes(&bench)), (vec![run.location.clone().unwrap()], bytes));
    assert!(bench.result_files().is_empty());
    bench.clock.advance(DAY);
    let hit = bench.submit_cached("'small'", 7 * 24 * 3600, false).await;
    assert_eq!((hit.from_cache, &hit.location), (Some(true), &run.location));

    // It is read from the store after a kill, and counted.
    let bench = bench.killed_and_reopened();
    for _ in 0..2 {
        assert_eq!((rows(&bench, &run).await, rows(&bench, &hit).await), (Ok(1), Ok(1)));
    }
    bench.until("the count", |bench| used_bytes(bench) == bytes).await;
    bench.clock.advance(6 * DAY);
    bench.queries.sweep().await.unwrap();
    assert_eq!(rows(&bench, &run).await, Err(ErrorKind::ResultExpired));
    assert_eq!(rows(&bench, &hit).await, Ok(1), "the hit still names it");
    bench.clock.advance(DAY);
    bench.queries.sweep().await.unwrap();
    assert_eq!(rows(&bench, &hit).await, Err(ErrorKind::ResultExpired));
    assert_eq!((kept(&bench), used_bytes(&bench)), (Vec::new(), 0));
}

/// Regression: the last reference to a result was a cache entry, and the result stayed when a newer entry replaced it.
#[tokio::test(flavor = "multi_thread")]
async fn a_result_is_deleted_with_its_replaced_cache_entry() {
    let bench = Bench::with(|config| config.record_retention = DAY / 24);
    bench.ended(&bench.submit_cached("'small'", 600, true).await).await;
    bench.clock.advance(DAY / 24 * 2);
    bench.queries.sweep().await.unwrap();
    assert_eq!(kept(&bench).len(), 1, "its entry names it");
    let run = bench.ended(&bench.submit_cached("'small'", 600, true).await).await;
    let location = run.location.unwrap();
    bench.until("its removal", |bench| kept(bench) == [location.clone()]).await;
    // Counted after the transaction.
    bench.until("the count", |bench| used_bytes(bench) == small_rows().len() as u64).await;
}

/// Regression: references were removed in one transaction and the rows in the next; no later sweep found the rows that
/// a fault between the two left.
#[tokio::test(flavor = "multi_thread")]
async fn rows_are_deleted_in_the_transaction_that_removes_their_last_reference() {
    const FAULT: &str =
        "CREATE TRIGGER fault BEFORE DELETE ON kept_results BEGIN SELECT RAISE(ABORT, 'a fault'); END";
    let bench = Bench::new();
    let one = access("one");
    let deleted = bench.ended(&bench.submit("'small'").await).await;
    let run = bench.ended(&bench.submit_cached("'small'", 60, true).await).await;
    let mut locations = [deleted.location.clone().unwrap(), run.location.clone().unwrap()];
    locations.sort();
    let faulty = |sql: &'static str| bench.store.write_blocking(|transaction| transaction.execute_batch(sql));
    faulty(FAULT).unwrap();
    bench.queries.delete_result(&one, &deleted.id).await.map(drop).unwrap_err();
    assert_eq!(rows(&bench, &deleted).await, Ok(1), "it has its name");
    bench.clock.advance(8 * DAY);
    bench.queries.sweep().await.unwrap_err();
    assert_eq!(kept(&bench), locations);
    // A server that is killed now finds both the references and the rows; so does the next sweep.
    faulty("DROP TRIGGER fault").unwrap();
    bench.queries.sweep().await.unwrap();
    assert_eq!(kept(&bench), Vec::<String>::new());
    assert_eq!(used_bytes(&bench), 0);
}

/// Regression: statements that ended at the same time each found space for their own result, but together exceeded the
/// limit.
#[tokio::test(flavor = "multi_thread")]
async fn results_of_statements_that_end_together_stay_within_the_limit() {
    let bytes = small_rows().len() as u64;
    let limit = 3 * bytes + bytes / 2;
    let bench = Bench::with(|config| {
        config.concurrency = 8;
        config.workspace_limits = WorkspaceLimits { disk_bytes: Some(limit), ..WorkspaceLimits::default() };
    });
    let texts: Vec<String> = (0..8).map(|number| format!("'gate small {number}'")).collect();
    let mut queries = Vec::new();
    for text in &texts {
        let query = bench.submit(text).await;
        bench.reaches(&query, QueryStatus::Running).await;
        queries.push(query);
    }
    // None of their ends is committed before all have been decided.
    let (release, held) = std::sync::mpsc::channel::<()>();
    let store = Arc::clone(&bench.store);
    let holding = tokio::spawn(async move {
        let hold = move |_: &rusqlite::Transaction<'_>| {
            let _ = held.recv();
            Ok(())
        };
        store.write(hold).await
    });
    for text in &texts {
        bench.executor.open(text.trim_matches('\''));
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    drop(release);
    holding.await.unwrap().unwrap();
    let mut finished = Vec::new();
    for query in &queries {
        let ended = bench.ended(query).await;
        if ended.status == Some(QueryStatus::Finished) {
            finished.push(ended.id);
        }
        assert!(ended.error.is_none_or(|error| error.message.contains("workspaces.disk_bytes")));
    }
    assert_eq!((finished.len(), used_bytes(&bench)), (3, 3 * bytes));
    // No reservation is left.
    bench.queries.delete_result(&access("one"), &finished[0]).await.unwrap();
    let again = bench.ended(&bench.submit("'small'").await).await;
    assert_eq!(again.status, Some(QueryStatus::Finished), "{again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_small_result_is_gone_at_once() {
    let bench = Bench::new();
    let [one, other] = [bench.submit("'small'").await, bench.submit("'small'").await];
    let [one, other] = [bench.ended(&one).await, bench.ended(&other).await];
    // Read twice, so that it is kept open.
    for _ in 0..2 {
        assert_eq!(rows(&bench, &one).await, Ok(1));
    }
    bench.queries.delete_result(&access("one"), &one.id).await.unwrap();
    assert_eq!(rows(&bench, &one).await, Err(ErrorKind::ResultExpired));
    assert_eq!(rows(&bench, &other).await, Ok(1));
    assert_eq!(
        (kept(&bench), used_bytes(&bench)),
        (vec![other.location.unwrap()], small_rows().len() as u64)
    );
}

/// A start removes results without references, and files that an earlier version stored beside the row.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_removes_unused_results() {
    let bench = Bench::new();
    let small = bench.ended(&bench.submit("'small'").await).await;
    let location = small.location.clone().unwrap();
    std::fs::write(bench.path(&location), b"an older file").unwrap();
    let orphan = "results/one/orphan.arrow";
    bench
        .store
        .write_blocking(move |transaction| small_results::insert(transaction, orphan, b"rows"))
        .unwrap();
    let bench = bench.killed_and_reopened();
    bench.until("a tidy store", |bench| kept(bench) == [location.clone()]).await;
    bench.until("a tidy folder", |bench| bench.result_files().is_empty()).await;
    bench.until("the count", |bench| used_bytes(bench) == small_rows().len() as u64).await;
    assert_eq!(rows(&bench, &small).await, Ok(1));
    let hit = bench.submit_cached("'small'", 600, false).await;
    assert_eq!((hit.from_cache, hit.location), (Some(true), small.location));
}

/// Bytes that differ from what was written are reported as damaged, not as an expired result.
#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_small_result_is_reported() {
    let bench = Bench::new();
    let small = bench.ended(&bench.submit("'small'").await).await;
    let location = small.location.clone().unwrap();
    let cut = small_rows()[..100].to_vec();
    bench
        .store
        .write_blocking(move |transaction| small_results::insert(transaction, &location, &cut))
        .unwrap();
    let bench = bench.killed_and_reopened();
    assert_eq!(rows(&bench, &small).await, Err(ErrorKind::Damaged));
}
