//! Names of the headers of Trino's client protocol (`ProtocolHeaders`), in the lower case of HTTP/2.

/// The catalog of names without one.
pub const CATALOG: &str = "x-trino-catalog";
/// The schema of names without one.
pub const SCHEMA: &str = "x-trino-schema";
/// Session properties, each as `name=value`.
pub const SESSION: &str = "x-trino-session";
/// Prepared statements, each as `name=text`.
pub const PREPARED_STATEMENT: &str = "x-trino-prepared-statement";
/// The transaction, or `NONE`.
pub const TRANSACTION_ID: &str = "x-trino-transaction-id";
/// The session's time zone.
pub const TIME_ZONE: &str = "x-trino-time-zone";
/// The user in whose name a statement runs.
pub const USER: &str = "x-trino-user";
/// The program that sends a statement.
pub const SOURCE: &str = "x-trino-source";
/// A text about the client, for a cluster's operator.
pub const CLIENT_INFO: &str = "x-trino-client-info";
/// Tags of the client, separated by commas.
pub const CLIENT_TAGS: &str = "x-trino-client-tags";
/// What the client understands, separated by commas.
pub const CLIENT_CAPABILITIES: &str = "x-trino-client-capabilities";
/// An id of the client's own for a statement.
pub const TRACE_TOKEN: &str = "x-trino-trace-token";
/// The encodings of spooled rows that the client understands, the preferred one first.
pub const QUERY_DATA_ENCODING: &str = "x-trino-query-data-encoding";

/// In an answer: the new catalog of the session.
pub const SET_CATALOG: &str = "x-trino-set-catalog";
/// In an answer: the new schema of the session.
pub const SET_SCHEMA: &str = "x-trino-set-schema";
/// In an answer: a session property with its new value.
pub const SET_SESSION: &str = "x-trino-set-session";
/// In an answer: a session property that has its default value again.
pub const CLEAR_SESSION: &str = "x-trino-clear-session";
/// In an answer: a new prepared statement.
pub const ADDED_PREPARE: &str = "x-trino-added-prepare";
/// In an answer: the name of a prepared statement that is removed.
pub const DEALLOCATED_PREPARE: &str = "x-trino-deallocated-prepare";
/// In an answer: the id of a new transaction.
pub const STARTED_TRANSACTION_ID: &str = "x-trino-started-transaction-id";
/// In an answer: `true` if the transaction has ended.
pub const CLEAR_TRANSACTION_ID: &str = "x-trino-clear-transaction-id";

/// A capability: times and timestamps of each precision. Without it Trino truncates them to milliseconds.
pub const PARAMETRIC_DATETIME: &str = "PARAMETRIC_DATETIME";
