//! What a statement may see: every table of its workspace with the files behind it.
//! A snapshot is taken at submission and travels to the executor with the statement.

use std::path::PathBuf;

use rowhouse_model::{Column, TableFormat};
use serde::{Deserialize, Serialize};

pub mod files;
pub mod tpch;

/// Catalog of a workspace's own tables and views.
pub const OWN_CATALOG: &str = "rowhouse";
/// The sample catalog, made on first use.
pub const TPCH_CATALOG: &str = "tpch";

/// Every table that a statement may name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CatalogSnapshot {
    /// Catalog of an unqualified name.
    pub default_catalog: String,
    /// Schema of an unqualified name.
    pub default_schema: String,
    /// The workspace's own tables and views.
    pub tables: Vec<TableEntry>,
    /// Folder of the sample catalog's files, where the workspace sees it.
    pub tpch_dir: Option<PathBuf>,
}

/// One table and where its rows are.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    },
}
