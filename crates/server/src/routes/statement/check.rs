//! `HEAD /v1/statement`: whether a client's credentials are good.

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, done};

pub(crate) fn answer(call: &Call) -> Result<Answer> {
    call.protocol_principal()?;
    Ok(done())
}
