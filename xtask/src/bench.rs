//! `cargo xtask bench`: measures the server beside bare hyper sending prebuilt bytes of the same size over as many
//! connections, in one run on one machine. The ratio is what counts; docs/performance.md explains how to read it.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::command::cargo;

mod connections;
mod endpoints;
mod export;
mod load;
mod numbers;
mod process;
mod queries;
mod records;
mod response;
mod results;
mod scenario;
mod scrape;
mod server;
mod starts;
mod suite;
mod trino;
mod views;

use process::Process;
use scenario::Peer;
use server::Server;
use suite::{Suite, SuiteRun};

/// Copies of `orders` in the subject `growth`: 15 million rows.
const GROWTH: u64 = 10;

/// What to measure, and for how long.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// What to measure; without any, all but growth, endpoint, records, scrape, encoder, tpch, tpcds, clickbench, trino and clients.
    #[arg(value_enum)]
    subjects: Vec<Subject>,
    /// Rounds of each measurement; the median is shown.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Seconds of a round.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Keep-alive connections.
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// Another server to measure in the same rounds, `NAME:SCENARIO=http://…`, with `{key}`, `{from}`, `{to}`,
    /// `{offset}` in its address.
    #[arg(long = "peer")]
    peers: Vec<Peer>,
    /// Scale of tpch: 1 or 0.01, or whatever the files of --tables are.
    #[arg(long, default_value = "1")]
    scale: String,
    /// Folder with a Parquet file for each table of tpch, tpcds or clickbench [default: the sample catalog's of tpch, the
    /// small samples of the tests of the others].
    #[arg(long)]
    tables: Option<PathBuf>,
    /// Measure only the lines whose name begins with this: `point`, `range page`, `submit cached`, `q41`.
    #[arg(long)]
    only: Option<String>,
    /// Do not build, but measure the programs that were built before.
    #[arg(long)]
    no_build: bool,
    /// Python with fastapi, uvicorn and duckdb, for the peer of endpoint.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// Data directory of the server, created by the first run and reused by later ones [default: beside the programs].
    #[arg(long)]
    data_dir: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// A row by key, pages by date and by offset, exports, of 1.5 million rows.
    Views,
    /// The same reads of 15 million rows.
    Growth,
    /// Pages and the stream of a result of 6 million rows.
    Results,
    /// Polling, a cached submit, a tiny statement.
    Queries,
    /// Calls of endpoints, with cached results and with runs.
    Endpoint,
    /// Start-up and lists with 100,000 records.
    Records,
    /// Idle connections and slow readers.
    Connections,
    /// Start-up with 200 views.
    Starts,
    /// `/metrics` with 200 views, alone and beside reads.
    Scrape,
    /// The row encoder by type, with criterion.
    Encoder,
    /// The 22 queries of TPC-H beside DuckDB's Python package.
    Tpch,
    /// The 99 queries of TPC-DS beside DuckDB's Python package.
    Tpcds,
    /// The 43 queries of ClickBench beside DuckDB's Python package.
    Clickbench,
    /// Draining 6 million rows from Trino beside a minimal client.
    Trino,
    /// Trino's published clients reading 6 million rows from here and from a Trino.
    Clients,
}

impl Subject {
    /// The suite of queries that this subject measures, if any.
    const fn suite(self) -> Option<Suite> {
        match self {
            Self::Tpch => Some(Suite::Tpch),
            Self::Tpcds => Some(Suite::Tpcds),
            Self::Clickbench => Some(Suite::Clickbench),
            _ => None,
        }
    }

    /// Whether this subject is compared with other peers than bare hyper.
    const fn has_other_peers(self) -> bool {
        matches!(self, Self::Trino | Self::Clients) || self.suite().is_some()
    }
}

/// One run.
#[derive(Debug)]
struct Bench {
    rounds: usize,
    time: Duration,
    warm_up: Duration,
    connections: usize,
    only: Option<String>,
    peers: Vec<Peer>,
    python: PathBuf,
    limit: Process,
}

impl Bench {
    /// Whether a line of this name is selected.
    fn is_wanted(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.starts_with(only))
    }
}

pub(crate) fn run(arguments: Arguments) -> Result<()> {
    let Arguments {
        subjects,
        rounds,
        seconds,
        connections,
        peers,
        scale,
        tables,
        only,
        no_build,
        python,
        data_dir,
    } = arguments;
    if !no_build {
        // All three together, so that features are unified as everywhere else and Polars is not rebuilt.
        let packages = ["-p", "rowhouse-server", "-p", "rowhouse-engine", "-p", "rowhouse-bench-programs"];
        cargo(&[&["build", "--release", "--bins"], packages.as_slice()].concat(), &[])?;
    }
    let usual =
        [Subject::Views, Subject::Results, Subject::Queries, Subject::Connections, Subject::Starts].to_vec();
    let subjects = if subjects.is_empty() { usual } else { subjects };
    let data_dir =
        data_dir.map_or_else(|| Ok::<_, anyhow::Error>(process::programs()?.join("bench-data")), Ok)?;
    let rounds = rounds.max(1);
    let (tables, only) = (tables.as_deref(), only.as_deref());
    for suite in subjects.iter().filter_map(|subject| subject.suite()) {
        suite::run(&SuiteRun { suite, rounds, scale: &scale, tables, data_dir: &data_dir, only })?;
    }
    if subjects.contains(&Subject::Trino) {
        trino::run(rounds, &data_dir.join("trino"))?;
    }
    if subjects.contains(&Subject::Clients) {
        trino::run_clients(rounds)?;
    }
    if subjects.iter().all(|subject| subject.has_other_peers()) {
        return Ok(());
    }
    let bench = Bench {
        rounds,
        time: Duration::from_secs_f64(seconds),
        warm_up: Duration::from_secs_f64(seconds / 4.0),
        connections,
        only: only.map(str::to_owned),
        peers,
        python,
        limit: Process::bare_hyper()?,
    };
    println!("{:<34} {:>11} {:>11} {:>8}", "", "rowhouse", "bare hyper", "ratio");
    for subject in subjects {
        if subject == Subject::Encoder {
            let bench = ["bench", "-p", "rowhouse-rows", "--bench", "encode"];
            cargo(&bench, &[])?;
            continue;
        }
        if subject.has_other_peers() {
            continue;
        }
        if subject == Subject::Starts {
            starts::run(&data_dir.join("views"))?;
            continue;
        }
        if subject == Subject::Scrape {
            scrape::run(&bench, &data_dir.join("views"))?;
            continue;
        }
        let start = || Server::start(&data_dir.join("main"), &["--limits-connections", "20000"]);
        if subject == Subject::Records {
            records::fill(&bench, &start()?)?;
        }
        let server = start()?;
        match subject {
            Subject::Views => views::run(&bench, &server, 1)?,
            Subject::Growth => views::run(&bench, &server, GROWTH)?,
            Subject::Results => results::run(&bench, &server)?,
            Subject::Queries => queries::run(&bench, &server)?,
            Subject::Endpoint => endpoints::run(&bench, &server, &data_dir)?,
            Subject::Records => records::run(&server)?,
            Subject::Connections => {
                connections::idle(&server)?;
                connections::run(&bench, &server)?;
            }
            Subject::Starts
            | Subject::Scrape
            | Subject::Encoder
            | Subject::Tpch
            | Subject::Tpcds
            | Subject::Clickbench
            | Subject::Trino
            | Subject::Clients => {}
        }
    }
    Ok(())
}
