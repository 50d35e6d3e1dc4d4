//! `GET /readyz`: requests are served. The listener opens only once the engine is open, so that is so until
//! the server goes down.

use crate::call::Call;
use crate::error::{Error, Result};
use crate::response::{Answer, json};

pub(crate) fn answer(call: &Call) -> Result<Answer> {
    if call.app.is_stopping() {
        return Err(Error::ShuttingDown);
    }
    json(&serde_json::json!({ "status": "ready" }))
}
