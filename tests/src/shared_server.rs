//! One server for all tests of a file: started by the first test that requests it, ended with the last that holds it.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::Server;

/// The server of a file: `static SERVER: SharedServer = SharedServer::new(&[]);`.
///
/// Only a weak reference is stored here, because a static is never dropped and its process would keep running.
#[derive(Debug)]
pub struct SharedServer {
    arguments: &'static [&'static str],
    server: Mutex<Weak<Server>>,
}

impl SharedServer {
    /// A server that will be started with these arguments of `rowhouse serve`.
    pub const fn new(arguments: &'static [&'static str]) -> Self {
        Self { arguments, server: Mutex::new(Weak::new()) }
    }

    /// The server; a test holds it until its end.
    ///
    /// # Panics
    /// If the server does not start.
    pub fn get(&self) -> Arc<Server> {
        // OK to continue after a panic: a failed start leaves the reference unchanged.
        let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = server.upgrade() {
            return running;
        }
        let mut builder = Server::builder();
        for argument in self.arguments {
            builder = builder.arguments([*argument]);
        }
        let started = Arc::new(builder.start());
        *server = Arc::downgrade(&started);
        started
    }
}
