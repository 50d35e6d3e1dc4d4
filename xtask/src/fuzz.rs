//! `cargo xtask fuzz sql`: random statements, answered by the server and by DuckDB (its Python package), compared.
//! `cargo xtask fuzz mutations`: damaged statements, answered or refused by the server, and nothing else.

use std::process::Command;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};

use crate::command::{cargo, root};

/// What is asked, and how much of it.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// What to ask.
    #[arg(value_enum)]
    subject: Subject,
    /// The first seed; the test of the repository has those from 0 on.
    #[arg(long, default_value_t = 100_000)]
    first: u64,
    /// How many statements.
    #[arg(long, default_value_t = 20_000)]
    count: u64,
    /// The Python with the package duckdb.
    #[arg(long, default_value = "python3")]
    python: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Subject {
    /// Answers of statements from the grammar in `tests/data/random`.
    Sql,
    /// Whether damaged statements are survived.
    Mutations,
}

impl Subject {
    const fn program(self) -> &'static str {
        match self {
            Self::Sql => "run.py",
            Self::Mutations => "mutations.py",
        }
    }
}

/// Builds the server and runs the subject's program in `tests/data/random`, which says what it found.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    // The engine gets its features from being named, as in the tests.
    cargo(&["build", "--release", "-p", "rowhouse-server", "-p", "rowhouse-engine"], &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let status = Command::new(&arguments.python)
        .arg(root().join("tests/data/random").join(arguments.subject.program()))
        .arg(target.join("release/rowhouse"))
        .args([arguments.first.to_string(), arguments.count.to_string()])
        .status()
        .with_context(|| format!("{} did not start", arguments.python))?;
    if !status.success() {
        bail!("there are wrong answers, failures or refusals without a place");
    }
    Ok(())
}
