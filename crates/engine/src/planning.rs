//! Plans statements of definitions to find their output columns.

use std::path::PathBuf;
use std::sync::Arc;

use rowhouse_executor::clock::Clock;
use rowhouse_executor::{BoxFuture, CatalogDetail, Executor, Statement, StatementSession};
use rowhouse_model::{Column, QueryError, StatementId, StatementParameters};

use crate::error::Result;
use crate::id_source::IdSource;
use crate::tables::Tables;
use crate::workspaces::Access;

/// Plans statements without running them.
pub(crate) trait Planner: Send + Sync {
    /// The columns that a statement would return. Waits for its turn; dropping the future leaves the queue.
    fn columns<'a>(
        &'a self,
        access: &'a Access,
        sql: &'a str,
        parameters: StatementParameters,
    ) -> BoxFuture<'a, Result<Result<Vec<Column>, QueryError>>>;
}

/// The planner of the engine.
pub(crate) struct Planning {
    pub(crate) tables: Arc<Tables>,
    pub(crate) executor: Arc<dyn Executor>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
}

impl Planner for Planning {
    fn columns<'a>(
        &'a self,
        access: &'a Access,
        sql: &'a str,
        parameters: StatementParameters,
    ) -> BoxFuture<'a, Result<Result<Vec<Column>, QueryError>>> {
        Box::pin(async move {
            let session = StatementSession::default();
            let detail = CatalogDetail::of(sql, session.default_names());
            let lease = self.tables.snapshot(access, &[], &detail).await;
            let statement = Statement {
                id: StatementId::new(self.ids.new_id()),
                engine: access.workspace.engine.clone(),
                sql: sql.to_owned(),
                parameters,
                catalog: lease.snapshot().clone(),
                session,
                user: access.principal.account.username.clone(),
                now: self.clock.now(),
                output: PathBuf::new(),
                output_limit: None,
            };
            let turn = match access.workspace.engine.is_trino() {
                // A cluster has a queue of its own.
                true => None,
                false => Some(self.tables.planning_queue.turn(&access.workspace.id).await?),
            };
            let planned = self.executor.analyze(statement).await;
            drop(turn);
            Ok(planned)
        })
    }
}
