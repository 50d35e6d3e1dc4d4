//! `sqls(where: {workspaceId})`: a workspace's saved SQL.

use std::sync::Arc;

use rowhouse_engine::Principal;
use rowhouse_model::Role;
use serde_json::json;

use super::document::Field;
use super::failure::Failure;
use super::fields::ObjectType;
use crate::call::Call;
use crate::response::Answer;
use crate::routes::list;

pub(super) const SQL: ObjectType = ObjectType {
    name: "Sql",
    scalars: &["id", "sql", "title", "description", "workspaceId", "accountId"],
    nested: None,
};

pub(super) async fn list(call: &Call, principal: &Principal, field: &Field) -> Result<Answer, Failure> {
    let workspace = field.object("where")?.required_text("workspaceId")?;
    let access = call.access(principal, &workspace, Role::Analyst)?;
    let engine = Arc::clone(&call.app.engine);
    let prefix = format!("{{\"data\":{{{}:[", json!(field.key));
    let selection = field.selection.clone();
    let select = Box::new(move |saved_sql| SQL.selected(&selection, saved_sql));
    let opened = move || Ok(engine.saved_sql().list_selected(&access, &prefix, select, "]}}")?);
    Ok(list::answer(call, opened).await?)
}
