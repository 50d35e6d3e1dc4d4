//! Stale answers while one run renews them (D117).

use std::time::Duration;

use rowhouse_model::{CacheCheck, CacheOutcome, Query, QueryStatus, Role, SQL_ENGINE};

use super::bench::{Bench, access, access_as, error_name};
use crate::queries::CachePolicy;

/// Fresh for 60 s, and stale for 600 s more.
async fn submit(bench: &Bench, text: &str, check: CacheCheck) -> Query {
    let policy = CachePolicy { ttl_seconds: 60, refresh: false, check: Some(check), stale_seconds: 600 };
    bench.submit_with(text, policy).await
}

fn outcome(query: &Query) -> (CacheOutcome, Option<&str>) {
    let verdict = query.cache.as_ref().expect("a verdict");
    (verdict.outcome, verdict.reason.as_deref())
}

/// The records of renewals, newest first.
fn renewals(bench: &Bench) -> Vec<Query> {
    let listed = bench.listed(&access("one"), 100, 0).result;
    listed
        .into_iter()
        .filter(|query| query.source.as_ref().is_some_and(|source| source.as_str() == "CACHE_RENEWAL"))
        .collect()
}

fn began(bench: &Bench) -> usize {
    bench.executor.began.lock().unwrap().len()
}

/// Waits until a renewal is completely over.
async fn settled(bench: &Bench, count: usize) -> Vec<Query> {
    let is_over = |bench: &Bench| {
        let records = renewals(bench);
        records.len() == count && records.iter().all(|query| query.status.is_some_and(QueryStatus::is_final))
    };
    bench.until("the renewal", is_over).await;
    // Its task records the end a moment after it is visible.
    tokio::time::sleep(Duration::from_millis(50)).await;
    renewals(bench)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_entry_answers_at_once_while_one_run_renews_it() {
    let bench = Bench::new();
    bench.executor.open("gate 1");
    let first = bench.ended(&submit(&bench, "'gate 1'", CacheCheck::Age).await).await;
    bench.clock.advance(Duration::from_secs(61));
    for _ in 0..64 {
        let stale = submit(&bench, "'gate 1'", CacheCheck::Age).await;
        assert_eq!(outcome(&stale), (CacheOutcome::Stale, Some("the kept result is older than 60 s")));
        assert_eq!((stale.status, stale.from_cache), (Some(QueryStatus::Finished), Some(true)));
        assert_eq!(stale.location, first.location);
    }
    bench.until("the run", |bench| began(bench) == 2).await;
    // A caller that does not accept stale answers joins the renewal.
    let strict = bench.submit_cached("'gate 1'", 60, false).await;
    assert_eq!(outcome(&strict).0, CacheOutcome::Joined);
    bench.executor.open("gate 1");
    let renewed = settled(&bench, 1).await;
    assert_eq!(bench.ended(&strict).await.location, renewed[0].location);
    let fresh = submit(&bench, "'gate 1'", CacheCheck::Age).await;
    assert_eq!((outcome(&fresh), &fresh.location), ((CacheOutcome::Hit, None), &renewed[0].location));
    assert_eq!(began(&bench), 2);
    // And again when that one is stale; beyond both times no old entry answers.
    bench.clock.advance(Duration::from_secs(660));
    bench.executor.open("gate 1");
    assert_eq!(outcome(&submit(&bench, "'gate 1'", CacheCheck::Age).await).0, CacheOutcome::Stale);
    settled(&bench, 2).await;
    bench.clock.advance(Duration::from_millis(660_001));
    let late = submit(&bench, "'gate 1'", CacheCheck::Age).await;
    assert_eq!(outcome(&late), (CacheOutcome::Miss, Some("the kept result is older than 60 s")));
    bench.executor.open("gate 1");
    bench.ended(&late).await;
    assert_eq!(renewals(&bench).len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_sources_are_reported_and_renewed_within_the_fresh_time() {
    let bench = Bench::new();
    let first = bench.ended(&submit(&bench, "1", CacheCheck::Sources).await).await;
    assert_eq!(outcome(&submit(&bench, "1", CacheCheck::Sources).await), (CacheOutcome::Hit, None));
    bench.replace_table();
    let stale = submit(&bench, "1", CacheCheck::Sources).await;
    assert_eq!(outcome(&stale), (CacheOutcome::Stale, Some("table t changed")));
    assert_eq!((stale.cache.unwrap().sources_changed, stale.location), (Some(true), first.location));
    let renewed = settled(&bench, 1).await;
    assert_eq!(outcome(&renewed[0]), (CacheOutcome::Miss, Some("table t changed")));
    let fresh = submit(&bench, "1", CacheCheck::Sources).await;
    assert_eq!((outcome(&fresh), &fresh.location), ((CacheOutcome::Hit, None), &renewed[0].location));
    // By age alone nothing needs renewal.
    bench.replace_table();
    assert_eq!(outcome(&submit(&bench, "1", CacheCheck::Age).await).0, CacheOutcome::Hit);
    assert_eq!(renewals(&bench).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_renewal_is_not_retried_immediately() {
    let bench = Bench::new();
    let first = bench.submit("'gate 1'").await;
    bench.executor.open("gate 1");
    let first = bench.ended(&first).await;
    for (number, pause) in [(1, 10), (2, 20), (3, 40)] {
        bench.clock.advance(Duration::from_secs(if number == 1 { 61 } else { 0 }));
        assert_eq!(outcome(&submit(&bench, "'gate 1'", CacheCheck::Age).await).0, CacheOutcome::Stale);
        // The run begins while its record is written.
        let is_under_way = |bench: &Bench| began(bench) == 1 + number && renewals(bench).len() == number;
        bench.until("the run", is_under_way).await;
        let under_way = renewals(&bench).remove(0);
        bench.queries.cancel(&access("one"), &under_way.id).await.unwrap();
        assert_eq!(error_name(&settled(&bench, number).await[0]), "USER_CANCELED");
        bench.clock.advance(Duration::from_millis(pause * 1000 - 1));
        for _ in 0..5 {
            let stale = submit(&bench, "'gate 1'", CacheCheck::Age).await;
            assert_eq!((outcome(&stale).0, &stale.location), (CacheOutcome::Stale, &first.location));
        }
        assert_eq!(renewals(&bench).len(), number);
        bench.clock.advance(Duration::from_millis(1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_answer_is_given_while_the_service_is_disabled() {
    let bench = Bench::new();
    bench.ended(&bench.submit("1").await).await;
    bench.clock.advance(Duration::from_secs(61));
    let admin = access_as("one", Role::Owner).principal;
    bench.service.set(&admin, SQL_ENGINE, false).await.unwrap();
    assert_eq!(outcome(&submit(&bench, "1", CacheCheck::Age).await).0, CacheOutcome::Stale);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!((began(&bench), renewals(&bench).len()), (1, 0));
}
