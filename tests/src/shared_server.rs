//! One server for all tests of a file: started by the first test that asks, ended with the last that holds it.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::Server;

/// A place for the server of a file: `static SERVER: SharedServer = SharedServer::new(&[]);`.
///
/// Only a weak reference stays here, because a value in a static is never dropped and would leave its
/// process behind.
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

    /// The server; a test keeps what it gets until its end.
    ///
    /// # Panics
    /// If the server does not start.
    pub fn get(&self) -> Arc<Server> {
        // OK to go on after a panic: a failed start leaves the reference as it was.
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
