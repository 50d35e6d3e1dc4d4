//! Makes implicit conversions explicit. Constants are converted at analysis, so that a predicate on a column stays a
//! comparison with a constant, which can be tested against a file's statistics.

use super::comparison::row_fields;
use super::context::Analyzer;
use super::literal::{parse_timestamp, units_per_second};
use crate::date_time_text::parse_date;
use crate::error::{Result, type_mismatch};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::types::{RowField, Type, Zones, common_super_type, padded};

/// Maximum length of a `varchar` to which a `char` is padded where they are compared.
const MAX_PADDED: u32 = 1_000;

impl Analyzer<'_> {
    /// Converts an expression to `wanted`, to which its type must coerce.
    pub(super) fn coerced(&mut self, expr: Expr, wanted: &Type) -> Expr {
        coerced(expr, wanted)
    }

    /// The common type of all expressions, or an error whose message begins with `what`.
    pub(super) fn common_type(&mut self, exprs: &[&Expr], what: &str) -> Result<Type> {
        let mut common = Type::Unknown;
        for expr in exprs {
            common = common_super_type(&common, &expr.data_type).ok_or_else(|| {
                let message = format!("{what} must be the same type: {common}, {}", expr.data_type);
                type_mismatch(expr.location, message)
            })?;
        }
        Ok(common)
    }

    /// Both sides of a comparison, converted to their common type; `None` if they have none. A constant text that is
    /// compared with a date or a timestamp is parsed as one, which is an extension of Trino.
    pub(super) fn unified(&mut self, left: Expr, right: Expr) -> Option<(Expr, Expr)> {
        let mut unified = self.unified_all(vec![left, right]).ok()?.into_iter();
        unified.next().zip(unified.next())
    }

    /// Prepares operands of an equality. A `char` and a `varchar` that may be long would both be padded to its length, 65,536
    /// characters if it has none; they are equal if they are without the spaces at their ends.
    pub(super) fn drop_padding(&mut self, operands: &mut [Expr]) -> Result<()> {
        let is_long = |data_type: &Type| matches!(data_type, Type::Varchar { length } if length.is_none_or(|length| length > MAX_PADDED));
        let mut types = operands.iter().map(|operand| &operand.data_type);
        let are_texts = types.clone().all(|data_type| data_type.is_text() || *data_type == Type::Unknown);
        let has_char = types.clone().any(|data_type| matches!(data_type, Type::Char { .. }));
        if !are_texts || !has_char || !types.any(is_long) {
            return Ok(());
        }
        for operand in operands.iter_mut().filter(|operand| operand.data_type.is_text()) {
            let text = operand.clone().cast_to(&Type::VARCHAR);
            let space = Expr::literal(Value::Varchar(" ".to_owned()), Type::VARCHAR);
            *operand = self.scalar_call(ScalarFunction::Rtrim, vec![text, space], operand.location)?;
        }
        Ok(())
    }

    /// As [`unified`](Self::unified), for any number of operands: each is converted once, to the type that all have in
    /// common. If they have none, they are returned as they are, as the error.
    pub(super) fn unified_all(&mut self, exprs: Vec<Expr>) -> std::result::Result<Vec<Expr>, Vec<Expr>> {
        let is_temporal = |expr: &&Expr| {
            matches!(expr.data_type, Type::Date | Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. })
        };
        let temporal = exprs.iter().find(is_temporal).map(|expr| expr.data_type.clone());
        let exprs: Vec<Expr> = match temporal {
            Some(temporal) => exprs.into_iter().map(|expr| as_temporal(expr, &temporal)).collect(),
            None => exprs,
        };
        let wider = |common: Type, expr: &Expr| common_super_type(&common, &expr.data_type);
        match exprs.iter().try_fold(Type::Unknown, wider) {
            Some(common) => Ok(exprs.into_iter().map(|expr| self.coerced(expr, &common)).collect()),
            None => Err(exprs),
        }
    }
}

/// Converts an expression to `wanted`, to which its type must coerce.
pub(super) fn coerced(expr: Expr, wanted: &Type) -> Expr {
    if expr.data_type == *wanted {
        return expr;
    }
    if let (Type::Row(fields), Some(_)) = (wanted, row_fields(&expr)) {
        return coerced_row(expr, fields, wanted);
    }
    if let ExprKind::Literal(value) = &expr.kind
        && (*value == Value::Null || !may_lose_zone(&expr.data_type, wanted))
        && let Some(value) = convert_constant(value, &expr.data_type, wanted)
    {
        return Expr::literal(value, wanted.clone()).at(expr.location);
    }
    expr.cast_to(wanted)
}

/// Converts the fields of a row constructor, so that rows of constants are compared field by field.
fn coerced_row(row: Expr, fields: &[RowField], wanted: &Type) -> Expr {
    let ExprKind::Call { function, args } = row.kind else { return row };
    let args = args.into_iter().zip(fields).map(|(arg, field)| coerced(arg, &field.data_type)).collect();
    Expr { kind: ExprKind::Call { function, args }, data_type: wanted.clone(), location: row.location }
}

/// Whether values keep their zone only as long as the cast is there (D159).
fn may_lose_zone(from: &Type, wanted: &Type) -> bool {
    let Type::TimestampWithTimeZone { zone, .. } = wanted else { return false };
    let is_other = |from: &Type| matches!(from, Type::TimestampWithTimeZone { zone: own, .. } if own.name() != zone.name());
    zone.zones() != Zones::ONE || is_other(from)
}

/// Parses a constant text as the type of the dates or timestamps that it is compared with.
fn as_temporal(expr: Expr, other: &Type) -> Expr {
    let ExprKind::Literal(Value::Varchar(text)) = &expr.kind else { return expr };
    if !expr.data_type.is_varchar() {
        return expr;
    }
    let converted = match other {
        Type::Date => match parse_date(text) {
            Some(days) => Some((Value::Date(days), Type::Date)),
            // `date_column < '2020-01-01 12:00:00'` compares timestamps.
            None => parse_timestamp(text),
        },
        Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. } => match parse_date(text) {
            Some(days) => Some((Value::Date(days), Type::Date)),
            None => parse_timestamp(text),
        },
        _ => None,
    };
    match converted {
        Some((value, data_type)) => Expr::literal(value, data_type).at(expr.location),
        None => expr,
    }
}

/// Converts a constant to another type, if the conversion is lossless.
fn convert_constant(value: &Value, from: &Type, wanted: &Type) -> Option<Value> {
    Some(match (value, wanted) {
        (Value::Null, _) => Value::Null,
        (Value::Varchar(text), Type::Varchar { length }) => Value::Varchar(match length {
            Some(length) => text.chars().take(*length as usize).collect(),
            None => text.clone(),
        }),
        (Value::Varchar(text), Type::Char { length }) => Value::Varchar(padded(text, *length)),
        (Value::Integer(value), Type::SmallInt | Type::Integer | Type::BigInt) => Value::Integer(*value),
        // OK because a bigint beyond 2^53 is left to the run-time cast.
        (Value::Integer(value), Type::Double) if value.unsigned_abs() <= 1 << 53 =>
        {
            #[expect(clippy::cast_precision_loss, reason = "the guard keeps it exact")]
            Value::Double(*value as f64)
        }
        (Value::Integer(value), Type::Decimal { precision, scale }) => {
            Value::Decimal(scaled(i128::from(*value), *scale, *precision)?)
        }
        (Value::Decimal(value), Type::Decimal { precision, scale }) => {
            let Type::Decimal { scale: own, .. } = from else { return None };
            Value::Decimal(scaled(*value, scale.checked_sub(*own)?, *precision)?)
        }
        (Value::Decimal(value), Type::Double) => {
            let Type::Decimal { precision, scale } = from else { return None };
            Value::Double(decimal_to_double(*value, *precision, *scale)?)
        }
        (Value::Date(days), Type::Timestamp { precision }) => {
            Value::Timestamp(i64::from(*days).checked_mul(86_400)?.checked_mul(units_per_second(*precision))?)
        }
        (Value::Time(value), Type::Time { precision }) => {
            let Type::Time { precision: own } = from else { return None };
            (own <= precision).then_some(Value::Time(*value))?
        }
        (Value::Timestamp(value), Type::Timestamp { precision }) => {
            let Type::Timestamp { precision: own } = from else { return None };
            if own > precision {
                return None;
            }
            let factor = units_per_second(*precision).checked_div(units_per_second(*own))?;
            Value::Timestamp(value.checked_mul(factor)?)
        }
        _ => return None,
    })
}

/// A number times a power of ten; `None` if it has more digits than the precision, which is an error of the cast.
fn scaled(value: i128, digits: u8, precision: u8) -> Option<i128> {
    let scaled = value.checked_mul(10_i128.checked_pow(u32::from(digits))?)?;
    (scaled.unsigned_abs() < 10_u128.checked_pow(u32::from(precision))?).then_some(scaled)
}

/// The number as Trino casts it: up to 18 digits the quotient of two rounded numbers, beyond the nearest number.
fn decimal_to_double(value: i128, precision: u8, scale: u8) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "as the cast of Trino")]
    let quotient = |value: i128| value as f64 / 10_f64.powi(i32::from(scale));
    if precision <= 18 { Some(quotient(value)) } else { format!("{value}e-{scale}").parse().ok() }
}
