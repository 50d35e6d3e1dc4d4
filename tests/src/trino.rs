//! A real Trino server for tests: its main program and two connectors from Maven Central, cached in the user's cache
//! folder, started on a free port and shared by all tests of a program. If Java or Maven is missing, or Maven Central
//! is unreachable, the tests that need it are skipped with a message; on CI that is an error.

use std::hash::{BuildHasher as _, RandomState};
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::{Connection, path_in_tests, skip};

mod clients;
mod command;
mod install;
mod java;
mod protocol;

pub use clients::TrinoClients;
use install::Installation;
pub use protocol::{ProtocolClient, next_path, rows_of};

/// Memory of the Java process.
const HEAP: &str = "-Xmx2g";
const CONFIGURATION: &str = "etc/config.properties";
const SPOOLED: &str = "spooled";
/// 256 bits, base64: encrypts the names of segments, which only tests fetch.
const SPOOLING_KEY: &str = "b25seSB0ZXN0cyBmZXRjaCB0aGVzZSBzZWdtZW50cyE=";
/// Ports below it belong to well-known services.
const FIRST_PORT: u16 = 10_240;
/// Maximum start-up time on a loaded machine.
const START_TIMEOUT: Duration = Duration::from_secs(240);

/// A running Trino server with the catalogs `tpch` and `memory`.
#[derive(Debug)]
pub struct Trino {
    child: Mutex<Child>,
    port: u16,
    folder: TempDir,
    installation: Installation,
}

/// The Trino server of this program's tests, or none if it is unavailable; then the reason was printed.
///
/// # Panics
/// If it is available and does not start.
pub fn trino() -> Option<Arc<Trino>> {
    static SHARED: Mutex<Weak<Trino>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(running) = shared.upgrade() {
        return Some(running);
    }
    let started = Arc::new(Trino::start(installation()?, false));
    *shared = Arc::downgrade(&started);
    Some(started)
}

/// As [`trino`], but only the version whose answers this server must match.
///
/// # Panics
/// As [`trino`].
pub fn current_trino() -> Option<Arc<Trino>> {
    let version = installation()?.version;
    if version != "476" {
        skip("spooling-trino", format!("the Trino is {version}, 476 needs Java 24"));
        return None;
    }
    trino()
}

/// A separate Trino server, which a test may stop.
///
/// # Panics
/// As [`trino`].
pub fn own_trino() -> Option<Trino> {
    Some(Trino::start(installation()?, false))
}

/// A separate Trino server that spools rows into a folder, or none if Java is too old: spooling needs version 466.
///
/// # Panics
/// As [`trino`].
pub fn spooling_trino() -> Option<Trino> {
    let installation = installation()?;
    if installation.version < "466" {
        let reason = format!("Trino {} does not spool, a later one needs Java 24", installation.version);
        skip("spooling-trino", reason);
        return None;
    }
    Some(Trino::start(installation, true))
}

fn installation() -> Option<Installation> {
    static INSTALLATION: OnceLock<Result<Installation, String>> = OnceLock::new();
    match INSTALLATION.get_or_init(Installation::newest) {
        Ok(found) => Some(found.clone()),
        Err(reason) => {
            skip("trino", reason);
            None
        }
    }
}

impl Trino {
    fn start(installation: Installation, is_spooling: bool) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let port = free_port();
        write_configuration(folder.path(), &installation, port);
        if is_spooling {
            configure_spooling(folder.path(), &installation);
        }
        let child = Mutex::new(spawn(folder.path(), &installation));
        let trino = Self { child, port, folder, installation };
        trino.wait();
        trino
    }

    /// Version: `476`.
    pub fn version(&self) -> &str {
        self.installation.version
    }

    /// The folder in which a server with spooling stores rows until they are fetched.
    pub fn spooled(&self) -> PathBuf {
        self.folder.path().join(SPOOLED)
    }

    /// Kills it, like a crash.
    pub fn stop(&self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Starts it again after [`stop`](Self::stop), on the same port.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start_again(&self) {
        *self.child.lock().unwrap_or_else(PoisonError::into_inner) =
            spawn(self.folder.path(), &self.installation);
        self.wait();
    }

    /// Address: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Trino's own list of statements: id, state and text of each.
    ///
    /// # Panics
    /// If it does not answer.
    pub async fn statements(&self) -> Vec<Value> {
        let list = Connection::trino(&self.url()).try_get("/v1/query").await.expect("Trino answers");
        list.as_array().expect("a list of statements").clone()
    }

    /// Whether a statement is in Trino's own list.
    pub async fn knows(&self, id: &str) -> bool {
        self.statements().await.iter().any(|statement| statement["queryId"] == id)
    }

    /// How many statements of Trino's own list contain this text.
    pub async fn count_of(&self, part: &str) -> usize {
        let statements = self.statements().await;
        statements.iter().filter(|statement| statement["query"].to_string().contains(part)).count()
    }

    /// The state of a statement in Trino's own list.
    ///
    /// # Panics
    /// If Trino does not know it.
    pub async fn state_of(&self, id: &str) -> String {
        let statements = self.statements().await;
        let found = statements.iter().find(|statement| statement["queryId"] == id);
        let found = found.unwrap_or_else(|| panic!("Trino does not know {id}"));
        found["state"].as_str().expect("a state").to_owned()
    }

    /// Waits until a statement has this state in Trino's own list.
    ///
    /// # Panics
    /// If it does not get there.
    pub async fn reaches(&self, id: &str, state: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let now = self.state_of(id).await;
            if now == state {
                return;
            }
            assert!(Instant::now() < deadline, "{id} is {now}, not {state}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn wait(&self) {
        let deadline = Instant::now() + START_TIMEOUT;
        let log = self.folder.path().join("log");
        while !answers(self.port) {
            let ended = self.child.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
            let has_ended = ended.is_ok_and(|status| status.is_some());
            if has_ended || Instant::now() > deadline {
                let text = std::fs::read_to_string(&log).unwrap_or_default();
                let end = text.len().saturating_sub(4000);
                panic!("Trino did not start: {}", text.get(end..).unwrap_or(&text));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Trino {
    fn drop(&mut self) {
        self.stop();
    }
}

fn write_configuration(folder: &Path, installation: &Installation, port: u16) {
    let catalogs = folder.join("etc/catalog");
    std::fs::create_dir_all(&catalogs).expect("a folder");
    let plugins = installation.folder.join("plugin");
    let configuration = format!(
        "coordinator=true\nnode-scheduler.include-coordinator=true\nhttp-server.http.port={port}\n\
         discovery.uri=http://127.0.0.1:{port}\nnode.environment=test\nnode.id=test\n\
         plugin.dir={}\ncatalog.config-dir={}\n",
        plugins.display(),
        catalogs.display()
    );
    std::fs::write(folder.join(CONFIGURATION), configuration).expect("a file");
    // Columns and types as the benchmark and the sample catalog have them: `l_tax`, decimals.
    let tpch = "connector.name=tpch\ntpch.column-naming=STANDARD\ntpch.double-type-mapping=DECIMAL\n";
    for (catalog, properties) in [("tpch", tpch), ("memory", "connector.name=memory\n")] {
        std::fs::write(catalogs.join(format!("{catalog}.properties")), properties).expect("a file");
    }
}

/// Rows are stored in a folder, by a plug-in that is compiled here, and are fetched through the coordinator.
fn configure_spooling(folder: &Path, installation: &Installation) {
    let (plugins, spooled) = (folder.join("plugin"), folder.join(SPOOLED));
    std::fs::create_dir_all(plugins.join("spooling")).expect("a folder");
    std::fs::create_dir_all(&spooled).expect("a folder");
    for plugin in std::fs::read_dir(installation.folder.join("plugin")).expect("the plug-ins").flatten() {
        std::os::unix::fs::symlink(plugin.path(), plugins.join(plugin.file_name())).expect("a link");
    }
    let source = path_in_tests("trino/LocalSpooling.java");
    let (classpath, jar) = (installation.folder.join("lib/*"), plugins.join("spooling/spooling.jar"));
    let compiled = installation.java.plugin(&source, &classpath, "io.trino.spi.Plugin", &jar);
    compiled.unwrap_or_else(|error| panic!("the plug-in that spools: {error}"));
    let file = folder.join(CONFIGURATION);
    let configuration = std::fs::read_to_string(&file).expect("the configuration");
    let line = |line: &&str| !line.starts_with("plugin.dir=");
    let mut configuration = configuration.lines().filter(line).collect::<Vec<_>>().join("\n");
    configuration += &format!(
        "\nplugin.dir={}\nprotocol.spooling.enabled=true\nprotocol.spooling.retrieval-mode=coordinator_proxy\n\
         protocol.spooling.shared-secret-key={SPOOLING_KEY}\n",
        plugins.display()
    );
    std::fs::write(file, configuration).expect("a file");
    let manager = format!("spooling-manager.name=local\nfolder={}\n", spooled.display());
    std::fs::write(folder.join("etc/spooling-manager.properties"), manager).expect("a file");
}

fn spawn(folder: &Path, installation: &Installation) -> Child {
    let log = std::fs::File::create(folder.join("log")).expect("the log's file");
    let mut java = installation.java.command("java");
    java.args(installation.flags())
        .args([HEAP, "-Djdk.attach.allowAttachSelf=true", "-Dconfig=etc/config.properties", "-cp"])
        .arg(installation.folder.join("lib/*"))
        .arg(path_in_tests("trino/Launch.java"))
        .arg(installation.version)
        .current_dir(folder)
        .stdout(log.try_clone().expect("the log's file"))
        .stderr(log)
        .stdin(Stdio::null())
        .spawn()
        .expect("java starts")
}

/// A port that nobody listens on, below the ephemeral ports: Java takes some seconds until it listens, and again after
/// a stop, and no other process may get the port meanwhile.
fn free_port() -> u16 {
    let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    let end = range.split_whitespace().next().and_then(|port| port.parse().ok()).unwrap_or(32_768);
    let ports = FIRST_PORT..end.max(FIRST_PORT + 1);
    let random = RandomState::new().hash_one(std::process::id());
    let start = random % u64::from(ports.end - ports.start);
    let mut candidates =
        ports.clone().cycle().skip(usize::try_from(start).expect("a port")).take(ports.len());
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    candidates.find(is_free).expect("a free port")
}

/// Whether Trino has started and has nodes to run on: it reports the first some time before the second holds.
fn answers(port: u16) -> bool {
    exchange(port, "GET /v1/info", "").is_some_and(|answer| answer.contains("\"starting\":false"))
        && runs_statements(port).unwrap_or(false)
}

fn runs_statements(port: u16) -> Option<bool> {
    let mut answer = exchange(port, "POST /v1/statement", "SELECT count(*) FROM tpch.tiny.nation")?;
    while let Some((_, next)) = answer.split_once("\"nextUri\":\"") {
        let path = next.split('"').next()?.splitn(4, '/').nth(3)?;
        answer = exchange(port, &format!("GET /{path}"), "")?;
    }
    Some(answer.contains("\"state\":\"FINISHED\""))
}

/// Trino's response, head and body.
fn exchange(port: u16, target: &str, body: &str) -> Option<String> {
    use std::io::Read as _;

    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    let request = format!(
        "{target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Trino-User: test\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}
