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
    /// The Trino clusters of the server's configuration, as they were last seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clusters: Vec<ClusterStatus>,
}

/// Whether a Trino cluster can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ClusterState {
    /// Not looked at yet.
    Unknown,
    /// It answers.
    Reachable,
    /// It answers that it is starting.
    Starting,
    /// It does not answer, or not as Trino does.
    Unreachable,
}

/// A Trino cluster as it was last seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterStatus {
    /// `trino` or `trino:NAME`, as a workspace's `engine` names it.
    pub name: String,
    /// Where it is.
    pub url: String,
    /// Whether it can be reached.
    pub status: ClusterState,
    /// Its version, where it has told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Why it cannot be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Body of `PUT /service/:service`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetServiceState {
    /// True enables and wakes, false disables.
    pub state: bool,
}
