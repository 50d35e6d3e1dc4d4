//! One answer of many rows: bytes per second, the time to the first byte, and the server's memory, beside bare hyper
//! sending as many bytes.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::Bench;
use super::response::ResponseReader;
use super::server::{Server, request_bytes};

const READ_BYTES: usize = 256 << 10;

/// An export of one resource.
#[derive(Debug)]
pub(super) struct Export<'e> {
    pub(super) name: String,
    pub(super) server: &'e Server,
    pub(super) request: Vec<u8>,
}

/// One download.
#[derive(Clone, Copy, Debug)]
struct Download {
    body_bytes: u64,
    seconds: f64,
    first_byte: Duration,
}

impl Download {
    fn megabytes_per_second(&self) -> f64 {
        self.body_bytes as f64 / self.seconds / 1e6
    }
}

impl Export<'_> {
    /// Measures and prints a line, if it is selected.
    pub(super) fn run(&self, bench: &Bench) -> Result<()> {
        if !bench.is_wanted(&self.name) {
            return Ok(());
        }
        let warm = download(self.server.address(), &self.request)?;
        let limit_request = request_bytes("GET", "bare", &format!("/{}", warm.body_bytes), "", None);
        let process = &self.server.process;
        let before = process.memory_bytes("VmRSS")?;
        process.reset_peak_memory()?;
        let (mut own, mut limit) = (Vec::new(), Vec::new());
        for _ in 0..bench.rounds {
            limit.push(download(bench.limit.address, &limit_request)?);
            own.push(download(self.server.address(), &self.request)?);
        }
        let growth = process.memory_bytes("VmHWM")?.saturating_sub(before);
        let (own, limit) = (median(own), median(limit));
        println!(
            "{:<34} {:>6.0} MB/s {:>6.0} MB/s {:>6.1} %  {:>6.1} MB in {:.2} s, first byte {:.2} ms, memory +{:.1} MiB",
            self.name,
            own.megabytes_per_second(),
            limit.megabytes_per_second(),
            100.0 * own.megabytes_per_second() / limit.megabytes_per_second(),
            own.body_bytes as f64 / 1e6,
            own.seconds,
            own.first_byte.as_secs_f64() * 1000.0,
            growth as f64 / f64::from(1 << 20),
        );
        Ok(())
    }
}

fn median(mut downloads: Vec<Download>) -> Download {
    downloads.sort_by(|left, right| left.seconds.total_cmp(&right.seconds));
    downloads[downloads.len() / 2]
}

fn download(address: SocketAddr, request: &[u8]) -> Result<Download> {
    let mut stream = TcpStream::connect(address)?;
    let begun = Instant::now();
    stream.write_all(request)?;
    let mut reader = ResponseReader::default();
    let mut buffer = vec![0; READ_BYTES];
    let mut first_byte = None;
    loop {
        let length = stream.read(&mut buffer)?;
        if length == 0 {
            bail!("the answer broke off after {} bytes", reader.body_bytes());
        }
        let first_byte = *first_byte.get_or_insert_with(|| begun.elapsed());
        if reader.feed(&buffer[..length])? {
            let seconds = begun.elapsed().as_secs_f64();
            return Ok(Download { body_bytes: reader.body_bytes(), seconds, first_byte });
        }
    }
}
