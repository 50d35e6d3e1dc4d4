//! CAST and TRY_CAST. Conversions that cannot fail and that Polars does as SQL does go to Polars; all others
//! go through `conversion.rs`, value by value.

use polars::prelude::{DataType, Expr as PolarsExpr, NonExistent, lit};
use rowhouse_model::{ErrorCode, QueryError};

use super::super::conversion::convert;
use super::super::data_type::{storage, time_unit, time_zone};
use super::super::datum::{Argument, Datum, Nulls, row_by_row};
use super::super::failure::raise;
use super::super::numeric::widened;
use super::{Guard, Staged, guarded, lower_guarded, null};
use crate::sql::expr::Expr;
use crate::sql::types::Type;

pub(super) fn cast(
    input: &Expr,
    to: &Type,
    is_try: bool,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let from = &input.data_type;
    if *from == Type::Unknown {
        return Ok(null(to));
    }
    let value = lower_guarded(input, guard, staged)?;
    if let Some(cast) = infallible(value.clone(), from, to) {
        return Ok(cast);
    }
    let guard = if is_try { &None } else { guard };
    let argument = Argument { value: guarded(value, from, guard), data_type: from.clone() };
    let (from, target) = (from.clone(), to.clone());
    Ok(row_by_row(vec![argument], to.clone(), Nulls::Propagate, move |row| {
        match convert(&row[0], &from, &target) {
            Ok(value) => Ok(value),
            Err(_) if is_try => Ok(Datum::Null),
            Err(message) => Err(raise(ErrorCode::InvalidCastArgument, message)),
        }
    }))
}

/// A conversion that fails for no value.
fn infallible(value: PolarsExpr, from: &Type, to: &Type) -> Option<PolarsExpr> {
    let stored = storage(to);
    if storage(from) == stored && !from.is_interval() {
        return Some(value);
    }
    Some(match (from, to) {
        (a, b) if a.is_integer() && b.is_integer() && a.as_decimal() < b.as_decimal() => value.cast(stored),
        (a, Type::Real | Type::Double) if a.is_numeric() => value.cast(stored),
        (a, Type::Decimal { precision, scale })
            if a.is_integer() && a.as_decimal().is_some_and(|(digits, _)| digits <= precision - scale) =>
        {
            value.cast(stored)
        }
        (Type::Decimal { precision: digits, scale: from_scale }, Type::Decimal { precision, scale })
            if scale >= from_scale && precision - scale >= digits - from_scale =>
        {
            widened(value, *from_scale, (*precision, *scale))
        }
        (Type::Boolean, b) if b.is_integer() || matches!(b, Type::Real | Type::Double) => value.cast(stored),
        (a, Type::Boolean) if a.is_integer() => value.neq(lit(0i64).cast(storage(a))),
        (a, Type::Varchar) if a.is_integer() => value.cast(stored),
        // Nanoseconds hold fewer years than other units.
        (_, Type::Timestamp { precision: 7.. } | Type::TimestampWithTimeZone { precision: 7.., .. }) => {
            return None;
        }
        (Type::Date, Type::Timestamp { .. }) => value.cast(stored),
        (Type::Timestamp { .. }, Type::Date) => value.cast(stored),
        (Type::Timestamp { precision: a }, Type::Timestamp { precision: b }) if a <= b => value.cast(stored),
        (Type::Timestamp { .. }, Type::Time { .. }) => value.dt().time(),
        (Type::Timestamp { precision: a }, Type::TimestampWithTimeZone { precision: b, .. }) if a <= b => {
            // The session's zone is UTC: the wall clock's time is the moment.
            value.cast(DataType::Datetime(time_unit(*b), None)).cast(DataType::Int64).cast(stored)
        }
        (Type::Date, Type::TimestampWithTimeZone { precision, .. }) => {
            value.cast(DataType::Datetime(time_unit(*precision), None)).cast(DataType::Int64).cast(stored)
        }
        (
            Type::TimestampWithTimeZone { precision: a, .. },
            Type::TimestampWithTimeZone { precision: b, zone },
        ) if a <= b => {
            let zoned = value.dt().convert_time_zone(time_zone(zone));
            zoned.dt().cast_time_unit(time_unit(*b))
        }
        (Type::TimestampWithTimeZone { precision: a, .. }, Type::Timestamp { precision: b }) if a <= b => {
            wall_clock(value).cast(stored)
        }
        (Type::TimestampWithTimeZone { .. }, Type::Date) => wall_clock(value).cast(stored),
        (Type::TimestampWithTimeZone { .. }, Type::Time { .. }) => wall_clock(value).dt().time(),
        _ => return None,
    })
}

/// The time on the wall clock of a zoned timestamp's zone.
fn wall_clock(value: PolarsExpr) -> PolarsExpr {
    value.dt().replace_time_zone(None, lit("raise"), NonExistent::Raise)
}
