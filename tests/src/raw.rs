//! HTTP/1.1 as bytes, for requests that a well-behaved client would never send, and for connections that stay open.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::Server;

impl Server {
    /// A new connection, whose reads give up after ten seconds.
    ///
    /// # Panics
    /// If the server does not accept it.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).expect("the server accepts");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time limit");
        stream
    }

    /// Sends bytes and reads until the server closes or ten seconds pass.
    pub fn exchange(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may close before it has read everything: only the answer matters.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let mut buffer = [0; 8192];
        while let Ok(length) = stream.read(&mut buffer) {
            if length == 0 {
                break;
            }
            answer.extend_from_slice(&buffer[..length]);
        }
        String::from_utf8_lossy(&answer).into_owned()
    }
}
