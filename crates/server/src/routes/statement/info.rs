//! `GET /v1/info`: what Trino's clients ask a server first.

use serde_json::json;

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

/// The version of Trino whose protocol and SQL this server speaks: clients take a number from it.
const TRINO_VERSION: &str = "476";

pub(crate) fn answer(call: &Call) -> Result<Answer> {
    let uptime = call.app.clock.monotonic();
    json(&json!({
        "nodeVersion": {"version": TRINO_VERSION},
        "environment": "rowhouse",
        "coordinator": true,
        "starting": false,
        "uptime": format!("{:.2}s", uptime.as_secs_f64()),
        "rowhouseVersion": env!("CARGO_PKG_VERSION"),
    }))
}
