//! Workspaces and the roles of their members.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{AccountId, WorkspaceId};

/// An account's role in a workspace, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Role {
    /// Reads views.
    Consumer,
    /// Also runs SQL, saves SQL, creates views.
    Analyst,
    /// Also manages members.
    Owner,
}

impl Role {
    /// Upper case, as on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Consumer => "CONSUMER",
            Self::Analyst => "ANALYST",
            Self::Owner => "OWNER",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What runs a workspace's statements; on the wire `polars`, `trino` or `trino:NAME`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum EngineKind {
    /// The embedded engine.
    Polars,
    /// A Trino cluster.
    Trino {
        /// Its name in the server's configuration, `[a-z_][a-z0-9_]{0,62}`; none for the unnamed cluster.
        cluster: Option<String>,
    },
}

impl EngineKind {
    /// Whether a Trino cluster runs the statements.
    pub const fn is_trino(&self) -> bool {
        matches!(self, Self::Trino { .. })
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Polars => f.write_str("polars"),
            Self::Trino { cluster: None } => f.write_str("trino"),
            Self::Trino { cluster: Some(name) } => write!(f, "trino:{name}"),
        }
    }
}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        match text.split_once(':') {
            None if text == "polars" => Ok(Self::Polars),
            None if text == "trino" => Ok(Self::Trino { cluster: None }),
            Some(("trino", name)) if is_cluster_name(name) => {
                Ok(Self::Trino { cluster: Some(name.to_owned()) })
            }
            _ => Err(UnknownEngine(text.to_owned())),
        }
    }
}

/// `[a-z_][a-z0-9_]{0,62}`, as names of workspaces.
fn is_cluster_name(name: &str) -> bool {
    name.len() <= 63
        && name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

impl TryFrom<String> for EngineKind {
    type Error = UnknownEngine;

    fn try_from(text: String) -> Result<Self, UnknownEngine> {
        text.parse()
    }
}

impl From<EngineKind> for String {
    fn from(engine: EngineKind) -> Self {
        engine.to_string()
    }
}

/// The text names no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEngine(String);

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no engine, expected 'polars', 'trino' or 'trino:NAME'", self.0)
    }
}

impl std::error::Error for UnknownEngine {}

/// A workspace as the caller sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    /// Its id.
    pub id: WorkspaceId,
    /// Its name in SQL and in Interface B's path; unique, `[a-z_][a-z0-9_]{0,62}`.
    pub sql_name: String,
    /// Displayed title.
    pub title: String,
    /// What runs its statements.
    pub engine: EngineKind,
    /// The caller's role in it.
    pub role: Role,
}

/// Body of `POST /workspace`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateWorkspace {
    /// Displayed title.
    pub title: String,
    /// Its name in SQL, unique, `[a-z_][a-z0-9_]{0,62}`.
    pub sql_name: String,
    /// What runs its statements; absent: the server's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineKind>,
}

/// Body of `PUT /workspace/:id/member`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetMember {
    /// The account.
    pub account_id: AccountId,
    /// The role; null removes the membership.
    pub role: Option<Role>,
}

/// An element of the response of `GET /workspace/:id/members`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceMember {
    /// The account.
    pub account_id: AccountId,
    /// The account's name.
    pub username: String,
    /// The role.
    pub role: Role,
}

/// Response of `PUT /workspace/:id/member`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// The account.
    pub account_id: AccountId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The role; null after it was removed.
    pub role: Option<Role>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_round_trip() {
        let check = |text: &str, expected: Option<EngineKind>| {
            let parsed = text.parse::<EngineKind>().ok();
            assert_eq!(parsed, expected, "{text}");
            if let Some(engine) = parsed {
                assert_eq!(engine.to_string(), text);
            }
        };
        check("polars", Some(EngineKind::Polars));
        check("trino", Some(EngineKind::Trino { cluster: None }));
        check("trino:eu_1", Some(EngineKind::Trino { cluster: Some("eu_1".to_owned()) }));
        for bad in ["", "Trino", "trino:", "trino:EU", "trino:1", "trino:a:b", "polars:x", "duckdb"] {
            check(bad, None);
        }
    }
}
