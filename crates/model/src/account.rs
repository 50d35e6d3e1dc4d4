//! Accounts and their personal access tokens (D6, D27).

use serde::{Deserialize, Serialize};

use crate::{AccountId, StatementParameters, Timestamp, TokenId, WorkspaceId};

/// A user of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Unique on the server.
    pub username: String,
    /// An admin counts as owner of every workspace.
    pub is_admin: bool,
    /// While true, its tokens are refused.
    #[serde(default)]
    pub is_disabled: bool,
}

/// Body of `POST /account`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateAccount {
    /// Unique on the server.
    pub username: String,
    /// Whether it is an admin; absent: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_admin: Option<bool>,
}

/// Body of `PUT /account/:id`; absent fields are unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateAccount {
    /// An admin counts as owner of every workspace; the last admin stays one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_admin: Option<bool>,
    /// While true, its tokens are refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_disabled: Option<bool>,
}

/// A token as lists show it: never the secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// Its id.
    pub id: TokenId,
    /// What its owner calls it.
    pub name: String,
    /// Its owner.
    pub account_id: AccountId,
    /// Creation time.
    pub created_at: Timestamp,
    /// Expiry time; null means never.
    pub expires_at: Option<Timestamp>,
    /// The token that created it: revoking that one revokes this one too. Null for tokens that a start of the server or
    /// an earlier version created.
    #[serde(default)]
    pub parent_id: Option<TokenId>,
    /// Time of last use, accurate to about a minute; null means never.
    #[serde(default)]
    pub last_used_at: Option<Timestamp>,
    /// The endpoints and views that the token permits; absent: everything that its owner may do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow: Option<Vec<TokenGrant>>,
}

/// One endpoint or one view that a narrowed token may read: `endpoint` or `view` is set, not both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenGrant {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// SQL name of an endpoint at the time when the token was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// SQL name of a materialized view at the time when the token was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// Fixed values of parameters of the endpoint, the same in every call.
    #[serde(default, skip_serializing_if = "StatementParameters::is_empty")]
    pub parameters: StatementParameters,
    /// Filters that apply to every read of the view, in addition to those of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
}

/// Body of `POST /token`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateToken {
    /// What its owner calls it.
    pub name: String,
    /// Its owner; absent: the caller. Only an admin may name another account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// 1 to 3650, 0 means never; absent: 90 (D27). At most the lifetime of the token that creates it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in_days: Option<u32>,
    /// The endpoints and views that the token is to permit; absent: everything that its owner may do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow: Option<Vec<TokenGrant>>,
}

/// Response of `POST /token`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedToken {
    /// Its id.
    pub id: TokenId,
    /// What its owner calls it.
    pub name: String,
    /// The secret, shown only here.
    pub token: String,
    /// Expiry time; null means never.
    pub expires_at: Option<Timestamp>,
}

impl std::fmt::Debug for CreatedToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, name, token: _, expires_at } = self;
        f.debug_struct("CreatedToken")
            .field("id", id)
            .field("name", name)
            .field("expires_at", expires_at)
            .finish_non_exhaustive()
    }
}
