//! From the first refresh to the drop.

use rowhouse_model::{ErrorCode, QueryError};

use super::*;
use rowhouse_executor::CatalogDetail;

fn failure(message: &str) -> QueryError {
    QueryError::new(ErrorCode::ExceededTimeLimit, message)
}

fn new_text(sql: &str) -> UpdateMaterializedView {
    UpdateMaterializedView { sql: Some(sql.to_owned()), ..Default::default() }
}

#[tokio::test]
async fn a_view_is_not_ready_before_its_first_refresh() {
    let bench = Bench::new().await;
    let created = bench.create("by_region").await;
    let query = created.refresh_query_id.unwrap();
    let submitted = bench.runner.last();
    assert_eq!((submitted.sql.as_str(), submitted.source), (SQL, Source::MaterializedView));
    assert_eq!(created.view.required_filters, ["region:EQ"]);
    assert_eq!(created.view.columns, fakes::columns());
    assert_eq!(created.view.generation, None);

    let snapshot = bench.read("by_region").await;
    assert!(snapshot.generation.is_none());
    let reason = snapshot.not_ready_reason.unwrap();
    assert_eq!(reason, "materialized view 'by_region' has no rows yet, its first refresh is under way");
    assert_eq!(snapshot.columns.len(), 2, "parameters can be checked before (D24)");

    bench.finish(&query, 5).await.unwrap();
    assert_eq!(bench.served("by_region").await, Some((1, 5)));
    let view = bench.get(&created.view.id).await;
    assert_eq!((view.generation, view.row_count, view.last_error), (Some(1), Some(5), None));
    assert_eq!(view.refreshed_at, Some(bench.base.clock.now()));
}

#[tokio::test]
async fn a_failed_refresh_keeps_the_last_good_generation() {
    let bench = Bench::new().await;
    let id = bench.filled("by_region", 5).await.id;
    let query = bench.views.refresh(&bench.access, &id).await.unwrap();
    bench.runner.fail(&query.id, failure("too slow"));
    // No wait in between: a caller that sees FAILED finds the error at the view.
    assert_eq!(bench.get(&id).await.last_error.as_deref(), Some("too slow"));
    assert_eq!(bench.served("by_region").await, Some((1, 5)));

    let query = bench.views.refresh(&bench.access, &id).await.unwrap();
    bench.finish(&query.id, 6).await.unwrap();
    assert_eq!(bench.get(&id).await.last_error, None);
    assert_eq!(bench.served("by_region").await, Some((2, 6)));
}

/// Regression: a record shows its end before the view has recorded it; a caller that saw the end and requested a
/// refresh got the one that had failed.
#[tokio::test]
async fn a_refresh_after_a_failed_one_is_a_new_one() {
    let bench = Bench::new().await;
    let id = bench.filled("by_region", 5).await.id;
    let mut failed = bench.views.refresh(&bench.access, &id).await.unwrap();
    for _ in 0..20 {
        bench.runner.fail(&failed.id, failure("too slow"));
        let next = bench.views.refresh(&bench.access, &id).await.unwrap();
        assert_ne!(next.id, failed.id);
        assert_eq!(bench.get(&id).await.last_error.as_deref(), Some("too slow"));
        failed = next;
    }
}

#[tokio::test]
async fn a_refused_first_refresh_keeps_the_definition() {
    let bench = Bench::new().await;
    *bench.runner.refusal.lock().unwrap() = Some(ErrorKind::QueryQueueFull);
    let created = bench.create("by_region").await;
    assert_eq!(created.refresh_query_id, None);
    assert_eq!(created.view.last_error.as_deref(), Some("planned refusal"));
    let error = bench.views.refresh(&bench.access, &created.view.id).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::QueryQueueFull);

    let bench = bench.reopen().await;
    assert_eq!(bench.get(&created.view.id).await.last_error.as_deref(), Some("planned refusal"));
    let query = bench.views.refresh(&bench.access, &created.view.id).await.unwrap();
    bench.finish(&query.id, 1).await.unwrap();
    assert_eq!(bench.served("by_region").await, Some((1, 1)));
}

#[tokio::test]
async fn while_the_engine_is_disabled_requirements_are_checked_at_the_first_refresh() {
    let bench = Bench::new().await;
    let disabled = QueryError::new(ErrorCode::ServiceDisabled, "SQL_ENGINE is disabled");
    *bench.executor.analysis.lock().unwrap() = Some(Err(disabled));
    *bench.runner.refusal.lock().unwrap() = Some(ErrorKind::ServiceDisabled);
    let mut wrong = request("wrong");
    wrong.sql = SQL.replace("\"region:eq\"", "\"planet\"");
    let wrong = bench.views.create(&bench.access, wrong).await.unwrap().view;
    let right = bench.create("right").await.view;
    assert!(wrong.columns.is_empty() && right.columns.is_empty());

    *bench.runner.refusal.lock().unwrap() = None;
    let query = bench.views.refresh(&bench.access, &wrong.id).await.unwrap();
    let refused = bench.finish(&query.id, 3).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::ColumnNotFound));
    assert!(bench.get(&wrong.id).await.last_error.unwrap().contains("planet"));
    assert_eq!(bench.served("wrong").await, None);

    let query = bench.views.refresh(&bench.access, &right.id).await.unwrap();
    bench.finish(&query.id, 3).await.unwrap();
    assert_eq!(bench.served("right").await, Some((1, 3)));
    assert_eq!(bench.get(&right.id).await.required_filters, ["region:EQ"]);
}

#[tokio::test]
async fn a_second_refresh_joins_the_one_in_progress() {
    let bench = Bench::new().await;
    let created = bench.create("by_region").await;
    let first = created.refresh_query_id.unwrap();
    let joined = tokio::join!(
        bench.views.refresh(&bench.access, &created.view.id),
        bench.views.refresh(&bench.access, &created.view.id)
    );
    assert_eq!((joined.0.unwrap().id, joined.1.unwrap().id), (first.clone(), first.clone()));
    assert_eq!(bench.runner.all().len(), 1);
    bench.finish(&first, 1).await.unwrap();
    let next = bench.views.refresh(&bench.access, &created.view.id).await.unwrap();
    assert_ne!(next.id, first);
}

#[tokio::test]
async fn a_new_text_supersedes_the_refresh_in_progress() {
    let bench = Bench::new().await;
    let created = bench.create("by_region").await;
    let old = created.refresh_query_id.unwrap();
    let changed = bench.change(&created.view.id, new_text("SELECT region, amount FROM other")).await.unwrap();
    let new = changed.refresh_query_id.unwrap();
    assert_eq!(bench.runner.last().sql, "SELECT region, amount FROM other");
    eventually("the old refresh is canceled", || bench.runner.all()[0].is_canceled).await;

    // It had progressed too far to be canceled: its rows are those of the old text and come too late.
    bench.finish(&old, 1).await.unwrap();
    assert_eq!(bench.served("by_region").await, None);
    bench.finish(&new, 2).await.unwrap();
    assert_eq!(bench.served("by_region").await, Some((1, 2)));
}

#[tokio::test]
async fn new_requirements_apply_immediately() {
    let bench = Bench::new().await;
    let id = bench.filled("by_region", 5).await.id;

    // On a column that the served generation has: reads continue, with the new requirement.
    let on_known = SQL.replace("region:eq", "amount:gt");
    bench.change(&id, new_text(&on_known)).await.unwrap();
    let snapshot = bench.read("by_region").await;
    assert_eq!(snapshot.required.entries(&["region", "amount"]), ["amount:GT"]);
    assert_eq!(snapshot.generation.unwrap().number(), 1);

    // On one that it lacks: there is nothing to check the requirement against (D26).
    let mut columns = fakes::columns();
    columns.push(rowhouse_model::Column::new("planet", "varchar"));
    *bench.executor.analysis.lock().unwrap() = Some(Ok(columns));
    let on_new = SQL.replace("region:eq", "planet");
    let query = bench.change(&id, new_text(&on_new)).await.unwrap().refresh_query_id.unwrap();
    let snapshot = bench.read("by_region").await;
    assert!(snapshot.generation.is_none());
    assert!(snapshot.not_ready_reason.unwrap().contains("columns that come with its next refresh"));
    assert_eq!(snapshot.columns.len(), 3, "parameters are checked against the new text's columns");

    let error = bench.finish(&query, 9).await.unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::ColumnNotFound), "the fake's rows still lack the column");
    assert!(bench.read("by_region").await.generation.is_none());
}

#[tokio::test]
async fn old_files_are_removed_with_their_last_reader() {
    let bench = Bench::new().await;
    let id = bench.filled("by_region", 5).await.id;
    let first = bench.files(&id);
    assert!(first.iter().all(|name| name.starts_with("1.")) && first.contains(&"1.arrow".to_owned()));
    let reader = bench.read("by_region").await;
    let lease = bench.tables.snapshot(&bench.access, &[], &CatalogDetail::default()).await;

    let query = bench.views.refresh(&bench.access, &id).await.unwrap();
    bench.finish(&query.id, 6).await.unwrap();
    assert_eq!(bench.served("by_region").await, Some((2, 6)));
    let generation = reader.generation.as_ref().unwrap();
    assert_eq!((generation.number(), generation.row_count()), (1, 5), "a reader in flight stays on its own");
    drop(reader);
    assert!(bench.files(&id).contains(&"1.arrow".to_owned()), "a statement may yet open it");
    drop(lease);
    eventually("the first generation's files are gone", || {
        bench.files(&id).iter().all(|name| name.starts_with("2."))
    })
    .await;

    let reader = bench.read("by_region").await;
    bench.views.drop(&bench.access, &id).await.unwrap();
    assert_eq!(bench.views.get(&bench.access, &id).await.unwrap_err().kind(), ErrorKind::NotFound);
    assert!(!bench.files(&id).is_empty());
    drop(reader);
    eventually("the folder is gone", || !bench.folder().join(id.as_str()).exists()).await;
}

#[tokio::test]
async fn dropping_a_view_cancels_its_refresh() {
    let bench = Bench::new().await;
    let created = bench.create("by_region").await;
    let query = created.refresh_query_id.unwrap();
    bench.views.drop(&bench.access, &created.view.id).await.unwrap();
    eventually("the refresh is canceled", || bench.runner.last().is_canceled).await;
    bench.finish(&query, 3).await.unwrap();
    assert_eq!(bench.files(&created.view.id), [""; 0]);

    // The name is free again, and the new view has no state of the old one.
    let again = bench.create("by_region").await;
    assert_ne!(again.view.id, created.view.id);
    assert_eq!(bench.served("by_region").await, None);
}

#[tokio::test]
async fn a_result_that_cannot_be_installed_fails_the_refresh() {
    let bench = Bench::new().await;
    let id = bench.filled("by_region", 5).await.id;
    let query = bench.views.refresh(&bench.access, &id).await.unwrap();
    let rows = RefreshedRows {
        file: bench.base.folder.path().join("missing.arrow"),
        columns: fakes::columns(),
        row_count: 1,
    };
    let error = bench.runner.finish(&bench.state, &query.id, rows).await.unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::GenericInternalError));
    assert_eq!(bench.served("by_region").await, Some((1, 5)));
    assert!(bench.get(&id).await.last_error.is_some());
    let next = bench.views.refresh(&bench.access, &id).await.unwrap();
    assert_ne!(next.id, query.id, "the way is free for the next");
}

/// Regression: with two concurrent drops of a view, and a new view that took the name in between, the second drop
/// removed the new view from memory and left it in the store.
#[tokio::test]
async fn a_concurrent_second_drop_does_not_remove_the_next_view_of_the_name() {
    let bench = Arc::new(Bench::new().await);
    let old = bench.filled("by_region", 1).await.id;
    // Nothing is written before all three are queued.
    let (release, held) = std::sync::mpsc::channel::<()>();
    let store = Arc::clone(&bench.base.store);
    let line = tokio::spawn(async move { store.write(move |_| Ok(held.recv())).await });
    let drop_old = || {
        let (bench, old) = (Arc::clone(&bench), old.clone());
        tokio::spawn(async move { bench.views.drop(&bench.access, &old).await })
    };
    tokio::task::yield_now().await;
    let first = drop_old();
    tokio::task::yield_now().await;
    let create = {
        let bench = Arc::clone(&bench);
        tokio::spawn(async move { bench.create("by_region").await.view.id })
    };
    tokio::task::yield_now().await;
    let second = drop_old();
    tokio::task::yield_now().await;
    release.send(()).unwrap();

    assert!(line.await.unwrap().is_ok() && first.await.unwrap().is_ok());
    assert_eq!(second.await.unwrap().unwrap_err().kind(), ErrorKind::NotFound);
    let new = create.await.unwrap();
    let listed = bench.listed(&bench.access);
    assert_eq!(listed.iter().map(|view| &view.id).collect::<Vec<_>>(), [&new]);
    assert!(bench.views.read(&bench.access, "by_region").await.is_ok());
}
