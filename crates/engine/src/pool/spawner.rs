//! The one thread that starts worker processes.
//!
//! A worker asks the kernel to be killed when its parent dies (`PR_SET_PDEATHSIG`), and to the kernel the
//! parent is the thread that forked. A thread of the runtime may end while the server goes on; this one ends
//! with the pool.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::sync::mpsc;

use tokio::process::{Child, Command};
use tokio::sync::oneshot;

use super::PoolConfig;

/// What a worker inherits of the server's environment: nothing that may hold a secret.
const INHERITED: &[&str] = &["PATH", "HOME", "LANG", "TMPDIR", "RUST_BACKTRACE", "RUST_LOG"];

/// What a worker's allocator takes of the system at a time, in KiB. It is committed as a whole, because memory that is
/// committed piece by piece never has huge pages; the limit is on data, and what is committed counts although nobody
/// uses it yet, so it is little beside the limit.
const ARENA_KIB: u32 = 64 << 10;

/// The part of a statement's memory for each row group that is read at a time. `SELECT *` over TPC-H's `lineitem`, in
/// groups of 131,072 rows, takes 0.8 GiB more for each, because its rows are made faster than they are written.
const ROW_GROUP_MEMORY_BYTES: u64 = 1 << 30;

/// Starts processes on its own thread until it is dropped.
pub(super) struct Spawner {
    requests: mpsc::Sender<oneshot::Sender<io::Result<Child>>>,
    memory_limit_bytes: u64,
}

impl Spawner {
    /// Must be called inside a runtime, which the processes' pipes will belong to.
    pub(super) fn start(config: &PoolConfig) -> io::Result<Self> {
        let (requests, receiver) = mpsc::channel::<oneshot::Sender<io::Result<Child>>>();
        let runtime = tokio::runtime::Handle::current();
        let config = config.clone();
        let memory_limit_bytes = config.memory_limit_bytes;
        std::thread::Builder::new().name("worker-spawner".to_owned()).spawn(move || {
            let _context = runtime.enter();
            for request in receiver {
                // Where nobody waits any more the process is dropped with the answer, which kills it.
                let _ = request.send(command(&config).spawn());
            }
        })?;
        Ok(Self { requests, memory_limit_bytes })
    }

    /// The limit that the processes are started with.
    pub(super) const fn memory_limit_bytes(&self) -> u64 {
        self.memory_limit_bytes
    }

    pub(super) async fn spawn(&self) -> io::Result<Child> {
        let ended = || io::Error::other("the spawner thread has ended");
        let (sender, receiver) = oneshot::channel();
        self.requests.send(sender).map_err(|_| ended())?;
        receiver.await.map_err(|_| ended())?
    }
}

/// A row group is decoded by one thread, and counts as read ahead until its rows are taken: with fewer than threads some
/// have nothing to do, and more help nobody.
fn row_groups_at_a_time(config: &PoolConfig) -> u64 {
    let threads = u64::try_from(config.worker_threads).unwrap_or(u64::MAX);
    (config.memory_limit_bytes / ROW_GROUP_MEMORY_BYTES).min(threads).max(1)
}

fn command(config: &PoolConfig) -> Command {
    let mut command = std::process::Command::new(&config.program);
    command
        .arg0("rowhouse")
        .arg("worker")
        .arg("--memory-limit-bytes")
        .arg(config.memory_limit_bytes.to_string())
        .env_clear()
        .envs(INHERITED.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?))))
        .env("TZ", "UTC")
        .env("POLARS_MAX_THREADS", config.worker_threads.to_string())
        .env("MIMALLOC_ARENA_EAGER_COMMIT", "1")
        .env("MIMALLOC_ARENA_RESERVE", ARENA_KIB.to_string())
        // Nothing is given back while it lives: `keeping` says when it ends.
        .env("MIMALLOC_PURGE_DELAY", "-1")
        .env("POLARS_ROW_GROUP_PREFETCH_SIZE", row_groups_at_a_time(config).to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own: Ctrl-C in a terminal reaches the server alone, which then ends its workers.
        .process_group(0);
    let mut command = Command::from(command);
    command.kill_on_drop(true);
    command
}
