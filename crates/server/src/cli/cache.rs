//! `rowhouse cache …`: the results that may answer later statements.

use clap::{Args, Subcommand};
use rowhouse_client::CacheScope;
use rowhouse_model::{CachedResult, QueryId};

use super::connection::WorkspaceFlags;
use super::failure::Failure;
use super::listing::{ListFormat, Listed, print_all, print_text};

/// Commands for a workspace's cached results.
#[derive(Debug, Subcommand)]
pub(super) enum CacheCommand {
    /// List cached results, which may answer later statements
    List(List),
    /// Purge cached results; query records keep their results
    Purge(Purge),
}

#[derive(Debug, Args)]
pub(super) struct List {
    /// Only results computed from this table or view
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// Maximum number of results
    #[arg(long, value_name = "RESULTS")]
    limit: Option<u64>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Debug, Args)]
pub(super) struct Purge {
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Scope {
    /// Only the result of the statement of this query
    #[arg(long, value_name = "ID")]
    query: Option<String>,
    /// Only results computed from this table or view
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// All results of the workspace (owners)
    #[arg(long)]
    all: bool,
}

impl CacheCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        match self {
            Self::List(List { table, limit, format, workspace }) => {
                let scope = table.map_or(CacheScope::Workspace, CacheScope::Table);
                let listed = workspace.open().await?.cached_results(&scope, limit).await?;
                print_all(format, &listed.result)
            }
            Self::Purge(Purge { scope, workspace }) => {
                let Scope { query, table, all: _ } = scope;
                let query = query.map(|id| CacheScope::Statement(QueryId::new(id)));
                let scope = query.or(table.map(CacheScope::Table)).unwrap_or(CacheScope::Workspace);
                let purged = workspace.open().await?.purge_cache(&scope).await?;
                let results = if purged == 1 { "result" } else { "results" };
                print_text(&format!("{purged} {results}\n"))
            }
        }
    }
}

impl Listed for CachedResult {
    const HEADERS: &'static [&'static str] = &["query", "age (s)", "rows", "made from", "statement"];

    fn cells(&self) -> Vec<String> {
        let Self { query_id, sql, created_at: _, age_seconds, row_count, tables, volatile } = self;
        let from = match (volatile, tables) {
            (Some(volatile), _) => volatile.clone(),
            (None, Some(tables)) => tables.join(", "),
            (None, None) => "?".to_owned(),
        };
        let sql = sql.clone().unwrap_or_default();
        vec![query_id.to_string(), age_seconds.to_string(), row_count.to_string(), from, sql]
    }
}
