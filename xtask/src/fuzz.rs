//! `cargo xtask fuzz sql`: random statements, answered by the server and by DuckDB (its Python package), compared.
//! `cargo xtask fuzz mutations`: damaged statements, which the server must answer or refuse.
//! `cargo xtask fuzz reading`, `cargo xtask fuzz planning`: the CPU time to parse repeated and nested tokens, and to
//! plan nested forms of statements.

use std::process::Command;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};

use crate::command::{cargo, root};

/// What to fuzz, and how much.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// What to fuzz.
    #[arg(value_enum)]
    subject: Subject,
    /// The first seed; the test of the repository has those from 0 on.
    #[arg(long, default_value_t = 100_000)]
    first: u64,
    /// The number of statements.
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
    /// Whether the server survives damaged statements.
    Mutations,
    /// Whether triples of tokens are read in linear time.
    Reading,
    /// Whether nested forms of statements are planned in linear time.
    Planning,
}

impl Subject {
    /// A program in `tests/data/random`, or the name of a test.
    const fn program(self) -> Result<&'static str, &'static str> {
        match self {
            Self::Sql => Ok("run.py"),
            Self::Mutations => Ok("mutations.py"),
            Self::Reading => Err("repeated_and_nested_triples_of_tokens"),
            Self::Planning => Err("planned_in_linear_time_or_refused"),
        }
    }
}

/// Builds the server and runs the subject's program, which prints its findings.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let program = match arguments.subject.program() {
        Ok(program) => program,
        Err(test) => {
            let range = [
                ("ROWHOUSE_FUZZ_FIRST", arguments.first.to_string()),
                ("ROWHOUSE_FUZZ_COUNT", arguments.count.to_string()),
            ];
            let range: Vec<(&str, &str)> =
                range.iter().map(|(name, value)| (*name, value.as_str())).collect();
            return cargo(
                &["test", "--release", "-p", "rowhouse-sql", "--lib", "--", "--ignored", test],
                &range,
            );
        }
    };
    // Naming the engine enables its features, as in the tests.
    cargo(&["build", "--release", "-p", "rowhouse-server", "-p", "rowhouse-engine"], &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let status = Command::new(&arguments.python)
        .arg(root().join("tests/data/random").join(program))
        .arg(target.join("release/rowhouse"))
        .args([arguments.first.to_string(), arguments.count.to_string()])
        .status()
        .with_context(|| format!("{} did not start", arguments.python))?;
    if !status.success() {
        bail!("there are wrong answers, failures or refusals without a place");
    }
    Ok(())
}
