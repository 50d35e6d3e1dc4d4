//! One statement from submission to its end (D4, D9–D17).

use std::time::Duration;

use rowhouse_model::{DataFormat, ErrorCode, QueryId, QueryStatus, Role, SavedSqlId, Source, ViewId};

use super::bench::{Bench, EPOCH, access, access_as, error_name, submission};
use crate::error::ErrorKind;
use crate::queries::{Completion, Purpose, Submission};
use crate::store::query_records;

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_passes_its_states_and_stores_measurements() {
    let bench = Bench::new();
    let accepted = bench.submit("'gate 1'").await;
    assert_eq!(accepted.error, None);
    // The answered state is on the disk.
    let id = accepted.id.clone();
    let stored = bench.store.read(|connection| query_records::get(connection, &"one".into(), &id)).unwrap();
    let stored = stored.unwrap().query;
    assert_eq!(
        (stored.status, stored.statement_id),
        (Some(QueryStatus::Queued), accepted.statement_id.clone())
    );

    let running = bench.reaches(&accepted, QueryStatus::Running).await;
    assert_eq!(running.columns.as_ref().map(Vec::len), Some(1));
    assert_eq!(running.row_count, None);
    let statement_id = running.statement_id.clone().unwrap();
    assert!(statement_id.as_str().starts_with("20260101_000000_00000_"), "{statement_id}");
    bench.clock.advance(Duration::from_millis(1500));
    let later = bench.queries.get(&access("one"), &accepted.id).await.unwrap();
    assert_eq!(later.duration, Some(1500));
    let stats = later.query_stats.unwrap();
    assert_eq!((stats.state.as_str(), stats.queued, stats.scheduled), ("RUNNING", false, true));

    bench.executor.open("gate 1");
    let ended = bench.ended(&accepted).await;
    assert_eq!(ended.status, Some(QueryStatus::Finished));
    assert_eq!(ended.statement_id, Some(statement_id));
    assert_eq!(ended.started_at, Some(EPOCH));
    assert_eq!((ended.row_count, ended.duration), (Some(1), Some(1500)));
    assert_eq!((ended.from_cache, ended.source.clone()), (Some(false), Some(Source::Api)));
    assert_eq!((ended.data_format, ended.user_type), (Some(DataFormat::Arrow), Some(Role::Analyst)));
    assert_eq!(ended.location, Some(format!("results/one/{}.arrow", accepted.id)));
    let stats = ended.query_stats.clone().unwrap();
    assert_eq!((stats.processed_rows, stats.cpu_time_millis, stats.output_rows), (11, 3, 1));
    assert_eq!((stats.elapsed_time_millis, stats.execution_time_millis), (1500, 1500));
    assert_eq!((stats.state.as_str(), stats.output_bytes), ("FINISHED", 4));
    assert_eq!(bench.result_files(), [format!("{}.arrow", accepted.id)]);
    // The store gives the same as memory.
    let id = accepted.id.clone();
    let stored = bench.store.read(|connection| query_records::get(connection, &"one".into(), &id)).unwrap();
    assert_eq!(stored.unwrap().query, ended);
}

/// Regression: the list showed an end between its commit and its visibility, and a later poll a record in progress.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_shows_no_end_that_a_poll_does_not_show_yet() {
    let bench = Bench::new();
    let accepted = bench.submit("'gate 1'").await;
    bench.reaches(&accepted, QueryStatus::Running).await;
    let id = accepted.id.clone();
    let write = bench.store.write_blocking(move |transaction| {
        let mut row = query_records::get(transaction, &"one".into(), &id)?.unwrap();
        row.query.status = Some(QueryStatus::Failed);
        query_records::update(transaction, &row)
    });
    write.unwrap();
    let polled = bench.queries.get(&access("one"), &accepted.id).await.unwrap();
    assert_eq!(polled.status, Some(QueryStatus::Running));
    assert_eq!(bench.listed(&access("one"), 10, 0).result, [polled]);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_sql_is_failed_from_the_start_and_listed() {
    let bench = Bench::new();
    let bad = bench.submit("FROM WHERE (").await;
    assert_eq!((bad.status, error_name(&bad)), (Some(QueryStatus::Failed), "SYNTAX_ERROR"));
    assert_eq!(bad.statement_id, None);
    let good = bench.ended(&bench.submit("1").await).await;
    let list = bench.listed(&access("one"), 10, 0);
    assert_eq!(list.total_count, 2);
    assert_eq!(list.result, [good, bad.clone()]);
    assert_eq!(bench.listed(&access("one"), 10, 1).result, [bad]);
    assert_eq!(bench.listed(&access("two"), 10, 0).total_count, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_cannot_be_planned_is_answered_as_failed() {
    let bench = Bench::new();
    let refused = bench.submit("'no plan'").await;
    assert_eq!((refused.status, error_name(&refused)), (Some(QueryStatus::Failed), "TABLE_NOT_FOUND"));
    assert!(refused.statement_id.is_some(), "it had a run");
}

#[tokio::test(flavor = "multi_thread")]
async fn cancel_ends_the_work_and_is_idempotent() {
    let bench = Bench::new();
    for text in ["'hang'", "'planned hang'"] {
        let query = bench.submit(text).await;
        bench.until("the run", |bench| bench.executor.began.lock().unwrap().contains(&text.to_owned())).await;
        let canceled = bench.queries.cancel(&access("one"), &query.id).await.unwrap();
        assert_eq!((canceled.status, error_name(&canceled)), (Some(QueryStatus::Failed), "USER_CANCELED"));
        assert_eq!(canceled.error.as_ref().unwrap().error_code, 3);
        bench
            .until("the drop", |bench| bench.executor.dropped.lock().unwrap().contains(&text.to_owned()))
            .await;
        assert_eq!(bench.queries.cancel(&access("one"), &query.id).await.unwrap(), canceled);
    }
    let finished = bench.ended(&bench.submit("1").await).await;
    assert_eq!(bench.queries.cancel(&access("one"), &finished.id).await.unwrap(), finished);
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_and_forbidden_queries_are_distinguished() {
    let bench = Bench::new();
    let query = bench.submit("'hang'").await;
    let (one, two) = (access("one"), access("two"));
    let kind =
        |outcome: crate::error::Result<_>| outcome.map(|_: rowhouse_model::Query| ()).unwrap_err().kind();
    assert_eq!(kind(bench.queries.get(&two, &query.id).await), ErrorKind::NotFound);
    assert_eq!(kind(bench.queries.cancel(&two, &query.id).await), ErrorKind::NotFound);
    assert_eq!(kind(bench.queries.get(&one, &QueryId::from("nothing")).await), ErrorKind::NotFound);
    let consumer = access_as("one", Role::Consumer);
    assert_eq!(kind(bench.queries.get(&consumer, &query.id).await), ErrorKind::PermissionDenied);
    assert_eq!(
        kind(bench.queries.submit(&consumer, submission("1", None)).await),
        ErrorKind::PermissionDenied
    );
    let result = bench.queries.result(&one, &query.id).await.unwrap_err();
    assert_eq!(result.kind(), ErrorKind::NoResult(ErrorCode::QueryNotFinished));
    bench.queries.cancel(&one, &query.id).await.unwrap();
    let result = bench.queries.result(&one, &query.id).await.unwrap_err();
    assert_eq!(result.kind(), ErrorKind::NoResult(ErrorCode::UserCanceled));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_reports_its_statistics_to_its_saved_sql() {
    let bench = Bench::new();
    let saved_sql = SavedSqlId::from("saved");
    let submission = Submission { saved_sql: Some(saved_sql.clone()), ..submission("'gate 1'", None) };
    let query = bench.queries.submit(&access("one"), submission).await.unwrap();
    bench.reaches(&query, QueryStatus::Running).await;
    bench.executor.open("gate 1");
    bench.ended(&query).await;
    let reported = bench.calls.saved_sql.lock().unwrap();
    assert!(reported.iter().all(|(id, _)| *id == saved_sql));
    let states: Vec<_> = reported.iter().map(|(_, stats)| stats.state.as_str()).collect();
    assert_eq!(states.first(), Some(&"QUEUED"));
    assert_eq!(states.last(), Some(&"FINISHED"));
    assert!(states.contains(&"RUNNING"), "{states:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_is_installed_before_its_record_is_finished() {
    let bench = Bench::new();
    let refresh = |view: &str| Submission {
        purpose: Purpose::Refresh { view: ViewId::from(view) },
        source: Source::MaterializedView,
        ..submission("1", None)
    };
    let query = bench.queries.submit(&access("one"), refresh("good")).await.unwrap();
    let completion = bench.queries.completion(&access("one"), &query.id).await;
    let Completion::Finished(rows) = completion else { panic!("{completion:?}") };
    assert_eq!(rows.row_count, 1);
    assert!(rows.path.is_file());
    assert_eq!(bench.calls.refreshed.lock().unwrap().len(), 1);

    *bench.calls.refused_view.lock().unwrap() = Some(ViewId::from("refused"));
    let query = bench.queries.submit(&access("one"), refresh("refused")).await.unwrap();
    let completion = bench.queries.completion(&access("one"), &query.id).await;
    assert!(matches!(completion, Completion::Failed(error) if error.error_name == "COLUMN_NOT_FOUND"));
    assert_eq!(bench.result_files().len(), 1, "a refused refresh leaves no result");
}

/// Regression (deadlock): the caller of a refresh waited for the end of its planning, and the rows waited for the
/// caller.
#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_is_answered_before_its_rows_are_installed() {
    let bench = Bench::waiting_for_planning();
    for number in 0..20 {
        let refresh = Submission {
            purpose: Purpose::Refresh { view: ViewId::from("good") },
            source: Source::MaterializedView,
            ..submission(&number.to_string(), None)
        };
        let asking = bench.calls.asking.lock().await;
        let access = access("one");
        let submitted = bench.queries.submit(&access, refresh);
        let query =
            tokio::time::timeout(Duration::from_secs(60), submitted).await.expect("an answer").unwrap();
        drop(asking);
        assert_eq!(bench.ended(&query).await.status, Some(QueryStatus::Finished));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn shutdown_fails_statements_that_do_not_end_in_time() {
    let bench = Bench::with(|config| config.concurrency = 1);
    let running = bench.submit("'hang'").await;
    let waiting = bench.submit("1").await;
    bench.queries.shutdown(Duration::from_millis(50)).await;
    for query in [running, waiting] {
        assert_eq!(error_name(&bench.ended(&query).await), "SERVER_SHUTTING_DOWN");
    }
    let refused = bench.queries.submit(&access("one"), submission("1", None)).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ServiceDisabled);
}

/// Regression: what changes something held two, so that as many concurrent ones as there may be waited for each other.
#[tokio::test(flavor = "multi_thread")]
async fn few_long_records_are_read_at_a_time_and_changes_do_not_wait() {
    let (bench, access) = (Bench::new(), access("one"));
    let query = bench.ended(&bench.submit(&format!("'{}'", "x".repeat(200_000))).await).await;
    let queries = &bench.queries;
    let mut held = Vec::new();
    for _ in 0..8 {
        held.push(queries.get_shared(&access, &query.id).await.unwrap());
    }
    let moment = Duration::from_millis(200);
    assert!(tokio::time::timeout(moment, queries.get_shared(&access, &query.id)).await.is_err());
    let unhindered = async {
        queries.get(&access, &query.id).await.unwrap();
        queries.cancel(&access, &query.id).await.unwrap();
        queries.wait(&access, &query.id, Duration::from_secs(1)).await.unwrap();
        queries.delete_result(&access, &query.id).await.unwrap();
    };
    tokio::time::timeout(Duration::from_secs(8), unhindered).await.expect("none of them waits");
    drop(held.pop());
    queries.get_shared(&access, &query.id).await.unwrap();
}
