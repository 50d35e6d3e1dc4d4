//! `+ - * / %`: the supported operand types, and Trino's result types.

use rowhouse_model::ErrorCode;
use sqlparser::ast::BinaryOperator;

use super::coerce::coerced;
use super::context::{Analyzer, user_error};
use super::interval::shift_date;
use crate::error::{Result, not_supported, type_mismatch};
use crate::expr::{ArithmeticOperator, Expr, ExprKind, Value};
use crate::types::{MAX_DECIMAL_PRECISION, Type, common_super_type};

impl Analyzer<'_> {
    pub(super) fn arithmetic(&mut self, left: Expr, operator: &BinaryOperator, right: Expr) -> Result<Expr> {
        let operator = match operator {
            BinaryOperator::Plus => ArithmeticOperator::Add,
            BinaryOperator::Minus => ArithmeticOperator::Subtract,
            BinaryOperator::Multiply => ArithmeticOperator::Multiply,
            BinaryOperator::Divide => ArithmeticOperator::Divide,
            BinaryOperator::Modulo => ArithmeticOperator::Modulus,
            other => return Err(not_supported(left.location, format!("the operator {other}"))),
        };
        let place = left.location;
        let (left_type, right_type) = (left.data_type.clone(), right.data_type.clone());
        // A NULL literal takes the other side's type; beside a decimal it has one digit.
        let null_beside = |other: &Type| match other {
            Type::Decimal { .. } => Type::decimal(1, 0),
            other => other.clone(),
        };
        let left = if left_type == Type::Unknown && right_type.is_numeric() {
            left.cast_to(&null_beside(&right_type))
        } else {
            left
        };
        let right = if right_type == Type::Unknown && left_type.is_numeric() {
            right.cast_to(&null_beside(&left_type))
        } else {
            right
        };
        if left.data_type == Type::Unknown && right.data_type == Type::Unknown {
            return Ok(left);
        }
        match with_null(&left_type, operator, &right_type) {
            Some(WithNull::Of(data_type)) => return Ok(Expr::literal(Value::Null, data_type).at(place)),
            Some(WithNull::Ambiguous) => {
                let message = format!(
                    "Could not choose a best candidate operator of {left_type} {} {right_type}. Explicit type casts must be added.",
                    operator.symbol()
                );
                return Err(user_error(ErrorCode::AmbiguousFunctionCall, None, message));
            }
            None => {}
        }
        let typed = if left.data_type.is_numeric() && right.data_type.is_numeric() {
            self.numeric(left, operator, right)?
        } else {
            temporal(left, operator, right)
        };
        match typed {
            Some((left, data_type, right)) => {
                if let Some(folded) = fold(&left, operator, &right, &data_type) {
                    return Ok(Expr::literal(folded, data_type).at(place));
                }
                let kind = ExprKind::Arithmetic { operator, left: Box::new(left), right: Box::new(right) };
                Ok(Expr::new(kind, data_type).at(place))
            }
            None => {
                let message =
                    format!("Cannot apply operator: {left_type} {} {right_type}", operator.symbol());
                Err(type_mismatch(place, message))
            }
        }
    }

    /// Operands and result type for numbers. Decimals keep their own precision and scale; other operands are converted
    /// to their common type.
    fn numeric(
        &mut self,
        left: Expr,
        operator: ArithmeticOperator,
        right: Expr,
    ) -> Result<Option<(Expr, Type, Expr)>> {
        let Some(common) = common_super_type(&left.data_type, &right.data_type) else { return Ok(None) };
        if !matches!(common, Type::Decimal { .. }) {
            let (left, right) = (self.coerced(left, &common), self.coerced(right, &common));
            return Ok(Some((left, common, right)));
        }
        let (Some((p1, s1)), Some((p2, s2))) = (left.data_type.as_decimal(), right.data_type.as_decimal())
        else {
            return Ok(None);
        };
        let left = self.coerced(left, &Type::decimal(p1, s1));
        let right = self.coerced(right, &Type::decimal(p2, s2));
        let place = left.location;
        let data_type = decimal_result(operator, (p1, s1), (p2, s2)).ok_or_else(|| {
            let message = format!(
                "DECIMAL scale must be in range [0, precision ({MAX_DECIMAL_PRECISION})]: that of {} {} {} is not",
                left.data_type,
                operator.symbol(),
                right.data_type
            );
            user_error(ErrorCode::InvalidFunctionArgument, place, message)
        })?;
        Ok(Some((left, data_type, right)))
    }
}

/// The result of an operator between a NULL literal and a date, a time or an interval.
enum WithNull {
    /// NULL of this type, because exactly one operator fits.
    Of(Type),
    /// Several operators fit, and none is the best.
    Ambiguous,
}

/// `None` unless one side is a NULL literal, the other is a date, time or interval, and an operator takes them.
fn with_null(left: &Type, operator: ArithmeticOperator, right: &Type) -> Option<WithNull> {
    use ArithmeticOperator::{Add, Divide, Multiply, Subtract};
    use Type::{Date, IntervalDayToSecond, Time, TimeWithTimeZone, Timestamp, TimestampWithTimeZone};
    let (other, is_first) = match (left, right) {
        (Type::Unknown, other) => (other, false),
        (other, Type::Unknown) => (other, true),
        _ => return None,
    };
    Some(match (other, operator) {
        (Date, Add) => WithNull::Of(Date),
        (Date, Subtract) if is_first => WithNull::Of(Date),
        (Time { .. } | TimeWithTimeZone { .. }, Add) => WithNull::Of(with_milliseconds(other)),
        (Timestamp { .. } | TimestampWithTimeZone { .. }, Add) => WithNull::Ambiguous,
        (
            Time { .. } | TimeWithTimeZone { .. } | Timestamp { .. } | TimestampWithTimeZone { .. },
            Subtract,
        ) if is_first => WithNull::Ambiguous,
        (
            Date | Time { .. } | TimeWithTimeZone { .. } | Timestamp { .. } | TimestampWithTimeZone { .. },
            Subtract,
        ) => WithNull::Of(IntervalDayToSecond),
        (interval, Add) if interval.is_interval() => WithNull::Ambiguous,
        (interval, Subtract) if interval.is_interval() && !is_first => WithNull::Ambiguous,
        (interval, Multiply) if interval.is_interval() => WithNull::Of(interval.clone()),
        (interval, Subtract | Divide) if interval.is_interval() && is_first => WithNull::Of(interval.clone()),
        _ => return None,
    })
}

/// The type of an operation on decimals, by the rules of Trino's `DecimalOperators`.
fn decimal_result(operator: ArithmeticOperator, (p1, s1): (u8, u8), (p2, s2): (u8, u8)) -> Option<Type> {
    let (p1, s1, p2, s2) = (u32::from(p1), u32::from(s1), u32::from(p2), u32::from(s2));
    let (precision, scale) = match operator {
        ArithmeticOperator::Add | ArithmeticOperator::Subtract => {
            let scale = s1.max(s2);
            ((p1 - s1).max(p2 - s2) + scale + 1, scale)
        }
        ArithmeticOperator::Multiply => (p1 + p2, s1 + s2),
        ArithmeticOperator::Divide => (p1 + s2 + s2.saturating_sub(s1), s1.max(s2)),
        ArithmeticOperator::Modulus => {
            let scale = s1.max(s2);
            ((p1 - s1).min(p2 - s2) + scale, scale)
        }
    };
    let largest = u32::from(MAX_DECIMAL_PRECISION);
    if scale > largest {
        return None;
    }
    let precision = precision.clamp(1, largest);
    Some(Type::decimal(u8::try_from(precision).ok()?, u8::try_from(scale).ok()?))
}

/// Operands and result type for dates, times and intervals.
fn temporal(left: Expr, operator: ArithmeticOperator, right: Expr) -> Option<(Expr, Type, Expr)> {
    use ArithmeticOperator::{Add, Divide, Multiply, Subtract};
    use Type::{
        Date, Double, IntervalDayToSecond, IntervalYearToMonth, Time, TimeWithTimeZone, Timestamp,
        TimestampWithTimeZone,
    };
    let is_time = |data_type: &Type| matches!(data_type, Time { .. } | TimeWithTimeZone { .. });
    let is_moment = |data_type: &Type| {
        is_time(data_type) || matches!(data_type, Date | Timestamp { .. } | TimestampWithTimeZone { .. })
    };
    let (a, b) = (left.data_type.clone(), right.data_type.clone());
    let result = match (&a, operator, &b) {
        (time, _, IntervalYearToMonth) | (IntervalYearToMonth, _, time) if is_time(time) => return None,
        (moment, Add | Subtract, IntervalDayToSecond) if is_moment(moment) => {
            let sum = with_milliseconds(moment);
            return Some((coerced(left, &sum), sum, right));
        }
        (IntervalDayToSecond, Add, moment) if is_moment(moment) => {
            let sum = with_milliseconds(moment);
            return Some((left, sum.clone(), coerced(right, &sum)));
        }
        (moment, Add | Subtract, IntervalYearToMonth) if is_moment(moment) => moment.clone(),
        (IntervalYearToMonth, Add, moment) if is_moment(moment) => moment.clone(),
        (Date, Subtract, Date) => IntervalDayToSecond,
        (moment, Subtract, other) if is_moment(moment) && is_moment(other) => {
            let common = common_super_type(&a, &b)?;
            return Some((coerced(left, &common), IntervalDayToSecond, coerced(right, &common)));
        }
        (IntervalDayToSecond, Add | Subtract, IntervalDayToSecond)
        | (IntervalYearToMonth, Add | Subtract, IntervalYearToMonth) => a.clone(),
        (interval, Multiply | Divide, number) if interval.is_interval() && number.is_integer() => {
            return Some((left, interval.clone(), right.cast_to(&Type::BigInt)));
        }
        (interval, Multiply | Divide, number) if interval.is_interval() && number.is_numeric() => {
            return Some((left, interval.clone(), right.cast_to(&Double)));
        }
        (number, Multiply, interval) if interval.is_interval() && number.is_integer() => {
            return Some((left.cast_to(&Type::BigInt), interval.clone(), right));
        }
        (number, Multiply, interval) if interval.is_interval() && number.is_numeric() => {
            return Some((left.cast_to(&Double), interval.clone(), right));
        }
        _ => return None,
    };
    Some((left, result, right))
}

/// The type of a time's or timestamp's sum with an interval of days to seconds, which has milliseconds.
fn with_milliseconds(data_type: &Type) -> Type {
    match data_type {
        Type::Time { precision } => Type::Time { precision: (*precision).max(3) },
        Type::TimeWithTimeZone { precision, offset } => {
            Type::TimeWithTimeZone { precision: (*precision).max(3), offset: *offset }
        }
        Type::Timestamp { precision } => Type::Timestamp { precision: (*precision).max(3) },
        Type::TimestampWithTimeZone { precision, zone } => {
            Type::TimestampWithTimeZone { precision: (*precision).max(3), zone: zone.clone() }
        }
        other => other.clone(),
    }
}

/// The value of an operation on constants, if it is exact: `0.06 - 0.01`, `DATE '1995-01-01' + INTERVAL '1' YEAR`.
/// Overflow is reported at run time.
fn fold(left: &Expr, operator: ArithmeticOperator, right: &Expr, result: &Type) -> Option<Value> {
    let (a, b) = (left.as_literal()?, right.as_literal()?);
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) if result.is_integer() => {
            let value = match operator {
                ArithmeticOperator::Add => a.checked_add(*b)?,
                ArithmeticOperator::Subtract => a.checked_sub(*b)?,
                ArithmeticOperator::Multiply => a.checked_mul(*b)?,
                ArithmeticOperator::Divide => a.checked_div(*b)?,
                ArithmeticOperator::Modulus => a.checked_rem(*b)?,
            };
            let fits = match result {
                Type::TinyInt => i8::try_from(value).is_ok(),
                Type::SmallInt => i16::try_from(value).is_ok(),
                Type::Integer => i32::try_from(value).is_ok(),
                _ => true,
            };
            fits.then_some(Value::Integer(value))
        }
        (Value::Decimal(a), Value::Decimal(b)) => {
            let ((_, s1), (_, s2)) = (left.data_type.as_decimal()?, right.data_type.as_decimal()?);
            let (precision, scale) = result.as_decimal()?;
            let value = match operator {
                ArithmeticOperator::Add | ArithmeticOperator::Subtract => {
                    let a = a.checked_mul(10_i128.checked_pow(u32::from(scale - s1))?)?;
                    let b = b.checked_mul(10_i128.checked_pow(u32::from(scale - s2))?)?;
                    if operator == ArithmeticOperator::Add { a.checked_add(b)? } else { a.checked_sub(b)? }
                }
                ArithmeticOperator::Multiply => a.checked_mul(*b)?,
                ArithmeticOperator::Divide | ArithmeticOperator::Modulus => return None,
            };
            let limit = 10_u128.checked_pow(u32::from(precision))?;
            (value.unsigned_abs() < limit).then_some(Value::Decimal(value))
        }
        (Value::Date(days), interval @ (Value::IntervalDayToSecond(_) | Value::IntervalYearToMonth(_))) => {
            let is_back = operator == ArithmeticOperator::Subtract;
            shift_date(*days, interval, is_back).map(Value::Date)
        }
        (interval @ (Value::IntervalDayToSecond(_) | Value::IntervalYearToMonth(_)), Value::Date(days)) => {
            shift_date(*days, interval, false).map(Value::Date)
        }
        _ => None,
    }
}
