//! Notes of a request's endpoint for the logs: its caller, and for the audit log the workspace and fields of the body.

use std::sync::{Arc, OnceLock};

use rowhouse_model::{Account, WorkspaceId};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value};

use super::AuditSubject;
use crate::object::Object;

/// Fields of bodies that are logged. Others are not: a body may contain anything.
const FIELDS: [&str; 16] = [
    "title",
    "sqlName",
    "engine",
    "accountId",
    "role",
    "username",
    "isAdmin",
    "name",
    "expiresInDays",
    "location",
    "format",
    "description",
    "schedule",
    "state",
    "cacheTTL",
    "cacheRefresh",
];
/// Fields with SQL and its values.
const SQL_FIELDS: [&str; 2] = ["sql", "parameters"];
/// `source` of the statements of tools (D14).
const MCP: &str = "MCP";
/// Maximum length of a value other than SQL, in bytes.
const MAX_VALUE_BYTES: usize = 1024;

/// Options of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoteOptions {
    /// Includes texts of statements.
    pub(crate) with_sql: bool,
}

/// The notes of one request.
#[derive(Debug, Default)]
pub(crate) struct Note {
    wanted: Option<NoteOptions>,
    account: OnceLock<Arc<Account>>,
    workspace_id: OnceLock<String>,
    action: OnceLock<&'static str>,
    fields: OnceLock<Map<String, Value>>,
    query: OnceLock<AuditSubject>,
    others: OnceLock<Vec<String>>,
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(account) = self.account.get() {
            map.serialize_entry("accountId", &account.id)?;
        }
        if let Some(workspace_id) = self.workspace_id.get() {
            map.serialize_entry("workspaceId", workspace_id)?;
        }
        if let Some(others) = self.others.get() {
            map.serialize_entry("otherWorkspaces", others)?;
        }
        if let Some(fields) = self.fields.get().filter(|fields| !fields.is_empty()) {
            map.serialize_entry("fields", fields)?;
        }
        map.end()
    }
}

impl Note {
    pub(crate) fn new(wanted: Option<NoteOptions>) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Records the caller's account, whether the audit log is enabled or not.
    pub(crate) fn account(&self, account: &Arc<Account>) {
        // Authenticating the same header again finds the same account.
        self.account.get_or_init(|| Arc::clone(account));
    }

    /// The recorded account.
    pub(crate) fn noted_account(&self) -> Option<&Account> {
        self.account.get().map(AsRef::as_ref)
    }

    /// Records the workspace.
    pub(crate) fn workspace(&self, id: &str) {
        if self.wanted.is_some() {
            let _ = self.workspace_id.set(id.to_owned());
        }
    }

    /// Other workspaces that its statement names (D127).
    pub(crate) fn others(&self, ids: Option<&[WorkspaceId]>) {
        if let Some(ids) = ids.filter(|_| self.wanted.is_some()) {
            let _ = self.others.set(ids.iter().map(|id| id.as_str().to_owned()).collect());
        }
    }

    /// The action, if the route does not determine it.
    pub(crate) fn action(&self, action: &'static str) {
        let _ = self.action.set(action);
    }

    /// The recorded action.
    pub(crate) fn noted_action(&self) -> Option<&'static str> {
        self.action.get().copied()
    }

    /// Records a call of a tool (D125), by its name and, if the operator enables it, its arguments.
    pub(crate) fn tool(&self, name: &str, arguments: Option<&str>) {
        let Some(NoteOptions { with_sql }) = self.wanted else { return };
        let mut fields = Map::new();
        fields.insert("source".to_owned(), Value::from(MCP));
        fields.insert("tool".to_owned(), Value::from(name));
        let arguments = arguments.filter(|_| with_sql).and_then(|text| serde_json::from_str(text).ok());
        fields.extend(arguments.map(|value| ("arguments".to_owned(), value)));
        let _ = self.fields.set(fields);
    }

    /// Records the query that the request has run, if its answer shows it in another form than others.
    pub(crate) fn query(&self, id: &str, status: &str) {
        let _ = self.query.set(AuditSubject::query(id, status));
    }

    /// The recorded query.
    pub(crate) fn noted_query(&self) -> Option<AuditSubject> {
        self.query.get().cloned()
    }

    /// Records the fields of the body.
    pub(crate) fn body(&self, object: &Object) {
        let Some(NoteOptions { with_sql }) = self.wanted else { return };
        let mut fields = Map::new();
        for name in FIELDS {
            if let Some(raw) = object.raw(name).filter(|raw| raw.len() <= MAX_VALUE_BYTES) {
                fields.extend(serde_json::from_str(raw).ok().map(|value| (name.to_owned(), value)));
            }
        }
        for name in SQL_FIELDS.into_iter().filter(|_| with_sql) {
            let value = object.raw(name).and_then(|raw| serde_json::from_str(raw).ok());
            fields.extend(value.map(|value| (name.to_owned(), value)));
        }
        let _ = self.fields.set(fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_fields_are_noted_and_sql_only_if_enabled() {
        let body = r#"{"sqlName":"v","sql":"SELECT 1","token":"secret","schedule":null,"title":"LONG"}"#;
        let body = body.replace("LONG", &"x".repeat(2000));
        let object = Object::parse(body.as_bytes()).expect("an object");
        let check = |wanted, expected: &str| {
            let note = Note::new(wanted);
            note.body(&object);
            assert_eq!(serde_json::to_string(&note).expect("JSON"), expected);
        };
        check(None, "{}");
        check(Some(NoteOptions { with_sql: false }), r#"{"fields":{"sqlName":"v","schedule":null}}"#);
        check(
            Some(NoteOptions { with_sql: true }),
            r#"{"fields":{"sqlName":"v","schedule":null,"sql":"SELECT 1"}}"#,
        );
    }
}
