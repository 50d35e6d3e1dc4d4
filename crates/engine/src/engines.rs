//! The executors of one server behind one: worker processes for workspaces of the embedded engine, clusters for the
//! others. `SQL_ENGINE` (D21) is the worker processes; a cluster is another's service and is neither woken nor put to
//! rest here.

use std::panic::catch_unwind;
use std::sync::Arc;

use rowhouse_model::{Catalog, ClusterStatus, Column, EngineKind, ErrorCode, QueryError, TableFormat};

use crate::constant_rows::constant_rows;
use crate::pool::Pool;
use rowhouse_executor::{
    BoxFuture, CatalogPlace, ConstantRows, EventSink, Execution, Executor, Statement, TableDescription,
    WorkerCounts,
};
use rowhouse_trino::TrinoExecutor;

/// All executors.
#[derive(Debug)]
pub(crate) struct Engines {
    /// None in a build without the embedded engine.
    pool: Option<Pool>,
    trino: Arc<TrinoExecutor>,
}

impl Engines {
    pub(crate) fn new(pool: Option<Pool>, trino: Arc<TrinoExecutor>) -> Self {
        Self { pool, trino }
    }

    fn pool(&self) -> Result<&Pool, QueryError> {
        self.pool.as_ref().ok_or_else(|| {
            let message =
                "this server was built without the embedded engine; use a workspace on a Trino cluster";
            QueryError::new(ErrorCode::NotSupported, message)
        })
    }
}

impl Executor for Engines {
    fn execute(
        &self,
        statement: Statement,
        events: EventSink,
    ) -> BoxFuture<'_, Result<Execution, QueryError>> {
        if statement.engine.is_trino() {
            return self.trino.execute(statement, events);
        }
        Box::pin(async move { self.pool()?.execute(statement, events).await })
    }

    fn constant_rows(&self, engine: &EngineKind, text: &str) -> Option<ConstantRows> {
        // A cluster answers its own statements, whatever they are.
        if engine.is_trino() || self.pool.is_none() {
            return None;
        }
        // OK because nothing outlives the call; a worker meets the same fault, and reports it.
        catch_unwind(|| constant_rows(text)).ok().flatten()
    }

    fn analyze(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<Column>, QueryError>> {
        if statement.engine.is_trino() {
            return self.trino.analyze(statement);
        }
        Box::pin(async move { self.pool()?.analyze(statement).await })
    }

    fn describe(
        &self,
        location: String,
        format: TableFormat,
    ) -> BoxFuture<'_, Result<TableDescription, QueryError>> {
        Box::pin(async move { self.pool()?.describe(location, format).await })
    }

    fn wake(&self) -> BoxFuture<'_, Result<(), QueryError>> {
        match &self.pool {
            Some(pool) => pool.wake(),
            None => Box::pin(async { Ok(()) }),
        }
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            if let Some(pool) = &self.pool {
                pool.rest().await;
            }
            self.trino.settle().await;
        })
    }

    fn workers(&self) -> WorkerCounts {
        self.pool.as_ref().map(Executor::workers).unwrap_or_default()
    }

    fn has(&self, engine: &EngineKind) -> bool {
        if engine.is_trino() { self.trino.has(engine) } else { self.pool.is_some() }
    }

    fn is_read_only(&self, engine: &EngineKind) -> bool {
        !engine.is_trino() || self.trino.is_read_only(engine)
    }

    fn names(
        &self,
        engine: &EngineKind,
        place: CatalogPlace,
        user: &str,
    ) -> BoxFuture<'_, Result<Catalog, QueryError>> {
        self.trino.names(engine, place, user)
    }

    fn clusters(&self) -> Vec<ClusterStatus> {
        self.trino.status()
    }
}
