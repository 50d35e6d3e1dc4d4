//! Trino clusters as engines: the second executor. A statement is submitted over Trino's client protocol and its rows
//! are fetched by this server, at its own pace, into the same Arrow result file that a worker process writes.
//!
//! It does not plan, type or check SQL. It sends the text unchanged, refuses statements that a workspace may not run by
//! their first words, and passes on Trino's answers.

mod catalog;
mod cluster;
mod connection;
mod decode;
mod describe;
mod drain;
mod executor;
mod failure;
mod journal;
mod json;
mod lookup;
mod monitor;
mod page;
mod page_memory;
mod request_headers;
mod rows;
mod setting_error;
mod spool;
mod statement;
#[cfg(test)]
mod tests;
mod transport;
mod under_way;
mod wire;

pub use cluster::{TrinoAuthentication, TrinoCluster};
pub use executor::TrinoExecutor;
pub use monitor::check_cluster;
pub use setting_error::SettingError;
pub use statement::prepare;
