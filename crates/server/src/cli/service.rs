//! `rowhouse status`, `rowhouse enable`, `rowhouse disable`: the SQL engine (D21).

use clap::Args;
use rowhouse_model::{ServiceState, ServiceStatus};

use super::connection::ConnectionFlags;
use super::failure::Failure;
use super::listing::{ListFormat, print_one};

/// What is done with the engine.
#[derive(Clone, Copy, Debug)]
pub(super) enum ServiceAction {
    Show,
    Enable,
    Disable,
}

/// Flags of the three commands.
#[derive(Debug, Args)]
pub(super) struct ServiceCommand {
    /// How it is printed
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
        print_one(self.format, &status, &["service", "status", "last used", "stops after"], cells)
    }
}

fn cells(status: &ServiceStatus) -> Vec<String> {
    let ServiceStatus { status, last_used, id: _, service, max_idle_time } = status;
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
