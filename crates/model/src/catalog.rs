//! The names that a statement of a workspace may use: tables with their columns, and functions. Editors use it for
//! completion.

use serde::{Deserialize, Serialize};

use crate::Column;

/// Response of `GET /catalog`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    /// Catalog of an unqualified name; null if a Trino cluster decides.
    pub default_catalog: Option<String>,
    /// Schema of an unqualified name; null if a Trino cluster decides.
    pub default_schema: Option<String>,
    /// Every catalog.
    #[serde(default)]
    pub catalogs: Vec<String>,
    /// Schemas: all, or those of the requested catalog. On a Trino cluster, those of the default catalog.
    #[serde(default)]
    pub schemas: Vec<CatalogSchema>,
    /// The workspace's own tables and views and those of the sample catalog, or those of the requested schema. On a
    /// Trino cluster, those of the default schema.
    pub tables: Vec<CatalogTable>,
    /// Whether the cluster has more schemas or tables than are listed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Functions by name.
    pub functions: Vec<CatalogFunction>,
}

impl Catalog {
    /// Adds the contents of another answer; defaults and functions are unchanged.
    pub fn extend(&mut self, other: Self) {
        let Self {
            default_catalog: _,
            default_schema: _,
            catalogs,
            schemas,
            tables,
            truncated,
            functions: _,
        } = other;
        self.catalogs.extend(catalogs);
        self.schemas.extend(schemas);
        self.tables.extend(tables);
        self.truncated |= truncated;
    }
}

/// A schema that a statement may name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogSchema {
    /// Its catalog.
    pub catalog: String,
    /// Its name.
    pub name: String,
}

/// A table that a statement may name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogTable {
    /// Its catalog.
    pub catalog: String,
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: CatalogTableKind,
    /// Empty where its files cannot be read.
    pub columns: Vec<Column>,
    /// Row count, if it is known without reading the files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_count: Option<u64>,
}

/// What a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CatalogTableKind {
    /// Files with a name, or a table of a Trino cluster.
    Table,
    /// A view of a Trino cluster.
    View,
    /// A materialized view.
    MaterializedView,
    /// A table of the sample catalog.
    Sample,
}

/// A function that a statement may call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogFunction {
    /// Its name in lower case; an alias is a function of its own.
    pub name: String,
    /// What it is.
    pub kind: FunctionKind,
    /// The signatures, each as `(bigint, varchar?) varchar`; the notation is that of the function list in the
    /// documents.
    pub signatures: Vec<String>,
    /// What it returns, in a sentence or two.
    pub description: String,
}

/// What a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum FunctionKind {
    /// A function of the values of one row.
    Scalar,
    /// A function of the rows of a group.
    Aggregate,
    /// A window function, valid only with OVER.
    Window,
}
