//! `GET /v1/data/{workspace}/openapi.json`: the views of a workspace as an OpenAPI document, with the columns'
//! types and the filters that each demands. For who may read them: CONSUMER and up.

use rowhouse_model::{Column, MaterializedView, Role, path};
use serde_json::{Map, Value, json};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json as answer_json};

pub(crate) async fn answer(call: &Call, workspace: &str) -> Result<Answer> {
    let principal = call.principal()?;
    let engine = &call.app.engine;
    let access = engine.workspaces().access_by_sql_name(&principal, checked_id("workspace", workspace)?)?;
    access.require(Role::Consumer)?;
    let server = if call.base_path.is_empty() { "/" } else { &call.base_path };
    answer_json(&document(&access.workspace.sql_name, server, engine.views().shown(&access)))
}

fn document(workspace: &str, server: &str, views: impl Iterator<Item = MaterializedView>) -> Value {
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    for view in views {
        paths.insert(path::view_rows(workspace, &view.sql_name), json!({ "get": operation(&view) }));
        schemas.insert(view.sql_name.clone(), row_schema(&view));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": format!("Rowhouse: views of {workspace}"),
            "version": "1",
            "description": "Rows of materialized views, filtered, paged and projected.",
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
    let mut told = description.clone().unwrap_or_default();
    if !required_filters.is_empty() {
        let separator = if told.is_empty() { "" } else { "\n\n" };
        told.push_str(&format!(
            "{separator}Demands filters on: {}. Without them the answer is 400 GENERIC_USER_ERROR.",
            required_filters.join(", ")
        ));
    }
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let count = |name: &str, told: &str| {
        json!({ "name": name, "in": "query", "description": told,
                "schema": { "type": "integer", "minimum": 0 } })
    };
    let choice = |name: &str, values: &[&str]| json!({ "name": name, "in": "query", "schema": { "type": "string", "enum": values } });
    json!({
        "operationId": format!("read_{sql_name}"),
        "summary": title.as_deref().unwrap_or(sql_name),
        "description": told,
        "x-required-filters": required_filters,
        "parameters": [
            { "name": "filters", "in": "query", "style": "form", "explode": true,
              "required": !required_filters.is_empty(),
              "description": "`column:operator:value`; every condition must hold.",
              "schema": { "type": "array", "items": { "type": "string", "minLength": 1 } } },
            { "name": "columnNames", "in": "query",
              "description": format!("Names separated by commas, of: {}.", names.join(", ")),
              "schema": { "type": "string", "minLength": 1 } },
            { "name": "orderBy", "in": "query",
              "description": "`column:asc` or `column:desc`; NULLs last.",
              "schema": { "type": "string", "minLength": 1 } },
            choice("count", &["exact"]),
            count("limit", "Rows to return; all without it."),
            count("offset", "Rows to skip."),
            choice("format", &["json", "ndjson", "csv", "arrow", "parquet"]),
            choice("shape", &["objects", "arrays"]),
        ],
        "responses": {
            "200": { "description": "Rows, in the order of the materialization.", "content": {
                "application/json": { "schema": {
                    "type": "array", "items": { "$ref": format!("#/components/schemas/{sql_name}") },
                } },
                "application/x-ndjson": {},
                "text/csv": {},
                "application/vnd.apache.arrow.stream": {},
                "application/vnd.apache.parquet": {},
            } },
            "default": { "description": "Refused: `code`, `message` and `requestId` say why.", "content": {
                "application/json": { "schema": {
                    "type": "object",
                    "properties": { "code": { "type": "string" }, "message": { "type": "string" },
                                    "requestId": { "type": "string" } },
                    "required": ["code", "message", "requestId"],
                } },
            } },
        },
    })
}

/// One row, as an object; `columnNames` leaves keys out.
fn row_schema(view: &MaterializedView) -> Value {
    let properties: Map<String, Value> =
        view.columns.iter().map(|column| (column.name.clone(), column_schema(column))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// The JSON of a column's values (D18); any may be null.
fn column_schema(column: &Column) -> Value {
    let told = column.type_name.as_str();
    let (kinds, format): (&[&str], Option<&str>) = match column.type_signature.raw_type.as_str() {
        "boolean" => (&["boolean", "null"], None),
        "tinyint" | "smallint" | "integer" | "interval year to month" => (&["integer", "null"], None),
        "bigint" => (&["integer", "null"], Some("int64")),
        "decimal" => (&["number", "null"], None),
        // NaN and the infinities are strings.
        "real" | "double" => (&["number", "string", "null"], None),
        "date" => (&["string", "null"], Some("date")),
        "timestamp with time zone" => (&["string", "null"], Some("date-time")),
        "varbinary" => {
            return json!({ "type": ["string", "null"], "contentEncoding": "base64", "description": told });
        }
        "array" => (&["array", "null"], None),
        "row" => (&["object", "null"], None),
        _ => (&["string", "null"], None),
    };
    let mut schema = json!({ "type": kinds, "description": told });
    if let Some(format) = format {
        schema["format"] = json!(format);
    }
    schema
}
