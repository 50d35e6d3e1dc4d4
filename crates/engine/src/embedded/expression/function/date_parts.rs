//! Parts of dates and times, which queries group by: done by Polars' own kernels.

use polars::prelude::{DataType, Expr as PolarsExpr, lit};

use crate::embedded::date_time::wall_clock;
use crate::sql::expr::Expr;
use crate::sql::functions::ScalarFunction;
use crate::sql::types::Type;

/// The part as a bigint, where the function is one of these.
pub(super) fn date_part(
    function: ScalarFunction,
    lowered: &[PolarsExpr],
    args: &[Expr],
) -> Option<PolarsExpr> {
    use ScalarFunction as F;
    let data_type = &args.first()?.data_type;
    let value = lowered.first()?.clone();
    if data_type.is_interval() {
        return interval_part(function, value.cast(DataType::Int64));
    }
    let local = match data_type {
        Type::TimestampWithTimeZone { precision, zone } => wall_clock(value, *precision, zone),
        _ => value,
    };
    let part = match function {
        F::Year => local.dt().year(),
        F::Quarter => local.dt().quarter(),
        F::Month => local.dt().month(),
        F::Week => local.dt().week(),
        F::Day => local.dt().day(),
        F::DayOfWeek => local.dt().weekday(),
        F::DayOfYear => local.dt().ordinal_day(),
        F::YearOfWeek => local.dt().iso_year(),
        F::Hour => local.dt().hour(),
        F::Minute => local.dt().minute(),
        F::Second => local.dt().second(),
        F::Millisecond => local.dt().nanosecond().cast(DataType::Int64).floor_div(lit(1_000_000i64)),
        _ => return None,
    };
    Some(part.cast(DataType::Int64))
}

/// Parts of an interval keep its sign, as in Trino.
fn interval_part(function: ScalarFunction, value: PolarsExpr) -> Option<PolarsExpr> {
    use ScalarFunction as F;
    let (divisor, modulus) = match function {
        F::Year => (12, i64::MAX),
        F::Month => (1, 12),
        F::Day => (86_400_000, i64::MAX),
        F::Hour => (3_600_000, 24),
        F::Minute => (60_000, 60),
        F::Second => (1000, 60),
        F::Millisecond => (1, 1000),
        _ => return None,
    };
    Some(crate::embedded::numeric::kernel(value, &[], DataType::Int64, move |columns| {
        let values = columns[0].as_materialized_series().i64()?;
        let parts: polars::prelude::Int64Chunked =
            polars::prelude::ChunkApply::apply_values(values, |value| value / divisor % modulus);
        Ok(polars::prelude::IntoColumn::into_column(polars::prelude::IntoSeries::into_series(parts)))
    }))
}
