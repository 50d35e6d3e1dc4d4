//! The Rowhouse server: the command line, the listener and the routes of both interfaces.
//! Everything behind the routes is `rowhouse-engine`.

mod accept;
mod auth;
mod body;
mod cli;
mod compress;
mod config;
mod connection;
mod entity_tag;
mod error;
mod listener;
mod logging;
mod metrics;
mod object;
mod parameters;
mod response;
mod router;
mod serve;
mod signals;
mod stream;

pub use cli::CommandLine;
