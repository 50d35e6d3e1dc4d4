//! The object that a request created or ran, as the audit log shows it.

use serde::{Deserialize, Serialize};

/// Ids in an answer.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AuditSubject {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Status of a query at the time of the answer.
    #[serde(skip_serializing_if = "Option::is_none", rename(serialize = "queryStatus"))]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh_query_id: Option<String>,
}

impl AuditSubject {
    /// A statement.
    pub(super) fn query(id: &str, status: &str) -> Self {
        Self { id: Some(id.to_owned()), status: Some(status.to_owned()), refresh_query_id: None }
    }

    /// What the complete JSON of an answer shows; nothing if it has another form.
    pub(crate) fn of(body: &[u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_default()
    }
}
