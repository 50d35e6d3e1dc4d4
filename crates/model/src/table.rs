//! Tables of a workspace: files given a name.

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
    /// One JSON object a line.
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
    /// The columns as the files have them now.
    pub columns: Vec<Column>,
    /// Where the files tell it without being read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_count: Option<u64>,
}

/// Body of `POST /table`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateTable {
    /// The workspace that gets it.
    pub workspace_id: WorkspaceId,
    /// `[a-z_][a-z0-9_]{0,62}`.
    pub name: String,
    /// File, glob or folder; a relative one is taken from the server's working directory.
    pub location: String,
    /// Absent: by the files' ending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<TableFormat>,
}
