//! Small results, which are in the store and have no file (D137).

use std::time::Duration;

use rowhouse_model::{Query, WorkspaceId};

use super::bench::{Bench, access, small_rows};
use crate::error::ErrorKind;
use crate::store::kept_results;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The locations of the results in the store.
fn kept(bench: &Bench) -> Vec<String> {
    let mut locations: Vec<_> = bench.store.read(kept_results::locations).unwrap().into_iter().collect();
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
async fn a_small_result_goes_with_the_last_record_that_names_it() {
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

/// Regression: the last name of a result was that of a cache entry, and a newer one took its place.
#[tokio::test(flavor = "multi_thread")]
async fn a_result_whose_entry_is_replaced_goes_with_it() {
    let bench = Bench::with(|config| config.record_retention = DAY / 24);
    bench.ended(&bench.submit_cached("'small'", 600, true).await).await;
    bench.clock.advance(DAY / 24 * 2);
    bench.queries.sweep().await.unwrap();
    assert_eq!(kept(&bench).len(), 1, "its entry names it");
    let run = bench.ended(&bench.submit_cached("'small'", 600, true).await).await;
    let location = run.location.unwrap();
    bench.until("its removal", |bench| kept(bench) == [location.clone()]).await;
    assert_eq!(used_bytes(&bench), small_rows().len() as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_small_result_is_gone_at_once() {
    let bench = Bench::new();
    let [one, other] = [bench.submit("'small'").await, bench.submit("'small'").await];
    let [one, other] = [bench.ended(&one).await, bench.ended(&other).await];
    // Twice, so that it is held open.
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

/// What nothing names goes at the start; so does a file that an earlier version had beside the row.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_removes_what_is_not_used() {
    let bench = Bench::new();
    let small = bench.ended(&bench.submit("'small'").await).await;
    let location = small.location.clone().unwrap();
    std::fs::write(bench.path(&location), b"an older file").unwrap();
    let orphan = "results/one/orphan.arrow";
    bench
        .store
        .write_blocking(move |transaction| kept_results::insert(transaction, orphan, b"rows"))
        .unwrap();
    let bench = bench.killed_and_reopened();
    bench.until("a tidy store", |bench| kept(bench) == [location.clone()]).await;
    bench.until("a tidy folder", |bench| bench.result_files().is_empty()).await;
    bench.until("the count", |bench| used_bytes(bench) == small_rows().len() as u64).await;
    assert_eq!(rows(&bench, &small).await, Ok(1));
    let hit = bench.submit_cached("'small'", 600, false).await;
    assert_eq!((hit.from_cache, hit.location), (Some(true), small.location));
}

/// Bytes that are not as written are told as such, not as a result that has expired.
#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_small_result_is_told() {
    let bench = Bench::new();
    let small = bench.ended(&bench.submit("'small'").await).await;
    let location = small.location.clone().unwrap();
    let cut = small_rows()[..100].to_vec();
    bench
        .store
        .write_blocking(move |transaction| kept_results::insert(transaction, &location, &cut))
        .unwrap();
    let bench = bench.killed_and_reopened();
    assert_eq!(rows(&bench, &small).await, Err(ErrorKind::Damaged));
}
