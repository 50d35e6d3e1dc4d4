//! `rowhouse view …`: definitions and refreshes. Rows are read over HTTP, or with `rowhouse query`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use rowhouse_client::WorkspaceClient;
use rowhouse_filters::nearest;
use rowhouse_model::{CreateMaterializedView, MaterializedView, QueryId, ViewGeneration};

use super::connection::WorkspaceFlags;
use super::execution::{Interrupts, finish};
use super::failure::Failure;
use super::listing::{ListFormat, ListOfWorkspace, Listed, print_all, print_one};
use super::statement::statement_text;

/// Commands for a workspace's materialized views.
#[derive(Debug, Subcommand)]
pub(super) enum ViewCommand {
    /// Create a view and refresh it
    Create(Create),
    /// List views
    List(ListOfWorkspace),
    /// Refresh a view
    Refresh(Refresh),
    /// List the latest generations of a view: the rows, time and query of each
    Generations(Generations),
    /// Drop a view and its rows
    Drop(Drop),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// Name in SQL and in URLs: a-z, 0-9 and _
    name: String,
    /// SQL statement of the view; `-- Service API: required("column:eq")` requires a filter
    // SQL may begin with a comment, `-- …`.
    #[arg(value_name = "SQL", conflicts_with = "file", allow_hyphen_values = true)]
    sql: Option<String>,
    /// File with the statement; - is standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Displayed title
    #[arg(long)]
    title: Option<String>,
    /// Description
    #[arg(long)]
    description: Option<String>,
    /// Schedule of refreshes: a cron expression of five fields, or "@every 10m"
    #[arg(long)]
    schedule: Option<String>,
    /// Do not wait for the refresh
    #[arg(long)]
    no_wait: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Debug, Args)]
pub(super) struct Refresh {
    /// Name or id of the view
    name: String,
    /// Do not wait for the refresh
    #[arg(long)]
    no_wait: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Debug, Args)]
pub(super) struct Generations {
    /// Name or id of the view
    name: String,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Debug, Args)]
pub(super) struct Drop {
    /// Name or id of the view
    name: String,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

impl ViewCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Create(command) => command.run().await,
            Self::List(ListOfWorkspace { format, workspace }) => {
                print_all(format, &workspace.open().await?.materialized_views().await?)
            }
            Self::Refresh(command) => command.run().await,
            Self::Generations(Generations { name, format, workspace }) => {
                let workspace = workspace.open().await?;
                let view = find(&workspace, &name).await?;
                print_all(format, &workspace.view_generations(&view.id).await?)
            }
            Self::Drop(Drop { name, workspace }) => {
                let workspace = workspace.open().await?;
                let view = find(&workspace, &name).await?;
                workspace.drop_materialized_view(&view.id).await?;
                Ok(())
            }
        }
    }
}

impl Create {
    async fn run(self) -> Result<(), Failure> {
        let sql = statement_text(self.sql, self.file.as_deref())?;
        let workspace = self.workspace.open().await?;
        let definition = CreateMaterializedView {
            workspace_id: workspace.id().clone(),
            sql_name: self.name,
            sql,
            title: self.title,
            description: self.description,
            schedule: self.schedule,
        };
        let mut interrupts = Interrupts::listen()?;
        let created = workspace
            .create_materialized_view(&definition)
            .await
            .map_err(|error| Failure::of_request(error, &definition.sql))?;
        let refresh = created.refresh_query_id.filter(|_| !self.no_wait);
        let view = filled(&workspace, created.view, refresh, &mut interrupts).await?;
        print_one(self.format, &view)
    }
}

impl Refresh {
    async fn run(self) -> Result<(), Failure> {
        let workspace = self.workspace.open().await?;
        let view = find(&workspace, &self.name).await?;
        let mut interrupts = Interrupts::listen()?;
        let query = workspace.refresh_materialized_view(&view.id).await?;
        let view = filled(&workspace, view, (!self.no_wait).then_some(query.id), &mut interrupts).await?;
        print_one(self.format, &view)
    }
}

/// Waits for the refresh, if there is one, and returns the view after it.
async fn filled(
    workspace: &WorkspaceClient,
    view: MaterializedView,
    refresh: Option<QueryId>,
    interrupts: &mut Interrupts,
) -> Result<MaterializedView, Failure> {
    let Some(query_id) = refresh else { return Ok(view) };
    let query = workspace.query(&query_id).await?;
    finish(workspace, query, &view.sql, interrupts).await?;
    Ok(workspace.materialized_view(&view.id).await?)
}

async fn find(workspace: &WorkspaceClient, name: &str) -> Result<MaterializedView, Failure> {
    let mut views = workspace.materialized_views().await?;
    match views.iter().position(|view| view.sql_name == name || view.id.as_str() == name) {
        Some(index) => Ok(views.swap_remove(index)),
        None => {
            let names = views.iter().map(|view| view.sql_name.as_str());
            let hint = nearest(name, names).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            Err(Failure::Refused(format!("there is no materialized view '{name}' in the workspace{hint}")))
        }
    }
}

impl Listed for MaterializedView {
    const HEADERS: &'static [&'static str] =
        &["name", "rows", "refreshed", "required filters", "schedule", "last error", "id"];

    fn cells(&self) -> Vec<String> {
        let text = |value: Option<String>| value.unwrap_or_default();
        vec![
            self.sql_name.clone(),
            text(self.row_count.map(|count| count.to_string())),
            text(self.refreshed_at.map(|at| at.to_string())),
            self.required_filters.join(", "),
            text(self.schedule.clone()),
            text(self.last_error.clone()),
            self.id.to_string(),
        ]
    }
}

impl Listed for ViewGeneration {
    const HEADERS: &'static [&'static str] = &["generation", "rows", "made", "query"];

    fn cells(&self) -> Vec<String> {
        let Self { generation, refreshed_at, row_count, query_id } = self;
        let query_id = query_id.as_ref().map_or_else(String::new, ToString::to_string);
        vec![generation.to_string(), row_count.to_string(), refreshed_at.to_string(), query_id]
    }
}
