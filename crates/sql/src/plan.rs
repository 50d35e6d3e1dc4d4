//! The relational plan of a statement: the analyzer builds it, the passes rewrite it, and the executor lowers it.
//! Columns are not referred to by name: each has a [`ColumnId`], unique in the statement, so references are
//! unambiguous.

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

/// A column: its name, which other columns may share, and its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The column's id.
    pub id: ColumnId,
    /// The name in the statement.
    pub name: String,
    /// Whether the statement gives it no name; `name` is then derived from its position, `_col0`.
    pub is_anonymous: bool,
    /// The type of its values.
    pub data_type: Type,
}

impl Field {
    /// A column with a name.
    pub fn new(id: ColumnId, name: impl Into<String>, data_type: Type) -> Self {
        Self { id, name: name.into(), is_anonymous: false, data_type }
    }

    /// The field with a column expression that refers to it, as in a projection that passes it on.
    pub fn passed_on(self) -> (Self, Expr) {
        let column = Expr::column(self.id, self.data_type.clone());
        (self, column)
    }
}

/// A common table expression that is computed once: an index into `Analyzed::shared`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedId(pub usize);

/// A node of the plan. Its output columns are [`Plan::fields`], in order.
#[expect(clippy::large_enum_variant, reason = "a statement has a handful of them, each looked at once")]
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// The rows of a table.
    Scan(Scan),
    /// Constant rows; the expressions refer to no columns. Without fields and with one empty row it is `SELECT` without
    /// FROM.
    Values {
        /// The columns.
        fields: Vec<Field>,
        /// The rows, each as long as `fields`.
        rows: Vec<Vec<Expr>>,
    },
    /// The rows of a shared plan under new column ids.
    Shared {
        /// The shared plan.
        id: SharedId,
        /// Each field, with the shared plan's column.
        columns: Vec<(Field, ColumnId)>,
        /// The estimated number of rows, set by the passes.
        row_estimate: Option<u64>,
    },
    /// The rows for which the predicate is TRUE.
    Filter {
        /// The input.
        input: Box<Plan>,
        /// A boolean expression.
        predicate: Expr,
    },
    /// Exactly these columns, computed for each row.
    Project {
        /// The input.
        input: Box<Plan>,
        /// Each column with its expression; a `Column` expression passes a column on, under its own id or a new one.
        columns: Vec<(Field, Expr)>,
    },
    /// A join.
    Join(Join),
    /// The left rows, each with a boolean: whether the right side has a match (EXISTS and IN as values).
    MarkJoin(MarkJoin),
    /// Groups and their aggregates.
    Aggregate(Aggregate),
    /// The input's columns and one column per function. Does not preserve the order of rows.
    Window {
        /// The input.
        input: Box<Plan>,
        /// The functions, each with its own window.
        functions: Vec<WindowCall>,
    },
    /// Matches of a row pattern.
    MatchRecognize(MatchRecognize),
    /// The rows in order.
    Sort {
        /// The input.
        input: Box<Plan>,
        /// The keys, the most significant first.
        keys: Vec<SortKey>,
    },
    /// At most `limit` rows (all if `None`) after the first `offset` rows, in the input's order.
    Limit {
        /// The input.
        input: Box<Plan>,
        /// The number of skipped rows.
        offset: u64,
        /// The maximum number of returned rows.
        limit: Option<u64>,
    },
    /// One row of each group of equal rows; NULLs are equal.
    Distinct {
        /// The input.
        input: Box<Plan>,
        /// `None`: compares all columns. `Some`: compares these, and returns the first row of each group in the input's
        /// order (DISTINCT ON).
        on: Option<Vec<ColumnId>>,
    },
    /// The input's rows, of which some may be dropped that equal another one; a [`Plan::Distinct`] above makes them
    /// distinct. The executor drops those that it finds at little cost.
    PartialDistinct {
        /// The input.
        input: Box<Plan>,
    },
    /// UNION ALL, INTERSECT and EXCEPT of inputs whose columns correspond by position and have equal types.
    /// UNION DISTINCT is a [`Plan::Distinct`] above.
    SetOperation {
        /// The operation.
        kind: SetOperationKind,
        /// Two or more inputs for a union, two for the others.
        inputs: Vec<Plan>,
        /// The output columns; they correspond to the inputs' columns by position.
        fields: Vec<Field>,
    },
    /// The input's columns, and the elements of arrays as rows. Several arrays of one row are unnested in parallel, the
    /// shorter ones padded with NULL.
    Unnest {
        /// The input.
        input: Box<Plan>,
        /// Each array with its columns: one, or for an array of rows one per field of the row.
        arrays: Vec<(Expr, Vec<Field>)>,
        /// WITH ORDINALITY: 1, 2, … as bigint.
        ordinality: Option<Field>,
        /// LEFT JOIN UNNEST: a row without elements is returned once, with NULLs.
        is_outer: bool,
    },
    /// Exactly one row: a row of NULLs for an empty input, the error `SUBQUERY_MULTIPLE_ROWS` for more than one row.
    EnforceSingleRow {
        /// The input.
        input: Box<Plan>,
    },
}

/// A table scan with the columns that are read.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// Index into `Analyzed::tables`.
    pub table: usize,
    /// Each field, with the column's name in the file.
    pub columns: Vec<(Field, String)>,
    /// The number of rows of the table, if the files' metadata contains it.
    pub row_count: Option<u64>,
}

/// A join. Rows match if all keys are equal (NULL matches nothing unless the key allows it) and the residual is TRUE. A
/// cross join is `Inner` without keys and residual.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    /// The kind of join.
    pub kind: JoinKind,
    /// The left side; its columns come first.
    pub left: Box<Plan>,
    /// The right side; its columns follow. Semi and anti joins return none of them.
    pub right: Box<Plan>,
    /// The equi-join keys.
    pub keys: Vec<JoinKey>,
    /// A further condition over columns of both sides.
    pub residual: Option<Expr>,
}

/// Kinds of joins, by the rows that they return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// The matching pairs.
    Inner,
    /// The matching pairs, and left rows without a match, once, with NULLs.
    Left,
    /// The matching pairs, and right rows without a match, once, with NULLs.
    Right,
    /// The matching pairs, and rows of both sides without a match, once, with NULLs.
    Full,
    /// As `Left`; a left row with more than one match is the error `SUBQUERY_MULTIPLE_ROWS`.
    Single,
    /// The left rows with a match, each once; left columns only.
    Semi,
    /// The left rows without a match; left columns only. NULL keys match nothing, so left rows with NULL keys are
    /// returned.
    Anti,
}

/// An equality between the sides of a join; both expressions have the same type.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinKey {
    /// The key over the left columns.
    pub left: Expr,
    /// The key over the right columns.
    pub right: Expr,
    /// Whether NULL equals NULL (IS NOT DISTINCT FROM).
    pub null_equals_null: bool,
}

/// The left columns and `mark`. The candidates of a left row are the right rows for which `keys` and `residual` hold,
/// as in a join. Without `in_key` the mark is TRUE if there is a candidate, and never NULL. With `in_key` it is TRUE if
/// a candidate's key equals the left key; otherwise NULL if there is a candidate and the left key is NULL, or a
/// candidate with a NULL key; otherwise FALSE.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkJoin {
    /// The left side, each row of which is returned once.
    pub left: Box<Plan>,
    /// The subquery's rows.
    pub right: Box<Plan>,
    /// The correlation by equalities.
    pub keys: Vec<JoinKey>,
    /// The correlation by other conditions.
    pub residual: Option<Expr>,
    /// The comparison of IN.
    pub in_key: Option<JoinKey>,
    /// The boolean column.
    pub mark: Field,
}

/// Grouping. Without keys it returns one row, even for an empty input. Grouping sets are a union of these over a shared
/// input.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// The input.
    pub input: Box<Plan>,
    /// Grouping columns of the input (NULLs are one group). They come first in the output, under their ids.
    pub keys: Vec<ColumnId>,
    /// The aggregates, one output column each.
    pub aggregates: Vec<AggregateCall>,
}

/// One aggregate function over the rows of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateCall {
    /// The output column.
    pub output: Field,
    /// The function.
    pub function: AggregateFunction,
    /// The arguments, already converted to the types that the function takes.
    pub args: Vec<Expr>,
    /// DISTINCT: each distinct tuple of arguments is used once.
    pub is_distinct: bool,
    /// FILTER: only rows for which this is TRUE are used.
    pub filter: Option<Expr>,
    /// The order of rows for array_agg, listagg and similar functions.
    pub order_by: Vec<SortKey>,
}

/// One window function.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowCall {
    /// The output column.
    pub output: Field,
    /// The function.
    pub function: WindowFunction,
    /// The arguments, already converted to the types that the function takes.
    pub args: Vec<Expr>,
    /// For aggregates: each distinct tuple of arguments in the frame is used once.
    pub is_distinct: bool,
    /// For aggregates: the order of the frame's rows for array_agg, listagg and similar functions.
    pub argument_order: Vec<SortKey>,
    /// Whether lag, lead, first_value, last_value and nth_value skip NULLs.
    pub ignore_nulls: bool,
    /// For aggregates: only rows for which this is TRUE are used.
    pub filter: Option<Expr>,
    /// Rows with equal values are one partition; NULLs are equal.
    pub partition_by: Vec<Expr>,
    /// The order within a partition.
    pub order_by: Vec<SortKey>,
    /// The frame.
    pub frame: Frame,
}

impl WindowCall {
    /// A call of rank(), row_number() or another ranking function over all rows, unordered.
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

    /// The expressions that it is computed from.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.args
            .iter()
            .chain(self.argument_order.iter().map(|key| &key.expr))
            .chain(&self.filter)
            .chain(&self.partition_by)
            .chain(self.order_by.iter().map(|key| &key.expr))
            .chain(self.frame.expressions())
    }

    /// The expressions that it is computed from, mutable.
    pub fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.args
            .iter_mut()
            .chain(self.argument_order.iter_mut().map(|key| &mut key.expr))
            .chain(&mut self.filter)
            .chain(&mut self.partition_by)
            .chain(self.order_by.iter_mut().map(|key| &mut key.expr))
            .chain(self.frame.expressions_mut())
    }

    /// Whether another call has the same results.
    pub fn is_same(&self, other: &Self) -> bool {
        let Self { output: _, function, args, is_distinct, argument_order, ignore_nulls, filter, .. } = self;
        let Self { partition_by, order_by, frame, .. } = self;
        *function == other.function
            && *args == other.args
            && *is_distinct == other.is_distinct
            && *argument_order == other.argument_order
            && *ignore_nulls == other.ignore_nulls
            && *filter == other.filter
            && *partition_by == other.partition_by
            && *order_by == other.order_by
            && *frame == other.frame
            && !self.expressions().any(Expr::is_random)
    }

    /// Whether it gives each row of the input a number of its own.
    pub fn numbers_rows(&self) -> bool {
        self.function == WindowFunction::Ranking(RankingFunction::RowNumber) && self.partition_by.is_empty()
    }
}

/// The rows around the current one that a window function uses.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The unit of the bounds.
    pub unit: FrameUnit,
    /// The first row.
    pub start: FrameBound,
    /// The last row.
    pub end: FrameBound,
}

/// Unit of a frame's bounds. The default frame is RANGE from unbounded preceding to the current row, which
/// without ORDER BY is the whole partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameUnit {
    /// Rows.
    Rows,
    /// Values of the single sort key; the current row includes all its peers.
    Range,
    /// Groups of peers.
    Groups,
}

/// A bound of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameBound {
    /// The first row of the partition.
    UnboundedPreceding,
    /// This number of units before; for RANGE a value that is subtracted from the sort key.
    Preceding(Box<Expr>),
    /// The current row, with RANGE and GROUPS including its peers.
    CurrentRow,
    /// This number of units after; for RANGE a value that is added to the sort key.
    Following(Box<Expr>),
    /// The last row of the partition.
    UnboundedFollowing,
}

/// Set operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOperationKind {
    /// All rows of all inputs.
    UnionAll,
    /// The distinct rows that both inputs have.
    Intersect,
    /// Each row as often as in the input that has it less often.
    IntersectAll,
    /// The distinct rows of the left input that the right input does not have.
    Except,
    /// Each row of the left input, as many times as its count there exceeds that in the right input.
    ExceptAll,
}
