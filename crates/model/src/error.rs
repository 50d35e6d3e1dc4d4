//! The body of every answer that is not 200 (D3), and the `error` of a failed query (D5).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ErrorCode, ErrorType};

/// The one error shape of both interfaces (D3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// Upper snake case; text, so that a client can read a newer server's codes.
    pub code: String,
    /// What was wrong, where, and how to fix it.
    pub message: String,
    /// The id under which the server logged the request.
    pub request_id: String,
    /// Further facts for programs, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

/// Why a query failed: Trino's QueryError (D5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueryError {
    /// Begins with `line L:C: ` if the location is known.
    pub message: String,
    /// Trino's number of the error.
    pub error_code: u32,
    /// Trino's name of the error.
    pub error_name: String,
    /// Whose fault it is.
    pub error_type: ErrorType,
    /// The location in the statement's text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_location: Option<ErrorLocation>,
    /// What failed inside the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_info: Option<FailureInfo>,
}

/// A location in a statement's text; both numbers start at 1, columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorLocation {
    /// The line, from 1.
    pub line_number: u32,
    /// The column, from 1, in characters.
    pub column_number: u32,
}

/// The kind of failure inside the engine, and its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureInfo {
    /// The failing part's name for the failure.
    #[serde(rename = "type")]
    pub kind: String,
    /// The failing part's message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl QueryError {
    /// An error without a location.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            error_code: code.number(),
            error_name: code.as_str().to_owned(),
            error_type: code.error_type(),
            error_location: None,
            failure_info: None,
        }
    }

    /// An error at a location; the message gets its `line L:C: ` prefix here.
    pub fn at(code: ErrorCode, location: ErrorLocation, message: impl AsRef<str>) -> Self {
        let ErrorLocation { line_number, column_number } = location;
        let message = format!("line {line_number}:{column_number}: {}", message.as_ref());
        Self { error_location: Some(location), ..Self::new(code, message) }
    }

    /// The same error at another location of the text, also in its message; unchanged if it has no location.
    #[must_use]
    pub fn moved(mut self, place: impl FnOnce(ErrorLocation) -> ErrorLocation) -> Self {
        let Some(old) = self.error_location else { return self };
        let new = place(old);
        let prefix = |place: ErrorLocation| format!("line {}:{}: ", place.line_number, place.column_number);
        if let Some(rest) = self.message.strip_prefix(&prefix(old)) {
            self.message = prefix(new) + rest;
        }
        self.error_location = Some(new);
        self
    }

    /// The code, if it is one of this server's.
    pub fn code(&self) -> Option<ErrorCode> {
        self.error_name.parse().ok()
    }
}
