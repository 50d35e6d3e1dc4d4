//! `GET /workspace/:id/usage`: usage and limits of the workspace.

use rowhouse_model::Role;

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) fn answer(call: &Call, id: &str) -> Result<Answer> {
    let principal = call.principal()?;
    let access = call.access(&principal, id, Role::Analyst)?;
    json(&call.app.engine.usage(&access)?)
}
