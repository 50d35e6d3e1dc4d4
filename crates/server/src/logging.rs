//! The log on standard error, as text or JSON.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::config::LogFormat;

/// Starts the log. `RUST_LOG` goes before the configured filter. A log that is already there is kept.
pub(crate) fn start(format: LogFormat, filter: &str) {
    let configured =
        || EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new(LevelFilter::INFO.to_string()));
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| configured());
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let _ = match format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
}
