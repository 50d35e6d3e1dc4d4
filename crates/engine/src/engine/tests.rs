//! Opening, the first start, and releasing the directory, without a worker that could start.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::QueryStatus;

use super::*;
use crate::id_source::RandomIdSource;
use crate::queries::Submission;
use rowhouse_executor::clock::SystemClock;

async fn open(data_dir: &Path) -> Result<Arc<Engine>> {
    let mut config = EngineConfig::new(data_dir);
    config.worker_program = Some("/nowhere/rowhouse".into());
    Engine::open(config, Arc::new(SystemClock::new()), Arc::new(RandomIdSource)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_start_creates_an_admin_token_until_one_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let engine = open(&data_dir).await.unwrap();
    let first = engine.bootstrap().unwrap();
    assert!(!format!("{first:?}").contains(&first.admin_token));
    let principal = engine.accounts().authenticate(&first.admin_token).unwrap();
    let access = engine.workspaces().access(&principal, &first.workspace_id).unwrap();
    assert_eq!(access.workspace.sql_name, "demo");

    let held = open(&data_dir).await.unwrap_err();
    assert!(held.to_string().contains(&std::process::id().to_string()), "{held}");
    engine.shutdown(Duration::ZERO).await;

    let engine = open(&data_dir).await.unwrap();
    let second = engine.bootstrap().unwrap();
    assert_ne!(first.admin_token, second.admin_token);
    assert_eq!(first.workspace_id, second.workspace_id);
    engine.bootstrap_is_kept().await.unwrap();
    engine.shutdown(Duration::ZERO).await;
    let engine = open(&data_dir).await.unwrap();
    assert!(engine.bootstrap().is_none());
    assert!(engine.accounts().authenticate(&second.admin_token).is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_worker_only_statements_fail() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path()).await.unwrap();
    let bootstrap = engine.bootstrap().unwrap();
    let principal = engine.accounts().authenticate(&bootstrap.admin_token).unwrap();
    let access = engine.workspaces().access(&principal, &bootstrap.workspace_id).unwrap();
    let submission = Submission::new("SELECT 1");
    let query = engine.queries().submit(&access, submission).await.unwrap();
    let ended = engine.queries().wait(&access, &query.id, Duration::from_secs(30)).await.unwrap();
    assert_eq!(ended.status, Some(QueryStatus::Failed));
    assert!(ended.error.unwrap().message.contains("could not start"));
    assert_eq!(engine.service().status("SQL_ENGINE").unwrap().status, rowhouse_model::ServiceState::Error);
}
