//! `GET /v1/data/{workspace}/openapi.json`: the views and endpoints of a workspace as an OpenAPI document, with the
//! columns' types, the required filters of each view and the parameters of each endpoint. For CONSUMER and above.

use std::sync::Arc;

use rowhouse_engine::Endpoint;
use rowhouse_model::{MaterializedView, Role, path};
use serde_json::{Map, Value, json};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json as answer_json};
use crate::routes::data_openapi::{choice, column_names, count, refusal, row_schema, rows_answer};
use crate::routes::endpoint::openapi as endpoint_openapi;

pub(crate) async fn answer(call: &Call, workspace: &str) -> Result<Answer> {
    let principal = call.principal()?;
    let engine = &call.app.engine;
    let access = engine.workspaces().access_by_sql_name(&principal, checked_id("workspace", workspace)?)?;
    access.require(Role::Consumer)?;
    let server = if call.base_path.is_empty() { "/" } else { &call.base_path };
    let (views, endpoints) = (engine.views().shown(&access), engine.endpoints().list(&access));
    answer_json(&document(&access.workspace.sql_name, server, views, &endpoints))
}

fn document(
    workspace: &str,
    server: &str,
    views: impl Iterator<Item = MaterializedView>,
    endpoints: &[Arc<Endpoint>],
) -> Value {
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    for view in views {
        paths.insert(path::view_rows(workspace, &view.sql_name), json!({ "get": operation(&view) }));
        schemas.insert(view.sql_name.clone(), row_schema(&view.columns));
    }
    for endpoint in endpoints {
        paths.insert(
            path::endpoint_rows(workspace, &endpoint.sql_name),
            endpoint_openapi::operations(endpoint),
        );
        schemas.insert(endpoint_openapi::schema_name(endpoint), row_schema(&endpoint.columns));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": format!("Rowhouse: views and endpoints of {workspace}"),
            "version": "1",
            "description": "Rows of materialized views and of endpoints, filtered, paged and projected.",
        },
        "servers": [{ "url": server }],
        "security": [{ "token": [] }, { "bearer": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": { "type": "apiKey", "in": "header", "name": "Authorization",
                           "description": "`Token <PERSONAL_ACCESS_TOKEN>`" },
                "bearer": { "type": "http", "scheme": "bearer" },
            },
            "schemas": schemas,
        },
    })
}

fn operation(view: &MaterializedView) -> Value {
    let MaterializedView { sql_name, title, description, required_filters, columns, .. } = view;
    let mut text = description.clone().unwrap_or_default();
    if !required_filters.is_empty() {
        let separator = if text.is_empty() { "" } else { "\n\n" };
        text.push_str(&format!(
            "{separator}Requires filters on: {}. Without them the answer is 400 GENERIC_USER_ERROR.",
            required_filters.join(", ")
        ));
    }
    json!({
        "operationId": format!("read_{sql_name}"),
        "summary": title.as_deref().unwrap_or(sql_name),
        "description": text,
        "x-required-filters": required_filters,
        "parameters": [
            { "name": "filters", "in": "query", "style": "form", "explode": true,
              "required": !required_filters.is_empty(),
              "description": "`column:operator:value`; every condition must hold.",
              "schema": { "type": "array", "items": { "type": "string", "minLength": 1 } } },
            column_names(columns),
            { "name": "orderBy", "in": "query",
              "description": "`column:asc` or `column:desc`; NULLs last.",
              "schema": { "type": "string", "minLength": 1 } },
            choice("count", &["exact"]),
            count("limit", "Rows to return; all without it."),
            count("offset", "Rows to skip."),
            choice("format", &["json", "ndjson", "csv", "arrow", "parquet"]),
            choice("csvFormulas", &["keep", "escape"]),
            choice("shape", &["objects", "arrays"]),
        ],
        "responses": {
            "200": rows_answer("Rows, in the order of the materialization.", sql_name),
            "default": refusal(),
        },
    })
}
