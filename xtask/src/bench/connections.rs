//! The cost of idle clients and slow readers: memory of idle connections, and point reads during exports that no client
//! reads.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::Bench;
use super::load::Load;
use super::server::Server;

const IDLE: usize = 10_000;
const SLOW_READERS: usize = 1000;
/// Interval between checks of the server while buffers fill, and the maximum number of checks.
const LOOK: Duration = Duration::from_millis(500);
const LONGEST_FILLING_LOOKS: usize = 120;
/// Number of point reads during the exports.
const POINTS: u64 = 1000;

pub(super) fn run(bench: &Bench, server: &Server) -> Result<()> {
    super::views::prepare(server, 1)?;
    let read = |query: String| server.get_request(&format!("/v1/data/demo/materializedView/bench_{query}"));
    let points: Vec<Vec<u8>> =
        (0..POINTS).map(|row| read(format!("by_key?filters=o_orderkey:EQ:{}", row * 32 + 1))).collect();
    let load = Load { address: server.address(), connections: bench.connections, requests: &points };
    let alone = load.run(bench.warm_up, bench.time)?;

    let mut slow = Vec::new();
    for _ in 0..SLOW_READERS {
        let mut stream = TcpStream::connect(server.address()).context("a slow reader")?;
        stream.write_all(&read("orders".to_owned()))?;
        slow.push(stream);
    }
    let mut buffer = vec![0; 1 << 16];
    for stream in &mut slow {
        stream.read_exact(&mut buffer)?;
    }
    // Until then the system buffers unread bytes as fast as they are produced.
    wait_for_full_buffers(server)?;
    // Each reads a little now and then: an export that stalls for too long would be ended.
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let reading = std::thread::spawn(move || -> Result<()> {
        let wait = Duration::from_micros(1_000_000 / SLOW_READERS as u64);
        for place in (0..SLOW_READERS).cycle() {
            if stopped.recv_timeout(wait) != Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                break;
            }
            slow[place].read_exact(&mut buffer[..1 << 14])?;
        }
        Ok(())
    });
    let beside = load.run(bench.warm_up, bench.time)?;
    drop(stop);
    reading.join().map_err(|_| anyhow::anyhow!("the slow readers panicked"))??;
    println!(
        "{:<34} {:>9.0}/s alone, {:.0}/s beside {SLOW_READERS} slow readers: {:.2} times slower, memory {:.0} MiB",
        "point beside slow readers",
        alone.per_second(),
        beside.per_second(),
        alone.per_second() / beside.per_second(),
        server.process.memory_bytes("VmRSS")? as f64 / f64::from(1 << 20),
    );
    Ok(())
}

/// Waits until the server is almost idle.
fn wait_for_full_buffers(server: &Server) -> Result<()> {
    for _ in 0..LONGEST_FILLING_LOOKS {
        let before = server.process.cpu_seconds()?;
        std::thread::sleep(LOOK);
        if server.process.cpu_seconds()? - before < LOOK.as_secs_f64() / 20.0 {
            return Ok(());
        }
    }
    anyhow::bail!("the server is still busy with readers who take nothing")
}

/// Memory of a fresh server with idle connections, each after one request.
pub(super) fn idle(server: &Server) -> Result<()> {
    let before = server.process.memory_bytes("VmRSS")?;
    let request = server.get_request("/healthz");
    let mut idle = Vec::with_capacity(IDLE);
    let mut buffer = [0; 4096];
    for _ in 0..IDLE {
        let mut stream = TcpStream::connect(server.address()).context("is `ulimit -n` above 20000?")?;
        stream.write_all(&request)?;
        stream.read(&mut buffer).context("an idle connection's only answer")?;
        idle.push(stream);
    }
    let after = server.process.memory_bytes("VmRSS")?;
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    println!("{:<34} {:.0} MiB in all, {:.0} MiB before", "10,000 idle connections", mib(after), mib(before));
    Ok(())
}
