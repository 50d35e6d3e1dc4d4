//! The SQL engine as a service that can be seen, enabled and disabled (D21).

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// The only service's name.
pub const SQL_ENGINE: &str = "SQL_ENGINE";

/// What a service does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ServiceState {
    /// Statements run.
    Running,
    /// It is waking.
    Starting,
    /// It is going to rest.
    Stopping,
    /// It rests, or is disabled.
    Stopped,
    /// It could not start.
    Error,
}

/// Response of `GET /service/:service` and `PUT /service/:service`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceStatus {
    /// What it does now.
    pub status: ServiceState,
    /// When the last statement came; before the first, when the server started.
    pub last_used: Timestamp,
    /// Id of the service.
    pub id: String,
    /// Its name, [`SQL_ENGINE`].
    pub service: String,
    /// Seconds without a statement after which it stops; 0 is never.
    pub max_idle_time: u64,
}

/// Body of `PUT /service/:service`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetServiceState {
    /// True enables and wakes, false disables.
    pub state: bool,
}
