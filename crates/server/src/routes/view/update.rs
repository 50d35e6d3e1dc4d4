//! `PUT /materializedView/:id`: absent fields are unchanged, null removes a title, description or schedule; a new
//! statement refreshes at once (D26). `workspaceId` is in the query string or in the body.

use rowhouse_model::{Role, UpdateMaterializedView, ViewId};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json};
use crate::routes::saved_sql::update::filled;

pub(crate) async fn answer(call: &mut Call, id: &str) -> Result<Answer> {
    let (principal, object) = call.principal_and_object().await?;
    let workspace = match call.parameters.optional("workspaceId")? {
        Some(workspace) => workspace.to_owned(),
        None => object.required_text("workspaceId")?,
    };
    let access = call.access(&principal, &workspace, Role::Analyst)?;
    let id = ViewId::new(checked_id("view", id)?);
    let views = call.app.engine.views();
    let present = views.get(&access, &id).await?;
    let request = UpdateMaterializedView {
        sql_name: filled(&object, "sqlName")?,
        sql: filled(&object, "sql")?,
        title: object.nullable_text("title")?,
        description: object.nullable_text("description")?,
        schedule: object.nullable_text("schedule")?,
    };
    let sql = request.sql.as_ref().unwrap_or(&present.sql);
    let description = request.description.as_ref().map_or(present.description.as_ref(), Option::as_ref);
    call.reserve_answer([Some(&**sql), description.map(String::as_str)])?;
    json(&views.update(&access, &id, request).await?)
}
