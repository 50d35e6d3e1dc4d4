//! A server for a test: temporary data directory, free port, stopped and cleaned up on drop.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::{binary, sample_dir};

/// Maximum start-up time on a loaded machine.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// A running server.
#[derive(Debug)]
pub struct Server {
    child: Child,
    scheme: &'static str,
    address: String,
    admin_token: String,
    data_dir: PathBuf,
    /// Removed with the server, unless the builder was given a folder.
    _own_data_dir: Option<TempDir>,
}

/// Options of a server.
#[derive(Debug, Default)]
pub struct ServerBuilder {
    program: Option<PathBuf>,
    data_dir: Option<PathBuf>,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    log_file: Option<PathBuf>,
}

impl ServerBuilder {
    /// Uses this data directory and leaves it in place.
    #[must_use]
    pub fn data_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.data_dir = Some(path.into());
        self
    }

    /// Starts this program instead of the binary under test.
    #[must_use]
    pub fn program(mut self, path: impl Into<PathBuf>) -> Self {
        self.program = Some(path.into());
        self
    }

    /// Adds arguments of `rowhouse serve`.
    #[must_use]
    pub fn arguments<const N: usize>(mut self, arguments: [&str; N]) -> Self {
        self.arguments.extend(arguments.map(str::to_owned));
        self
    }

    /// Adds an environment variable.
    #[must_use]
    pub fn environment(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes the server's log to this file.
    #[must_use]
    pub fn log_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.log_file = Some(path.into());
        self
    }

    /// Starts the server and waits until it has printed its address.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(self) -> Server {
        let own_data_dir = self.data_dir.is_none().then(|| TempDir::new().expect("a temporary folder"));
        let data_dir = match (&self.data_dir, &own_data_dir) {
            (Some(path), _) => path.clone(),
            (None, Some(folder)) => folder.path().join("data"),
            (None, None) => unreachable!("one of the two is set above"),
        };
        let log = self.log_file.map_or_else(Stdio::inherit, |path| {
            Stdio::from(std::fs::File::create(path).expect("the log's file"))
        });
        let mut child = Command::new(self.program.unwrap_or_else(binary))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .arg("--data-dir")
            .arg(&data_dir)
            .arg("--sample-dir")
            .arg(sample_dir())
            .args(&self.arguments)
            .envs(self.environment)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the server starts");
        let stdout = child.stdout.take().expect("its output is a pipe");
        let address = printed_address(BufReader::new(stdout));
        let Some((scheme, address)) = address else {
            let _ = child.kill();
            let status = child.wait();
            panic!("the server printed no address within {START_TIMEOUT:?}; it ended with {status:?}");
        };
        let admin_token =
            std::fs::read_to_string(data_dir.join("admin-token")).expect("the admin token's file");
        let admin_token = admin_token.trim().to_owned();
        Server { child, scheme, address, admin_token, data_dir, _own_data_dir: own_data_dir }
    }
}

/// Reads the lines up to the address, and the rest in the background so that the server never blocks on its output.
fn printed_address(mut output: BufReader<std::process::ChildStdout>) -> Option<(&'static str, String)> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        while output.read_line(&mut line).is_ok_and(|length| length > 0) {
            if let Some(address) = address_in(&line) {
                let _ = sender.send(address);
            }
            line.clear();
        }
    });
    receiver.recv_timeout(START_TIMEOUT).ok()
}

/// Scheme and `127.0.0.1:PORT` of a line with `http://127.0.0.1:PORT/web/`.
fn address_in(line: &str) -> Option<(&'static str, String)> {
    ["http", "https"].into_iter().find_map(|scheme| {
        let start = format!("{scheme}://");
        let rest = &line[line.find(&format!("{start}127.0.0.1:"))? + start.len()..];
        let address = rest.split('/').next()?;
        rest[address.len()..].starts_with("/web/").then(|| (scheme, address.to_owned()))
    })
}

impl Server {
    /// A server with default settings.
    pub fn start() -> Self {
        ServerBuilder::default().start()
    }

    /// A server with custom settings.
    pub fn builder() -> ServerBuilder {
        ServerBuilder::default()
    }

    /// `127.0.0.1:PORT`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// `http://127.0.0.1:PORT`, or with `https`.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// Sends SIGHUP, on which it reloads its configuration.
    ///
    /// # Panics
    /// If it is gone.
    pub fn hang_up(&self) {
        kill_process(Pid::from_child(&self.child), Signal::HUP).expect("the server can be signalled");
    }

    /// The admin's token.
    pub fn admin_token(&self) -> &str {
        &self.admin_token
    }

    /// Its data directory.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The server's process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends SIGKILL and waits until it is gone.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Sends SIGTERM; returns its exit code, or none if it had to be killed after `timeout`.
    pub fn terminate(&mut self, timeout: Duration) -> Option<i32> {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).expect("the server can be signalled");
        let deadline = std::time::Instant::now() + timeout;
        while std::time::Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("the server can be waited for") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.kill();
        None
    }

    /// A field of `/proc/PID/status` in bytes, as `VmRSS` or `VmHWM`.
    pub fn memory_bytes(&self, figure: &str) -> u64 {
        memory_bytes(self.pid(), figure).expect("the server runs")
    }

    /// Process ids of the server's children: its workers.
    pub fn worker_pids(&self) -> Vec<u32> {
        let path = format!("/proc/{0}/task", self.pid());
        let tasks = std::fs::read_dir(path).into_iter().flatten().flatten();
        let children = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        children
            .flat_map(|line| line.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
            .collect()
    }
}

/// A field of `/proc/PID/status` in bytes; none if the process is gone.
pub fn memory_bytes(pid: u32, figure: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line =
        status.lines().find(|line| line.strip_prefix(figure).is_some_and(|rest| rest.starts_with(':')))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
