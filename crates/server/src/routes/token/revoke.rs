//! `DELETE /token/:id`: revokes it and the tokens derived from it; an admin may keep those that it created
//! (`keepMade=true`).

use rowhouse_model::TokenId;

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, done};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let principal = call.principal()?;
    let id = TokenId::new(checked_id("token", id)?);
    let keeps_made =
        call.parameters.choice("keepMade", &[("true", true), ("false", false)])?.unwrap_or(false);
    call.app.engine.accounts().revoke_token(&principal, &id, keeps_made).await?;
    Ok(done())
}
