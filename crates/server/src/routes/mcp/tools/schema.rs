//! JSON schemas of the arguments and results of tools.

use std::sync::Arc;

use rmcp::model::JsonObject;
use rowhouse_model::Column;
use serde_json::{Value, json};

use crate::routes::data_openapi::row_schema;

/// The schemas of one tool.
#[derive(Debug)]
pub(super) struct Schemas {
    pub(super) input: Arc<JsonObject>,
    pub(super) output: Arc<JsonObject>,
}

impl Schemas {
    pub(super) fn new(input: JsonObject, output: Value) -> Self {
        Self { input: Arc::new(input), output: Arc::new(object(output)) }
    }
}

/// The schema of arguments.
pub(super) fn arguments(properties: JsonObject, required: &[&str]) -> JsonObject {
    let mut schema =
        object(json!({ "type": "object", "properties": properties, "additionalProperties": false }));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

/// Arguments that select a range of the rows.
pub(super) fn part(columns: &[Column], max_rows: u64) -> JsonObject {
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    object(json!({
        "limit": { "type": "integer", "minimum": 0, "maximum": max_rows, "description": "Rows to return at most." },
        "offset": { "type": "integer", "minimum": 0, "description": "Rows to skip." },
        "columnNames": { "type": "array", "items": { "type": "string", "enum": names }, "minItems": 1,
                         "description": "Columns to return; all without it." },
    }))
}

/// The argument that orders by one of these columns.
pub(super) fn order<'n>(columns: impl Iterator<Item = &'n str>) -> Option<Value> {
    let choices: Vec<String> =
        columns.flat_map(|name| ["asc", "desc"].map(|direction| format!("{name}:{direction}"))).collect();
    (!choices.is_empty()).then(|| json!({ "type": "string", "enum": choices, "description": "NULLs last." }))
}

/// Rows as objects.
pub(super) fn rows(columns: &[Column]) -> Value {
    output(row_schema(columns))
}

/// The result of every tool.
pub(super) fn output(row: Value) -> Value {
    json!({
        "type": "object",
        "properties": {
            "columns": { "type": "array", "items": { "type": "object", "properties": {
                "name": { "type": "string" }, "type": { "type": "string" } } } },
            "rows": { "type": "array", "items": row },
            "rowCount": { "type": "integer", "description": "Rows in this answer." },
            "truncated": { "type": "boolean", "description": "Whether there are more." },
            "nextOffset": { "type": "integer", "description": "The offset to go on with." },
            "totalRows": { "type": "integer", "description": "Rows of the whole result, where that is known." },
            "queryId": { "type": "string" },
            "resultUrl": { "type": "string", "description": "The whole result as a Parquet file, for a short time." },
        },
        "required": ["rows", "rowCount", "truncated"],
    })
}

/// OK because only object literals are passed.
pub(super) fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    }
}
