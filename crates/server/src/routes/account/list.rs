//! `GET /accounts`: for admins and owners (D6).

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) fn answer(call: &Call) -> Result<Answer> {
    let principal = call.principal()?;
    json(&call.app.engine.accounts().list(&principal)?)
}
