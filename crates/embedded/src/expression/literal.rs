//! Constants of every type.

use polars::prelude::{AnyValue, DataType, Expr as PolarsExpr, LiteralValue, Scalar, TimeUnit, lit};

use super::super::data_type::{storage, time_unit};
use super::super::date_time::calendar::units_per_day;
use super::super::datum::{Datum, build};
use super::super::numeric::kernel;
use super::null;
use rowhouse_sql::expr::Value;
use rowhouse_sql::types::Type;

/// Days from the epoch, in either direction, of dates that are surely in Polars' calendar.
const MAX_CALENDAR_DAYS: i64 = 200_000 * 365;

/// A constant of a type.
pub(super) fn literal(value: &Value, data_type: &Type) -> PolarsExpr {
    of_datum(literal_datum(value), data_type).unwrap_or_else(|| null(data_type))
}

/// A literal as a value.
pub(crate) fn literal_datum(value: &Value) -> Datum<'static> {
    match value {
        Value::Null => Datum::Null,
        Value::Boolean(value) => Datum::Boolean(*value),
        Value::Integer(value)
        | Value::Time(value)
        | Value::Timestamp(value)
        | Value::IntervalDayToSecond(value)
        | Value::IntervalYearToMonth(value) => Datum::Integer(*value),
        Value::Date(days) => Datum::Integer(i64::from(*days)),
        Value::Decimal(value) => Datum::Decimal(*value),
        Value::Double(value) => Datum::Double(*value),
        Value::Varchar(text) => Datum::Text(text.clone().into()),
        Value::Varbinary(bytes) => Datum::Binary(bytes.clone().into()),
    }
}

/// The literal's value of a type; `None` if the type has no literals.
pub(super) fn value_of(datum: Datum<'static>, data_type: &Type) -> Option<Value> {
    Some(match (datum, data_type) {
        (Datum::Null, _) => Value::Null,
        (Datum::Boolean(value), Type::Boolean) => Value::Boolean(value),
        (Datum::Integer(value), data_type) if data_type.is_integer() => Value::Integer(value),
        (Datum::Integer(days), Type::Date) => Value::Date(i32::try_from(days).ok()?),
        (Datum::Integer(units), Type::Timestamp { .. }) => Value::Timestamp(units),
        (Datum::Decimal(value), Type::Decimal { .. }) => Value::Decimal(value),
        (Datum::Double(value), Type::Double | Type::Real) => Value::Double(value),
        (Datum::Text(text), Type::Varchar { .. }) => Value::Varchar(text.into_owned()),
        _ => return None,
    })
}

/// The units of a date or timestamp in a year beyond 200,000.
fn beyond_the_calendar(datum: &Datum<'_>, data_type: &Type) -> Option<i64> {
    let per_day = match data_type {
        Type::Date => 1,
        Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. } => units_per_day(data_type),
        _ => return None,
    };
    match datum {
        Datum::Integer(units) if (units / per_day).abs() > MAX_CALENDAR_DAYS => Some(*units),
        _ => None,
    }
}

/// A value as a constant; `None` if Polars has no such constant.
pub(super) fn of_datum(datum: Datum<'static>, data_type: &Type) -> Option<PolarsExpr> {
    let stored = storage(data_type);
    if let Some(units) = beyond_the_calendar(&datum, data_type) {
        // When a statement fails, Polars prints its constants, and panics if the date is not in its calendar.
        let constant = lit(units).cast(DataType::Int64);
        let to = stored.clone();
        return Some(kernel(constant, &[], stored, move |columns| match to {
            DataType::Date => columns[0].cast(&DataType::Int32)?.cast(&to),
            _ => columns[0].cast(&to),
        }));
    }
    let value = match (datum, &stored) {
        (Datum::Null, _) => return Some(null(data_type)),
        (Datum::Boolean(value), _) => AnyValue::Boolean(value),
        (Datum::Integer(value), DataType::Int8) => AnyValue::Int8(i8::try_from(value).ok()?),
        (Datum::Integer(value), DataType::Int16) => AnyValue::Int16(i16::try_from(value).ok()?),
        (Datum::Integer(value), DataType::Int32) => AnyValue::Int32(i32::try_from(value).ok()?),
        (Datum::Integer(value), DataType::Date) => AnyValue::Date(i32::try_from(value).ok()?),
        (Datum::Integer(value), DataType::Time) => AnyValue::Time(value),
        (Datum::Integer(value), DataType::Duration(_)) => AnyValue::Duration(value, TimeUnit::Milliseconds),
        (Datum::Integer(value), DataType::Datetime(_, zone)) => {
            let unit = match data_type {
                Type::Timestamp { precision } | Type::TimestampWithTimeZone { precision, .. } => {
                    time_unit(*precision)
                }
                _ => TimeUnit::Milliseconds,
            };
            AnyValue::DatetimeOwned(value, unit, zone.clone().map(std::sync::Arc::new))
        }
        (Datum::Integer(value), _) => AnyValue::Int64(value),
        (Datum::Decimal(value), DataType::Decimal(precision, scale)) => {
            AnyValue::Decimal(value, *precision, *scale)
        }
        #[expect(clippy::cast_possible_truncation, reason = "a real is rounded to its own precision")]
        (Datum::Double(value), DataType::Float32) => AnyValue::Float32(value as f32),
        (Datum::Double(value), _) => AnyValue::Float64(value),
        (Datum::Text(text), _) => AnyValue::StringOwned(text.as_ref().into()),
        (Datum::Binary(bytes), _) => AnyValue::BinaryOwned(bytes.into_owned()),
        (datum @ Datum::Array(_), _) => {
            let Type::Array(element) = data_type else { return None };
            let Datum::Array(elements) = datum else { return None };
            AnyValue::List(build("".into(), elements, element).ok()?)
        }
        _ => return None,
    };
    Some(PolarsExpr::Literal(LiteralValue::Scalar(Scalar::new(stored, value))))
}
