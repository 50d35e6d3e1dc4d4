//! The SQL front end: text to a typed relational plan. It checks every node of the parsed statement against an
//! allow-list, resolves names and types, and rewrites the plan. It executes nothing and knows no engine.

mod analyze;
mod deep_stack;
mod dialect;
mod error;
pub mod expr;
pub mod functions;
mod parameters;
mod parse;
mod passes;
pub mod plan;
mod prepare;
mod statement;
mod tokens;
pub mod types;

pub use analyze::analyze;
pub use passes::{Pass, PassSet};
pub use prepare::{Prepared, prepare};
pub use statement::{Analyzed, Session, TableRef, TableSchema, TableSchemas};
pub use tokens::is_reserved;
