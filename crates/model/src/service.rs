//! The SQL engine as a service that can be observed, enabled and disabled (D21).

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// The only service's name.
pub const SQL_ENGINE: &str = "SQL_ENGINE";

/// The state of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ServiceState {
    /// Statements run.
    Running,
    /// It is waking.
    Starting,
    /// It is becoming idle.
    Stopping,
    /// It is idle, or disabled.
    Stopped,
    /// It could not start.
    Error,
}

/// Response of `GET /service/:service` and `PUT /service/:service`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceStatus {
    /// Its state.
    pub status: ServiceState,
    /// Time of the last statement; before the first, the server's start.
    pub last_used: Timestamp,
    /// Id of the service.
    pub id: String,
    /// Its name, [`SQL_ENGINE`].
    pub service: String,
    /// Seconds without a statement after which it stops; 0 means never.
    pub max_idle_time: u64,
    /// The Trino clusters of the server's configuration, as last seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clusters: Vec<ClusterStatus>,
}

/// Whether a Trino cluster can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ClusterState {
    /// Not checked yet.
    Unknown,
    /// It answers.
    Reachable,
    /// It answers that it is starting.
    Starting,
    /// It does not answer, or not as Trino does.
    Unreachable,
}

/// A Trino cluster as last seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterStatus {
    /// `trino` or `trino:NAME`, as a workspace's `engine` names it.
    pub name: String,
    /// Its address.
    pub url: String,
    /// Whether it can be reached.
    pub status: ClusterState,
    /// Its version, if it has reported it.
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
