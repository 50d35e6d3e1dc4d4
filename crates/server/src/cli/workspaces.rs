//! `rowhouse workspace …`

use clap::{Args, Subcommand, ValueEnum};
use rowhouse_model::{
    Account, CacheCheck, CreateWorkspace, EngineKind, LimitSettings, Role, SetMember, Workspace,
    WorkspaceLimits, WorkspaceUsage,
};

use super::connection::{ConnectionFlags, WorkspaceFlags};
use super::failure::Failure;
use super::listing::{ListFormat, ListOfServer, Listed, print_all, print_one};

/// Commands for workspaces.
#[derive(Debug, Subcommand)]
pub(super) enum WorkspaceCommand {
    /// Create a workspace (admins)
    Create(Create),
    /// List the workspaces in which you have a role
    List(ListOfServer),
    /// Set or remove an account's role in a workspace (owners)
    Member(SetRole),
    /// Set the limits of a workspace; limits that are not given are reset (admins)
    Limits(SetLimits),
    /// Show a workspace's usage and limits
    Usage(ShowUsage),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// Name in SQL and in URLs: a-z, 0-9 and _
    sql_name: String,
    /// Displayed title [default: the name]
    #[arg(long)]
    title: Option<String>,
    /// Engine of its statements: polars, trino or trino:NAME [default: the server's]
    #[arg(long)]
    engine: Option<EngineKind>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    connection: ConnectionFlags,
}

#[derive(Debug, Args)]
pub(super) struct SetRole {
    /// User name or id of the account
    account: String,
    /// Role in the workspace
    #[arg(value_enum)]
    role: MemberRole,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

/// A limit that is not given is that of the server's configuration; 0 is no limit
#[derive(Debug, Args)]
pub(super) struct SetLimits {
    /// Maximum number of running statements
    #[arg(long, value_name = "COUNT")]
    concurrency: Option<u64>,
    /// Maximum number of queued statements
    #[arg(long, value_name = "COUNT")]
    queued_statements: Option<u64>,
    /// Maximum number of requests per second of one token
    #[arg(long, value_name = "COUNT")]
    requests_per_second: Option<u64>,
    /// Maximum size of one result
    #[arg(long, value_name = "BYTES")]
    result_bytes: Option<u64>,
    /// Maximum size of all stored results
    #[arg(long, value_name = "BYTES")]
    disk_bytes: Option<u64>,
    /// Maximum memory of all running statements
    #[arg(long, value_name = "BYTES")]
    memory_bytes: Option<u64>,
    /// Use a cached result only while its source tables are unchanged, unless a statement sets this itself
    #[arg(long)]
    cache_check_sources: bool,
    /// Use a cached result by its age, unless a statement sets this itself
    #[arg(long, conflicts_with = "cache_check_sources")]
    cache_check_age: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Debug, Args)]
pub(super) struct ShowUsage {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MemberRole {
    /// Manages members, and what analysts do
    Owner,
    /// Runs and saves SQL, creates views, and what consumers do
    Analyst,
    /// Reads views and calls endpoints
    Consumer,
    /// No role: the account cannot access the workspace
    None,
}

impl WorkspaceCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Create(command) => command.run().await,
            Self::List(ListOfServer { format, connection }) => {
                print_all(format, &connection.client()?.workspaces().await?)
            }
            Self::Member(command) => command.run().await,
            Self::Limits(command) => command.run().await,
            Self::Usage(ShowUsage { format, workspace }) => {
                print_one(format, &workspace.open().await?.usage().await?)
            }
        }
    }
}

impl Create {
    async fn run(self) -> Result<(), Failure> {
        let body = CreateWorkspace {
            title: self.title.unwrap_or_else(|| self.sql_name.clone()),
            sql_name: self.sql_name,
            engine: self.engine,
        };
        let workspace = self.connection.client()?.create_workspace(&body).await?;
        print_one(self.format, &workspace)
    }
}

impl SetRole {
    async fn run(self) -> Result<(), Failure> {
        let workspace = self.workspace.open().await?;
        let accounts = workspace.client().accounts().await?;
        let account_id = find_account(&accounts, &self.account)?.id.clone();
        let role = match self.role {
            MemberRole::Owner => Some(Role::Owner),
            MemberRole::Analyst => Some(Role::Analyst),
            MemberRole::Consumer => Some(Role::Consumer),
            MemberRole::None => None,
        };
        workspace.set_member(&SetMember { account_id, role }).await?;
        Ok(())
    }
}

impl SetLimits {
    async fn run(self) -> Result<(), Failure> {
        let Self {
            concurrency,
            queued_statements,
            requests_per_second,
            result_bytes,
            disk_bytes,
            memory_bytes,
            cache_check_sources,
            cache_check_age,
            format,
            workspace,
        } = self;
        let cache_check = match (cache_check_sources, cache_check_age) {
            (true, _) => Some(CacheCheck::Sources),
            (_, true) => Some(CacheCheck::Age),
            _ => None,
        };
        let limits = WorkspaceLimits {
            concurrency,
            queued_statements,
            requests_per_second,
            result_bytes,
            disk_bytes,
            memory_bytes,
            cache_check,
        };
        print_one(format, &workspace.open().await?.set_limits(&limits).await?)
    }
}

/// The account of this user name or id.
pub(super) fn find_account<'a>(accounts: &'a [Account], name: &str) -> Result<&'a Account, Failure> {
    let is_meant = |account: &&Account| account.username == name || account.id.as_str() == name;
    accounts.iter().find(is_meant).ok_or_else(|| Failure::Refused(format!("there is no account '{name}'")))
}

impl Listed for Workspace {
    const HEADERS: &'static [&'static str] = &["name", "title", "engine", "role", "id"];

    fn cells(&self) -> Vec<String> {
        let Workspace { id, sql_name, title, engine, role } = self;
        vec![sql_name.clone(), title.clone(), engine.to_string(), role.to_string(), id.to_string()]
    }
}

impl Listed for LimitSettings {
    const HEADERS: &'static [&'static str] =
        &["statements", "waiting", "requests/s", "result bytes", "disk bytes", "memory bytes"];

    fn cells(&self) -> Vec<String> {
        let WorkspaceLimits {
            concurrency,
            queued_statements,
            requests_per_second,
            result_bytes,
            disk_bytes,
            memory_bytes,
            ..
        } = self.in_force;
        [concurrency, queued_statements, requests_per_second, result_bytes, disk_bytes, memory_bytes]
            .map(limit)
            .into()
    }
}

impl Listed for WorkspaceUsage {
    const HEADERS: &'static [&'static str] = &[
        "statements",
        "of",
        "waiting",
        "of",
        "text bytes",
        "disk bytes",
        "of",
        "memory bytes",
        "of",
        "result bytes",
        "requests/s",
    ];

    fn cells(&self) -> Vec<String> {
        let WorkspaceLimits {
            concurrency,
            queued_statements,
            requests_per_second,
            result_bytes,
            disk_bytes,
            memory_bytes,
            ..
        } = self.limits.in_force;
        vec![
            self.running_statements.to_string(),
            limit(concurrency),
            self.queued_statements.to_string(),
            limit(queued_statements),
            self.text_bytes.to_string(),
            self.disk_bytes.to_string(),
            limit(disk_bytes),
            self.memory_bytes.to_string(),
            limit(memory_bytes),
            limit(result_bytes),
            limit(requests_per_second),
        ]
    }
}

fn limit(limit: Option<u64>) -> String {
    limit.map_or_else(|| "-".to_owned(), |limit| limit.to_string())
}
