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
    setting("data_dir", "FOLDER", "Folder of everything that lasts [default: rowhouse-data]"),
    setting("sample_dir", "FOLDER", "Folder of the sample catalog's files [default: DATA_DIR/samples]"),
    setting("base_path", "PREFIX", "Prefix under which every route answers too, besides / and /web"),
    Setting {
        key: "table_roots",
        value_name: "FOLDER",
        help: "Folder that tables may lie in; may be given several times, in the environment with `:` between \
               [default: anywhere]",
        list_separator: Some(':'),
        is_live: false,
    },
    live(
        "tls_certificate",
        "FILE",
        "Certificate chain in PEM; with it the server speaks TLS alone [default: plain]",
    ),
    live("tls_key", "FILE", "Private key of the certificate, in PEM"),
    setting(
        "engine.kind",
        "KIND",
        "Engine of a workspace that names none: polars, trino or trino:NAME [default: polars]",
    ),
    setting("engine.concurrency", "COUNT", "Statements at a time in workers [default: number of cores]"),
    setting("engine.trino_concurrency", "COUNT", "Statements at a time on Trino clusters [default: 16]"),
    setting("engine.trino.url", "URL", "A Trino cluster, such as http://trino:8080 or https://trino"),
    setting("engine.trino.user", "USER", "The user that statements run as at Trino [default: rowhouse]"),
    setting("engine.trino.catalog", "CATALOG", "Catalog of an unqualified name"),
    setting("engine.trino.schema", "SCHEMA", "Schema of an unqualified name"),
    setting("engine.trino.source", "TEXT", "Source that Trino's resource groups see [default: rowhouse]"),
    list("engine.trino.client_tags", "TAG", "Client tags that Trino's resource groups see"),
    list("engine.trino.session", "NAME=VALUE", "Session properties of Trino"),
    setting("engine.trino.time_zone", "ZONE", "The session's time zone at Trino [default: UTC]"),
    setting("engine.trino.password_file", "FILE", "File with the user's password; needs https"),
    setting("engine.trino.token_file", "FILE", "File with a bearer token; needs https"),
    setting("engine.trino.ca_file", "FILE", "Certificates to trust instead of the system's, PEM"),
    setting(
        "engine.trino.read_only",
        "SWITCH",
        "Whether only queries, SHOW, DESCRIBE and EXPLAIN may run at Trino [default: true]",
    ),
    setting(
        "engine.trino.retry_timeout",
        "DURATION",
        "How long a cluster out of reach is tried before a statement fails [default: 30s]",
    ),
    setting("engine.memory_limit", "SIZE", "Memory of one statement [default: 4GiB]"),
    setting(
        "engine.spill_limit",
        "SIZE",
        "What a statement that meets its memory limit may put on disk, 0 is nothing [default: 4 times its memory]",
    ),
    setting(
        "engine.sandbox",
        "require|best-effort",
        "Whether statements run where the kernel cannot confine them wholly [default: best-effort]",
    ),
    live("engine.statement_timeout", "DURATION", "Time of one statement [default: 10m]"),
    live(
        "engine.max_idle_time",
        "DURATION",
        "Idle time after which the engine stops, 0 is never [default: 900]",
    ),
    live("results.retention", "DURATION", "How long a result can be read [default: 7d]"),
    live(
        "results.max_page_rows",
        "COUNT",
        "Most rows that one answer may be asked for, 0 is no cap [default: 0]",
    ),
    live(
        "results.signed_url_expiry",
        "DURATION",
        "Longest time that a signed link to a result is good [default: 15m]",
    ),
    live(
        "results.csv_formulas",
        "keep|escape",
        "Whether texts of CSV that a spreadsheet takes for formulas get an apostrophe in front [default: keep]",
    ),
    live("results.max_bytes", "SIZE", "Largest result of one statement, 0 is no limit [default: 0]"),
    live(
        "results.when_full",
        "refuse|oldest",
        "Where a workspace's disk space is used up: its new result fails, or its oldest ones go [default: refuse]",
    ),
    live("records.retention", "DURATION", "How long a query record is kept [default: 30d]"),
    live(
        "records.text_bytes",
        "SIZE",
        "Long texts that are kept of a workspace's ended statements, the oldest given up first [default: 256MiB]",
    ),
    setting(
        "files.quota",
        "SIZE",
        "Files that the members of a workspace put there, all together [default: 1GiB]",
    ),
    live("limits.body_bytes", "SIZE", "Largest request body [default: 2MiB]"),
    live("limits.sql_bytes", "SIZE", "Longest SQL text [default: 1MiB]"),
    live("limits.filters", "COUNT", "Most filters of one read [default: 64]"),
    live("limits.filter_bytes", "SIZE", "Longest filter [default: 4KiB]"),
    live("limits.queued_statements", "COUNT", "Statements that may wait [default: 1000]"),
    live(
        "workspaces.concurrency",
        "COUNT",
        "Statements of one workspace at a time, 0 is no limit [default: 0]",
    ),
    live(
        "workspaces.queued_statements",
        "COUNT",
        "Statements of one workspace that may wait, 0 is no limit [default: 0]",
    ),
    live("workspaces.disk_bytes", "SIZE", "All results of one workspace, 0 is no limit [default: 0]"),
    live(
        "workspaces.memory_bytes",
        "SIZE",
        "Memory that the running statements of one workspace may have together, 0 is no limit [default: 0]",
    ),
    live(
        "workspaces.requests_per_second",
        "COUNT",
        "Requests of one token in a workspace within a second, 0 is no limit [default: 0]",
    ),
    live(
        "limits.answer_memory",
        "SIZE",
        "Memory of all answers, and of large request bodies [default: 256MiB]",
    ),
    setting("limits.connections", "COUNT", "Connections at a time [default: 10000]"),
    live("limits.header_timeout", "DURATION", "Time for a request's head to arrive [default: 10s]"),
    live("limits.body_timeout", "DURATION", "Time for a request's body to arrive [default: 30s]"),
    live(
        "limits.idle_timeout",
        "DURATION",
        "Time that a connection may be without a request, or a client without reading its answer [default: 75s]",
    ),
    live("limits.shutdown_timeout", "DURATION", "Time that answers in flight get at shutdown [default: 30s]"),
    live_list(
        "cors.allowed_origins",
        "ORIGIN",
        "Origin such as https://app.example.com whose pages may call, `*` for all; may be given several times \
         [default: none]",
    ),
    live_list(
        "cors.allowed_methods",
        "METHOD",
        "Method that they may use [default: GET, HEAD, POST, PUT, DELETE]",
    ),
    live_list(
        "cors.allowed_headers",
        "HEADER",
        "Header that they may send [default: accept, authorization, content-type, idempotency-key, if-none-match, \
         mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, traceparent, x-request-id]",
    ),
    live("cors.max_age", "DURATION", "How long a browser may remember that [default: 10m]"),
    live(
        "cors.allow_credentials",
        "true|false",
        "Whether they may send cookies, as a proxy in front may want; never with `*` [default: false]",
    ),
    live("mcp.query", "true|false", "Whether MCP has a tool that runs any statement [default: false]"),
    live("mcp.max_rows", "COUNT", "Most rows of one answer of an MCP tool [default: 1000]"),
    live(
        "mcp.max_bytes",
        "SIZE",
        "Most bytes of the rows of one answer of an MCP tool, as JSON [default: 64KiB]",
    ),
    live(
        "mcp.timeout",
        "DURATION",
        "Time of one call of an MCP tool, after which its statement is canceled [default: 60s]",
    ),
    live("audit.file", "FILE", "File of the audit log, one JSON object a line [default: none]"),
    live("audit.sql", "true|false", "Whether it holds texts of statements and parameters [default: false]"),
    setting(
        "traces.endpoint",
        "URL",
        "Collector of OpenTelemetry traces, such as http://127.0.0.1:4318 [default: none]",
    ),
    setting("traces.service_name", "NAME", "How the collector knows this server [default: rowhouse]"),
    setting("traces.sample_ratio", "RATIO", "Part of the traces that are sent, from 0 to 1 [default: 1]"),
    live("metrics.require_token", "true|false", "Whether /metrics demands a token [default: false]"),
    setting("log.format", "text|json", "Form of the log on standard error [default: text]"),
    live("log.filter", "FILTER", "What is logged, as in RUST_LOG, which goes before it [default: info]"),
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
