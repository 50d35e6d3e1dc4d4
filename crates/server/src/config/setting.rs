//! The table of settings. A row's key determines its three forms: `limits.body_bytes` in the file,
//! `ROWHOUSE_LIMITS_BODY_BYTES` in the environment, `--limits-body-bytes` as a flag.

/// One setting.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The key in the TOML file, with a dot after the name of its table.
    pub(crate) key: &'static str,
    /// The placeholder for the value in the help text.
    pub(crate) value_name: &'static str,
    /// Its meaning and its default.
    pub(crate) help: &'static str,
    /// For several values, their separator in the environment; in the file they are an array, and a flag is repeated.
    pub(crate) list_separator: Option<char>,
    /// Whether a running server applies a new value (SIGHUP).
    pub(crate) is_live: bool,
}

/// A setting that needs a restart.
const fn setting(key: &'static str, value_name: &'static str, help: &'static str) -> Setting {
    Setting { key, value_name, help, list_separator: None, is_live: false }
}

/// A setting that can change at run time.
const fn live(key: &'static str, value_name: &'static str, help: &'static str) -> Setting {
    Setting { is_live: true, ..setting(key, value_name, help) }
}

/// The same, with several values.
const fn live_list(key: &'static str, value_name: &'static str, help: &'static str) -> Setting {
    Setting { list_separator: Some(','), ..live(key, value_name, help) }
}

/// A setting with several values.
const fn list(key: &'static str, value_name: &'static str, help: &'static str) -> Setting {
    Setting { list_separator: Some(','), ..setting(key, value_name, help) }
}

/// Every setting, in the order of the help text.
pub(crate) const SETTINGS: &[Setting] = &[
    setting("listen", "ADDRESS:PORT", "Address to listen on [default: 127.0.0.1:8080]"),
    setting("data_dir", "FOLDER", "Folder of all durable data [default: rowhouse-data]"),
    setting("sample_dir", "FOLDER", "Folder of the sample catalog's files [default: DATA_DIR/samples]"),
    setting("base_path", "PREFIX", "Additional URL prefix under which all routes are served"),
    Setting {
        key: "table_roots",
        value_name: "FOLDER",
        help: "Folder in which files of tables must be; may be repeated, separated by `:` in the environment \
               [default: anywhere]",
        list_separator: Some(':'),
        is_live: false,
    },
    live(
        "tls_certificate",
        "FILE",
        "Certificate chain in PEM; the server then accepts TLS only [default: no TLS]",
    ),
    live("tls_key", "FILE", "Private key of the certificate, in PEM"),
    setting(
        "engine.kind",
        "KIND",
        "Engine of workspaces that name none: polars, trino or trino:NAME [default: polars]",
    ),
    setting(
        "engine.concurrency",
        "COUNT",
        "Maximum number of statements running in workers [default: number of cores]",
    ),
    setting(
        "engine.trino_concurrency",
        "COUNT",
        "Maximum number of statements running on Trino clusters [default: 16]",
    ),
    setting("engine.trino.url", "URL", "URL of a Trino cluster, such as http://trino:8080 or https://trino"),
    setting("engine.trino.user", "USER", "User that runs the statements on Trino [default: rowhouse]"),
    setting("engine.trino.catalog", "CATALOG", "Default catalog on Trino"),
    setting("engine.trino.schema", "SCHEMA", "Default schema on Trino"),
    setting("engine.trino.source", "TEXT", "Source for Trino's resource groups [default: rowhouse]"),
    list("engine.trino.client_tags", "TAG", "Client tag for Trino's resource groups; may be repeated"),
    list("engine.trino.session", "NAME=VALUE", "Session property of Trino; may be repeated"),
    setting("engine.trino.time_zone", "ZONE", "Time zone of the session on Trino [default: UTC]"),
    setting("engine.trino.password_file", "FILE", "File with the user's password; requires https"),
    setting("engine.trino.token_file", "FILE", "File with a bearer token; requires https"),
    setting(
        "engine.trino.ca_file",
        "FILE",
        "PEM file of trusted certificate authorities, instead of those of the system",
    ),
    setting(
        "engine.trino.read_only",
        "SWITCH",
        "Whether only queries, SHOW, DESCRIBE and EXPLAIN may run on Trino [default: true]",
    ),
    setting(
        "engine.trino.retry_timeout",
        "DURATION",
        "How long an unreachable cluster is retried before a statement fails [default: 30s]",
    ),
    setting("engine.memory_limit", "SIZE", "Memory limit of one statement [default: 4GiB]"),
    setting(
        "engine.spill_limit",
        "SIZE",
        "Disk space to which a statement at its memory limit may spill, 0 disables spilling [default: 4 times its memory]",
    ),
    setting(
        "engine.sandbox",
        "require|best-effort",
        "What to do if the kernel cannot confine workers completely: refuse to run statements, or run them [default: best-effort]",
    ),
    live("engine.statement_timeout", "DURATION", "Time limit of one statement [default: 10m]"),
    live(
        "engine.max_idle_time",
        "DURATION",
        "Idle time after which the engine's workers are stopped, 0 is never [default: 900]",
    ),
    live("results.retention", "DURATION", "How long results are stored [default: 7d]"),
    live("results.max_page_rows", "COUNT", "Maximum number of rows of one page, 0 is no limit [default: 0]"),
    live(
        "results.signed_url_expiry",
        "DURATION",
        "Maximum validity of a signed URL of a result [default: 15m]",
    ),
    live(
        "results.csv_formulas",
        "keep|escape",
        "Whether an apostrophe is put before texts in CSV that spreadsheets would run as formulas [default: keep]",
    ),
    live("results.max_bytes", "SIZE", "Maximum size of one result, 0 is no limit [default: 0]"),
    live(
        "results.when_full",
        "refuse|oldest",
        "If a workspace's disk space is used up: fail the new result, or delete the oldest ones [default: refuse]",
    ),
    live("records.retention", "DURATION", "How long query records are stored [default: 30d]"),
    live(
        "records.text_bytes",
        "SIZE",
        "Maximum size of the long SQL texts in a workspace's query records; the oldest are deleted [default: 256MiB]",
    ),
    live(
        "records.max_count",
        "COUNT",
        "Maximum number of a workspace's query records; the oldest are deleted, 0 is no limit [default: 10000000]",
    ),
    live(
        "views.encoded_rows",
        "SIZE",
        "Maximum disk space for rows of views that are encoded before they are read, 0 disables it [default: 1GiB]",
    ),
    setting("files.quota", "SIZE", "Maximum size of all uploaded files of a workspace [default: 1GiB]"),
    live("limits.body_bytes", "SIZE", "Maximum size of a request body [default: 2MiB]"),
    live("limits.sql_bytes", "SIZE", "Maximum size of a SQL text [default: 1MiB]"),
    live("limits.filters", "COUNT", "Maximum number of filters of one read [default: 64]"),
    live("limits.filter_bytes", "SIZE", "Maximum size of a filter [default: 4KiB]"),
    live("limits.queued_statements", "COUNT", "Maximum number of queued statements [default: 1000]"),
    live(
        "workspaces.concurrency",
        "COUNT",
        "Maximum number of running statements of one workspace, 0 is no limit [default: 0]",
    ),
    live(
        "workspaces.queued_statements",
        "COUNT",
        "Maximum number of queued statements of one workspace, 0 is no limit [default: 0]",
    ),
    live(
        "workspaces.disk_bytes",
        "SIZE",
        "Maximum size of all results of one workspace, 0 is no limit [default: 0]",
    ),
    live(
        "workspaces.memory_bytes",
        "SIZE",
        "Maximum memory of all running statements of one workspace, 0 is no limit [default: 0]",
    ),
    live(
        "workspaces.requests_per_second",
        "COUNT",
        "Maximum number of requests per second of one token in a workspace, 0 is no limit [default: 0]",
    ),
    live(
        "limits.answer_memory",
        "SIZE",
        "Maximum memory of all responses and of large request bodies [default: 256MiB]",
    ),
    setting("limits.connections", "COUNT", "Maximum number of connections [default: 10000]"),
    live("limits.header_timeout", "DURATION", "Time limit to receive the head of a request [default: 10s]"),
    live("limits.body_timeout", "DURATION", "Time limit to receive the body of a request [default: 30s]"),
    live(
        "limits.idle_timeout",
        "DURATION",
        "Time limit of a connection without a request, and of a client that does not read its response [default: 75s]",
    ),
    live(
        "limits.shutdown_timeout",
        "DURATION",
        "Time limit of responses in flight at shutdown [default: 30s]",
    ),
    live_list(
        "cors.allowed_origins",
        "ORIGIN",
        "Allowed origin of pages, such as https://app.example.com, or `*` for all; may be repeated \
         [default: none]",
    ),
    live_list(
        "cors.allowed_methods",
        "METHOD",
        "Allowed method for pages of these origins; may be repeated [default: GET, HEAD, POST, PUT, DELETE]",
    ),
    live_list(
        "cors.allowed_headers",
        "HEADER",
        "Allowed request header for pages of these origins; may be repeated [default: accept, authorization, \
         content-type, idempotency-key, if-none-match, \
         mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, traceparent, x-request-id]",
    ),
    live("cors.max_age", "DURATION", "How long browsers may cache these rules [default: 10m]"),
    live(
        "cors.allow_credentials",
        "true|false",
        "Whether pages may send credentials such as cookies; not together with the origin `*` [default: false]",
    ),
    live("mcp.query", "true|false", "Whether MCP has a tool that runs any SQL statement [default: false]"),
    live("mcp.max_rows", "COUNT", "Maximum number of rows in one response of an MCP tool [default: 1000]"),
    live(
        "mcp.max_bytes",
        "SIZE",
        "Maximum size of the rows in one response of an MCP tool, as JSON [default: 64KiB]",
    ),
    live(
        "mcp.timeout",
        "DURATION",
        "Time limit of one call of an MCP tool, whose statement is then canceled [default: 60s]",
    ),
    live("audit.file", "FILE", "File of the audit log, one JSON object per line [default: none]"),
    live(
        "audit.sql",
        "true|false",
        "Whether the audit log contains SQL texts and parameters [default: false]",
    ),
    setting(
        "traces.endpoint",
        "URL",
        "URL of an OpenTelemetry collector for traces, such as http://127.0.0.1:4318 [default: none]",
    ),
    setting("traces.service_name", "NAME", "Name of this server in traces [default: rowhouse]"),
    setting("traces.sample_ratio", "RATIO", "Fraction of traces that are sent, from 0 to 1 [default: 1]"),
    live("metrics.require_token", "true|false", "Whether /metrics requires a token [default: false]"),
    setting("log.format", "text|json", "Format of the log on standard error [default: text]"),
    live(
        "log.filter",
        "FILTER",
        "Filter of the log in the syntax of RUST_LOG, which takes precedence [default: info]",
    ),
];

impl Setting {
    /// The environment variable.
    pub(crate) fn environment_variable(&self) -> String {
        format!("ROWHOUSE_{}", self.key.replace('.', "_").to_ascii_uppercase())
    }

    /// Splits the values of an environment variable.
    pub(crate) fn split(&self, text: String) -> Vec<String> {
        match self.list_separator {
            Some(separator) => text.split(separator).map(|text| text.trim().to_owned()).collect(),
            None => vec![text],
        }
    }

    /// The flag, without its dashes.
    pub(crate) fn flag(&self) -> String {
        self.key.replace(['.', '_'], "-")
    }
}
