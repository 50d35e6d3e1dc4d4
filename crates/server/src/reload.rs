//! Reload (SIGHUP): reads the configuration again and applies the changes to every part. An invalid one changes nothing
//! and is logged.

use std::sync::Arc;
use std::time::Duration;

use rowhouse_engine::Clock;
use rowhouse_model::Timestamp;

use crate::app::App;
use crate::config::{Config, Reload, ServeFlags};
use crate::logging::Log;
use crate::tls::{self, Expiry, Tls};

pub(crate) mod status;

/// How often an expiring certificate is reported.
const EXPIRY_PERIOD_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// The parts that a reload updates.
#[derive(Debug)]
pub(crate) struct Reloader {
    pub(crate) flags: ServeFlags,
    pub(crate) app: Arc<App>,
    pub(crate) log: Log,
}

impl Reloader {
    /// Reloads everything. Blocking.
    pub(crate) fn reload(&self) {
        let outcome = self.take_over();
        self.app.reloads.set(outcome.is_ok());
        if let Err(error) = outcome {
            tracing::error!(error = format!("{error:#}"), "the configuration stays as it was");
        }
    }

    fn take_over(&self) -> anyhow::Result<()> {
        let old = self.app.config.get();
        let Reload { config, changed, mut waiting } =
            old.reload(&self.flags, &|name| std::env::var(name).ok())?;
        // Everything that can fail precedes everything that takes effect.
        match (&self.app.tls, &config.tls) {
            (Some(tls), Some(files)) => tls.reload(files)?,
            (None, None) => {}
            // A port cannot switch between HTTP and HTTPS.
            _ => waiting.push("tls_certificate"),
        }
        self.app.audit.configure(config.audit.as_ref())?;
        self.apply(&config);
        self.app.config.set(config);
        for key in &waiting {
            tracing::warn!(key, "a changed setting takes effect with the next start");
        }
        tracing::info!(changed = changed.join(" "), "the configuration was read again");
        Ok(())
    }

    fn apply(&self, config: &Config) {
        self.app.engine.reconfigure(&config.engine);
        self.app.answer_memory.set_limit_bytes(config.limits.answer_memory_bytes);
        self.log.set_filter(&config.log_filter);
    }
}

/// Checks the files of TLS until the server stops, and reloads them when they have changed. An expiring certificate is
/// reported at once and then every day.
pub(crate) async fn watch_tls(tls: Arc<Tls>, clock: Arc<dyn Clock>) {
    let mut told_at = clock.now();
    warn_of_expiry(&tls, told_at);
    let mut period = tokio::time::interval(tls::CHECK_PERIOD);
    period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    // The first tick is immediate, when they have just been read.
    period.tick().await;
    loop {
        period.tick().await;
        let looked = Arc::clone(&tls);
        let outcome = tokio::task::spawn_blocking(move || looked.reload_if_changed()).await;
        match outcome {
            Ok(Ok(false)) if clock.now().as_millis() - told_at.as_millis() < EXPIRY_PERIOD_MILLIS => {}
            Ok(Ok(has_changed)) => {
                if has_changed {
                    tracing::info!("certificate and key have changed and were read again");
                }
                told_at = clock.now();
                warn_of_expiry(&tls, told_at);
            }
            Ok(Err(error)) => {
                tracing::error!(error = format!("{error:#}"), "the certificate stays as it was");
            }
            // The server is stopping.
            Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
        }
    }
}

fn warn_of_expiry(tls: &Tls, now: Timestamp) {
    let Some(not_after) = tls.not_after() else { return };
    match Expiry::at(now, not_after) {
        Expiry::Far => {}
        Expiry::Near { days } => {
            tracing::warn!(%not_after, days, "the TLS certificate is about to expire: renew it")
        }
        Expiry::Past => tracing::error!(%not_after, "the TLS certificate has expired: clients refuse it"),
    }
}
