//! The table of settings. A row's key gives all its three forms: `limits.body_bytes` in the file,
//! `ROWHOUSE_LIMITS_BODY_BYTES` in the environment, `--limits-body-bytes` as a flag.

/// One setting.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The key in the TOML file, a dot after the name of its table.
    pub(crate) key: &'static str,
    /// What stands for the value in the help text.
    pub(crate) value_name: &'static str,
    /// What it does and what it is by default.
    pub(crate) help: &'static str,
    /// Whether it takes several values: an array in the file, a flag given repeatedly.
    pub(crate) is_list: bool,
}

const fn setting(key: &'static str, value_name: &'static str, help: &'static str) -> Setting {
    Setting { key, value_name, help, is_list: false }
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
        is_list: true,
    },
    setting("engine.kind", "KIND", "Engine of a workspace that names none: polars [default: polars]"),
    setting("engine.concurrency", "COUNT", "Statements at a time [default: number of cores]"),
    setting("engine.memory_limit", "SIZE", "Memory of one statement [default: 4GiB]"),
    setting("engine.statement_timeout", "DURATION", "Time of one statement [default: 10m]"),
    setting(
        "engine.max_idle_time",
        "DURATION",
        "Idle time after which the engine stops, 0 is never [default: 900]",
    ),
    setting("results.retention", "DURATION", "How long a result can be read [default: 7d]"),
    setting(
        "results.max_page_rows",
        "COUNT",
        "Most rows that one answer may be asked for, 0 is no cap [default: 0]",
    ),
    setting("records.retention", "DURATION", "How long a query record is kept [default: 30d]"),
    setting("limits.body_bytes", "SIZE", "Largest request body [default: 2MiB]"),
    setting("limits.sql_bytes", "SIZE", "Longest SQL text [default: 1MiB]"),
    setting("limits.filters", "COUNT", "Most filters of one read [default: 64]"),
    setting("limits.filter_bytes", "SIZE", "Longest filter [default: 4KiB]"),
    setting("limits.queued_statements", "COUNT", "Statements that may wait [default: 1000]"),
    setting("limits.connections", "COUNT", "Connections at a time [default: 10000]"),
    setting("limits.header_timeout", "DURATION", "Time for a request's head to arrive [default: 10s]"),
    setting("limits.body_timeout", "DURATION", "Time for a request's body to arrive [default: 30s]"),
    setting(
        "limits.idle_timeout",
        "DURATION",
        "Time that a connection may be without a request, or a client without reading its answer [default: 75s]",
    ),
    setting(
        "limits.shutdown_timeout",
        "DURATION",
        "Time that answers in flight get at shutdown [default: 30s]",
    ),
    setting("metrics.require_token", "true|false", "Whether /metrics demands a token [default: false]"),
    setting("log.format", "text|json", "Form of the log on standard error [default: text]"),
    setting("log.filter", "FILTER", "What is logged, as in RUST_LOG, which goes before it [default: info]"),
];

impl Setting {
    /// The environment variable.
    pub(crate) fn environment_variable(&self) -> String {
        format!("ROWHOUSE_{}", self.key.replace('.', "_").to_ascii_uppercase())
    }

    /// The flag, without its dashes.
    pub(crate) fn flag(&self) -> String {
        self.key.replace(['.', '_'], "-")
    }
}
