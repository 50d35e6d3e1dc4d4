//! What is served and cleaned up after a restart.

use super::*;

#[tokio::test]
async fn views_are_served_at_once_after_a_restart() {
    let bench = Bench::new().await;
    let view = bench.filled("by_region", 5).await;
    let query = bench.views.refresh(&bench.access, &view.id).await.unwrap();
    bench.finish(&query.id, 6).await.unwrap();
    let before = bench.get(&view.id).await;

    let bench = bench.reopen().await;
    assert_eq!(bench.served("by_region").await, Some((2, 6)));
    assert_eq!(bench.get(&view.id).await, before);
    let query = bench.views.refresh(&bench.access, &view.id).await.unwrap();
    bench.finish(&query.id, 7).await.unwrap();
    assert_eq!(bench.served("by_region").await, Some((3, 7)));
}

#[tokio::test]
async fn unused_files_are_removed_at_start() {
    let bench = Bench::new().await;
    let id = bench.filled("by_region", 5).await.id;
    let empty = bench.create("empty").await.view.id;
    let folder = bench.folder();
    std::fs::create_dir_all(folder.join("dropped")).unwrap();
    std::fs::create_dir_all(folder.join(empty.as_str())).unwrap();
    for file in
        ["dropped/4.arrow", &format!("{empty}/1.arrow"), &format!("{id}/2.arrow"), &format!("{id}/11.stats")]
    {
        std::fs::write(folder.join(file), "half").unwrap();
    }
    let expected: Vec<_> = bench.files(&id).into_iter().filter(|name| name.starts_with("1.")).collect();

    let bench = bench.reopen().await;
    assert_eq!(bench.files(&id), expected);
    assert!(!folder.join("dropped").exists() && !folder.join(empty.as_str()).exists());
    assert_eq!(bench.served("by_region").await, Some((1, 5)));
}

#[tokio::test]
async fn a_refresh_that_a_stop_interrupted_is_repeated() {
    let bench = Bench::new().await;
    let filled = bench.filled("filled", 5).await.id;
    let broken_off = bench.create("broken_off").await.view.id;
    let failed = bench.create("failed").await;
    let error = rowhouse_model::QueryError::new(rowhouse_model::ErrorCode::External, "gone");
    bench.runner.fail(&failed.refresh_query_id.unwrap(), error);
    let ended = bench.create("ended_by_a_shutdown").await;
    let error = rowhouse_model::QueryError::new(rowhouse_model::ErrorCode::ServerRestarted, "ended");
    bench.runner.fail(&ended.refresh_query_id.unwrap(), error);
    let ended = ended.view.id;
    assert!(bench.get(&failed.view.id).await.last_error.is_some());

    let bench = bench.reopen().await;
    bench.views.resume().await;
    let submitted = bench.runner.all().into_iter().map(|submitted| submitted.view).collect();
    assert_eq!(sorted(submitted), sorted(vec![broken_off.clone(), ended.clone()]));
    let change = UpdateMaterializedView { sql: Some("SELECT 1".to_owned()), ..Default::default() };
    bench.change(&filled, change).await.unwrap();

    let bench = bench.reopen().await;
    bench.views.resume().await;
    let submitted = bench.runner.all().into_iter().map(|submitted| submitted.view).collect();
    assert_eq!(sorted(submitted), sorted(vec![broken_off, ended, filled]));
    assert_eq!(bench.served("filled").await, Some((1, 5)), "the rows of the old text, until the new come");
}

fn sorted(mut ids: Vec<ViewId>) -> Vec<ViewId> {
    ids.sort();
    ids
}

#[tokio::test]
async fn a_missing_file_is_reported_and_its_view_refreshed() {
    let bench = Bench::new().await;
    let id = bench.filled("by_region", 5).await.id;
    std::fs::remove_file(bench.folder().join(id.as_str()).join("1.arrow")).unwrap();
    let bench = bench.reopen().await;
    assert_eq!(bench.get(&id).await.last_error.as_deref(), Some("the file of generation 1 is missing"));
    assert_eq!(bench.served("by_region").await, None);
    bench.views.resume().await;
    bench.finish(&bench.runner.last().query.id, 6).await.unwrap();
    assert!(bench.served("by_region").await.is_some_and(|(_, rows)| rows == 6));
}

#[tokio::test]
async fn a_damaged_file_is_reported_and_its_view_refreshed() {
    use std::os::unix::fs::FileExt as _;

    let bench = Bench::new().await;
    let id = bench.filled("by_region", 5).await.id;
    bench.views.replace_damaged().await;
    let submitted = bench.runner.all().len();
    let path = bench.folder().join(id.as_str()).join("1.arrow");
    std::fs::File::options().write(true).open(path).unwrap().write_all_at(b"?", 20).unwrap();
    let generation = bench.read("by_region").await.generation.unwrap();
    assert!(generation.file().batch(0).is_err());
    bench.views.replace_damaged().await;
    assert_eq!(bench.get(&id).await.last_error.as_deref(), Some("the file of generation 1 is damaged"));
    assert_eq!(bench.served("by_region").await, None);
    bench.views.replace_damaged().await;
    assert_eq!(bench.runner.all().len(), submitted + 1, "it is refreshed once");
    bench.finish(&bench.runner.last().query.id, 6).await.unwrap();
    assert_eq!(bench.served("by_region").await, Some((2, 6)));
    assert_eq!(bench.get(&id).await.last_error, None);
}

#[tokio::test]
async fn a_view_whose_stored_definition_is_now_invalid_cannot_be_read() {
    let bench = Bench::new().await;
    let id = bench.filled("by_region", 5).await.id;
    let change = "UPDATE views SET sql = '--Service API: required(\"region\")\nSELECT 1'";
    bench.base.store.write(move |transaction| transaction.execute(change, [])).await.unwrap();
    let bench = bench.reopen().await;
    let snapshot = bench.read("by_region").await;
    assert!(snapshot.generation.is_none());
    assert!(snapshot.not_ready_reason.unwrap().contains("until its definition is changed"));
    let change = UpdateMaterializedView { sql: Some(SQL.to_owned()), ..Default::default() };
    bench.change(&id, change).await.unwrap();
    assert_eq!(bench.served("by_region").await, Some((1, 5)));
}
