//! Intervals: `INTERVAL '3' MONTH`, `INTERVAL '1 12:30' DAY TO MINUTE`, and date arithmetic with them.

use jiff::civil;
use rowhouse_model::ErrorCode;
use rowhouse_model::calendar::MILLIS_PER_DAY;
use sqlparser::ast::{DateTimeField, Expr as AstExpr, Interval, UnaryOperator, Value as AstValue};

use super::context::{Analyzer, refuse_if, user_error};
use super::place::place_of;
use crate::error::{Result, not_supported};
use crate::expr::{Expr, Value};
use crate::types::Type;

/// Maximum number of digits of one number in an interval, including its fraction.
const MAX_INTERVAL_DIGITS: usize = 10;

impl Analyzer<'_> {
    pub(super) fn interval(&mut self, interval: &Interval) -> Result<Expr> {
        let Interval { value, leading_field, leading_precision, last_field, fractional_seconds_precision } =
            interval;
        let place = place_of(value);
        refuse_if(leading_precision.is_some(), place, "a precision of an interval")?;
        refuse_if(fractional_seconds_precision.is_some(), place, "a precision of an interval")?;
        let Some((is_negative, text)) = constant_text(value) else {
            return Err(not_supported(place, "an interval that is not a constant"));
        };
        let Some(unit) = leading_field else {
            return Err(not_supported(place, "an interval without a unit"));
        };
        for unit in std::iter::once(unit).chain(last_field) {
            if singular(unit).is_none() {
                let expected = "'YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND'";
                let message = format!("mismatched input '{unit}'. Expecting: {expected}");
                return Err(user_error(ErrorCode::SyntaxError, place, message));
            }
        }
        if let Some(last) = last_field
            && !is_range(unit, last)
        {
            let message = format!("Invalid interval qualifier: {unit} TO {last}");
            return Err(user_error(ErrorCode::InvalidLiteral, place, message));
        }
        let Some(magnitude) = magnitude(&text, unit, last_field.as_ref()) else {
            let message =
                format!("'{}{text}' is not a valid interval literal", if is_negative { "-" } else { "" });
            return Err(user_error(ErrorCode::InvalidLiteral, place, message));
        };
        let sign = if is_negative { -1 } else { 1 };
        Ok(match magnitude {
            Magnitude::Months(months) => {
                Expr::literal(Value::IntervalYearToMonth(sign * months), Type::IntervalYearToMonth)
            }
            Magnitude::Millis(millis) => {
                Expr::literal(Value::IntervalDayToSecond(sign * millis), Type::IntervalDayToSecond)
            }
        }
        .at(place))
    }
}

enum Magnitude {
    Months(i64),
    Millis(i64),
}

/// A text or a number, and whether a minus precedes it.
fn constant_text(value: &AstExpr) -> Option<(bool, String)> {
    match value {
        AstExpr::Value(value) => match &value.value {
            AstValue::SingleQuotedString(text) => Some((false, text.clone())),
            AstValue::Number(digits, false) => Some((false, digits.clone())),
            _ => None,
        },
        AstExpr::UnaryOp { op: UnaryOperator::Minus, expr } => {
            constant_text(expr).map(|(is_negative, text)| (!is_negative, text))
        }
        AstExpr::UnaryOp { op: UnaryOperator::Plus, expr } => constant_text(expr),
        _ => None,
    }
}

/// Normalizes a unit that Trino supports; some units have a plural form here.
fn singular(unit: &DateTimeField) -> Option<DateTimeField> {
    Some(match unit {
        DateTimeField::Year | DateTimeField::Years => DateTimeField::Year,
        DateTimeField::Month | DateTimeField::Months => DateTimeField::Month,
        DateTimeField::Day | DateTimeField::Days => DateTimeField::Day,
        DateTimeField::Hour | DateTimeField::Hours => DateTimeField::Hour,
        DateTimeField::Minute | DateTimeField::Minutes => DateTimeField::Minute,
        DateTimeField::Second | DateTimeField::Seconds => DateTimeField::Second,
        _ => return None,
    })
}

/// For each unit: the separator between it and the next unit, and its length in months.
const YEARS: [(DateTimeField, char, i64); 2] =
    [(DateTimeField::Year, '-', 12), (DateTimeField::Month, '-', 1)];

/// As [`YEARS`], with the length in milliseconds.
const DAYS: [(DateTimeField, char, i64); 4] = [
    (DateTimeField::Day, ' ', MILLIS_PER_DAY),
    (DateTimeField::Hour, ':', 3_600_000),
    (DateTimeField::Minute, ':', 60_000),
    (DateTimeField::Second, ':', 1000),
];

/// Whether a unit contains a smaller one of the same kind of interval.
fn is_range(first: &DateTimeField, last: &DateTimeField) -> bool {
    let (first, last) = (singular(first), singular(last));
    let is_of = |units: &[(DateTimeField, char, i64)]| {
        let place =
            |field: &Option<DateTimeField>| units.iter().position(|unit| Some(&unit.0) == field.as_ref());
        place(&first).zip(place(&last)).is_some_and(|(first, last)| first < last)
    };
    is_of(&YEARS) || is_of(&DAYS)
}

/// Parses `2-6` as YEAR TO MONTH, `1 02:03:04.567` as DAY TO SECOND and parts of them, as Trino does: one minus may
/// precede all, trailing units may be missing, and the only upper limit of a unit is 32 bits.
fn magnitude(text: &str, first: &DateTimeField, last: Option<&DateTimeField>) -> Option<Magnitude> {
    let (first, last) = (singular(first)?, singular(last.unwrap_or(first))?);
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    if let Some(units) = range(&YEARS, &first, &last) {
        let months = total(digits, units).filter(|months| i32::try_from(*months).is_ok());
        return months.map(|months| Magnitude::Months(sign * months));
    }
    let millis = total(digits, range(&DAYS, &first, &last)?);
    millis.map(|millis| Magnitude::Millis(sign * millis))
}

type Units = [(DateTimeField, char, i64)];

/// The units from `first` to the shorter unit `last`.
fn range<'u>(units: &'u Units, first: &DateTimeField, last: &DateTimeField) -> Option<&'u Units> {
    let place = |wanted: &DateTimeField| units.iter().position(|(unit, ..)| unit == wanted);
    units.get(place(first)?..=place(last)?)
}

fn total(digits: &str, units: &Units) -> Option<i64> {
    let (mut rest, mut total) = (digits, 0_i64);
    for (place, (unit, _, length)) in units.iter().enumerate() {
        if place > 0 && !rest.is_empty() {
            rest = rest.strip_prefix(units[place - 1].1)?;
        }
        if rest.is_empty() {
            break;
        }
        let (count, digits, after) = whole(rest)?;
        rest = after;
        total = total.checked_add(count.checked_mul(*length)?)?;
        if *unit == DateTimeField::Second && rest.starts_with(['.', ',']) {
            let fraction = digits_at(&rest[1..], MAX_INTERVAL_DIGITS - digits);
            let millis: i64 = format!("{fraction:0<3.3}").parse().ok()?;
            (total, rest) = (total.checked_add(millis)?, &rest[1 + fraction.len()..]);
        }
    }
    rest.is_empty().then_some(total)
}

/// A number, its count of digits, and the text after it.
fn whole(text: &str) -> Option<(i64, usize, &str)> {
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    let digits = digits_at(unsigned, MAX_INTERVAL_DIGITS);
    let number: i32 = digits.parse().ok()?;
    Some((number.into(), digits.len(), &unsigned[digits.len()..]))
}

/// The digits at the start of a text, at most `most`.
fn digits_at(text: &str, most: usize) -> &str {
    &text[..text.bytes().take(most).take_while(u8::is_ascii_digit).count()]
}

/// Adds an interval of whole days or of months to a date, in days since the epoch. If the resulting month is shorter,
/// the result is its last day.
pub(super) fn shift_date(days: i32, interval: &Value, is_back: bool) -> Option<i32> {
    match interval {
        Value::IntervalDayToSecond(millis) if millis % MILLIS_PER_DAY == 0 => {
            let shift = i32::try_from(millis / MILLIS_PER_DAY).ok()?;
            if is_back { days.checked_sub(shift) } else { days.checked_add(shift) }
        }
        Value::IntervalYearToMonth(months) => {
            let shift = i32::try_from(if is_back { months.checked_neg()? } else { *months }).ok()?;
            let days = jiff::Span::new().try_days(days).ok()?;
            let date = civil::date(1970, 1, 1).checked_add(days).ok()?;
            let shifted = date.checked_add(jiff::Span::new().try_months(shift).ok()?).ok()?;
            shifted.since((jiff::Unit::Day, civil::date(1970, 1, 1))).ok().map(|span| span.get_days())
        }
        _ => None,
    }
}
