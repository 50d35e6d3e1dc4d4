//! The engine of Rowhouse: the life of statements, results, cache, materialized views and the store for them.
//! Statements run in worker processes of `rowhouse-embedded` or on clusters by `rowhouse-trino`; stored rows are read
//! and encoded by `rowhouse-rows`. No HTTP in its interface, no Polars in its code.

mod accounts;
mod backup;
mod cache;
mod client_session;
mod config;
mod constant_rows;
mod deletion_time;
mod disk;
mod doctor;
mod endpoints;
mod engine;
mod engines;
mod error;
mod fair_budget;
mod fair_queue;
mod fair_semaphore;
mod few_at_a_time;
mod histogram;
mod id_source;
mod json_list;
mod limits;
mod memberships;
mod metrics;
mod names;
mod planning;
mod planning_queue;
mod pool;
mod queries;
mod result_links;
mod run_to_end;
mod saved_sql;
mod service;
mod set_aside;
mod store;
mod tables;
mod token_grants;
mod views;
mod visibility;
mod workspace_files;
mod workspaces;

pub use accounts::{Accounts, FIRST_ADMIN, KnownToken, Principal};
pub use backup::{BackupReport, backup};
pub use client_session::{
    ClientSession, SESSION_PROPERTIES, SessionChange, SessionProperty, SessionRequest, session_in_zone,
};
pub use config::EngineConfig;
pub use doctor::{DamagedFile, DataDirReport, VerifyReport, inspect, probe, verify};
pub use endpoints::{
    Argument, CallOutcome, Endpoint, EndpointAccess, EndpointParameter, Endpoints, WrongParameter,
};
pub use engine::{Bootstrap, Engine};
pub use error::{Error, ErrorKind, Result};
pub use few_at_a_time::Held;
pub use histogram::{Histogram, HistogramSnapshot};
pub use id_source::{IdSource, RandomIdSource, SequentialIdSource};
pub use json_list::{json_list, json_members, one_after_the_other};
pub use metrics::{
    CacheLookup, EndOutcome, EngineMetrics, FileUsage, Load, ServedMetrics, StatementMetrics, StoreMetrics,
    ViewMetrics, WorkspaceLoad,
};
pub use queries::{
    CachePolicy, CacheScope, CachedCall, IdempotencyKey, Purpose, Queries, QueryRecord, StoredResult,
    Submission, TRACE_TARGET,
};
pub use result_links::{
    FileGrant, FileLink, ResultGrant, ResultLink, ResultLinks, SegmentEncoding, StatementGrant, StatementLink,
};
pub use run_to_end::RunToEnd;
pub use saved_sql::{SavedSqls, Select};
pub use service::Service;
pub use set_aside::SetAsideFolder;
pub use store::workspaces::WorkspaceRecord;
pub use store::{ADMIN_TOKEN_FILE, DatabaseTraces};
pub use tables::{CatalogLease, TableSummary, Tables};
pub use views::{
    Generation, MAX_ORDERED_ROWS, OwnRefresh, ReadableView, RowCount, RowOrder, RowSearch, Schedule,
    ServedGeneration, ViewRecord, ViewSnapshot, Views,
};
pub use workspace_files::{FilePath, Upload, WorkspaceFile, WorkspaceFiles};
pub use workspaces::{Access, Workspaces};

// Items of the crates below that callers of this crate need.
#[cfg(feature = "polars")]
pub use rowhouse_embedded::{InProcess, worker};
pub use rowhouse_executor::{
    BoxFuture, CatalogPlace, CatalogSnapshot, Clock, CountingAllocator, EventSink, Execution, ExecutionEvent,
    Executor, INFORMATION_SCHEMA, ManualClock, OWN_CATALOG, SYSTEM_CATALOG, SYSTEM_SCHEMAS, SandboxMode,
    SandboxReport, Statement, StatementSession, SystemClock, TPCH_CATALOG, TableDescription, TableEntry,
    TableSource, WorkerCounts,
};
pub use rowhouse_rows::{
    ArrowFile, ArrowFileWriter, Batch, BatchFilter, Budget, CHUNK_BYTES, CHUNK_MEMORY_BYTES, ChunkSource,
    Envelope, Error as RowsError, Progress, ProjectedColumn, Projection, ROWS_PER_BATCH,
    Result as RowsResult, RowFormat, RowSelection, RowShape, ScanPlace, TestPlace, TrinoValue, encode,
    encode_for_trino, encode_in, rows_within,
};
pub use rowhouse_sql::{TRINO_VERSION, session_property};
pub use rowhouse_trino::{TrinoAuthentication, TrinoCluster, check_cluster};
