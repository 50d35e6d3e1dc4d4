//! The result of analyzing a statement, and the analyzer's interface to its environment.

use rowhouse_model::{Column, QueryError, StatementParameters, Timestamp};

use super::plan::{Field, Plan};
use super::statistics::{TableStatistics, WantedColumn};
use super::types::Type;

/// A statement ready to be lowered.
#[derive(Clone, Debug)]
pub struct Analyzed {
    /// The plan; it gives at least the columns of `output`, in any order.
    pub plan: Plan,
    /// The result's columns in order; names may repeat, and one id may stand twice.
    pub output: Vec<Field>,
    /// Plans that `Plan::Shared` names; each may name earlier ones.
    pub shared: Vec<Plan>,
    /// Tables that `Plan::Scan` names.
    pub tables: Vec<TableRef>,
    /// What is known of those, where a choice depends on it or it is shown.
    pub statistics: Vec<TableStatistics>,
    /// EXPLAIN ANALYZE: it is run, and [`explain_analyzed`](Self::explain_analyzed) is its result.
    pub is_explain_analyze: bool,
    /// What its rows depend on beside its tables and its text.
    pub inputs: Inputs,
}

/// What a statement's rows depend on beside its tables, its text and its session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// What may give other rows every time: `random()`, `current_timestamp`, the catalog.
    pub volatile: Option<&'static str>,
    /// `current_date`: it is the same all day in the session's time zone.
    pub date: bool,
}

impl Analyzed {
    /// The result's columns as the wire tells them (D15).
    pub fn columns(&self) -> Vec<Column> {
        if self.is_explain_analyze {
            return vec![Type::VARCHAR.to_column("Query Plan")];
        }
        self.output.iter().map(|field| field.data_type.to_column(field.name.clone())).collect()
    }
}

/// A table that a statement reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TableRef {
    /// `CatalogSnapshot::tables` at this index.
    Entry(usize),
    /// A table of the sample catalog.
    Tpch {
        /// `tiny` or `sf1`.
        schema: String,
        /// One of the eight.
        table: String,
    },
}

/// What the files of a table tell.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSchema {
    /// Names as the files spell them, and types as SQL sees them.
    pub columns: Vec<(String, Type)>,
    /// Where the files tell it without being read.
    pub row_count: Option<u64>,
}

/// Looks at the files of tables; the analyzer asks once for each table that a statement names.
pub trait TableSchemas {
    /// The columns and the number of rows of a table.
    fn schema(&mut self, table: &TableRef) -> Result<TableSchema, QueryError>;

    /// What is known of columns of a table that was looked at, by their names. Asked for columns on which a choice of the
    /// plan depends.
    fn statistics(&mut self, table: &TableRef, columns: &[WantedColumn<'_>]) -> TableStatistics;
}

/// Who asks, and when.
#[derive(Clone, Debug)]
pub struct Session {
    /// `current_user`.
    pub user: String,
    /// `now()`, `current_timestamp`, `current_date`.
    pub now: Timestamp,
    /// The session's time zone, as [`canonical_zone`](super::types::canonical_zone) spells it.
    pub time_zone: String,
    /// What `:name` stands for (D41).
    pub parameters: StatementParameters,
}
