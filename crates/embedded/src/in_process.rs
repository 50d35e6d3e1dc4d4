//! Runs statements in threads of this process, for programs that embed the engine and trust their SQL.
//!
//! It does not give the guarantees of a worker process: a memory limit, cancellation by kill, and isolation of panics
//! in Polars. A dropped execution continues to its end; then its file is removed.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{run, tables};
use rowhouse_executor::{BoxFuture, EventSink, Execution, Executor, Statement, TableDescription};
use rowhouse_model::{Column, ErrorCode, QueryError, TableFormat};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// An [`Executor`] without processes. It must be used inside a tokio runtime.
#[derive(Debug)]
pub struct InProcess {
    slots: Arc<Semaphore>,
}

impl InProcess {
    /// Creates an executor that runs `concurrency` statements at a time, at least one; others wait. Polars shares its
    /// threads among them.
    pub fn new(concurrency: usize) -> Self {
        Self { slots: Arc::new(Semaphore::new(concurrency.max(1))) }
    }

    /// Runs a job on a thread for blocking work as soon as there is a slot. The slot is held until the job is done,
    /// even if the future is dropped.
    async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, QueryError> + Send + 'static,
    ) -> Result<T, QueryError> {
        // OK because the semaphore is never closed.
        let slot = Arc::clone(&self.slots).acquire_owned().await.expect("an open semaphore");
        let done = spawn_blocking(move || {
            let _slot = slot;
            job()
        });
        done.await.unwrap_or_else(|_| {
            Err(QueryError::new(ErrorCode::GenericInternalError, "the engine failed at this statement"))
        })
    }
}

impl Executor for InProcess {
    fn execute(
        &self,
        statement: Statement,
        mut events: EventSink,
    ) -> BoxFuture<'_, Result<Execution, QueryError>> {
        let output = Output::new(statement.output.clone());
        let abandoned = Arc::clone(&output.is_abandoned);
        Box::pin(async move {
            let path = statement.output.clone();
            let executed = self.run(move || {
                if abandoned.load(Ordering::Acquire) {
                    return Err(QueryError::new(ErrorCode::UserCanceled, "Query was canceled"));
                }
                let executed = run::execute(&statement, None, &mut |event| events(event));
                if abandoned.load(Ordering::Acquire) {
                    remove(&path);
                }
                executed
            });
            let executed = executed.await;
            output.keep();
            executed
        })
    }

    fn analyze(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<Column>, QueryError>> {
        Box::pin(self.run(move || run::analyze(&statement)))
    }

    fn describe(
        &self,
        location: String,
        format: TableFormat,
    ) -> BoxFuture<'_, Result<TableDescription, QueryError>> {
        Box::pin(self.run(move || tables::describe(&location, format)))
    }

    fn wake(&self) -> BoxFuture<'_, Result<(), QueryError>> {
        Box::pin(async { Ok(()) })
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

/// The output file of an execution; it is removed if the execution is dropped.
struct Output {
    path: PathBuf,
    is_abandoned: Arc<AtomicBool>,
    is_kept: bool,
}

impl Output {
    fn new(path: PathBuf) -> Self {
        Self { path, is_abandoned: Arc::default(), is_kept: false }
    }

    fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.is_kept {
            // The thread checks the flag after its last write, so one of the two removes the file.
            self.is_abandoned.store(true, Ordering::Release);
            remove(&self.path);
        }
    }
}

fn remove(path: &std::path::Path) {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            tracing::warn!(%error, path = %path.display(), "the file of an abandoned statement stays");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rowhouse_executor::CatalogSnapshot;
    use rowhouse_model::{EngineKind, StatementId, StatementParameters, Timestamp};

    fn statement(sql: &str, output: PathBuf) -> Statement {
        Statement {
            id: StatementId::new("20260101_000000_00000_aaaaa"),
            engine: EngineKind::Polars,
            sql: sql.to_owned(),
            parameters: StatementParameters::default(),
            catalog: CatalogSnapshot {
                default_catalog: "rowhouse".to_owned(),
                default_schema: "demo".to_owned(),
                own_schema: "demo".to_owned(),
                other_schemas: Vec::new(),
                queries: Vec::new(),
                session_properties: Vec::new(),
                tables: Vec::new(),
                tpch_dir: None,
            },
            session: rowhouse_executor::StatementSession::default(),
            user: "ada".to_owned(),
            now: Timestamp::from_millis(0),
            output,
            output_limit: None,
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_statement_writes_its_file_and_a_dropped_one_removes_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let executor = InProcess::new(1);
        let output = folder.path().join("result.arrow");
        let sql = "SELECT x * 2 AS y FROM (VALUES (1), (2)) AS t (x)";
        let executed = executor.execute(statement(sql, output.clone()), Box::new(|_| {})).await;
        assert_eq!(executed.expect("executed").row_count, 2);
        assert!(output.exists());

        let dropped = folder.path().join("dropped.arrow");
        let has_ended = {
            let mut execution = executor.execute(statement(sql, dropped.clone()), Box::new(|_| {}));
            let waker = std::task::Waker::noop();
            // The execution has begun and is then dropped, unless it ends on its thread meanwhile.
            execution.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_ready()
        };
        // The only slot is free once the abandoned execution has removed its file.
        let columns = executor.analyze(statement(sql, output)).await.expect("analyzed");
        assert_eq!(columns[0].name, "y");
        assert_eq!(dropped.exists(), has_ended);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn invalid_sql_is_an_error_with_its_location() {
        let folder = tempfile::tempdir().expect("a folder");
        let executed = InProcess::new(1)
            .execute(statement("SELECT z", folder.path().join("x")), Box::new(|_| {}))
            .await
            .expect_err("no such column");
        assert_eq!(executed.code(), Some(ErrorCode::ColumnNotFound));
        assert!(executed.error_location.is_some());
    }
}
