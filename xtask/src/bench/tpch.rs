//! The 22 queries of TPC-H over HTTP, and DuckDB's Python package over the same Parquet files, statement by statement
//! in turn, so that whatever else the machine does falls on both. Answers are compared; a different one is an error.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::process::programs;
use super::server::Server;
use crate::command::root;
use peer::DuckDb;

mod compare;
mod peer;

const TABLES: [&str; 8] =
    ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"];

/// What is measured.
#[derive(Debug)]
pub(super) struct Tpch<'a> {
    pub(super) rounds: usize,
    /// 1 and 0.01 are of the sample catalog; any other is only a name for the files of `tables`.
    pub(super) scale: &'a str,
    /// A folder with a Parquet file for each table, in place of the sample catalog's.
    pub(super) tables: Option<&'a Path>,
    pub(super) data_dir: &'a Path,
}

/// One run of a statement.
#[derive(Debug)]
pub(super) struct Answer {
    seconds: f64,
    cpu_seconds: f64,
    rows: Vec<Vec<Value>>,
    peak_memory_bytes: u64,
    spilled_bytes: u64,
}

/// Rounds of one statement on one engine.
#[derive(Debug, Default)]
struct Rounds {
    seconds: Vec<f64>,
    cpu_seconds: Vec<f64>,
    peak_memory_bytes: u64,
    spilled_bytes: u64,
}

pub(super) fn run(tpch: &Tpch<'_>) -> Result<()> {
    let mut server = Server::start(&tpch.data_dir.join("tpch"), &["--engine-concurrency", "1"])?;
    let folder = tables(tpch, &server)?;
    server.workspace_id = workspace(&server, &folder, tpch.scale)?;
    let threads = std::thread::available_parallelism()?.get();
    let mut peer = DuckDb::start(&folder, threads)?;
    let version = peer.as_ref().map_or_else(|| "-".to_owned(), |peer| format!("duckdb {}", peer.version));
    println!(
        "TPC-H at scale {}, {threads} threads, median of {} rounds, milliseconds",
        tpch.scale, tpch.rounds
    );
    println!(
        "{:<6}{:>10}{:>14}{:>8}{:>12}{:>12}{:>10}{:>10}",
        "", "rowhouse", version, "ratio", "cpu", "duckdb cpu", "peak MiB", "spilled"
    );
    let (mut totals, mut faults) = ([0.0; 4], Vec::new());
    for number in 1..=22 {
        let name = format!("q{number:02}");
        let sql = std::fs::read_to_string(root().join(format!("tests/data/tpch/{name}.sql")))?;
        let sql = sql.trim().trim_end_matches(';');
        match measure(&server, peer.as_mut(), sql, tpch.rounds) {
            Ok((own, other)) => {
                let figures = [own.median(), other.median(), own.cpu(), other.cpu()];
                print(&name, figures, &own);
                for (total, figure) in totals.iter_mut().zip(figures) {
                    *total += figure;
                }
            }
            Err(fault) => {
                println!("{name:<6}{fault:#}");
                faults.push(name);
            }
        }
    }
    print("total", totals, &Rounds::default());
    if faults.is_empty() {
        Ok(())
    } else {
        bail!("no answer, or another one than DuckDB's: {}", faults.join(", "))
    }
}

/// Both engines in turn.
fn measure(
    server: &Server,
    mut peer: Option<&mut DuckDb>,
    sql: &str,
    rounds: usize,
) -> Result<(Rounds, Rounds)> {
    let (mut own, mut other) = (Rounds::default(), Rounds::default());
    for _ in 0..rounds {
        let answer = run_statement(server, sql)?;
        if let Some(peer) = peer.as_deref_mut() {
            let expected = peer.run(sql)?;
            if let Some(difference) = compare::difference(&answer.rows, &expected.rows) {
                bail!("ANOTHER ANSWER: {difference}");
            }
            other.add(&expected);
        }
        own.add(&answer);
    }
    Ok((own, other))
}

/// From the submit to the last row, as a client sees it. Without `cacheTTL` the cache is not asked (D19).
fn run_statement(server: &Server, sql: &str) -> Result<Answer> {
    let workspace = &server.workspace_id;
    let begun = Instant::now();
    let mut query = server.post("/api/v1/query", &json!({ "workspaceId": workspace, "sql": sql }))?;
    let id = query["id"].as_str().context("a query without id")?.to_owned();
    while !matches!(query["status"].as_str(), Some("FINISHED" | "FAILED")) {
        query = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}&wait=60"))?;
    }
    if query["status"] != "FINISHED" {
        bail!("{}: {}", query["error"]["errorName"], query["error"]["message"]);
    }
    let result = server.get(&format!("/api/v1/query/{id}/result?workspaceId={workspace}"))?;
    let seconds = begun.elapsed().as_secs_f64();
    let figure = |name: &str| query["queryStats"][name].as_u64().unwrap_or_default();
    Ok(Answer {
        seconds,
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of a statement")]
        cpu_seconds: figure("cpuTimeMillis") as f64 / 1000.0,
        rows: serde_json::from_value(result["result"].clone())?,
        peak_memory_bytes: figure("peakMemoryBytes"),
        spilled_bytes: figure("spilledBytes"),
    })
}

/// The folder of the Parquet files; those of the sample catalog are made on first use.
fn tables(tpch: &Tpch<'_>, server: &Server) -> Result<PathBuf> {
    let schema = match (tpch.tables, tpch.scale) {
        (Some(folder), _) => return Ok(folder.canonicalize()?),
        (None, "1") => "sf1",
        (None, "0.01") => "tiny",
        (None, scale) => {
            bail!("the sample catalog has scales 0.01 and 1: give the files of scale {scale} with --tables")
        }
    };
    for table in TABLES {
        server.run(&json!({ "sql": format!("SELECT count(*) FROM tpch.{schema}.{table}") }))?;
    }
    Ok(programs()?.join("rowhouse-samples/tpch").join(schema))
}

/// A workspace in which the queries find the tables under their own names.
fn workspace(server: &Server, folder: &Path, scale: &str) -> Result<String> {
    let name = format!("tpch_{}", scale.replace('.', "_"));
    let known = server.get("/api/v1/workspaces")?;
    let known =
        known.as_array().into_iter().flatten().find(|workspace| workspace["sqlName"] == name.as_str());
    let workspace = match known {
        Some(workspace) => workspace.clone(),
        None => server.post("/api/v1/workspace", &json!({ "title": name, "sqlName": name }))?,
    };
    let id = workspace["id"].as_str().context("a workspace without id")?.to_owned();
    let known = server.get(&format!("/api/v1/tables?workspaceId={id}"))?;
    for table in TABLES {
        let location = folder.join(format!("{table}.parquet"));
        let location = location.to_str().context("a path that is text")?;
        let known = known.as_array().into_iter().flatten().find(|known| known["name"] == table);
        match known {
            Some(known) if known["location"] == location => {}
            Some(_) => bail!("the workspace {name} has tables of other files: remove the data directory"),
            None => {
                let body = json!({ "workspaceId": id, "name": table, "location": location });
                server.post("/api/v1/table", &body)?;
            }
        }
    }
    Ok(id)
}

fn print(name: &str, [own, other, cpu, other_cpu]: [f64; 4], rounds: &Rounds) {
    let milliseconds = |seconds: f64| format!("{:.0}", seconds * 1000.0);
    let mebibytes = |bytes: u64| if bytes == 0 { String::new() } else { (bytes >> 20).to_string() };
    let ratio = if other > 0.0 { format!("{:.2}", own / other) } else { "-".to_owned() };
    println!(
        "{name:<6}{:>10}{:>14}{ratio:>8}{:>12}{:>12}{:>10}{:>10}",
        milliseconds(own),
        milliseconds(other),
        milliseconds(cpu),
        milliseconds(other_cpu),
        mebibytes(rounds.peak_memory_bytes),
        mebibytes(rounds.spilled_bytes),
    );
}

impl Rounds {
    fn add(&mut self, answer: &Answer) {
        self.seconds.push(answer.seconds);
        self.cpu_seconds.push(answer.cpu_seconds);
        self.peak_memory_bytes = self.peak_memory_bytes.max(answer.peak_memory_bytes);
        self.spilled_bytes = self.spilled_bytes.max(answer.spilled_bytes);
    }

    fn median(&self) -> f64 {
        median(&self.seconds)
    }

    fn cpu(&self) -> f64 {
        median(&self.cpu_seconds)
    }
}

fn median(figures: &[f64]) -> f64 {
    let mut figures = figures.to_vec();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
