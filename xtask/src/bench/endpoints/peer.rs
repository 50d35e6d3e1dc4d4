//! DuckDB behind FastAPI and uvicorn as a peer of this server, if the user has a Python with the three packages.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::super::load::Load;
use super::super::process::Process;
use super::super::scenario::Peer;
use super::super::server::request_bytes;
use crate::command::root;

/// Maximum start-up time of its workers.
const PATIENCE: Duration = Duration::from_secs(30);

/// The running peer; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct FastApi {
    process: Process,
}

impl FastApi {
    /// Starts it over the Parquet files of a folder; none, with a warning, if Python lacks one of the packages.
    pub(super) fn start(python: &Path, folder: &Path) -> Result<Option<Self>> {
        let script = root().join("xtask/src/bench/endpoints/fastapi_duckdb.py");
        let has_packages = Command::new(python).args(["-c", "import fastapi, uvicorn, duckdb"]).output();
        if !has_packages.is_ok_and(|output| output.status.success()) {
            println!(
                "*** DuckDB behind FastAPI is left out: {} has not all of fastapi, uvicorn and duckdb. `python3 -m venv \
                 FOLDER`, `FOLDER/bin/pip install fastapi 'uvicorn[standard]' duckdb`, then run again with --python \
                 FOLDER/bin/python.",
                python.display()
            );
            return Ok(None);
        }
        let peer = Self { process: Process::start(Command::new(python).arg(script).arg(folder))? };
        let begun = Instant::now();
        let request = [request_bytes("GET", "peer", "/number?n=1", "", None)];
        let load = Load { address: peer.process.address, connections: 1, requests: &request };
        while let Err(error) = load.run(Duration::ZERO, Duration::ZERO) {
            ensure!(begun.elapsed() < PATIENCE, "DuckDB behind FastAPI does not answer: {error:#}");
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(Some(peer))
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.process.address
    }

    /// The peer of a scenario.
    pub(super) fn of(&self, scenario: &str, path: &str) -> Result<Peer> {
        format!("DuckDB, FastAPI:{scenario}=http://{}{path}", self.process.address).parse()
    }
}

impl Drop for FastApi {
    fn drop(&mut self) {
        // Its workers end with it only if it is terminated, not if it is killed.
        self.process.terminate();
    }
}
