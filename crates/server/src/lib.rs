//! The Rowhouse server: the command line, the listener and the routes of both interfaces. Everything behind the routes
//! is `rowhouse-engine`.

mod accept;
mod access_log;
mod answer_cache;
mod answer_memory;
mod app;
mod audit;
mod auth;
mod body;
mod call;
mod cli;
mod client_watch;
mod compress;
mod config;
mod connection;
mod cors;
mod decoded_heads;
mod encoders;
mod entity_tag;
mod error;
mod event_stream;
mod exchange;
mod first_start;
mod head_lines;
mod head_memory;
mod host;
mod http2_heads;
mod listener;
mod log_writer;
mod logging;
mod metrics;
mod object;
mod open_files;
mod parameters;
mod pause_slots;
mod processor;
mod reload;
mod request_ids;
mod response;
mod transfer_coding;
#[macro_use]
mod route_table;
mod router;
mod routes;
mod serve;
mod signals;
mod stall;
mod stream;
mod timer;
mod tls;
mod tool_calls;
mod traces;
mod waiting_segments;

pub use cli::CommandLine;
pub use processor::missing_instructions;
