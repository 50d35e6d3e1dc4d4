//! The load generator: one thread, many keep-alive connections, one request in flight on each. It parses only as much
//! of a response as is needed to find its end, because it shares the machine with the server under test.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use rustix::event::{Timespec, epoll};

use super::response::ResponseReader;

/// Maximum bytes of one read: an export is read in few calls.
const READ_BYTES: usize = 256 << 10;
/// A server that sends nothing for this long has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// The requests and their destination.
#[derive(Debug)]
pub(super) struct Load<'l> {
    pub(super) address: SocketAddr,
    pub(super) connections: usize,
    /// Sent in turn, cyclically.
    pub(super) requests: &'l [Vec<u8>],
}

/// What the connections of a run send.
pub(super) trait Requests {
    /// Whether a request depends on the answer before it.
    const READ_BODIES: bool;

    /// The next request of a connection after an answer with this body; at first after none, with an empty body. True if that
    /// answer completed what is counted.
    fn next(&mut self, connection: usize, body: &[u8]) -> Result<(bool, &[u8])>;
}

/// The same requests in turn, each counted.
struct Cycle<'l>(std::iter::Cycle<std::slice::Iter<'l, Vec<u8>>>);

impl Requests for Cycle<'_> {
    const READ_BODIES: bool = false;

    fn next(&mut self, _: usize, _: &[u8]) -> Result<(bool, &[u8])> {
        Ok((true, self.0.next().context("a load without requests")?))
    }
}

/// Result of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) answers: u64,
    pub(super) body_bytes: u64,
    pub(super) seconds: f64,
    /// Latencies of all responses, in microseconds, ascending.
    pub(super) latencies: Vec<u32>,
    /// CPU time of the server per response.
    pub(super) cpu_micros: f64,
}

struct Client {
    stream: TcpStream,
    reader: ResponseReader,
    begun_at: Instant,
}

impl Outcome {
    pub(super) fn per_second(&self) -> f64 {
        self.answers as f64 / self.seconds
    }

    /// Mean size of a body.
    pub(super) fn mean_body_bytes(&self) -> u64 {
        self.body_bytes / self.answers.max(1)
    }

    /// A quantile of the latencies, in milliseconds.
    pub(super) fn latency(&self, quantile: f64) -> f64 {
        let place = (self.latencies.len() as f64 * quantile) as usize;
        self.latencies.get(place).or(self.latencies.last()).map_or(0.0, |micros| f64::from(*micros) / 1000.0)
    }
}

impl Load<'_> {
    /// Keeps every connection busy, first for `warm_up`, which is not measured, then for `time`.
    pub(super) fn run(&self, warm_up: Duration, time: Duration) -> Result<Outcome> {
        drive(self.address, self.connections, Cycle(self.requests.iter().cycle()), warm_up, time)
    }
}

/// Keeps every connection busy, first for `warm_up`, which is not measured, then for `time`.
pub(super) fn drive<R: Requests>(
    address: SocketAddr,
    connections: usize,
    mut requests: R,
    warm_up: Duration,
    time: Duration,
) -> Result<Outcome> {
    let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    let mut clients = Vec::with_capacity(connections);
    for number in 0..connections {
        let stream = TcpStream::connect(address).context("connecting")?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        epoll::add(&poll, &stream, epoll::EventData::new_u64(number as u64), epoll::EventFlags::IN)?;
        clients.push(Client {
            stream,
            reader: ResponseReader::new(R::READ_BODIES),
            begun_at: Instant::now(),
        });
    }
    let begun = Instant::now();
    for (number, client) in clients.iter_mut().enumerate() {
        client.begun_at = begun;
        client.stream.write_all(requests.next(number, b"")?.1).context("sending a request")?;
    }
    let (counts_from, ends_at) = (begun + warm_up, begun + warm_up + time);
    let mut outcome = Outcome::default();
    let mut buffer = vec![0; READ_BYTES];
    let mut events = Vec::with_capacity(connections);
    let patience = Timespec { tv_sec: PATIENCE.as_secs() as i64, tv_nsec: 0 };
    loop {
        events.clear();
        if epoll::wait(&poll, rustix::buffer::spare_capacity(&mut events), Some(&patience))? == 0 {
            bail!("no answer within {PATIENCE:?}");
        }
        let mut now = Instant::now();
        for event in &events {
            let number = event.data.u64() as usize;
            let client = &mut clients[number];
            let length = match client.stream.read(&mut buffer) {
                Ok(0) => bail!("the server closed a connection"),
                Ok(length) => length,
                Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
                Err(error) => return Err(error).context("reading an answer"),
            };
            let is_counted = now >= counts_from;
            let before = client.reader.body_bytes();
            let is_done = client.reader.feed(&buffer[..length])?;
            if is_counted {
                outcome.body_bytes += client.reader.body_bytes() - before;
            }
            if is_done {
                now = Instant::now();
                let answer = std::mem::replace(&mut client.reader, ResponseReader::new(R::READ_BODIES));
                let (is_complete, request) = requests.next(number, answer.body())?;
                if is_complete {
                    if is_counted {
                        outcome.answers += 1;
                        outcome.latencies.push((now - client.begun_at).as_micros() as u32);
                    }
                    client.begun_at = now;
                }
                client.stream.write_all(request).context("sending a request")?;
            }
        }
        if now >= ends_at {
            outcome.seconds = (now - counts_from).as_secs_f64();
            outcome.latencies.sort_unstable();
            return Ok(outcome);
        }
    }
}
