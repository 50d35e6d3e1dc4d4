//! DuckDB's Python package as a child process that answers one statement at a time.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::Answer;
use crate::command::root;

/// DuckDB with a table for each file of a folder.
#[derive(Debug)]
pub(super) struct DuckDb {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pub(super) version: String,
}

impl DuckDb {
    /// Starts it; none, with a warning, if Python has no package `duckdb`.
    pub(super) fn start(folder: &Path, threads: usize) -> Result<Option<Self>> {
        let script = root().join("xtask/src/bench/suite/duckdb.py");
        let child = Command::new("python3")
            .arg(script)
            .arg(folder)
            .arg(threads.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = match child {
            Ok(child) => child,
            Err(error) => return Ok(skipped(&error.to_string())),
        };
        // OK because both are pipes.
        let input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            return Ok(skipped(&format!("it ended with {}", child.wait()?)));
        }
        let greeting: Value = serde_json::from_str(&line)?;
        let version = greeting["version"].as_str().unwrap_or_default().to_owned();
        Ok(Some(Self { child, input, output, version }))
    }

    /// The text of a statement for DuckDB: that of a first line `-- duckdb: TEXT`, if there is one.
    pub(super) fn text(sql: &str) -> &str {
        sql.lines().next().and_then(|first| first.strip_prefix("-- duckdb: ")).unwrap_or(sql)
    }

    /// Runs the text of a statement.
    pub(super) fn run(&mut self, sql: &str) -> Result<Answer> {
        writeln!(self.input, "{}", Value::from(Self::text(sql)))?;
        self.input.flush()?;
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            bail!("DuckDB ended with {}", self.child.wait()?);
        }
        let answer: Value = serde_json::from_str(&line)?;
        Ok(Answer {
            seconds: answer["seconds"].as_f64().context("seconds")?,
            cpu_seconds: answer["cpuSeconds"].as_f64().context("seconds")?,
            rows: serde_json::from_value(answer["rows"].clone())?,
            peak_memory_bytes: 0,
            spilled_bytes: 0,
        })
    }
}

fn skipped(why: &str) -> Option<DuckDb> {
    println!(
        "*** DuckDB is left out: {why}. `pip install duckdb`, then run again for ratios and a check of answers."
    );
    None
}

impl Drop for DuckDb {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
