//! `rowhouse query`: one statement, and its rows on standard output or in a file.

mod destination;
mod json_rows;
mod pages;
mod parameter;
mod row_table;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::{HumanBytes, HumanCount, ProgressBar};
use rowhouse_client::{ResultFormat, RowRequest, Statement, WorkspaceClient};
use rowhouse_model::{CacheCheck, Query, Source, StatementParameter};
use serde_json::value::RawValue;

use super::connection::WorkspaceFlags;
use super::execution::{Interrupts, execute, progress_bar, row_count};
use super::failure::Failure;
use super::statement::statement_text;
use destination::Destination;
use json_rows::JsonRows;
use pages::Pages;
use parameter::parse_parameter;

/// Default number of rows of a table, which is for people and is held completely.
const TABLE_ROWS: u64 = 1000;

/// Runs one statement.
#[derive(Debug, Args)]
pub(super) struct QueryCommand {
    /// SQL statement [default: read from standard input, unless -f names a file]
    // SQL may begin with a comment, `-- …`.
    #[arg(value_name = "SQL", conflicts_with = "file", allow_hyphen_values = true)]
    sql: Option<String>,
    /// File with the statement; - is standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Output format of the rows [default: by the ending of the output file, else table]
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,
    /// File to write the rows to
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Maximum number of rows [default: 1000 for a table, else all]
    #[arg(long, value_name = "ROWS")]
    limit: Option<u64>,
    /// Value of the parameter :NAME of the statement; may be repeated
    #[arg(short, long = "param", value_name = "NAME[:TYPE]=VALUE", value_parser = parse_parameter)]
    parameters: Vec<(String, StatementParameter)>,
    /// Accept a cached result that is younger than this
    #[arg(long, value_name = "SECONDS")]
    cache_ttl: Option<u64>,
    /// Run the statement even if a cached result exists, and replace that result
    #[arg(long, requires = "cache_ttl")]
    cache_refresh: bool,
    /// Accept a cached result only if its source tables have not changed
    #[arg(long, requires = "cache_ttl")]
    cache_check_sources: bool,
    /// Accept a cached result that is older by up to this time while it is renewed in the background
    #[arg(long, requires = "cache_ttl", value_name = "SECONDS")]
    cache_stale: Option<u64>,
    #[command(flatten)]
    workspace: WorkspaceFlags,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// Table that fits the terminal
    Table,
    /// JSON: one array of objects
    Json,
    /// CSV with a header line
    Csv,
    /// NDJSON: one object per line
    Ndjson,
    /// Arrow IPC stream, binary
    Arrow,
    /// Parquet, binary
    Parquet,
}

impl QueryCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let format = self.format.unwrap_or_else(|| format_of_file(self.output.as_deref()));
        let is_binary = matches!(format, OutputFormat::Arrow | OutputFormat::Parquet);
        if is_binary && self.output.is_none() && io::stdout().is_terminal() {
            return Err(Failure::Usage(
                "this format is no text for a terminal: give --output FILE".to_owned(),
            ));
        }
        let sql = statement_text(self.sql.clone(), self.file.as_deref())?;
        let workspace = self.workspace.open().await?;
        let mut statement = Statement::new(sql.as_str()).source(Source::Cli);
        if let Some(ttl_seconds) = self.cache_ttl {
            statement = statement.cache(ttl_seconds, self.cache_refresh);
            if self.cache_check_sources {
                statement = statement.cache_check(CacheCheck::Sources);
            }
            if let Some(seconds) = self.cache_stale {
                statement = statement.cache_stale(seconds);
            }
        }
        for (name, parameter) in &self.parameters {
            statement = statement.parameter(name, parameter.clone());
        }
        let mut interrupts = Interrupts::listen()?;
        let started = Instant::now();
        let query = execute(&workspace, statement, &sql, &mut interrupts).await?;
        let elapsed = started.elapsed();
        let written = async {
            match format {
                OutputFormat::Table => self.write_table(&workspace, &query).await,
                OutputFormat::Json => self.write_json(&workspace, &query).await,
                OutputFormat::Csv => self.write_file(&workspace, &query, ResultFormat::Csv).await,
                OutputFormat::Ndjson => self.write_file(&workspace, &query, ResultFormat::Ndjson).await,
                OutputFormat::Arrow => self.write_file(&workspace, &query, ResultFormat::Arrow).await,
                OutputFormat::Parquet => self.write_file(&workspace, &query, ResultFormat::Parquet).await,
            }
        };
        let interrupted = || Err(Failure::Refused("interrupted; the output is incomplete".to_owned()));
        interrupts.until(written).await.unwrap_or_else(interrupted)?;
        if io::stderr().is_terminal() {
            let rows = row_count(query.row_count.unwrap_or_default());
            let cached = if query.from_cache == Some(true) { ", from the cache" } else { "" };
            eprintln!("{rows} in {:.3} s{cached}", elapsed.as_secs_f64());
        }
        Ok(())
    }

    async fn write_table(&self, workspace: &WorkspaceClient, query: &Query) -> Result<(), Failure> {
        let request = RowRequest::new().limit(self.limit.unwrap_or(TABLE_ROWS));
        let mut rows = workspace.rows::<Vec<Box<RawValue>>>(&query.id, &request).await?;
        let mut held = Vec::new();
        while let Some(row) = rows.next().await {
            held.push(row?);
        }
        let (columns, row_count) = (rows.columns(), rows.row_count());
        let mut destination = Destination::open(self.output.as_deref())?;
        destination.write(row_table::render(columns, &held, self.output.is_none()).as_bytes())?;
        destination.finish()?;
        if self.limit.is_none() && row_count > TABLE_ROWS {
            let rows = HumanCount(row_count);
            eprintln!("{TABLE_ROWS} of {rows} rows; --limit or another --format gives more");
        }
        Ok(())
    }

    async fn write_json(&self, workspace: &WorkspaceClient, query: &Query) -> Result<(), Failure> {
        let mut rows = JsonRows::default();
        self.write_through(workspace, query, ResultFormat::Ndjson, |piece| rows.push(piece)).await
    }

    async fn write_file(
        &self,
        workspace: &WorkspaceClient,
        query: &Query,
        format: ResultFormat,
    ) -> Result<(), Failure> {
        self.write_through(workspace, query, format, |piece| piece.unwrap_or_default().to_vec()).await
    }

    /// Copies the result to its destination, rewriting each chunk and then the end (`None`).
    async fn write_through(
        &self,
        workspace: &WorkspaceClient,
        query: &Query,
        format: ResultFormat,
        mut rewrite: impl FnMut(Option<&[u8]>) -> Vec<u8>,
    ) -> Result<(), Failure> {
        let mut destination = Destination::open(self.output.as_deref())?;
        let bar = self.output.as_ref().map(|_| progress_bar());
        let rows = row_count(query.row_count.unwrap_or_default());
        let mut bytes = 0;
        let pages = Pages { workspace, query, format, limit: self.limit };
        let write = |piece: &[u8]| {
            let rewritten = rewrite(Some(piece));
            bytes += rewritten.len() as u64;
            if let Some(bar) = &bar {
                bar.set_message(format!("{} written of {rows}", HumanBytes(bytes)));
            }
            destination.write(&rewritten)
        };
        pages.copy(write).await?;
        destination.write(&rewrite(None))?;
        destination.finish()?;
        bar.inspect(ProgressBar::finish_and_clear);
        Ok(())
    }
}

fn format_of_file(output: Option<&Path>) -> OutputFormat {
    match output.and_then(Path::extension).and_then(|extension| extension.to_str()) {
        Some("csv") => OutputFormat::Csv,
        Some("json") => OutputFormat::Json,
        Some("ndjson" | "jsonl") => OutputFormat::Ndjson,
        Some("arrow" | "arrows" | "ipc") => OutputFormat::Arrow,
        Some("parquet" | "pq") => OutputFormat::Parquet,
        _ => OutputFormat::Table,
    }
}
