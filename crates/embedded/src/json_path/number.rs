//! Numbers in paths: JSON numbers as SQL values, arithmetic with SQL's types and rounding, and methods.

use rowhouse_sql::json_path::{PathMethod, PathOperator};
use rowhouse_sql::number_text::parse_double;
use rowhouse_sql::types::{MAX_DECIMAL_PRECISION, Type, common_super_type};

use super::{Fault, Item, Node, Result, item_type};
use crate::conversion::convert;
use crate::datum::Datum;
use crate::numeric::{power_of_ten, rescale, rounded_division};

/// A numeric literal of a path: an integer, a decimal or a double.
pub(super) fn literal(digits: &str) -> Result<(Datum<'static>, Type)> {
    let failed = || Fault::Path(format!("Invalid numeric literal: {digits}"));
    if digits.contains(['e', 'E']) {
        return Ok((Datum::Double(digits.parse().map_err(|_| failed())?), Type::Double));
    }
    let Some((whole, part)) = digits.split_once('.') else { return integer(digits).ok_or_else(failed) };
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let whole = whole.trim_start_matches('0');
    let precision = u8::try_from(whole.len() + part.len()).map_err(|_| failed())?.max(1);
    let value = format!("{sign}0{whole}{part}").parse().map_err(|_| failed())?;
    if precision > MAX_DECIMAL_PRECISION {
        return Err(failed());
    }
    Ok((Datum::Decimal(value), Type::decimal(precision, u8::try_from(part.len()).map_err(|_| failed())?)))
}

/// The number as `integer` or, if that is too small, `bigint`; `None` if it is larger.
fn integer(digits: &str) -> Option<(Datum<'static>, Type)> {
    let value: i64 = digits.parse().ok()?;
    let data_type = if i32::try_from(value).is_ok() { Type::Integer } else { Type::BigInt };
    Some((Datum::Integer(value), data_type))
}

/// A scalar as an SQL value; `None` for an array, an object, `null` or a number that is too large.
pub(crate) fn sql_value<'n>(node: &'n Node<'_>) -> Option<(Datum<'n>, Type)> {
    let item = match node {
        Node::Sql(datum, data_type) => return Some((datum.clone(), data_type.clone())),
        Node::Json(item) => item,
        Node::Made(item) => item,
    };
    match item {
        Item::Boolean(value) => Some((Datum::Boolean(*value), Type::Boolean)),
        Item::Digits(digits) if digits.contains('.') => literal(digits).ok(),
        Item::Digits(digits) => integer(digits),
        Item::Double(number) => Some((Datum::Double(*number), Type::Double)),
        Item::Text(text) => Some((Datum::Text(text.as_str().into()), Type::VARCHAR)),
        Item::Null | Item::Missing | Item::Array(_) | Item::Object(_) => None,
    }
}

/// The value of a node, which must be a number.
fn number<'n>(node: &'n Node<'_>) -> Result<(Datum<'n>, Type)> {
    if matches!(node.item(), Some(Item::Digits(_))) {
        let too_large = || Fault::Path("cannot convert a number to Trino value (value too big)".to_owned());
        return sql_value(node).ok_or_else(too_large);
    }
    sql_value(node).filter(|(_, data_type)| data_type.is_numeric()).ok_or_else(|| item_type("NUMBER", node))
}

/// The value of a subscript.
pub(super) fn subscript(node: &Node<'_>) -> Result<i64> {
    let (value, data_type) = number(node)?;
    if let (Some(_), Datum::Double(number)) = (node.item(), &value) {
        // The integer part of a JSON double.
        #[expect(clippy::cast_possible_truncation, reason = "that is the place")]
        return Ok(*number as i64);
    }
    match convert(&value, &data_type, &Type::BigInt) {
        Ok(Datum::Integer(place)) => Ok(place),
        _ => Err(Fault::Path("cannot convert a subscript to bigint".to_owned())),
    }
}

/// The operators `-x` and `+x`.
pub(super) fn signed<'j>(node: &Node<'j>, is_negative: bool) -> Result<Node<'j>> {
    let (value, data_type) = number(node)?;
    let value = value.into_owned();
    if !is_negative {
        return Ok(Node::Sql(value, data_type));
    }
    negated(value, data_type)
}

fn negated<'j>(value: Datum<'static>, data_type: Type) -> Result<Node<'j>> {
    let value = match value {
        Datum::Integer(value) => Datum::Integer(in_range(value.checked_neg(), &data_type)?),
        Datum::Decimal(value) => Datum::Decimal(-value),
        Datum::Double(value) => Datum::Double(-value),
        other => other,
    };
    Ok(Node::Sql(value, data_type))
}

pub(super) fn method<'j>(method: PathMethod, node: &Node<'j>) -> Result<Node<'j>> {
    if method == PathMethod::Double {
        return double(node);
    }
    let (value, data_type) = number(node)?;
    let value = value.into_owned();
    match (method, value, &data_type) {
        (PathMethod::Abs, value, _) => {
            let is_negative = match &value {
                Datum::Integer(value) => *value < 0,
                Datum::Decimal(value) => *value < 0,
                Datum::Double(value) => value.is_sign_negative(),
                _ => false,
            };
            if is_negative { negated(value, data_type) } else { Ok(Node::Sql(value, data_type)) }
        }
        (_, Datum::Double(value), _) => {
            let value = if method == PathMethod::Ceiling { value.ceil() } else { value.floor() };
            Ok(Node::Sql(Datum::Double(value), data_type))
        }
        (_, Datum::Decimal(value), Type::Decimal { precision, scale }) => {
            let factor = power_of_ten(*scale);
            let whole = value.div_euclid(factor);
            let is_up = method == PathMethod::Ceiling && value.rem_euclid(factor) > 0;
            let digits = precision - scale + (*scale).min(1);
            Ok(Node::Sql(Datum::Decimal(whole + i128::from(is_up)), Type::decimal(digits.max(1), 0)))
        }
        (_, value, _) => Ok(Node::Sql(value, data_type)),
    }
}

/// The method `double()`, which also converts texts.
fn double<'j>(node: &Node<'j>) -> Result<Node<'j>> {
    let value = match sql_value(node) {
        Some((Datum::Text(text), Type::Varchar { .. })) => {
            let failed = || Fault::Path(format!("Cannot cast '{text}' to DOUBLE"));
            parse_double(&text).ok_or_else(failed)?
        }
        _ => {
            let (value, data_type) = match number(node) {
                Err(Fault::Path(_)) if !matches!(node.item(), Some(Item::Digits(_))) => {
                    return Err(item_type("NUMBER or TEXT", node));
                }
                found => found?,
            };
            match convert(&value, &data_type, &Type::Double) {
                Ok(Datum::Double(value)) => value,
                _ => return Err(item_type("NUMBER or TEXT", node)),
            }
        }
    };
    Ok(Node::Sql(Datum::Double(value), Type::Double))
}

/// Converts both operands to a common type and applies SQL's operator.
pub(super) fn arithmetic<'j>(operator: PathOperator, left: &Node<'j>, right: &Node<'j>) -> Result<Node<'j>> {
    let ((left, left_type), (right, right_type)) = (number(left)?, number(right)?);
    let common = common_super_type(&left_type, &right_type)
        .ok_or_else(|| Fault::Path(format!("invalid operand types ({left_type}, {right_type})")))?;
    if let (Type::Decimal { .. }, Some(left_type), Some(right_type)) =
        (&common, left_type.as_decimal(), right_type.as_decimal())
    {
        return decimals(operator, (unscaled(&left), left_type), (unscaled(&right), right_type));
    }
    let as_common = |value: &Datum<'_>, from: &Type| convert(value, from, &common).map_err(Fault::Path);
    let value = match (as_common(&left, &left_type)?, as_common(&right, &right_type)?) {
        (Datum::Integer(left), Datum::Integer(right)) => {
            let value = match operator {
                PathOperator::Add => left.checked_add(right),
                PathOperator::Subtract => left.checked_sub(right),
                PathOperator::Multiply => left.checked_mul(right),
                PathOperator::Divide => left.checked_div(right),
                PathOperator::Modulus => left.checked_rem(right),
            };
            Datum::Integer(in_range(value, &common)?)
        }
        (Datum::Double(left), Datum::Double(right)) => {
            let value = match operator {
                PathOperator::Add => left + right,
                PathOperator::Subtract => left - right,
                PathOperator::Multiply => left * right,
                PathOperator::Divide => left / right,
                PathOperator::Modulus => left % right,
            };
            #[expect(clippy::cast_possible_truncation, reason = "a real is rounded to its own precision")]
            let value = if common == Type::Real { f64::from(value as f32) } else { value };
            Datum::Double(value)
        }
        _ => return Err(overflow()),
    };
    Ok(Node::Sql(value, common))
}

fn overflow() -> Fault {
    // Trino's message is empty here.
    Fault::Path(String::new())
}

fn in_range(value: Option<i64>, data_type: &Type) -> Result<i64> {
    let fits = |value: &i64| match data_type {
        Type::TinyInt => i8::try_from(*value).is_ok(),
        Type::SmallInt => i16::try_from(*value).is_ok(),
        Type::Integer => i32::try_from(*value).is_ok(),
        _ => true,
    };
    value.filter(fits).ok_or_else(overflow)
}

fn unscaled(value: &Datum<'_>) -> i128 {
    match value {
        Datum::Integer(value) => i128::from(*value),
        Datum::Decimal(value) => *value,
        _ => 0,
    }
}

/// Arithmetic of decimals with the precision and scale of Trino's result, which has at most 38 digits.
fn decimals<'j>(
    operator: PathOperator,
    (left, (p1, s1)): (i128, (u8, u8)),
    (right, (p2, s2)): (i128, (u8, u8)),
) -> Result<Node<'j>> {
    let scale = s1.max(s2);
    let aligned = || rescale(left, s1, scale).zip(rescale(right, s2, scale));
    let (value, precision, scale) = match operator {
        PathOperator::Add | PathOperator::Subtract => {
            let value = aligned().and_then(|(left, right)| match operator {
                PathOperator::Add => left.checked_add(right),
                _ => left.checked_sub(right),
            });
            (value, (p1 - s1).max(p2 - s2).saturating_add(scale).saturating_add(1), scale)
        }
        PathOperator::Multiply => (left.checked_mul(right), p1.saturating_add(p2), s1.saturating_add(s2)),
        PathOperator::Divide => {
            let digits = scale + s2 - s1;
            let value = left.checked_mul(power_of_ten(digits.min(MAX_DECIMAL_PRECISION)));
            let value = value.filter(|_| right != 0).and_then(|left| rounded_division(left, right));
            (value, p1.saturating_add(s2).saturating_add(s2.saturating_sub(s1)), scale)
        }
        PathOperator::Modulus => {
            let value = aligned().and_then(|(left, right)| left.checked_rem(right));
            (value, (p1 - s1).min(p2 - s2).saturating_add(scale), scale)
        }
    };
    let precision = precision.clamp(1, MAX_DECIMAL_PRECISION);
    let fits = |value: &i128| value.unsigned_abs() < power_of_ten(precision).unsigned_abs();
    let value = value.filter(fits).filter(|_| scale <= precision).ok_or_else(overflow)?;
    Ok(Node::Sql(Datum::Decimal(value), Type::decimal(precision, scale)))
}
