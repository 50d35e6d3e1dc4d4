//! `rowhouse call`: the rows of an endpoint, as text or as a file.

use std::fs::File;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rowhouse_client::{EndpointCall, ResultFormat};

use super::connection::ConnectionFlags;
use super::failure::Failure;

/// Calls an endpoint: a saved SQL with a name.
#[derive(Debug, Args)]
pub(super) struct CallCommand {
    /// SQL name of the workspace
    workspace: String,
    /// SQL name of the endpoint
    name: String,
    /// Values of parameters; repeat the name for an array
    #[arg(value_name = "NAME=VALUE", value_parser = parse_value)]
    values: Vec<(String, String)>,
    /// Output format of the rows [default: by the ending of the output file, else csv]
    #[arg(long, value_enum)]
    format: Option<CallFormat>,
    /// File to write the rows to
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Maximum number of rows
    #[arg(long, value_name = "ROWS")]
    limit: Option<u64>,
    /// Number of rows to skip
    #[arg(long, value_name = "ROWS")]
    offset: Option<u64>,
    /// Columns to print, in this order
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
    /// Column to sort by; append :desc for descending order
    #[arg(long, value_name = "COLUMN")]
    order_by: Option<String>,
    #[command(flatten)]
    connection: ConnectionFlags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CallFormat {
    /// CSV with a header line
    Csv,
    /// JSON: one array of objects
    Json,
    /// NDJSON: one object per line
    Ndjson,
    /// Arrow IPC stream, binary
    Arrow,
    /// Parquet, binary
    Parquet,
}

impl CallCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let format = self.format.unwrap_or_else(|| format_of(self.output.as_deref()));
        let is_binary = matches!(format, CallFormat::Arrow | CallFormat::Parquet);
        if is_binary && self.output.is_none() && io::stdout().is_terminal() {
            return Err(Failure::Usage(
                "this format is no text for a terminal: give --output FILE".to_owned(),
            ));
        }
        let client = self.connection.client()?;
        let mut download =
            client.download_endpoint(&self.workspace, &self.name, &self.call(), format.of_results()).await?;
        let mut destination: Box<dyn Write> = match &self.output {
            Some(path) => Box::new(File::create(path)?),
            None => Box::new(io::stdout().lock()),
        };
        let mut last = None;
        while let Some(chunk) = download.chunk().await? {
            destination.write_all(&chunk)?;
            last = chunk.last().copied();
        }
        if self.output.is_none() && !is_binary && last.is_some_and(|last| last != b'\n') {
            destination.write_all(b"\n")?;
        }
        destination.flush()?;
        Ok(())
    }

    fn call(&self) -> EndpointCall {
        let mut call = EndpointCall::new();
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in &self.values {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        for name in names {
            let of_name = self.values.iter().filter(|(other, _)| other == name);
            let values: Vec<&str> = of_name.map(|(_, value)| value.as_str()).collect();
            call = match values.as_slice() {
                [value] => call.parameter(name, value),
                values => call.list(name, values),
            };
        }
        if !self.columns.is_empty() {
            call = call.columns(self.columns.iter().cloned());
        }
        if let Some(order) = &self.order_by {
            call = call.order_by(order);
        }
        call = self.limit.map_or(call.clone(), |limit| call.limit(limit));
        self.offset.map_or(call.clone(), |offset| call.offset(offset))
    }
}

impl CallFormat {
    const fn of_results(self) -> ResultFormat {
        match self {
            Self::Csv => ResultFormat::Csv,
            Self::Json => ResultFormat::Json,
            Self::Ndjson => ResultFormat::Ndjson,
            Self::Arrow => ResultFormat::Arrow,
            Self::Parquet => ResultFormat::Parquet,
        }
    }
}

fn format_of(output: Option<&Path>) -> CallFormat {
    match output.and_then(Path::extension).and_then(|extension| extension.to_str()) {
        Some("json") => CallFormat::Json,
        Some("ndjson" | "jsonl") => CallFormat::Ndjson,
        Some("arrow" | "arrows" | "ipc") => CallFormat::Arrow,
        Some("parquet" | "pq") => CallFormat::Parquet,
        _ => CallFormat::Csv,
    }
}

fn parse_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
