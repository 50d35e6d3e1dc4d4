//! Settings in all three forms: flags take precedence over the environment, and that over the file. Errors name the key
//! as given, the value and the expected form. The engine's own defaults are defined in the engine.

mod cors;
mod flags;
mod live;
mod mcp;
mod setting;
mod source;
mod trino;
mod value;

#[cfg(test)]
mod tests;

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use rowhouse_engine::EngineConfig;
use rowhouse_model::WorkspaceLimits;

pub(crate) use cors::{Cors, Origins};
pub(crate) use flags::ServeFlags;
pub(crate) use live::{LiveConfig, Reload};
pub(crate) use mcp::McpConfig;

use crate::audit::AuditConfig;
use crate::traces::TracesConfig;
use source::{Gathered, GivenValue, GivenValues};
use value::{parse_count, parse_duration, parse_size, parse_switch};

/// The configuration of `serve`.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// Address to listen on; port 0 lets the system choose.
    pub(crate) listen: SocketAddr,
    /// A prefix besides `/` and `/web` (D1): begins with `/`, does not end with it.
    pub(crate) base_path: Option<String>,
    /// Maximum number of rows of one answer (D8).
    pub(crate) max_page_rows: Option<u64>,
    /// Whether texts of CSV that a spreadsheet would take for formulas are escaped, where a request does not say
    /// (D131).
    pub(crate) escapes_csv_formulas: bool,
    /// Longest time that a signed link is good (D42).
    pub(crate) signed_url_expiry: Duration,
    /// Limits of requests (D27).
    pub(crate) limits: Limits,
    /// Certificate and key, if the server speaks TLS.
    pub(crate) tls: Option<TlsFiles>,
    /// Whether they are created if missing.
    pub(crate) tls_self_signed: bool,
    /// Other origins whose pages may call; none by default.
    pub(crate) cors: Option<Cors>,
    /// Settings of MCP tools.
    pub(crate) mcp: McpConfig,
    /// Settings of traces, if they are sent.
    pub(crate) traces: Option<TracesConfig>,
    /// The audit log, if there is one.
    pub(crate) audit: Option<AuditConfig>,
    /// Whether `/metrics` requires a token.
    pub(crate) metrics_require_token: bool,
    /// Form of the log.
    pub(crate) log_format: LogFormat,
    /// Default log filter without `RUST_LOG`.
    pub(crate) log_filter: String,
    /// The engine's settings.
    pub(crate) engine: EngineConfig,
    /// The values that this was built from.
    given: Gathered,
}

/// The files that TLS needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TlsFiles {
    /// Certificate chain in PEM, the server's first.
    pub(crate) certificate: PathBuf,
    /// Its private key in PEM.
    pub(crate) key: PathBuf,
}

/// Limits of the HTTP side (D27).
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Maximum size of a request body.
    pub(crate) body_bytes: usize,
    /// Maximum number of filters of one read.
    pub(crate) filters: usize,
    /// Maximum length of a filter, in bytes.
    pub(crate) filter_bytes: usize,
    /// Memory of all answers, and of large request bodies.
    pub(crate) answer_memory_bytes: usize,
    /// Maximum number of connections.
    pub(crate) connections: usize,
    /// Time limit for a request's head to arrive.
    pub(crate) header_timeout: Duration,
    /// Time limit for a request's body to arrive.
    pub(crate) body_timeout: Duration,
    /// Time limit of a connection without a request, and of a client that does not read its answer.
    pub(crate) idle_timeout: Duration,
    /// Time limit for answers in flight at shutdown.
    pub(crate) shutdown_timeout: Duration,
}

/// Form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// Plain text.
    Text,
    /// One JSON object per line.
    Json,
}

/// An invalid setting; the message names it, its value and the expected form.
#[derive(Debug)]
pub(crate) struct ConfigError {
    message: String,
}

impl ConfigError {
    pub(crate) fn new(message: String) -> Self {
        Self { message }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConfigError {}

const COUNT: &str = "a count such as 100";
const POSITIVE: &str = "a count from 1";
const SIZE: &str = "a size such as 2MiB, from 1 byte";
const DURATION: &str = "a duration such as 10m, 75s or 250ms";
const SECONDS: &str = "a duration such as 15m or 75s, from 1s";
const POSITIVE_DURATION: &str = "a duration such as 10m, 75s or 250ms, over 0";

impl Config {
    /// Combines flags, environment and file.
    ///
    /// # Errors
    /// The first invalid setting.
    pub(crate) fn load(
        flags: &ServeFlags,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let mut config = Self::from_given(source::gather(flags, environment)?)?;
        config.engine.new_database = flags.new_database;
        if flags.tls_self_signed {
            if config.tls.is_some() {
                let message = "--tls-self-signed makes a certificate, and tls_certificate names one: give one of the two";
                return Err(ConfigError::new(message.to_owned()));
            }
            let folder = config.engine.data_dir.join("tls");
            config.tls =
                Some(TlsFiles { certificate: folder.join("certificate.pem"), key: folder.join("key.pem") });
            config.tls_self_signed = true;
        }
        Ok(config)
    }

    fn from_given(given: Gathered) -> Result<Self, ConfigError> {
        let settings = Settings { given: &given.by_key };
        let data_dir =
            settings.read("data_dir", "a folder", folder)?.unwrap_or_else(|| "rowhouse-data".into());
        let mut engine = EngineConfig::new(data_dir);
        // This binary is its own worker (`rowhouse worker`).
        engine.worker_program = cfg!(feature = "polars").then(EngineConfig::running_program);
        settings.set(&mut engine.sample_dir, "sample_dir", "a folder", folder)?;
        settings
            .set(&mut engine.kind, "engine.kind", "polars, trino or trino:NAME", |text| text.parse().ok())?;
        settings.set(&mut engine.concurrency, "engine.concurrency", POSITIVE, positive)?;
        settings.set(&mut engine.trino_concurrency, "engine.trino_concurrency", POSITIVE, positive)?;
        engine.trino = trino::clusters(&given)?;
        settings.set(&mut engine.memory_limit_bytes, "engine.memory_limit", SIZE, positive_size)?;
        engine.spill_limit_bytes =
            settings.read("engine.spill_limit", "a size such as 16GiB, or 0", parse_size)?;
        settings
            .set(&mut engine.sandbox, "engine.sandbox", "require or best-effort", |text| text.parse().ok())?;
        settings.set(
            &mut engine.statement_timeout,
            "engine.statement_timeout",
            POSITIVE_DURATION,
            positive_duration,
        )?;
        settings.set(&mut engine.max_idle_time, "engine.max_idle_time", DURATION, parse_duration)?;
        settings.set(&mut engine.max_queued_statements, "limits.queued_statements", POSITIVE, positive)?;
        workspace_limits(&mut engine, &settings)?;
        settings.set(&mut engine.max_sql_bytes, "limits.sql_bytes", SIZE, size_in_memory)?;
        stored_data(&mut engine, &settings)?;
        if let Some(given) = settings.given.get("table_roots") {
            engine.table_roots = given
                .texts
                .iter()
                .map(|text| folder(text).ok_or_else(|| unusable(given, text, "a folder")))
                .collect::<Result<_, _>>()?;
        }

        let mut limits = Limits::default();
        settings.set(&mut limits.body_bytes, "limits.body_bytes", SIZE, size_in_memory)?;
        settings.set(&mut limits.filters, "limits.filters", COUNT, parse_count)?;
        settings.set(&mut limits.filter_bytes, "limits.filter_bytes", SIZE, size_in_memory)?;
        settings.set(&mut limits.answer_memory_bytes, "limits.answer_memory", SIZE, size_in_memory)?;
        settings.set(&mut limits.connections, "limits.connections", POSITIVE, positive)?;
        for (duration, key) in [
            (&mut limits.header_timeout, "limits.header_timeout"),
            (&mut limits.body_timeout, "limits.body_timeout"),
            (&mut limits.idle_timeout, "limits.idle_timeout"),
        ] {
            settings.set(duration, key, POSITIVE_DURATION, positive_duration)?;
        }
        settings.set(&mut limits.shutdown_timeout, "limits.shutdown_timeout", DURATION, parse_duration)?;

        let base_path_form = "a path such as /sql, of letters, digits and -._~/";
        Ok(Self {
            listen: settings
                .read("listen", "an address and a port such as 127.0.0.1:8080", |text| text.parse().ok())?
                .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))),
            base_path: settings.read("base_path", base_path_form, base_path)?.flatten(),
            max_page_rows: settings
                .read("results.max_page_rows", COUNT, parse_count)?
                .filter(|&rows| rows > 0)
                .map(|rows| rows as u64),
            escapes_csv_formulas: settings
                .read("results.csv_formulas", "keep or escape", csv_formulas)?
                .unwrap_or(false),
            signed_url_expiry: settings
                .read("results.signed_url_expiry", SECONDS, seconds)?
                .unwrap_or(Duration::from_secs(15 * 60)),
            limits,
            tls: tls_files(&settings)?,
            tls_self_signed: false,
            cors: cors::read(&settings)?,
            mcp: mcp::read(&settings)?,
            traces: traces(&settings)?,
            audit: audit(&settings)?,
            metrics_require_token: settings
                .read("metrics.require_token", "true or false", parse_switch)?
                .unwrap_or(false),
            log_format: settings.read("log.format", "text or json", log_format)?.unwrap_or(LogFormat::Text),
            log_filter: settings
                .read("log.filter", "a filter such as info or rowhouse_server=debug,info", |text| {
                    text.parse::<tracing_subscriber::EnvFilter>().ok().map(|_| text.to_owned())
                })?
                .unwrap_or_else(|| "info".to_owned()),
            engine,
            given,
        })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 2 << 20,
            filters: 64,
            filter_bytes: 4 << 10,
            answer_memory_bytes: 256 << 20,
            connections: 10_000,
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(75),
            shutdown_timeout: Duration::from_secs(30),
        }
    }
}

struct Settings<'g> {
    given: &'g GivenValues,
}

impl Settings<'_> {
    fn read<T>(
        &self,
        key: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        let Some(given) = self.given.get(key) else { return Ok(None) };
        let text = given.texts.first().map_or("", String::as_str);
        parse(text).map(Some).ok_or_else(|| unusable(given, text, expected))
    }

    fn set<T>(
        &self,
        value: &mut T,
        key: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<(), ConfigError> {
        if let Some(read) = self.read(key, expected, parse)? {
            *value = read;
        }
        Ok(())
    }
}

fn unusable(given: &GivenValue, text: &str, expected: &str) -> ConfigError {
    ConfigError::new(format!("{}: {text:?} cannot be used, expected {expected}", given.origin))
}

fn traces(settings: &Settings) -> Result<Option<TracesConfig>, ConfigError> {
    let expected = "the address of a collector such as http://127.0.0.1:4318, with http";
    let endpoint = settings.read("traces.endpoint", expected, |text| {
        let uri: http::Uri = text.parse().ok()?;
        let is_plain = uri.scheme_str() == Some("http") && uri.authority().is_some() && uri.query().is_none();
        is_plain.then(|| text.to_owned())
    })?;
    let service_name = settings
        .read("traces.service_name", "a name", |text| (!text.is_empty()).then(|| text.to_owned()))?
        .unwrap_or_else(|| "rowhouse".to_owned());
    let sample_ratio = settings
        .read("traces.sample_ratio", "a number from 0 to 1, such as \"0.1\"", |text| {
            text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio))
        })?
        .unwrap_or(1.0);
    Ok(endpoint.map(|endpoint| TracesConfig { endpoint, service_name, sample_ratio }))
}

fn audit(settings: &Settings) -> Result<Option<AuditConfig>, ConfigError> {
    let file = settings.read("audit.file", "a file", folder)?;
    let with_sql = settings.read("audit.sql", "true or false", parse_switch)?.unwrap_or(false);
    Ok(file.map(|file| AuditConfig { file, with_sql }))
}

/// Both files or none.
fn tls_files(settings: &Settings) -> Result<Option<TlsFiles>, ConfigError> {
    let certificate = settings.read("tls_certificate", "a file", folder)?;
    let key = settings.read("tls_key", "a file", folder)?;
    match (certificate, key) {
        (Some(certificate), Some(key)) => Ok(Some(TlsFiles { certificate, key })),
        (None, None) => Ok(None),
        (Some(_), None) => {
            Err(ConfigError::new("tls_certificate is set, tls_key is not: set both".to_owned()))
        }
        (None, Some(_)) => {
            Err(ConfigError::new("tls_key is set, tls_certificate is not: set both".to_owned()))
        }
    }
}

fn folder(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}

fn positive(text: &str) -> Option<usize> {
    parse_count(text).filter(|&count| count > 0)
}

fn positive_size(text: &str) -> Option<u64> {
    parse_size(text).filter(|&bytes| bytes > 0)
}

/// How long results and records are stored, and how much of them.
fn stored_data(engine: &mut EngineConfig, settings: &Settings<'_>) -> Result<(), ConfigError> {
    settings.set(&mut engine.result_retention, "results.retention", POSITIVE_DURATION, positive_duration)?;
    settings.set(&mut engine.record_retention, "records.retention", POSITIVE_DURATION, positive_duration)?;
    settings.set(&mut engine.files_quota_bytes, "files.quota", SIZE, positive_size)?;
    settings.set(&mut engine.max_record_text_bytes, "records.text_bytes", SIZE, positive_size)?;
    settings.set(
        &mut engine.max_encoded_view_bytes,
        "views.encoded_rows",
        "a size such as 4GiB, or 0",
        parse_size,
    )?;
    if let Some(count) = settings.read("records.max_count", COUNT, parse_count)? {
        engine.max_records = count as u64;
    }
    Ok(())
}

/// The table `workspaces`, and the disk space of results.
fn workspace_limits(engine: &mut EngineConfig, settings: &Settings<'_>) -> Result<(), ConfigError> {
    let WorkspaceLimits {
        concurrency,
        queued_statements,
        requests_per_second,
        result_bytes,
        disk_bytes,
        memory_bytes,
        ..
    } = &mut engine.workspace_limits;
    for (limit, key) in [
        (concurrency, "workspaces.concurrency"),
        (queued_statements, "workspaces.queued_statements"),
        (requests_per_second, "workspaces.requests_per_second"),
    ] {
        *limit = settings.read(key, COUNT, parse_count)?.map(|count| count as u64);
    }
    for (limit, key) in [
        (result_bytes, "results.max_bytes"),
        (disk_bytes, "workspaces.disk_bytes"),
        (memory_bytes, "workspaces.memory_bytes"),
    ] {
        *limit = settings.read(key, "a size such as 16GiB, or 0", parse_size)?;
    }
    settings.set(&mut engine.gives_up_oldest_results, "results.when_full", "refuse or oldest", when_full)?;
    Ok(())
}

/// Whether the oldest results are deleted for a new one.
fn when_full(text: &str) -> Option<bool> {
    match text {
        "refuse" => Some(false),
        "oldest" => Some(true),
        _ => None,
    }
}

fn csv_formulas(text: &str) -> Option<bool> {
    match text {
        "keep" => Some(false),
        "escape" => Some(true),
        _ => None,
    }
}

fn size_in_memory(text: &str) -> Option<usize> {
    positive_size(text).and_then(|bytes| usize::try_from(bytes).ok())
}

fn positive_duration(text: &str) -> Option<Duration> {
    parse_duration(text).filter(|duration| !duration.is_zero())
}

/// At least one second; a link counts whole ones.
fn seconds(text: &str) -> Option<Duration> {
    parse_duration(text).filter(|duration| duration.as_secs() > 0)
}

fn log_format(text: &str) -> Option<LogFormat> {
    match text {
        "text" => Some(LogFormat::Text),
        "json" => Some(LogFormat::Json),
        _ => None,
    }
}

/// `/sql` of `sql`, `/sql/` and `/sql`; an inner none for the prefix `/`, which is always served.
fn base_path(text: &str) -> Option<Option<String>> {
    let trimmed = text.trim_matches('/');
    if trimmed.is_empty() {
        return Some(None);
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let is_sound =
        trimmed.bytes().all(is_plain) && trimmed.split('/').all(|part| !matches!(part, "" | "." | ".."));
    is_sound.then(|| Some(format!("/{trimmed}")))
}
