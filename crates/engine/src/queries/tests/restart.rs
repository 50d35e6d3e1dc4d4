//! A killed server: acknowledged statements exist, unfinished ones have failed, their files are gone.

use rowhouse_model::QueryStatus;

use super::bench::{Bench, access, error_name};

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_leaves_no_unfinished_record_and_loses_no_finished_one() {
    let bench = Bench::with(|config| config.concurrency = 1);
    let finished = bench.ended(&bench.submit("1").await).await;
    let running = bench.submit("'planned hang'").await;
    bench.reaches(&running, QueryStatus::Running).await;
    let waiting = bench.submit("2").await;
    assert_eq!(bench.result_files().len(), 2, "a result and the beginning of one");
    std::fs::write(bench.path("results/one/orphan.arrow"), b"rows").unwrap();

    let bench = bench.killed_and_reopened();
    let one = access("one");
    assert_eq!(bench.queries.get(&one, &finished.id).await.unwrap(), finished);
    for query in [running, waiting] {
        let failed = bench.queries.get(&one, &query.id).await.unwrap();
        assert_eq!((failed.status, error_name(&failed)), (Some(QueryStatus::Failed), "SERVER_SHUTTING_DOWN"));
        let message = failed.error.unwrap().message;
        assert!(message.contains("submit it again"), "{message}");
    }
    assert_eq!(bench.listed(&one, 10, 0).total_count, 3);
    let kept = [format!("{}.arrow", finished.id)];
    bench.until("a tidy folder", |bench| bench.result_files() == kept).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_and_pages_are_exact_over_many_records() {
    let bench = Bench::new();
    for _ in 0..3 {
        bench.ended(&bench.submit("1").await).await;
    }
    // Copies of the newest record represent a long history.
    bench
        .store
        .write_blocking(|transaction| {
            transaction.execute_batch(
                "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
                 INSERT INTO query_records (id, workspace_id, is_final, started_at, fingerprint, record)
                 SELECT 'copy' || n, workspace_id, 1, started_at, fingerprint,
                     json_set(record, '$.id', 'copy' || n)
                 FROM numbers, (SELECT * FROM query_records ORDER BY seq DESC LIMIT 1)",
            )
        })
        .unwrap();
    let bench = bench.killed_and_reopened();
    let one = access("one");
    let began = std::time::Instant::now();
    let deep = bench.listed(&one, 5, 19_998);
    assert!(began.elapsed() < std::time::Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!(deep.total_count, 20_003);
    let ids: Vec<_> = deep.result.iter().map(|query| query.id.as_str().starts_with("copy")).collect();
    assert_eq!(ids, [true, true, false, false, false]);
    bench.ended(&bench.submit("1").await).await;
    assert_eq!(bench.listed(&one, 1, 0).total_count, 20_004);
}
