//! Long reads of a view, concurrent with short ones (D61). Regression: two readers of one view blocked the rows of all
//! clients, because a scan that found nothing was a single unlimited turn, and there were as many threads as cores.

use std::fs;
use std::io::ErrorKind;
use std::time::{Duration, Instant};

use hyper::Method;
use rowhouse_tests::{Server, SharedServer};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

static SERVER: SharedServer = SharedServer::new(&["--limits-idle-timeout", "2s"]);

/// Maximum time of a read during the scans, on a loaded machine. It used to take as long as the scans.
const READ_TIMEOUT: Duration = Duration::from_secs(20);
/// Number of reads that are timed.
const READS: usize = 60;

/// Texts of 50 KB, one for every fourth key.
async fn long_texts(server: &Server, name: &str, keys: u32) -> String {
    let workspace = server.new_workspace(name).await;
    let sql = format!(
        "SELECT o_orderkey AS id, lpad('Q', 50000, 'a') AS body FROM tpch.tiny.orders WHERE o_orderkey <= {keys}"
    );
    server.new_view(&workspace, "texts", &sql).await;
    // The first read of a row decodes its batch.
    server.get(&format!("/v1/data/{name}/materializedView/texts?filters=id:EQ:1")).await.ok();
    workspace
}

/// A read that searches each text a dozen times and finds nothing.
fn scan(workspace: &str) -> String {
    let pattern = |pairs: usize, end: &str| format!("%25{}{end}%25", "a_".repeat(pairs));
    let passing = (0..12).map(|number| pattern(1900 + number, "aQ"));
    let filters = passing.chain([pattern(1950, "X")]).map(|pattern| format!("filters=body:LIKE:{pattern}"));
    let filters: Vec<String> = filters.collect();
    format!("/v1/data/{workspace}/materializedView/texts?{}", filters.join("&"))
}

/// Opens connections that each request such a scan.
async fn begin_scans(server: &Server, token: &str, path: &str, count: usize) -> Vec<TcpStream> {
    let mut connections = Vec::new();
    for _ in 0..count {
        let mut connection = TcpStream::connect(server.address()).await.expect("the server accepts");
        let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Token {token}\r\n\r\n");
        connection.write_all(request.as_bytes()).await.expect("sent");
        connections.push(connection);
    }
    connections
}

/// As [`begin_scans`]; waits until the server works on them.
async fn begun_scans(server: &Server, token: &str, workspace: &str, count: usize) -> Vec<TcpStream> {
    let before = processor_time(server);
    let scans = begin_scans(server, token, &scan(workspace), count).await;
    let deadline = Instant::now() + Duration::from_secs(30);
    while processor_time(server) < before + Duration::from_millis(500) {
        assert!(Instant::now() < deadline, "the scans have not begun");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    scans
}

/// Consecutive reads of one row, of rows that an encoder thread encodes, and of a count; returns the time of each.
async fn timed_reads(server: &Server, token: &str, view: &str) -> Vec<Duration> {
    let authorization = format!("Token {token}");
    let mut times = Vec::new();
    for read in 0..READS {
        let (query, encoding) = match read % 3 {
            0 => (format!("filters=id:EQ:{}", read % 30 + 1), "identity"),
            1 => (format!("columnNames=id&limit=400&offset={read}"), "gzip"),
            _ => (format!("columnNames=id&orderBy=id:desc&limit=3&offset={read}&count=exact"), "identity"),
        };
        let headers = [("authorization", authorization.as_str()), ("accept-encoding", encoding)];
        let begun = Instant::now();
        let path = format!("/v1/data/{view}/materializedView/texts?{query}");
        let answer =
            tokio::time::timeout(READ_TIMEOUT, server.request_with(Method::GET, &path, headers, None)).await;
        let answer = answer.unwrap_or_else(|_| panic!("{query} takes more than {READ_TIMEOUT:?}"));
        assert_eq!(answer.status, 200, "{query}");
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    times
}

fn show(name: &str, times: &[Duration]) {
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    eprintln!("{name}: p50 {:?}, p90 {:?}, p99 {:?}", at(50), at(90), at(99));
}

/// CPU time of the server, without its workers.
fn processor_time(server: &Server) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{}/stat", server.pid())).expect("the server runs");
    let (_, numbers) = stat.rsplit_once(") ").expect("a name in brackets");
    let ticks = |place: usize| -> u64 {
        numbers.split(' ').nth(place).and_then(|number| number.parse().ok()).expect("a number")
    };
    // Ticks of 10 ms: user and system time, the 14th and 15th field.
    Duration::from_millis((ticks(11) + ticks(12)) * 10)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scans_of_disconnected_clients_end_and_do_not_block_others() {
    // A separate server, because its CPU time is measured.
    let server = Server::builder().arguments(["--limits-idle-timeout", "2s"]).start();
    long_texts(&server, "scans_gone", 4000).await;
    let alone = timed_reads(&server, server.admin_token(), "scans_gone").await;
    show("alone", &alone);
    let scans = begun_scans(&server, server.admin_token(), "scans_gone", 2).await;
    // Even with the same account.
    let beside = timed_reads(&server, server.admin_token(), "scans_gone").await;
    show("beside two scans", &beside);
    drop(scans);
    let after = timed_reads(&server, server.admin_token(), "scans_gone").await;
    show("beside two scans that nobody wants", &after);
    // Each scan would continue for a minute.
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let before = processor_time(&server);
        tokio::time::sleep(Duration::from_secs(2)).await;
        let used = processor_time(&server) - before;
        if used < Duration::from_millis(200) {
            break;
        }
        assert!(Instant::now() < deadline, "{used:?} of 2 s are still used for nobody");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_scans_of_one_account_do_not_block_reads_of_others() {
    // A separate server, because its CPU time shows that the scans have begun.
    let server = Server::builder().arguments(["--limits-idle-timeout", "2s"]).start();
    let workspace = long_texts(&server, "scans_many", 4000).await;
    let scanner = server.new_member(&workspace, "scanner", "CONSUMER").await;
    let stranger = server.new_member(&workspace, "stranger", "CONSUMER").await;
    let scans = begun_scans(&server, &scanner, "scans_many", 64).await;
    let times = timed_reads(&server, &stranger, "scans_many").await;
    show("beside 64 scans of another account", &times);
    let times = timed_reads(&server, &scanner, "scans_many").await;
    show("beside 64 scans of their own account", &times);
    // The reads were answered before the scans that began earlier: they did not wait for their end.
    let unanswered = scans.iter().filter(|scan| {
        let read = scan.try_read(&mut [0]);
        read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    });
    assert!(
        unanswered.count() >= 32,
        "most scans have ended, so that nothing is known about reads beside them"
    );
}

/// A read that takes many turns returns the right rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_scan_returns_the_right_rows() {
    let server = SERVER.get();
    long_texts(&server, "scans_found", 800).await;
    let pattern = format!("%25{}aQ%25", "a_".repeat(1900));
    let path =
        format!("/v1/data/scans_found/materializedView/texts?filters=body:LIKE:{pattern}&columnNames=id");
    let all = server.get("/v1/data/scans_found/materializedView/texts?columnNames=id").await.ok();
    assert_eq!(all.as_array().map(Vec::len), Some(200));
    let counted = server.get(&format!("{path}&count=exact")).await;
    assert_eq!(counted.header("x-total-count"), Some("200"));
    assert_eq!(counted.ok(), all);
    let ordered = server.get(&format!("{path}&orderBy=body:desc&limit=5")).await.ok();
    assert_eq!(ordered.as_array().expect("rows")[..], all.as_array().expect("rows")[..5]);
}
