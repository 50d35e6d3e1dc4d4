//! `POST /table`: for admins, because it makes files of the server's machine readable; an owner may name uploaded files
//! of the workspace.

use rowhouse_model::{CreateTable, Role};

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call) -> Result<Answer> {
    let (access, object) = call.access_by_body(Role::Analyst).await?;
    // For other files only an admin may create a table.
    let names_own = object.optional_text("location")?.is_some_and(|text| text.starts_with("files:/"));
    if !names_own {
        access.principal.require_admin("making a table")?;
    }
    let request = CreateTable {
        workspace_id: access.workspace.id.clone(),
        name: object.required_text("name")?,
        location: object.required_text("location")?,
        format: object.optional("format", "\"parquet\", \"csv\", \"ndjson\" or \"arrow\"")?,
    };
    let tables = call.app.engine.tables();
    json(&call.while_client_waits(tables.create(&access, request)).await??)
}
