//! An executor and a runner of refreshes with scripted outcomes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use arrow_array::{Int64Array, LargeStringArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use rowhouse_model::{Column, Query, QueryError, QueryId, QueryStatus, Source, TableFormat, ViewId};
use tokio::sync::watch;

use crate::error::{Error, ErrorKind, Result};
use crate::views::{RefreshRunner, RefreshedRows, ViewState};
use crate::workspaces::Access;
use rowhouse_executor::{BoxFuture, EventSink, Execution, Executor, Statement, TableDescription};
use rowhouse_rows::arrow_file::ArrowFileWriter;

pub(super) fn columns() -> Vec<Column> {
    vec![Column::new("region", "varchar"), Column::new("amount", "bigint")]
}

/// A result file as an executor writes it.
pub(super) fn write_rows(file: PathBuf, row_count: usize) -> RefreshedRows {
    let fields =
        vec![Field::new("region", DataType::LargeUtf8, true), Field::new("amount", DataType::Int64, true)];
    let schema = Arc::new(Schema::new(fields));
    let regions: LargeStringArray = (0..row_count).map(|row| Some(format!("region{}", row % 3))).collect();
    let amounts: Int64Array = (0..row_count).map(|row| i64::try_from(row).ok()).collect();
    let batch =
        RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(regions), Arc::new(amounts)]).unwrap();
    let mut writer = ArrowFileWriter::create(&file, schema).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    RefreshedRows { file, columns: columns(), row_count: row_count as u64 }
}

/// Analyzes as scripted; by default every statement has the columns of [`columns`].
#[derive(Debug, Default)]
pub(super) struct FakeExecutor {
    pub(super) analysis: Mutex<Option<Result<Vec<Column>, QueryError>>>,
    /// The statements that were analyzed, with their catalogs.
    pub(super) analyzed: Mutex<Vec<Statement>>,
}

impl Executor for FakeExecutor {
    fn execute(&self, _: Statement, _: EventSink) -> BoxFuture<'_, Result<Execution, QueryError>> {
        unreachable!("views do not execute")
    }

    fn analyze(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<Column>, QueryError>> {
        self.analyzed.lock().unwrap().push(statement);
        let planned = self.analysis.lock().unwrap().clone().unwrap_or_else(|| Ok(columns()));
        Box::pin(async move { planned })
    }

    fn describe(&self, _: String, _: TableFormat) -> BoxFuture<'_, Result<TableDescription, QueryError>> {
        Box::pin(async { Ok(TableDescription { columns: columns(), row_count: Some(1) }) })
    }

    fn wake(&self) -> BoxFuture<'_, Result<(), QueryError>> {
        Box::pin(async { Ok(()) })
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

/// Holds submissions until the test ends them.
#[derive(Debug, Default)]
pub(super) struct FakeRunner {
    submitted: Mutex<Vec<Submitted>>,
    /// The error of the next submissions.
    pub(super) refusal: Mutex<Option<ErrorKind>>,
}

#[derive(Clone, Debug)]
pub(super) struct Submitted {
    pub(super) query: Query,
    pub(super) view: ViewId,
    pub(super) sql: String,
    pub(super) source: Source,
    pub(super) is_canceled: bool,
    end: watch::Sender<Option<Result<RefreshedRows, QueryError>>>,
}

impl FakeRunner {
    pub(super) fn all(&self) -> Vec<Submitted> {
        self.submitted.lock().unwrap().clone()
    }

    pub(super) fn last(&self) -> Submitted {
        self.all().pop().expect("something was submitted")
    }

    /// Like `queries`: the rows are passed on before the record turns final.
    pub(super) async fn finish(
        &self,
        state: &Arc<ViewState>,
        id: &QueryId,
        rows: RefreshedRows,
    ) -> Result<(), QueryError> {
        let view = self.change(id, |submitted| submitted.view.clone());
        let kept = state.refreshed(&view, id, rows.clone()).await;
        self.end(id, kept.clone().map(|()| rows));
        kept
    }

    pub(super) fn fail(&self, id: &QueryId, error: QueryError) {
        self.end(id, Err(error));
    }

    fn end(&self, id: &QueryId, end: Result<RefreshedRows, QueryError>) {
        self.change(id, |submitted| {
            let status = if end.is_ok() { QueryStatus::Finished } else { QueryStatus::Failed };
            submitted.query.status = Some(status);
            submitted.end.send_replace(Some(end));
        });
    }

    fn change<T>(&self, id: &QueryId, change: impl FnOnce(&mut Submitted) -> T) -> T {
        let mut submitted = self.submitted.lock().unwrap();
        change(submitted.iter_mut().find(|submitted| submitted.query.id == *id).expect("a known query"))
    }
}

impl RefreshRunner for FakeRunner {
    fn submit<'a>(
        &'a self,
        access: &'a Access,
        view: &'a ViewId,
        sql: String,
        source: Source,
    ) -> BoxFuture<'a, Result<Query>> {
        Box::pin(async move {
            if let Some(kind) = *self.refusal.lock().unwrap() {
                return Err(Error::new(kind, "planned refusal"));
            }
            let mut submitted = self.submitted.lock().unwrap();
            let query = serde_json::json!({
                "id": format!("query{}", submitted.len()),
                "statementId": null,
                "workspaceId": access.workspace.id,
                "status": "RUNNING",
            });
            let query: Query = serde_json::from_value(query).unwrap();
            let (end, _) = watch::channel(None);
            let (kept, view) = (query.clone(), view.clone());
            submitted.push(Submitted { query: kept, view, sql, source, is_canceled: false, end });
            Ok(query)
        })
    }

    fn completion<'a>(
        &'a self,
        _: &'a Access,
        id: &'a QueryId,
    ) -> BoxFuture<'a, Result<RefreshedRows, QueryError>> {
        let mut end = self.change(id, |submitted| submitted.end.subscribe());
        Box::pin(async move { end.wait_for(Option::is_some).await.unwrap().clone().unwrap() })
    }

    fn get<'a>(&'a self, _: &'a Access, id: &'a QueryId) -> BoxFuture<'a, Result<Query>> {
        let query = self.change(id, |submitted| submitted.query.clone());
        Box::pin(async move { Ok(query) })
    }

    fn cancel<'a>(&'a self, access: &'a Access, id: &'a QueryId) -> BoxFuture<'a, Result<Query>> {
        self.change(id, |submitted| submitted.is_canceled = true);
        self.get(access, id)
    }
}
