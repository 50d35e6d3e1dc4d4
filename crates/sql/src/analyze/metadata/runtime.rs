//! Rows of the schema `runtime`: the server as a cluster of one node, and the workspace's statements.

use rowhouse_model::Timestamp;

use super::rows::{Row, optional_text, text};
use crate::expr::Value;
use rowhouse_executor::catalog::RuntimeQuery;

/// The name of the only node.
const NODE: &str = "rowhouse";

/// The row of `system.runtime.nodes`. The address is NULL, because the server does not know how clients reach it.
pub(super) fn node_row() -> Row {
    vec![text(NODE), Value::Null, text(crate::TRINO_VERSION), Value::Boolean(true), text("active")]
}

/// A row of `system.runtime.queries`. Unmeasured values are NULL.
pub(super) fn query_row(query: &RuntimeQuery) -> Row {
    let RuntimeQuery { id, state, user, source, sql, created, ended, stats, error } = query;
    let (error_type, error_name) = error.as_ref().map(|(kind, name)| (kind.as_str(), name.as_str())).unzip();
    vec![
        text(id.as_str()),
        text(state.as_str()),
        optional_text(user.as_deref()),
        optional_text(source.as_deref()),
        optional_text(sql.as_deref()),
        Value::Null,
        number(stats.as_ref().map(|stats| stats.queued_time_millis)),
        Value::Null,
        number(stats.as_ref().map(|stats| stats.planning_time_millis)),
        moment(*created),
        moment(started(query)),
        Value::Null,
        moment(*ended),
        optional_text(error_type),
        optional_text(error_name),
    ]
}

/// A row of `system.runtime.tasks`: a statement that has left the queue has one task.
pub(super) fn task_row(query: &RuntimeQuery) -> Option<Row> {
    let RuntimeQuery { id, state, user: _, source: _, sql: _, created, ended, stats, error: _ } = query;
    let started = started(query)?;
    let stats = stats.as_ref()?;
    let count = |count: u64| number(Some(count));
    Some(vec![
        text(NODE),
        text(format!("{id}.0.0.0")),
        text(format!("{id}.0")),
        text(id.as_str()),
        text(state.as_str()),
        count(stats.total_splits),
        count(stats.queued_splits),
        count(stats.running_splits),
        count(stats.completed_splits),
        count(stats.wall_time_millis),
        count(stats.cpu_time_millis),
        Value::Null,
        count(stats.processed_bytes),
        count(stats.processed_rows),
        count(stats.processed_bytes),
        count(stats.processed_rows),
        count(stats.output_bytes),
        count(stats.output_rows),
        count(stats.processed_bytes),
        count(stats.spilled_bytes),
        moment(*created),
        moment(Some(started)),
        Value::Null,
        moment(*ended),
    ])
}

/// The time at which the statement left the queue; `None` while it is queued.
fn started(query: &RuntimeQuery) -> Option<Timestamp> {
    let stats = query.stats.as_ref().filter(|_| query.state != "QUEUED")?;
    let waited = i64::try_from(stats.queued_time_millis).ok()?;
    query.created.map(|created| Timestamp::from_millis(created.as_millis().saturating_add(waited)))
}

fn moment(at: Option<Timestamp>) -> Value {
    at.map_or(Value::Null, |at| Value::Timestamp(at.as_millis()))
}

fn number(value: Option<u64>) -> Value {
    value.and_then(|value| i64::try_from(value).ok()).map_or(Value::Null, Value::Integer)
}
