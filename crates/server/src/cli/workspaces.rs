//! `rowhouse workspace …`

use clap::{Args, Subcommand, ValueEnum};
use rowhouse_model::{Account, CreateWorkspace, EngineKind, Role, SetMember, Workspace};

use super::connection::{ConnectionFlags, WorkspaceFlags};
use super::failure::Failure;
use super::listing::{ListFormat, ListOfServer, Listed, print_all, print_one};

/// What can be done with workspaces.
#[derive(Debug, Subcommand)]
pub(super) enum WorkspaceCommand {
    /// Create a workspace (admins)
    Create(Create),
    /// List the workspaces that you may enter
    List(ListOfServer),
    /// Give an account a role in a workspace, or take it away (owners)
    Member(SetRole),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// Its name in SQL and in addresses: a-z, 0-9 and _
    sql_name: String,
    /// Displayed title [default: the name]
    #[arg(long)]
    title: Option<String>,
    /// What runs its statements: polars, trino or trino:NAME [default: the server's]
    #[arg(long)]
    engine: Option<EngineKind>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    connection: ConnectionFlags,
}

#[derive(Debug, Args)]
pub(super) struct SetRole {
    /// User name or id of the account
    account: String,
    /// The role
    #[arg(value_enum)]
    role: MemberRole,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MemberRole {
    /// Manages members, and all below
    Owner,
    /// Runs and saves SQL, makes views, and all below
    Analyst,
    /// Reads views
    Consumer,
    /// No role: the account cannot enter any more
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
