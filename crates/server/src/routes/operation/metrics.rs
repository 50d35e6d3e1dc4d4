//! `GET /metrics`: counters in Prometheus' text format; any token, where one is demanded.

use http::HeaderValue;
use rowhouse_engine::{Engine, Load};
use rowhouse_model::{SQL_ENGINE, ServiceState};

use crate::call::Call;
use crate::error::Result;
use crate::metrics::{family, line, single};
use crate::response::{Answer, whole};

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

const STATES: [(&str, ServiceState); 5] = [
    ("RUNNING", ServiceState::Running),
    ("STARTING", ServiceState::Starting),
    ("STOPPING", ServiceState::Stopping),
    ("STOPPED", ServiceState::Stopped),
    ("ERROR", ServiceState::Error),
];

pub(crate) fn answer(call: &Call) -> Result<Answer> {
    if call.app.config.metrics_require_token {
        call.principal()?;
    }
    let mut text = call.app.metrics.text();
    add_engine(&mut text, &call.app.engine)?;
    Ok(whole(TEXT, text))
}

fn add_engine(text: &mut String, engine: &Engine) -> Result<()> {
    let Load { statements, queued_runs, active_runs } = engine.queries().load();
    for (name, help, value) in [
        ("rowhouse_statements", "Statements that are not final.", statements),
        ("rowhouse_queued_runs", "Runs that wait for a slot or for the engine to wake.", queued_runs),
        ("rowhouse_active_runs", "Runs that are planned or computed.", active_runs),
    ] {
        single(text, name, "gauge", help, value as u64);
    }
    let status = engine.service().status(SQL_ENGINE)?.status;
    family(text, "rowhouse_engine_state", "gauge", "1 for the state of the SQL engine.");
    for (name, state) in STATES {
        line(text, "rowhouse_engine_state", &format!("state=\"{name}\""), u8::from(state == status));
    }
    Ok(())
}
