//! Expressions in the format of EXPLAIN.

use std::fmt;

use super::{Expr, ExprKind, SortKey, Value};
use crate::types::Type;

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Column(id) => write!(f, "{id}"),
            ExprKind::Literal(value) => write_value(f, value, &self.data_type),
            ExprKind::Cast { input, is_try } => {
                write!(f, "{}({input} AS {})", if *is_try { "TRY_CAST" } else { "CAST" }, self.data_type)
            }
            ExprKind::Call { function, args } => {
                write!(f, "{}(", function.name())?;
                write_list(f, args, ", ")?;
                f.write_str(")")
            }
            ExprKind::Arithmetic { operator, left, right } => {
                write!(f, "({left} {} {right})", operator.symbol())
            }
            ExprKind::Negate(input) => write!(f, "(-{input})"),
            ExprKind::Case { branches, otherwise } => {
                f.write_str("CASE")?;
                for (condition, value) in branches {
                    write!(f, " WHEN {condition} THEN {value}")?;
                }
                if let Some(otherwise) = otherwise {
                    write!(f, " ELSE {otherwise}")?;
                }
                f.write_str(" END")
            }
            ExprKind::And(parts) => write_parts(f, parts, " AND "),
            ExprKind::Or(parts) => write_parts(f, parts, " OR "),
            ExprKind::Not(input) => write!(f, "(NOT {input})"),
            ExprKind::Comparison { operator, left, right } => {
                write!(f, "({left} {} {right})", operator.symbol())
            }
            ExprKind::IsNull(input) => write!(f, "({input} IS NULL)"),
            ExprKind::InList { value, list } => {
                write!(f, "({value} IN (")?;
                write_list(f, list, ", ")?;
                f.write_str("))")
            }
            ExprKind::Like { value, pattern, escape, is_case_insensitive } => {
                write!(f, "({value} {} {pattern}", if *is_case_insensitive { "ILIKE" } else { "LIKE" })?;
                if let Some(escape) = escape {
                    write!(f, " ESCAPE '{escape}'")?;
                }
                f.write_str(")")
            }
            ExprKind::RowField { input, index } => write!(f, "{input}[{}]", index + 1),
            ExprKind::Lambda { parameters, body } => {
                let names: Vec<String> = parameters.iter().map(|(id, _)| id.to_string()).collect();
                write!(f, "({}) -> {body}", names.join(", "))
            }
        }
    }
}

impl fmt::Display for SortKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = if self.is_descending { " DESC" } else { "" };
        let nulls = if self.nulls_first { " NULLS FIRST" } else { "" };
        write!(f, "{}{direction}{nulls}", self.expr)
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, value: &Value, data_type: &Type) -> fmt::Result {
    match value {
        Value::Null => f.write_str("NULL"),
        Value::Boolean(value) => write!(f, "{value}"),
        Value::Integer(value) => write!(f, "{value}"),
        Value::Decimal(value) => {
            let scale = match data_type {
                Type::Decimal { scale, .. } => usize::from(*scale),
                _ => 0,
            };
            let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
            let (whole, fraction) = digits.split_at(digits.len() - scale);
            let sign = if *value < 0 { "-" } else { "" };
            let point = if scale > 0 { "." } else { "" };
            write!(f, "{sign}{whole}{point}{fraction}")
        }
        Value::Double(value) => write!(f, "{value:e}"),
        Value::Varchar(value) => write!(f, "'{}'", value.replace('\'', "''")),
        Value::Varbinary(bytes) => {
            f.write_str("X'")?;
            for byte in bytes {
                write!(f, "{byte:02X}")?;
            }
            f.write_str("'")
        }
        Value::Date(value) => write!(f, "date {value}"),
        Value::Time(value) => write!(f, "time {value}"),
        Value::Timestamp(value) => write!(f, "timestamp {value}"),
        Value::IntervalDayToSecond(value) => write!(f, "interval {value} ms"),
        Value::IntervalYearToMonth(value) => write!(f, "interval {value} months"),
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, parts: &[Expr], separator: &str) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        write!(f, "{part}")?;
    }
    Ok(())
}

fn write_parts(f: &mut fmt::Formatter<'_>, parts: &[Expr], separator: &str) -> fmt::Result {
    f.write_str("(")?;
    write_list(f, parts, separator)?;
    f.write_str(")")
}
