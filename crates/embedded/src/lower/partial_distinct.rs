//! Partial DISTINCT: of rows that follow each other with equal values one is kept. Lines of one sale, or events of one
//! session, are stored one after the other in most tables.

use polars::lazy::frame::OptFlags;
use polars::prelude::{
    BooleanChunked, ChunkCompareEq as _, ChunkFull as _, DataFrame, Expr, LazyFrame, PlSmallStr,
    PolarsResult, lit,
};
use rowhouse_model::QueryError;
use rowhouse_sql::plan::Plan;

use super::Lowering;
use crate::column::{column, column_name};

/// The number of rows by which a batch is judged.
const SAMPLE_ROWS: usize = 4_096;
/// A batch is passed on as it is if more than this part of its sample is kept: to copy the rest costs as much as to
/// look up the duplicates further above.
const MAX_KEPT: f64 = 0.75;

impl Lowering<'_> {
    pub(super) fn partial_distinct(&mut self, input: &Plan) -> Result<LazyFrame, QueryError> {
        let names: Vec<PlSmallStr> = input.fields().iter().map(|field| column_name(field.id)).collect();
        // Polars merges functions over equal frames, and knows these columns by their names alone.
        let own = lit(0_i8).alias(self.temporary());
        let columns: Vec<Expr> = input.fields().iter().map(|field| column(field.id)).chain([own]).collect();
        let frame = self.lower(input)?.select(columns);
        let step = move |batch: DataFrame| without_adjacent_duplicates(batch, &names);
        Ok(frame.map(step, OptFlags::STREAMING, None, Some("partial distinct")))
    }
}

/// The rows of a batch that differ from the row before in one of the columns.
fn without_adjacent_duplicates(batch: DataFrame, names: &[PlSmallStr]) -> PolarsResult<DataFrame> {
    if batch.height() > SAMPLE_ROWS {
        let sample = batch.slice(0, SAMPLE_ROWS);
        let kept = new_values(&sample, names)?.sum().unwrap_or(0);
        if f64::from(kept) > MAX_KEPT * f64::from(u32::try_from(SAMPLE_ROWS).unwrap_or(u32::MAX)) {
            return Ok(batch);
        }
    }
    let kept = new_values(&batch, names)?;
    batch.filter(&kept)
}

/// Whether each row differs from the row before. NULLs are equal.
fn new_values(batch: &DataFrame, names: &[PlSmallStr]) -> PolarsResult<BooleanChunked> {
    let rows = batch.height();
    let mut new = BooleanChunked::full(PlSmallStr::EMPTY, true, rows.min(1));
    let Some(pairs) = rows.checked_sub(1).filter(|pairs| *pairs > 0) else { return Ok(new) };
    let mut is_other: Option<BooleanChunked> = None;
    for name in names {
        let values = batch.column(name)?.as_materialized_series();
        let (before, after) = (values.slice(0, pairs), values.slice(1, pairs));
        let differs = after.not_equal_missing(&before)?;
        is_other = Some(match is_other {
            Some(other) => other | differs,
            None => differs,
        });
    }
    match is_other {
        Some(is_other) => new.append(&is_other)?,
        None => new.append(&BooleanChunked::full(PlSmallStr::EMPTY, false, pairs))?,
    }
    Ok(new.rechunk().into_owned())
}
