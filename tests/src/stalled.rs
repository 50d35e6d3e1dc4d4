//! Clients that request a response and do not read it, and the server's memory meanwhile.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::{Server, memory_bytes};

/// The peak of a server's memory, without the pages of files that it has mapped.
#[derive(Debug)]
pub struct MemoryWatch {
    most_bytes: Arc<AtomicU64>,
    has_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A connection of which only the response's head is read.
#[derive(Debug)]
pub struct Stalled {
    stream: TcpStream,
    /// The beginning of the response.
    pub beginning: String,
}

impl Server {
    /// Sends a request and reads the beginning of the response, with small buffers on the way: bytes that the server
    /// has produced and not sent are in its own memory.
    ///
    /// # Panics
    /// If there is no response.
    pub fn stalled(&self, token: &str, path: &str, accept_encoding: &str) -> Stalled {
        let address = self.address().parse().expect("an address");
        let socket =
            rustix::net::socket(rustix::net::AddressFamily::INET, rustix::net::SocketType::STREAM, None);
        let socket = socket.expect("a socket");
        // Before it is connected, because the offered window depends on it.
        rustix::net::sockopt::set_socket_recv_buffer_size(&socket, 4096).expect("a small buffer");
        rustix::net::connect(&socket, &std::net::SocketAddr::V4(address)).expect("the server accepts");
        let mut stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Token {token}\r\nAccept-Encoding: {accept_encoding}\r\n\r\n"
        )
        .expect("sent");
        let mut buffer = [0; 512];
        let length = stream.read(&mut buffer).expect("an answer");
        let beginning = String::from_utf8_lossy(&buffer[..length]).into_owned();
        Stalled { stream, beginning }
    }
}

impl Stalled {
    /// The status of the response.
    ///
    /// # Panics
    /// If it is not an HTTP response.
    pub fn status(&self) -> u16 {
        let line = self.beginning.strip_prefix("HTTP/1.1 ").expect("an answer of HTTP/1.1");
        line[..3].parse().expect("a status")
    }

    /// Reads the rest of the response until the server has sent a complete body, or closes; returns its bytes.
    ///
    /// # Panics
    /// If it does not arrive.
    pub fn read_on(mut self, at_least: usize) -> usize {
        let mut buffer = vec![0; 1 << 20];
        let mut total = self.beginning.len();
        while total < at_least {
            match self.stream.read(&mut buffer).expect("the rest of the answer") {
                0 => break,
                length => total += length,
            }
        }
        total
    }
}

impl Server {
    /// Samples its memory until the watch is dropped.
    pub fn watch_memory(&self) -> MemoryWatch {
        let (most_bytes, has_ended) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (most, ended, pid) = (Arc::clone(&most_bytes), Arc::clone(&has_ended), self.pid());
        let thread = std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                most.fetch_max(memory_bytes(pid, "RssAnon").unwrap_or(0), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        MemoryWatch { most_bytes, has_ended, thread: Some(thread) }
    }
}

impl MemoryWatch {
    /// The peak in MiB.
    pub fn most_mib(&self) -> u64 {
        self.most_bytes.load(Ordering::Relaxed) >> 20
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.has_ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // OK to ignore: the thread cannot fail.
            let _ = thread.join();
        }
    }
}
