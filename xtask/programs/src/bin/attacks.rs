//! Latencies of an uninvolved user during an attack: point reads and `SELECT 1` in the user's own workspace while each
//! attack runs on another workspace, and the server's memory meanwhile. Each attack has a server of its own. Attackers
//! and user share the machine with the server, so the line without an attack comes first. Exits with 1 if a limit does
//! not hold.

use std::any::Any;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rowhouse_tests::{Connection, Server, hostile_text};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;

/// Time of one measurement.
const TIME: Duration = Duration::from_secs(15);
/// Time between two point reads, and between two statements, of the uninvolved user.
const READ_PAUSE: Duration = Duration::from_millis(10);
const STATEMENT_PAUSE: Duration = Duration::from_millis(100);

/// Time between the last answer to a burst of posts and the next burst.
const BURST_PAUSE: Duration = Duration::from_secs(1);

const MAX_READ_P99: Duration = Duration::from_millis(100);
const MAX_STATEMENT: Duration = Duration::from_secs(2);
const MAX_MEMORY_MIB: u64 = 512;

/// Maximum length of a statement's text, without its other words.
const LONG_TEXT_BYTES: usize = 1_000_000;

/// A server with two workspaces, and its attacker.
struct Bed {
    server: Arc<Server>,
    /// Id of the attacked workspace, whose name is `attacked`.
    attacked: String,
    attacker: String,
}

/// The running attack; it ends when this is dropped.
type Held = Box<dyn Any + Send>;

#[derive(Clone, Copy)]
enum Attack {
    Nothing,
    DearTexts,
    LongTexts,
    LongBodies,
    Scans,
    StalledRows,
    StalledStreams,
    StalledConnections,
    UnfinishedHeads,
}

const ATTACKS: [(Attack, &str); 9] = [
    (Attack::Nothing, "nothing"),
    (Attack::DearTexts, "530 texts that are dear to read"),
    (Attack::LongTexts, "500 texts of 1 MB"),
    (Attack::LongBodies, "80 saved texts of 1 MB"),
    (Attack::Scans, "64 scans by one account"),
    (Attack::StalledRows, "48 stalled readers of rows of 1 MB"),
    (Attack::StalledStreams, "1,500 stalled streams of HTTP/2"),
    (Attack::StalledConnections, "9,900 stalled connections of HTTP/2"),
    (Attack::UnfinishedHeads, "9,900 unfinished heads of 125 kB"),
];

fn main() -> ExitCode {
    // Words of the names of the selected attacks.
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "{:<38} {:>21} {:>21} {:>16}",
        "beside", "point read p50, p99", "SELECT 1 p50, max", "memory, with files"
    );
    let mut is_good = true;
    for (attack, name) in ATTACKS {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            is_good &= measure(attack, name);
        }
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a line; returns whether the limits hold.
fn measure(attack: Attack, name: &str) -> bool {
    let attackers = tokio::runtime::Runtime::new().expect("a runtime");
    let (bed, stranger) = attackers.block_on(prepare(attack));
    // OK to ignore: then the peak since the start is shown.
    let _ = std::fs::write(format!("/proc/{}/clear_refs", bed.server.pid()), "5");
    let watch = bed.server.watch_memory();
    // A separate thread: the user must wait for the server, not for the attackers.
    let calm = std::thread::spawn(move || stranger.serve());
    let held = attackers.block_on(begin(attack, &bed));
    let (reads, statements) = calm.join().expect("the stranger is served");
    let memory = watch.most_mib();
    let resident = bed.server.memory_bytes("VmHWM") >> 20;
    drop(held);
    attackers.shutdown_background();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{name:<38} {:>9.1}, {:>7.1} ms {:>9.1}, {:>7.1} ms {memory:>6}, {resident:>4} MiB",
        millis(at(&reads, 50)),
        millis(at(&reads, 99)),
        millis(at(&statements, 50)),
        millis(at(&statements, 100)),
    );
    at(&reads, 99) <= MAX_READ_P99 && at(&statements, 100) <= MAX_STATEMENT && memory < MAX_MEMORY_MIB
}

/// The uninvolved user.
struct Stranger {
    url: String,
    token: String,
    workspace: String,
}

impl Stranger {
    /// Latencies of point reads and statements.
    #[tokio::main(flavor = "current_thread")]
    async fn serve(self) -> (Vec<Duration>, Vec<Duration>) {
        let connection = Connection::new(&self.url, &self.token);
        // Both have run before.
        let _ = (read(&connection, 0).await, statement(&connection, &self.workspace, 0).await);
        let reads = repeated(READ_PAUSE, |number| read(&connection, number));
        let statements = repeated(STATEMENT_PAUSE, |number| statement(&connection, &self.workspace, number));
        tokio::join!(reads, statements)
    }
}

/// Latencies, sorted.
async fn repeated<F: Future<Output = Duration>>(
    pause: Duration,
    mut once: impl FnMut(u64) -> F,
) -> Vec<Duration> {
    let begun = Instant::now();
    let mut times = Vec::new();
    while begun.elapsed() < TIME {
        times.push(once(times.len() as u64 + 1).await);
        tokio::time::sleep(pause).await;
    }
    times.sort_unstable();
    times
}

fn at(times: &[Duration], share: usize) -> Duration {
    times[(times.len() - 1) * share / 100]
}

async fn read(connection: &Connection, number: u64) -> Duration {
    let begun = Instant::now();
    // Keys of the sample come in groups of 8 in 32.
    let id = number % 1000 * 32 + 1;
    let path = format!("/v1/data/calm/materializedView/orders?filters=id:EQ:{id}");
    connection.try_get(&path).await.expect("the server lives");
    begun.elapsed()
}

async fn statement(connection: &Connection, workspace: &str, number: u64) -> Duration {
    let begun = Instant::now();
    let sql = format!("SELECT {number}");
    let body = json!({ "workspaceId": workspace, "sql": sql, "wait": 60, "rows": 1 });
    let query = connection.try_post("/api/v1/query", body).await.expect("the server lives");
    assert_eq!(query["status"], "FINISHED", "{query}");
    begun.elapsed()
}

/// Prepares the workspaces and what the attack needs.
async fn prepare(attack: Attack) -> (Bed, Stranger) {
    let server = Arc::new(Server::start());
    let attacked = server.new_workspace("attacked").await;
    let attacker = server.new_member(&attacked, "attacker", "ANALYST").await;
    let workspace = server.new_workspace("calm").await;
    let token = server.new_member(&workspace, "stranger", "ANALYST").await;
    let orders = "SELECT o_orderkey AS id, o_comment FROM tpch.tiny.orders";
    server.new_view(&workspace, "orders", orders).await;
    let stranger = Stranger { url: server.url(), token, workspace };
    if let Some(sql) = rows_of(attack) {
        server.new_view(&attacked, "rows", sql).await;
    }
    (Bed { server, attacked, attacker }, stranger)
}

/// The statement of the attacked view.
const fn rows_of(attack: Attack) -> Option<&'static str> {
    Some(match attack {
        Attack::Scans => {
            "SELECT o_orderkey AS id, lpad('Q', 50000, 'a') AS body FROM tpch.tiny.orders WHERE o_orderkey <= 8000"
        }
        Attack::StalledRows => {
            "SELECT n_nationkey * 20 + i AS id, rpad(n_name, 1000000, 'xyz') AS text \
             FROM tpch.tiny.nation CROSS JOIN UNNEST(sequence(1, 12)) AS t (i)"
        }
        Attack::StalledStreams => "SELECT * FROM tpch.tiny.lineitem",
        _ => return None,
    })
}

async fn begin(attack: Attack, bed: &Bed) -> Held {
    match attack {
        Attack::Nothing => Box::new(()),
        Attack::DearTexts => bed.repeatedly(
            530,
            "/api/v1/query",
            |workspace, number| json!({ "workspaceId": workspace, "sql": hostile_text(number) }),
        ),
        Attack::LongTexts => bed.repeatedly(500, "/api/v1/query", |workspace, number| {
            let sql = format!("SELECT {number} /*{}*/", "x".repeat(LONG_TEXT_BYTES));
            json!({ "workspaceId": workspace, "sql": sql })
        }),
        Attack::LongBodies => bed.repeatedly(80, "/api/v1/sql", |workspace, number| {
            let sql = format!("SELECT /*{}*/", "x".repeat(LONG_TEXT_BYTES));
            json!({ "workspaceId": workspace, "title": number.to_string(), "sql": sql })
        }),
        Attack::Scans => bed.scans(),
        Attack::StalledRows => bed.stalled_rows(),
        Attack::StalledStreams => bed.stalled_streams().await,
        Attack::StalledConnections => bed.stalled_connections().await,
        Attack::UnfinishedHeads => bed.unfinished_heads(),
    }
}

impl Bed {
    /// Sends this many posts at once, and again when all of them are answered.
    fn repeatedly(
        &self,
        posts: usize,
        path: &'static str,
        body: impl Fn(&str, usize) -> serde_json::Value + Send + 'static,
    ) -> Held {
        let (server, workspace, token) =
            (Arc::clone(&self.server), self.attacked.clone(), self.attacker.clone());
        let mut bursts = JoinSet::new();
        bursts.spawn(async move {
            for first in (0..).step_by(posts) {
                let mut burst = JoinSet::new();
                for number in first..first + posts {
                    let (server, token, body) =
                        (Arc::clone(&server), token.clone(), body(&workspace, number));
                    burst.spawn(async move {
                        let status = server.post_as(&token, path, body).await.status;
                        assert!([200, 429, 503].contains(&status), "{path}: {status}");
                    });
                }
                burst.join_all().await;
                tokio::time::sleep(BURST_PAUSE).await;
            }
        });
        Box::new(bursts)
    }

    /// Reads that search each text a dozen times and find nothing.
    fn scans(&self) -> Held {
        let pattern =
            |pairs: usize, end: &str| format!("filters=body:LIKE:%25{}{end}%25", "a_".repeat(pairs));
        let passing = (0..12).map(|number| pattern(1900 + number, "aQ"));
        let filters: Vec<String> = passing.chain([pattern(1950, "X")]).collect();
        let path = format!("/v1/data/attacked/materializedView/rows?{}", filters.join("&"));
        let mut scans = JoinSet::new();
        for _ in 0..64 {
            let (server, token, path) = (Arc::clone(&self.server), self.attacker.clone(), path.clone());
            scans.spawn(async move {
                loop {
                    server.get_as(&token, &path).await;
                }
            });
        }
        Box::new(scans)
    }

    fn stalled_rows(&self) -> Held {
        let formats = ["arrow", "json", "csv", "ndjson"];
        let stalled = formats.iter().cycle().take(48).map(|format| {
            let path = format!("/v1/data/attacked/materializedView/rows?limit=300&format={format}");
            self.server.stalled(&self.attacker, &path, "identity")
        });
        Box::new(stalled.collect::<Vec<_>>())
    }

    async fn stalled_streams(&self) -> Held {
        let mut stalled = Vec::new();
        for _ in 0..15 {
            let mut client = self.server.http2_client(65_535).await;
            let mut answers = Vec::new();
            for _ in 0..100 {
                let path = "/v1/data/attacked/materializedView/rows?limit=10000";
                answers.push(client.ask(&self.server, path, Some(&self.attacker)).await);
            }
            stalled.push((client, answers));
        }
        Box::new(stalled)
    }

    async fn stalled_connections(&self) -> Held {
        let mut stalled = Vec::new();
        for number in 0..9_900_u32 {
            // A window of one byte makes the server begin to write.
            let mut client = self.server.http2_client(number % 2).await;
            let answer = client.ask(&self.server, "/api/v1/openapi.json", None).await;
            stalled.push((client, answer));
        }
        Box::new(stalled)
    }

    /// Connections that send most of a head, and again once the server has closed them.
    fn unfinished_heads(&self) -> Held {
        let address: Arc<str> = self.server.address().into();
        let head = format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX: {}", "a".repeat(125_000));
        let head: Arc<str> = head.into();
        let mut connections = JoinSet::new();
        for number in 0..9_900 {
            let (address, head) = (Arc::clone(&address), Arc::clone(&head));
            connections.spawn(async move {
                // One after the other: the attackers share the machine with the server.
                tokio::time::sleep(TIME * number / 9_900 / 2).await;
                loop {
                    if let Ok(mut stream) = tokio::net::TcpStream::connect(&*address).await {
                        // OK to ignore: the server may close it meanwhile.
                        let _ = stream.write_all(head.as_bytes()).await;
                        let _ = stream.read(&mut [0]).await;
                    }
                    tokio::time::sleep(TIME / 2).await;
                }
            });
        }
        Box::new(connections)
    }
}
