//! The Rowhouse server: the command line, the listener and the routes of both interfaces.
//! Everything behind the routes is `rowhouse-engine`.

mod cli;
mod config;
mod serve;

pub use cli::CommandLine;
