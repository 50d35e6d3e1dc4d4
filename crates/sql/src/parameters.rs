//! Parameters of a statement (D41): `:name` in the text stands for a typed constant that is passed separately. A value
//! is parsed once, before planning, and never becomes a part of the text.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rowhouse_model::{ErrorCode, ErrorLocation, ParameterValue, StatementParameter, StatementParameters};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::analyze::literal::{
    decimal_literal, fits_integer, json_constant, parse_time, parse_timestamp, units_per_second,
};
use super::date_time_text::parse_date;
use super::error::{Result, error, location_of, shown, suggestion};
use super::expr::{Expr, ExprKind, Value};
use super::functions::ScalarFunction;
use super::json_text::is_json;
use super::types::{
    MAX_DECIMAL_PRECISION, Type, common_super_type, padded, parse_ip_address, parse_type, parse_uuid,
};

/// The constants of a statement's parameters, by name.
///
/// # Errors
/// `INVALID_PARAMETER_USAGE`: a name without a value, at its place, or a value without a name in the text;
/// `TYPE_NOT_FOUND`, `INVALID_CAST_ARGUMENT`, `TYPE_MISMATCH`, `NOT_SUPPORTED`: a value that is not of its type, at
/// the first place of its name.
pub(super) fn bind(
    tokens: &[TokenWithSpan],
    parameters: &StatementParameters,
) -> Result<HashMap<String, Expr>> {
    let mut bound = HashMap::new();
    for TokenWithSpan { token, span } in tokens {
        let Token::Placeholder(text) = token else { continue };
        let Some(name) = text.strip_prefix(':') else { continue };
        if bound.contains_key(name) {
            continue;
        }
        let place = location_of(span.start);
        let Some(parameter) = parameters.get(name) else {
            let near = suggestion(name, parameters.iter().map(|(known, _)| known));
            let message = format!("the parameter :{name} has no value{near}");
            return Err(error(ErrorCode::InvalidParameterUsage, place, message));
        };
        let constant = constant(parameter)
            .map_err(|(code, fault)| error(code, place, format!("the parameter :{name}: {fault}")))?;
        bound.insert(name.to_owned(), constant);
    }
    let unused: Vec<&str> =
        parameters.iter().map(|(name, _)| name).filter(|name| !bound.contains_key(*name)).collect();
    match unused.first() {
        None => Ok(bound),
        Some(name) => {
            let named: HashSet<&str> = bound.keys().map(String::as_str).collect();
            let near = suggestion(name, named);
            let message = format!("the statement does not name the parameter :{name}{near}");
            let start = ErrorLocation { line_number: 1, column_number: 1 };
            Err(error(ErrorCode::InvalidParameterUsage, Some(start), message))
        }
    }
}

/// The error of a value: code and message.
pub(super) type Fault = (ErrorCode, String);

/// Converts a parameter to its constant.
fn constant(parameter: &StatementParameter) -> Result<Expr, Fault> {
    let StatementParameter { type_name, value } = parameter;
    let data_type = match type_name {
        Some(name) => named_type(name)?,
        None => type_of(value)?,
    };
    read(value, &data_type)
}

/// The type with a name, if parameters can have it.
pub(super) fn named_type(name: &str) -> Result<Type, Fault> {
    let unknown = || (ErrorCode::TypeNotFound, format!("unknown type '{}'", shown(name)));
    let data_type = parse_type(name).ok_or_else(unknown)?;
    check(&data_type).map_err(|fault| (ErrorCode::NotSupported, format!("'{}': {fault}", shown(name))))?;
    Ok(data_type)
}

fn check(data_type: &Type) -> Result<(), String> {
    match data_type {
        Type::Array(element) => check(element),
        Type::Decimal { precision, scale }
            if *precision == 0 || *precision > MAX_DECIMAL_PRECISION || scale > precision =>
        {
            Err(format!("the precision is 1 to {MAX_DECIMAL_PRECISION}, the scale 0 to the precision"))
        }
        Type::Unknown
        | Type::Map(..)
        | Type::Row(_)
        | Type::IntervalDayToSecond
        | Type::IntervalYearToMonth => {
            Err("a parameter cannot be of this type; give text and CAST it in the statement".to_owned())
        }
        _ => Ok(()),
    }
}

/// The type of a value without a declared type: that of the same literal in SQL.
fn type_of(value: &ParameterValue) -> Result<Type, Fault> {
    Ok(match value {
        ParameterValue::Null => Type::Unknown,
        ParameterValue::Boolean(_) => Type::Boolean,
        ParameterValue::Text(_) => Type::VARCHAR,
        ParameterValue::Number(text) => type_of_number(text)?,
        ParameterValue::Array(elements) => {
            let mut common = Type::Unknown;
            for element in elements {
                let data_type = type_of(element)?;
                common = common_super_type(&common, &data_type).ok_or_else(|| {
                    let message =
                        format!("the elements of an array must be the same type: {common}, {data_type}");
                    (ErrorCode::TypeMismatch, message)
                })?;
            }
            Type::array(common)
        }
    })
}

/// `1` is an integer (a bigint or a decimal if it is larger), `1.50` a decimal(3,2), `1e0` a double.
fn type_of_number(text: &str) -> Result<Type, Fault> {
    if text.contains(['e', 'E']) {
        return Ok(Type::Double);
    }
    if let Ok(value) = text.parse::<i64>() {
        return Ok(if i32::try_from(value).is_ok() { Type::Integer } else { Type::BigInt });
    }
    let spelled = if text.contains('.') { text.to_owned() } else { format!("{text}.") };
    decimal_literal(&spelled).map(|literal| literal.data_type).ok_or_else(|| {
        let message = format!("a decimal has at most {MAX_DECIMAL_PRECISION} digits");
        (ErrorCode::InvalidCastArgument, message)
    })
}

/// Converts a value to a constant of a type. Nothing is rounded or truncated: a value that the type cannot hold is
/// refused.
pub(super) fn read(value: &ParameterValue, data_type: &Type) -> Result<Expr, Fault> {
    if let (ParameterValue::Array(elements), Type::Array(element_type)) = (value, data_type) {
        let args = elements.iter().map(|element| read(element, element_type)).collect::<Result<_, _>>()?;
        let kind = ExprKind::Call { function: ScalarFunction::ArrayConstructor, args };
        return Ok(Expr::new(kind, data_type.clone()));
    }
    if let (ParameterValue::Text(text), Type::Json) = (value, data_type)
        && is_json(text)
    {
        return Ok(json_constant(text));
    }
    match scalar(value, data_type) {
        Some((value, data_type)) => Ok(Expr::literal(value, data_type)),
        None => {
            let found = serde_json::to_string(value).unwrap_or_default();
            let message = format!("{} is no value of type {data_type}", shown(&found));
            Err((ErrorCode::InvalidCastArgument, message))
        }
    }
}

/// The constant and its exact type: a zoned time has the zone of its text.
fn scalar(value: &ParameterValue, data_type: &Type) -> Option<(Value, Type)> {
    use ParameterValue::{Boolean, Null, Number, Text};
    let constant = match (value, data_type) {
        (Null, _) => Value::Null,
        (Boolean(value), Type::Boolean) => Value::Boolean(*value),
        (Text(text), Type::Boolean) => match text.to_ascii_lowercase().as_str() {
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            _ => return None,
        },
        (Number(text) | Text(text), integer) if integer.is_integer() => {
            Value::Integer(text.parse().ok().filter(|value| fits_integer(*value, integer))?)
        }
        (Number(text) | Text(text), Type::Decimal { precision, scale }) => decimal(text, *precision, *scale)?,
        (Number(text), Type::Double) => {
            Value::Double(text.parse().ok().filter(|value: &f64| value.is_finite())?)
        }
        (Number(text), Type::Real) => {
            Value::Double(text.parse().ok().filter(|value: &f32| value.is_finite()).map(f64::from)?)
        }
        // In the spelling of results (D18).
        (Text(text), Type::Double | Type::Real) => Value::Double(match text.as_str() {
            "NaN" => f64::NAN,
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            number => return scalar(&Number(number.to_owned()), data_type),
        }),
        (Text(text), Type::Varchar { length }) => {
            let fits = length.is_none_or(|length| text.chars().count() <= length as usize);
            Value::Varchar(fits.then(|| text.clone())?)
        }
        (Text(text), Type::Char { length }) => {
            let fits = text.trim_end_matches(' ').chars().count() <= *length as usize;
            Value::Varchar(fits.then(|| padded(text, *length))?)
        }
        (Text(text), Type::Varbinary) => Value::Varbinary(STANDARD.decode(text).ok()?),
        (Text(text), Type::Uuid) => Value::Varbinary(parse_uuid(text)?.to_vec()),
        (Text(text), Type::IpAddress) => Value::Varbinary(parse_ip_address(text)?.to_vec()),
        (Text(text), Type::Date) => Value::Date(parse_date(text)?),
        (Text(text), Type::Time { precision }) => {
            let (value, found) = parse_time(&shortened(text, *precision))?;
            let Type::Time { precision: found } = found else { return None };
            return (found <= *precision).then(|| (value, data_type.clone()));
        }
        (Text(text), Type::TimeWithTimeZone { precision, .. }) => {
            let (value, found) = parse_time(&shortened(text, *precision))?;
            let Type::TimeWithTimeZone { precision: found, offset } = found else { return None };
            let data_type = Type::TimeWithTimeZone { precision: *precision, offset };
            return (found <= *precision).then_some((value, data_type));
        }
        (Text(text), Type::Timestamp { precision }) => {
            let (Value::Timestamp(value), Type::Timestamp { precision: found }) =
                parse_timestamp(&shortened(text, *precision))?
            else {
                return None;
            };
            Value::Timestamp(finer(value, found, *precision)?)
        }
        (Text(text), Type::TimestampWithTimeZone { precision, zone: _ }) => {
            let (Value::Timestamp(value), Type::TimestampWithTimeZone { precision: found, zone }) =
                parse_timestamp(&shortened(text, *precision))?
            else {
                return None;
            };
            let value = Value::Timestamp(finer(value, found, *precision)?);
            return Some((value, Type::TimestampWithTimeZone { precision: *precision, zone }));
        }
        _ => return None,
    };
    Some((constant, data_type.clone()))
}

/// Parses a decimal; `None` if the type would lose digits.
fn decimal(text: &str, precision: u8, scale: u8) -> Option<Value> {
    let spelled = if text.contains('.') { text.to_owned() } else { format!("{text}.") };
    let literal = decimal_literal(&spelled)?;
    let (Value::Decimal(value), Type::Decimal { scale: found, .. }) =
        (literal.as_literal()?, &literal.data_type)
    else {
        return None;
    };
    let value = value.checked_mul(10_i128.checked_pow(u32::from(scale.checked_sub(*found)?))?)?;
    let limit = 10_u128.checked_pow(u32::from(precision))?;
    (value.unsigned_abs() < limit).then_some(Value::Decimal(value))
}

/// A text without zeros at the end of a second's fraction that has more digits than the precision: results have such zeros
/// (D18).
fn shortened(text: &str, precision: u8) -> Cow<'_, str> {
    let Some((whole, rest)) = text.split_once('.') else { return Cow::Borrowed(text) };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return Cow::Borrowed(text);
    }
    let (fraction, rest) = rest.split_at(digits);
    let needed = fraction.trim_end_matches('0').len().max(usize::from(precision));
    match fraction.get(..needed) {
        None => Cow::Borrowed(text),
        Some("") => Cow::Owned(format!("{whole}{rest}")),
        Some(fraction) => Cow::Owned(format!("{whole}.{fraction}{rest}")),
    }
}

/// Converts a timestamp to the unit of a precision that is not lower.
fn finer(value: i64, from: u8, to: u8) -> Option<i64> {
    if from > to {
        return None;
    }
    value.checked_mul(units_per_second(to) / units_per_second(from))
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokenize;
    use super::*;

    /// Checks the constants of a statement by name, or the error.
    fn check(sql: &str, parameters: &str, expected: &str) {
        let parameters: StatementParameters = serde_json::from_str(parameters).expect(parameters);
        let tokens = tokenize(sql).expect(sql);
        let found = match bind(&tokens, &parameters) {
            Ok(bound) => {
                let mut shown: Vec<String> =
                    bound.iter().map(|(name, expr)| format!("{name}={expr} {}", expr.data_type)).collect();
                shown.sort();
                shown.join(", ")
            }
            Err(failure) => format!("{} {}", failure.error_name, failure.message),
        };
        assert_eq!(found, expected, "{sql} {parameters:?}");
    }

    #[test]
    fn parameter_names_are_found() {
        check("SELECT 1", "{}", "");
        check("SELECT :a + :a", r#"{"a": 1}"#, "a=1 integer");
        // Casts, texts, quoted names, comments and separate colons are not parameters.
        check("SELECT 1::bigint, ':b', \":c\", 'it''s :d' -- :e\n /* :f */ FROM t", "{}", "");
        check("SELECT :a::varchar", r#"{"a": 1}"#, "a=1 integer");
        check("SELECT x[1 : b], : c", "{}", "");
        check("SELECT :from", r#"{"from": true}"#, "from=true boolean");
    }

    #[test]
    fn missing_and_superfluous_parameters_are_errors() {
        check("SELECT 1,\n :a", "{}", "INVALID_PARAMETER_USAGE line 2:2: the parameter :a has no value");
        check(
            "SELECT :amont",
            r#"{"amount": 1}"#,
            "INVALID_PARAMETER_USAGE line 1:8: the parameter :amont has no value. Did you mean 'amount'?",
        );
        check(
            "SELECT :A",
            r#"{"a": 1}"#,
            "INVALID_PARAMETER_USAGE line 1:8: the parameter :A has no value. Did you mean 'a'?",
        );
        check(
            "SELECT 1",
            r#"{"a": 1}"#,
            "INVALID_PARAMETER_USAGE line 1:1: the statement does not name the parameter :a",
        );
        check(
            "SELECT ':a'",
            r#"{"a": 1}"#,
            "INVALID_PARAMETER_USAGE line 1:1: the statement does not name the parameter :a",
        );
    }

    #[test]
    fn a_value_without_a_type_has_the_type_of_its_literal() {
        let check = |value: &str, expected: &str| {
            check("SELECT :a", &format!("{{\"a\": {value}}}"), &format!("a={expected}"))
        };
        check("1", "1 integer");
        check("-2147483649", "-2147483649 bigint");
        check("9223372036854775808", "9223372036854775808 decimal(19,0)");
        check("1.50", "1.50 decimal(3,2)");
        check("-0.5", "-0.5 decimal(1,1)");
        check("1e2", "1e2 double");
        check("null", "NULL unknown");
        check("\"it's :b\"", "'it''s :b' varchar");
        check("[1, null, 2.5]", "array(1.0, NULL, 2.5) array(decimal(11,1))");
    }

    #[test]
    fn a_value_must_fit_its_declared_type() {
        let check = |data_type: &str, value: &str, expected: &str| {
            check(
                "SELECT :a",
                &format!("{{\"a\": {{\"type\": \"{data_type}\", \"value\": {value}}}}}"),
                expected,
            );
        };
        check("bigint", "7", "a=7 bigint");
        check("tinyint", "\"127\"", "a=127 tinyint");
        check("decimal(10,4)", "1.5", "a=1.5000 decimal(10,4)");
        check(
            "decimal(38,0)",
            "\"99999999999999999999999999999999999999\"",
            "a=99999999999999999999999999999999999999 decimal(38,0)",
        );
        check("date", "\"2024-02-29\"", "a=date 19782 date");
        check("date", "null", "a=NULL date");
        check("array(bigint)", "[1]", "a=array(1) array(bigint)");
        check("varchar", "\"abcd\"", "a='abcd' varchar");
        check("varchar(4)", "\"äöü€\"", "a='äöü€' varchar(4)");
        check("timestamp(2)", "\"2024-01-01 00:00:00.1\"", "a=timestamp 1704067200100 timestamp(2)");
        // As results show them (D18).
        check("timestamp(1)", "\"2024-01-01T00:00:00.100\"", "a=timestamp 1704067200100 timestamp(1)");
        check("timestamp(2)", "\"2024-01-01 00:00:00.1000000\"", "a=timestamp 1704067200100 timestamp(2)");
        check("time(3)", "\"01:02:03.123000\"", "a=time 3723123000000 time(3)");
        check("time(0)", "\"01:02:03.000000\"", "a=time 3723000000000 time(0)");
        let refused = |data_type: &str, value: &str, found: &str| {
            let message = format!(
                "INVALID_CAST_ARGUMENT line 1:8: the parameter :a: {found} is no value of type {data_type}"
            );
            check(data_type, value, &message);
        };
        refused("time(3)", "\"01:02:03.123400\"", "\"01:02:03.123400\"");
        refused("tinyint", "128", "128");
        refused("integer", "1.0", "1.0");
        refused("decimal(3,1)", "1.25", "1.25");
        refused("decimal(2,1)", "10.5", "10.5");
        refused("date", "\"2023-02-29\"", "\"2023-02-29\"");
        refused("date", "20240101", "20240101");
        refused("varchar", "1", "1");
        refused("varchar(3)", "\"abcd\"", "\"abcd\"");
        refused("real", "1e39", "1e39");
        refused("varbinary", "\"!\"", "\"!\"");
        refused("timestamp(3)", "\"2024-01-01 00:00:00.1234\"", "\"2024-01-01 00:00:00.1234\"");
        refused("timestamp(3)", "\"2024-01-01 00:00:00 UTC\"", "\"2024-01-01 00:00:00 UTC\"");
        refused("timestamp(3) with time zone", "\"2024-01-01 00:00:00\"", "\"2024-01-01 00:00:00\"");
        refused("boolean", "1", "1");
        check("money", "1", "TYPE_NOT_FOUND line 1:8: the parameter :a: unknown type 'money'");
        check(
            "decimal(39,0)",
            "1",
            "NOT_SUPPORTED line 1:8: the parameter :a: 'decimal(39,0)': the precision is 1 to 38, the scale 0 to the precision",
        );
    }
}
