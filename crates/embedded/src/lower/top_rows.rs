//! Candidates of a top-k. Of rows that a sort under a LIMIT reads from joins, groups or windows, those are dropped that
//! come after enough other rows by the first key alone: comparing one number costs less than Polars' top-k, which
//! encodes and compares all keys of a row.

use std::sync::{Arc, Mutex, PoisonError};

use polars::lazy::frame::OptFlags;
use polars::prelude::{
    BooleanChunked, Column, DataFrame, LazyFrame, NewChunkedArray as _, PlSmallStr, PolarsResult, lit,
};
use rowhouse_sql::expr::{Expr, SortKey};
use rowhouse_sql::plan::Plan;
use rowhouse_sql::types::Type;

use super::window::longs;
use crate::column::column_name;
use crate::numeric::single;

/// Maximum number of rows of a top-k for which candidates are selected.
const MAX_ROWS: usize = 10_000;
/// Minimum ratio of a batch's rows to those of the top-k.
const MIN_RATIO: usize = 4;

/// The first key of a sort, and the rows that are wanted.
#[derive(Clone, Debug)]
pub(super) struct Top {
    /// The column of the key.
    pub(super) name: PlSmallStr,
    data_type: Type,
    is_descending: bool,
    nulls_last: bool,
    /// OFFSET and LIMIT together.
    pub(super) rows: usize,
}

impl Top {
    /// `None` if candidates cannot be selected by the key.
    pub(super) fn of(key: &SortKey, rows: u64) -> Option<Self> {
        let data_type = &key.expr.data_type;
        let is_number = data_type.is_integer()
            || matches!(data_type, Type::Date | Type::Decimal { .. } | Type::Timestamp { .. });
        let rows = usize::try_from(rows).ok().filter(|rows| is_number && (1..=MAX_ROWS).contains(rows))?;
        Some(Self {
            name: column_name(key.expr.as_column()?),
            data_type: data_type.clone(),
            is_descending: key.is_descending,
            nulls_last: !key.nulls_first,
            rows,
        })
    }
}

/// Whether the rows are those of an operator that does not read a dynamic filter of Polars' own top-k, as a scan does,
/// and are the same if the statement is run again, because the bound is kept.
pub(super) fn has_candidates(plan: &Plan) -> bool {
    let mut varies = false;
    plan.visit(&mut |node| {
        varies |= matches!(node, Plan::Limit { .. }) || node.expressions().into_iter().any(Expr::is_random);
    });
    !varies && is_computed(plan)
}

fn is_computed(plan: &Plan) -> bool {
    match plan {
        Plan::Aggregate(_) | Plan::Distinct { .. } | Plan::Window { .. } | Plan::Join(_) => true,
        Plan::SetOperation { inputs, .. } => inputs.iter().all(is_computed),
        Plan::Project { input, .. } | Plan::Filter { input, .. } => is_computed(input),
        _ => false,
    }
}

/// The rows of a frame that can be among the first ones. Polars merges functions over equal frames, so an additional
/// column has the name `own_name`, which no other frame of the statement has.
pub(super) fn candidates(frame: LazyFrame, top: Top, own_name: PlSmallStr) -> LazyFrame {
    // The rank of the worst row that is known to be enough, among all batches.
    let bound: Arc<Mutex<Option<i128>>> = Arc::default();
    let frame = frame.with_column(lit(0_i8).alias(own_name));
    let step = move |batch: DataFrame| select(batch, &top, &bound);
    frame.map(step, OptFlags::STREAMING, None, Some("candidates of a top-k"))
}

fn select(batch: DataFrame, top: &Top, bound: &Mutex<Option<i128>>) -> PolarsResult<DataFrame> {
    if batch.height() == 0 {
        return no_constants_without_rows(batch);
    }
    let ranks = ranks(&batch, top)?;
    let own = (ranks.len() / MIN_RATIO >= top.rows).then(|| {
        let mut ranks = ranks.clone();
        *ranks.select_nth_unstable(top.rows - 1).1
    });
    let least = {
        let mut bound = bound.lock().unwrap_or_else(PoisonError::into_inner);
        *bound = [*bound, own].into_iter().flatten().min();
        *bound
    };
    let Some(least) = least else { return Ok(batch) };
    let kept =
        BooleanChunked::from_iter_values(PlSmallStr::EMPTY, ranks.into_iter().map(|rank| rank <= least));
    no_constants_without_rows(batch.filter(&kept)?)
}

/// A number for each row that is smaller the earlier the row comes by its first key.
fn ranks(batch: &DataFrame, top: &Top) -> PolarsResult<Vec<i128>> {
    let values = batch.column(&top.name)?.as_materialized_series();
    let of_null = if top.nulls_last { i128::MAX } else { i128::MIN };
    // The complement reverses the order of all numbers.
    let rank = |number: i128| if top.is_descending { !number } else { number };
    let rank = |number: Option<i128>| number.map_or(of_null, rank);
    Ok(match &top.data_type {
        Type::Decimal { .. } => {
            let numbers = single(values.to_physical_repr().i128()?);
            numbers.iter().map(|number| rank(number.copied())).collect()
        }
        _ => longs(values)?.iter().map(|number| rank(number.map(|number| i128::from(*number)))).collect(),
    })
}

/// In a batch without rows, columns must not be constants.
pub(super) fn no_constants_without_rows(frame: DataFrame) -> PolarsResult<DataFrame> {
    if frame.height() > 0 {
        return Ok(frame);
    }
    let columns = frame.columns().iter().map(|column| Column::from(column.as_materialized_series().clone()));
    DataFrame::new(0, columns.collect())
}

#[cfg(test)]
mod tests {
    use polars::prelude::df;

    use super::*;

    fn top(is_descending: bool, nulls_last: bool) -> Top {
        Top { name: "n".into(), data_type: Type::BigInt, is_descending, nulls_last, rows: 2 }
    }

    fn selected(top: &Top, bound: &Mutex<Option<i128>>, values: &[Option<i64>]) -> Vec<Option<i64>> {
        let batch = df!("n" => values).expect("a frame");
        let kept = select(batch, top, bound).expect("rows");
        kept.column("n").expect("the key").i64().expect("numbers").iter().collect()
    }

    #[test]
    fn rows_after_enough_others_of_any_batch_are_dropped_and_equal_ones_are_not() {
        let numbers = |numbers: &[i64]| numbers.iter().copied().map(Some).collect::<Vec<_>>();
        let bound = Mutex::new(None);
        let first = numbers(&[5, 1, 9, 9, i64::MIN, 8, 9, 2]);
        assert_eq!(selected(&top(true, true), &bound, &first), numbers(&[9, 9, 9]));
        // A batch that is too small for a bound of its own is judged by that of another.
        assert_eq!(selected(&top(true, true), &bound, &numbers(&[3, i64::MAX, 9])), numbers(&[i64::MAX, 9]));
        let bound = Mutex::new(None);
        assert_eq!(selected(&top(false, true), &bound, &numbers(&[3, 2])), numbers(&[3, 2]));
        assert_eq!(selected(&top(false, true), &bound, &first), numbers(&[1, i64::MIN]));
    }

    #[test]
    fn nulls_are_kept_where_they_come_first() {
        let values = [Some(1), None, Some(7), Some(3), None, Some(2), None, Some(9)];
        assert_eq!(selected(&top(true, false), &Mutex::new(None), &values), [None, None, None]);
        assert_eq!(selected(&top(true, true), &Mutex::new(None), &values), [Some(7), Some(9)]);
        let few = [None, None, None, None, None, None, None, Some(9)];
        assert_eq!(selected(&top(true, true), &Mutex::new(None), &few).len(), 8);
    }
}
