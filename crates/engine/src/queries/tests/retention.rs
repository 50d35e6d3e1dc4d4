//! What expires, and when (D11, D27).

use std::time::Duration;

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
    // Before any sweep: expired is expired.
    assert!(expired(&run).await);
    bench.queries.sweep().await.unwrap();
    assert_eq!(bench.result_files().len(), 1, "the hit still names it");
    assert!(expired(&run).await && !expired(&hit).await);
    bench.clock.advance(DAY);
    bench.queries.sweep().await.unwrap();
    assert!(bench.result_files().is_empty());
    assert!(expired(&hit).await);
    // The age of the entry is within the TTL, its result is not there any more.
    let again = bench.submit_cached("1", 30 * 24 * 3600, false).await;
    assert_eq!(again.from_cache, Some(false));
}

#[tokio::test(flavor = "multi_thread")]
async fn records_are_removed_and_no_longer_counted() {
    // The statement that hangs is to hang all the while.
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
