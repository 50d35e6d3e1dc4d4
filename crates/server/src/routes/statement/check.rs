//! `HEAD /v1/statement`: checks a client's credentials.

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, done};

pub(crate) fn answer(call: &Call) -> Result<Answer> {
    call.protocol_principal()?;
    Ok(done())
}
