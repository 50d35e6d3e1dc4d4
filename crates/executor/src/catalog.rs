//! What a statement may see: every table of its workspace with the files behind it.
//! A snapshot is taken at submission and travels to the executor with the statement.

use std::path::PathBuf;

use rowhouse_model::{Column, QueryStats, TableFormat, Timestamp};
use serde::{Deserialize, Serialize};

pub mod files;
pub mod tpch;

/// Catalog of a workspace's own tables and views.
pub const OWN_CATALOG: &str = "rowhouse";
/// The sample catalog, made on first use.
pub const TPCH_CATALOG: &str = "tpch";

/// Catalog of the tables that tell of the server: `jdbc`, `metadata` and `runtime`.
pub const SYSTEM_CATALOG: &str = "system";

/// Every table that a statement may name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CatalogSnapshot {
    /// Catalog of an unqualified name.
    pub default_catalog: String,
    /// Schema of an unqualified name.
    pub default_schema: String,
    /// The workspace's schema in [`OWN_CATALOG`], which is there without tables, too.
    pub own_schema: String,
    /// The workspace's own tables and views.
    pub tables: Vec<TableEntry>,
    /// The workspace's statements, newest first, where the statement may ask for them ([`CatalogDetail`]).
    pub queries: Vec<RuntimeQuery>,
    /// Properties of the session, by name, where the statement may ask for them ([`CatalogDetail`]).
    pub session_properties: Vec<SessionProperty>,
    /// Folder of the sample catalog's files, where the workspace sees it.
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
    /// Where its rows are.
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
        /// Its columns.
        columns: Vec<Column>,
        /// What it is made from, where the statement may show it ([`CatalogDetail`]).
        definition: Option<ViewDefinition>,
    },
}

/// What a materialized view is made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewDefinition {
    /// The defining statement, as it was written.
    pub sql: String,
    /// Its description.
    pub comment: Option<String>,
    /// When the served generation was made; none before the first.
    pub refreshed_at: Option<Timestamp>,
}

/// A statement of the workspace, as `system.runtime` tells it.
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
    /// Its text; none where it is not kept, or too long to be told here.
    pub sql: Option<String>,
    /// When it was accepted.
    pub created: Option<Timestamp>,
    /// When it ended.
    pub ended: Option<Timestamp>,
    /// What it cost.
    pub stats: Option<QueryStats>,
    /// Type and name of its error.
    pub error: Option<(String, String)>,
}

/// A property of a session, as `SHOW SESSION` tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionProperty {
    /// Its name.
    pub name: String,
    /// What it is in this session.
    pub value: String,
    /// What it is where nothing is set.
    pub default: String,
    /// Trino's type: `varchar`, `integer`.
    pub type_name: String,
    /// What it does.
    pub description: String,
}

/// What a snapshot has beside names and files: it may be large, so only what a statement's text names is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CatalogDetail {
    /// [`ViewDefinition`]s.
    pub definitions: bool,
    /// [`CatalogSnapshot::queries`].
    pub queries: bool,
    /// [`CatalogSnapshot::session_properties`].
    pub session_properties: bool,
}

impl CatalogDetail {
    /// What a statement may ask for. A word of its text is looked for and not its meaning: what is there without need
    /// does no harm.
    pub fn of(sql: &str) -> Self {
        let sql = sql.to_lowercase();
        let has = |word: &str| sql.contains(word);
        Self {
            definitions: has("materialized") || has("table_comments"),
            queries: has("queries") || has("tasks"),
            session_properties: has("session"),
        }
    }
}
