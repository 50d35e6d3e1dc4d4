//! How fast a statement is read from a Trino cluster, beside a client that follows `nextUri` and discards the rows.
//! Trino, that client and the server share the machine, and both are measured in each round.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::process::{cpu_seconds, program};
use super::server::Server;
use crate::command::root;

const LINEITEM: &str = "SELECT * FROM tpch.sf1.lineitem";
const LINEITEM_ROWS: u64 = 6_001_215;

/// A Trino server, and the minimal client (`xtask/programs/src/bin/bare-trino.rs`). Both end with their input.
struct BareTrino {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    name: String,
    address: SocketAddr,
}

/// One complete read.
#[derive(Clone, Copy)]
struct Drain {
    seconds: f64,
    cpu_seconds: f64,
}

pub(super) fn run(rounds: usize, data_dir: &Path) -> Result<()> {
    let Some(mut trino) = BareTrino::start()? else {
        println!("{:<34} SKIPPED: there is no Trino", "drain of 6 M rows");
        return Ok(());
    };
    // Not kept for the next run: results would accumulate, and the cluster has another port each time.
    if data_dir.exists() {
        std::fs::remove_dir_all(data_dir)?;
    }
    let url = format!("http://{}", trino.address);
    let server = Server::start(data_dir, &["--engine-kind", "trino", "--engine-trino-url", &url])?;
    println!(
        "{:<34} {:>13} {:>13} {:>8}   {:>19} {:>9}",
        "", "rowhouse", "bare client", "ratio", "cpu s", "peak MiB"
    );
    // Once to warm up Trino.
    trino.drain()?;
    server.process.reset_peak_memory()?;
    let mut ratios = Vec::new();
    for round in 0..rounds {
        // Both in turn, because Trino gets faster as it runs.
        let (bytes, bare, own);
        if round % 2 == 0 {
            (bytes, bare) = trino.drain()?;
            own = drain(&server)?;
        } else {
            own = drain(&server)?;
            (bytes, bare) = trino.drain()?;
        }
        let ratio = bare.seconds / own.seconds;
        println!(
            "{:<34} {:>6.2} s {:>4.0} {:>6.2} s {:>4.0} {:>6.1} %   {:>9.2} {:>9.2} {:>9.0}",
            format!("drain of 6 M rows, {}", trino.name),
            own.seconds,
            bytes as f64 / 1e6 / own.seconds,
            bare.seconds,
            bytes as f64 / 1e6 / bare.seconds,
            ratio * 100.0,
            own.cpu_seconds,
            bare.cpu_seconds,
            server.process.memory_bytes("VmHWM")? as f64 / f64::from(1 << 20),
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!("{:<34} {:>36.1} %", "  median", ratios[ratios.len() / 2] * 100.0);
    drop(server);
    Ok(std::fs::remove_dir_all(data_dir)?)
}

/// Published clients, which another program runs against both servers.
pub(super) fn run_clients(rounds: usize) -> Result<()> {
    let mut command = Command::new(program("client-drains")?);
    // The program looks there for its scripts.
    let status = command.arg(rounds.to_string()).env("CARGO_MANIFEST_DIR", root().join("tests")).status()?;
    ensure!(status.success(), "the clients' program ended with {status}");
    Ok(())
}

fn drain(server: &Server) -> Result<Drain> {
    let (begun, cpu) = (Instant::now(), server.process.cpu_seconds()?);
    let id = server.run(&json!({ "sql": LINEITEM }))?;
    let seconds = begun.elapsed().as_secs_f64();
    let query = server.get(&format!("/api/v1/query/{id}?workspaceId={}", server.workspace_id))?;
    ensure!(query["rowCount"] == LINEITEM_ROWS, "another number of rows: {query}");
    Ok(Drain { seconds, cpu_seconds: server.process.cpu_seconds()? - cpu })
}

impl BareTrino {
    /// Starts both; none if there is no Trino, which has been reported.
    fn start() -> Result<Option<Self>> {
        let mut command = Command::new(program("bare-trino")?);
        // The program looks there for the files that start Trino; cargo has set the folder of this program's package.
        command.env("CARGO_MANIFEST_DIR", root().join("tests"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        // OK because both are pipes.
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let input = child.stdin.take();
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            ensure!(child.wait()?.success(), "Trino did not start");
            return Ok(None);
        }
        let (name, url) = line.trim().split_once(" listens at http://").context("Trino's address")?;
        let (name, address) = (name.to_owned(), url.parse().context("Trino's address")?);
        Ok(Some(Self { child, input, output, name, address }))
    }

    /// Bytes of JSON, and the time.
    fn drain(&mut self) -> Result<(u64, Drain)> {
        let cpu = cpu_seconds(self.child.id())?;
        writeln!(self.input.as_ref().context("the client's input")?, "{LINEITEM}")?;
        let mut line = String::new();
        ensure!(self.output.read_line(&mut line)? > 0, "the client ended");
        let (bytes, seconds) = line.trim().split_once(' ').context("bytes and seconds")?;
        let cpu_seconds = cpu_seconds(self.child.id())? - cpu;
        Ok((bytes.parse()?, Drain { seconds: seconds.parse()?, cpu_seconds }))
    }
}

impl Drop for BareTrino {
    fn drop(&mut self) {
        self.input = None;
        // It ends Trino, which a kill would leave running.
        let _ = self.child.wait();
    }
}
