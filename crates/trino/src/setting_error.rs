//! Errors of a cluster's settings.

use std::fmt;

/// An invalid setting of a cluster; the text names the setting, the cluster and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError(String);

impl SettingError {
    pub(crate) fn new(message: String) -> Self {
        Self(message)
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SettingError {}
