//! The catalog of one statement: every table of its workspace with the files behind it. The snapshot is taken at
//! submission and sent to the executor with the statement.

use std::path::PathBuf;
use std::sync::Arc;

use rowhouse_model::{Column, QueryStats, TableFormat, Timestamp};
use serde::{Deserialize, Serialize};

mod detail;
pub mod files;
pub mod tpch;

pub use detail::{CatalogDetail, NamedWords};

/// Catalog of a workspace's own tables and views.
pub const OWN_CATALOG: &str = "rowhouse";
/// The sample catalog, generated on first use.
pub const TPCH_CATALOG: &str = "tpch";

/// Catalog of the tables about the server itself.
pub const SYSTEM_CATALOG: &str = "system";
/// The schemas of [`SYSTEM_CATALOG`], beside [`INFORMATION_SCHEMA`].
pub const SYSTEM_SCHEMAS: [&str; 3] = ["jdbc", "metadata", "runtime"];

/// The schema of every catalog that lists its tables.
pub const INFORMATION_SCHEMA: &str = "information_schema";
/// The schema and the catalog whose tables are computed from the catalog: a statement with one of these words may list all
/// tables.
pub const METADATA_NAMES: [&str; 2] = [INFORMATION_SCHEMA, SYSTEM_CATALOG];

/// Every table that a statement may name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CatalogSnapshot {
    /// Catalog of an unqualified name.
    pub default_catalog: String,
    /// Schema of an unqualified name.
    pub default_schema: String,
    /// The workspace's schema in [`OWN_CATALOG`]; it exists even without tables.
    pub own_schema: String,
    /// Schemas of other workspaces that this statement may name (D127); they exist even without tables.
    pub other_schemas: Vec<String>,
    /// The workspace's own tables and views, and those of [`other_schemas`](Self::other_schemas).
    pub tables: Vec<TableEntry>,
    /// The workspace's statements, newest first, if the statement may read them ([`CatalogDetail`]).
    pub queries: Vec<RuntimeQuery>,
    /// Session properties by name, if the statement may read them ([`CatalogDetail`]).
    pub session_properties: Vec<SessionProperty>,
    /// Folder of the sample catalog's files, if the workspace sees that catalog.
    pub tpch_dir: Option<PathBuf>,
}

/// One table and where its rows are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableEntry {
    /// Its catalog.
    pub catalog: String,
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Location of its rows.
    pub source: TableSource,
}

/// Where a table's rows are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TableSource {
    /// Files of one format: a file, a glob or a folder, absolute.
    Files {
        /// File, glob or folder.
        location: String,
        /// Format of the files.
        format: TableFormat,
    },
    /// The served generation of a materialized view.
    View {
        /// Its Arrow IPC file; none before the first refresh.
        file: Option<PathBuf>,
        /// Its columns, if the statement may read them ([`CatalogDetail`]) and they fit into the snapshot.
        columns: Option<Arc<[Column]>>,
        /// Its definition, likewise.
        definition: Option<ViewDefinition>,
    },
}

/// The definition of a materialized view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewDefinition {
    /// The defining statement, as written.
    pub sql: String,
    /// Its description.
    pub comment: Option<String>,
    /// When the served generation was created; none before the first.
    pub refreshed_at: Option<Timestamp>,
}

/// A row of `system.runtime.queries`: a statement of the workspace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuntimeQuery {
    /// Its record's id.
    pub id: String,
    /// One of Trino's states: `QUEUED`, `PLANNING`, `RUNNING`, `FINISHED`, `FAILED`.
    pub state: String,
    /// Who submitted it.
    pub user: Option<String>,
    /// What submitted it.
    pub source: Option<String>,
    /// Its text; none if it is not stored or too long to be listed.
    pub sql: Option<String>,
    /// When it was accepted.
    pub created: Option<Timestamp>,
    /// When it ended.
    pub ended: Option<Timestamp>,
    /// Its statistics.
    pub stats: Option<QueryStats>,
    /// Type and name of its error.
    pub error: Option<(String, String)>,
}

/// A session property, as `SHOW SESSION` lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionProperty {
    /// Its name.
    pub name: String,
    /// Its value in this session.
    pub value: String,
    /// Its default value.
    pub default: String,
    /// Trino's type: `varchar`, `integer`.
    pub type_name: String,
    /// What it does.
    pub description: String,
}
