//! `POST /sql`.

use rowhouse_model::{CreateSavedSql, Role};

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call) -> Result<Answer> {
    let (access, object) = call.access_by_body(Role::Analyst).await?;
    let request = CreateSavedSql {
        workspace_id: access.workspace.id.clone(),
        sql: object.required_text("sql")?,
        description: object.optional_text("description")?,
        title: object.required_text("title")?,
        sql_name: object.optional_text("sqlName")?,
    };
    call.reserve_answer([Some(&*request.sql), Some(&*request.title), request.description.as_deref()])?;
    json(&call.app.engine.saved_sql().create(&access, request).await?)
}
