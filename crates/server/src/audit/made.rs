//! What a request has made or run, as the audit log shows it.

use serde::{Deserialize, Serialize};

/// Ids of what an answer shows.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Made {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Of a query, when the answer went out.
    #[serde(skip_serializing_if = "Option::is_none", rename(serialize = "queryStatus"))]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh_query_id: Option<String>,
}

impl Made {
    /// A statement.
    pub(super) fn query(id: &str, status: &str) -> Self {
        Self { id: Some(id.to_owned()), status: Some(status.to_owned()), refresh_query_id: None }
    }

    /// What the whole JSON of an answer shows; nothing where it is another shape.
    pub(crate) fn of(body: &[u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_default()
    }
}
