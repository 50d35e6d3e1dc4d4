//! The contract between the life of statements and what runs them: the [`Executor`] trait, the catalog of a statement,
//! the frames between a server and its worker processes, and the two quantities that both sides measure, time and
//! memory. Depend on it to write another executor; it knows no SQL, no file format and no HTTP.

pub mod catalog;
pub mod clock;
pub mod columns;
mod denied_file;
mod executor;
pub mod heap;
pub mod json_size;
pub mod protocol;
mod sandbox;
pub mod sources;

pub use catalog::{
    CatalogDetail, CatalogSnapshot, INFORMATION_SCHEMA, METADATA_NAMES, NamedWords, OWN_CATALOG,
    SYSTEM_CATALOG, SYSTEM_SCHEMAS, TPCH_CATALOG, TableEntry, TableSource,
};
pub use clock::{Clock, ManualClock, SystemClock};
pub use denied_file::{is_denied_file, mark_denied_file, without_denied_file};
pub use executor::{
    BoxFuture, CatalogPlace, ConstantRows, EventSink, Execution, ExecutionEvent, Executor, OutputLimit,
    SpillLimits, Statement, StatementSession, TableDescription, WorkerCounts, memory_limit_exceeded,
};
pub use heap::CountingAllocator;
pub use sandbox::{Grant, Sandbox, SandboxMode, SandboxReport, WANTED_LANDLOCK_ABI};
pub use sources::{SourceTable, Sources, TableVersion};
