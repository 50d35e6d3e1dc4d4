//! The relational plan of a statement: the analyzer builds it, the passes rewrite it and the executor lowers it. Names
//! are gone: a column is a [`ColumnId`], unique in the statement, so nothing can collide or be ambiguous.

use super::expr::{Expr, SortKey};
use super::functions::{AggregateFunction, RankingFunction, WindowFunction};
use super::types::Type;

mod columns;
mod display;
mod fields;
mod join_key;
mod match_recognize;

pub use super::expr::ColumnId;
pub use match_recognize::{
    MAX_PATTERN_INSTRUCTIONS, MatchRecognize, Navigation, PatternAggregate, PatternExpr, PatternInput,
    RowPattern, RowsPerMatch, SkipTo,
};

/// A column with the name people see (names may repeat) and its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its identity.
    pub id: ColumnId,
    /// As the statement names it.
    pub name: String,
    /// The statement gives it no name: it is called by its place in a select list or the like, `_col0`.
    pub is_anonymous: bool,
    /// Its type.
    pub data_type: Type,
}

impl Field {
    /// A column of a name.
    pub fn new(id: ColumnId, name: impl Into<String>, data_type: Type) -> Self {
        Self { id, name: name.into(), is_anonymous: false, data_type }
    }

    /// The field as a column of a projection that passes it on.
    pub fn passed_on(self) -> (Self, Expr) {
        let column = Expr::column(self.id, self.data_type.clone());
        (self, column)
    }
}

/// A common table expression that is computed once: `Analyzed::shared` at this index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedId(pub usize);

/// A node of the plan. The columns it gives: [`Plan::fields`], in order.
#[expect(clippy::large_enum_variant, reason = "a statement has a handful of them, each looked at once")]
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Rows of a table.
    Scan(Scan),
    /// Rows written out; the expressions name no column. No fields and one empty row is `SELECT` without FROM.
    Values {
        /// Columns.
        fields: Vec<Field>,
        /// Rows, each as long as `fields`.
        rows: Vec<Vec<Expr>>,
    },
    /// The rows of a shared plan under new column ids.
    Shared {
        /// Which.
        id: SharedId,
        /// Each field here and the shared plan's column it is.
        columns: Vec<(Field, ColumnId)>,
        /// What the passes believe of the number of rows.
        row_estimate: Option<u64>,
    },
    /// The rows for which the predicate is TRUE.
    Filter {
        /// Rows.
        input: Box<Plan>,
        /// A boolean.
        predicate: Expr,
    },
    /// Exactly these columns, computed from each row.
    Project {
        /// Rows.
        input: Box<Plan>,
        /// What each column is; `Column` alone passes a column on, under its own or a new id.
        columns: Vec<(Field, Expr)>,
    },
    /// Pairs of rows.
    Join(Join),
    /// The left rows, each with a boolean that says whether the right side has a match (EXISTS and IN as values).
    MarkJoin(MarkJoin),
    /// Groups.
    Aggregate(Aggregate),
    /// The input's columns and one column per function; the order of rows is not kept.
    Window {
        /// Rows.
        input: Box<Plan>,
        /// Functions, each with its own window.
        functions: Vec<WindowCall>,
    },
    /// Matches of a pattern of rows.
    MatchRecognize(MatchRecognize),
    /// The rows in order.
    Sort {
        /// Rows.
        input: Box<Plan>,
        /// First key first.
        keys: Vec<SortKey>,
    },
    /// `limit` rows (all, where none) after the first `offset`, in the input's order.
    Limit {
        /// Rows.
        input: Box<Plan>,
        /// Rows left out.
        offset: u64,
        /// Rows given.
        limit: Option<u64>,
    },
    /// One of each group of equal rows, NULLs being equal.
    Distinct {
        /// Rows.
        input: Box<Plan>,
        /// None: all columns. Some: these, and the first row of each group in the input's order (DISTINCT ON).
        on: Option<Vec<ColumnId>>,
    },
    /// UNION ALL, INTERSECT and EXCEPT of inputs whose columns correspond by position and have equal types.
    /// UNION DISTINCT is a [`Plan::Distinct`] above.
    SetOperation {
        /// Which.
        kind: SetOperationKind,
        /// Two or more for a union, two for the others.
        inputs: Vec<Plan>,
        /// Columns of the result; the input's columns at the same position are meant.
        fields: Vec<Field>,
    },
    /// The input's columns, and the elements of arrays as rows; arrays of one row are put side by side, the
    /// shorter ones filled with NULL.
    Unnest {
        /// Rows.
        input: Box<Plan>,
        /// Each array, and its column: an array of rows has one column per field of the row.
        arrays: Vec<(Expr, Vec<Field>)>,
        /// WITH ORDINALITY: 1, 2, … as bigint.
        ordinality: Option<Field>,
        /// LEFT JOIN UNNEST: a row without elements is kept once, with NULLs.
        is_outer: bool,
    },
    /// Exactly one row: one of NULLs for an empty input, the error `SUBQUERY_MULTIPLE_ROWS` for more than one.
    EnforceSingleRow {
        /// Rows.
        input: Box<Plan>,
    },
}

/// A table and the columns of it that are read.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// Index into `Analyzed::tables`.
    pub table: usize,
    /// Each field, and the column's name as the file spells it.
    pub columns: Vec<(Field, String)>,
    /// Rows of the table, where its files tell.
    pub row_count: Option<u64>,
}

/// A join. Rows match when all keys are equal (NULL matches nothing unless the key says so) and the residual
/// is TRUE. Cross join: `Inner` without keys and residual.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    /// Which rows it gives.
    pub kind: JoinKind,
    /// Its columns come first.
    pub left: Box<Plan>,
    /// Its columns come after; semi and anti joins give none of them.
    pub right: Box<Plan>,
    /// Equalities.
    pub keys: Vec<JoinKey>,
    /// A further condition over columns of both sides.
    pub residual: Option<Expr>,
}

/// Which rows a join gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// The matching pairs.
    Inner,
    /// And the left rows without a match, once, with NULLs.
    Left,
    /// And the right rows without a match, once, with NULLs.
    Right,
    /// And both.
    Full,
    /// As `Left`; a left row with more than one match is the error `SUBQUERY_MULTIPLE_ROWS`.
    Single,
    /// The left rows with a match, each once; left columns only.
    Semi,
    /// The left rows without a match; left columns only. NULL keys match nothing, so such left rows are given.
    Anti,
}

/// An equality between the sides of a join; both expressions have the same type.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinKey {
    /// Over the left columns.
    pub left: Expr,
    /// Over the right columns.
    pub right: Expr,
    /// Whether NULL equals NULL (IS NOT DISTINCT FROM).
    pub null_equals_null: bool,
}

/// The left columns and `mark`. The candidates of a left row are the right rows for which `keys` and `residual`
/// hold, as in a join. Without `in_key` the mark says whether there is a candidate (never NULL). With it: TRUE
/// if a candidate's key equals the left key; else NULL if there is a candidate and the left key is NULL, or a
/// candidate whose key is NULL; else FALSE.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkJoin {
    /// Rows, each given once.
    pub left: Box<Plan>,
    /// The subquery's rows.
    pub right: Box<Plan>,
    /// Correlation by equality.
    pub keys: Vec<JoinKey>,
    /// Correlation by anything else.
    pub residual: Option<Expr>,
    /// The comparison of IN.
    pub in_key: Option<JoinKey>,
    /// The boolean column.
    pub mark: Field,
}

/// Groups. Without keys: one row, also for an empty input. Grouping sets are a union of these over a shared input.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// Rows.
    pub input: Box<Plan>,
    /// Columns of the input to group by (NULLs are one group); they come first in the output, under their ids.
    pub keys: Vec<ColumnId>,
    /// One column each.
    pub aggregates: Vec<AggregateCall>,
}

/// One aggregate function over the rows of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateCall {
    /// Its result.
    pub output: Field,
    /// Which.
    pub function: AggregateFunction,
    /// Arguments, already of the types that the function takes.
    pub args: Vec<Expr>,
    /// Each distinct argument tuple once.
    pub is_distinct: bool,
    /// Only rows for which this is TRUE.
    pub filter: Option<Expr>,
    /// The order in which array_agg, listagg and their like see the rows.
    pub order_by: Vec<SortKey>,
}

/// One window function.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowCall {
    /// Its result.
    pub output: Field,
    /// Which.
    pub function: WindowFunction,
    /// Arguments, already of the types that the function takes.
    pub args: Vec<Expr>,
    /// Aggregates over windows: each distinct argument tuple of the frame once.
    pub is_distinct: bool,
    /// Aggregates over windows: the order in which array_agg, listagg and their like see the rows of the frame.
    pub argument_order: Vec<SortKey>,
    /// lag, lead, first_value, last_value, nth_value pass over NULLs.
    pub ignore_nulls: bool,
    /// Aggregates over windows: only rows for which this is TRUE.
    pub filter: Option<Expr>,
    /// Rows with equal values are one partition; NULLs are equal.
    pub partition_by: Vec<Expr>,
    /// Order within a partition.
    pub order_by: Vec<SortKey>,
    /// The rows around the current one.
    pub frame: Frame,
}

impl WindowCall {
    /// A call of rank(), row_number() or another function of a row's place, over all rows in no order.
    pub const fn ranking(output: Field, function: RankingFunction) -> Self {
        Self {
            output,
            function: WindowFunction::Ranking(function),
            args: Vec::new(),
            is_distinct: false,
            argument_order: Vec::new(),
            ignore_nulls: false,
            filter: None,
            partition_by: Vec::new(),
            order_by: Vec::new(),
            frame: Frame {
                unit: FrameUnit::Rows,
                start: FrameBound::UnboundedPreceding,
                end: FrameBound::UnboundedFollowing,
            },
        }
    }
}

/// The rows around the current one that a window function sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Unit of the bounds.
    pub unit: FrameUnit,
    /// First row.
    pub start: FrameBound,
    /// Last row.
    pub end: FrameBound,
}

/// Unit of a frame's bounds. The default frame is RANGE from unbounded preceding to the current row, which
/// without ORDER BY is the whole partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameUnit {
    /// Rows.
    Rows,
    /// Values of the one sort key; the current row is all its peers.
    Range,
    /// Groups of peers.
    Groups,
}

/// A bound of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameBound {
    /// From the first row.
    UnboundedPreceding,
    /// So many before; for RANGE a value that is subtracted from the sort key.
    Preceding(Box<Expr>),
    /// The current row, and with RANGE and GROUPS its peers.
    CurrentRow,
    /// So many after.
    Following(Box<Expr>),
    /// To the last row.
    UnboundedFollowing,
}

/// Which set operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOperationKind {
    /// All rows of all inputs.
    UnionAll,
    /// Distinct rows of both.
    Intersect,
    /// Each row as often as in the input that has it less often.
    IntersectAll,
    /// Distinct rows of the left input that the right has not.
    Except,
    /// Each row of the left input as often as it is there more often than in the right.
    ExceptAll,
}
