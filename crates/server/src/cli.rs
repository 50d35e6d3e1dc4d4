//! The command line: what can be typed, and where each command goes. `serve` is the default; the other
//! commands talk to a running server as any client does.

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::config::ServeFlags;

/// `rowhouse …`
#[derive(Debug, Parser)]
#[command(
    name = "rowhouse",
    version,
    about = "SQL in workspaces over HTTP, and materialized views as filtered JSON",
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
    /// Run the server (the default)
    Serve(ServeFlags),
    /// Run statements for a server; started by it
    #[cfg(feature = "polars")]
    #[command(hide = true)]
    Worker,
    /// Print a shell's completions
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl CommandLine {
    /// Does what was typed.
    ///
    /// # Errors
    /// A server that cannot start, with the reason as a sentence.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command.unwrap_or(Command::Serve(self.serve)) {
            Command::Serve(flags) => {
                crate::serve::run(&flags)?;
                Ok(ExitCode::SUCCESS)
            }
            // Before any thread or runtime exists: a worker limits its own process first.
            #[cfg(feature = "polars")]
            Command::Worker => Ok(rowhouse_engine::worker::main()),
            Command::Completions { shell } => {
                clap_complete::generate(shell, &mut Self::command(), "rowhouse", &mut std::io::stdout());
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}
