//! The SQL front end: text to a typed relational plan. It checks every node of the parsed statement against an
//! allow-list, resolves names and types, and rewrites the plan. It executes nothing and does not depend on an engine.

mod analyze;
mod brackets;
#[cfg(test)]
pub(crate) mod cpu_time;
pub mod date_time_text;
mod deep_stack;
mod dialect;
mod effort;
mod error;
mod execute;
mod explain;
pub mod expr;
mod fingerprint;
pub mod functions;
pub mod json_path;
pub mod json_table;
pub mod json_text;
mod keywords;
mod lexer;
mod literal_rows;
mod match_recognize;
pub mod number_text;
pub mod omitted;
mod parameter_constant;
mod parameters;
mod parse;
mod passes;
pub mod plan;
mod prepare;
mod property_tokens;
mod routine;
pub mod routine_program;
pub mod session_property;
mod session_statement;
mod show;
mod spelling;
pub mod sql_json;
pub mod stages;
mod statement;
pub mod statistics;
mod tokens;
mod tree_walk;
pub mod types;
mod with_session;
mod words;

/// The Trino version whose SQL is implemented, as returned by `version()`; drivers and tools select their statements by
/// it.
pub const TRINO_VERSION: &str = "476";

pub use analyze::analyze;
pub use deep_stack::{STACK_BYTES, on_detached_deep_stack, on_planning_thread};
pub use effort::Abandonment;
pub use execute::{EXECUTE_IMMEDIATE, check_prepared, execute_immediate};
pub use keywords::is_reserved;
pub use literal_rows::{LiteralRows, literal_rows};
pub use parameter_constant::{
    NamedParameter, ParameterConstant, ParameterType, named_parameters, ordered_by,
};
pub use passes::{Pass, PassSet, filter_fraction, row_estimates};
pub use prepare::prepare_here;
pub use prepare::{Prepared, PreparedText, prepare};
pub use property_tokens::SessionValue;
pub use session_statement::{Procedure, ProcedureArgument, SessionStatement};
pub use statement::{Analyzed, Inputs, Session, TableRef, TableSchema, TableSchemas};
pub use with_session::StatementProperty;
