//! `rowhouse sql …`: saved SQL, its versions, and statistics of its calls as an endpoint.

use clap::{Args, Subcommand};
use rowhouse_client::WorkspaceClient;
use rowhouse_filters::nearest;
use rowhouse_model::{EndpointCalls, SavedSql, SavedSqlVersion};

use super::connection::WorkspaceFlags;
use super::failure::Failure;
use super::listing::{ListFormat, ListOfWorkspace, Listed, print_all, print_one};

/// Commands for a workspace's saved SQL.
#[derive(Debug, Subcommand)]
pub(super) enum SavedSqlCommand {
    /// List saved SQL, including endpoints
    List(ListOfWorkspace),
    /// List the versions of a saved SQL, newest first
    Versions(OfOne),
    /// Restore a version
    Restore(Restore),
    /// Show statistics of an endpoint's calls in the last 24 hours
    Calls(OfOne),
}

#[derive(Debug, Args)]
pub(super) struct OfOne {
    /// Id, endpoint name or title of the saved SQL
    name: String,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Debug, Args)]
pub(super) struct Restore {
    /// Id, endpoint name or title of the saved SQL
    name: String,
    /// Number of the version
    version: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

impl SavedSqlCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        match self {
            Self::List(ListOfWorkspace { format, workspace }) => {
                print_all(format, &workspace.open().await?.saved_sqls().await?)
            }
            Self::Versions(OfOne { name, format, workspace }) => {
                let workspace = workspace.open().await?;
                let saved = find(&workspace, &name).await?;
                print_all(format, &workspace.saved_sql_versions(&saved.id).await?)
            }
            Self::Restore(Restore { name, version, format, workspace }) => {
                let workspace = workspace.open().await?;
                let saved = find(&workspace, &name).await?;
                print_one(format, &workspace.restore_saved_sql(&saved.id, version).await?)
            }
            Self::Calls(OfOne { name, format, workspace }) => {
                let workspace = workspace.open().await?;
                let saved = find(&workspace, &name).await?;
                print_one(format, &workspace.endpoint_calls(&saved.id).await?)
            }
        }
    }
}

/// By id, by name, or by a title that only one has.
async fn find(workspace: &WorkspaceClient, name: &str) -> Result<SavedSql, Failure> {
    let all = workspace.saved_sqls().await?;
    let is_named = |saved: &&SavedSql| saved.id.as_str() == name || saved.sql_name.as_deref() == Some(name);
    if let Some(saved) = all.iter().find(is_named) {
        return Ok(saved.clone());
    }
    let titled: Vec<&SavedSql> = all.iter().filter(|saved| saved.title == name).collect();
    match titled.as_slice() {
        [saved] => Ok((*saved).clone()),
        [] => {
            let names = all.iter().filter_map(|saved| saved.sql_name.as_deref());
            let names = names.chain(all.iter().map(|saved| saved.title.as_str()));
            let hint = nearest(name, names).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            Err(Failure::Refused(format!("there is no saved SQL '{name}'{hint}")))
        }
        several => Err(Failure::Refused(format!("{} are called '{name}': give an id", several.len()))),
    }
}

impl Listed for SavedSql {
    const HEADERS: &'static [&'static str] = &["id", "endpoint", "title", "statement"];

    fn cells(&self) -> Vec<String> {
        let Self { id, title, description: _, sql, workspace_id: _, account_id: _, sql_name } = self;
        vec![id.to_string(), sql_name.clone().unwrap_or_default(), title.clone(), sql.clone()]
    }
}

impl Listed for SavedSqlVersion {
    const HEADERS: &'static [&'static str] = &["version", "when", "who", "title", "statement"];

    fn cells(&self) -> Vec<String> {
        let Self { version, title, description: _, sql, account_id, username, created_at } = self;
        let who = username.clone().or_else(|| account_id.as_ref().map(ToString::to_string));
        vec![version.to_string(), created_at.to_string(), who.unwrap_or_default(), title.clone(), sql.clone()]
    }
}

impl Listed for EndpointCalls {
    const HEADERS: &'static [&'static str] =
        &["calls", "kept", "unfinished", "failed", "p50 (ms)", "p95 (ms)"];

    fn cells(&self) -> Vec<String> {
        let Self { calls, kept, unfinished, failed, p50_millis, p95_millis } = self;
        let millis = |figure: &Option<f64>| figure.map_or_else(String::new, |millis| millis.to_string());
        let counts = [calls, kept, unfinished, failed].map(ToString::to_string);
        counts.into_iter().chain([millis(p50_millis), millis(p95_millis)]).collect()
    }
}
