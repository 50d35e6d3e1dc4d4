//! Published clients of Trino that pause in the middle of a result: a cancel frees the worker, and a client that
//! sleeps, or whose server is killed meanwhile, continues and loses no row.

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use rowhouse_tests::{
    Forwarder, ProtocolClient, SLOW_SQL, Server, Stepwise, TrinoClients, path_in_tests, python,
};
use serde_json::json;

/// Several pages, more rows than the JDBC driver reads ahead.
const LARGE: &str = "SELECT * FROM tpch.tiny.lineitem ORDER BY l_orderkey, l_linenumber";
const LARGE_ROWS: u64 = 60_175;
/// Maximum time of any step on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A client for which no byte came for so long reads ahead no more.
const READS_AHEAD: Duration = Duration::from_secs(2);

/// CPU time of a process in seconds; none if it is gone.
fn cpu_seconds(pid: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks: f64 = fields[11].parse::<f64>().ok()? + fields[12].parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(Instant::now() < deadline, "waiting for {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_by_jdbc_frees_the_worker() {
    let Some(clients) = TrinoClients::get() else { return };
    let server = Server::builder().arguments(["--engine-concurrency", "1"]).start();
    let workspace = server.demo().await;
    let mut client = clients.jdbc_steps(&server.url(), server.admin_token(), "cancel", SLOW_SQL);
    assert_eq!(client.line(), "running");
    let list = format!("/api/v1/queries?workspaceId={workspace}&limit=1");
    let id = until("the statement", async || {
        let newest = server.get(&list).await.ok()["result"][0].clone();
        let is_running = newest["sql"] == SLOW_SQL && newest["status"] == "RUNNING";
        is_running.then(|| newest["id"].as_str().expect("an id").to_owned())
    })
    .await;
    let worker = until("a worker that computes", async || {
        server.worker_pids().into_iter().find(|pid| cpu_seconds(*pid).is_some_and(|seconds| seconds > 1.0))
    })
    .await;
    let waiting = server.submit(&workspace, "SELECT 'after the cancel'").await;
    assert_eq!(waiting["status"], "QUEUED", "the one slot is taken");
    client.say("cancel");
    let begun = Instant::now();
    let is_gone = || !server.worker_pids().into_iter().collect::<HashSet<_>>().contains(&worker);
    until("the end of the worker", async || is_gone().then_some(())).await;
    let gone = begun.elapsed();
    let next = server.finish(&workspace, waiting["id"].as_str().expect("an id")).await;
    let free = begun.elapsed();
    assert_eq!(next["status"], "FINISHED", "{next}");
    let last_line = client.line();
    eprintln!(
        "the worker was gone after {gone:?}, its slot's next statement done after {free:?}; JDBC: {last_line} (ms)"
    );
    assert!(last_line.ends_with(" error 0"), "{last_line}");
    let record = server.finish(&workspace, &id).await;
    assert_eq!(record["error"]["errorName"], "USER_CANCELED", "{record}");
}

/// A client that has read its first rows.
struct Reader {
    name: &'static str,
    program: Stepwise,
}

impl Reader {
    /// The available clients, each paused.
    fn paused(address: &str, token: &str) -> Vec<Self> {
        let mut readers = Vec::new();
        if let Some(clients) = TrinoClients::get() {
            let program = clients.jdbc_steps(&format!("http://{address}"), token, "pause", LARGE);
            readers.push(Self { name: "JDBC", program });
        }
        if let Some(mut interpreter) = python(&["trino"]) {
            interpreter.arg("-B").arg(path_in_tests("python/trino_pause.py"));
            let (host, port) = address.split_once(':').expect("a host and a port");
            let port: u16 = port.parse().expect("a port");
            let task = json!({"host": host, "port": port, "user": "alice", "token": token, "sql": LARGE});
            let mut program = Stepwise::start(interpreter);
            program.say(&task.to_string());
            readers.push(Self { name: "Python", program });
        }
        for reader in &mut readers {
            assert_eq!(reader.program.line(), "paused", "{}", reader.name);
        }
        readers
    }

    /// Reads the rest; returns the number of rows and a digest of all of them.
    fn read_on(mut self) -> (&'static str, String) {
        self.program.say("go on");
        (self.name, self.program.line())
    }
}

fn read_on(readers: Vec<Reader>) -> Vec<(&'static str, String)> {
    let read: Vec<_> = readers.into_iter().map(Reader::read_on).collect();
    for (name, rows) in &read {
        assert!(rows.starts_with(&format!("{LARGE_ROWS} ")), "{name}: {rows}");
    }
    read
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_continue_after_their_server_was_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::builder().data_dir(folder.path()).start();
    let token = server.admin_token().to_owned();
    let whole = read_on(Reader::paused(server.address(), &token));
    let forwarder = Forwarder::to(server.address()).await;
    let readers = Reader::paused(forwarder.address(), &token);
    // An answer that breaks off is an error for these clients, whichever server it is: they pause between two.
    forwarder.quiet(READS_AHEAD).await;
    server.kill();
    let server = Server::builder().data_dir(folder.path()).start();
    forwarder.set_target(server.address());
    assert_eq!(read_on(readers), whole);
}

/// Regression: connections whose answers had been read kept the places of clients that may pause, and an account's
/// ninth client was disconnected (D136).
#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_yield_their_places_to_paused_clients() {
    const PLACES: usize = 8;
    const PAUSE: Duration = Duration::from_secs(6);
    let server = Server::builder().arguments(["--limits-idle-timeout", "2s"]).start();
    let (token, encoding) = (server.admin_token(), [("x-trino-query-data-encoding", "json")]);
    let answers = ProtocolClient::of(&server).answers(LARGE, &encoding).await;
    let segment = answers.iter().find_map(|answer| answer["data"]["segments"].get(0)).expect("a segment");
    let uri = segment["uri"].as_str().expect("an address");
    let path = uri.strip_prefix(&server.url()).expect("of this server");
    let bytes = segment["metadata"]["segmentSize"].as_u64().expect("a size");
    let bytes = usize::try_from(bytes).expect("some MiB");
    let paused = || server.stalled(token, path, "identity");
    let read_on = |client: rowhouse_tests::Stalled| {
        let head = client.beginning.find("\r\n\r\n").expect("the head") + 4;
        client.read_on(head + bytes) - head
    };

    // All places are those of clients that pause.
    let mut clients: Vec<_> = (0..=PLACES).map(|_| paused()).collect();
    tokio::time::sleep(PAUSE).await;
    let one_too_many = read_on(clients.pop().expect("a client"));
    assert!(one_too_many < bytes, "it was cut off");
    for client in clients {
        assert_eq!(read_on(client), bytes);
    }

    // All places are those of connections that are idle.
    let mut connections = Vec::new();
    for _ in 0..PLACES {
        let mut connection = server.connect();
        write!(connection, "GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Token {token}\r\n\r\n")
            .expect("sent");
        let (mut answer, mut buffer) = (Vec::new(), vec![0; 1 << 20]);
        while answer.len() < bytes || !answer.ends_with(b"]") {
            let length = connection.read(&mut buffer).expect("the answer");
            assert!(length > 0, "it is cut off");
            answer.extend_from_slice(&buffer[..length]);
        }
        connections.push(connection);
    }
    let client = paused();
    tokio::time::sleep(PAUSE).await;
    assert_eq!(read_on(client), bytes);
    // One of them has lost its place, and the others wait for their clients.
    let mut closed = 0;
    for connection in &mut connections {
        connection.set_nonblocking(true).expect("a setting");
        closed += usize::from(connection.read(&mut [0; 1]).is_ok_and(|length| length == 0));
    }
    assert_eq!(closed, 1);
}

/// Run separately, because it takes long: `cargo test --release -p rowhouse-tests --test trino_pauses -- --ignored`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "sleeps for ten minutes"]
async fn clients_continue_after_ten_minutes() {
    let server = Server::start();
    let whole = read_on(Reader::paused(server.address(), server.admin_token()));
    let readers = Reader::paused(server.address(), server.admin_token());
    let begun = Instant::now();
    tokio::time::sleep(Duration::from_secs(600)).await;
    let paused = begun.elapsed();
    assert_eq!(read_on(readers), whole);
    eprintln!("{whole:?} after {paused:?}");
}
