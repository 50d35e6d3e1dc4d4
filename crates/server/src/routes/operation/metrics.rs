//! `GET /metrics`: all metrics, in Prometheus' text format; with any token, if one is required. All values are in
//! memory already: a scrape reads numbers and writes lines.

mod engine;
mod process;

use http::HeaderValue;
use http::header::VARY;

use crate::call::Call;
use crate::error::Result;
use crate::metrics::{Exposition, Kind};
use crate::response::{Answer, whole};

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

pub(crate) fn answer(call: &Call) -> Result<Answer> {
    let principal = call.principal();
    let principal =
        if call.app.config.get().metrics_require_token { Some(principal?) } else { principal.ok() };
    let is_admin = principal.is_some_and(|principal| principal.account.is_admin);
    let mut exposition = Exposition::default();
    exposition.family("rowhouse_build_info", Kind::Gauge, "1, with the version that runs.");
    exposition.sample(&[("version", env!("CARGO_PKG_VERSION"))], 1);
    exposition.single(
        "rowhouse_config_last_reload_successful",
        Kind::Gauge,
        "1 unless the last reload of the configuration was refused.",
        u8::from(call.app.reloads.is_good()),
    );
    exposition.single(
        "rowhouse_audit_lost_total",
        Kind::Counter,
        "Entries of the audit log that could not be written.",
        call.app.audit.lost() + call.app.engine.views().lost_own_refreshes(),
    );
    let (memory, heads) = (&call.app.answer_memory, &call.app.head_memory);
    for (name, kind, help, value) in [
        (
            "rowhouse_answer_memory_bytes",
            Kind::Gauge,
            "Memory of answers in the making or on their way, and of large request bodies.",
            memory.used_bytes() as u64,
        ),
        (
            "rowhouse_answer_memory_limit_bytes",
            Kind::Gauge,
            "Most that it may be (limits.answer_memory).",
            memory.limit_bytes() as u64,
        ),
        (
            "rowhouse_answer_memory_refused_total",
            Kind::Counter,
            "Requests that were refused for want of it.",
            memory.refused(),
        ),
        (
            "rowhouse_head_memory_bytes",
            Kind::Gauge,
            "Memory of heads that have not arrived completely or are in flight over HTTP/2, beyond 8 KiB.",
            heads.used_bytes() as u64,
        ),
        (
            "rowhouse_head_memory_refused_total",
            Kind::Counter,
            "Connections that were closed and requests that were refused for want of it.",
            heads.refused(),
        ),
    ] {
        exposition.single(name, kind, help, value);
    }
    if let Some(not_after) = call.app.tls.as_ref().and_then(|tls| tls.not_after()) {
        exposition.single(
            "rowhouse_tls_certificate_expiry_timestamp_seconds",
            Kind::Gauge,
            "When the first certificate of the chain expires, in seconds since 1970.",
            not_after.as_millis() / 1000,
        );
    }
    process::write(&mut exposition);
    call.app.metrics.write(&mut exposition);
    engine::write(&mut exposition, &call.app.engine.metrics()?, call.app.clock.now(), is_admin);
    let mut answer = whole(TEXT, exposition.into_text());
    // Not compressed: a scrape must not queue behind rows that are being compressed.
    answer.headers_mut().insert(VARY, HeaderValue::from_static("Authorization"));
    Ok(answer)
}
