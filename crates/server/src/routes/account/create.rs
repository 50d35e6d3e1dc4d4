//! `POST /account`: for admins.

use rowhouse_model::CreateAccount;

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call) -> Result<Answer> {
    let (principal, object) = call.principal_and_object().await?;
    principal.require_admin("making an account")?;
    let request = CreateAccount {
        username: object.required_text("username")?,
        is_admin: object.optional_switch("isAdmin")?,
    };
    json(&call.app.engine.accounts().create(&principal, request).await?)
}
