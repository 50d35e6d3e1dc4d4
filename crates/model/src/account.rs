//! Accounts and their personal access tokens (D6, D27).

use serde::{Deserialize, Serialize};

use crate::{AccountId, Timestamp, TokenId};

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
    /// Its tokens are good for nothing while this is so.
    #[serde(default)]
    pub is_disabled: bool,
}

/// Body of `POST /account`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateAccount {
    /// Unique on the server.
    pub username: String,
    /// Absent: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_admin: Option<bool>,
}

/// Body of `PUT /account/:id`; what is absent stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateAccount {
    /// An admin counts as owner of every workspace; the last one stays one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_admin: Option<bool>,
    /// Whether its tokens are good for nothing.
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
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends; null is never.
    pub expires_at: Option<Timestamp>,
    /// The token that made it: it falls with that one. Null for those of a start of the server and of earlier versions.
    #[serde(default)]
    pub parent_id: Option<TokenId>,
    /// When it was last used, to about a minute; null is never.
    #[serde(default)]
    pub last_used_at: Option<Timestamp>,
}

/// Body of `POST /token`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateToken {
    /// What its owner calls it.
    pub name: String,
    /// Its owner; absent: the caller. Only an admin names another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// 1 to 3650, 0 is never; absent: 90 (D27). In no case longer than the token that makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in_days: Option<u32>,
}

/// Response of `POST /token`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedToken {
    /// Its id.
    pub id: TokenId,
    /// What its owner calls it.
    pub name: String,
    /// The secret, shown this once.
    pub token: String,
    /// When it ends; null is never.
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
