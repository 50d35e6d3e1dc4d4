//! `GET /v1/data/{workspace}/openapi.json`: the views and endpoints of a workspace as an OpenAPI document, with the
//! columns' types, the required filters of each view and the parameters of each endpoint. For CONSUMER and above.

use std::sync::Arc;

use rowhouse_engine::{ChunkSource, Endpoint, ReadableView, ViewRecord, json_members, one_after_the_other};
use rowhouse_model::{Role, path};
use serde_json::{Value, json};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::Answer;
use crate::routes::data_openapi::{choice, column_names, count, refusal, row_schema, rows_answer};
use crate::routes::endpoint::openapi as endpoint_openapi;
use crate::routes::list;

/// The schema of a column takes several times the bytes of the column as JSON, in memory and as text.
const COPIES: usize = 8;
/// Memory for an operation, besides its columns.
const OPERATION_BYTES: usize = 32 << 10;

pub(crate) async fn answer(call: &Call, workspace: &str) -> Result<Answer> {
    let principal = call.principal()?;
    let engine = &call.app.engine;
    let access = engine.workspaces().access_by_sql_name(&principal, checked_id("workspace", workspace)?)?;
    access.require(Role::Consumer)?;
    let server = if call.base_path.is_empty() { "/" } else { &call.base_path };
    let views = engine.views().all(&access).into_iter().map(Described::View);
    let endpoints = engine.endpoints().list(&access).into_iter().map(Described::Endpoint);
    let workspace: Arc<str> = access.workspace.sql_name.as_str().into();
    let described = views.chain(endpoints).map(|described| (Arc::clone(&workspace), described));
    let (document, described) = (head(&workspace, server), described.collect());
    list::answer(call, move || Ok(written(&document, described))).await
}

/// What the document describes.
#[derive(Clone)]
enum Described {
    View(ReadableView),
    Endpoint(Arc<Endpoint>),
}

impl Described {
    /// Approximate memory for writing its operation or its schema.
    fn weight_bytes(&self) -> usize {
        let bytes = match self {
            Self::View(view) => view.columns_bytes + view.record.description.as_ref().map_or(0, String::len),
            Self::Endpoint(endpoint) => endpoint.definition_bytes(),
        };
        COPIES * bytes + OPERATION_BYTES
    }

    /// Its path and operations.
    fn path(self, workspace: &str) -> (String, Value) {
        match self {
            Self::View(view) => {
                let path = path::view_rows(workspace, &view.record.sql_name);
                (path, json!({ "get": operation(&view) }))
            }
            Self::Endpoint(endpoint) => {
                let path = path::endpoint_rows(workspace, &endpoint.sql_name);
                (path, endpoint_openapi::operations(&endpoint))
            }
        }
    }

    /// The name and the schema of its rows.
    fn schema(self) -> (String, Value) {
        match self {
            Self::View(view) => (view.record.sql_name.clone(), row_schema(&view.columns)),
            Self::Endpoint(endpoint) => {
                (endpoint_openapi::schema_name(&endpoint), row_schema(&endpoint.columns))
            }
        }
    }
}

/// The document without its last members, `paths` and the schemas of `components`.
fn head(workspace: &str, server: &str) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": format!("Rowhouse: views and endpoints of {workspace}"),
            "version": "1",
            "description": "Rows of materialized views and of endpoints, filtered, paged and projected.",
        },
        "servers": [{ "url": server }],
        "security": [{ "token": [] }, { "bearer": [] }],
    })
}

/// The document, written view by view: those of a workspace may have very many columns.
fn written(head: &Value, described: Vec<(Arc<str>, Described)>) -> Box<dyn ChunkSource> {
    let security = json!({
        "token": { "type": "apiKey", "in": "header", "name": "Authorization",
                   "description": "`Token <PERSONAL_ACCESS_TOKEN>`" },
        "bearer": { "type": "http", "scheme": "bearer" },
    });
    let head = head.to_string();
    let opened = head.strip_suffix('}').unwrap_or(&head);
    let paths = json_members(
        format!("{opened},\"paths\":{{"),
        described.clone(),
        |(_, described)| described.weight_bytes(),
        |(workspace, described)| described.path(&workspace),
        "}",
    );
    let schemas = json_members(
        format!(",\"components\":{{\"securitySchemes\":{security},\"schemas\":{{"),
        described,
        |(_, described)| described.weight_bytes(),
        |(_, described)| described.schema(),
        "}}}",
    );
    one_after_the_other(vec![paths, schemas])
}

fn operation(view: &ReadableView) -> Value {
    let ViewRecord { sql_name, title, description, .. } = &*view.record;
    let (columns, required_filters) = (&view.columns, &view.required_filters());
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
