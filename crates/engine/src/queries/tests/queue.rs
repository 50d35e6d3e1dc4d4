//! Which statements wait, how long, and how many may (D27).

use std::time::Duration;

use rowhouse_executor::StatementSession;
use rowhouse_model::{QueryStatus, WorkspaceLimits};

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
async fn the_queue_is_limited_and_accepts_again_when_it_drains() {
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
async fn concurrent_runs_are_limited_by_slots() {
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

/// Regression: a workspace filled all 1,002 places, and another's first statement was refused.
#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_leaves_places_and_text_memory_to_others() {
    let bench = Bench::with(|config| {
        config.concurrency = 1;
        config.max_queued_statements = 9;
    });
    let (one, two) = (access("one"), access("two"));
    for access in [&one, &two] {
        bench.limits.hold(&access.workspace.id, WorkspaceLimits::default());
    }
    let mut taken = 0;
    let refused = loop {
        match bench.queries.submit(&one, submission("'gate 1'", None)).await {
            Ok(_) => taken += 1,
            Err(error) => break error,
        }
    };
    assert_eq!((taken, refused.kind()), (5, ErrorKind::QueryQueueFull));
    assert!(refused.message().contains("5 statements of workspace"), "{refused}");
    bench.queries.submit(&two, submission("'x'", None)).await.unwrap();
    assert_eq!(bench.queries.load_of(&one.workspace.id).queued, 4);
    assert_eq!(bench.queries.load_of(&two.workspace.id).queued, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_has_limits_of_its_own() {
    let bench = Bench::with(|config| {
        config.concurrency = 3;
        config.workspace_limits = WorkspaceLimits { concurrency: Some(1), ..WorkspaceLimits::default() };
    });
    let (one, two) = (access("one"), access("two"));
    let limits = WorkspaceLimits { queued_statements: Some(1), ..WorkspaceLimits::default() };
    bench.limits.hold(&one.workspace.id, limits);
    let running = bench.submit("'gate 1'").await;
    bench.reaches(&running, QueryStatus::Running).await;
    let waiting = bench.submit("'b'").await;
    let refused = bench.queries.submit(&one, submission("'c'", None)).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::QueryQueueFull);
    let other = bench.queries.submit(&two, submission("'d'", None)).await.unwrap();
    let other = bench.queries.wait(&two, &other.id, Duration::from_secs(20)).await.unwrap();
    assert!(other.status.unwrap().is_final(), "{other:?}");
    assert_eq!(*bench.executor.began.lock().unwrap(), ["'gate 1'", "'d'"]);
    let load = bench.queries.load_of(&one.workspace.id);
    assert_eq!((load.running, load.queued), (1, 1));
    bench.executor.open("gate 1");
    bench.ended(&waiting).await;
}

/// As many statements run as there is memory for, in the order of the queue, and none waits forever.
#[tokio::test(flavor = "multi_thread")]
async fn statements_wait_for_memory_of_their_workspace() {
    const MIB: u64 = 1 << 20;
    let bench = Bench::with(|config| {
        config.concurrency = 8;
        config.memory_limit_bytes = 100 * MIB;
        config.workspace_limits =
            WorkspaceLimits { memory_bytes: Some(250 * MIB), ..WorkspaceLimits::default() };
    });
    let (one, two) = (access("one"), access("two"));
    let of_memory = |text: &str, bytes: Option<u64>| {
        let mut submission = submission(text, None);
        submission.session = StatementSession { max_memory_bytes: bytes, ..StatementSession::default() };
        submission
    };
    let submit = async |text: &str, bytes| bench.queries.submit(&one, of_memory(text, bytes)).await.unwrap();
    let running = [submit("'gate 1'", None).await, submit("'gate 2'", Some(120 * MIB)).await];
    for query in &running {
        bench.reaches(query, QueryStatus::Running).await;
    }
    let load = bench.queries.load_of(&one.workspace.id);
    assert_eq!(
        (load.running, load.memory_bytes),
        (2, 200 * MIB),
        "more than the server's limit is the server's"
    );
    let large = submit("'c'", Some(60 * MIB)).await;
    let small = submit("'d'", Some(MIB)).await;
    let other = bench.queries.submit(&two, of_memory("'e'", None)).await.unwrap();
    let other = bench.queries.wait(&two, &other.id, Duration::from_secs(20)).await.unwrap();
    assert!(other.error.is_none(), "{other:?}");
    assert_eq!(bench.queries.load_of(&one.workspace.id).queued, 2);
    bench.executor.open("gate 1");
    for query in [&large, &small] {
        assert!(bench.ended(query).await.error.is_none());
    }
    let limits = WorkspaceLimits { memory_bytes: Some(50 * MIB), ..WorkspaceLimits::default() };
    bench.limits.hold(&one.workspace.id, limits);
    let refused = bench.ended(&submit("'f'", None).await).await.error.unwrap();
    assert_eq!(refused.error_name, "GENERIC_INSUFFICIENT_RESOURCES");
    assert!(refused.message.contains("workspaces.memory_bytes"), "{}", refused.message);
    bench.executor.open("gate 2");
    bench.ended(&running[1]).await;
    assert!(bench.ended(&submit("'g'", Some(50 * MIB)).await).await.error.is_none());
    // A run returns its slot a moment after its end is visible.
    bench.until("no memory", |bench| bench.queries.load_of(&one.workspace.id).memory_bytes == 0).await;
}
