//! Addresses of a statement's answers: the holder of one counts as the submitter of the statement.

use std::sync::Arc;

use http::header::HOST;
use rowhouse_engine::{Access, QueryRecord, StatementLink, TrinoValue};
use rowhouse_model::{Column, QueryError, QueryId, Role};

use super::protocol::{Results, client_signature};
use crate::auth::has_authorization;
use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, JSON, whole};

/// Maximum length of an error in an address.
const MAX_ERROR_BYTES: usize = 2 << 10;

/// The base of a statement's addresses.
#[derive(Clone, Debug)]
pub(super) struct Address {
    base: String,
    id: String,
    workspace: String,
    slug: String,
}

impl Address {
    pub(super) fn of(call: &Call, link: &StatementLink) -> Self {
        Self {
            base: base(call),
            id: link.query_id.as_str().to_owned(),
            workspace: link.workspace_id.as_str().to_owned(),
            slug: call.app.engine.result_links().slug(link),
        }
    }

    /// The address of an answer.
    pub(super) fn at(&self, phase: &str, token: u64) -> String {
        format!("{}/v1/statement/{phase}/{}/{}/{token}", self.base, self.id, self.slug)
    }

    /// The address of the page for people.
    pub(super) fn info(&self) -> String {
        format!("{}/workspaces/{}#query={}", self.base, self.workspace, self.id)
    }
}

/// Maximum length of a host with its port; a longer one is none.
const MAX_HOST_BYTES: usize = 261;

/// The server's address for this client: as it was called, also through a proxy that forwards it.
pub(in crate::routes) fn base(call: &Call) -> String {
    let header = |name: &str| {
        let value = call.headers.get(name)?.to_str().ok()?;
        let first = value.split(',').next().map(str::trim);
        first.filter(|text| (1..=MAX_HOST_BYTES).contains(&text.len()))
    };
    let is_tls = match header("x-forwarded-proto") {
        Some(scheme) => scheme.eq_ignore_ascii_case("https"),
        None => call.app.tls.is_some(),
    };
    let host = header("x-forwarded-host").or_else(|| header(HOST.as_str())).unwrap_or("localhost");
    format!("{}://{host}{}", if is_tls { "https" } else { "http" }, call.base_path)
}

/// Converts a protocol answer to an HTTP answer.
pub(super) fn answered(results: Results) -> Answer {
    whole(JSON, results.bytes())
}

/// The caller of an address, and its content. Credentials that are sent with it must be valid, and its owner's; without
/// any, the token that submitted the statement must still be valid (D172).
pub(super) fn granted(call: &Call, id: &str, slug: &str) -> Result<(Access, StatementLink)> {
    let id = QueryId::new(checked_id("query", id)?);
    let grant = call.app.engine.result_links().check_slug(&id, slug)?;
    let caller = if has_authorization(&call.headers) { Some(call.protocol_principal()?) } else { None };
    let access = call.app.engine.workspaces().access_by_grant(&grant, caller)?;
    call.known(access.principal.clone());
    call.note.workspace(access.workspace.id.as_str());
    access.require(Role::Analyst)?;
    Ok((access, grant.link().clone()))
}

/// The address with the error of a statement without a record: some clients look for errors only behind the first
/// answer. None if the error is too long for an address.
pub(super) fn address_of_error(call: &Call, id: &str, error: &QueryError) -> Option<String> {
    let text = serde_json::to_string(error).ok().filter(|text| text.len() <= MAX_ERROR_BYTES)?;
    let slug = call.app.engine.result_links().error_slug(id, &text);
    Some(format!("{}/v1/statement/queued/{id}/{slug}/1", base(call)))
}

/// The text form of each column's values for this client.
pub(super) fn forms_of(record: &QueryRecord, knows_precisions: bool) -> Arc<[TrinoValue]> {
    let form = |column: &Column| TrinoValue::of(&client_signature(&column.type_signature, knows_precisions));
    record.result_columns().iter().map(form).collect()
}
