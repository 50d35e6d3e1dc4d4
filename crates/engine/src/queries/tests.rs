//! Statements with an executor of scripted outcomes, a manual clock and a real store.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;
mod cache;
mod faults;
mod interleavings;
mod kept;
mod life;
mod others;
mod purge;
mod queue;
mod restart;
mod retention;
mod service;
mod stale;
