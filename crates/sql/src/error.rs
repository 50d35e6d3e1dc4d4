//! Errors of the front end: a code, a location in the text, and the nearest name if a name was wrong.

use rowhouse_model::{ErrorCode, ErrorLocation, ErrorType, QueryError};
use sqlparser::tokenizer::Location;

/// Results of the front end.
pub(crate) type Result<T, E = QueryError> = std::result::Result<T, E>;

/// The location for the wire format; `None` if the parser has none (line 0).
pub(super) fn location_of(location: Location) -> Option<ErrorLocation> {
    let line_number = u32::try_from(location.line).ok()?;
    let column_number = u32::try_from(location.column).ok()?;
    (line_number > 0).then_some(ErrorLocation { line_number, column_number })
}

/// An error, at a location if one is known.
pub(super) fn error(
    code: ErrorCode,
    location: Option<ErrorLocation>,
    message: impl AsRef<str>,
) -> QueryError {
    match location {
        Some(location) => QueryError::at(code, location, message),
        None => QueryError::new(code, message.as_ref()),
    }
}

/// Adds a location to an error that is the statement's fault and has none. Errors of files have no location in the
/// text.
pub(super) fn located<T>(outcome: Result<T>, place: Option<ErrorLocation>) -> Result<T> {
    outcome.map_err(|error| match (place, error.code()) {
        (Some(place), Some(code))
            if error.error_location.is_none()
                && error.error_type == ErrorType::UserError
                && code != ErrorCode::ViewNotReady =>
        {
            QueryError::at(code, place, &error.message)
        }
        _ => error,
    })
}

/// The error of an unsupported feature.
pub(super) fn not_supported(location: Option<ErrorLocation>, what: impl AsRef<str>) -> QueryError {
    error(ErrorCode::NotSupported, location, format!("{} is not supported", what.as_ref()))
}

/// The error of a malformed statement.
pub(super) fn syntax_error(location: Option<ErrorLocation>, message: impl AsRef<str>) -> QueryError {
    error(ErrorCode::SyntaxError, location, message)
}

/// The error of incompatible types.
pub(super) fn type_mismatch(location: Option<ErrorLocation>, message: impl AsRef<str>) -> QueryError {
    error(ErrorCode::TypeMismatch, location, message)
}

/// A part of the statement for a message: its first 60 characters, and `…` if there are more.
pub(super) fn shown(part: &str) -> String {
    const CHARACTERS: usize = 60;
    match part.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", &part[..end]),
        None => part.to_owned(),
    }
}

/// Maximum number of names that are compared for a suggestion.
const MAX_CANDIDATES: usize = 10_000;

/// `. Did you mean 'x'?` for the name among `known` that is nearest to `name`; empty if none is similar.
pub(super) fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    rowhouse_filters::nearest(name, known.into_iter().take(MAX_CANDIDATES))
        .map_or_else(String::new, |known| format!(". Did you mean '{known}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        assert_eq!(suggestion("amont", ["count", "amount"]), ". Did you mean 'amount'?");
        assert_eq!(suggestion("ÄRGER", ["arger", "ärger"]), ". Did you mean 'ärger'?");
        assert_eq!(suggestion("amount", ["x", "price"]), "");
    }
}
