//! Endpoints: saved SQL with a name, whose parameters, cache and limits its comments declare. Everything that a call
//! needs is in memory. `saved_sql` creates endpoints from saved SQL, `queries` runs them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dashmap::DashMap;
use rowhouse_executor::json_size::json_bytes;
use rowhouse_filters::CacheDeclaration;
use rowhouse_model::{
    Column, EndpointCalls, Role, SavedSql, SavedSqlId, StatementParameters, Timestamp, WorkspaceId,
};

use crate::error::{Error, ErrorKind, Result};
use crate::store::tokens::{GrantTarget, StoredGrant};
use crate::store::{self, Store};
use crate::views::RowOrder;
use crate::visibility::Visibility;
use crate::workspaces::Access;

mod arguments;
mod definition;
mod parameter;
mod statistics;
#[cfg(test)]
mod tests;

pub use arguments::{Argument, WrongParameter};
pub(crate) use definition::Definition;
pub use parameter::EndpointParameter;
pub use statistics::CallOutcome;
use statistics::CallStatistics;

/// An immutable snapshot of an endpoint: it does not change during a call.
#[derive(Debug)]
pub struct Endpoint {
    /// Id of its saved SQL.
    pub id: SavedSqlId,
    /// Its workspace.
    pub workspace_id: WorkspaceId,
    /// The name in its path.
    pub sql_name: String,
    /// Title of its saved SQL.
    pub title: String,
    /// Description of its saved SQL.
    pub description: Option<String>,
    /// Columns of its rows at the time when it was saved.
    pub columns: Vec<Column>,
    /// Bytes of the columns as JSON.
    columns_bytes: usize,
    definition: Definition,
    sql: String,
    /// Unique for each definition since the start.
    serial: u64,
    /// Whether its rows may differ by caller.
    is_by_user: bool,
}

impl Endpoint {
    /// Bytes of its text, and of its columns as JSON.
    pub fn definition_bytes(&self) -> usize {
        self.sql.len() + self.columns_bytes
    }

    /// The parameters of a call, in the order of the declarations.
    pub fn parameters(&self) -> &[EndpointParameter] {
        &self.definition.parameters
    }

    /// Maximum number of rows of one answer, if declared.
    pub fn max_rows(&self) -> Option<u64> {
        self.definition.limit.and_then(|limit| limit.rows)
    }

    /// Time limit of one run, if declared.
    pub fn max_run_time(&self) -> Option<Duration> {
        self.definition.limit.and_then(|limit| limit.time)
    }

    /// How long a cached result may answer, if declared.
    pub fn cache(&self) -> Option<CacheDeclaration> {
        self.definition.cache
    }

    /// Positions of the columns that callers may order by.
    pub fn order_columns(&self) -> &[usize] {
        &self.definition.order_columns
    }

    /// Whether consumers may call it.
    pub fn is_shared(&self) -> bool {
        self.definition.is_shared
    }

    /// The key of a call of this definition, unique across definitions.
    pub(crate) fn call_key(
        &self,
        parameters: &StatementParameters,
        order: Option<RowOrder>,
        access: &Access,
    ) -> Option<String> {
        let visibility = Visibility::of_known(access, self.is_by_user).key();
        let order = order.map(|RowOrder { column, is_descending }| (column, is_descending));
        serde_json::to_string(&(self.serial, order, visibility, parameters)).ok()
    }

    /// Its text.
    pub fn sql(&self) -> &str {
        &self.sql
    }
}

/// The proof that a caller may call an endpoint; only [`Endpoints`] creates one.
#[derive(Clone, Debug)]
pub struct EndpointAccess {
    access: Access,
    endpoint: Arc<Endpoint>,
    /// Parameters that the caller's token fixes.
    fixed: StatementParameters,
}

impl EndpointAccess {
    /// The endpoint.
    pub fn endpoint(&self) -> &Arc<Endpoint> {
        &self.endpoint
    }

    /// The parameters that the caller may set: the declared ones that the token does not fix.
    pub fn open_parameters(&self) -> impl Iterator<Item = &EndpointParameter> {
        self.endpoint.parameters().iter().filter(|parameter| self.fixed.get(&parameter.name).is_none())
    }

    /// The caller, whose role may permit nothing else.
    pub(crate) fn access(&self) -> &Access {
        &self.access
    }
}

impl EndpointAccess {
    /// For a caller who may run any statement of the workspace, without fixed values.
    pub(crate) fn of_analyst(access: Access, endpoint: Arc<Endpoint>) -> Self {
        Self { access, endpoint, fixed: StatementParameters::default() }
    }
}

/// All endpoints of all workspaces. Changed only after a commit, in the order of the commits.
#[derive(Default)]
pub struct Endpoints {
    by_workspace: DashMap<WorkspaceId, BTreeMap<String, Arc<Endpoint>>>,
    names: DashMap<SavedSqlId, (WorkspaceId, String)>,
    serials: AtomicU64,
    calls: DashMap<SavedSqlId, CallStatistics>,
}

impl Endpoints {
    /// Loads the endpoints from the store. Blocking.
    pub(crate) fn open(store: &Store) -> Result<Self> {
        let endpoints = Self::default();
        for hour in store.read(store::endpoint_calls::load)? {
            endpoints.calls.entry(hour.saved_sql_id.clone()).or_default().push_stored(hour);
        }
        for (saved_sql, columns) in store.read(store::saved_sql::load_endpoints)? {
            match Definition::of(&saved_sql.sql).and_then(|definition| definition.with_columns(&columns)) {
                Ok(definition) => endpoints.hold(saved_sql, columns, definition),
                // An endpoint that this version cannot parse is not served: a limit might not be enforced.
                Err(error) => {
                    tracing::error!(saved_sql = saved_sql.id.as_str(), %error, "an endpoint is not served");
                }
            }
        }
        Ok(endpoints)
    }

    /// An endpoint that the caller may call: ANALYST and above, and consumers if it is shared.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], also for a consumer if it is not shared.
    pub fn find(&self, access: &Access, sql_name: &str) -> Result<EndpointAccess> {
        let found = self.by_workspace.get(&access.workspace.id).and_then(|of| of.get(sql_name).cloned());
        let endpoint = found.filter(|endpoint| is_open_to(access, endpoint));
        let endpoint = endpoint.ok_or_else(|| no_endpoint(sql_name))?;
        let fixed = fixed_by(access, &endpoint).ok_or_else(|| no_endpoint(sql_name))?;
        Ok(EndpointAccess { access: access.clone(), endpoint, fixed })
    }

    /// The endpoints that a caller may call, by name.
    pub fn list(&self, access: &Access) -> Vec<Arc<Endpoint>> {
        self.entered(access).into_iter().map(|entered| entered.endpoint).collect()
    }

    /// The same, each with the proof that the caller may call it.
    pub fn entered(&self, access: &Access) -> Vec<EndpointAccess> {
        let Some(of_workspace) = self.by_workspace.get(&access.workspace.id) else { return Vec::new() };
        let open = of_workspace.values().filter(|endpoint| is_open_to(access, endpoint));
        let entered = open.filter_map(|endpoint| {
            let fixed = fixed_by(access, endpoint)?;
            Some(EndpointAccess { access: access.clone(), endpoint: Arc::clone(endpoint), fixed })
        });
        entered.collect()
    }

    /// A workspace's endpoints to call after refreshes, except those whose rows differ by caller.
    pub(crate) fn warm(&self, workspace_id: &WorkspaceId) -> Vec<Arc<Endpoint>> {
        let Some(of_workspace) = self.by_workspace.get(workspace_id) else { return Vec::new() };
        let is_warm = |endpoint: &&Arc<Endpoint>| {
            endpoint.cache().is_some_and(|cache| cache.is_warm) && !endpoint.is_by_user
        };
        of_workspace.values().filter(is_warm).cloned().collect()
    }

    /// Records a call and its duration.
    pub fn note_call(
        &self,
        entered: &EndpointAccess,
        outcome: CallOutcome,
        duration: Duration,
        now: Timestamp,
    ) {
        let id = &entered.endpoint.id;
        match self.calls.get_mut(id) {
            Some(mut calls) => calls.note(outcome, duration, now),
            None => self.calls.entry(id.clone()).or_default().note(outcome, duration, now),
        }
    }

    /// Writes the statistics of calls that have changed since it last did.
    pub(crate) async fn store_call_statistics(&self, store: &Store, now: Timestamp) -> Result<()> {
        let mut changed = Vec::new();
        for mut calls in self.calls.iter_mut() {
            let (id, calls) = calls.pair_mut();
            calls.take_changed(id, &mut changed);
        }
        if changed.is_empty() {
            return Ok(());
        }
        let (hours, oldest) = (changed.clone(), statistics::oldest_hour(now));
        let written = store.write(move |transaction| store::endpoint_calls::set(transaction, &hours, oldest));
        written.await.inspect_err(|_| {
            for hour in &changed {
                if let Some(mut calls) = self.calls.get_mut(&hour.saved_sql_id) {
                    calls.give_back(hour.hour);
                }
            }
        })
    }

    /// Statistics of the calls of a saved SQL in the last 24 hours.
    pub(crate) fn calls(&self, id: &SavedSqlId, now: Timestamp) -> EndpointCalls {
        self.calls.get(id).map(|calls| calls.last_day(now)).unwrap_or_default()
    }

    /// Removes a saved SQL with its statistics.
    pub(crate) fn remove(&self, id: &SavedSqlId) {
        self.forget(id);
        self.calls.remove(id);
    }

    /// Adds or replaces the endpoint of a committed saved SQL with a name.
    pub(crate) fn hold(&self, saved_sql: SavedSql, columns: Vec<Column>, definition: Definition) {
        self.forget(&saved_sql.id);
        let SavedSql { id, title, description, sql, workspace_id, account_id: _, sql_name } = saved_sql;
        let Some(sql_name) = sql_name else { return };
        self.names.insert(id.clone(), (workspace_id.clone(), sql_name.clone()));
        let endpoint = Endpoint {
            id,
            workspace_id: workspace_id.clone(),
            sql_name: sql_name.clone(),
            title,
            description,
            columns_bytes: json_bytes(&columns),
            columns,
            definition,
            is_by_user: Visibility::is_own(&sql),
            sql,
            serial: self.serials.fetch_add(1, Ordering::Relaxed),
        };
        self.by_workspace.entry(workspace_id).or_default().insert(sql_name, Arc::new(endpoint));
    }

    /// Removes an endpoint whose saved SQL lost its name or was deleted.
    pub(crate) fn forget(&self, id: &SavedSqlId) {
        let Some((_, (workspace_id, name))) = self.names.remove(id) else { return };
        if let Some(mut of_workspace) = self.by_workspace.get_mut(&workspace_id) {
            of_workspace.remove(&name);
        }
    }
}

fn no_endpoint(sql_name: &str) -> Error {
    let name = rowhouse_model::excerpt(sql_name);
    Error::new(ErrorKind::NotFound, format!("the workspace has no endpoint '{name}' for this caller"))
}

/// The parameters that a caller's token fixes; none if it is narrowed to other things.
fn fixed_by(access: &Access, endpoint: &Endpoint) -> Option<StatementParameters> {
    let Some(grants) = &access.principal.grants else { return Some(StatementParameters::default()) };
    let is_meant = |stored: &&StoredGrant| {
        stored.grant.workspace_id == endpoint.workspace_id
            && stored.target == GrantTarget::Endpoint(endpoint.id.clone())
    };
    grants.iter().find(is_meant).map(|stored| stored.grant.parameters.clone())
}

fn is_open_to(access: &Access, endpoint: &Endpoint) -> bool {
    access.role >= Role::Analyst || endpoint.is_shared()
}

impl fmt::Debug for Endpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoints").field("endpoints", &self.names.len()).finish_non_exhaustive()
    }
}
