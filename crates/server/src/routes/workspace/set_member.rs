//! `PUT /workspace/:id/member`: for owners; a null role removes the membership.

use rowhouse_model::{AccountId, Role, SetMember};

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

const ROLES: &str = "\"OWNER\", \"ANALYST\", \"CONSUMER\" or null";

pub(crate) async fn answer(call: &mut Call, id: &str) -> Result<Answer> {
    let (principal, object) = call.principal_and_object().await?;
    let access = call.access(&principal, id, Role::Owner)?;
    let account_id = AccountId::new(object.required_text("accountId")?);
    // An absent role is not null: forgetting it must not remove a membership.
    if !object.has("role") {
        return Err(object.missing("role", ROLES));
    }
    let role = object.optional("role", ROLES)?;
    json(&call.app.engine.workspaces().set_member(&access, SetMember { account_id, role }).await?)
}
