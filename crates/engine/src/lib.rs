//! The engine of Rowhouse: statements and their life, executors, results, cache, materialized views and
//! the store that keeps them. It knows nothing of HTTP. The only crate that names Polars.

mod accounts;
mod arrow_file;
mod backup;
mod cache;
mod catalog;
mod clock;
mod config;
mod doctor;
#[cfg(feature = "polars")]
pub mod embedded;
mod engine;
mod engines;
mod error;
mod executor;
mod heap;
mod histogram;
mod id_source;
mod json_list;
mod metrics;
mod names;
mod pool;
pub mod protocol;
mod queries;
mod result_links;
mod rows;
mod saved_sql;
mod service;
mod set_aside;
pub mod sql;
mod store;
mod tables;
mod trino;
mod views;
#[cfg(feature = "polars")]
pub mod worker;
mod workspaces;

pub use accounts::{Accounts, FIRST_ADMIN, Principal};
pub use arrow_file::{ArrowFile, ArrowFileWriter, Batch, ROWS_PER_BATCH};
pub use backup::{BackupReport, backup};
pub use catalog::{CatalogSnapshot, OWN_CATALOG, TPCH_CATALOG, TableEntry, TableSource};
pub use clock::{Clock, ManualClock, SystemClock};
pub use config::EngineConfig;
pub use doctor::{DataDirReport, inspect, probe};
pub use engine::{Bootstrap, Engine};
pub use error::{Error, ErrorKind, Result};
pub use executor::{
    BoxFuture, CatalogPlace, EventSink, Execution, ExecutionEvent, Executor, Statement, TableDescription,
    WorkerCounts,
};
pub use heap::CountingAllocator;
pub use histogram::{Histogram, HistogramSnapshot};
pub use id_source::{IdSource, RandomIdSource, SequentialIdSource};
pub use json_list::json_list;
pub use metrics::{
    CacheOutcome, EndOutcome, EngineMetrics, FileUsage, ServedMetrics, StatementMetrics, StoreMetrics,
    ViewMetrics,
};
pub use queries::{CachePolicy, Load, Purpose, Queries, QueryRecord, StoredResult, Submission, TRACE_TARGET};
pub use result_links::{ResultGrant, ResultLink, ResultLinks};
pub use rows::{
    BatchFilter, CHUNK_BYTES, CHUNK_MEMORY_BYTES, ChunkSource, Envelope, ProjectedColumn, Projection,
    RowFormat, RowSelection, RowShape, encode, encode_in,
};
pub use saved_sql::SavedSqls;
pub use service::Service;
pub use set_aside::SetAsideFolder;
pub use store::DatabaseTraces;
pub use tables::{CatalogLease, Tables};
pub use trino::{TrinoAuthentication, TrinoCluster, check_cluster};
pub use views::{
    Generation, MAX_ORDERED_ROWS, OwnRefresh, RowOrder, Schedule, ServedGeneration, ViewRecord, ViewSnapshot,
    Views,
};
pub use workspaces::{Access, WorkspaceRecord, Workspaces};
