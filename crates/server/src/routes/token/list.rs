//! `GET /tokens`: the caller's, never their secrets.

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) fn answer(call: &Call) -> Result<Answer> {
    let principal = call.principal()?;
    json(&call.app.engine.accounts().tokens(&principal)?)
}
