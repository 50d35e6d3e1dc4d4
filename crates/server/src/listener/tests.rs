use http_body_util::Full;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::*;

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
