//! The signals that end the server.

use tokio::signal::unix::{SignalKind, signal};

/// Returns at the first SIGINT or SIGTERM; a second one ends the process at once.
pub(crate) async fn stop_requested() -> std::io::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::warn!("a second signal: ending without waiting");
        std::process::exit(1);
    });
    Ok(())
}
