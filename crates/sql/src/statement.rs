//! The result of analyzing a statement, and the analyzer's interface to its environment.

use rowhouse_model::{Column, QueryError, StatementParameters, Timestamp};

use super::expr::{Expr, Value};
use super::plan::{Field, Plan};
use super::statistics::{RequestedColumn, TableStatistics};
use super::types::Type;

/// An analyzed statement.
#[derive(Clone, Debug)]
pub struct Analyzed {
    /// The plan; its columns include those of `output`, in any order.
    pub plan: Plan,
    /// The result's columns in order; names and ids may repeat.
    pub output: Vec<Field>,
    /// The plans of `Plan::Shared`, by index; each may refer to earlier ones.
    pub shared: Vec<Plan>,
    /// The tables of `Plan::Scan`, by index.
    pub tables: Vec<TableRef>,
    /// The statistics of these tables; empty if neither a decision nor EXPLAIN depends on them.
    pub statistics: Vec<TableStatistics>,
    /// Whether it is EXPLAIN ANALYZE: the plan is executed, and [`explain_analyzed`](Self::explain_analyzed) is its
    /// result.
    pub is_explain_analyze: bool,
    /// Inputs of its rows besides its tables, its text and its session.
    pub inputs: Inputs,
}

/// Inputs of a statement's rows besides its tables, its text and its session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The name of an input that may differ at each execution: `random()`, `current_timestamp`, the catalog.
    pub volatile: Option<&'static str>,
    /// Whether the rows depend on `current_date`, which is constant for a day in the session's time zone.
    pub date: bool,
}

impl Analyzed {
    /// The result's columns in the wire format (D15).
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
    /// An index into `CatalogSnapshot::tables`.
    Entry(usize),
    /// A table of the sample catalog.
    Tpch {
        /// `tiny` or `sf1`.
        schema: String,
        /// The name of one of the eight tables.
        table: String,
    },
}

/// The schema of a table's files.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSchema {
    /// Names as in the files, and their SQL types.
    pub columns: Vec<(String, Type)>,
    /// The number of rows, if the files' metadata contains it.
    pub row_count: Option<u64>,
}

/// What a planner asks of the engine that runs its plans: the schemas of tables, each of a statement once, and more where it has
/// it.
pub trait TableSchemas {
    /// The columns and the row count of a table.
    fn schema(&mut self, table: &TableRef) -> Result<TableSchema, QueryError>;

    /// The statistics of columns of a table, by name; the table's schema has been requested before. Only columns on
    /// which a decision depends are requested.
    fn statistics(&mut self, table: &TableRef, columns: &[RequestedColumn<'_>]) -> TableStatistics;

    /// The value of an expression without columns; `None` if it fails, or is no literal.
    fn constant(&self, _expr: &Expr) -> Option<Value> {
        None
    }
}

/// The session in which a statement runs.
#[derive(Clone, Debug)]
pub struct Session {
    /// `current_user`.
    pub user: String,
    /// The time of the statement: `now()`, `current_timestamp`, `current_date`.
    pub now: Timestamp,
    /// The session's time zone, in the spelling of [`canonical_zone`](super::types::canonical_zone).
    pub time_zone: String,
    /// The values of `:name` parameters (D41).
    pub parameters: StatementParameters,
}
