//! The path of a file in its workspace: names between slashes, which cannot lead outside.

use crate::error::{Error, ErrorKind, Result};

/// Maximum length of a path, bytes.
const MAX_BYTES: usize = 1024;
/// Maximum length of a name, bytes: that of file systems.
const MAX_NAME_BYTES: usize = 255;
/// Maximum number of names of a path.
const MAX_NAMES: usize = 16;

/// A checked path, without a leading slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePath(String);

impl FilePath {
    /// Checks a path; one leading slash is ignored.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidArguments`]: it is too long, or has a name that is empty, `.`, `..` or with control
    /// characters.
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

    /// As clients see it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
