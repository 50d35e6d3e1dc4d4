//! The crate's one error type: a closed kind for programs, a message for people, and for SQL text the location.

use std::fmt;

/// Why a filter, a LIKE pattern, a column name or a declaration in a comment was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    location: Option<Location>,
}

/// The kind of error. `UnknownColumn` is D3's `COLUMN_NOT_FOUND`, all others are `INVALID_ARGUMENTS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The text is not `column:operator:value`.
    MalformedFilter,
    /// The operator is none of [`Operator::ALL`](crate::Operator::ALL).
    UnknownOperator,
    /// The value does not have the form that the operator requires, for any column; a LIKE pattern is malformed.
    MalformedOperand,
    /// The operator, or this form of its value, does not exist for the column's type.
    UnsupportedOperator,
    /// No column of the view has the name.
    UnknownColumn,
    /// Several columns of the view have the name.
    AmbiguousColumn,
    /// A declaration in a comment (required filters, or of an endpoint) is malformed or a near miss.
    MalformedComment,
}

/// A location in SQL text; both numbers start at 1, columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The line, from 1; `\n`, `\r\n` and a lone `\r` end a line.
    pub line_number: u32,
    /// The column, from 1, in characters.
    pub column_number: u32,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), location: None }
    }

    pub(crate) fn at(self, location: Location) -> Self {
        Self { location: Some(location), ..self }
    }

    /// Prefixes the message with the filter's text and the character (from 1) at which the faulty part begins.
    pub(crate) fn in_filter(self, text: &str, faulty_part_offset: usize) -> Self {
        let character = text[..faulty_part_offset].chars().count() + 1;
        Self { message: format!("filter {}, character {character}: {}", Quoted(text), self.message), ..self }
    }

    /// The kind of error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What was wrong and what was expected, without the location in the SQL text.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The location in the SQL text; only errors about comments of SQL have one.
    pub fn location(&self) -> Option<Location> {
        self.location
    }
}

impl Location {
    /// The location of a byte offset of `sql`.
    pub(crate) fn of(sql: &str, offset: usize) -> Self {
        let (mut line_number, mut column_number) = (1, 1);
        let mut before = sql[..offset].chars().peekable();
        while let Some(character) = before.next() {
            let ends_line = character == '\n' || (character == '\r' && before.peek() != Some(&'\n'));
            (line_number, column_number) =
                if ends_line { (line_number + 1, 1) } else { (line_number, column_number + 1) };
        }
        Self { line_number, column_number }
    }
}

impl fmt::Display for Error {
    /// The message, prefixed with `line L:C: ` if the location is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Location { line_number, column_number }) = self.location {
            write!(f, "line {line_number}:{column_number}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Input text inside a message: in backticks, truncated if long, control characters escaped.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

/// Maximum number of characters of input text that a message repeats.
const QUOTED_LENGTH_CHARACTERS: usize = 80;

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        for character in self.0.chars().take(QUOTED_LENGTH_CHARACTERS) {
            if character.is_control() {
                write!(f, "{}", character.escape_debug())?;
            } else {
                write!(f, "{character}")?;
            }
        }
        if self.0.chars().nth(QUOTED_LENGTH_CHARACTERS).is_some() {
            f.write_str("…")?;
        }
        f.write_str("`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn location_counts_lines_and_characters() {
        let check = |sql: &str, offset, line_number, column_number| {
            assert_eq!(
                Location::of(sql, offset),
                Location { line_number, column_number },
                "{sql:?} at {offset}"
            );
        };
        check("abc", 0, 1, 1);
        check("abc", 2, 1, 3);
        check("a\nb", 2, 2, 1);
        check("a\r\nb", 3, 2, 1);
        check("a\rb", 2, 2, 1);
        check("a\r\r\nb", 4, 3, 1);
        check("é\u{1f600}x", 6, 1, 3);
    }

    #[test]
    fn quoted_is_short_and_printable() {
        let check = |text: &str, expected: &str| assert_eq!(Quoted(text).to_string(), expected);
        check("a:eq:1", "`a:eq:1`");
        check("a\n\u{7}", "`a\\n\\u{7}`");
        check(&"é".repeat(80), &format!("`{}`", "é".repeat(80)));
        check(&"é".repeat(81), &format!("`{}…`", "é".repeat(80)));
    }
}
