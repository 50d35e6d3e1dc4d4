//! The cache and single flight (D19, D20).

use std::time::Duration;

use rowhouse_model::{CacheCheck, CacheOutcome, CacheVerdict, Query, QueryStatus, WorkspaceLimits};

use super::bench::{Bench, access, error_name};
use crate::queries::CachePolicy;

#[tokio::test(flavor = "multi_thread")]
async fn a_fresh_entry_answers_and_an_old_one_does_not() {
    let bench = Bench::new();
    // Cached for later although the cache is not consulted.
    let first = bench.ended(&bench.submit("1").await).await;
    let hit = bench.submit_cached("/* the tokens count */ 1;", 60, false).await;
    assert_eq!((hit.status, hit.from_cache), (Some(QueryStatus::Finished), Some(true)));
    assert_eq!((hit.statement_id.clone(), hit.row_count), (None, Some(1)));
    assert_eq!((&hit.location, &hit.columns), (&first.location, &first.columns));
    bench.clock.advance(Duration::from_secs(60));
    assert_eq!(bench.submit_cached("1", 60, false).await.from_cache, Some(true));
    bench.clock.advance(Duration::from_millis(1));
    let rerun = bench.ended(&bench.submit_cached("1", 60, false).await).await;
    assert_eq!(rerun.from_cache, Some(false));
    assert_ne!(rerun.location, first.location);
    assert_eq!(bench.submit_cached("1", 60, false).await.location, rerun.location);
}

#[tokio::test(flavor = "multi_thread")]
async fn refresh_and_ttl_zero_run_and_replace_the_entry() {
    let bench = Bench::new();
    bench.ended(&bench.submit("1").await).await;
    for (ttl_seconds, refresh) in [(60, true), (0, false)] {
        let run = bench.ended(&bench.submit_cached("1", ttl_seconds, refresh).await).await;
        assert_eq!(run.from_cache, Some(false));
        assert_eq!(bench.submit_cached("1", 60, false).await.location, run.location);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_runs_and_other_workspaces_give_no_cache_hit() {
    let bench = Bench::new();
    bench.ended(&bench.submit_cached("'error'", 60, false).await).await;
    let again = bench.ended(&bench.submit_cached("'error'", 60, false).await).await;
    assert_eq!((again.from_cache, error_name(&again)), (Some(false), "DIVISION_BY_ZERO"));
    assert_eq!(bench.executor.began.lock().unwrap().len(), 2);
    bench.ended(&bench.submit("1").await).await;
    let policy =
        CachePolicy { ttl_seconds: 60, refresh: false, check: Some(CacheCheck::Age), stale_seconds: 0 };
    let elsewhere = super::bench::submission("1", Some(policy));
    let elsewhere = bench.queries.submit(&access("two"), elsewhere).await.unwrap();
    assert_eq!(elsewhere.from_cache, Some(false));
}

#[tokio::test(flavor = "multi_thread")]
async fn identical_statements_share_one_run() {
    let bench = Bench::new();
    let leader = bench.submit_cached("'gate 1'", 60, false).await;
    let joiner = bench.submit_cached("'gate 1'", 60, false).await;
    let loner = bench.submit("'gate 1'").await;
    assert_eq!(joiner.statement_id, leader.statement_id);
    assert_ne!(loner.statement_id, leader.statement_id);
    bench.reaches(&joiner, QueryStatus::Running).await;
    bench.reaches(&loner, QueryStatus::Running).await;
    bench.executor.open("gate 1");
    tokio::time::sleep(Duration::from_millis(20)).await;
    bench.executor.open("gate 1");
    let (leader, joiner, loner) =
        (bench.ended(&leader).await, bench.ended(&joiner).await, bench.ended(&loner).await);
    assert_eq!(
        (leader.from_cache, joiner.from_cache, loner.from_cache),
        (Some(false), Some(true), Some(false))
    );
    assert_eq!(leader.location, joiner.location);
    assert_ne!(leader.location, loner.location);
    assert_eq!(bench.executor.began.lock().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_run_fails_all_its_records() {
    let bench = Bench::with(|config| config.concurrency = 1);
    let before = bench.submit("'gate 1'").await;
    bench.reaches(&before, QueryStatus::Running).await;
    let members =
        [bench.submit_cached("'error'", 9, false).await, bench.submit_cached("'error'", 9, false).await];
    bench.executor.open("gate 1");
    for member in &members {
        let ended = bench.ended(member).await;
        assert_eq!((ended.from_cache, error_name(&ended)), (Some(false), "DIVISION_BY_ZERO"));
    }
    assert_eq!(bench.executor.began.lock().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_continues_until_its_last_record_is_canceled() {
    let bench = Bench::new();
    let leader = bench.submit_cached("'gate 1'", 60, false).await;
    let joiner = bench.submit_cached("'gate 1'", 60, false).await;
    bench.reaches(&joiner, QueryStatus::Running).await;
    let canceled = bench.queries.cancel(&access("one"), &leader.id).await.unwrap();
    assert_eq!(error_name(&canceled), "USER_CANCELED");
    assert_eq!(
        bench.queries.get(&access("one"), &joiner.id).await.unwrap().status,
        Some(QueryStatus::Running)
    );
    assert!(bench.executor.dropped.lock().unwrap().is_empty());
    bench.executor.open("gate 1");
    let joiner = bench.ended(&joiner).await;
    assert_eq!((joiner.status, joiner.from_cache), (Some(QueryStatus::Finished), Some(true)));

    let first = bench.submit_cached("'hang'", 60, false).await;
    let second = bench.submit_cached("'hang'", 60, false).await;
    bench.reaches(&first, QueryStatus::Planning).await;
    bench.queries.cancel(&access("one"), &second.id).await.unwrap();
    bench.queries.cancel(&access("one"), &first.id).await.unwrap();
    bench.until("the drop", |bench| bench.executor.dropped.lock().unwrap().len() == 1).await;
    // The next one does not join the dead run.
    let third = bench.submit_cached("'hang'", 60, false).await;
    assert_ne!(third.statement_id, first.statement_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_survives_a_restart_but_not_the_loss_of_its_file() {
    let bench = Bench::new();
    let run = bench.ended(&bench.submit("1").await).await;
    let bench = bench.killed_and_reopened();
    assert_eq!(bench.submit_cached("1", 60, false).await.from_cache, Some(true));
    std::fs::remove_file(bench.path(&run.location.unwrap())).unwrap();
    assert_eq!(bench.submit_cached("1", 60, false).await.from_cache, Some(false));
}

fn verdict(query: &Query) -> (CacheOutcome, Option<bool>, Option<&str>) {
    let CacheVerdict { outcome, sources_changed, reason, .. } = query.cache.as_ref().expect("a verdict");
    (*outcome, *sources_changed, reason.as_deref())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_knows_whether_its_sources_have_changed() {
    let bench = Bench::new();
    let first = bench.ended(&bench.submit("1").await).await;
    assert_eq!(first.cache, None);
    let none = bench.ended(&bench.submit_checked("2").await).await;
    assert_eq!(verdict(&none), (CacheOutcome::Miss, None, Some("no result of this statement is kept")));
    bench.clock.advance(Duration::from_secs(3));
    let hit = bench.submit_checked("1").await;
    assert_eq!(verdict(&hit), (CacheOutcome::Hit, Some(false), None));
    assert_eq!(hit.cache.and_then(|verdict| verdict.age_seconds), Some(3));
    bench.replace_table();
    // By age alone it is a hit, with a verdict.
    let by_age = bench.submit_cached("1", 60, false).await;
    assert_eq!(verdict(&by_age), (CacheOutcome::Hit, Some(true), Some("table t changed")));
    let rerun = bench.ended(&bench.submit_checked("1").await).await;
    assert_eq!(verdict(&rerun), (CacheOutcome::Miss, Some(true), Some("table t changed")));
    assert_ne!(rerun.location, first.location);
    assert_eq!(bench.submit_checked("1").await.location, rerun.location);
    bench.clock.advance(Duration::from_secs(61));
    let old = bench.ended(&bench.submit_checked("1").await).await;
    assert_eq!(verdict(&old), (CacheOutcome::Miss, Some(false), Some("the kept result is older than 60 s")));
    let refreshed = bench.ended(&bench.submit_cached("1", 60, true).await).await;
    assert_eq!(verdict(&refreshed), (CacheOutcome::Bypassed, None, Some("cacheRefresh was set")));
    // It is durable with the record.
    let bench = bench.killed_and_reopened();
    let read = bench.queries.get(&access("one"), &rerun.id).await.unwrap();
    assert_eq!(verdict(&read), verdict(&rerun));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_began_before_a_source_changed_answers_no_later_statement() {
    let bench = Bench::new();
    let before = bench.submit_checked("'gate 1'").await;
    bench.reaches(&before, QueryStatus::Running).await;
    bench.replace_table();
    let (after, by_age) =
        (bench.submit_checked("'gate 1'").await, bench.submit_cached("'gate 1'", 60, false).await);
    assert_eq!(after.status, Some(QueryStatus::Queued));
    assert_eq!(
        (verdict(&by_age).0, by_age.statement_id.clone()),
        (CacheOutcome::Joined, before.statement_id.clone())
    );
    bench.executor.open("gate 1");
    let (before, by_age) = (bench.ended(&before).await, bench.ended(&by_age).await);
    assert_eq!(before.location, by_age.location);
    bench.reaches(&after, QueryStatus::Running).await;
    bench.executor.open("gate 1");
    let after = bench.ended(&after).await;
    assert_ne!(after.location, before.location);
    assert_eq!(bench.executor.began.lock().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_concurrent_statements_with_checked_sources_one_runs() {
    let bench = Bench::new();
    let first = bench.submit_checked("'gate 1'").await;
    bench.reaches(&first, QueryStatus::Running).await;
    let mut others = Vec::new();
    for _ in 0..64 {
        others.push(bench.submit_checked("'gate 1'").await);
    }
    let canceled = bench.queries.cancel(&access("one"), &others[7].id).await.unwrap();
    assert_eq!(error_name(&canceled), "USER_CANCELED");
    bench.executor.open("gate 1");
    let location = bench.ended(&first).await.location;
    for (number, other) in others.iter().enumerate() {
        let ended = bench.ended(other).await;
        assert!(number == 7 || ended.location == location, "{ended:?}");
    }
    assert_eq!(bench.executor.began.lock().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_workspace_default_of_cache_check_applies() {
    let bench = Bench::new();
    let submit = async |check| {
        let policy = CachePolicy { ttl_seconds: 60, refresh: false, check, stale_seconds: 0 };
        bench.ended(&bench.submit_with("1", policy).await).await
    };
    submit(None).await;
    bench.replace_table();
    assert_eq!(verdict(&submit(None).await).0, CacheOutcome::Hit);
    let limits = WorkspaceLimits { cache_check: Some(CacheCheck::Sources), ..WorkspaceLimits::default() };
    bench.limits.hold(&access("one").workspace.id, limits);
    assert_eq!(verdict(&submit(Some(CacheCheck::Age)).await).0, CacheOutcome::Hit);
    assert_eq!(verdict(&submit(None).await), (CacheOutcome::Miss, Some(true), Some("table t changed")));
}
