//! Intervals: `INTERVAL '3' MONTH`, `INTERVAL '1 12:30' DAY TO MINUTE`, and dates moved by them.

use jiff::ToSpan;
use jiff::civil;
use rowhouse_model::ErrorCode;
use sqlparser::ast::{DateTimeField, Expr as AstExpr, Interval, UnaryOperator, Value as AstValue};

use super::context::{Analyzer, refuse_if, user_error};
use super::literal::days_since_epoch;
use super::place::place_of;
use crate::error::{Result, not_supported};
use crate::expr::{Expr, Value};
use crate::types::Type;

const MILLIS_PER_DAY: i64 = 86_400_000;

impl Analyzer<'_> {
    pub(super) fn interval(&mut self, interval: &Interval) -> Result<Expr> {
        let Interval { value, leading_field, leading_precision, last_field, fractional_seconds_precision } =
            interval;
        let place = place_of(value);
        refuse_if(leading_precision.is_some(), place, "a precision of an interval")?;
        refuse_if(fractional_seconds_precision.is_some(), place, "a precision of an interval")?;
        let Some(text) = constant_text(value) else {
            return Err(not_supported(place, "an interval that is not a constant"));
        };
        let text = text.trim().to_owned();
        let (is_negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest.to_owned()),
            None => (false, text.strip_prefix('+').unwrap_or(&text).to_owned()),
        };
        let Some(unit) = leading_field else {
            return Err(not_supported(place, "an interval without a unit"));
        };
        let parsed = match last_field {
            None => single(&digits, unit),
            Some(last) => compound(&digits, unit, last),
        };
        let Some(magnitude) = parsed else {
            let message = format!("'{text}' is not a valid interval literal");
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

/// A text or a number, with or without a sign.
fn constant_text(value: &AstExpr) -> Option<String> {
    match value {
        AstExpr::Value(value) => match &value.value {
            AstValue::SingleQuotedString(text) => Some(text.clone()),
            AstValue::Number(digits, false) => Some(digits.clone()),
            _ => None,
        },
        AstExpr::UnaryOp { op: UnaryOperator::Minus, expr } => Some(format!("-{}", constant_text(expr)?)),
        AstExpr::UnaryOp { op: UnaryOperator::Plus, expr } => constant_text(expr),
        _ => None,
    }
}

fn months_per(unit: &DateTimeField) -> Option<i64> {
    Some(match unit {
        DateTimeField::Year | DateTimeField::Years => 12,
        DateTimeField::Quarter => 3,
        DateTimeField::Month | DateTimeField::Months => 1,
        _ => return None,
    })
}

fn millis_per(unit: &DateTimeField) -> Option<i64> {
    Some(match unit {
        DateTimeField::Week(None) | DateTimeField::Weeks => 7 * MILLIS_PER_DAY,
        DateTimeField::Day | DateTimeField::Days => MILLIS_PER_DAY,
        DateTimeField::Hour | DateTimeField::Hours => 3_600_000,
        DateTimeField::Minute | DateTimeField::Minutes => 60_000,
        DateTimeField::Second | DateTimeField::Seconds => 1000,
        _ => return None,
    })
}

fn single(digits: &str, unit: &DateTimeField) -> Option<Magnitude> {
    if let Some(months) = months_per(unit) {
        return Some(Magnitude::Months(digits.parse::<i64>().ok()?.checked_mul(months)?));
    }
    let per = millis_per(unit)?;
    if per == 1000 && digits.contains('.') {
        return Some(Magnitude::Millis(seconds(digits)?));
    }
    Some(Magnitude::Millis(digits.parse::<i64>().ok()?.checked_mul(per)?))
}

/// `2-6` YEAR TO MONTH; `1 02:03:04.567` DAY TO SECOND and the parts of it.
fn compound(digits: &str, first: &DateTimeField, last: &DateTimeField) -> Option<Magnitude> {
    if matches!(first, DateTimeField::Year) && matches!(last, DateTimeField::Month) {
        let (years, months) = digits.split_once('-')?;
        let total = years.parse::<i64>().ok()?.checked_mul(12)?.checked_add(months.parse().ok()?)?;
        return Some(Magnitude::Months(total));
    }
    let units = [DateTimeField::Day, DateTimeField::Hour, DateTimeField::Minute, DateTimeField::Second];
    let from = units.iter().position(|unit| unit == first)?;
    let to = units.iter().position(|unit| unit == last)?;
    let texts: Vec<&str> = digits.split([' ', ':']).collect();
    if from > to || texts.len() != to - from + 1 {
        return None;
    }
    let mut total = 0_i64;
    for (unit, text) in units[from..=to].iter().zip(texts) {
        let part = if *unit == DateTimeField::Second {
            seconds(text)?
        } else {
            text.parse::<i64>().ok()?.checked_mul(millis_per(unit)?)?
        };
        total = total.checked_add(part)?;
    }
    Some(Magnitude::Millis(total))
}

/// Milliseconds of `4.567`.
fn seconds(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let millis: i64 = format!("{fraction:0<3}").parse().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(millis)
}

/// A date moved by an interval of whole days or of months (to the month's last day where it is shorter).
pub(super) fn shift_date(days: i32, interval: &Value, is_back: bool) -> Option<i32> {
    match interval {
        Value::IntervalDayToSecond(millis) if millis % MILLIS_PER_DAY == 0 => {
            let shift = i32::try_from(millis / MILLIS_PER_DAY).ok()?;
            if is_back { days.checked_sub(shift) } else { days.checked_add(shift) }
        }
        Value::IntervalYearToMonth(months) => {
            let date = civil::date(1970, 1, 1).checked_add(days.days()).ok()?;
            let shift = i32::try_from(if is_back { months.checked_neg()? } else { *months }).ok()?;
            days_since_epoch(date.checked_add(jiff::Span::new().try_months(shift).ok()?).ok()?)
        }
        _ => None,
    }
}
