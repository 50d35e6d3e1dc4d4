//! The names of session properties.

/// A further condition for cached results.
pub const CACHE_CHECK: &str = "cache_check";
/// Whether a statement runs although a cached result is fresh.
pub const CACHE_REFRESH: &str = "cache_refresh";
/// Seconds after [`CACHE_TTL`] in which a cached result answers while a run renews it.
pub const CACHE_STALE: &str = "cache_stale";
/// Seconds for which a cached result is fresh.
pub const CACHE_TTL: &str = "cache_ttl";
/// Memory limit of a statement.
pub const MAX_MEMORY: &str = "max_memory";
/// Time limit of a statement.
pub const MAX_RUN_TIME: &str = "query_max_run_time";
/// Whether rows come as segments of the spooling protocol to a client that takes them, as in Trino.
pub const SPOOLING: &str = "spooling_enabled";
/// The session's time zone, as Trino's SET TIME ZONE sets it.
pub const TIME_ZONE: &str = "time_zone_id";
/// The workspace in which statements run, regardless of the catalog.
pub const WORKSPACE: &str = "workspace";

/// All names, in their order.
pub const SESSION_PROPERTY_NAMES: &[&str] = &[
    CACHE_CHECK,
    CACHE_REFRESH,
    CACHE_STALE,
    CACHE_TTL,
    MAX_MEMORY,
    MAX_RUN_TIME,
    SPOOLING,
    TIME_ZONE,
    WORKSPACE,
];
