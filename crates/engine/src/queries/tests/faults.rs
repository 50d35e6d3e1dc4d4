//! A fault in an executor ends its statement and nothing else.

use std::time::Duration;

use rowhouse_model::QueryStatus;

use super::bench::{Bench, error_name};

#[tokio::test(flavor = "multi_thread")]
async fn executor_faults_fail_only_their_statement() {
    let bench = Bench::new();
    let other = bench.submit("'gate 1'").await;
    let check = async |text: &str, expected: &str| {
        let ended = bench.ended(&bench.submit(text).await).await;
        assert_eq!((ended.status, error_name(&ended)), (Some(QueryStatus::Failed), expected), "{text}");
        assert_eq!(ended.location, None);
    };
    check("'panic'", "GENERIC_INTERNAL_ERROR").await;
    check("'error'", "DIVISION_BY_ZERO").await;
    check("'no file'", "GENERIC_INTERNAL_ERROR").await;
    check("'panic'", "GENERIC_INTERNAL_ERROR").await;
    bench.executor.open("gate 1");
    assert_eq!(bench.ended(&other).await.status, Some(QueryStatus::Finished));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_beyond_its_time_limit_is_dropped() {
    let bench = Bench::new();
    for (text, state) in [("'hang'", QueryStatus::Planning), ("'planned hang'", QueryStatus::Running)] {
        let query = bench.submit(text).await;
        bench.reaches(&query, state).await;
        bench.clock.advance(bench.config.statement_timeout + Duration::from_secs(1));
        let ended = bench.ended(&query).await;
        assert_eq!(error_name(&ended), "EXCEEDED_TIME_LIMIT");
        assert!(bench.executor.dropped.lock().unwrap().contains(&text.to_owned()));
    }
}

/// A known text need not be parsed, so its caller cannot disconnect before the statement is accepted.
#[tokio::test(flavor = "multi_thread")]
async fn a_disconnected_caller_leaves_a_complete_statement() {
    let bench = Bench::new();
    let known = bench.submit("1").await;
    bench.ended(&known).await;
    for _ in 0..20 {
        abandon(&bench, "1").await;
    }
    assert_eq!(all_finished(&bench, 21).await, 21);
}

/// A caller that disconnects during parsing leaves nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_disconnects_during_parsing_leaves_nothing() {
    let bench = Bench::new();
    for number in 0..20 {
        abandon(&bench, &number.to_string()).await;
    }
    let last = bench.submit("20").await;
    bench.ended(&last).await;
    assert!((1..=21).contains(&all_finished(&bench, 1).await));
}

/// Dropped at its first await, or a moment later.
async fn abandon(bench: &Bench, text: &str) {
    let access = super::bench::access("one");
    let submitting = bench.queries.submit(&access, super::bench::submission(text, None));
    let _ = tokio::time::timeout(Duration::from_micros(50), submitting).await;
}

/// The number of statements once there are at least `least` and all have finished.
async fn all_finished(bench: &Bench, least: u64) -> u64 {
    for _ in 0..400 {
        let list = bench.listed(&super::bench::access("one"), 100, 0);
        let is_done = |query: &rowhouse_model::Query| query.status == Some(QueryStatus::Finished);
        if list.total_count >= least && list.result.iter().all(is_done) {
            return list.total_count;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("a statement stays unfinished");
}
