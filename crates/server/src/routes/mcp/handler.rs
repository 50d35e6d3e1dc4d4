//! One message of MCP: its sender, its workspace, its version, and the answer of each method.

use http::{HeaderName, HeaderValue, StatusCode};
use rmcp::model::{
    CacheScope, CancelledNotificationParam, DiscoverResult, EmptyObject, ErrorCode, ErrorData,
    Implementation, InitializeRequestParams, InitializeResult, RequestId, ResourcesCapability,
    ServerCapabilities, ToolsCapability,
};
use rowhouse_engine::{Access, Error as EngineError, ErrorKind, Principal};
use serde::Serialize;
use serde_json::Value;

use super::message::{self, Message, Params, Request};
use super::negotiation::{self, SUPPORTED};
use super::scope::Scope;
use super::{origin, reported_call, resources, tools};
use crate::call::{Call, checked_id};
use crate::encoders::Share;
use crate::error::{Error, Result};
use crate::response::{Answer, JSON, accepted, unchanged, whole};
use crate::tool_calls::CallName;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// Maximum length of a session id; longer ones are truncated.
const MAX_SESSION_BYTES: usize = 64;
/// Maximum number of workspaces that a refusal names.
const MAX_NAMED: usize = 20;

/// `POST /mcp` and `POST /mcp/{workspace}`.
pub(in crate::routes) async fn answer(call: &mut Call, workspace: Option<&str>) -> Result<Answer> {
    let answer = message_answered(call, workspace).await?;
    // Only free SQL may change something; all other calls and methods are reads.
    Ok(if call.note.noted_action() == Some("statement") { answer } else { unchanged(answer) })
}

async fn message_answered(call: &mut Call, workspace: Option<&str>) -> Result<Answer> {
    origin::check(call)?;
    let principal = call.reader()?;
    call.body_memory = call.body.reserve(&call.app.answer_memory.portion(&Share::of(&call.note))).await?;
    let body = call.body.read().await?;
    let refused = |id, error: &ErrorData| refusal(StatusCode::BAD_REQUEST, id, error);
    let request = match Message::read(&body) {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notification { method, params }) => {
            if method == "notifications/cancelled" {
                cancel(call, &principal, params);
            }
            return Ok(accepted());
        }
        Ok(Message::Response) => return Ok(accepted()),
        Err(error) => return refused(None, &error),
    };
    let lifecycle = match negotiation::lifecycle(&call.headers, &request) {
        Ok(lifecycle) => lifecycle,
        Err(error) => return refused(Some(&request.id), &error),
    };
    let access = entered(call, &principal, workspace)?;
    call.note.workspace(access.workspace.id.as_str());
    let name = name_of(call, &principal, &request.id);
    if let Some(token) = reported_call::wanted(&call.headers, &request) {
        drop(request);
        return reported_call::answer(call, access, lifecycle, name, body, token).await;
    }
    let scope = Scope { call, access, config: call.app.config.get().mcp, lifecycle, progress: None };
    let answer = answered(&scope, &request, name).await?;
    Ok(if request.method == "initialize" { with_session(call, answer) } else { answer })
}

/// The answer to a request.
async fn answered(scope: &Scope<'_>, request: &Request<'_>, name: CallName) -> Result<Answer> {
    let answered = match request.method.as_str() {
        "tools/call" => match tools::call(scope, request, name).await? {
            Ok(Some(result)) => Ok(result),
            Ok(None) => return Ok(accepted()),
            Err(error) => Err(error),
        },
        _ => result(scope, request).await,
    };
    match answered {
        Ok(result) => Ok(whole(JSON, result)),
        Err(error) => {
            let is_unknown = error.code == ErrorCode::METHOD_NOT_FOUND && scope.is_per_request();
            let status = if is_unknown { StatusCode::NOT_FOUND } else { StatusCode::OK };
            refusal(status, Some(&request.id), &error)
        }
    }
}

/// The result of a method other than a call, as a body.
async fn result(scope: &Scope<'_>, request: &Request<'_>) -> Result<Vec<u8>, ErrorData> {
    let Request { id, method, params } = request;
    match method.as_str() {
        "initialize" => body(id, &initialized(scope, &params.read()?)),
        "server/discover" if scope.is_per_request() => body(id, &discovered(scope)),
        "ping" => body(id, &with_freshness(scope, &EmptyObject {})?),
        "tools/list" => body(id, &with_freshness(scope, &tools::list(scope, *params)?)?),
        "resources/list" => body(id, &with_freshness(scope, &resources::list(scope, *params).await?)?),
        "resources/templates/list" => body(id, &with_freshness(scope, &resources::templates(scope))?),
        "resources/read" => body(id, &with_freshness(scope, &resources::read(scope, *params).await?)?),
        method => {
            let method = rowhouse_model::excerpt(method);
            let message = format!("the method {method} is not known here");
            Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
        }
    }
}

fn body(id: &RequestId, result: &impl Serialize) -> Result<Vec<u8>, ErrorData> {
    message::result_bytes(id, result).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// The workspace of the path; without one, the only one that the token may read.
fn entered(call: &Call, principal: &Principal, workspace: Option<&str>) -> Result<Access> {
    let workspaces = call.app.engine.workspaces();
    if let Some(name) = workspace {
        return Ok(workspaces.access_by_sql_name(principal, checked_id("workspace", name)?)?);
    }
    let readable = workspaces.readable(principal);
    match readable.as_slice() {
        [only] => Ok(workspaces.access(principal, &only.id)?),
        [] => {
            let message = "there is no workspace that this token reads in";
            Err(EngineError::new(ErrorKind::NotFound, message).into())
        }
        several => {
            let names: Vec<&str> =
                several.iter().take(MAX_NAMED).map(|workspace| workspace.sql_name.as_str()).collect();
            let more = if several.len() > MAX_NAMED { ", …" } else { "" };
            Err(Error::invalid(format!(
                "which workspace? Give its name in the path, as in {}/mcp/{}: {}{more}",
                call.base_path,
                names.first().copied().unwrap_or_default(),
                names.join(", ")
            )))
        }
    }
}

fn initialized(scope: &Scope<'_>, params: &InitializeRequestParams) -> InitializeResult {
    InitializeResult::new(capabilities())
        .with_protocol_version(negotiation::agreed(&params.protocol_version))
        .with_server_info(server_info())
        .with_instructions(instructions(scope))
}

fn discovered(scope: &Scope<'_>) -> DiscoverResult {
    let mut discovered =
        DiscoverResult::new(SUPPORTED.to_vec(), capabilities()).with_server_info(server_info());
    discovered.instructions = Some(instructions(scope));
    discovered
}

fn capabilities() -> ServerCapabilities {
    let mut capabilities = ServerCapabilities::default();
    capabilities.tools = Some(ToolsCapability::default());
    capabilities.resources = Some(ResourcesCapability::default());
    capabilities
}

fn server_info() -> Implementation {
    Implementation::new("rowhouse", env!("CARGO_PKG_VERSION")).with_title("Rowhouse")
}

fn instructions(scope: &Scope<'_>) -> String {
    let name = &scope.access.workspace.sql_name;
    let mut text = format!(
        "Tools read rows of the workspace '{name}': endpoints are prepared queries with parameters, read_… tools read \
         materialized views with filters. An answer is cut where it is too large; it then says so, and `nextOffset` \
         goes on."
    );
    if tools::has_query(scope) {
        text.push_str(" `query` runs any statement in Trino's SQL; resources describe the tables.");
    }
    text
}

/// Adds the fields that 2026-07-28 requires in every result, and older versions do not know: nothing may be cached,
/// because another caller may see another list.
fn with_freshness(scope: &Scope<'_>, result: &impl Serialize) -> Result<Value, ErrorData> {
    let mut value =
        serde_json::to_value(result).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    if let Value::Object(fields) = &mut value {
        if scope.is_per_request() {
            fields.insert("resultType".to_owned(), "complete".into());
            fields.insert("ttlMs".to_owned(), 0.into());
            let private = serde_json::to_value(CacheScope::Private).unwrap_or_default();
            fields.insert("cacheScope".to_owned(), private);
        } else {
            fields.remove("resultType");
        }
    }
    Ok(value)
}

/// Adds a session id with which the client may cancel its calls; nothing is stored under it.
fn with_session(call: &Call, mut answer: Answer) -> Answer {
    let id = HeaderValue::from_str(&call.app.request_ids.next());
    answer.headers_mut().extend(id.ok().map(|id| (SESSION, id)));
    answer
}

fn name_of(call: &Call, principal: &Principal, id: &RequestId) -> CallName {
    let session = call.headers.get(SESSION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    CallName {
        token: principal.token_id.clone(),
        session: session.chars().take(MAX_SESSION_BYTES).collect(),
        request: serde_json::to_string(id).unwrap_or_default(),
    }
}

fn cancel(call: &Call, principal: &Principal, params: Params<'_>) {
    if let Ok(CancelledNotificationParam { request_id: Some(id), .. }) = params.read() {
        call.app.tool_calls.cancel(&name_of(call, principal, &id));
    }
}

fn refusal(status: StatusCode, id: Option<&RequestId>, error: &ErrorData) -> Result<Answer> {
    let bytes = message::error_bytes(id, error)
        .map_err(|error| Error::Internal(format!("writing an answer: {error}")))?;
    let mut answer = whole(JSON, bytes);
    *answer.status_mut() = status;
    Ok(answer)
}
