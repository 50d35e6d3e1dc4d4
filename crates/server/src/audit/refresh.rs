//! Lines of refreshes without a request: those of schedules, and those that a stop of the server interrupted.

use rowhouse_engine::OwnRefresh;
use rowhouse_model::{ErrorCode, QueryStatus, Source, Timestamp};
use serde::Serialize;

/// One line, in the order of its fields, which mean the same as in a request's line.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RefreshEntry<'a> {
    time: Timestamp,
    action: &'static str,
    /// `done`: the query of this id was submitted, and its record has its end; or `refused`.
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<ErrorCode>,
    account: &'a str,
    account_id: &'a str,
    workspace_id: &'a str,
    view_id: &'a str,
    view_sql_name: &'a str,
    source: &'a Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query_status: Option<QueryStatus>,
}

/// The line of one refresh.
pub(super) fn line(refresh: &OwnRefresh) -> Vec<u8> {
    let OwnRefresh { at, view_id, view_sql_name, workspace_id, account_id, username, source, outcome } =
        refresh;
    let query = outcome.as_ref().ok();
    let entry = RefreshEntry {
        time: *at,
        action: "refresh",
        outcome: if query.is_some() { "done" } else { "refused" },
        code: outcome.as_ref().err().map(|error| error.kind().code()),
        account: username,
        account_id: account_id.as_str(),
        workspace_id: workspace_id.as_str(),
        view_id: view_id.as_str(),
        view_sql_name,
        source,
        id: query.map(|query| query.id.as_str()),
        query_status: query.and_then(|query| query.status),
    };
    // OK because it consists of texts, numbers and JSON values, which always serialize.
    let mut line = serde_json::to_vec(&entry).expect("an entry can be written");
    line.push(b'\n');
    line
}
