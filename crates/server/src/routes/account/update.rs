//! `PUT /account/:id`: for admins; absent fields are unchanged.

use rowhouse_model::{AccountId, UpdateAccount};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call, id: &str) -> Result<Answer> {
    let (principal, object) = call.principal_and_object().await?;
    principal.require_admin("changing an account")?;
    let id = AccountId::new(checked_id("account", id)?);
    let change = UpdateAccount {
        is_admin: object.optional_switch("isAdmin")?,
        is_disabled: object.optional_switch("isDisabled")?,
    };
    json(&call.app.engine.accounts().update(&principal, &id, change).await?)
}
