//! `POST /materializedView`: stored even if its first refresh is refused (D26).

use rowhouse_model::{CreateMaterializedView, Role};

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call) -> Result<Answer> {
    let (access, object) = call.access_by_body(Role::Analyst).await?;
    let request = CreateMaterializedView {
        workspace_id: access.workspace.id.clone(),
        sql_name: object.required_text("sqlName")?,
        sql: object.required_text("sql")?,
        title: object.optional_text("title")?,
        description: object.optional_text("description")?,
        schedule: object.optional_text("schedule")?,
    };
    call.reserve_answer([Some(&*request.sql), request.description.as_deref()])?;
    // Before the view is stored, planning is dropped if the client disconnects.
    let views = call.app.engine.views();
    json(&call.while_client_waits(views.create(&access, request)).await??)
}
