//! Columns that are computed before an expression. Polars' expressions are trees: a subexpression that is used twice is
//! copied, and nested copies double the plan each time. A chain of conditions, each the guard of the next one, would
//! grow exponentially; therefore a large subexpression becomes a column, and the column is copied.

use std::collections::HashSet;

use polars::prelude::{DataType, Expr, LazyFrame, PlSmallStr, col, len, lit};
use rowhouse_model::ErrorLocation;

use super::Guard;
use super::repeated::Repeated;

/// Maximum number of nodes of an expression that is copied.
const MAX_COPIED_NODES: usize = 24;

/// The columns, each computed from those before it.
#[derive(Debug)]
pub(crate) struct Staged {
    prefix: PlSmallStr,
    columns: Vec<Expr>,
    /// Whether a column before all others has the numbers of the rows.
    has_row_numbers: bool,
    /// Whether expressions without columns are folded. It is false inside an expression that is being folded: parts
    /// that cannot be constants, such as rows and divisions by zero, would be computed again at each level.
    pub(super) is_folding: bool,
    /// Whether expressions over one column are evaluated by distinct value. It is false inside such an expression, and
    /// for the frames of lambda expressions.
    pub(super) is_dictionary_aware: bool,
    /// What the expression that is being lowered repeats.
    pub(super) repeated: Repeated,
    /// The columns of random values by the place of their call, each for the rows of a guard.
    drawn: Vec<(ErrorLocation, Guard, Expr)>,
}

impl Staged {
    /// Creates an empty list. The columns' names begin with `prefix`; no other column's name may begin with it.
    pub(crate) fn new(prefix: PlSmallStr) -> Self {
        let repeated = Repeated::default();
        let drawn = Vec::new();
        Self {
            prefix,
            columns: Vec::new(),
            has_row_numbers: false,
            is_folding: true,
            is_dictionary_aware: true,
            repeated,
            drawn,
        }
    }

    /// Creates an empty list for a frame inside the evaluation of `around`'s expression.
    pub(super) fn within(around: &Self, prefix: PlSmallStr) -> Self {
        Self { is_folding: around.is_folding, is_dictionary_aware: false, ..Self::new(prefix) }
    }

    /// Adds the columns to a frame, those that need none of each other in one step: each step has a schema of its own in
    /// Polars' plan.
    pub(crate) fn apply(self, frame: LazyFrame) -> LazyFrame {
        let (mut frame, mut step, mut names) = (frame, Vec::new(), HashSet::new());
        for column in self.into_columns() {
            if (&column).into_iter().any(|part| matches!(part, Expr::Column(name) if names.contains(name))) {
                frame = frame.with_columns(std::mem::take(&mut step));
                names.clear();
            }
            if let Expr::Alias(_, name) = &column {
                names.insert(name.clone());
            }
            step.push(column);
        }
        if step.is_empty() { frame } else { frame.with_columns(step) }
    }

    /// The columns with their names.
    pub(crate) fn into_columns(self) -> Vec<Expr> {
        // Not a row index: Polars takes its input for one of no columns, and a row of constants below it would be lost.
        let numbers = self.has_row_numbers.then(|| {
            let rows = len().cast(DataType::Int64);
            polars::lazy::dsl::int_range(lit(0i64), rows, 1, DataType::Int64).alias(self.row_numbers_name())
        });
        numbers.into_iter().chain(self.columns).collect()
    }

    /// A column without NULLs and with as many rows as the frame, of which functions compute a value for each row. It is
    /// one for all of them: a range of numbers in each expression would be a pass of its own over the rows.
    pub(super) fn row_numbers(&mut self) -> Expr {
        self.has_row_numbers = true;
        col(self.row_numbers_name())
    }

    fn row_numbers_name(&self) -> PlSmallStr {
        format!("{}.rows", self.prefix).into()
    }

    /// Adds an expression as a column, and returns the column.
    pub(crate) fn column(&mut self, value: Expr) -> Expr {
        let name: PlSmallStr = format!("{}.{}", self.prefix, self.columns.len()).into();
        self.columns.push(value.alias(name.clone()));
        col(name)
    }

    /// The random values that the call at this place has in these rows, if they are drawn already: BETWEEN, CASE and others
    /// repeat their operands, and a call has one value for each row.
    pub(super) fn drawn(&self, place: Option<ErrorLocation>, guard: &Guard) -> Option<Expr> {
        let is_same =
            |(known, rows, _): &&(ErrorLocation, Guard, Expr)| Some(*known) == place && rows == guard;
        self.drawn.iter().find(is_same).map(|(.., value)| value.clone())
    }

    /// Draws random values: they become a column, which may be copied.
    pub(super) fn draw(&mut self, value: Expr, place: Option<ErrorLocation>, guard: &Guard) -> Expr {
        let column = self.column(value);
        self.drawn.extend(place.map(|place| (place, guard.clone(), column.clone())));
        column
    }

    /// The value in a form that may be copied: itself if it is small, otherwise a column.
    pub(super) fn copyable(&mut self, value: Expr) -> Expr {
        if (&value).into_iter().nth(MAX_COPIED_NODES).is_some() { self.column(value) } else { value }
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::{DataFrame, DataType, IntoLazy, lit};

    use super::Staged;

    #[test]
    fn columns_that_need_none_of_each_other_are_one_step() {
        let mut staged = Staged::new("s".into());
        let numbers = staged.row_numbers();
        let values: Vec<_> = (0..100_i64).map(|value| staged.column(numbers.clone() + lit(value))).collect();
        let _ = staged.column(values[99].clone() + values[0].clone());
        let _ = staged.column(lit(1_i64));
        let frame = staged.apply(DataFrame::empty_with_height(3).lazy());
        let plan = frame.describe_plan().expect("a plan");
        assert_eq!(plan.matches("WITH_COLUMNS").count(), 3, "{plan}");
        let columns = frame.collect().expect("rows");
        let last =
            columns.column("s.100").and_then(|column| column.cast(&DataType::Int64)).expect("a column");
        assert_eq!(last.i64().expect("integers").get(2), Some(103));
    }
}
