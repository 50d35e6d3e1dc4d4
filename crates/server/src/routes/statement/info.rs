//! `GET /v1/info`: the first request of Trino's clients.

use serde_json::json;

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) fn answer(call: &Call) -> Result<Answer> {
    let uptime = call.app.clock.monotonic();
    json(&json!({
        "nodeVersion": {"version": rowhouse_engine::TRINO_VERSION},
        "environment": "rowhouse",
        "coordinator": true,
        "starting": false,
        "uptime": format!("{:.2}s", uptime.as_secs_f64()),
        "rowhouseVersion": env!("CARGO_PKG_VERSION"),
    }))
}
