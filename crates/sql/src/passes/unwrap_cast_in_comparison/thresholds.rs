//! Where a non-decreasing function of a value reaches a constant, and where it passes it.

use rowhouse_model::calendar::{civil_from_days, days_from_civil};

use crate::analyze::literal::units_per_second;
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::types::{Type, can_coerce};

/// The values of a type as numbers: integers, unscaled decimals, days, units of a timestamp.
#[derive(Clone, Copy, Debug)]
pub(super) struct Domain {
    kind: Kind,
    least: i128,
    greatest: i128,
    /// The distance of neighbours.
    step: i128,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Integer,
    Decimal,
    Date,
    Timestamp,
}

/// The numbers from which on the function of them is not less than the constant, and greater than it. They may be outside of
/// the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thresholds {
    pub(super) reached: i128,
    pub(super) passed: i128,
}

impl Domain {
    /// The domain of a type whose values are numbers.
    pub(super) fn of(data_type: &Type) -> Option<Self> {
        let signed = |kind: Kind, bits: u32, step: i128| {
            let limit = 1_i128 << (bits - 1);
            Self { kind, least: ceiling(-limit, step), greatest: limit - 1, step }
        };
        Some(match data_type {
            Type::TinyInt => signed(Kind::Integer, 8, 1),
            Type::SmallInt => signed(Kind::Integer, 16, 1),
            Type::Integer => signed(Kind::Integer, 32, 1),
            Type::BigInt => signed(Kind::Integer, 64, 1),
            Type::Decimal { precision, .. } => {
                let greatest = 10_i128.pow(u32::from(*precision)) - 1;
                Self { kind: Kind::Decimal, least: -greatest, greatest, step: 1 }
            }
            Type::Date => signed(Kind::Date, 32, 1),
            Type::Timestamp { precision } => signed(Kind::Timestamp, 64, step(*precision)),
            _ => return None,
        })
    }

    /// Whether every value is at least this.
    pub(super) fn is_least(self, number: i128) -> bool {
        number <= self.least
    }

    /// Whether every value is less than this.
    pub(super) fn is_beyond(self, number: i128) -> bool {
        number > self.greatest
    }

    /// Whether one value of the domain is at least `reached` and less than `passed`.
    pub(super) fn is_one(self, reached: i128, passed: i128) -> bool {
        passed - reached == self.step && reached >= self.least && reached <= self.greatest
    }

    /// A value of the domain.
    pub(super) fn value(self, number: i128) -> Value {
        // OK because the domain is that of the value's own representation.
        let narrow = || i64::try_from(number).expect("a number of the domain");
        match self.kind {
            Kind::Integer => Value::Integer(narrow()),
            Kind::Decimal => Value::Decimal(number),
            Kind::Date => Value::Date(i32::try_from(number).expect("a number of the domain")),
            Kind::Timestamp => Value::Timestamp(narrow()),
        }
    }

    /// The first number of the domain from a number on.
    fn at_or_after(self, number: i128) -> i128 {
        ceiling(number, self.step)
    }
}

/// The argument of a non-decreasing function, and where the function reaches and passes a constant.
pub(super) fn thresholds(value: &Expr, constant: &Value) -> Option<(Expr, Thresholds)> {
    let (argument, found) = match &value.kind {
        ExprKind::Cast { input, is_try: false } => {
            (&**input, of_cast(&input.data_type, &value.data_type, constant)?)
        }
        ExprKind::Call { function: ScalarFunction::Year, args } => {
            let [argument] = args.as_slice() else { return None };
            (argument, of_year(&argument.data_type, constant)?)
        }
        ExprKind::Call { function: ScalarFunction::DateTrunc, args } => {
            let [unit, argument] = args.as_slice() else { return None };
            let Some(Value::Varchar(unit)) = unit.as_literal() else { return None };
            (argument, of_date_trunc(&unit.to_ascii_lowercase(), &argument.data_type, constant)?)
        }
        _ => return None,
    };
    let domain = Domain::of(&argument.data_type)?;
    let Thresholds { reached, passed } = found;
    let found = Thresholds { reached: domain.at_or_after(reached), passed: domain.at_or_after(passed) };
    Some((argument.clone(), found))
}

fn of_cast(from: &Type, to: &Type, constant: &Value) -> Option<Thresholds> {
    match (from, to, constant) {
        (Type::Timestamp { precision }, Type::Date, Value::Date(days)) => {
            let day = units_per_day(*precision);
            return Some(Thresholds {
                reached: i128::from(*days) * day,
                passed: (i128::from(*days) + 1) * day,
            });
        }
        _ if !can_coerce(from, to) => return None,
        _ => {}
    }
    Some(match (from, to, constant) {
        (Type::Date, Type::Timestamp { precision }, Value::Timestamp(units)) => {
            multiple_of((*units).into(), units_per_day(*precision))
        }
        (Type::Timestamp { precision: own }, Type::Timestamp { precision }, Value::Timestamp(units)) => {
            let factor = i128::from(units_per_second(*precision) / units_per_second(*own));
            multiple_of((*units).into(), factor)
        }
        (integer, wider, Value::Integer(number)) if integer.is_integer() && wider.is_integer() => {
            multiple_of((*number).into(), 1)
        }
        (integer, Type::Decimal { scale, .. }, Value::Decimal(unscaled)) if integer.is_integer() => {
            multiple_of(*unscaled, power_of_ten(*scale))
        }
        (Type::Decimal { scale: own, .. }, Type::Decimal { scale, .. }, Value::Decimal(unscaled)) => {
            multiple_of(*unscaled, power_of_ten(scale.checked_sub(*own)?))
        }
        (integer, Type::Double | Type::Real, Value::Double(number)) if integer.is_integer() => {
            // Up to here each integer is a number of the type, and no greater one is rounded to less.
            let limit = if *to == Type::Double { 9_007_199_254_740_992.0 } else { 16_777_216.0 };
            if number.is_nan() || number.abs() >= limit {
                return None;
            }
            #[expect(clippy::cast_possible_truncation, reason = "within 54 bits")]
            let (reached, passed) = (number.ceil() as i128, number.floor() as i128 + 1);
            Thresholds { reached, passed }
        }
        _ => return None,
    })
}

/// The thresholds of `x -> factor * x`.
fn multiple_of(constant: i128, factor: i128) -> Thresholds {
    let whole = constant.div_euclid(factor);
    let reached = if constant.rem_euclid(factor) == 0 { whole } else { whole + 1 };
    Thresholds { reached, passed: whole + 1 }
}

fn of_year(argument: &Type, constant: &Value) -> Option<Thresholds> {
    /// Years that every calendar here knows; other constants are left to the function.
    const YEARS: std::ops::RangeInclusive<i64> = -9999..=9999;
    let Value::Integer(year) = constant else { return None };
    if !YEARS.contains(year) {
        return None;
    }
    let of_day = units_of_day(argument)?;
    let first_day = |year: i64| i128::from(days_from_civil(year, 1, 1)) * of_day;
    Some(Thresholds { reached: first_day(*year), passed: first_day(year + 1) })
}

fn of_date_trunc(unit: &str, argument: &Type, constant: &Value) -> Option<Thresholds> {
    let (number, of_day) = match (argument, constant) {
        (Type::Date, Value::Date(days)) => (i128::from(*days), 1),
        (Type::Timestamp { precision }, Value::Timestamp(units)) => {
            (i128::from(*units), units_per_day(*precision))
        }
        _ => return None,
    };
    let within_day = match unit {
        "millisecond" => Some(86_400_000),
        "second" => Some(86_400),
        "minute" => Some(1440),
        "hour" => Some(24),
        _ => None,
    };
    let (start, next) = if let Some(parts) = within_day {
        // Dates have no time.
        if of_day == 1 {
            return None;
        }
        let length = of_day / parts;
        let start = number.div_euclid(length) * length;
        (start, start + length)
    } else {
        let day = i64::try_from(number.div_euclid(of_day)).ok()?;
        let (start, next) = period(unit, day)?;
        (i128::from(start) * of_day, i128::from(next) * of_day)
    };
    Some(Thresholds { reached: if start == number { start } else { next }, passed: next })
}

/// The first day of the period with a day, and of the next one.
fn period(unit: &str, day: i64) -> Option<(i64, i64)> {
    let (year, month, _) = civil_from_days(day);
    let months = |first: i64, count: i64| {
        let next = first + count - 1;
        (days_from_civil(year, first, 1), days_from_civil(year + next / 12, next % 12 + 1, 1))
    };
    Some(match unit {
        "day" => (day, day + 1),
        "week" => {
            // 1970-01-01 was a Thursday; weeks begin on Monday.
            let start = day - (day + 3).rem_euclid(7);
            (start, start + 7)
        }
        "month" => months(month, 1),
        "quarter" => months((month - 1) / 3 * 3 + 1, 3),
        "year" => months(1, 12),
        _ => return None,
    })
}

/// Numbers of the domain per day.
fn units_of_day(data_type: &Type) -> Option<i128> {
    match data_type {
        Type::Date => Some(1),
        Type::Timestamp { precision } => Some(units_per_day(*precision)),
        _ => None,
    }
}

fn units_per_day(precision: u8) -> i128 {
    i128::from(units_per_second(precision)) * 86_400
}

/// The distance of neighbouring timestamps, in units.
fn step(precision: u8) -> i128 {
    let per_second = i128::from(units_per_second(precision));
    (per_second / power_of_ten(precision.min(9))).max(1)
}

fn power_of_ten(exponent: u8) -> i128 {
    10_i128.pow(exponent.into())
}

/// The first multiple of a step from a number on.
fn ceiling(number: i128, step: i128) -> i128 {
    -(-number).div_euclid(step) * step
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(
        function: impl Fn(i128) -> i128,
        constant: i128,
        numbers: impl Iterator<Item = i128> + Clone,
    ) -> Thresholds {
        let first = |test: &dyn Fn(i128) -> bool| {
            numbers.clone().find(|number| test(function(*number))).expect("a number")
        };
        Thresholds { reached: first(&|value| value >= constant), passed: first(&|value| value > constant) }
    }

    #[test]
    fn multiples_are_reached_and_passed() {
        for constant in -25..25 {
            for factor in [1, 3, 10] {
                let expected = of(|number| number * factor, constant, -100..100);
                assert_eq!(multiple_of(constant, factor), expected, "{constant} {factor}");
            }
        }
    }

    #[test]
    fn periods_begin_where_their_days_are_truncated() {
        for unit in ["day", "week", "month", "quarter", "year"] {
            for day in -1000_i64..1000 {
                let (start, next) = period(unit, day).expect("a unit");
                assert!((start..next).contains(&day), "{unit} {day}");
                for other in start..next {
                    assert_eq!(period(unit, other), Some((start, next)), "{unit} {other}");
                }
            }
        }
        assert_eq!(period("week", 4), Some((4, 11)), "a Monday");
        assert_eq!(period("century", 4), None);
    }

    #[test]
    fn steps_are_those_of_the_precision() {
        let found = [0, 3, 4, 6, 7, 9].map(step);
        assert_eq!(found, [1000, 1, 100, 1, 100, 1]);
        assert_eq!([-7, -1, 0, 1, 7].map(|number| ceiling(number, 5)), [-5, 0, 0, 5, 10]);
    }
}
