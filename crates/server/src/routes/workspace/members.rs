//! `GET /workspace/:id/members`: for owners.

use rowhouse_engine::json_list;
use rowhouse_model::Role;

use crate::call::Call;
use crate::error::Result;
use crate::response::Answer;
use crate::routes::list;

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let principal = call.principal()?;
    let access = call.access(&principal, id, Role::Owner)?;
    let members = call.app.engine.workspaces().members(&access)?;
    list::answer(call, move || Ok(json_list(members))).await
}
