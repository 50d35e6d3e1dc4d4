//! The SQL front end: text to a typed relational plan. It checks every node of the parsed statement against an
//! allow-list, resolves names and types, and rewrites the plan. It executes nothing and knows no engine.

pub mod expr;
pub mod functions;
pub mod plan;
mod statement;
pub mod types;

pub use statement::{Analyzed, Session, TableRef, TableSchema, TableSchemas};
