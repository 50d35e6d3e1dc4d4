//! The cost of a scrape of `/metrics`: alone, in CPU time, and beside connections that keep the server busy, as the
//! time that Prometheus waits. `/healthz`, requested in turn with it, shows how long any request waits there: the rest
//! is the scrape's. The server has 200 views, each with metrics of its own.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::Bench;
use super::load::Load;
use super::numbers::Numbers;
use super::response::ResponseReader;
use super::server::Server;
use super::starts::{self, VIEWS};

/// Time between two scrapes, so that they are not the load themselves.
const PAUSE: Duration = Duration::from_millis(20);
/// Number of different point reads during the scrapes, of orders that exist.
const READS: usize = 1024;
const LAST_ORDER: u64 = 60_000;

pub(super) fn run(bench: &Bench, data_dir: &Path) -> Result<()> {
    let server = Server::start(data_dir, &[])?;
    starts::make_views(&server)?;
    let scrape = server.get_request("/metrics");
    let mut numbers = Numbers::new();
    let reads: Vec<Vec<u8>> = (0..READS)
        .map(|_| {
            let (view, order) = (numbers.below(VIEWS as u64), numbers.below(LAST_ORDER));
            server.get_request(&format!(
                "/v1/data/demo/materializedView/bench_{view}?filters=l_orderkey:EQ:{order}"
            ))
        })
        .collect();
    let requests = std::slice::from_ref(&scrape);
    let alone = Load { address: server.address(), connections: 1, requests };
    let before = server.process.cpu_seconds()?;
    let alone = alone.run(Duration::ZERO, bench.time)?;
    let cpu_micros = (server.process.cpu_seconds()? - before) / alone.answers.max(1) as f64 * 1e6;

    let load = Load { address: server.address(), connections: bench.connections, requests: &reads };
    let time = bench.time * u32::try_from(bench.rounds)?;
    let (stop, stopped) = channel::<()>();
    let address = server.address();
    let asked = [scrape, server.get_request("/healthz")];
    let scraping = std::thread::spawn(move || -> Result<[Vec<Duration>; 2]> {
        let mut stream = TcpStream::connect(address)?;
        let mut took = [Vec::new(), Vec::new()];
        for place in [0, 1].into_iter().cycle() {
            if stopped.recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout) {
                break;
            }
            took[place].push(exchange(&mut stream, &asked[place])?);
        }
        took.iter_mut().for_each(|took| took.sort_unstable());
        Ok(took)
    });
    let busy = load.run(bench.warm_up, time)?;
    drop(stop);
    let took = scraping.join().map_err(|_| anyhow::anyhow!("the scraper panicked"))??;
    println!(
        "{:<34} {cpu_micros:.0} µs of CPU for {} B",
        format!("scrape, {VIEWS} views"),
        alone.mean_body_bytes()
    );
    for (name, took) in ["/metrics", "/healthz"].into_iter().zip(&took) {
        let millis = |share: f64| {
            let place = (took.len() as f64 * share) as usize;
            took.get(place).or(took.last()).map_or(0.0, |took| took.as_secs_f64() * 1e3)
        };
        println!(
            "{:<34} beside {} connections at {:.0}/s: p50 {:.2} ms  p90 {:.2} ms  p99 {:.2} ms  of {}",
            format!("  {name}"),
            bench.connections,
            busy.per_second(),
            millis(0.5),
            millis(0.9),
            millis(0.99),
            took.len(),
        );
    }
    Ok(())
}

/// The time from a request to the end of its response.
fn exchange(stream: &mut TcpStream, request: &[u8]) -> Result<Duration> {
    let begun = Instant::now();
    stream.write_all(request).context("sending a scrape")?;
    let (mut reader, mut buffer) = (ResponseReader::default(), vec![0; 1 << 16]);
    loop {
        let length = stream.read(&mut buffer).context("reading a scrape")?;
        anyhow::ensure!(length > 0, "the server closed the scraper's connection");
        if reader.feed(&buffer[..length])? {
            return Ok(begun.elapsed());
        }
    }
}
