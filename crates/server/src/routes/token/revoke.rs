//! `DELETE /token/:id`.

use rowhouse_model::TokenId;

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, done};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let principal = call.principal()?;
    let id = TokenId::new(checked_id("token", id)?);
    call.app.engine.accounts().revoke_token(&principal, &id).await?;
    Ok(done())
}
