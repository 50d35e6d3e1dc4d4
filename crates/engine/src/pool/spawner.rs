//! The one thread that starts worker processes.
//!
//! A worker asks the kernel to be killed when its parent dies (`PR_SET_PDEATHSIG`), and to the kernel the
//! parent is the thread that forked. A thread of the runtime may end while the server goes on; this one ends
//! with the pool.

use std::ffi::OsString;
use std::io;
use std::ops::RangeInclusive;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::sync::mpsc;

use tokio::process::{Child, Command};
use tokio::sync::oneshot;

use super::PoolConfig;

/// What a worker inherits of the server's environment: nothing that may hold a secret.
const INHERITED: &[&str] = &["PATH", "HOME", "LANG", "TMPDIR", "RUST_LOG"];

/// What a worker's allocator takes of the system at a time, in KiB; it takes no less.
const ARENA_KIB: u32 = 64 << 10;

/// The least limit with which that is committed as a whole. Memory that is committed piece by piece never has huge pages;
/// but the limit is on data, and what is committed counts although nobody uses it yet.
const WHOLE_ARENAS_FROM_BYTES: u64 = 1 << 30;

/// The part of a statement's memory for each row group that is read at a time. `SELECT *` over TPC-H's `lineitem`, in
/// groups of 131,072 rows, takes 0.8 GiB more for each, because its rows are made faster than they are written.
const ROW_GROUP_MEMORY_BYTES: u64 = 1 << 30;

/// Rows that go through Polars at a time: its own default, and fewer than which cost more than they save. Where rows are
/// read faster than they are used, some forty times as many wait between the steps of a statement.
const ROWS_AT_A_TIME: RangeInclusive<u64> = 16_384..=100_000;
/// The part of a statement's memory for each of these rows.
const ROW_MEMORY_BYTES: u64 = (4 << 30) / *ROWS_AT_A_TIME.end();

/// What a process is started for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Statements, as they come.
    Any,
    /// A statement that has met its memory limit: as little as can be is read ahead.
    Spilling,
}

/// A process that is to be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) purpose: Purpose,
    /// What a statement in it may have: at most the server's own limit.
    pub(super) memory_limit_bytes: u64,
}

/// A process that is wanted, and where to.
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
                // Where nobody waits any more the process is dropped with the answer, which kills it.
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

/// A row group is decoded by one thread, and counts as read ahead until its rows are taken: with fewer than threads some
/// have nothing to do, and more help nobody.
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
        // A process that has met its limit has no memory for a backtrace, and could wait for it for ever.
        .env("RUST_BACKTRACE", "0")
        .env("POLARS_MAX_THREADS", config.worker_threads.to_string())
        .env("MIMALLOC_ARENA_EAGER_COMMIT", u8::from(is_arena_whole).to_string())
        .env("MIMALLOC_ARENA_RESERVE", ARENA_KIB.to_string())
        // Nothing is given back while it lives: `keeping` says when it ends.
        .env("MIMALLOC_PURGE_DELAY", "-1")
        .env("POLARS_ROW_GROUP_PREFETCH_SIZE", row_groups_at_a_time(config, start).to_string())
        // The older name of the same, which Polars reads, too, where it is not set: as its default.
        .env("POLARS_STREAMING_CHUNK_SIZE", &rows_at_a_time)
        .env("POLARS_IDEAL_MORSEL_SIZE", &rows_at_a_time)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own: Ctrl-C in a terminal reaches the server alone, which then ends its workers.
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
    fn little_memory_is_taken_in_small_steps() {
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
