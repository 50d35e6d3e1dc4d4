//! `GET /readyz`: the server accepts requests. The listener opens only after the engine, so this holds until the
//! shutdown, or until the disk is full: then the server reads but accepts no writes.

use crate::call::Call;
use crate::error::{Error, Result};
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    if call.app.is_stopping() {
        return Err(Error::ShuttingDown);
    }
    call.app.engine.has_room().await?;
    json(&serde_json::json!({ "status": "ready" }))
}
