//! The words that a Rowhouse server and its clients share: wire types with their exact field names,
//! ids, error codes, type signatures and URL paths. No I/O, no engine, no web stack.

mod account;
mod error;
mod error_code;
mod id;
mod materialized_view;
pub mod path;
mod query;
mod saved_sql;
mod service;
mod table;
mod timestamp;
mod type_signature;
mod workspace;

pub use account::{Account, CreateAccount, CreateToken, CreatedToken, Token};
pub use error::{ErrorBody, ErrorLocation, FailureInfo, QueryError};
pub use error_code::{ErrorCode, ErrorType};
pub use id::{AccountId, QueryId, SavedSqlId, StatementId, TokenId, ViewId, WorkspaceId};
pub use materialized_view::{
    CreateMaterializedView, CreatedMaterializedView, MaterializedView, RefreshMaterializedView,
    UpdateMaterializedView,
};
pub use query::{
    CancelQuery, DataFormat, OutputStage, Query, QueryList, QueryResult, QueryStats, QueryStatus, Source,
    SubmitQuery,
};
pub use saved_sql::{
    CreateSavedSql, ExecuteSavedSql, SavedSql, SavedSqlStatistics, StatementStats, UpdateSavedSql,
};
pub use service::{SQL_ENGINE, ServiceState, ServiceStatus, SetServiceState};
pub use table::{CreateTable, Table, TableFormat};
pub use timestamp::Timestamp;
pub use type_signature::{Column, FieldName, InvalidTypeName, NamedType, TypeArgument, TypeSignature};
pub use workspace::{CreateWorkspace, EngineKind, Member, Role, SetMember, Workspace};
