//! `GET /metrics`: counters in Prometheus' text format; any token, where one is demanded.

use http::HeaderValue;

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, whole};

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

pub(crate) fn answer(call: &Call) -> Result<Answer> {
    if call.app.config.metrics_require_token {
        call.principal()?;
    }
    Ok(whole(TEXT, call.app.metrics.text()))
}
