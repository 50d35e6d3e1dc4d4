//! `POST /token`: only this answer contains the secret (D27).

use rowhouse_model::{AccountId, CreateToken};

use crate::call::Call;
use crate::error::{Error, Result};
use crate::response::{Answer, json};

const MAX_DAYS: u32 = 3650;

pub(crate) async fn answer(call: &mut Call) -> Result<Answer> {
    let (principal, object) = call.principal_and_object().await?;
    let days = object.optional_count("expiresInDays")?;
    let days = days.map(|days| u32::try_from(days).ok().filter(|&days| days <= MAX_DAYS).ok_or(days));
    let request = CreateToken {
        name: object.required_text("name")?,
        account_id: object.optional_text("accountId")?.map(AccountId::new),
        expires_in_days: days.transpose().map_err(|days| {
            Error::invalid(format!("field expiresInDays: expected 0 (never) to {MAX_DAYS}, found {days}"))
        })?,
        allow: object.optional_form("allow")?,
    };
    json(&call.app.engine.create_token(&principal, request).await?)
}
