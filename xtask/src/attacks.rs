//! `cargo xtask attacks`: the latencies of another user during an attack, and the server's memory meanwhile.
//! docs/security.md has the figures.

use anyhow::Result;
use clap::Args;

use crate::command::cargo;

/// Which attacks to measure.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Measure only attacks whose names contain one of these words; without any, all.
    attacks: Vec<String>,
    /// Do not build, but measure the programs that were built before.
    #[arg(long)]
    no_build: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if !arguments.no_build {
        // All three together, so that features are unified as everywhere else and Polars is not rebuilt.
        let packages = ["-p", "rowhouse-server", "-p", "rowhouse-engine", "-p", "rowhouse-bench-programs"];
        cargo(&[&["build", "--release", "--bins"], packages.as_slice()].concat(), &[])?;
    }
    let program = std::env::current_exe()?.with_file_name("attacks");
    let status = std::process::Command::new(&program).args(&arguments.attacks).status()?;
    anyhow::ensure!(status.success(), "a limit does not hold");
    Ok(())
}
