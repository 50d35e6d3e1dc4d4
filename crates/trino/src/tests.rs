//! The protocol against a server that replays recorded exchanges of Trino 435, faults included.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fake;
mod faults;
mod large;
mod spool;
mod types;
