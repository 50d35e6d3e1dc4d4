//! The one error type of reading and encoding stored rows.

use std::fmt;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of error, independent of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The format does not support columns of these types; the message is for the client.
    NotSupported,
    /// A file is not as written; the message is for the log.
    Damaged,
    /// An error of the disk, or a column's index is out of range; the message is for the log.
    Internal,
}

/// An error of this crate.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error with a message that says what was wrong, where, and how to fix it.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    /// `doing` is the attempted action, `source` why it failed.
    pub fn internal(
        doing: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self { source: Some(source.into()), ..Self::new(ErrorKind::Internal, doing) }
    }

    /// A damaged file.
    pub(crate) fn damaged(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { source: Some(reason.into().into()), ..Self::new(ErrorKind::Damaged, what) }
    }

    /// The kind of error.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What was attempted or refused.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The cause, if there is one.
    pub fn into_source(self) -> Option<Box<dyn std::error::Error + Send + Sync>> {
        self.source
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
