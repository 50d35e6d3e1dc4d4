//! The programs under test: the server on a data directory that later runs reuse, and bare hyper as the upper bound.
//! Both end when their handle is dropped.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

/// The unit of CPU times in Linux, on every architecture.
const TICKS_PER_SECOND: f64 = 100.0;

/// A server that listens.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    pub(super) address: SocketAddr,
    /// Time from its start until it had printed its address.
    pub(super) start: Duration,
    /// Keeps the pipe of its output open.
    _output: BufReader<ChildStdout>,
}

impl Process {
    /// `rowhouse serve` on a data directory; its log is written to a file beside it.
    pub(super) fn rowhouse(data_dir: &Path, arguments: &[&str]) -> Result<Self> {
        let log = std::fs::File::create(data_dir.with_extension("log"))?;
        let mut command = Command::new(program("rowhouse")?);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(data_dir);
        command.arg("--sample-dir").arg(programs()?.join("rowhouse-samples")).args(arguments);
        Self::start(command.stderr(log))
    }

    /// Bare hyper with prebuilt bytes.
    pub(super) fn bare_hyper() -> Result<Self> {
        Self::start(&mut Command::new(program("bare-hyper")?))
    }

    /// A program that prints its address.
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        let begun = Instant::now();
        let mut child = command.stdout(Stdio::piped()).spawn().context("starting a server")?;
        // OK because its output is a pipe.
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        loop {
            line.clear();
            if output.read_line(&mut line)? == 0 {
                bail!("a server printed no address; it ended with {}", child.wait()?);
            }
            let words = line.split(|character: char| character.is_whitespace() || character == '/');
            if let Some(address) = words.filter_map(|word| word.parse().ok()).next() {
                return Ok(Self { child, address, start: begun.elapsed(), _output: output });
            }
        }
    }

    /// Bytes of memory, as `VmRSS` (now) or `VmHWM` (peak since the last reset).
    pub(super) fn memory_bytes(&self, figure: &str) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':'));
        let kibibytes = line.and_then(|line| line.split_whitespace().next()).context("no such figure")?;
        Ok(kibibytes.parse::<u64>()? * 1024)
    }

    /// Its CPU time so far, in seconds.
    pub(super) fn cpu_seconds(&self) -> Result<f64> {
        cpu_seconds(self.child.id())
    }

    /// Asks it to end and waits until it has.
    pub(super) fn terminate(&mut self) {
        // It may have ended by itself.
        if kill_process(Pid::from_child(&self.child), Signal::TERM).is_ok() {
            let _ = self.child.wait();
        }
    }

    /// Resets the peak that `VmHWM` reports.
    pub(super) fn reset_peak_memory(&self) -> Result<()> {
        Ok(std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5")?)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// CPU time of a process so far, in seconds.
pub(super) fn cpu_seconds(process: u32) -> Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // After the program's name, which may contain anything; the times are the 14th and 15th of all fields.
    let fields = stat.rsplit_once(')').context("a process's line")?.1.split_whitespace().skip(11);
    let ticks: f64 = fields.take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    Ok(ticks / TICKS_PER_SECOND)
}

/// A program that was built beside this one.
pub(super) fn program(name: &str) -> Result<PathBuf> {
    let path = programs()?.join(name);
    if !path.is_file() {
        bail!("{} is not there: run without --no-build", path.display());
    }
    Ok(path)
}

/// `target/release`
pub(super) fn programs() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    Ok(own.parent().context("a program lies in a folder")?.to_owned())
}
