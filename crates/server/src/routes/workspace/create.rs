//! `POST /workspace`: for admins.

use rowhouse_model::CreateWorkspace;

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call) -> Result<Answer> {
    let (principal, object) = call.principal_and_object().await?;
    principal.require_admin("making a workspace")?;
    let request = CreateWorkspace {
        title: object.required_text("title")?,
        sql_name: object.required_text("sqlName")?,
        engine: object.optional("engine", "\"polars\", \"trino\" or \"trino:NAME\"")?,
    };
    json(&call.app.engine.workspaces().create(&principal, request).await?)
}
