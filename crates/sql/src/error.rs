//! Errors of the front end: a code, a place in the text, and the nearest name where a name was wrong.

use rowhouse_model::{ErrorCode, ErrorLocation, ErrorType, QueryError};
use sqlparser::tokenizer::Location;

/// Results of the front end.
pub(crate) type Result<T, E = QueryError> = std::result::Result<T, E>;

/// The wire's place of the parser's; none where the parser knows none (its line 0).
pub(super) fn location_of(location: Location) -> Option<ErrorLocation> {
    let line_number = u32::try_from(location.line).ok()?;
    let column_number = u32::try_from(location.column).ok()?;
    (line_number > 0).then_some(ErrorLocation { line_number, column_number })
}

/// An error, at a place where one is known.
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

/// The outcome, its error at this place where it is the statement's fault and has no place of its own. What files
/// tell is no fault of a place in the text.
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

/// The statement asks for something that this server does not do.
pub(super) fn not_supported(location: Option<ErrorLocation>, what: impl AsRef<str>) -> QueryError {
    error(ErrorCode::NotSupported, location, format!("{} is not supported", what.as_ref()))
}

/// The statement is not well formed.
pub(super) fn syntax_error(location: Option<ErrorLocation>, message: impl AsRef<str>) -> QueryError {
    error(ErrorCode::SyntaxError, location, message)
}

/// Types do not fit.
pub(super) fn type_mismatch(location: Option<ErrorLocation>, message: impl AsRef<str>) -> QueryError {
    error(ErrorCode::TypeMismatch, location, message)
}

/// Longer names have no near ones: the search takes the product of two lengths.
const MAX_SUGGESTED: usize = 128;
/// Names among which the nearest one is looked for.
const MAX_CANDIDATES: usize = 10_000;

/// `. Did you mean 'x'?` for the name among `known` that is nearest to `name`, or nothing where none is near.
pub fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let letters = |name: &str| -> Option<Vec<char>> {
        // A letter takes up to four bytes.
        let letters =
            || name.chars().flat_map(char::to_lowercase).take(MAX_SUGGESTED + 1).collect::<Vec<_>>();
        (name.len() <= 4 * MAX_SUGGESTED).then(letters).filter(|letters| letters.len() <= MAX_SUGGESTED)
    };
    let Some(wanted) = letters(name) else { return String::new() };
    // A third of the letters may differ: more would suggest names that have nothing in common.
    let tolerance = (wanted.len() / 3).max(1);
    known
        .into_iter()
        .take(MAX_CANDIDATES)
        .filter_map(|known| Some((edit_distance(&wanted, &letters(known)?, tolerance), known)))
        .filter(|(distance, _)| *distance <= tolerance)
        .min()
        .map_or_else(String::new, |(_, known)| format!(". Did you mean '{known}'?"))
}

/// Letters to insert, remove or replace to make one name of the other; anything above `limit` where the
/// lengths alone tell so.
fn edit_distance(left: &[char], right: &[char], limit: usize) -> usize {
    if left.len().abs_diff(right.len()) > limit {
        return limit + 1;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, left_character) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right_character) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(left_character != right_character);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
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

    /// Two names of 400 KB kept a worker busy for a minute.
    #[test]
    fn long_names_are_not_compared() {
        let longest = "a".repeat(MAX_SUGGESTED);
        let near = format!("{}b", &longest[1..]);
        assert_eq!(suggestion(&longest, [near.as_str()]), format!(". Did you mean '{near}'?"));
        let longer = format!("{longest}a");
        assert_eq!(suggestion(&longer, [longest.as_str()]), "");
        assert_eq!(suggestion(&longest, [longer.as_str()]), "");
    }
}
