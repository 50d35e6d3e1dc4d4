//! Monitors whether clusters can be reached: checked periodically, so that requests are answered at once
//! (`rowhouse status`), and on demand for `rowhouse doctor`.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rowhouse_model::{ClusterState, ClusterStatus};
use serde::Deserialize;
use tokio::task::AbortHandle;

use super::cluster::TrinoCluster;
use super::connection::Connection;
use super::page_memory::LargePages;
use rowhouse_executor::clock::SystemClock;

/// Time between two checks.
const PERIOD: Duration = Duration::from_secs(10);
/// Time limit of one check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// The clusters as last seen.
pub(super) struct Monitor {
    shared: Arc<Shared>,
}

struct Shared {
    connections: Vec<Arc<Connection>>,
    seen: Mutex<Vec<ClusterStatus>>,
}

/// `ServerInfo` of `GET /v1/info`.
#[derive(Deserialize)]
struct ServerInfo {
    #[serde(rename = "nodeVersion")]
    node_version: NodeVersion,
    #[serde(default)]
    starting: bool,
}

#[derive(Deserialize)]
struct NodeVersion {
    version: String,
}

impl Monitor {
    pub(super) fn new<'c>(connections: impl Iterator<Item = &'c Arc<Connection>>) -> Self {
        let connections: Vec<_> = connections.map(Arc::clone).collect();
        let seen =
            connections.iter().map(|connection| status_of(connection, ClusterState::Unknown)).collect();
        Self { shared: Arc::new(Shared { connections, seen: Mutex::new(seen) }) }
    }

    /// Checks periodically from now on; ends by the handle. Must be called inside a runtime.
    pub(super) fn start(&self) -> AbortHandle {
        let shared = Arc::clone(&self.shared);
        let task = tokio::spawn(async move {
            if shared.connections.is_empty() {
                return;
            }
            let mut period = tokio::time::interval(PERIOD);
            period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                period.tick().await;
                for (index, connection) in shared.connections.iter().enumerate() {
                    let status = look(connection).await;
                    shared.note(index, status);
                }
            }
        });
        task.abort_handle()
    }

    pub(super) fn status(&self) -> Vec<ClusterStatus> {
        self.shared.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Shared {
    fn note(&self, index: usize, status: ClusterStatus) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(last) = seen.get_mut(index) else { return };
        if last.status != status.status {
            tracing::info!(cluster = status.name, from = ?last.status, to = ?status.status, "Trino");
        }
        *last = status;
    }
}

/// Checks a cluster once: whether it can be reached with these settings, within some seconds. For `name` see
/// [`ClusterStatus::name`].
pub async fn check_cluster(name: &str, cluster: &TrinoCluster) -> ClusterStatus {
    let clock = Arc::new(SystemClock::new());
    match Connection::new(name.to_owned(), cluster.clone(), clock, LargePages::new()) {
        Ok(connection) => look(&connection).await,
        Err(error) => ClusterStatus {
            name: name.to_owned(),
            url: cluster.url.clone(),
            status: ClusterState::Unreachable,
            version: None,
            message: Some(error.to_string()),
        },
    }
}

async fn look(connection: &Connection) -> ClusterStatus {
    let info = match connection.look("/v1/info", CHECK_TIMEOUT).await {
        Ok(body) => serde_json::from_slice::<ServerInfo>(&body)
            .map_err(|error| format!("its answer to GET /v1/info is not Trino's: {error}")),
        Err(reason) => Err(reason),
    };
    match info {
        Ok(info) => {
            let state = if info.starting { ClusterState::Starting } else { ClusterState::Reachable };
            ClusterStatus {
                version: Some(rowhouse_model::excerpt(&info.node_version.version)),
                ..status_of(connection, state)
            }
        }
        Err(message) => {
            ClusterStatus { message: Some(message), ..status_of(connection, ClusterState::Unreachable) }
        }
    }
}

fn status_of(connection: &Connection, status: ClusterState) -> ClusterStatus {
    ClusterStatus {
        name: connection.name.clone(),
        url: connection.cluster.url.clone(),
        status,
        version: None,
        message: None,
    }
}

impl fmt::Debug for Monitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Monitor").field("status", &self.status()).finish()
    }
}
