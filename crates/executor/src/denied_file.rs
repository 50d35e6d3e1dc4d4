//! The mark of an error of a worker that was not allowed to open a file. A worker is confined to the files that exist when it
//! starts, so the statement may run on a fresh one. The text of an error cannot tell: a statement's own values may be in it.

use rowhouse_model::{FailureInfo, QueryError};

/// The kind of the `failureInfo`.
const DENIED_FILE: &str = "DeniedFile";

/// Marks an error.
#[must_use]
pub fn mark_denied_file(mut error: QueryError) -> QueryError {
    error.failure_info = Some(FailureInfo { kind: DENIED_FILE.to_owned(), message: None });
    error
}

/// Whether an error is marked.
pub fn is_denied_file(error: &QueryError) -> bool {
    error.failure_info.as_ref().is_some_and(|info| info.kind == DENIED_FILE)
}

/// The error without the mark, which is none of the client's business.
#[must_use]
pub fn without_denied_file(mut error: QueryError) -> QueryError {
    if is_denied_file(&error) {
        error.failure_info = None;
    }
    error
}
