//! Tools: an endpoint by its name, `read_NAME` of a view, and `query`, which runs any statement if role and operator
//! permit it. If an endpoint has the same name, the endpoint is called. Tools that a caller may not call do not exist
//! for it.

mod endpoint;
mod query;
mod schema;
mod statement;
mod view;

use std::collections::BTreeMap;

use rmcp::model::{ErrorData, ListToolsResult, PaginatedRequestParams, Tool};
use rowhouse_engine::{EndpointAccess, ReadableView};
use rowhouse_model::{Role, StatementParameters};
use serde_json::value::RawValue;

pub(super) use self::statement::SOURCE;
use super::message::{Params, Request};
use super::outcome::{self, RowsOutcome};
use super::paging::page;
use super::scope::Scope;
use crate::error::{Error, Result};
use crate::tool_calls::{CallName, ToolCall};

/// The tool that runs any statement.
const QUERY: &str = "query";
/// Prefix of a view's tool.
const READ: &str = "read_";
/// Maximum bytes of a tool's description.
const MAX_DESCRIPTION_BYTES: usize = 4 << 10;

/// The target of a tool.
#[derive(Debug)]
enum Target {
    Endpoint(Box<EndpointAccess>),
    View(Box<ReadableView>),
    Query,
}

/// Whether the caller has the tool that runs any statement.
pub(super) fn has_query(scope: &Scope<'_>) -> bool {
    scope.config.query && scope.access.require(Role::Analyst).is_ok()
}

/// A page of the caller's tools, by name.
pub(super) fn list(scope: &Scope<'_>, params: Params<'_>) -> Result<ListToolsResult, ErrorData> {
    let params: PaginatedRequestParams = params.read()?;
    let engine = &scope.call.app.engine;
    let mut targets: BTreeMap<String, Target> = BTreeMap::new();
    if has_query(scope) {
        targets.insert(QUERY.to_owned(), Target::Query);
    }
    for view in engine.views().readable(&scope.access) {
        targets.insert(format!("{READ}{}", view.record.sql_name), Target::View(Box::new(view)));
    }
    for entered in engine.endpoints().entered(&scope.access) {
        targets.insert(entered.endpoint().sql_name.clone(), Target::Endpoint(Box::new(entered)));
    }
    let listed = page(
        targets,
        |(name, _)| name,
        Some(&params),
        |(name, target)| {
            let tool = match target {
                Target::Endpoint(entered) => endpoint::tool(scope, &entered),
                Target::View(view) => view::tool(scope, name, &view),
                Target::Query => query::tool(scope),
            };
            let length = serde_json::to_vec(&tool).map_or(0, |json| json.len());
            Ok((tool, length))
        },
    )?;
    let mut result = ListToolsResult::with_all_items(listed.elements);
    result.next_cursor = listed.next_cursor;
    Ok(result)
}

/// Calls a tool; returns the message with the result, or none if the client has canceled the call and must not get an
/// answer. The inner error is the protocol's; an error of a valid call is part of its result.
pub(super) async fn call(
    scope: &Scope<'_>,
    request: &Request<'_>,
    name: CallName,
) -> Result<Result<Option<Vec<u8>>, ErrorData>> {
    let (tool, arguments) = match request.params.call() {
        Ok(called) => called,
        Err(error) => return Ok(Err(error)),
    };
    let note = &scope.call.note;
    note.tool(&rowhouse_model::excerpt(&tool), arguments.map(RawValue::get));
    let under_way = scope.call.app.tool_calls.begin(name);
    let called = match called(scope, &tool, arguments, &under_way).await {
        Some(called) => called,
        None => {
            let tool = rowhouse_model::excerpt(&tool);
            let message = format!("Unknown tool: {tool}; this caller has none of that name");
            return Ok(Err(ErrorData::invalid_params(message, None)));
        }
    };
    if under_way.is_canceled() {
        return Ok(Ok(None));
    }
    let body = match called {
        Ok(outcome) => outcome::rows_body(scope, &request.id, outcome),
        Err(error) => {
            if error.is_fault() {
                tracing::error!(error = &error as &dyn std::error::Error, tool, "a call of a tool failed");
            }
            outcome::error_body(scope, &request.id, &error)
        }
    };
    body.map(|body| Ok(Some(body)))
}

/// None if the caller has no tool of the name.
async fn called(
    scope: &Scope<'_>,
    tool: &str,
    arguments: Option<&RawValue>,
    under_way: &ToolCall,
) -> Option<Result<RowsOutcome>> {
    let engine = &scope.call.app.engine;
    let note = &scope.call.note;
    if let Ok(entered) = engine.endpoints().find(&scope.access, tool) {
        note.action("endpoint");
        return Some(endpoint::call(scope, &entered, arguments, under_way).await);
    }
    if let Some(view) = tool.strip_prefix(READ)
        && let Ok(view) = engine.views().read(&scope.access, view).await
    {
        note.action("view");
        return Some(view::call(scope, view, arguments, under_way).await);
    }
    if tool == QUERY && has_query(scope) {
        note.action("statement");
        return Some(query::call(scope, arguments, under_way).await);
    }
    None
}

/// Arguments in the form in which they are bound, which keeps every digit of a number.
fn parameters(arguments: Option<&RawValue>) -> Result<StatementParameters> {
    let text = arguments.map_or("{}", RawValue::get);
    serde_json::from_str(text).map_err(|error| Error::invalid(format!("the arguments: {error}")))
}

/// Truncates a description to a length that is suitable for a model.
fn cut(mut text: String) -> String {
    if text.len() > MAX_DESCRIPTION_BYTES {
        text.truncate(text.floor_char_boundary(MAX_DESCRIPTION_BYTES));
        text.push('…');
    }
    text
}

/// A read-only tool.
fn reading(name: String, title: String, description: String, schemas: schema::Schemas) -> Tool {
    let mut tool = Tool::new(name, cut(description), schemas.input).with_title(title);
    tool.output_schema = Some(schemas.output);
    tool.annotations = Some(rmcp::model::ToolAnnotations::new().read_only(true).open_world(false));
    tool
}
