//! Errors on their way out of Polars: a kernel of ours raises one with a code, Polars wraps it in text of
//! its own, and here it becomes a `QueryError` again. What Polars raises itself is sorted by its kind.

use polars::prelude::PolarsError;
use rowhouse_model::{ErrorCode, ErrorLocation, FailureInfo, QueryError};

use rowhouse_executor::heap;
use rowhouse_executor::memory_limit_exceeded;

/// Stands before and after a code inside a Polars error's text; no statement can put it there, because only
/// our kernels' texts begin with it.
const MARK: char = '\u{1}';

/// An error of a kernel, to be raised inside Polars.
pub(crate) fn raise(code: ErrorCode, message: impl AsRef<str>) -> PolarsError {
    // Values from data may hold the mark; then they would be cut off there.
    let message = message.as_ref().replace(MARK, " ");
    PolarsError::ComputeError(format!("{MARK}{code}{MARK}{message}{MARK}").into())
}

/// What a statement's user is told of an error that came out of Polars. An error that is nobody's fault but
/// ours is opaque (D3): its text goes to the log.
pub(crate) fn query_error(error: &PolarsError) -> QueryError {
    let text = error.to_string();
    if let Some(raised) = raised(&text) {
        return raised;
    }
    let root = root(error);
    match root {
        PolarsError::IO { error, .. } if heap::is_used_up(error) => {
            let limit_bytes = heap::limit_bytes().unwrap_or(0);
            QueryError::new(ErrorCode::ExceededMemoryLimit, memory_limit_exceeded(limit_bytes))
        }
        PolarsError::IO { .. } => {
            let what = format!("cannot read the table's files: {}", first_line(&text));
            QueryError::new(ErrorCode::External, what)
        }
        PolarsError::InvalidOperation(_) if text.starts_with("conversion from") => {
            QueryError::new(ErrorCode::InvalidCastArgument, first_line(&text))
        }
        PolarsError::OutOfBounds(_) => QueryError::new(ErrorCode::InvalidFunctionArgument, first_line(&text)),
        _ => internal("Polars", &text),
    }
}

/// An internal error: its message is opaque, its cause stands in `failureInfo` for the log; a worker moves it
/// there before it answers.
pub(crate) fn internal(kind: &str, cause: &str) -> QueryError {
    let mut error = QueryError::new(ErrorCode::GenericInternalError, "the engine failed at this statement");
    error.failure_info = Some(FailureInfo { kind: kind.to_owned(), message: Some(cause.to_owned()) });
    error
}

/// What this engine does not do, at its place.
pub(crate) fn not_supported(what: &str, location: Option<ErrorLocation>) -> QueryError {
    match location {
        Some(location) => QueryError::at(ErrorCode::NotSupported, location, what),
        None => QueryError::new(ErrorCode::NotSupported, what),
    }
}

/// What is said of decimals that a statement cannot add up the quick way. No user reads it: the statement runs again.
const DECIMALS_TOO_LARGE: &str = "decimals too large to be added up unseen";

/// The error of decimals that a statement cannot add up the quick way.
pub(crate) fn decimals_too_large() -> PolarsError {
    raise(ErrorCode::NumericValueOutOfRange, DECIMALS_TOO_LARGE)
}

/// Whether an error is that of [`decimals_too_large`].
pub(crate) fn is_decimals_too_large(error: &QueryError) -> bool {
    error.message == DECIMALS_TOO_LARGE
}

/// Whether an error is nobody's fault but the engine's.
pub(crate) fn is_internal(error: &PolarsError) -> bool {
    query_error(error).code() == Some(ErrorCode::GenericInternalError)
}

fn raised(text: &str) -> Option<QueryError> {
    let mut parts = text.split(MARK).skip(1);
    let code: ErrorCode = parts.next()?.parse().ok()?;
    Some(QueryError::new(code, parts.next()?))
}

/// The error without the contexts around it.
fn root(error: &PolarsError) -> &PolarsError {
    match error {
        PolarsError::Context { error, .. } => root(error),
        error => error,
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_error_survives_what_polars_puts_around_it() {
        let error = raise(ErrorCode::DivisionByZero, "Division by zero").context("in 'select'".into());
        let error = query_error(&error);
        assert_eq!(error.error_name, "DIVISION_BY_ZERO");
        assert_eq!(error.message, "Division by zero");
    }

    #[test]
    fn an_unknown_error_is_opaque() {
        let error = query_error(&PolarsError::ComputeError("secret of the engine".into()));
        assert_eq!(error.error_name, "GENERIC_INTERNAL_ERROR");
        assert!(!error.message.contains("secret"));
    }
}
