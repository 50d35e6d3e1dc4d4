//! Converts errors of Polars. Our kernels raise a typed error that Polars carries as the source of an I/O error, with
//! any wrapping; here it becomes a `QueryError` again. Polars' own errors are classified by their kind, and by
//! `polars_text.rs` if only their text distinguishes them.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

use polars::prelude::PolarsError;
use rowhouse_model::{ErrorCode, ErrorLocation, FailureInfo, QueryError, TableFormat};

use rowhouse_executor::{Statement, TableEntry, TableSource, heap, mark_denied_file, memory_limit_exceeded};

mod polars_text;

/// An error of a kernel.
#[derive(Debug)]
struct Raised {
    code: ErrorCode,
    message: String,
}

/// Decimals whose quick sums might overflow. The user never sees this error, because the statement runs again with
/// careful sums.
#[derive(Debug)]
struct DecimalsTooLarge;

/// The kind of [`DecimalsTooLarge`] in the `failureInfo` of the error that it becomes.
const DECIMALS_TOO_LARGE: &str = "DecimalsTooLarge";

/// The kinds of errors that files of a format cause. The message is the file's fault; which file it is, the statement
/// tells.
const INVALID_FILES: [(&str, TableFormat, &str); 2] =
    [(INVALID_CSV, TableFormat::Csv, "CSV"), (INVALID_PARQUET, TableFormat::Parquet, "Parquet")];
const INVALID_CSV: &str = "InvalidCsv";
const INVALID_PARQUET: &str = "InvalidParquet";

/// An error of a kernel, to be raised inside Polars.
pub(crate) fn raise(code: ErrorCode, message: impl AsRef<str>) -> PolarsError {
    carried(Raised { code, message: message.as_ref().to_owned() })
}

/// The error of decimals whose quick sums might overflow.
pub(crate) fn decimals_too_large() -> PolarsError {
    carried(DecimalsTooLarge)
}

/// Batches have no ascending runs of equal keys. It ends an attempt at a part of a statement, never the statement.
pub(crate) fn no_runs() -> PolarsError {
    raise(ErrorCode::GenericInternalError, "the rows have no runs of equal keys")
}

/// Whether an error is that of [`decimals_too_large`].
pub(crate) fn is_decimals_too_large(error: &QueryError) -> bool {
    error.failure_info.as_ref().is_some_and(|info| info.kind == DECIMALS_TOO_LARGE)
}

/// The error that the user gets for an error of Polars. If the engine is at fault, its text is opaque (D3), and the
/// original text goes to the log.
pub(crate) fn query_error(error: &PolarsError) -> QueryError {
    let root = root(error);
    if let Some(Raised { code, message }) = carried_by(root) {
        return QueryError::new(*code, message);
    }
    if let Some(DecimalsTooLarge) = carried_by(root) {
        let mut error = QueryError::new(ErrorCode::NumericValueOutOfRange, DecimalsTooLarge.to_string());
        error.failure_info = Some(FailureInfo { kind: DECIMALS_TOO_LARGE.to_owned(), message: None });
        return error;
    }
    let text = error.to_string();
    match root {
        PolarsError::IO { error, .. } if heap::is_used_up(error) => {
            let limit_bytes = heap::limit_bytes().unwrap_or(0);
            QueryError::new(ErrorCode::ExceededMemoryLimit, memory_limit_exceeded(limit_bytes))
        }
        PolarsError::IO { .. } => {
            let what = format!("cannot read the table's files: {}", first_line(&text));
            let unreadable = QueryError::new(ErrorCode::External, what);
            if is_denied(root) { mark_denied_file(unreadable) } else { unreadable }
        }
        PolarsError::ComputeError(what) if let Some(fault) = polars_text::csv_fault(what) => {
            of_file(INVALID_CSV, fault, &text)
        }
        PolarsError::ComputeError(what) if let Some(fault) = polars_text::parquet_fault(what) => {
            of_file(INVALID_PARQUET, first_line(fault), &text)
        }
        PolarsError::InvalidOperation(what) if polars_text::is_failed_conversion(what) => {
            QueryError::new(ErrorCode::InvalidCastArgument, first_line(&text))
        }
        PolarsError::OutOfBounds(_) => QueryError::new(ErrorCode::InvalidFunctionArgument, first_line(&text)),
        _ => internal("Polars", &text),
    }
}

/// Whether a file could not be opened for missing rights.
pub(crate) fn is_denied(error: &PolarsError) -> bool {
    matches!(root(error), PolarsError::IO { error, .. } if error.kind() == io::ErrorKind::PermissionDenied)
}

/// An error that a file causes, until [`in_files`] says which one.
fn of_file(kind: &str, fault: &str, text: &str) -> QueryError {
    let mut error = internal(kind, text);
    fault.clone_into(&mut error.message);
    error
}

/// The error with the files of the statement, if one of them caused it. Other errors do not change.
pub(crate) fn in_files(error: QueryError, statement: &Statement) -> QueryError {
    let kind = error.failure_info.as_ref().map(|info| info.kind.as_str());
    let Some((_, of_format, name)) = INVALID_FILES.into_iter().find(|(invalid, ..)| kind == Some(*invalid))
    else {
        return error;
    };
    let text = statement.sql.to_lowercase();
    let is_named = |table: &&TableEntry| text.contains(table.name.as_str());
    let places = statement.catalog.tables.iter().filter(is_named).filter_map(|table| match &table.source {
        TableSource::Files { location, format } if *format == of_format => Some(location.as_str()),
        _ => None,
    });
    let places = places.collect::<Vec<_>>().join(" or ");
    if places.is_empty() {
        let cause = error.failure_info.and_then(|info| info.message).unwrap_or_default();
        return internal("Polars", &cause);
    }
    QueryError::new(ErrorCode::External, format!("cannot read {name} file {places}: {}", error.message))
}

/// Whether TRY gives NULL for an error: for the four codes of Trino's TRY, which are errors of values.
pub(crate) fn is_caught_by_try(error: &PolarsError) -> bool {
    matches!(
        query_error(error).code(),
        Some(
            ErrorCode::DivisionByZero
                | ErrorCode::InvalidCastArgument
                | ErrorCode::InvalidFunctionArgument
                | ErrorCode::NumericValueOutOfRange
        )
    )
}

/// The error for a panic: the memory limit if memory was refused, otherwise an internal error.
pub(crate) fn of_panic(panic: &(dyn Any + Send)) -> QueryError {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default();
    let is_refused = heap::was_refused() || polars_text::is_no_memory(text);
    if let Some(exceeded) = exceeded_memory().filter(|_| is_refused) {
        return exceeded;
    }
    let mut error = internal("Panic", "");
    if let Some(info) = &mut error.failure_info {
        info.message = None;
    }
    error
}

/// The error of the memory limit, if there is one.
fn exceeded_memory() -> Option<QueryError> {
    let limit_bytes = heap::limit_bytes()?;
    Some(QueryError::new(ErrorCode::ExceededMemoryLimit, memory_limit_exceeded(limit_bytes)))
}

/// The error of the memory limit for an allocation that was refused, such as that of a file's decompressed text.
pub(crate) fn of_no_memory(error: &PolarsError) -> Option<QueryError> {
    let is_refused =
        matches!(root(error), PolarsError::IO { error, .. } if error.kind() == io::ErrorKind::OutOfMemory);
    exceeded_memory().filter(|_| is_refused)
}

/// An internal error. Its message is opaque; `failureInfo` has the cause for the log. A worker moves the cause to the
/// log before it replies.
pub(crate) fn internal(kind: &str, cause: &str) -> QueryError {
    let mut error = QueryError::new(ErrorCode::GenericInternalError, "the engine failed at this statement");
    error.failure_info = Some(FailureInfo { kind: kind.to_owned(), message: Some(cause.to_owned()) });
    error
}

/// The error for an unsupported feature, with its location.
pub(crate) fn not_supported(what: &str, location: Option<ErrorLocation>) -> QueryError {
    match location {
        Some(location) => QueryError::at(ErrorCode::NotSupported, location, what),
        None => QueryError::new(ErrorCode::NotSupported, what),
    }
}

/// Whether an error is internal, which means that the engine is at fault.
pub(crate) fn is_internal(error: &PolarsError) -> bool {
    query_error(error).code() == Some(ErrorCode::GenericInternalError)
}

fn carried(error: impl Error + Send + Sync + 'static) -> PolarsError {
    PolarsError::IO { error: Arc::new(io::Error::other(error)), msg: None }
}

fn carried_by<T: Error + 'static>(error: &PolarsError) -> Option<&T> {
    match error {
        PolarsError::IO { error, .. } => error.get_ref()?.downcast_ref(),
        _ => None,
    }
}

/// The error without the contexts around it.
fn root(error: &PolarsError) -> &PolarsError {
    match error {
        PolarsError::Context { error, .. } | PolarsError::ExprContext { error, .. } => root(error),
        // An error that was wrapped as an I/O error.
        error => carried_by(error).map_or(error, root),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text)
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Raised {}

impl fmt::Display for DecimalsTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("decimals too large to be added up unseen")
    }
}

impl Error for DecimalsTooLarge {}

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
    fn a_raised_error_survives_a_time_as_an_io_error_and_a_message_around_it() {
        let error = raise(ErrorCode::DivisionByZero, "Division by zero");
        let error =
            PolarsError::from(io::Error::from(error)).wrap_msg(|text| format!("while writing: {text}"));
        assert_eq!(query_error(&error).message, "Division by zero");
        let error = decimals_too_large().context("in 'sum'".into());
        assert!(is_decimals_too_large(&query_error(&error)));
        let other = raise(ErrorCode::NumericValueOutOfRange, DecimalsTooLarge.to_string());
        assert!(!is_decimals_too_large(&query_error(&other)), "its text does not tell");
    }

    #[test]
    fn only_a_file_that_may_not_be_opened_is_marked_as_such() {
        let check = |error: PolarsError, expected: bool| {
            let shown = query_error(&error);
            assert_eq!(rowhouse_executor::is_denied_file(&shown), expected, "{shown:?}");
        };
        let denied = || io::Error::from_raw_os_error(13);
        check(denied().into(), true);
        check(PolarsError::from(denied()).context("in 'scan'".into()), true);
        check(PolarsError::from(io::Error::other(PolarsError::from(denied()))), true);
        check(io::Error::other("Permission denied (os error 13)").into(), false);
        check(raise(ErrorCode::External, "Permission denied (os error 13)"), false);
        check(PolarsError::ComputeError("Permission denied".into()), false);
    }

    #[test]
    fn an_unknown_error_is_opaque() {
        let error = query_error(&PolarsError::ComputeError("secret of the engine".into()));
        assert_eq!(error.error_name, "GENERIC_INTERNAL_ERROR");
        assert!(!error.message.contains("secret"));
    }
}
