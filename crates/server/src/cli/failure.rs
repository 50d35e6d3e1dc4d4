//! Failures of commands: the message on standard error, and the exit code.

use std::io;
use std::process::ExitCode;

use rowhouse_client::{Error, ErrorKind};
use rowhouse_model::{ErrorLocation, Query};

use super::caret::point_at;
use super::text::printable;

/// Why a command fails.
#[derive(Debug)]
pub(super) enum Failure {
    /// Invalid usage: exit code 2, as clap's own.
    Usage(String),
    /// The server refused, or could not be reached: exit code 1.
    Refused(String),
    /// The reader of the output is gone, as under `| head`: no message, exit code 0.
    ClosedPipe,
}

impl Failure {
    /// Prints the message and returns the exit code.
    pub(super) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::Usage(message) => (message, 2),
            Self::Refused(message) => (message, 1),
            Self::ClosedPipe => return ExitCode::SUCCESS,
        };
        eprintln!("rowhouse: {message}");
        ExitCode::from(code)
    }

    /// A failed statement, with the location in its text.
    pub(super) fn of_query(query: &Query, sql: &str) -> Self {
        let Some(error) = &query.error else {
            return Self::Refused(format!("query {} failed, and the server gave no reason", query.id));
        };
        let mut message = format!("{} ({})", printable(&error.message), error.error_name);
        push_place(&mut message, sql, error.error_location);
        Self::Refused(message)
    }

    /// A refusal of a request with SQL: its details may contain the location (D3).
    pub(super) fn of_request(error: Error, sql: &str) -> Self {
        let location = error.details().and_then(|details| details.get("errorLocation")).cloned();
        let location = location.and_then(|location| serde_json::from_value(location).ok());
        match Self::from(error) {
            Self::Refused(mut message) => {
                push_place(&mut message, sql, location);
                Self::Refused(message)
            }
            other => other,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = printable(error.message()).into_owned();
        if *error.kind() == ErrorKind::InvalidInput {
            return Self::Usage(message);
        }
        let facts: Vec<String> = error
            .code()
            .map(str::to_owned)
            .into_iter()
            .chain(error.request_id().map(|id| format!("request {id}")))
            .collect();
        let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
        Self::Refused(format!("{message}{}", printable(&facts)))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Refused(error.to_string()),
        }
    }
}

fn push_place(message: &mut String, sql: &str, location: Option<ErrorLocation>) {
    if let Some(place) = location.and_then(|location| point_at(sql, location)) {
        message.push_str("\n\n");
        message.push_str(&place);
    }
}
