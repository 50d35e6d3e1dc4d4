//! The path of a file in its workspace: names between slashes, which lead nowhere else.

use crate::error::{Error, ErrorKind, Result};

/// Bytes of a path.
const MAX_BYTES: usize = 1024;
/// Bytes of a name: what file systems have.
const MAX_NAME_BYTES: usize = 255;
/// Names of a path.
const MAX_NAMES: usize = 16;

/// A path that is checked, without a slash at its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePath(String);

impl FilePath {
    /// Checks a path; one slash at its beginning is passed over.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidArguments`]: it is too long, or has a name that is empty, `.`, `..` or with control characters.
    pub fn new(text: &str) -> Result<Self> {
        let path = text.strip_prefix('/').unwrap_or(text);
        let refuse = |what: &str| {
            let path = rowhouse_model::excerpt(text);
            Err(Error::new(ErrorKind::InvalidArguments, format!("{path:?} is no path of a file: {what}")))
        };
        if path.len() > MAX_BYTES {
            return refuse("it is over 1024 bytes");
        }
        let names: Vec<&str> = path.split('/').collect();
        if names.len() > MAX_NAMES {
            return refuse("it has more than 16 names");
        }
        for name in names {
            if name.is_empty() || name == "." || name == ".." {
                return refuse("a name is empty, `.` or `..`");
            }
            if name.len() > MAX_NAME_BYTES {
                return refuse("a name is over 255 bytes");
            }
            if name.chars().any(char::is_control) {
                return refuse("a name has a control character");
            }
        }
        Ok(Self(path.to_owned()))
    }

    /// As it is told.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
