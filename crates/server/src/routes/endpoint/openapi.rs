//! An endpoint in the OpenAPI document of its workspace: its parameters with their types, defaults and allowed values.

use rowhouse_engine::{Endpoint, EndpointParameter};
use rowhouse_model::{ParameterValue, TypeSignature};
use serde_json::{Map, Value, json};

use crate::routes::data_openapi::{choice, column_names, count, refusal, rows_answer};

/// The schema name of an endpoint's rows; no view can have it.
pub(crate) fn schema_name(endpoint: &Endpoint) -> String {
    format!("endpoint.{}", endpoint.sql_name)
}

/// `get` and `post` of an endpoint.
pub(crate) fn operations(endpoint: &Endpoint) -> Value {
    let operation = |verb: &str, more: Value| {
        let mut operation = json!({
            "operationId": format!("{verb}_endpoint_{}", endpoint.sql_name),
            "summary": endpoint.title,
            "description": endpoint.description.as_deref().unwrap_or_default(),
            "x-shared": endpoint.is_shared(),
            "responses": {
                "200": rows_answer("Rows of the query, or of a kept result.", &schema_name(endpoint)),
                "202": { "description": "The query goes on: call again, or ask for the query that `Location` names." },
                "default": refusal(),
            },
        });
        if let (Some(operation), Value::Object(more)) = (operation.as_object_mut(), more) {
            operation.extend(more);
        }
        operation
    };
    let properties: Map<String, Value> = endpoint
        .parameters()
        .iter()
        .map(|parameter| (parameter.name.clone(), described_schema(parameter)))
        .collect();
    let required: Vec<&str> = required(endpoint).map(|parameter| parameter.name.as_str()).collect();
    let body = json!({ "type": "object", "properties": properties, "required": required });
    json!({
        "get": operation("call", json!({ "parameters": parameters(endpoint) })),
        "post": operation("post", json!({
            "requestBody": { "required": true, "content": { "application/json": { "schema": body } } },
        })),
    })
}

fn required(endpoint: &Endpoint) -> impl Iterator<Item = &EndpointParameter> {
    endpoint.parameters().iter().filter(|parameter| parameter.is_required)
}

/// Its own parameters, then those of every endpoint whose names it does not declare.
fn parameters(endpoint: &Endpoint) -> Vec<Value> {
    let own = endpoint.parameters().iter().map(|parameter| {
        json!({
            "name": parameter.name, "in": "query", "required": parameter.is_required, "style": "form", "explode": true,
            "description": parameter.description.as_deref().unwrap_or_default(),
            "schema": schema(parameter),
        })
    });
    let limit = match endpoint.max_rows() {
        Some(most) => format!("Rows to return, at most {most}."),
        None => "Rows to return; all without it.".to_owned(),
    };
    let mut others = vec![
        count("limit", &limit),
        count("offset", "Rows to skip."),
        column_names(&endpoint.columns),
        choice("count", &["exact"]),
        choice("format", &["json", "ndjson", "csv", "arrow", "parquet"]),
        choice("csvFormulas", &["keep", "escape"]),
        choice("shape", &["objects", "arrays"]),
        count("wait", "Seconds until the answer is 202, at most 60."),
    ];
    let ordered: Vec<String> = endpoint
        .order_columns()
        .iter()
        .filter_map(|place| endpoint.columns.get(*place))
        .flat_map(|column| ["", ":asc", ":desc"].map(|direction| format!("{}{direction}", column.name)))
        .collect();
    if !ordered.is_empty() {
        let values: Vec<&str> = ordered.iter().map(String::as_str).collect();
        others.push(choice("orderBy", &values));
    }
    let is_own = |other: &Value| endpoint.parameters().iter().any(|own| other["name"] == own.name.as_str());
    others.retain(|other| !is_own(other));
    own.chain(others).collect()
}

/// The schema of a parameter, with its description.
pub(in crate::routes) fn described_schema(parameter: &EndpointParameter) -> Value {
    described(parameter, schema(parameter))
}

fn described(parameter: &EndpointParameter, mut schema: Value) -> Value {
    if let Some(description) = &parameter.description {
        schema["description"] = json!(description);
    }
    schema
}

/// The schema of a parameter.
fn schema(parameter: &EndpointParameter) -> Value {
    let mut one = value_schema(parameter.value_type());
    one["x-sql-type"] = json!(parameter.value_type().to_string());
    if !parameter.allowed.is_empty() {
        one["enum"] = parameter.allowed.iter().map(value).collect();
    }
    if let Some((least, greatest)) = &parameter.range {
        // OpenAPI has bounds for numbers only.
        let names = if one["type"] == "string" { ["x-minimum", "x-maximum"] } else { ["minimum", "maximum"] };
        one[names[0]] = value(least);
        one[names[1]] = value(greatest);
    }
    let mut schema = if parameter.is_array() { json!({ "type": "array", "items": one }) } else { one };
    if parameter.default != ParameterValue::Null {
        schema["default"] = value(&parameter.default);
    }
    schema
}

/// The JSON schema of a value; texts are accepted for every type.
fn value_schema(data_type: &TypeSignature) -> Value {
    match data_type.raw_type.to_ascii_lowercase().as_str() {
        "boolean" => json!({ "type": "boolean" }),
        "tinyint" | "smallint" | "integer" | "int" => json!({ "type": "integer" }),
        "bigint" => json!({ "type": "integer", "format": "int64" }),
        "decimal" | "real" | "double" => json!({ "type": "number" }),
        "date" => json!({ "type": "string", "format": "date" }),
        _ => json!({ "type": "string" }),
    }
}

fn value(value: &ParameterValue) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}
