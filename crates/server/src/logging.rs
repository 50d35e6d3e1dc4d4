//! The log on standard error, as text or JSON. The filter can change at run time.

use std::io::IsTerminal as _;

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, Registry, reload};

use crate::access_log;
use crate::config::LogFormat;
use crate::log_writer::{LogGuard, LogWriter};
use crate::traces::BoxedLayer;

/// The running log.
#[derive(Debug)]
pub(crate) struct Log {
    filter: reload::Handle<EnvFilter, Registry>,
}

impl Log {
    /// Starts the log, until the guard is dropped. `RUST_LOG` takes precedence over the configured filter. An existing
    /// subscriber is kept. `traces` receives the spans of traces.
    pub(crate) fn start(format: LogFormat, filter: &str, traces: Option<BoxedLayer>) -> (Self, LogGuard) {
        let (writer, guard) = LogWriter::start(std::io::stderr());
        let chosen = chosen(filter);
        let filter_text = chosen.to_string();
        let (filter, handle) = reload::Layer::new(chosen);
        let has_colors = std::io::stderr().is_terminal();
        let layer = tracing_subscriber::fmt::layer().with_writer(writer.clone()).with_ansi(has_colors);
        let layer = match format {
            LogFormat::Text => layer.boxed(),
            LogFormat::Json => layer.json().flatten_event(true).boxed(),
        };
        // OK to ignore: a program that embeds the server has a log of its own.
        let layers: Vec<BoxedLayer> =
            std::iter::once(layer.with_filter(filter).boxed()).chain(traces).collect();
        let is_started = tracing_subscriber::registry().with(layers).try_init().is_ok();
        if is_started && format == LogFormat::Text && !has_colors {
            access_log::write_directly_to(writer);
            access_log::follow_filter(&filter_text);
        }
        (Self { filter: handle }, guard)
    }

    /// Changes the filter, unless `RUST_LOG` is set.
    pub(crate) fn set_filter(&self, filter: &str) {
        let chosen = chosen(filter);
        let filter_text = chosen.to_string();
        match self.filter.reload(chosen) {
            Ok(()) => access_log::follow_filter(&filter_text),
            Err(error) => tracing::warn!(%error, "the log's filter stays as it was"),
        }
    }
}

fn chosen(filter: &str) -> EnvFilter {
    let configured =
        || EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new(LevelFilter::INFO.to_string()));
    EnvFilter::try_from_default_env().unwrap_or_else(|_| configured())
}
