//! `GET /readyz`: requests are served. The listener opens only once the engine is open, so that is so until
//! the server goes down, or its disk is full: then it reads, and takes nothing.

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
