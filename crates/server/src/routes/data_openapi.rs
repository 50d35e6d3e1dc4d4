//! Parts that the operations of a workspace's OpenAPI document share, for views and endpoints.

use rowhouse_model::Column;
use serde_json::{Map, Value, json};

/// The schema of one row, as an object; `columnNames` omits keys.
pub(crate) fn row_schema(columns: &[Column]) -> Value {
    let properties: Map<String, Value> =
        columns.iter().map(|column| (column.name.clone(), column_schema(column))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// The parameter that names columns.
pub(crate) fn column_names(columns: &[Column]) -> Value {
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    json!({ "name": "columnNames", "in": "query",
            "description": format!("Names separated by commas, of: {}.", names.join(", ")),
            "schema": { "type": "string", "minLength": 1 } })
}

/// A parameter of type integer.
pub(crate) fn count(name: &str, description: &str) -> Value {
    json!({ "name": name, "in": "query", "description": description, "schema": { "type": "integer", "minimum": 0 } })
}

/// A parameter with these values.
pub(crate) fn choice(name: &str, values: &[&str]) -> Value {
    json!({ "name": name, "in": "query", "schema": { "type": "string", "enum": values } })
}

/// An answer with rows of this schema of the document.
pub(crate) fn rows_answer(description: &str, schema: &str) -> Value {
    json!({ "description": description, "content": {
        "application/json": { "schema": {
            "type": "array", "items": { "$ref": format!("#/components/schemas/{schema}") },
        } },
        "application/x-ndjson": {},
        "text/csv": {},
        "application/vnd.apache.arrow.stream": {},
        "application/vnd.apache.parquet": {},
    } })
}

/// Any refusal.
pub(crate) fn refusal() -> Value {
    json!({ "description": "Refused: `code`, `message` and `requestId` say why.", "content": {
        "application/json": { "schema": {
            "type": "object",
            "properties": { "code": { "type": "string" }, "message": { "type": "string" },
                            "requestId": { "type": "string" } },
            "required": ["code", "message", "requestId"],
        } },
    } })
}

/// The JSON of a column's values (D18); any may be null.
fn column_schema(column: &Column) -> Value {
    let type_name = column.type_name.as_str();
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
            return json!({ "type": ["string", "null"], "contentEncoding": "base64", "description": type_name });
        }
        "array" => (&["array", "null"], None),
        "row" => (&["object", "null"], None),
        _ => (&["string", "null"], None),
    };
    let mut schema = json!({ "type": kinds, "description": type_name });
    if let Some(format) = format {
        schema["format"] = json!(format);
    }
    schema
}
