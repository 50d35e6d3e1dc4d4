//! Materialized views: generations of rows, and reads of them by filter.

mod cast;
mod generation;
mod index;
mod key;
mod predicate;
mod sections;
mod select;
mod statistics;

pub use generation::Generation;
