//! `cargo xtask chaos`: kills the server some hundred times under load, again on a disk that is sometimes full, and
//! again under a clock that jumps; then one workspace uses everything that its limits allow. docs/security.md contains
//! the output.

use anyhow::Result;
use clap::Args;

use crate::command::cargo;

/// How often to kill the server.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Kills of each kind.
    #[arg(long, default_value_t = 200)]
    kills: u64,
}

/// Builds the server and runs the crash tests with this many kills.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    cargo(&["build", "--release", "-p", "rowhouse-server", "-p", "rowhouse-engine"], &[])?;
    let kills = arguments.kills.to_string();
    let run = |test: &str, environment: &[(&str, &str)]| {
        let test = ["test", "--release", "-p", "rowhouse-tests", "--test", test];
        cargo(&[&test[..], &["--", "--nocapture", "--test-threads", "1"]].concat(), environment)
    };
    run("crash", &[("ROWHOUSE_CHAOS_KILLS", &kills)])?;
    run("greedy_workspace", &[])
}
