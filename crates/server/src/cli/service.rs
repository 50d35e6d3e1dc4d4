//! `rowhouse status`, `rowhouse enable`, `rowhouse disable`: the SQL engine (D21).

use clap::Args;
use rowhouse_model::{ClusterState, ClusterStatus, ServiceState, ServiceStatus};

use super::connection::ConnectionFlags;
use super::failure::Failure;
use super::listing::{ListFormat, Listed, print_all, print_one};

/// The action on the engine.
#[derive(Clone, Copy, Debug)]
pub(super) enum ServiceAction {
    Show,
    Enable,
    Disable,
}

/// Flags of the three commands.
#[derive(Debug, Args)]
pub(super) struct ServiceCommand {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    connection: ConnectionFlags,
}

impl ServiceCommand {
    pub(super) async fn run(self, action: ServiceAction) -> Result<(), Failure> {
        let client = self.connection.client()?;
        let status = match action {
            ServiceAction::Show => client.service_status().await?,
            ServiceAction::Enable => client.enable_service().await?,
            ServiceAction::Disable => client.disable_service().await?,
        };
        print_one(self.format, &status)?;
        // As JSON they are part of the status already.
        if self.format == ListFormat::Table && !status.clusters.is_empty() {
            print_all(self.format, &status.clusters)?;
        }
        Ok(())
    }
}

impl Listed for ServiceStatus {
    const HEADERS: &'static [&'static str] = &["service", "status", "last used", "stops after"];

    fn cells(&self) -> Vec<String> {
        let ServiceStatus { status, last_used, id: _, service, max_idle_time, clusters: _ } = self;
        let state = match status {
            ServiceState::Running => "RUNNING",
            ServiceState::Starting => "STARTING",
            ServiceState::Stopping => "STOPPING",
            ServiceState::Stopped => "STOPPED",
            ServiceState::Error => "ERROR",
        };
        let stops_after = match max_idle_time {
            0 => "never".to_owned(),
            seconds => format!("{seconds} s idle"),
        };
        vec![service.clone(), state.to_owned(), last_used.to_string(), stops_after]
    }
}

impl Listed for ClusterStatus {
    const HEADERS: &'static [&'static str] = &["cluster", "status", "version", "url", "why"];

    fn cells(&self) -> Vec<String> {
        let ClusterStatus { name, url, status, version, message } = self;
        let state = match status {
            ClusterState::Unknown => "UNKNOWN",
            ClusterState::Reachable => "REACHABLE",
            ClusterState::Starting => "STARTING",
            ClusterState::Unreachable => "UNREACHABLE",
        };
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        vec![name.clone(), state.to_owned(), text(version), url.clone(), text(message)]
    }
}
