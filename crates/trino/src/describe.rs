//! `DESCRIBE INPUT|OUTPUT IMMEDIATE '…'`, which Trino supports for prepared statements only: the text is sent with the
//! statement as a prepared statement of its session.

use std::borrow::Cow;

use http::{HeaderMap, HeaderValue};
use rowhouse_model::client_protocol::header;
use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};

use super::request_headers::session_property;
use super::statement::described_statement;

/// Name of the prepared statement.
const NAME: &str = "rowhouse";
/// Maximum bytes of the header: Trino's servers accept 32 KiB of headers by default, and close the connection on more.
const MAX_HEADER_BYTES: usize = 24 << 10;

/// A statement in the form that is sent.
pub(super) struct Sent<'t> {
    /// Its text.
    pub(super) sql: Cow<'t, str>,
    /// Where the described text begins in the given text.
    text_place: Option<ErrorLocation>,
}

/// The text to send for a statement, and its headers.
///
/// # Errors
/// `NOT_SUPPORTED`: the described statement is too long.
pub(super) fn sent<'t>(body: &'t str, headers: &mut HeaderMap) -> Result<Sent<'t>, QueryError> {
    let Some((kind, text_place, text)) = described_statement(body) else {
        return Ok(Sent { sql: Cow::Borrowed(body), text_place: None });
    };
    let value = session_property(NAME, &text);
    let value = HeaderValue::from_str(&value).ok().filter(|value| value.len() <= MAX_HEADER_BYTES);
    let value = value.ok_or_else(|| {
        let message = format!(
            "DESCRIBE {kind} of a statement longer than {} KiB in its encoded form is not supported by a Trino cluster",
            MAX_HEADER_BYTES >> 10
        );
        QueryError::at(ErrorCode::NotSupported, text_place, message)
    })?;
    headers.insert(header::PREPARED_STATEMENT, value);
    Ok(Sent { sql: Cow::Owned(format!("DESCRIBE {kind} {NAME}")), text_place: Some(text_place) })
}

impl Sent<'_> {
    /// Maps an error of the cluster to its location in the given text.
    pub(super) fn placed(&self, error: QueryError) -> QueryError {
        let Some(start) = self.text_place else { return error };
        error.moved(|place| ErrorLocation {
            line_number: place.line_number + start.line_number - 1,
            // A doubled quote before the location on its line is not taken into account.
            column_number: match place.line_number {
                1 => place.column_number + start.column_number,
                _ => place.column_number,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_described_statement_is_sent_as_a_prepared_one() {
        let mut headers = HeaderMap::new();
        let sent = sent("DESCRIBE  output immediate 'SELECT ''a'', ?'", &mut headers).unwrap();
        assert_eq!(sent.sql, "DESCRIBE OUTPUT rowhouse");
        assert_eq!(headers["x-trino-prepared-statement"], "rowhouse=SELECT%20%27a%27%2C%20%3F");
        let place = |line_number, column_number| ErrorLocation { line_number, column_number };
        let moved = |at| {
            let error = sent.placed(QueryError::at(ErrorCode::ColumnNotFound, at, "no"));
            (error.error_location.unwrap(), error.message)
        };
        assert_eq!(moved(place(1, 8)), (place(1, 36), "line 1:36: no".to_owned()));
        assert_eq!(moved(place(2, 8)), (place(2, 8), "line 2:8: no".to_owned()));
    }

    #[test]
    fn other_statements_are_sent_unchanged() {
        for text in ["DESCRIBE output", "DESCRIBE input.immediate", "DESCRIBE INPUT p", "SELECT 1", ""] {
            let mut headers = HeaderMap::new();
            let sent = sent(text, &mut headers).unwrap();
            assert!(headers.is_empty() && sent.sql == text, "{text}");
        }
        let long = format!("DESCRIBE INPUT IMMEDIATE '{}'", "a, ".repeat(10_000));
        let refused = sent(&long, &mut HeaderMap::new()).err().unwrap();
        assert_eq!(
            (refused.error_name.as_str(), refused.error_location.unwrap().column_number),
            ("NOT_SUPPORTED", 26)
        );
    }
}
