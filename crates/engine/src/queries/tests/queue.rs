//! Who waits, for how long, and how many may (D27).

use rowhouse_model::QueryStatus;

use super::bench::{Bench, access, error_name, submission};
use crate::error::ErrorKind;

#[tokio::test(flavor = "multi_thread")]
async fn workspaces_take_turns() {
    let bench = Bench::with(|config| config.concurrency = 1);
    let first = bench.submit("'gate 1'").await;
    bench.reaches(&first, QueryStatus::Running).await;
    let mut last = first;
    for text in ["'a'", "'b'", "'c'"] {
        last = bench.submit(text).await;
    }
    bench.queries.submit(&access("two"), submission("'d'", None)).await.unwrap();
    bench.executor.open("gate 1");
    bench.ended(&last).await;
    assert_eq!(*bench.executor.began.lock().unwrap(), ["'gate 1'", "'a'", "'d'", "'b'", "'c'"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_has_a_limit_and_room_again() {
    let bench = Bench::with(|config| {
        config.concurrency = 1;
        config.max_queued_statements = 2;
    });
    let running = bench.submit("'gate 1'").await;
    bench.reaches(&running, QueryStatus::Running).await;
    let waiting = bench.submit("'b'").await;
    let joined = bench.submit_cached("'c'", 60, false).await;
    let refused = bench.queries.submit(&access("one"), submission("'d'", None)).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::QueryQueueFull);
    assert_eq!(bench.listed(&access("one"), 10, 0).total_count, 3);
    let canceled = bench.queries.cancel(&access("one"), &waiting.id).await.unwrap();
    assert_eq!(error_name(&canceled), "USER_CANCELED");
    let next = bench.submit("'e'").await;
    bench.executor.open("gate 1");
    bench.ended(&joined).await;
    bench.ended(&next).await;
    assert_eq!(*bench.executor.began.lock().unwrap(), ["'gate 1'", "'c'", "'e'"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_run_at_a_time_than_there_are_slots() {
    let bench = Bench::with(|config| config.concurrency = 3);
    let mut queries = Vec::new();
    for _ in 0..5 {
        queries.push(bench.submit("'gate 1'").await);
    }
    for query in &queries[..3] {
        bench.reaches(query, QueryStatus::Running).await;
    }
    assert_eq!(bench.executor.began.lock().unwrap().len(), 3);
    for (ended, query) in queries.iter().enumerate() {
        bench.until("a run", |bench| bench.executor.began.lock().unwrap().len() == (ended + 3).min(5)).await;
        bench.executor.open("gate 1");
        bench.ended(query).await;
    }
}
