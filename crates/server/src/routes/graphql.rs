//! `POST /graphql`: the operations that Canner's published Python client sends, and no others. A request has one
//! operation with one field; its statements are ordinary queries. A refusal is an error of GraphQL with status 200,
//! except for a request without a valid token, over its token's rate or without a JSON object, which is refused as everywhere.

use rowhouse_engine::Principal;
use rowhouse_model::json_values;
use serde_json::{Map, Value, json};

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json, unchanged};

mod document;
mod failure;
mod fields;
mod files;
mod query;
mod saved_sql;

use document::{Field, Kind, Operation};
use failure::Failure;
use fields::ObjectType;

/// The operations, by field.
const OPERATIONS: [(&str, Kind, &ObjectType); 7] = [
    ("createSqlQuery", Kind::Mutation, &query::SQL_QUERY),
    ("deleteFiles", Kind::Mutation, &files::DELETED_FILE),
    ("deleteStatement", Kind::Mutation, &query::STATEMENT),
    ("files", Kind::Query, &files::FILE),
    ("sqlQuery", Kind::Query, &query::SQL_QUERY),
    ("sqlResultPagination", Kind::Query, &query::SQL_RESULT),
    ("sqls", Kind::Query, &saved_sql::SQL),
];

/// Maximum number of values in the variables: ten times as many as an operation can use.
const MAX_VARIABLE_VALUES: usize = 10_000;

pub(crate) async fn answer(call: &mut Call) -> Result<Answer> {
    let (principal, object) = call.principal_and_object().await?;
    let text = object.required_text("query")?;
    let name = object.optional_text("operationName")?;
    let is_long = object.raw("variables").is_some_and(|raw| json_values(raw) > MAX_VARIABLE_VALUES);
    let variables: Map<String, Value> =
        if is_long { Map::new() } else { object.optional("variables", "an object")?.unwrap_or_default() };
    let max_copied_bytes = call.app.config.get().limits.body_bytes;
    let operation = if is_long {
        Err(Failure::invalid(format!("the variables have more than {MAX_VARIABLE_VALUES} values")))
    } else {
        operation(&text, name.as_deref(), &variables, max_copied_bytes)
    };
    let is_read = operation.as_ref().is_ok_and(|(kind, ..)| *kind == Kind::Query);
    let answered = match operation {
        Ok((_, name, field)) => run(call, &principal, name, &field).await,
        Err(failure) => Err(failure),
    };
    match answered {
        // A query of GraphQL is a read.
        Ok(answer) if is_read => Ok(unchanged(answer)),
        Ok(answer) => Ok(answer),
        Err(Failure::Request(error)) => Err(error),
        Err(Failure::Graphql { code, message }) => {
            json(&json!({"errors": [{"message": message, "extensions": {"code": code}}], "data": null}))
        }
    }
}

/// The operation of a document and its field. Operations and fields that do not exist are refused before any value is
/// built.
fn operation(
    text: &str,
    name: Option<&str>,
    variables: &Map<String, Value>,
    max_copied_bytes: usize,
) -> Result<(Kind, &'static str, Field), Failure> {
    let operation = Operation::read(text, name)?;
    let known = OPERATIONS.iter().find(|(name, kind, _)| *name == operation.name && *kind == operation.kind);
    let Some((name, kind, object_type)) = known else {
        let names: Vec<_> =
            OPERATIONS.iter().map(|(name, kind, _)| format!("{} {name}", kind.keyword())).collect();
        let message = format!(
            "Cannot answer {} {:?}; answered are {}",
            operation.kind.keyword(),
            rowhouse_model::excerpt(&operation.name),
            names.join(", ")
        );
        return Err(Failure::invalid(message));
    };
    // Before any action.
    object_type.check(&operation.selection)?;
    Ok((*kind, name, operation.with_variables(variables, max_copied_bytes)?))
}

async fn run(call: &Call, principal: &Principal, name: &str, field: &Field) -> Result<Answer, Failure> {
    match name {
        "createSqlQuery" => query::create(call, principal, field).await,
        "deleteFiles" => files::delete(call, principal, field).await,
        "files" => files::list(call, principal, field).await,
        "deleteStatement" => query::delete_statement(call, principal, field).await,
        "sqlQuery" => query::get(call, principal, field).await,
        "sqlResultPagination" => query::rows(call, principal, field).await,
        _ => saved_sql::list(call, principal, field).await,
    }
}

/// The answer to a field: the selected fields of an object, or of each object of a list.
fn answered(field: &Field, object_type: &ObjectType, value: Value) -> Result<Answer, Failure> {
    let mut data = Map::new();
    data.insert(field.key.clone(), object_type.selected(&field.selection, value));
    Ok(json(&json!({ "data": data }))?)
}
