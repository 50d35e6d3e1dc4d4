//! The harness of the whole-system tests: the real binary on a free port of the loopback, a plain HTTP
//! client, and the documented flow. The tests themselves are in `tests/tests`, named by subject.

mod answers;
mod binary;
mod clock_shift;
mod connection;
mod exposition;
mod flow;
mod folder;
mod forwarder;
mod hostile;
mod http2;
mod people;
mod python;
mod raw;
mod response;
mod server;
mod shared_server;
mod skip;
mod small_disk;
mod stalled;
mod stepwise;
mod tables;
mod trino;

pub use answers::check_answers;
pub use binary::{binary, sample_dir};
pub use clock_shift::ClockShift;
pub use connection::Connection;
pub use exposition::{Exposition, Sample};
pub use flow::SLOW_SQL;
pub use folder::path_in_tests;
pub use forwarder::Forwarder;
pub use hostile::hostile_text;
pub use http2::Http2Client;
pub use people::id_of;
pub use python::{python, run_script};
pub use response::Response;
pub use server::{Server, ServerBuilder, memory_bytes};
pub use shared_server::SharedServer;
pub use skip::{has_program, skip};
pub use small_disk::SmallDisk;
pub use stalled::{MemoryWatch, Stalled};
pub use stepwise::Stepwise;
pub use tables::data_file;
pub use trino::{
    ProtocolClient, Trino, TrinoClients, current_trino, next_path, own_trino, rows_of, spooling_trino, trino,
};
