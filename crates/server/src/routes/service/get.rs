//! `GET /service/:service`: any token reads a service's status (D6).

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) fn answer(call: &Call, service: &str) -> Result<Answer> {
    call.principal()?;
    json(&call.app.engine.service().status(service)?)
}
