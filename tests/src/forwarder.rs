//! A TCP forwarder: its address stays the same while the server behind it is replaced.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::net::{TcpListener, TcpStream};

/// Listens on a free port of the loopback until it is dropped with its runtime.
#[derive(Debug)]
pub struct Forwarder {
    address: String,
    target: Arc<Mutex<String>>,
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
        let held = Arc::clone(&target);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let target = held.lock().unwrap_or_else(PoisonError::into_inner).clone();
                tokio::spawn(async move {
                    // A server that is gone refuses the connection; closing it here looks the same to the client.
                    if let Ok(mut far) = TcpStream::connect(target).await {
                        let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                    }
                });
            }
        });
        Self { address, target }
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
