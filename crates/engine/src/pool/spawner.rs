//! The one thread that starts worker processes.
//!
//! A worker asks the kernel to kill it when its parent dies (`PR_SET_PDEATHSIG`), and the kernel's parent is the thread
//! that forked. A thread of the runtime may end while the server runs; this one ends with the pool.

use std::ffi::OsString;
use std::io;
use std::ops::RangeInclusive;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::sync::mpsc;

use tokio::process::{Child, Command};
use tokio::sync::oneshot;

use super::PoolConfig;

/// Environment variables that a worker inherits: none that may contain a secret.
const INHERITED: &[&str] = &["PATH", "HOME", "LANG", "TMPDIR", "RUST_LOG"];

/// Unit in which a worker's allocator requests memory from the system, in KiB.
const ARENA_KIB: u32 = 64 << 10;

/// Minimum limit for committing such a unit as a whole. Memory that is committed piece by piece never gets huge pages;
/// but the limit is on data, and committed memory counts even if unused.
const WHOLE_ARENAS_FROM_BYTES: u64 = 1 << 30;

/// Memory limit per row group that is read ahead. `SELECT *` over TPC-H's `lineitem`, in groups of 131,072 rows, takes
/// 0.8 GiB more for each, because its rows are produced faster than they are written.
const ROW_GROUP_MEMORY_BYTES: u64 = 1 << 30;

/// Rows per Polars morsel: at most its own default, and at least as many as are efficient. If rows are read faster than
/// they are consumed, some forty times as many are queued between the operators of a statement.
const ROWS_AT_A_TIME: RangeInclusive<u64> = 16_384..=100_000;
/// Memory limit per row of a morsel.
const ROW_MEMORY_BYTES: u64 = (4 << 30) / *ROWS_AT_A_TIME.end();

/// The purpose of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Any statement.
    Any,
    /// A statement that has reached its memory limit: read ahead as little as possible.
    Spilling,
}

/// The parameters of a process to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) purpose: Purpose,
    /// Memory limit of a statement in it: at most the server's own.
    pub(super) memory_limit_bytes: u64,
}

/// A requested process, and where to send it.
type Request = (Start, oneshot::Sender<io::Result<Child>>);

/// Starts processes on its own thread until it is dropped.
pub(super) struct Spawner {
    requests: mpsc::Sender<Request>,
}

impl Spawner {
    /// Must be called inside a runtime, which the processes' pipes will belong to.
    pub(super) fn start(config: &PoolConfig) -> io::Result<Self> {
        let (requests, receiver) = mpsc::channel::<Request>();
        let runtime = tokio::runtime::Handle::current();
        let config = config.clone();
        std::thread::Builder::new().name("worker-spawner".to_owned()).spawn(move || {
            let _context = runtime.enter();
            for (start, request) in receiver {
                // If the requester is gone, the process is dropped with the answer, which kills it.
                let _ = request.send(command(&config, start).spawn());
            }
        })?;
        Ok(Self { requests })
    }

    pub(super) async fn spawn(&self, start: Start) -> io::Result<Child> {
        let ended = || io::Error::other("the spawner thread has ended");
        let (sender, receiver) = oneshot::channel();
        self.requests.send((start, sender)).map_err(|_| ended())?;
        receiver.await.map_err(|_| ended())?
    }
}

/// A row group is decoded by one thread, and counts as read ahead until its rows are consumed: fewer row groups than
/// threads leave threads idle, and more do not help.
fn row_groups_at_a_time(config: &PoolConfig, start: Start) -> u64 {
    let threads = u64::try_from(config.worker_threads).unwrap_or(u64::MAX);
    (start.memory_limit_bytes / ROW_GROUP_MEMORY_BYTES).min(threads).max(1)
}

fn rows_at_a_time(start: Start) -> u64 {
    let (least, most) = ROWS_AT_A_TIME.into_inner();
    match start.purpose {
        Purpose::Any => (start.memory_limit_bytes / ROW_MEMORY_BYTES).clamp(least, most),
        Purpose::Spilling => least,
    }
}

fn command(config: &PoolConfig, start: Start) -> Command {
    let is_arena_whole = start.purpose == Purpose::Any && start.memory_limit_bytes >= WHOLE_ARENAS_FROM_BYTES;
    let rows_at_a_time = rows_at_a_time(start).to_string();
    let mut command = std::process::Command::new(&config.program);
    command
        .arg0("rowhouse")
        .arg("worker")
        .arg("--memory-limit-bytes")
        .arg(start.memory_limit_bytes.to_string())
        .arg("--sandbox")
        .arg(config.sandbox.as_str())
        .env_clear()
        .envs(INHERITED.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?))))
        .env("TZ", "UTC")
        // A process that has reached its limit has no memory for a backtrace, and might wait for it forever.
        .env("RUST_BACKTRACE", "0")
        .env("POLARS_MAX_THREADS", config.worker_threads.to_string())
        .env("MIMALLOC_ARENA_EAGER_COMMIT", u8::from(is_arena_whole).to_string())
        .env("MIMALLOC_ARENA_RESERVE", ARENA_KIB.to_string())
        // No memory is returned while it lives: `worker_retention` decides when it ends.
        .env("MIMALLOC_PURGE_DELAY", "-1")
        .env("POLARS_ROW_GROUP_PREFETCH_SIZE", row_groups_at_a_time(config, start).to_string())
        // The older name of the same variable, which Polars reads as the default of the new one.
        .env("POLARS_STREAMING_CHUNK_SIZE", &rows_at_a_time)
        .env("POLARS_IDEAL_MORSEL_SIZE", &rows_at_a_time)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A separate process group: Ctrl-C in a terminal reaches only the server, which then ends its workers.
        .process_group(0);
    let mut command = Command::from(command);
    command.kill_on_drop(true);
    command
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::EngineConfig;

    #[test]
    fn a_small_memory_limit_means_small_morsels_and_lazy_commit() {
        let check = |gibibytes: u64, purpose: Purpose, rows: &str, is_arena_whole: &str| {
            let config = EngineConfig::new("data").pool(Path::new("rowhouse"));
            let command = command(&config, Start { purpose, memory_limit_bytes: gibibytes << 30 });
            let set = |name: &str| {
                let mut all = command.as_std().get_envs();
                all.find(|(set, _)| *set == name).and_then(|(_, value)| value?.to_str()).map(str::to_owned)
            };
            assert_eq!(set("POLARS_IDEAL_MORSEL_SIZE").as_deref(), Some(rows));
            assert_eq!(set("POLARS_STREAMING_CHUNK_SIZE").as_deref(), Some(rows));
            assert_eq!(set("MIMALLOC_ARENA_EAGER_COMMIT").as_deref(), Some(is_arena_whole));
        };
        check(16, Purpose::Any, "100000", "1");
        check(4, Purpose::Any, "100000", "1");
        check(1, Purpose::Any, "25000", "1");
        check(0, Purpose::Any, "16384", "0");
        check(16, Purpose::Spilling, "16384", "0");
    }
}
