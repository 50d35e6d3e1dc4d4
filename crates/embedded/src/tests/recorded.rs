//! Statements with recorded answers of a real Trino, and their outcomes here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rowhouse_executor::Execution;
use rowhouse_model::ErrorCode;
use serde::Deserialize;

use super::*;

/// A statement and Trino's answer: columns and rows, or an error's name, code and location.
#[derive(Deserialize)]
pub(super) struct Case {
    pub(super) sql: String,
    #[serde(default)]
    pub(super) columns: Vec<(String, String)>,
    #[serde(default)]
    pub(super) rows: Vec<Vec<Value>>,
    pub(super) error: Option<String>,
    pub(super) code: Option<u32>,
    pub(super) at: Option<(u32, u32)>,
}

/// Executes a statement as a worker does: a panic becomes an internal error.
pub(super) fn executed(sql: &str, folder: &Path) -> Result<(Statement, Execution), QueryError> {
    let statement = statement(sql, folder);
    let options = ExecutionOptions {
        passes: &PassSet::default(),
        attempts: &Attempt::ALL,
        spill: None,
        samples: Samples::Create,
        uses_plan_cache: false,
    };
    let run = || execute_in(&options, &statement, &mut |_| {});
    let execution = catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Err(QueryError::new(ErrorCode::GenericInternalError, "a panic")))?;
    Ok((statement, execution))
}
