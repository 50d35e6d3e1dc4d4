//! The result of a tool call: rows, as an object and as its text, or an error that the model may act on.

use rmcp::model::{ContentBlock, RequestId, Resource, ResultType};
use rowhouse_engine::{ResultLink, StoredResult};
use rowhouse_model::{Column, path};
use serde::Serialize;
use serde_json::value::RawValue;

use super::capped_rows::CappedRows;
use super::message;
use super::scope::Scope;
use crate::error::{Error, Result};
use crate::routes::statement::address::base;

/// The client's message for an internal error (D3).
const OPAQUE_MESSAGE: &str = "the server failed to answer; its log has the reason under the request id";

/// The rows of an answer, and the location of the others.
#[derive(Debug, Default)]
pub(super) struct RowsOutcome {
    pub(super) rows: CappedRows,
    /// Offset of the rows; none for a tool that cannot continue.
    pub(super) offset: Option<u64>,
    /// Columns of rows in array form.
    pub(super) columns: Option<Vec<Column>>,
    /// Rows of the whole result, if known.
    pub(super) total_rows: Option<u64>,
    /// The record of the statement.
    pub(super) query_id: Option<String>,
    /// A link to the whole result.
    pub(super) result_url: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Structured<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<Vec<NamedType<'a>>>,
    rows: &'a RawValue,
    row_count: u64,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_rows: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_url: Option<&'a str>,
}

#[derive(Serialize)]
struct NamedType<'a> {
    name: &'a str,
    r#type: &'a str,
}

/// The protocol's `CallToolResult`, with rows that stay text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<ResultType>,
    content: Vec<ContentBlock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    is_error: bool,
}

/// The body of an answer with rows.
pub(super) fn rows_body(scope: &Scope<'_>, id: &RequestId, outcome: RowsOutcome) -> Result<Vec<u8>> {
    let RowsOutcome { rows, offset, columns, total_rows, query_id, result_url } = outcome;
    let CappedRows { json, count, is_cut } = rows;
    let result_url = result_url.filter(|_| is_cut);
    let columns = columns.as_deref().map(|columns| {
        columns.iter().map(|column| NamedType { name: &column.name, r#type: &column.type_name }).collect()
    });
    let unwritten = |error: serde_json::Error| Error::Internal(format!("writing an answer: {error}"));
    let structured = Structured {
        columns,
        rows: &RawValue::from_string(json).map_err(unwritten)?,
        row_count: count,
        truncated: is_cut,
        // Continuing after a row that is too large is impossible.
        next_offset: offset.filter(|_| is_cut && count > 0).map(|offset| offset.saturating_add(count)),
        total_rows,
        query_id: query_id.as_deref(),
        result_url: result_url.as_deref(),
    };
    let structured = serde_json::value::to_raw_value(&structured).map_err(unwritten)?;
    let mut content = vec![ContentBlock::text(structured.get())];
    if is_cut && count == 0 {
        content.push(ContentBlock::text(
            "The first row is larger than an answer may be (mcp.max_bytes): ask for fewer columns.",
        ));
    }
    if let Some(url) = &result_url {
        let link = Resource::new(url, "The whole result")
            .with_description(
                "All rows as a Parquet file; the link is good for a short time and needs no token.",
            )
            .with_mime_type("application/vnd.apache.parquet");
        content.push(ContentBlock::resource_link(link));
    }
    body(
        scope,
        id,
        CallResult { result_type: None, content, structured_content: Some(&structured), is_error: false },
    )
}

/// The body of an answer with a call's error.
pub(super) fn error_body(scope: &Scope<'_>, id: &RequestId, error: &Error) -> Result<Vec<u8>> {
    let message = if error.is_internal() { OPAQUE_MESSAGE.to_owned() } else { error.to_string() };
    let mut text = format!("{}: {message}", error.code().as_str());
    if let Some(seconds) = error.retry_after_seconds() {
        text.push_str(&format!(" (try again after {seconds} s)"));
    }
    let content = vec![ContentBlock::text(text)];
    body(scope, id, CallResult { result_type: None, content, structured_content: None, is_error: true })
}

fn body(scope: &Scope<'_>, id: &RequestId, result: CallResult<'_>) -> Result<Vec<u8>> {
    let result_type = scope.is_per_request().then_some(ResultType::COMPLETE);
    message::result_bytes(id, &CallResult { result_type, ..result })
        .map_err(|error| Error::Internal(format!("writing an answer: {error}")))
}

/// A signed link to all rows of a result (D42), for callers who may have one.
pub(super) fn result_url(scope: &Scope<'_>, result: &StoredResult) -> Option<String> {
    let Scope { call, access, .. } = scope;
    access.require(rowhouse_model::Role::Analyst).ok()?;
    let now_seconds = u64::try_from(call.app.clock.now().as_millis() / 1000).unwrap_or(0);
    let lifetime = call.app.config.get().signed_url_expiry;
    let link = ResultLink {
        workspace_id: access.workspace.id.clone(),
        query_id: result.record.id.clone(),
        offset: 0,
        limit: result.row_count(),
        expires_at: now_seconds.saturating_add(lifetime.as_secs()),
    };
    Some(format!(
        "{}{}?workspaceId={}&offset=0&limit={}&expires={}&signature={}",
        base(call),
        path::query_result_file(link.query_id.as_str()),
        link.workspace_id.as_str(),
        link.limit,
        link.expires_at,
        call.app.engine.result_links().sign(&link)
    ))
}
