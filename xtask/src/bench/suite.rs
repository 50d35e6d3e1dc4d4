//! The queries of TPC-H, TPC-DS and ClickBench over HTTP, and DuckDB's Python package over the same Parquet files,
//! statement by statement in turn, so that other load on the machine affects both. Answers are compared; a difference
//! is an error.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::process::programs;
use super::server::Server;
use crate::command::root;
use peer::DuckDb;
use top_rows::TopRows;

mod compare;
mod peer;
mod top_rows;

const TPCH_TABLES: [&str; 8] =
    ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"];

/// A benchmark whose queries are in `tests/data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suite {
    Tpch,
    Tpcds,
    Clickbench,
}

/// What to measure.
#[derive(Debug)]
pub(super) struct SuiteRun<'a> {
    pub(super) suite: Suite,
    pub(super) rounds: usize,
    /// TPC-H 1 and 0.01 are those of the sample catalog; any other is only a name for the files of `tables`.
    pub(super) scale: &'a str,
    /// A folder with a Parquet file for each table, instead of the sample's.
    pub(super) tables: Option<&'a Path>,
    pub(super) data_dir: &'a Path,
    /// The queries whose name begins with this.
    pub(super) only: Option<&'a str>,
}

impl Suite {
    const fn name(self) -> &'static str {
        match self {
            Self::Tpch => "tpch",
            Self::Tpcds => "tpcds",
            Self::Clickbench => "clickbench",
        }
    }

    /// Names and texts of the queries, in their order.
    fn queries(self) -> Result<Vec<(String, String)>> {
        let folder = root().join("tests/data").join(self.name());
        if self == Self::Clickbench {
            let texts = std::fs::read_to_string(folder.join("queries.sql"))?;
            let texts = texts.split("\n;").map(str::trim).filter(|text| !text.is_empty());
            return Ok(texts
                .enumerate()
                .map(|(place, text)| (format!("q{place:02}"), text.to_owned()))
                .collect());
        }
        let count = if self == Self::Tpch { 22 } else { 99 };
        (1..=count)
            .map(|number| {
                let name = format!("q{number:02}");
                let text = std::fs::read_to_string(folder.join(format!("{name}.sql")))?;
                Ok((name, text.trim().trim_end_matches(';').to_owned()))
            })
            .collect()
    }
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

pub(super) fn run(of: &SuiteRun<'_>) -> Result<()> {
    let suite = of.suite.name();
    let mut server = Server::start(&of.data_dir.join(suite), &["--engine-concurrency", "1"])?;
    let folder = tables(of, &server)?;
    server.workspace_id = workspace(&server, &folder, &format!("{suite}_{}", of.scale.replace('.', "_")))?;
    let threads = std::thread::available_parallelism()?.get();
    let mut peer = DuckDb::start(&folder, threads)?;
    let version = peer.as_ref().map_or_else(|| "-".to_owned(), |peer| format!("duckdb {}", peer.version));
    println!(
        "{suite} over {}, {threads} threads, median of {} rounds, milliseconds",
        folder.display(),
        of.rounds
    );
    println!(
        "{:<6}{:>10}{:>14}{:>8}{:>12}{:>12}{:>10}{:>10}",
        "", "rowhouse", version, "ratio", "cpu", "duckdb cpu", "peak MiB", "spilled"
    );
    let (mut totals, mut faults, mut worst) = ([0.0; 4], Vec::new(), (0.0, String::new()));
    for (name, sql) in of.suite.queries()? {
        if of.only.is_some_and(|only| !name.starts_with(only)) {
            continue;
        }
        match measure(&server, peer.as_mut(), &sql, of.rounds) {
            Ok((own, other)) => {
                let figures = [own.median(), other.median(), own.cpu(), other.cpu()];
                print(&name, figures, &own);
                for (total, figure) in totals.iter_mut().zip(figures) {
                    *total += figure;
                }
                let ratio = figures[0] / figures[1];
                if ratio.is_finite() && ratio > worst.0 {
                    worst = (ratio, name);
                }
            }
            Err(fault) => {
                println!("{name:<6}{fault:#}");
                faults.push(name);
            }
        }
    }
    print("total", totals, &Rounds::default());
    if worst.0 > 0.0 {
        println!("worst: {}, {:.2} times", worst.1, worst.0);
    }
    print_planning(of, &server)?;
    if faults.is_empty() {
        Ok(())
    } else {
        bail!("no answer, or another one than DuckDB's: {}", faults.join(", "))
    }
}

/// The planning time of all queries, and how much of it is the overhead of as many minimal statements.
fn print_planning(of: &SuiteRun<'_>, server: &Server) -> Result<()> {
    let planned = |sql: &str| -> Result<f64> {
        let sql = format!("EXPLAIN (TYPE VALIDATE) {sql}");
        let answers = (0..of.rounds).map(|_| run_statement(server, &sql));
        let seconds = answers.map(|answer| answer.map(|answer| answer.seconds));
        Ok(median(&seconds.collect::<Result<Vec<_>>>()?))
    };
    let queries = of.suite.queries()?;
    let queries = queries.iter().filter(|(name, _)| of.only.is_none_or(|only| name.starts_with(only)));
    let (mut all, mut way, mut count) = (0.0, 0.0, 0_usize);
    for (_, sql) in queries {
        all += planned(sql)?;
        way += planned("SELECT 1")?;
        count += 1;
    }
    println!(
        "planning the {count}: {:.0} ms from the submit to the answer, {:.0} ms for as many of SELECT 1",
        all * 1000.0,
        way * 1000.0
    );
    Ok(())
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
            if let Some(difference) = compare::difference(&answer.rows, &expected.rows)
                && let Some(fault) = wrong_rows(server, peer, sql, &answer)?
            {
                bail!("ANOTHER ANSWER: {difference}; {fault}");
            }
            other.add(&expected);
        }
        own.add(&answer);
    }
    Ok((own, other))
}

/// Why an answer that differs from the other engine's is not another choice of rows with equal sort keys before the
/// limit; `None` if it is.
fn wrong_rows(server: &Server, peer: &mut DuckDb, sql: &str, found: &Answer) -> Result<Option<String>> {
    let (Some(own), Some(other)) = (TopRows::of(sql), TopRows::of(DuckDb::text(sql))) else {
        return Ok(Some("it has no LIMIT with ORDER BY at its end".to_owned()));
    };
    let (all, expected) = (run_statement(server, &own.all)?.rows, peer.run(&other.all)?.rows);
    if let Some(difference) = compare::difference(&all, &expected) {
        return Ok(Some(format!("without LIMIT: {difference}")));
    }
    if own.appended == 0 {
        return Ok(own.fault(&found.rows, &expected));
    }
    // The same rows again, with the keys by which they were chosen.
    let first = run_statement(server, &own.first())?.rows;
    Ok(own.fault(&first, &expected).or_else(|| own.fault_without_keys(&found.rows, &expected)))
}

/// From the submit to the last row, as a client sees it. Without `cacheTTL` the cache is not consulted (D19).
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

/// The folder of the Parquet files; those of the sample catalog are generated on first use.
fn tables(of: &SuiteRun<'_>, server: &Server) -> Result<PathBuf> {
    if let Some(folder) = of.tables {
        return Ok(folder.canonicalize()?);
    }
    if of.suite != Suite::Tpch {
        println!(
            "*** A sample of few rows: its times say little. docs/performance.md tells how to make --tables."
        );
        return Ok(root().join("tests/data").join(of.suite.name()).canonicalize()?);
    }
    let schema = match of.scale {
        "1" => "sf1",
        "0.01" => "tiny",
        scale => {
            bail!("the sample catalog has scales 0.01 and 1: give the files of scale {scale} with --tables")
        }
    };
    for table in TPCH_TABLES {
        server.run(&json!({ "sql": format!("SELECT count(*) FROM tpch.{schema}.{table}") }))?;
    }
    Ok(programs()?.join("rowhouse-samples/tpch").join(schema))
}

/// A workspace with a table for each file of the folder, named after the file.
fn workspace(server: &Server, folder: &Path, name: &str) -> Result<String> {
    let known = server.get("/api/v1/workspaces")?;
    let known = known.as_array().into_iter().flatten().find(|workspace| workspace["sqlName"] == name);
    let workspace = match known {
        Some(workspace) => workspace.clone(),
        None => server.post("/api/v1/workspace", &json!({ "title": name, "sqlName": name }))?,
    };
    let id = workspace["id"].as_str().context("a workspace without id")?.to_owned();
    let known = server.get(&format!("/api/v1/tables?workspaceId={id}"))?;
    for file in std::fs::read_dir(folder)? {
        let file = file?.path();
        let Some(table) = file.file_stem().and_then(|table| table.to_str()) else { continue };
        if file.extension().is_none_or(|extension| extension != "parquet") {
            continue;
        }
        let location = file.to_str().context("a path that is text")?;
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
