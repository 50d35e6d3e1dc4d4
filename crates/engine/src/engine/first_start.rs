//! The initial contents of an empty data directory: an admin with a token, the workspace `demo`, and a view in it with
//! a required filter.

use std::fmt;
use std::time::Duration;

use rowhouse_model::{CreateMaterializedView, CreateWorkspace, WorkspaceId};

use super::Engine;
use crate::accounts::Principal;
use crate::error::{ErrorKind, Result};
use crate::store::{Store, settings};

/// Key of the store's settings, set once the first token is stored.
const DONE_SETTING: &str = "first_start.done";
/// SQL name of the first workspace.
const WORKSPACE: &str = "demo";
/// SQL name of its view.
const VIEW: &str = "orders_by_customer";
/// Its statement.
const VIEW_SQL: &str = "-- Service API: required(\"o_custkey:eq\")
SELECT o_orderkey, o_custkey, o_orderstatus, o_totalprice, o_orderdate, o_orderpriority
FROM tpch.tiny.orders
ORDER BY o_custkey, o_orderdate";
/// A filter that meets the view's requirement, and matches rows.
const VIEW_FILTER: &str = "o_custkey:EQ:370";
/// Maximum wait for the view's first rows, which need the sample tables.
const VIEW_TIMEOUT: Duration = Duration::from_secs(60);

/// The objects that the first start created.
#[derive(Clone)]
pub struct Bootstrap {
    /// The admin's token; it does not expire (D27).
    pub admin_token: String,
    /// Id of the workspace `demo`.
    pub workspace_id: WorkspaceId,
    /// Its SQL name.
    pub workspace_sql_name: String,
    /// Whether it has the sample catalog and the view; a workspace on a Trino cluster has neither.
    pub has_sample: bool,
    /// SQL name of its view.
    pub view_sql_name: String,
    /// A `filters` value that the view accepts and that matches rows.
    pub view_filter: String,
}

/// Creates what is missing, until a start has stored the token; later starts find the key in the settings and do
/// nothing.
pub(super) async fn run(engine: &Engine) -> Result<Option<Bootstrap>> {
    let done = engine.store.read_async(|connection| settings::get(connection, DONE_SETTING)).await?;
    if done.is_some() {
        return Ok(None);
    }
    let (admin, token) = engine.accounts.bootstrap().await?;
    let request = CreateWorkspace { title: "Demo".to_owned(), sql_name: WORKSPACE.to_owned(), engine: None };
    match engine.workspaces.create(&admin, request).await {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let workspace = engine.workspaces.access_by_sql_name(&admin, WORKSPACE)?.workspace;
    // A cluster has catalogs of its own: no table is known for a demo view.
    let has_sample = !workspace.engine.is_trino();
    // A server works without its demo view.
    if has_sample && let Err(error) = create_view(engine, &admin).await {
        tracing::warn!(%error, "the demo view was not made");
    }
    Ok(Some(Bootstrap {
        admin_token: token.token,
        workspace_id: workspace.id.clone(),
        workspace_sql_name: WORKSPACE.to_owned(),
        has_sample,
        view_sql_name: VIEW.to_owned(),
        view_filter: VIEW_FILTER.to_owned(),
    }))
}

/// Records that the token is stored.
pub(super) async fn keep(store: &Store) -> Result<()> {
    store.write(|transaction| settings::set(transaction, DONE_SETTING, "true")).await
}

async fn create_view(engine: &Engine, admin: &Principal) -> Result<()> {
    let access = engine.workspaces.access_by_sql_name(admin, WORKSPACE)?;
    let request = CreateMaterializedView {
        workspace_id: access.workspace.id.clone(),
        sql_name: VIEW.to_owned(),
        sql: VIEW_SQL.to_owned(),
        title: Some("Orders of a customer".to_owned()),
        description: Some("Orders of the sample data; a reader must name the customer.".to_owned()),
        schedule: None,
    };
    let created = match engine.views.create(&access, request).await {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
        created => created?,
    };
    if let Some(refresh) = created.refresh_query_id {
        let refreshed = engine.queries.wait(&access, &refresh, VIEW_TIMEOUT).await?;
        if let Some(error) = refreshed.error {
            return Err(error.into());
        }
    }
    Ok(())
}

impl fmt::Debug for Bootstrap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { admin_token: _, workspace_id, workspace_sql_name, has_sample, view_sql_name, view_filter } =
            self;
        f.debug_struct("Bootstrap")
            .field("workspace_id", workspace_id)
            .field("workspace_sql_name", workspace_sql_name)
            .field("has_sample", has_sample)
            .field("view_sql_name", view_sql_name)
            .field("view_filter", view_filter)
            .finish_non_exhaustive()
    }
}
