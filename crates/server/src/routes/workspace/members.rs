//! `GET /workspace/:id/members`: for owners.

use rowhouse_model::Role;

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) fn answer(call: &Call, id: &str) -> Result<Answer> {
    let principal = call.principal()?;
    let access = call.access(&principal, id, Role::Owner)?;
    json(&call.app.engine.workspaces().members(&access)?)
}
