//! Casts that the planner takes for infallible have a value for the extreme values of each type.

use polars::prelude::{DataFrame, IntoLazy, col};

use super::*;
use crate::datum::build;
use crate::numeric::power_of_ten;
use rowhouse_sql::types::{can_cast, cast_never_fails, parse_type};

/// Extreme values of a type, and some between them.
fn extremes(data_type: &Type) -> Vec<Datum<'static>> {
    match data_type {
        Type::Boolean => [true, false].map(Datum::Boolean).to_vec(),
        Type::TinyInt => [i64::from(i8::MIN), -1, 0, i64::from(i8::MAX)].map(Datum::Integer).to_vec(),
        Type::SmallInt => [i64::from(i16::MIN), 0, i64::from(i16::MAX)].map(Datum::Integer).to_vec(),
        Type::Integer => [i64::from(i32::MIN), 0, i64::from(i32::MAX)].map(Datum::Integer).to_vec(),
        Type::BigInt => [i64::MIN, -1, 0, 1, i64::MAX].map(Datum::Integer).to_vec(),
        Type::Real => [f64::from(f32::MIN), -0.0, f64::from(f32::MAX), f64::NAN, f64::INFINITY]
            .map(Datum::Double)
            .to_vec(),
        Type::Double => [f64::MIN, -0.0, f64::MAX, f64::NAN, f64::NEG_INFINITY].map(Datum::Double).to_vec(),
        Type::Decimal { precision, .. } => {
            let most = power_of_ten(*precision) - 1;
            [-most, -5, 0, 5, most].map(Datum::Decimal).to_vec()
        }
        Type::Varchar { .. } | Type::Char { .. } => ["", "é x", "日本語"].map(Datum::from_text).to_vec(),
        // Dates that a timestamp holds; see `cast_never_fails`.
        Type::Date => [-25_000_000, -1, 0, 25_000_000].map(Datum::Integer).to_vec(),
        Type::Time { precision } => {
            let last = i64::pow(10, u32::from(*precision)) * 86_400 - 1;
            [0, last].map(Datum::Integer).to_vec()
        }
        Type::Timestamp { precision } => {
            let days = if *precision > 6 { 100_000 } else { 100_000_000 };
            [-days * units_per_day(data_type) + 1, -1, 0, 1, days * units_per_day(data_type) - 1]
                .map(Datum::Integer)
                .to_vec()
        }
        Type::IntervalDayToSecond | Type::IntervalYearToMonth => {
            [-1, 0, 1_000_000].map(Datum::Integer).to_vec()
        }
        _ => Vec::new(),
    }
}

#[test]
fn infallible_casts_have_a_value_for_extreme_values() {
    let names = [
        "boolean",
        "tinyint",
        "smallint",
        "integer",
        "bigint",
        "real",
        "double",
        "decimal(5,2)",
        "decimal(18,0)",
        "decimal(38,0)",
        "decimal(38,10)",
        "varchar",
        "varchar(2)",
        "varchar(21)",
        "char(4)",
        "date",
        "time(3)",
        "time(9)",
        "timestamp(0)",
        "timestamp(3)",
        "timestamp(6)",
        "timestamp(9)",
        "interval day to second",
        "interval year to month",
        "array(integer)",
        "array(varchar)",
    ];
    let types: Vec<Type> = names.iter().map(|name| parse_type(name).expect("a type")).collect();
    let mut checked = 0;
    for from in &types {
        let values = match from {
            Type::Array(element) => vec![Datum::Array(extremes(element))],
            from => extremes(from),
        };
        let series = build("value".into(), values, from).and_then(|series| series.cast(&storage(from)));
        let values: polars::prelude::Column = series.expect("values").into();
        let frame = DataFrame::new(values.len(), vec![values]).expect("a frame");
        for to in types.iter().filter(|to| can_cast(from, to)) {
            let is_infallible = cast_never_fails(from, to);
            let cast = cast_value(col("value"), from, to, false, &None);
            let evaluated = frame.clone().lazy().select([cast]).collect();
            assert!(!is_infallible || evaluated.is_ok(), "{from} to {to}: {evaluated:?}");
            checked += usize::from(is_infallible);
        }
    }
    assert!(checked >= 150, "{checked}");
}
