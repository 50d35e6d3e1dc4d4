//! Traces in OpenTelemetry's protocol, sent to a collector over HTTP: a span for each request, continuing its
//! `traceparent`, with child spans for the phases of the statement that it submits. Spans are queued up to a limit and
//! sent by a separate thread: a collector that is slow or unreachable costs spans, not requests.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use http::{HeaderMap, Method};
use opentelemetry::KeyValue;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanData};
use rowhouse_engine::TRACE_TARGET;
use tokio::runtime::Handle;
use tracing::{Level, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::{Layer, Registry};

/// Time limit of one request to the collector.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);
/// Time limit for the last spans at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Settings of traces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TracesConfig {
    /// Address of the collector, without `/v1/traces`.
    pub(crate) endpoint: String,
    /// The service name of this server.
    pub(crate) service_name: String,
    /// Sampling ratio of traces without a sampling decision of the caller.
    pub(crate) sample_ratio: f64,
}

/// Sends spans until it is shut down.
#[derive(Debug)]
pub(crate) struct Traces {
    provider: SdkTracerProvider,
}

/// A layer of the log's subscriber.
pub(crate) type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

impl Traces {
    /// The sender, and the layer that feeds it. Nothing is sent yet, so the collector may start later.
    ///
    /// # Errors
    /// The endpoint is not a valid address.
    pub(crate) fn start(config: &TracesConfig, runtime: Handle) -> anyhow::Result<(Self, BoxedLayer)> {
        let TracesConfig { endpoint, service_name, sample_ratio } = config;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
            .with_timeout(EXPORT_TIMEOUT)
            .build()
            .with_context(|| format!("traces.endpoint {endpoint:?} cannot be used"))?;
        let exporter =
            RuntimeExporter { exporter: Arc::new(exporter), runtime, is_failing: AtomicBool::new(false) };
        let resource = Resource::builder()
            .with_service_name(service_name.clone())
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_resource(resource)
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(*sample_ratio))))
            .with_batch_exporter(exporter)
            .build();
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("rowhouse"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_level(false)
            .with_tracked_inactivity(false)
            .with_filter(Targets::new().with_target(TRACE_TARGET, Level::TRACE));
        Ok((Self { provider }, layer.boxed()))
    }

    /// Sends queued spans. Blocking; the runtime must still exist.
    pub(crate) fn shutdown(&self) {
        if let Err(error) = self.provider.shutdown_with_timeout(SHUTDOWN_TIMEOUT) {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

/// The span of a request; a disabled one, at almost no cost, if no traces are sent.
pub(crate) fn request_span(method: &Method, route: &'static str, headers: &HeaderMap, id: &str) -> Span {
    let span = tracing::trace_span!(
        target: TRACE_TARGET,
        parent: None,
        "request",
        otel.name = route,
        otel.kind = "server",
        otel.status_code = tracing::field::Empty,
        http.request.method = method.as_str(),
        http.route = route,
        http.response.status_code = tracing::field::Empty,
        rowhouse.request_id = id,
    );
    if !span.is_disabled() {
        // OK to ignore: it fails only without the layer.
        let _ = span.set_parent(TraceContextPropagator::new().extract(&Headers(headers)));
    }
    span
}

/// Records the status of a request in its span.
pub(crate) fn request_answered(span: &Span, status: u16) {
    span.record("http.response.status_code", status);
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
    // A span ends when it was last exited, which is now, not when the statement's span has ended.
    span.in_scope(|| ());
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

/// Sends on the server's runtime: the SDK calls from a thread without one, and the HTTP client needs one.
struct RuntimeExporter {
    exporter: Arc<SpanExporter>,
    runtime: Handle,
    is_failing: AtomicBool,
}

impl opentelemetry_sdk::trace::SpanExporter for RuntimeExporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let exporter = Arc::clone(&self.exporter);
        let sending = self.runtime.spawn(async move {
            let sent = opentelemetry_sdk::trace::SpanExporter::export(&*exporter, batch);
            tokio::time::timeout(EXPORT_TIMEOUT, sent).await
        });
        let outcome = match sending.await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(OTelSdkError::Timeout(EXPORT_TIMEOUT)),
            Err(error) => Err(OTelSdkError::InternalFailure(error.to_string())),
        };
        // Reported once, until it works again: a collector may be unreachable for a week.
        let was_failing = self.is_failing.swap(outcome.is_err(), Ordering::Relaxed);
        match &outcome {
            Err(error) if !was_failing => tracing::warn!(%error, "traces cannot be sent"),
            Ok(()) if was_failing => tracing::info!("traces are sent again"),
            _ => {}
        }
        outcome
    }

    fn set_resource(&mut self, resource: &Resource) {
        if let Some(exporter) = Arc::get_mut(&mut self.exporter) {
            opentelemetry_sdk::trace::SpanExporter::set_resource(exporter, resource);
        }
    }
}

impl fmt::Debug for RuntimeExporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuntimeExporter").field("is_failing", &self.is_failing).finish_non_exhaustive()
    }
}
