//! The vocabulary of a Rowhouse server and its clients: wire types with their exact field names, ids, error codes, type
//! signatures and URL paths. No I/O, no engine, no web stack.
//!
//! ```
//! use rowhouse_model::{Column, Query, QueryStatus, SubmitQuery, WorkspaceId};
//!
//! let body = SubmitQuery {
//!     workspace_id: WorkspaceId::new("demo"),
//!     sql: "SELECT 1".to_owned(),
//!     cache_refresh: Some(false),
//!     cache_ttl: Some(60),
//!     cache_check: None,
//!     cache_stale: None,
//!     source: None,
//!     parameters: None,
//!     time_zone: None,
//!     wait: None,
//!     rows: None,
//!     shape: None,
//! };
//! assert_eq!(
//!     serde_json::to_string(&body)?,
//!     r#"{"workspaceId":"demo","sql":"SELECT 1","cacheRefresh":false,"cacheTTL":60}"#,
//! );
//!
//! let query: Query = serde_json::from_str(
//!     r#"{"id": "q1", "statementId": null, "workspaceId": "demo", "status": "FINISHED", "rowCount": 1}"#,
//! )?;
//! assert!(query.status.is_some_and(QueryStatus::is_final));
//!
//! let column = Column::new("price", "decimal(15,2)");
//! assert_eq!(column.type_signature.raw_type, "decimal");
//! # Ok::<(), serde_json::Error>(())
//! ```

mod account;
mod cache;
pub mod calendar;
mod catalog;
pub mod client_protocol;
mod error;
mod error_code;
mod excerpt;
mod id;
mod limits;
mod materialized_view;
mod nullable;
mod parameter;
pub mod path;
mod query;
mod saved_sql;
mod service;
mod table;
mod timestamp;
mod type_signature;
mod workspace;

pub use account::{Account, CreateAccount, CreateToken, CreatedToken, Token, TokenGrant, UpdateAccount};
pub use cache::{CacheCheck, CacheOutcome, CacheVerdict, CachedResult, CachedResults, PurgedCache};
pub use catalog::{Catalog, CatalogFunction, CatalogSchema, CatalogTable, CatalogTableKind, FunctionKind};
pub use error::{ErrorBody, ErrorLocation, FailureInfo, QueryError};
pub use error_code::{ErrorCode, ErrorType};
pub use excerpt::excerpt;
pub use id::{AccountId, QueryId, SavedSqlId, StatementId, TokenId, ViewId, WorkspaceId};
pub use limits::{LimitSettings, WorkspaceLimits, WorkspaceUsage};
pub use materialized_view::{
    CreateMaterializedView, CreatedMaterializedView, MaterializedView, RefreshMaterializedView,
    UpdateMaterializedView, ViewGeneration,
};
pub use parameter::{
    MAX_PARAMETER_NAME_BYTES, MAX_PARAMETERS, ParameterValue, StatementParameter, StatementParameters,
    json_values,
};
pub use query::{
    CancelQuery, DataFormat, OutputStage, Query, QueryList, QueryResult, QueryStats, QueryStatus, RowShape,
    SignedUrl, SignedUrls, Source, SubmitQuery,
};
pub use saved_sql::{
    CreateSavedSql, EndpointCalls, ExecuteSavedSql, SavedSql, SavedSqlStatistics, SavedSqlVersion,
    StatementStats, UpdateSavedSql,
};
pub use service::{ClusterState, ClusterStatus, SQL_ENGINE, ServiceState, ServiceStatus, SetServiceState};
pub use table::{CreateTable, Table, TableFormat};
pub use timestamp::Timestamp;
pub use type_signature::{Column, FieldName, InvalidTypeName, NamedType, TypeArgument, TypeSignature};
pub use workspace::{
    CreateWorkspace, EngineKind, Member, Role, SetMember, UnknownEngine, Workspace, WorkspaceMember,
};
