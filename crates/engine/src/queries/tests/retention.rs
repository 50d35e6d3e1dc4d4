//! Expiry (D11, D27).

use std::time::Duration;

use rowhouse_model::WorkspaceLimits;

use super::bench::{Bench, access};
use crate::error::ErrorKind;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test(flavor = "multi_thread")]
async fn a_result_lives_as_long_as_the_last_record_that_names_it() {
    let bench = Bench::new();
    let run = bench.ended(&bench.submit("1").await).await;
    bench.clock.advance(DAY);
    let hit = bench.submit_cached("1", 7 * 24 * 3600, false).await;
    assert_eq!(hit.location, run.location);
    let expired = async |query: &rowhouse_model::Query| {
        bench.queries.result(&access("one"), &query.id).await.map(|_| ()).unwrap_err().kind()
            == ErrorKind::ResultExpired
    };
    bench.clock.advance(6 * DAY);
    // Before any sweep: expiry does not depend on it.
    assert!(expired(&run).await);
    bench.queries.sweep().await.unwrap();
    assert_eq!(bench.result_files().len(), 1, "the hit still names it");
    assert!(expired(&run).await && !expired(&hit).await);
    bench.clock.advance(DAY);
    bench.queries.sweep().await.unwrap();
    assert!(bench.result_files().is_empty());
    assert!(expired(&hit).await);
    // The age of the entry is within the TTL, but its result no longer exists.
    let again = bench.submit_cached("1", 30 * 24 * 3600, false).await;
    assert_eq!(again.from_cache, Some(false));
}

#[tokio::test(flavor = "multi_thread")]
async fn records_are_removed_and_no_longer_counted() {
    // The hanging statement must hang all the time.
    let bench = Bench::with(|config| config.statement_timeout = 2 * config.record_retention);
    let old = bench.ended(&bench.submit("1").await).await;
    let hanging = bench.submit("'hang'").await;
    bench.clock.advance(Duration::from_secs(1));
    let newer = bench.ended(&bench.submit("2").await).await;
    bench.clock.advance(bench.config.record_retention);
    bench.queries.sweep().await.unwrap();
    let list = bench.listed(&access("one"), 10, 0);
    let ids: Vec<_> = list.result.iter().map(|query| query.id.clone()).collect();
    assert_eq!((list.total_count, ids), (2, vec![newer.id, hanging.id]));
    let gone = bench.queries.get(&access("one"), &old.id).await.unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NotFound);
}

/// Regression: views that are refreshed every second wrote 30 GB of records a day, for 30 days.
#[tokio::test(flavor = "multi_thread")]
async fn the_oldest_records_of_a_workspace_with_too_many_are_removed() {
    let bench = Bench::with(|config| config.max_records = 3);
    let hanging = bench.submit("'hang'").await;
    let mut ended = Vec::new();
    for sql in ["1", "2", "3", "4", "5"] {
        ended.push(bench.ended(&bench.submit(sql).await).await.id);
    }
    bench.queries.sweep().await.unwrap();
    let list = bench.listed(&access("one"), 10, 0);
    let ids: Vec<_> = list.result.iter().map(|query| query.id.clone()).collect();
    assert_eq!((list.total_count, ids), (3, vec![ended[4].clone(), ended[3].clone(), hanging.id]));
    let gone = bench.queries.get(&access("one"), &ended[2]).await.unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NotFound);
    bench.queries.sweep().await.unwrap();
    assert_eq!(bench.listed(&access("one"), 10, 0).total_count, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_jump_deletes_nothing() {
    const DAYS_MILLIS: i64 = 400 * 24 * 60 * 60 * 1000;
    let bench = Bench::new();
    let query = bench.ended(&bench.submit("1").await).await;
    bench.clock.jump(DAYS_MILLIS);
    bench.queries.sweep().await.unwrap();
    bench.clock.jump(-DAYS_MILLIS);
    let error = bench.queries.result(&access("one"), &query.id).await.map(drop).unwrap_err();
    assert_eq!(
        error.kind(),
        ErrorKind::Damaged,
        "the executor of these tests writes no Arrow file, but it is there"
    );
    bench.clock.jump(DAYS_MILLIS);
    bench.queries.sweep().await.unwrap();
    assert_eq!(bench.result_files().len(), 1);
    bench.clock.advance(Duration::from_secs(60 * 60));
    bench.queries.sweep().await.unwrap();
    assert!(bench.result_files().is_empty(), "a clock that stays there is right");
}

/// Regression: an entry from the future had no age, and its TTL did not end for as long as the clock had been ahead.
#[tokio::test(flavor = "multi_thread")]
async fn an_entry_from_the_future_answers_nothing() {
    let bench = Bench::new();
    bench.clock.jump(DAY.as_millis() as i64);
    bench.ended(&bench.submit_cached("1", 60, false).await).await;
    bench.clock.jump(-(DAY.as_millis() as i64));
    let again = bench.ended(&bench.submit_cached("1", 60, false).await).await;
    assert_eq!(again.from_cache, Some(false));
    bench.clock.jump(-1000);
    let corrected = bench.submit_cached("1", 60, false).await;
    assert_eq!(corrected.from_cache, Some(true), "a clock that was only put right");
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_result_removes_it_from_all_records_and_the_cache() {
    let bench = Bench::new();
    let one = access("one");
    let run = bench.ended(&bench.submit("1").await).await;
    let hit = bench.submit_cached("1", 60, false).await;
    assert_eq!(hit.from_cache, Some(true));
    let running = bench.submit("'gate 1'").await;
    let early = bench.queries.delete_result(&one, &running.id).await.unwrap_err();
    assert_eq!(early.kind(), ErrorKind::NoResult(rowhouse_model::ErrorCode::QueryNotFinished));
    assert_eq!(bench.queries.result_usage_of(&one.workspace.id).files, 1);
    for _ in 0..2 {
        let left = bench.queries.delete_result(&one, &run.id).await.unwrap();
        assert_eq!((left.id, left.row_count), (run.id.clone(), run.row_count));
    }
    assert_eq!(bench.queries.result_usage_of(&one.workspace.id).files, 0);
    for query in [&run, &hit] {
        let gone = bench.queries.result(&one, &query.id).await.map(drop).unwrap_err();
        assert_eq!(gone.kind(), ErrorKind::ResultExpired);
    }
    let again = bench.submit_cached("1", 60, false).await;
    assert_eq!(again.from_cache, Some(false));
    bench.executor.open("gate 1");
}

#[tokio::test(flavor = "multi_thread")]
async fn result_space_is_limited_by_workspace() {
    let limits =
        |result_bytes, disk_bytes| WorkspaceLimits { result_bytes, disk_bytes, ..WorkspaceLimits::default() };
    for gives_up_oldest in [false, true] {
        // Each result has four bytes.
        let bench = Bench::with(|config| {
            config.workspace_limits = limits(Some(4), Some(10));
            config.gives_up_oldest_results = gives_up_oldest;
        });
        let first = bench.ended(&bench.submit("1").await).await;
        bench.ended(&bench.submit("2").await).await;
        let third = bench.ended(&bench.submit("3").await).await;
        assert_eq!(third.error.is_none(), gives_up_oldest, "{third:?}");
        assert_eq!(bench.result_files().len(), 2);
        let gone = bench.queries.result(&access("one"), &first.id).await.map(drop).err();
        assert_eq!(gone.is_some_and(|error| error.kind() == ErrorKind::ResultExpired), gives_up_oldest);
        let other = bench.queries.submit(&access("two"), super::bench::submission("1", None)).await.unwrap();
        let other = bench.queries.wait(&access("two"), &other.id, Duration::from_secs(20)).await.unwrap();
        assert!(other.error.is_none(), "{other:?}");
        bench.limits.hold(&access("one").workspace.id, limits(Some(3), Some(0)));
        let too_large = bench.ended(&bench.submit("4").await).await.error.unwrap();
        assert_eq!(too_large.error_name, "GENERIC_INSUFFICIENT_RESOURCES");
        assert!(too_large.message.contains("results.max_bytes"), "{}", too_large.message);
    }
}
