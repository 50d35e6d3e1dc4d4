//! The command line: its commands and their dispatch. `serve` is the default; the other commands call a running server
//! like any client.

mod accounts;
mod backup;
mod cache;
mod call;
mod connection;
mod doctor;
mod mcp;
mod query;
mod saved_sql;
mod service;
mod tables;
mod tokens;
mod views;
mod workspaces;

mod execution;
mod statement;

mod caret;
mod failure;
mod listing;
mod text;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::config::{ConfigError, ServeFlags};
use failure::Failure;
use service::ServiceAction;

/// `rowhouse …`
#[derive(Debug, Parser)]
#[command(
    name = "rowhouse",
    version,
    about = "Rowhouse: a server for SQL over HTTP with workspaces, materialized views and endpoints",
    args_conflicts_with_subcommands = true
)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeFlags,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the server (the default)
    Serve(ServeFlags),
    /// Run statements for a server; started by it
    #[cfg(feature = "polars")]
    #[command(hide = true)]
    Worker {
        /// Memory limit of one statement; the worker reads it itself, before anything else
        #[arg(long)]
        memory_limit_bytes: Option<u64>,
        /// Behavior where the kernel cannot confine it; the worker reads that itself, too
        #[arg(long)]
        sandbox: Option<String>,
    },
    /// Manage workspaces: create, list, set members and limits, show usage
    #[command(subcommand)]
    Workspace(workspaces::WorkspaceCommand),
    /// Manage accounts: create, list, update
    #[command(subcommand)]
    Account(accounts::AccountCommand),
    /// Manage personal access tokens: create, list, revoke
    #[command(subcommand)]
    Token(tokens::TokenCommand),
    /// Manage tables, which are files with a name in SQL: add, list, remove
    #[command(subcommand)]
    Table(tables::TableCommand),
    /// Manage materialized views: create, list, refresh, drop, show generations
    #[command(subcommand)]
    View(views::ViewCommand),
    /// Call an endpoint and print its rows
    Call(call::CallCommand),
    /// Manage saved SQL: list, show versions, restore a version, show statistics of calls
    #[command(subcommand)]
    Sql(saved_sql::SavedSqlCommand),
    /// Manage the result cache: list, purge
    #[command(subcommand)]
    Cache(cache::CacheCommand),
    /// Run a statement and print its rows
    Query(query::QueryCommand),
    /// Serve the Model Context Protocol over standard input and output, with a server's tools
    Mcp(mcp::McpCommand),
    /// Show the status of the SQL engine
    Status(service::ServiceCommand),
    /// Enable and start the SQL engine
    Enable(service::ServiceCommand),
    /// Disable the SQL engine: running statements finish, new ones are refused
    Disable(service::ServiceCommand),
    /// Check everything that `serve` needs, with the same flags, and advise
    Doctor(doctor::DoctorCommand),
    /// Back up a data directory; its server may be running
    Backup(backup::BackupCommand),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl CommandLine {
    /// Runs the command.
    ///
    /// # Errors
    /// A server that cannot start, with the reason as a sentence.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command.unwrap_or(Command::Serve(self.serve)) {
            Command::Serve(flags) => match crate::serve::run(&flags) {
                Err(error) if error.is::<ConfigError>() => {
                    eprintln!("rowhouse: {error}");
                    Ok(ExitCode::from(2))
                }
                ended => ended.map(|()| ExitCode::SUCCESS),
            },
            // Before any thread or runtime exists: a worker limits its own process first.
            #[cfg(feature = "polars")]
            Command::Worker { memory_limit_bytes: _, sandbox: _ } => Ok(rowhouse_engine::worker::main()),
            Command::Workspace(command) => remotely(command.run()),
            Command::Account(command) => remotely(command.run()),
            Command::Token(command) => remotely(command.run()),
            Command::Table(command) => remotely(command.run()),
            Command::View(command) => remotely(command.run()),
            Command::Call(command) => remotely(command.run()),
            Command::Sql(command) => remotely(command.run()),
            Command::Cache(command) => remotely(command.run()),
            Command::Query(command) => remotely(command.run()),
            Command::Mcp(command) => remotely(command.run()),
            Command::Status(command) => remotely(command.run(ServiceAction::Show)),
            Command::Enable(command) => remotely(command.run(ServiceAction::Enable)),
            Command::Disable(command) => remotely(command.run(ServiceAction::Disable)),
            Command::Doctor(command) => command.run(),
            Command::Backup(command) => Ok(command.run()),
            Command::Completions { shell } => {
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut Self::command(), "rowhouse", &mut script);
                let printed = listing::print_text(&String::from_utf8_lossy(&script));
                Ok(printed.map_or_else(Failure::report, |()| ExitCode::SUCCESS))
            }
        }
    }
}

/// Runs a command that calls a server; one thread is enough.
fn remotely(command: impl Future<Output = Result<(), Failure>>) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(command).map_or_else(Failure::report, |()| ExitCode::SUCCESS))
}

#[cfg(test)]
mod tests {
    use super::{Command, CommandLine};
    use clap::{CommandFactory as _, Parser as _};

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn sql_may_begin_with_a_comment() {
        let arguments = ["rowhouse", "query", "--format", "json", "-- note\nSELECT 1"];
        let parsed = CommandLine::try_parse_from(arguments).expect("parses");
        assert!(matches!(parsed.command, Some(Command::Query(_))));
        let sql = "-- Service API: required(\"a:eq\")\nSELECT 1 AS a";
        let arguments = ["rowhouse", "view", "create", "v", sql, "--schedule", "@every 10m"];
        let parsed = CommandLine::try_parse_from(arguments).expect("parses");
        assert!(matches!(parsed.command, Some(Command::View(_))));
    }

    #[test]
    fn sql_comes_from_exactly_one_source() {
        let error = CommandLine::try_parse_from(["rowhouse", "query", "SELECT 1", "-f", "x.sql"]);
        assert_eq!(error.expect_err("twice").kind(), clap::error::ErrorKind::ArgumentConflict);
    }
}
