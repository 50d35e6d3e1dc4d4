//! `GET /healthz`: the process is alive.

use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) fn answer() -> Result<Answer> {
    json(&serde_json::json!({ "status": "ok" }))
}
