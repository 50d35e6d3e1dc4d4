//! The signals that stop the server, and the one that reloads its configuration.

use tokio::signal::unix::{SignalKind, signal};

/// Calls `reload` for each SIGHUP, sequentially. A burst of signals causes one or two calls.
pub(crate) fn on_hangup(reload: impl Fn() + Send + Sync + 'static) -> std::io::Result<()> {
    let mut hangup = signal(SignalKind::hangup())?;
    let reload = std::sync::Arc::new(reload);
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            let reload = std::sync::Arc::clone(&reload);
            // It reads files.
            if let Err(error) = tokio::task::spawn_blocking(move || reload()).await {
                tracing::error!(%error, "a reload broke off");
            }
        }
    });
    Ok(())
}

/// Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. The handlers are installed by this
/// call, so the server can be stopped as soon as it has printed its address.
pub(crate) fn stop_requested() -> std::io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
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
    })
}
