//! Refusals: an error of GraphQL with status 200, or the refusal of the request.

use rowhouse_engine::ErrorKind;

use crate::error::Error;

/// The code of GraphQL servers for a text that cannot be parsed.
const PARSE_FAILED: &str = "GRAPHQL_PARSE_FAILED";
/// Their code for a document with unknown fields.
const VALIDATION_FAILED: &str = "GRAPHQL_VALIDATION_FAILED";

/// A refusal.
#[derive(Debug)]
pub(super) enum Failure {
    /// An entry of `errors`.
    Graphql {
        /// `extensions.code`.
        code: String,
        /// Its message.
        message: String,
    },
    /// A fault of the request or the server, with a status.
    Request(Error),
}

impl Failure {
    pub(super) fn unreadable(message: impl Into<String>) -> Self {
        Self::Graphql { code: PARSE_FAILED.to_owned(), message: message.into() }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::Graphql { code: VALIDATION_FAILED.to_owned(), message: message.into() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Engine(error) => error.into(),
            Error::InvalidArguments(_) => {
                Self::Graphql { code: error.code().as_str().to_owned(), message: error.to_string() }
            }
            other => Self::Request(other),
        }
    }
}

impl From<rowhouse_engine::Error> for Failure {
    fn from(error: rowhouse_engine::Error) -> Self {
        match error.kind() {
            ErrorKind::Internal | ErrorKind::Unauthorized | ErrorKind::TooManyRequests => {
                Self::Request(error.into())
            }
            kind => Self::Graphql { code: kind.code().as_str().to_owned(), message: error.to_string() },
        }
    }
}
