use http_body_util::Full;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::*;
use crate::http2_heads;

/// A request that is answered after a while.
const REQUEST: &str = "GET /50 HTTP/1.1\r\nHost: x\r\n\r\n";

/// A server that answers its path after the milliseconds that it names: `/250`.
async fn start(limits: Limits) -> (SocketAddr, watch::Sender<bool>, tokio::task::JoinHandle<()>) {
    let listener = bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopping) = watch::channel(false);
    let handler = |in_flight, request: Request<Incoming>| async move {
        let millis = request.uri().path().trim_start_matches('/').parse().unwrap_or(0);
        tokio::time::sleep(Duration::from_millis(millis)).await;
        drop(in_flight);
        Ok(Response::new(Full::new(Bytes::from(request.uri().path().to_owned()))))
    };
    let listening = Listening { listener, tls: None, places: limits.connections };
    let server = tokio::spawn(serve(
        listening,
        move || limits.clone(),
        Arc::default(),
        HeadMemory::new(UNFINISHED_HEADS_BYTES),
        stopping,
        handler,
    ));
    (address, stop, server)
}

async fn exchange(address: SocketAddr, request: &str, closes: bool) -> String {
    let mut stream = TcpStream::connect(address).await.expect("connected");
    stream.write_all(request.as_bytes()).await.expect("sent");
    if closes {
        stream.shutdown().await.expect("closed");
    }
    let mut answer = String::new();
    // A reset is an end, too.
    let _ = stream.read_to_string(&mut answer).await;
    answer
}

#[tokio::test]
async fn a_half_closed_client_gets_its_answer() {
    let (address, _stop, _server) = start(Limits::default()).await;
    let answer = exchange(address, "GET /50 HTTP/1.1\r\nHost: x\r\n\r\n", true).await;
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("/50"), "{answer}");
}

#[tokio::test]
async fn the_connection_of_a_half_closed_client_ends_with_its_answer() {
    let (address, _stop, _server) = start(Limits::default()).await;
    for count in [1, 3] {
        let requests = REQUEST.repeat(count);
        let answers = exchange(address, &requests, true);
        // Shorter than the wait for a client that has closed its side.
        let answers = tokio::time::timeout(Duration::from_secs(4), answers).await.expect("in time");
        assert_eq!(answers.matches("HTTP/1.1 200 ").count(), count, "{answers}");
    }
}

#[tokio::test]
async fn the_idle_time_begins_with_the_last_of_several_answers() {
    const IDLE: Duration = Duration::from_millis(400);
    let (address, _stop, _server) = start(Limits { idle_timeout: IDLE, ..Limits::default() }).await;
    for count in 1..4 {
        let started = tokio::time::Instant::now();
        let requests = REQUEST.repeat(count);
        let answers = exchange(address, &requests, false);
        let answers = tokio::time::timeout(Duration::from_secs(5), answers).await.expect("in time");
        assert_eq!(answers.matches("HTTP/1.1 200 ").count(), count, "{answers}");
        // A timer of tokio counts whole milliseconds.
        let answered = Duration::from_millis(50) * u32::try_from(count).expect("a few");
        assert!(started.elapsed() + Duration::from_millis(5) >= answered + IDLE, "{count}");
    }
}

#[tokio::test]
async fn answers_in_flight_are_finished_at_shutdown() {
    let (address, stop, server) = start(Limits::default()).await;
    let answer =
        tokio::spawn(async move { exchange(address, "GET /300 HTTP/1.1\r\nHost: x\r\n\r\n", false).await });
    tokio::time::sleep(Duration::from_millis(100)).await;
    stop.send(true).expect("the server listens");
    assert!(answer.await.expect("an answer").ends_with("/300"));
    server.await.expect("the server ends");
    assert!(TcpStream::connect(address).await.is_err(), "nobody accepts any more");
}

#[tokio::test]
async fn an_idle_connection_does_not_hold_up_shutdown() {
    let (address, stop, server) = start(Limits::default()).await;
    let _idle = TcpStream::connect(address).await.expect("connected");
    let mut answered = TcpStream::connect(address).await.expect("connected");
    for _ in 0..2 {
        answered.write_all(REQUEST.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        while !answer.ends_with(b"/50") {
            assert!(answered.read_buf(&mut answer).await.expect("read") > 0, "no answer");
        }
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    stop.send(true).expect("the server listens");
    tokio::time::timeout(Duration::from_secs(5), server).await.expect("in time").expect("the server ends");
}

#[tokio::test]
async fn answers_past_the_deadline_are_aborted() {
    let limits = Limits { shutdown_timeout: Duration::from_millis(100), ..Limits::default() };
    let (address, stop, server) = start(limits).await;
    let answer =
        tokio::spawn(async move { exchange(address, "GET /60000 HTTP/1.1\r\nHost: x\r\n\r\n", false).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    stop.send(true).expect("the server listens");
    tokio::time::timeout(Duration::from_secs(5), server).await.expect("in time").expect("the server ends");
    assert_eq!(answer.await.expect("an end"), "");
}

#[tokio::test]
async fn a_late_head_and_a_large_one_are_refused() {
    let limits = Limits { header_timeout: Duration::from_millis(100), ..Limits::default() };
    let (address, _stop, _server) = start(limits).await;
    let late = exchange(address, "GET / HTTP/1.1\r\nHost:", false);
    assert_eq!(tokio::time::timeout(Duration::from_secs(5), late).await.expect("in time"), "");
    let large = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(2 * HEAD_BYTES));
    let refused = tokio::time::timeout(Duration::from_secs(5), exchange(address, &large, false))
        .await
        .expect("in time");
    assert!(refused.is_empty() || refused.starts_with("HTTP/1.1 431 "), "{refused}");
}

/// Regression: a head that does not end took 190 kB of each of ten thousand connections, without a token.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unfinished_heads_have_a_memory_of_their_own() {
    const HEAD: usize = 120_000;
    let (address, _stop, _server) = start(Limits::default()).await;
    let head = format!("GET /0 HTTP/1.1\r\nHost: x\r\nX: {}", "a".repeat(HEAD));
    let mut open = Vec::new();
    for _ in 0..2 * UNFINISHED_HEADS_BYTES / HEAD {
        let mut stream = TcpStream::connect(address).await.expect("connected");
        let _ = stream.write_all(head.as_bytes()).await;
        open.push(stream);
    }
    // Those that had no room are closed.
    let is_open = |stream: &TcpStream| matches!(stream.try_read(&mut [0]), Err(error) if error.kind() == io::ErrorKind::WouldBlock);
    tokio::time::sleep(Duration::from_millis(500)).await;
    open.retain(is_open);
    let most = UNFINISHED_HEADS_BYTES / (HEAD - (8 << 10));
    assert!((most / 2..=most).contains(&open.len()), "{} of at most {most}", open.len());
    let short = "GET /0 HTTP/1.1\r\nHost: x\r\n\r\n";
    assert!(exchange(address, short, true).await.starts_with("HTTP/1.1 200 "));
    // A long head has room again once these are gone, or complete.
    let last = open.pop();
    drop(open);
    let long = format!("{head}\r\n\r\n");
    while !exchange(address, &long, true).await.starts_with("HTTP/1.1 200 ") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(last);
}

/// A head over HTTP/2 for this path, which another frame goes on with unless it has ended.
fn http2_head(stream: u8, path: &str, has_ended: bool) -> Vec<u8> {
    // `:method: GET`, `:scheme: http`, and `:path` with a value of its own, as in RFC 7541, appendix A and section 6.2.2.
    let length = u8::try_from(path.len()).expect("a short path");
    let block = [&[0x82, 0x86, 0x04, length], path.as_bytes()].concat();
    let flags = if has_ended { 0x05 } else { 0x01 };
    let length = u8::try_from(block.len()).expect("a short block");
    [&[0, 0, length, 1, flags, 0, 0, 0, stream], &block[..]].concat()
}

/// What a client begins with: the preface and empty settings.
fn http2_beginning() -> Vec<u8> {
    [&b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..], &[0, 0, 0, 4, 0, 0, 0, 0, 0]].concat()
}

/// Reads what the server sends until it closes.
async fn read_to_end(mut stream: TcpStream) {
    // A reset is an end, too.
    let _ = stream.read_to_end(&mut Vec::new()).await;
}

/// Regression: over HTTP/2 a head that went on in further frames took 400 kB, without a limit of time or memory, once its
/// connection had had a request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unfinished_heads_of_http2_have_the_same_memory() {
    let (address, _stop, _server) = start(Limits::default()).await;
    let sent = [http2_beginning(), http2_head(1, "/0", true), http2_head(3, "/0", false)].concat();
    let most = UNFINISHED_HEADS_BYTES / http2_heads::LONGEST_BYTES;
    let mut open = Vec::new();
    for _ in 0..2 * most {
        let mut stream = TcpStream::connect(address).await.expect("connected");
        let _ = stream.write_all(&sent).await;
        open.push(tokio::spawn(read_to_end(stream)));
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    open.retain(|stream| !stream.is_finished());
    assert!((most / 2..=most).contains(&open.len()), "{} of at most {most}", open.len());
    // One within one frame is not counted.
    let mut stream = TcpStream::connect(address).await.expect("connected");
    stream.write_all(&[http2_beginning(), http2_head(1, "/0", true)].concat()).await.expect("sent");
    let mut answered = Vec::new();
    while !answered.ends_with(b"/0") {
        assert_ne!(stream.read_buf(&mut answered).await.expect("an answer"), 0);
    }
    open.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn an_unfinished_head_of_http2_is_late_beside_a_request_in_flight() {
    let limits = Limits { header_timeout: Duration::from_millis(200), ..Limits::default() };
    let (address, _stop, _server) = start(limits).await;
    for (head, is_late) in [(http2_head(3, "/0", false), true), (Vec::new(), false)] {
        let mut stream = TcpStream::connect(address).await.expect("connected");
        let sent = [http2_beginning(), http2_head(1, "/60000", true), head].concat();
        stream.write_all(&sent).await.expect("sent");
        let ended = tokio::time::timeout(Duration::from_secs(3), read_to_end(stream)).await;
        assert_eq!(ended.is_ok(), is_late);
    }
}

#[tokio::test]
async fn over_the_limit_connections_wait() {
    let (address, _stop, _server) = start(Limits { connections: 1, ..Limits::default() }).await;
    let first = TcpStream::connect(address).await.expect("connected");
    let second =
        tokio::spawn(async move { exchange(address, "GET /0 HTTP/1.1\r\nHost: x\r\n\r\n", true).await });
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!second.is_finished());
    drop(first);
    assert!(second.await.expect("an answer").starts_with("HTTP/1.1 200 "));
}
