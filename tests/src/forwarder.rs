//! A TCP forwarder: its address stays the same while the server behind it is replaced.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// Listens on a free port of the loopback until it is dropped with its runtime.
#[derive(Debug)]
pub struct Forwarder {
    address: String,
    target: Arc<Mutex<String>>,
    answered: Arc<AtomicU64>,
}

/// Bytes in one direction until its end, each counted once it is handed on.
async fn forward(mut from: ReadHalf<'_>, mut to: WriteHalf<'_>, forwarded: &AtomicU64) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
        forwarded.fetch_add(length as u64, Ordering::Relaxed);
    }
    // The peer may be gone already.
    let _ = to.shutdown().await;
}

/// Both directions of a connection; it ends with the answers.
async fn connect(mut near: TcpStream, mut far: TcpStream, answered: &AtomicU64) {
    let (from_near, to_near) = near.split();
    let (from_far, to_far) = far.split();
    let asked = AtomicU64::new(0);
    let requests = async {
        forward(from_near, to_far, &asked).await;
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = forward(from_far, to_near, answered) => {}
        () = requests => {}
    }
}

impl Forwarder {
    /// Forwards connections to `target`, `127.0.0.1:PORT`.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn to(target: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let target = Arc::new(Mutex::new(target.to_owned()));
        let answered = Arc::new(AtomicU64::new(0));
        let (held, counted) = (Arc::clone(&target), Arc::clone(&answered));
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let target = held.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let answered = Arc::clone(&counted);
                tokio::spawn(async move {
                    // A server that is gone refuses the connection; closing it here looks the same to the client.
                    if let Ok(far) = TcpStream::connect(target).await {
                        connect(near, far, &answered).await;
                    }
                });
            }
        });
        Self { address, target, answered }
    }

    /// Returns when no byte of an answer was forwarded for `pause`: its clients read ahead no more.
    pub async fn quiet(&self, pause: Duration) {
        let mut before = None;
        loop {
            let now = self.answered.load(Ordering::Relaxed);
            if before == Some(now) {
                return;
            }
            before = Some(now);
            tokio::time::sleep(pause).await;
        }
    }

    /// Forwards connections to another server from now on.
    pub fn set_target(&self, target: &str) {
        target.clone_into(&mut self.target.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// `127.0.0.1:PORT`.
    pub fn address(&self) -> &str {
        &self.address
    }
}
