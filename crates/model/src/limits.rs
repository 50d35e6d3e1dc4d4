//! Limits and usage of a workspace.

use serde::{Deserialize, Serialize};

use crate::{CacheCheck, WorkspaceId};

/// Limits of a workspace; body of `PUT /workspace/:id/limits`. Absent or null: the configured default; 0: no limit of
/// its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceLimits {
    /// Statements that run concurrently.
    #[serde(default)]
    pub concurrency: Option<u64>,
    /// Statements that wait, in addition to those that run.
    #[serde(default)]
    pub queued_statements: Option<u64>,
    /// Requests of one token within a second.
    #[serde(default)]
    pub requests_per_second: Option<u64>,
    /// Bytes of one statement's result.
    #[serde(default)]
    pub result_bytes: Option<u64>,
    /// Bytes of all stored results.
    #[serde(default)]
    pub disk_bytes: Option<u64>,
    /// Memory of the statements that run concurrently, bytes: each counts with its whole memory limit.
    #[serde(default)]
    pub memory_bytes: Option<u64>,
    /// The default of `cacheCheck` for the workspace's statements: a setting, not a limit.
    #[serde(default)]
    pub cache_check: Option<CacheCheck>,
}

impl WorkspaceLimits {
    /// The effective limits when these are set over `defaults`: 0 becomes none.
    #[must_use]
    pub fn or(self, defaults: Self) -> Self {
        let Self {
            concurrency,
            queued_statements,
            requests_per_second,
            result_bytes,
            disk_bytes,
            memory_bytes,
            cache_check,
        } = self;
        let pick = |own: Option<u64>, default: Option<u64>| own.or(default).filter(|limit| *limit > 0);
        Self {
            concurrency: pick(concurrency, defaults.concurrency),
            queued_statements: pick(queued_statements, defaults.queued_statements),
            requests_per_second: pick(requests_per_second, defaults.requests_per_second),
            result_bytes: pick(result_bytes, defaults.result_bytes),
            disk_bytes: pick(disk_bytes, defaults.disk_bytes),
            memory_bytes: pick(memory_bytes, defaults.memory_bytes),
            cache_check: cache_check.or(defaults.cache_check),
        }
    }
}

/// Response of `PUT /workspace/:id/limits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LimitSettings {
    /// The limits that are set for the workspace.
    pub set: WorkspaceLimits,
    /// The effective limits; null means only the server's limit.
    pub in_force: WorkspaceLimits,
}

/// Response of `GET /workspace/:id/usage`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceUsage {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Its limits.
    pub limits: LimitSettings,
    /// Statements that run.
    pub running_statements: u64,
    /// Statements that wait, including those that wait for another's run.
    pub queued_statements: u64,
    /// Bytes of the texts of both: running and queued statements.
    pub text_bytes: u64,
    /// Bytes of all stored results.
    #[serde(default)]
    pub disk_bytes: u64,
    /// Sum of the memory limits of the running statements, bytes.
    #[serde(default)]
    pub memory_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_limits_override_those_of_the_configuration() {
        let limits = |concurrency| WorkspaceLimits { concurrency, ..WorkspaceLimits::default() };
        for (own, default, expected) in [
            (None, None, None),
            (None, Some(2), Some(2)),
            (Some(3), Some(2), Some(3)),
            (Some(0), Some(2), None),
            (None, Some(0), None),
        ] {
            assert_eq!(limits(own).or(limits(default)), limits(expected), "{own:?} over {default:?}");
        }
        let read: WorkspaceLimits = serde_json::from_str(r#"{"concurrency":null}"#).expect("reads");
        assert_eq!(read, WorkspaceLimits::default());
    }
}
