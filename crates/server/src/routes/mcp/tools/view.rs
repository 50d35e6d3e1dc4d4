//! A materialized view as a tool: a read of Interface B, with its filters and the token's.

use std::sync::Arc;

use rmcp::model::Tool;
use rowhouse_engine::{Progress, ReadableView, RowFormat, RowShape, ViewSnapshot, encode};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::super::capped_rows::{Caps, capped_rows};
use super::super::outcome::RowsOutcome;
use super::super::scope::Scope;
use super::reading;
use super::schema::{self, Schemas};
use crate::error::{Error, Result};
use crate::routes::row_format;
use crate::routes::view::resolve::{filters, projection, readable_generation};
use crate::tool_calls::ToolCall;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Arguments {
    filters: Vec<String>,
    column_names: Option<Vec<String>>,
    order_by: Option<String>,
    limit: Option<u64>,
    offset: u64,
}

pub(super) fn tool(scope: &Scope<'_>, name: String, view: &ReadableView) -> Tool {
    let ReadableView { record, columns, required, added_filters, columns_bytes: _ } = view;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let demanded = required.entries(&names);
    let is_demanded = !demanded.is_empty() && *added_filters == 0;
    let mut properties = schema::part(columns, max_rows(scope));
    let mut help = "Conditions that all must hold, each as `column:operator:value`, such as `id:EQ:7`. Operators: EQ, NEQ, \
                    LT, LTE, GT, GTE, IN and BETWEEN (values with commas), LIKE, IS and IS_NOT (null)."
        .to_owned();
    if !demanded.is_empty() {
        help.push_str(&format!(" There must be filters on: {}.", demanded.join(", ")));
    }
    let mut schema = json!({ "type": "array", "items": { "type": "string", "minLength": 1 }, "description": help,
                             "maxItems": scope.call.app.config.get().limits.filters });
    if is_demanded {
        schema["minItems"] = json!(demanded.len());
    }
    properties.insert("filters".to_owned(), schema);
    properties.extend(schema::order(names.iter().copied()).map(|order| ("orderBy".to_owned(), order)));
    let required: &[&str] = if is_demanded { &["filters"] } else { &[] };
    let schemas = Schemas::new(schema::arguments(properties, required), schema::rows(columns));
    let own_description = record.description.as_deref().unwrap_or_default();
    let separator = if own_description.is_empty() { "" } else { "\n\n" };
    let types: Vec<String> =
        columns.iter().map(|column| format!("{} {}", column.name, column.type_name)).collect();
    let description = format!(
        "{own_description}{separator}Reads the materialized view with the columns {}.",
        types.join(", ")
    );
    let title = record.title.clone().unwrap_or_else(|| record.sql_name.clone());
    reading(name, title, description, schemas)
}

fn max_rows(scope: &Scope<'_>) -> u64 {
    let config = scope.call.app.config.get();
    config.max_page_rows.map_or(scope.config.max_rows, |rows| rows.min(scope.config.max_rows))
}

pub(super) async fn call(
    scope: &Scope<'_>,
    view: ViewSnapshot,
    arguments: Option<&RawValue>,
    under_way: &ToolCall,
) -> Result<RowsOutcome> {
    let text = arguments.map_or("{}", RawValue::get);
    let arguments: Arguments =
        serde_json::from_str(text).map_err(|error| Error::invalid(format!("the arguments: {error}")))?;
    let names: Vec<&str> = view.columns.iter().map(|column| column.name.as_str()).collect();
    let texts = arguments.filters.iter().map(|text| Ok(text.as_str()));
    let filters = filters(scope.call, texts, &view.token_filters, &names)?;
    let places =
        arguments.column_names.map(|listed| row_format::places(&listed.join(","), &names)).transpose()?;
    let order = arguments.order_by.map(|text| row_format::order(&text, &names)).transpose()?;
    let generation = readable_generation(&view, &filters, &names)?;
    let columns = projection(&generation, places, &names);
    let most = max_rows(scope);
    let caps = Caps { rows: arguments.limit.unwrap_or(most).min(most), bytes: scope.config.max_bytes };
    let offset = arguments.offset;
    let mut search = generation.search(&filters, order, offset, caps.rows.saturating_add(1))?;
    let memory_bytes = search.memory_bytes();
    let file = Arc::clone(generation.file());
    let open = move |budget: &mut _| {
        let Progress::Done(selection) = search.advance(budget)? else { return Ok(Progress::Paused) };
        let source = encode(Arc::clone(&file), &columns, selection, RowShape::Objects, RowFormat::Ndjson)?;
        Ok(Progress::Done(source))
    };
    let read = capped_rows(scope.call, caps, memory_bytes, open);
    let telling = async {
        loop {
            scope.due().await.notify("reading");
        }
    };
    let read = async {
        tokio::select! {
            rows = read => rows,
            error = telling => error,
            () = under_way.canceled() => Err(Error::invalid("the call was canceled")),
            () = tokio::time::sleep(scope.config.timeout) => {
                let seconds = scope.config.timeout.as_secs_f64();
                Err(Error::invalid(format!("the read took longer than {seconds} s (mcp.timeout)")))
            }
        }
    };
    let rows = scope.call.while_client_waits(read).await??;
    // The view's files stay until here.
    drop(view);
    Ok(RowsOutcome { rows, offset: Some(offset), ..RowsOutcome::default() })
}
