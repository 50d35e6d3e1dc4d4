//! Checks whether the configured Trino clusters can be reached.

use rowhouse_engine::{EngineConfig, check_cluster};
use rowhouse_model::{ClusterState, EngineKind};

use super::findings::Findings;

pub(super) async fn check(findings: &mut Findings, config: &EngineConfig) {
    for (name, cluster) in &config.trino {
        let name = EngineKind::Trino { cluster: name.clone() }.to_string();
        let seen = check_cluster(&name, cluster).await;
        let version = seen.version.as_deref().unwrap_or("of unknown version");
        match seen.status {
            ClusterState::Reachable => {
                findings.good("trino", format!("{name} at {} answers: Trino {version}", seen.url));
            }
            ClusterState::Starting => findings.doubtful(
                "trino",
                format!("{name} at {} says that it is starting", seen.url),
                "wait for it; statements fail with EXTERNAL or wait in its queue until then",
            ),
            ClusterState::Unknown | ClusterState::Unreachable => findings.bad(
                "trino",
                format!("{name} at {}: {}", seen.url, seen.message.as_deref().unwrap_or("it does not answer")),
                "correct its url, user, secret or ca_file, or start it; views that were filled are served without it",
            ),
        }
    }
}
