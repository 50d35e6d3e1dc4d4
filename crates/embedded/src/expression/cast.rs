//! CAST and TRY_CAST. Polars runs the conversions that cannot fail and in which it agrees with SQL; `conversion.rs`
//! runs all others, value by value.

use polars::prelude::{
    ChunkAgg, DataType, Expr as PolarsExpr, IntoColumn, IntoSeries, StringChunkedBuilder, lit,
};
use rowhouse_model::{ErrorCode, QueryError};

use super::super::conversion::{convert, put_decimal, to_text};
use super::super::data_type::{storage, time_unit, time_zone};
use super::super::date_time::calendar::{precision, units_per_day};
use super::super::date_time::wall_clock;
use super::super::datum::{Argument, Datum, Nulls, row_by_row};
use super::super::failure::raise;
use super::super::numeric::{decimal_values, kernel, short_decimals_to_reals, widened};
use super::{Guard, Staged, guarded, lower_guarded, null};
use rowhouse_sql::expr::Expr;
use rowhouse_sql::types::{Type, UTC, most_characters};

pub(super) fn cast(
    input: &Expr,
    to: &Type,
    is_try: bool,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let value = lower_guarded(input, guard, staged)?;
    Ok(cast_value(value, &input.data_type, to, is_try, guard))
}

/// As [`cast`], for a lowered value.
pub(crate) fn cast_value(
    mut value: PolarsExpr,
    from: &Type,
    to: &Type,
    is_try: bool,
    guard: &Guard,
) -> PolarsExpr {
    let mut from = from.clone();
    if from == Type::Unknown {
        return null(to);
    }
    if let (
        Type::TimestampWithTimeZone { precision, zone },
        Type::Date | Type::Time { .. } | Type::Timestamp { .. },
    ) = (&from, to)
    {
        // Date and time are the local ones in the value's zone.
        value = wall_clock(value, *precision, zone.name());
        from = Type::Timestamp { precision: *precision };
    }
    if let Some(cast) = infallible(value.clone(), &from, to) {
        return cast;
    }
    let guard = if is_try { &None } else { guard };
    let argument = Argument { value: guarded(value, &from, guard), data_type: from.clone() };
    let target = to.clone();
    row_by_row(vec![argument], to.clone(), Nulls::Propagate, move |row| {
        match convert(&row[0], &from, &target) {
            Ok(value) => Ok(value),
            Err(_) if is_try => Ok(Datum::Null),
            Err(message) => Err(raise(fault(&row[0], &from, &target), message)),
        }
    })
}

/// Trino's error code for a value that cannot be cast. Numbers that are out of range of a smaller type than `bigint`
/// have another code, also in an array or a row.
fn fault(value: &Datum<'_>, from: &Type, to: &Type) -> ErrorCode {
    let is_small = matches!(to, Type::TinyInt | Type::SmallInt | Type::Integer);
    match (value, from, to) {
        (Datum::Integer(_), ..) if is_small => ErrorCode::NumericValueOutOfRange,
        (Datum::Double(number), ..) if is_small && !number.is_nan() => ErrorCode::NumericValueOutOfRange,
        (Datum::Array(elements), Type::Array(from), Type::Array(to)) => {
            let failing = elements.iter().find(|element| convert(element, from, to).is_err());
            failing.map_or(ErrorCode::InvalidCastArgument, |element| fault(element, from, to))
        }
        (Datum::Array(entries), Type::Map(key, value), Type::Map(to_key, to_value)) => {
            let sides = [(&**key, &**to_key), (&**value, &**to_value)];
            let parts = entries.iter().flat_map(|entry| entry.elements().iter().zip(sides));
            let mut failing = parts.filter(|(part, (from, to))| convert(part, from, to).is_err());
            let first = failing.next();
            first.map_or(ErrorCode::InvalidCastArgument, |(part, (from, to))| fault(part, from, to))
        }
        (Datum::Row(values), Type::Row(from), Type::Row(to)) => {
            let fields = from.iter().zip(to).map(|(from, to)| (&from.data_type, &to.data_type));
            let mut parts = values.iter().zip(fields);
            let failing = parts.find(|(value, (from, to))| convert(value, from, to).is_err());
            failing.map_or(ErrorCode::InvalidCastArgument, |(value, (from, to))| fault(value, from, to))
        }
        _ => ErrorCode::InvalidCastArgument,
    }
}

/// A date or timestamp that is checked against the range of the target type: 52 bits of milliseconds with a zone,
/// otherwise 64 bits of microseconds.
fn checked_range(value: PolarsExpr, from: &Type, to: &Type) -> PolarsExpr {
    let per_day = if *from == Type::Date { 1 } else { units_per_day(from) };
    let most_days: i64 = match to {
        Type::TimestampWithTimeZone { .. } => (1 << 51) / 86_400_000,
        _ => i64::MAX / 86_400_000_000,
    };
    let Some(most) = most_days.checked_mul(per_day) else { return value };
    let (from, to) = (from.clone(), to.clone());
    kernel(value, &[], storage(&from), move |columns| {
        let units = columns[0].as_materialized_series().to_physical_repr().cast(&DataType::Int64)?;
        let units = units.i64()?;
        match units.min().into_iter().chain(units.max()).find(|units| !(-most..most).contains(units)) {
            Some(units) => {
                let shown = to_text(&Datum::Integer(units), &from);
                Err(raise(ErrorCode::InvalidCastArgument, format!("Cannot cast {from} '{shown}' to {to}")))
            }
            None => Ok(columns[0].clone()),
        }
    })
}

/// The cast, if it fails for no value.
fn infallible(value: PolarsExpr, from: &Type, to: &Type) -> Option<PolarsExpr> {
    let stored = storage(to);
    if let (Type::Varchar { .. } | Type::Char { .. }, Type::Varchar { length: Some(length) }) = (from, to)
        && narrows(from, to)
    {
        return Some(value.str().slice(lit(0), lit(u64::from(*length))));
    }
    if narrows(from, to) {
        return None;
    }
    if storage(from) == stored && !from.is_interval() && !changes_values(from, to) {
        return Some(value);
    }
    Some(match (from, to) {
        (a, b) if a.is_integer() && b.is_integer() && a.as_decimal() < b.as_decimal() => value.cast(stored),
        // Up to 18 digits Trino divides two rounded numbers, as Polars does for doubles. Beyond, it takes the nearest
        // number.
        (Type::Decimal { precision: 19.., .. }, Type::Real | Type::Double) => return None,
        (Type::Decimal { precision, scale }, Type::Real) => {
            short_decimals_to_reals(value, *precision, *scale)
        }
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
        (number, Type::Varchar { length })
            if most_characters(number).is_some_and(|most| fits(most, *length)) =>
        {
            match number {
                Type::Decimal { scale, .. } => decimal_texts(value, *scale),
                _ => value.cast(stored),
            }
        }
        // Nanoseconds cover fewer years than other units.
        (_, Type::Timestamp { precision: 7.. } | Type::TimestampWithTimeZone { precision: 7.., .. }) => {
            return None;
        }
        (Type::Date, Type::Timestamp { .. }) => checked_range(value, from, to).cast(stored),
        (Type::Timestamp { .. }, Type::Date) => value.cast(stored),
        (Type::Timestamp { .. }, Type::Timestamp { .. }) => value.cast(stored),
        (Type::Timestamp { .. }, Type::Time { .. }) => value.dt().time(),
        // The same local time in another zone is another instant.
        (Type::Date | Type::Timestamp { .. }, Type::TimestampWithTimeZone { zone, .. })
            if zone.name() != UTC =>
        {
            return None;
        }
        (Type::Timestamp { .. }, Type::TimestampWithTimeZone { precision: b, .. }) => {
            let value = checked_range(value, from, to);
            value.cast(DataType::Datetime(time_unit(*b), None)).cast(DataType::Int64).cast(stored)
        }
        (Type::Date, Type::TimestampWithTimeZone { precision, .. }) => checked_range(value, from, to)
            .cast(DataType::Datetime(time_unit(*precision), None))
            .cast(DataType::Int64)
            .cast(stored),
        (Type::TimestampWithTimeZone { .. }, Type::TimestampWithTimeZone { precision: b, zone }) => {
            let zoned = value.dt().convert_time_zone(time_zone(zone.name()));
            zoned.dt().cast_time_unit(time_unit(*b))
        }
        _ => return None,
    })
}

/// The texts of decimals.
fn decimal_texts(value: PolarsExpr, scale: u8) -> PolarsExpr {
    kernel(value, &[], DataType::String, move |columns| {
        let values = decimal_values(&columns[0])?;
        let mut texts = StringChunkedBuilder::new(columns[0].name().clone(), values.len());
        let mut text = String::new();
        for value in values.iter() {
            text.clear();
            texts.append_option(value.map(|value| {
                put_decimal(&mut text, value, scale);
                text.as_str()
            }));
        }
        Ok(texts.finish().into_series().into_column())
    })
}

/// Whether a cast between types with equal storage changes values: between JSON, which is stored as text, and other
/// types, of texts that are padded, and of times with another offset.
fn changes_values(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Array(from), Type::Array(to)) => changes_values(from, to),
        (Type::Map(key, value), Type::Map(to_key, to_value)) => {
            changes_values(key, to_key) || changes_values(value, to_value)
        }
        (Type::Row(from), Type::Row(to)) => {
            from.iter().zip(to).any(|(from, to)| changes_values(&from.data_type, &to.data_type))
        }
        (Type::TimeWithTimeZone { .. }, Type::TimeWithTimeZone { .. }) => false,
        (from, to) => {
            let is_padded = matches!(to, Type::Char { .. });
            from != to && (is_padded || [from, to].iter().any(|part| is_of_its_own(part)))
        }
    }
}

const fn is_of_its_own(data_type: &Type) -> bool {
    matches!(data_type, Type::Json | Type::Uuid | Type::IpAddress | Type::TimeWithTimeZone { .. })
}

/// Whether this number of characters, or any number if `None`, fits a `varchar`.
fn fits(characters: impl Into<Option<u32>>, length: Option<u32>) -> bool {
    length.is_none_or(|length| characters.into().is_some_and(|characters| characters <= length))
}

/// Whether values may have characters or fractional digits that do not fit the other type.
fn narrows(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Array(from), Type::Array(to)) => narrows(from, to),
        (Type::Map(key, value), Type::Map(to_key, to_value)) => {
            narrows(key, to_key) || narrows(value, to_value)
        }
        (Type::Row(from), Type::Row(to)) => {
            from.iter().zip(to).any(|(from, to)| narrows(&from.data_type, &to.data_type))
        }
        (Type::Varchar { length: from }, Type::Varchar { length: to }) => !fits(*from, *to),
        (Type::Char { length: from }, Type::Varchar { length: to }) => !fits(*from, *to),
        _ => precision(from).zip(precision(to)).is_some_and(|(from, to)| to < from),
    }
}

#[cfg(test)]
mod tests;
