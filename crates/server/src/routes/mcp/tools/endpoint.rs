//! An endpoint as a tool: its declared parameters, without those that the token fixes, and a range of its rows.

use rmcp::model::{JsonObject, Tool};
use rowhouse_engine::{
    EndpointAccess, ProjectedColumn, Projection, RowFormat, RowSelection, RowShape, encode,
};
use rowhouse_model::Source;
use serde_json::value::RawValue;

use super::super::capped_rows::{Caps, capped_rows};
use super::super::outcome::{RowsOutcome, result_url};
use super::super::scope::Scope;
use super::schema::{self, Schemas};
use super::statement::{Right, SOURCE, ended, submitted};
use super::{parameters, reading};
use crate::error::{Error, Result};
use crate::routes::endpoint::openapi::described_schema;
use crate::routes::endpoint::request::{EndpointRequest, read_arguments};
use crate::stream::opened_once;
use crate::tool_calls::ToolCall;

/// Arguments of every endpoint's tool, unless its statement has a parameter of that name.
const OTHERS: [&str; 4] = ["limit", "offset", "columnNames", "orderBy"];

pub(super) fn tool(scope: &Scope<'_>, entered: &EndpointAccess) -> Tool {
    let endpoint = entered.endpoint();
    let names: Vec<&str> = endpoint.columns.iter().map(|column| column.name.as_str()).collect();
    let mut properties: JsonObject = entered
        .open_parameters()
        .map(|parameter| (parameter.name.clone(), described_schema(parameter)))
        .collect();
    let mut others = schema::part(&endpoint.columns, max_rows(scope, entered));
    let ordering = endpoint.order_columns().iter().filter_map(|place| names.get(*place).copied());
    others.extend(schema::order(ordering).map(|order| ("orderBy".to_owned(), order)));
    // A name that the token fixes belongs to the statement, too.
    others.retain(|name, _| !endpoint.parameters().iter().any(|parameter| parameter.name == *name));
    properties.extend(others);
    let required: Vec<&str> = entered
        .open_parameters()
        .filter(|parameter| parameter.is_required)
        .map(|parameter| parameter.name.as_str())
        .collect();
    let schemas = Schemas::new(schema::arguments(properties, &required), schema::rows(&endpoint.columns));
    let own_description = endpoint.description.as_deref().unwrap_or_default();
    let separator = if own_description.is_empty() { "" } else { "\n\n" };
    let description = format!("{own_description}{separator}Gives the columns {}.", names.join(", "));
    reading(endpoint.sql_name.clone(), endpoint.title.clone(), description, schemas)
}

/// Maximum rows of one answer: the operator's limit and the endpoint's own.
fn max_rows(scope: &Scope<'_>, entered: &EndpointAccess) -> u64 {
    let config = scope.call.app.config.get();
    let caps = [entered.endpoint().max_rows(), config.max_page_rows];
    caps.into_iter().flatten().fold(scope.config.max_rows, u64::min)
}

pub(super) async fn call(
    scope: &Scope<'_>,
    entered: &EndpointAccess,
    arguments: Option<&RawValue>,
    under_way: &ToolCall,
) -> Result<RowsOutcome> {
    let body = parameters(arguments)?;
    let asked = read_arguments(scope.call, Vec::new(), &body, entered, None, &OTHERS)?;
    let EndpointRequest { parameters, page, limit, order, places, .. } = asked;
    let queries = scope.call.app.engine.queries();
    let submitting = queries.call_from(entered, parameters, order, Source::from(SOURCE.to_owned()));
    let record = submitted(scope, Right::Endpoint(entered), submitting).await?;
    let record = ended(scope, Right::Endpoint(entered), record, under_way).await?;
    let result = queries.call_result(entered, record).await?;

    let columns = result.record.result_columns();
    let projection = match places {
        None => result.record.projection().clone(),
        Some(places) => {
            let named = places.iter().map(|&index| {
                let column = columns.get(index).ok_or_else(|| {
                    Error::Internal(format!("the result has no column {index} of its endpoint"))
                })?;
                Ok(ProjectedColumn { name: column.name.clone(), index })
            });
            Projection::new(named.collect::<Result<_>>()?)
        }
    };
    let most = max_rows(scope, entered);
    let caps = Caps { rows: limit.unwrap_or(most).min(most), bytes: scope.config.max_bytes };
    let (offset, total_rows) = (page.offset, result.row_count());
    let (result_url, query_id) = (result_url(scope, &result), result.record.id.as_str().to_owned());
    let file = result.file;
    let selection = RowSelection::Range { offset, limit: caps.rows.saturating_add(1) };
    let open =
        opened_once(move || Ok(encode(file, &projection, selection, RowShape::Objects, RowFormat::Ndjson)?));
    let rows = capped_rows(scope.call, caps, 0, open).await?;
    Ok(RowsOutcome {
        rows,
        offset: Some(offset),
        columns: None,
        total_rows: Some(total_rows),
        query_id: Some(query_id),
        result_url,
    })
}
