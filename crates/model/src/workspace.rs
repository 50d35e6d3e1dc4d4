//! Workspaces and who may do what in them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{AccountId, WorkspaceId};

/// What an account may do in a workspace, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Role {
    /// Reads views.
    Consumer,
    /// Also runs SQL, saves SQL, makes views.
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

/// What runs a workspace's statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// The embedded engine.
    Polars,
    /// A Trino cluster.
    Trino,
}

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
    /// Unique, `[a-z_][a-z0-9_]{0,62}`.
    pub sql_name: String,
    /// Absent: the server's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineKind>,
}

/// Body of `PUT /workspace/:id/member`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetMember {
    /// Whose role it is.
    pub account_id: AccountId,
    /// The role; null takes the membership away.
    pub role: Option<Role>,
}

/// An element of the response of `GET /workspace/:id/members`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceMember {
    /// Whose role it is.
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
    /// Whose role it is.
    pub account_id: AccountId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The role; null after it was taken away.
    pub role: Option<Role>,
}
