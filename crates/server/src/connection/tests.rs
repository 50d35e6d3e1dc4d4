use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::watch;

use super::served::Served;
use super::*;
use crate::pause_slots::PauseSlots;

const HEADER: Duration = Duration::from_millis(200);
const IDLE: Duration = Duration::from_millis(600);
/// How late a timer may be on a busy machine.
const LATE: Duration = Duration::from_secs(5);

fn limits() -> Limits {
    Limits { header_timeout: HEADER, idle_timeout: IDLE, ..Limits::default() }
}

/// Reads until the stream times out, and checks when that is.
async fn gives_up_after(stream: &mut TimedStream<tokio::io::DuplexStream>, expected: Duration) {
    let started = Instant::now();
    let error = loop {
        if let Err(error) = stream.read_u8().await {
            break error;
        }
    };
    let waited = started.elapsed();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    // A timer of tokio counts whole milliseconds.
    assert!(
        waited + Duration::from_millis(5) >= expected && waited < expected + LATE,
        "{waited:?}, not {expected:?}"
    );
}

#[tokio::test]
async fn a_silent_connection_is_closed_after_the_idle_time() {
    let (_client, server) = tokio::io::duplex(64);
    gives_up_after(&mut TimedStream::new(server, Arc::default(), &limits()), IDLE).await;
}

#[tokio::test]
async fn an_answer_with_a_pause_slot_waits_until_the_next_request() {
    let (mut client, server) = tokio::io::duplex(64);
    let activity = Arc::new(Activity::default());
    let mut stream = TimedStream::new(server, Arc::clone(&activity), &limits());
    let in_flight = activity.begin(false);
    let clients = PauseSlots::with_pause(Duration::from_secs(3600));
    in_flight.allow_pause(clients.acquire("ann").expect("a place"));
    // Neither unread bytes nor silence after the last byte was sent end the connection.
    let written = tokio::time::timeout(2 * IDLE, stream.write_all(&[0; 128])).await;
    assert!(written.is_err(), "{written:?}");
    client.read_exact(&mut [0; 64]).await.expect("read");
    drop(in_flight);
    let read = tokio::time::timeout(2 * IDLE, stream.read_u8()).await;
    assert!(read.is_err(), "{read:?}");
    drop(activity.begin(false));
    assert!(activity.pause_slot().is_none());
    gives_up_after(&mut stream, IDLE).await;
}

/// Regression: an idle connection's slot was released only by its next request. An answer of which hyper still holds
/// bytes that the system has not accepted is in memory, and keeps its slot.
#[tokio::test]
async fn an_idle_connection_that_lost_its_slot_ends_after_the_idle_time() {
    let clients = PauseSlots::with_pause(Duration::from_secs(3600));
    let mut connections = Vec::new();
    let mut taken = Vec::new();
    while let Some(place) = clients.acquire("ann") {
        let (client, server) = tokio::io::duplex(64);
        let activity = Arc::new(Activity::default());
        let in_flight = activity.begin(false);
        in_flight.allow_pause(place);
        let mut stream = TimedStream::new(server, Arc::clone(&activity), &limits());
        stream.write_all(&[0; 64]).await.expect("written");
        drop(in_flight);
        connections.push((client, stream));
        assert!(connections.len() < 100);
    }
    let silent = async |stream: &mut TimedStream<tokio::io::DuplexStream>| {
        tokio::time::timeout(HEADER, stream.read_u8()).await.expect_err("it waits");
    };
    silent(&mut connections[0].1).await;
    assert!(clients.acquire("ann").is_none(), "no answer was flushed");
    for number in [1, 0] {
        connections[number].1.flush().await.expect("flushed");
        silent(&mut connections[number].1).await;
    }
    taken.push(clients.acquire("ann").expect("that of the second, which was idle first"));
    gives_up_after(&mut connections[1].1, Duration::ZERO).await;
    tokio::time::timeout(2 * IDLE, connections[0].1.read_u8()).await.expect_err("it has its place");
    // A sleeping connection is woken.
    let (_client, mut first) = connections.swap_remove(0);
    let sleeping = tokio::spawn(async move { first.read_u8().await.map_err(|error| error.kind()) });
    tokio::task::yield_now().await;
    taken.push(clients.acquire("ann").expect("that of the first"));
    let ended = tokio::time::timeout(LATE, sleeping).await.expect("it ends").expect("no panic");
    assert_eq!(ended, Err(io::ErrorKind::TimedOut));
}

#[tokio::test]
async fn a_slowly_sent_head_must_arrive_in_time() {
    let (mut client, server) = tokio::io::duplex(64);
    let mut stream = TimedStream::new(server, Arc::default(), &limits());
    let drip = tokio::spawn(async move {
        while client.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    gives_up_after(&mut stream, HEADER).await;
    drop(stream);
    drip.await.expect("the drip ends");
}

#[tokio::test]
async fn a_request_in_flight_suspends_the_idle_time() {
    let (mut client, server) = tokio::io::duplex(64);
    let activity = Arc::new(Activity::default());
    let mut stream = TimedStream::new(server, Arc::clone(&activity), &limits());
    client.write_all(b"x").await.expect("written");
    stream.read_u8().await.expect("read");
    let in_flight = activity.begin(false);
    // Part of the request's body, not the head of another.
    client.write_all(b"x").await.expect("written");
    stream.read_u8().await.expect("read");
    tokio::spawn(async move {
        tokio::time::sleep(2 * IDLE).await;
        drop(in_flight);
    });
    gives_up_after(&mut stream, 3 * IDLE).await;
    drop(client);
}

#[tokio::test]
async fn http2_pings_neither_end_a_connection_nor_keep_it_open() {
    let (mut client, server) = tokio::io::duplex(64);
    let activity = Arc::new(Activity::default());
    let mut stream = TimedStream::new(server, Arc::clone(&activity), &limits());
    drop(activity.begin(true));
    tokio::spawn(async move {
        while client.write_all(b"x").await.is_ok() {
            tokio::time::sleep(HEADER).await;
        }
    });
    gives_up_after(&mut stream, IDLE).await;
}

/// Regression: 500 clients that disconnected while they waited for a statement held their connections until it had
/// ended.
#[tokio::test]
async fn a_client_that_closes_its_side_is_waited_for_a_limited_time() {
    let (client, server) = tokio::io::duplex(64);
    let activity = Arc::new(Activity::default());
    let mut stream = TimedStream::new(server, Arc::clone(&activity), &limits());
    let in_flight = activity.begin(false);
    drop(client);
    let started = Instant::now();
    let read = stream.read(&mut [0; 8]).await.expect("the end is no error");
    assert_eq!(read, 0);
    let waited = started.elapsed();
    assert!((IDLE - Duration::from_millis(5)..IDLE + LATE).contains(&waited), "{waited:?}");
    drop(in_flight);
}

#[tokio::test]
async fn a_client_that_closes_its_side_and_keeps_reading_gets_its_answer() {
    let (mut client, server) = tokio::io::duplex(64);
    let activity = Arc::new(Activity::default());
    let mut stream = TimedStream::new(server, Arc::clone(&activity), &limits());
    let in_flight = activity.begin(false);
    client.shutdown().await.expect("closed");
    let started = Instant::now();
    // Writing to it shows that there is an answer.
    for _ in 0..4 {
        let ended = tokio::time::timeout(IDLE / 2, stream.read(&mut [0; 8])).await;
        assert!(ended.is_err(), "{ended:?} after {:?}", started.elapsed());
        stream.write_all(b"x").await.expect("the client reads");
    }
    let mut answer = [0; 4];
    client.read_exact(&mut answer).await.expect("read");
    drop(in_flight);
    // Then there is nothing to wait for.
    assert_eq!(stream.read(&mut [0; 8]).await.expect("the end is no error"), 0);
}

#[tokio::test]
async fn a_closed_client_of_http2_or_without_a_request_is_gone_at_once() {
    for is_http2 in [true, false] {
        let (client, server) = tokio::io::duplex(64);
        let activity = Arc::new(Activity::default());
        let mut stream = TimedStream::new(server, Arc::clone(&activity), &limits());
        let in_flight = is_http2.then(|| activity.begin(true));
        drop(client);
        let started = Instant::now();
        assert_eq!(stream.read(&mut [0; 8]).await.expect("the end is no error"), 0);
        assert!(started.elapsed() < IDLE, "{:?}", started.elapsed());
        drop(in_flight);
    }
}

#[tokio::test]
async fn a_connection_whose_client_does_not_read_is_closed() {
    let (_client, server) = tokio::io::duplex(64);
    let mut stream = TimedStream::new(server, Arc::default(), &limits());
    let started = Instant::now();
    let error = stream.write_all(&[0; 100]).await.expect_err("nobody reads");
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert!((IDLE - Duration::from_millis(5)..IDLE + LATE).contains(&started.elapsed()));
}

/// A request that ends within a poll of its connection needs no further poll to set the timer of the next one.
#[tokio::test]
async fn the_flush_of_an_answer_begins_the_idle_time() {
    let (mut client, server) = tokio::io::duplex(1024);
    let activity = Arc::new(Activity::default());
    let stream = TimedStream::new(server, Arc::clone(&activity), &limits());
    let requests = Arc::clone(&activity);
    let service = hyper::service::service_fn(move |_: http::Request<hyper::body::Incoming>| {
        let in_flight = requests.begin(false);
        async move {
            drop(in_flight);
            Ok::<_, std::convert::Infallible>(http::Response::new("done".to_owned()))
        }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .serve_connection(hyper_util::rt::TokioIo::new(stream), service);
    let (stop, stopping) = watch::channel(false);
    let mut served = Served::new(activity, connection, stopping);
    let mut polls = 0;
    let ended = tokio::spawn(async move {
        let ended = std::future::poll_fn(|context| {
            polls += 1;
            Pin::new(&mut served).poll(context)
        });
        // To hyper, an idle connection that breaks has ended.
        let _ = ended.await;
        polls
    });
    client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("written");
    let started = Instant::now();
    let mut answer = Vec::new();
    client.read_to_end(&mut answer).await.expect("read");
    let waited = started.elapsed();
    assert!(answer.starts_with(b"HTTP/1.1 200 ") && answer.ends_with(b"done"), "{answer:?}");
    assert!(waited + Duration::from_millis(5) >= IDLE && waited < IDLE + LATE, "{waited:?}");
    let polls = ended.await.expect("no panic");
    // The first one, the request, the end of a timer that was set before it, and the end.
    assert!(polls <= 4, "{polls} polls");
    drop(stop);
}
