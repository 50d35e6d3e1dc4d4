//! Tables of a workspace: named files.

use serde::{Deserialize, Serialize};

use crate::{Column, WorkspaceId};

/// The format of a table's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableFormat {
    /// Parquet.
    Parquet,
    /// CSV with a header line, `.csv` or `.csv.gz`.
    Csv,
    /// One JSON object per line.
    Ndjson,
    /// Arrow IPC file.
    Arrow,
}

/// A table as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// Its name in SQL.
    pub name: String,
    /// File, glob or folder, absolute.
    pub location: String,
    /// The files' format.
    pub format: TableFormat,
    /// The columns of the files as they are now.
    pub columns: Vec<Column>,
    /// Row count, if the files' metadata has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_count: Option<u64>,
}

/// Body of `POST /table`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateTable {
    /// The workspace that the table is created in.
    pub workspace_id: WorkspaceId,
    /// Its name in SQL, `[a-z_][a-z0-9_]{0,62}`.
    pub name: String,
    /// File, glob or folder; a relative one is taken from the server's working directory.
    pub location: String,
    /// The files' format; absent: derived from the file extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<TableFormat>,
}
