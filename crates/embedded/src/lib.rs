//! The embedded engine: plans a statement, lowers the plan to Polars' streaming engine, writes the result file. These
//! are plain blocking functions; `worker.rs` runs them in a separate process, where a statement can be killed and its
//! memory is limited.

mod attempt;
mod batch_writer;
mod column;
mod conversion;
mod data_type;
mod date_time;
mod datum;
mod expression;
mod failure;
mod in_process;
mod json;
mod json_path;
mod lower;
mod measure;
mod numeric;
mod order_key;
mod output_file;
mod packed_texts;
mod partial_aggregation;
mod partitioned_aggregation;
mod plan_cache;
mod row_pattern;
mod run;
mod run_thread;
mod scan;
mod sink;
mod sketch;
mod spill;
mod stored_type;
mod tables;
mod tpch;
pub mod worker;

pub use in_process::InProcess;
pub use run::{analyze, execute};
pub use tables::describe;

#[cfg(test)]
mod tests;
