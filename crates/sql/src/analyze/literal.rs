//! Constants: numbers, texts, `DATE '…'` and its like.

use jiff::civil;
use jiff::tz::{AmbiguousOffset, TimeZone};
use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{TypedString, Value as AstValue, ValueWithSpan};

use super::context::{Analyzer, refuse_if, user_error};
use super::data_type::TOO_PRECISE;
use crate::error::{Result, location_of, not_supported};
use crate::expr::{Expr, Value};
use crate::lexer::plain_number;
use crate::types::{MAX_DECIMAL_PRECISION, MAX_TIME_PRECISION, Type};

impl Analyzer<'_> {
    pub(super) fn literal(&mut self, value: &ValueWithSpan) -> Result<Expr> {
        let ValueWithSpan { value, span } = value;
        let place = location_of(span.start);
        let literal = match value {
            AstValue::Number(digits, is_long) => {
                if *is_long {
                    return Err(not_supported(place, "a number with the suffix L"));
                }
                self.number(digits, place)?
            }
            AstValue::SingleQuotedString(text) | AstValue::UnicodeStringLiteral(text) => {
                Expr::literal(Value::Varchar(text.clone()), Type::of_text(text))
            }
            AstValue::HexStringLiteral(digits) => {
                let bytes =
                    binary(digits).map_err(|message| user_error(ErrorCode::SyntaxError, place, message))?;
                Expr::literal(Value::Varbinary(bytes), Type::Varbinary)
            }
            AstValue::Boolean(value) => Expr::boolean(*value),
            AstValue::Null => Expr::literal(Value::Null, Type::Unknown),
            AstValue::Placeholder(text) => {
                let bound = text.strip_prefix(':').and_then(|name| self.parameters.get(name));
                let message = format!("the parameter {text} (a parameter is spelled :name)");
                bound.cloned().ok_or_else(|| not_supported(place, message))?
            }
            AstValue::DollarQuotedString(_)
            | AstValue::TripleSingleQuotedString(_)
            | AstValue::TripleDoubleQuotedString(_)
            | AstValue::EscapedStringLiteral(_)
            | AstValue::SingleQuotedByteStringLiteral(_)
            | AstValue::DoubleQuotedByteStringLiteral(_)
            | AstValue::TripleSingleQuotedByteStringLiteral(_)
            | AstValue::TripleDoubleQuotedByteStringLiteral(_)
            | AstValue::SingleQuotedRawStringLiteral(_)
            | AstValue::DoubleQuotedRawStringLiteral(_)
            | AstValue::TripleSingleQuotedRawStringLiteral(_)
            | AstValue::TripleDoubleQuotedRawStringLiteral(_)
            | AstValue::NationalStringLiteral(_)
            | AstValue::QuoteDelimitedStringLiteral(_)
            | AstValue::NationalQuoteDelimitedStringLiteral(_)
            | AstValue::DoubleQuotedString(_) => return Err(not_supported(place, "a literal of this form")),
        };
        Ok(literal.at(place))
    }

    /// `1` is an integer (a bigint where it must be), `1.5` a decimal(2,1), `1e0` a double.
    pub(super) fn number(&mut self, text: &str, place: Option<ErrorLocation>) -> Result<Expr> {
        let digits = plain_number(text);
        let literal = if digits.contains(['e', 'E']) {
            digits.parse().ok().map(|value| Expr::literal(Value::Double(value), Type::Double))
        } else if digits.contains('.') {
            decimal_literal(&digits)
        } else {
            digits.parse::<i64>().ok().map(|value| {
                let data_type = if i32::try_from(value).is_ok() { Type::Integer } else { Type::BigInt };
                Expr::literal(Value::Integer(value), data_type)
            })
        };
        match literal {
            Some(literal) => Ok(literal.at(place)),
            None => {
                let message = format!("Invalid numeric literal: {text}");
                Err(user_error(ErrorCode::SyntaxError, place, message))
            }
        }
    }

    /// `DATE '…'`, `TIMESTAMP '…'`, `DECIMAL '…'` and the like.
    pub(super) fn typed_literal(&mut self, typed: &TypedString) -> Result<Expr> {
        let TypedString { data_type, value, uses_odbc_syntax } = typed;
        let place = location_of(value.span.start);
        refuse_if(*uses_odbc_syntax, place, "the ODBC form of a literal")?;
        let AstValue::SingleQuotedString(text) = &value.value else {
            return Err(not_supported(place, "a literal of this form"));
        };
        let wanted = self.data_type(data_type, place)?;
        let literal = match &wanted {
            Type::Date => parse_date(text).map(|days| (Value::Date(days), Type::Date)),
            Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. } => parse_timestamp(text),
            Type::Time { .. } => parse_time(text),
            Type::Decimal { .. } => {
                let digits = text.trim();
                let literal = decimal_literal(&if digits.contains('.') {
                    digits.to_owned()
                } else {
                    format!("{digits}.")
                });
                literal.and_then(|literal| Some((literal.as_literal()?.clone(), literal.data_type)))
            }
            Type::Double => text.trim().parse().ok().map(|value| (Value::Double(value), Type::Double)),
            Type::Real => {
                text.trim().parse::<f32>().ok().map(|value| (Value::Double(f64::from(value)), Type::Real))
            }
            Type::Varchar { length: None } => Some((Value::Varchar(text.clone()), Type::VARCHAR)),
            Type::Boolean => match text.to_lowercase().as_str() {
                "true" => Some((Value::Boolean(true), Type::Boolean)),
                "false" => Some((Value::Boolean(false), Type::Boolean)),
                _ => None,
            },
            integer if integer.is_integer() => text
                .trim()
                .parse()
                .ok()
                .filter(|value| fits_integer(*value, integer))
                .map(|value| (Value::Integer(value), integer.clone())),
            other => return Err(not_supported(place, format!("a literal of type {other}"))),
        };
        match literal {
            Some((value, data_type)) => Ok(Expr::literal(value, data_type).at(place)),
            None if is_too_precise(text, &wanted) => Err(not_supported(place, TOO_PRECISE)),
            None => {
                let message = format!("'{text}' is not a valid {wanted} literal");
                Err(user_error(ErrorCode::InvalidLiteral, place, message))
            }
        }
    }
}

/// Of a timestamp's precision: 1000 for milliseconds.
pub(crate) const fn units_per_second(precision: u8) -> i64 {
    match precision {
        0..=3 => 1_000,
        4..=6 => 1_000_000,
        _ => 1_000_000_000,
    }
}

pub(crate) fn fits_integer(value: i64, data_type: &Type) -> bool {
    match data_type {
        Type::TinyInt => i8::try_from(value).is_ok(),
        Type::SmallInt => i16::try_from(value).is_ok(),
        Type::Integer => i32::try_from(value).is_ok(),
        _ => true,
    }
}

/// The bytes of `X'…'`, or what is wrong with it. Digits are looked at one by one: the reader of numbers takes signs.
fn binary(text: &str) -> std::result::Result<Vec<u8>, &'static str> {
    let digits = text.chars().filter(|character| !matches!(character, ' ' | '\t' | '\r' | '\n'));
    let digits: Option<Vec<u32>> = digits.map(|digit| digit.to_digit(16)).collect();
    let digits = digits.ok_or("Binary literal can only contain hexadecimal digits")?;
    if !digits.len().is_multiple_of(2) {
        return Err("Binary literal must contain an even number of digits");
    }
    Ok(digits.chunks(2).filter_map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect())
}

/// `00.50` is the decimal(2,2) 0.50: leading zeros are not digits of the precision.
pub(crate) fn decimal_literal(text: &str) -> Option<Expr> {
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = unsigned.split_once('.')?;
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    if !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let scale = u8::try_from(fraction.len()).ok()?;
    let precision = u8::try_from(whole.len() + fraction.len()).ok()?.max(1);
    if precision > MAX_DECIMAL_PRECISION {
        return None;
    }
    let magnitude: i128 = format!("0{whole}{fraction}").parse().ok()?;
    let value = if is_negative { -magnitude } else { magnitude };
    Some(Expr::literal(Value::Decimal(value), Type::decimal(precision, scale)))
}

/// Days since the epoch of `YYYY-MM-DD`.
pub(crate) fn parse_date(text: &str) -> Option<i32> {
    let text = text.trim();
    let mut parts = text.splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let all_digits =
        [year, month, day].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    if !all_digits || year.len() < 4 {
        return None;
    }
    let date = civil::Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
    days_since_epoch(date)
}

/// Days since the epoch.
pub(super) fn days_since_epoch(date: civil::Date) -> Option<i32> {
    date.since((jiff::Unit::Day, civil::date(1970, 1, 1))).ok().map(|span| span.get_days())
}

/// `YYYY-MM-DD[( |T)HH:MM[:SS[.fraction]]][ zone]`; the precision is that of the fraction.
pub(crate) fn parse_timestamp(text: &str) -> Option<(Value, Type)> {
    let text = text.trim();
    let (date_text, rest) = match text.find([' ', 'T']) {
        Some(at) => (&text[..at], text[at + 1..].trim_start()),
        None => (text, ""),
    };
    let days = i64::from(parse_date(date_text)?);
    let clock_length = rest
        .find(|character: char| !(character.is_ascii_digit() || ":.".contains(character)))
        .unwrap_or(rest.len());
    let (clock, zone) = (&rest[..clock_length], rest[clock_length..].trim());
    let (nanos, digits) = if clock.is_empty() { (0, 0) } else { parse_clock(clock)? };
    let precision = u8::try_from(digits).ok()?;
    let unit = units_per_second(precision);
    let seconds = days.checked_mul(86_400)?.checked_add(nanos / 1_000_000_000)?;
    let fraction = nanos % 1_000_000_000 / (1_000_000_000 / unit);
    if zone.is_empty() {
        let value = seconds.checked_mul(unit)?.checked_add(fraction)?;
        return Some((Value::Timestamp(value), Type::Timestamp { precision }));
    }
    let (zone, offset_seconds) = zone_at(zone, seconds)?;
    let value = seconds.checked_sub(offset_seconds)?.checked_mul(unit)?.checked_add(fraction)?;
    Some((Value::Timestamp(value), Type::TimestampWithTimeZone { precision, zone }))
}

/// The zone's canonical name and its offset from UTC at a wall clock's moment.
fn zone_at(zone: &str, wall_seconds: i64) -> Option<(String, i64)> {
    if matches!(zone, "Z" | "UTC" | "GMT") {
        return Some(("UTC".to_owned(), 0));
    }
    if let Some(sign) = zone.chars().next().filter(|sign| matches!(sign, '+' | '-')) {
        let (hours, minutes) = match zone[1..].split_once(':') {
            Some((hours, minutes)) => (hours.parse::<i64>().ok()?, minutes.parse::<i64>().ok()?),
            None => (zone[1..].parse::<i64>().ok()?, 0),
        };
        if hours > 14 || minutes > 59 {
            return None;
        }
        let offset = (hours * 60 + minutes) * 60 * if sign == '-' { -1 } else { 1 };
        if offset == 0 {
            return Some(("UTC".to_owned(), 0));
        }
        // A fixed offset is kept as the moment in UTC: files have no zone of that form.
        return Some(("UTC".to_owned(), offset));
    }
    let time_zone = TimeZone::get(zone).ok()?;
    let wall = jiff::Timestamp::from_second(wall_seconds).ok()?.to_zoned(TimeZone::UTC).datetime();
    let zoned = time_zone.to_ambiguous_zoned(wall);
    // A time that the zone's clock skips is none.
    if matches!(zoned.offset(), AmbiguousOffset::Gap { .. }) {
        return None;
    }
    let zoned = zoned.compatible().ok()?;
    let name = time_zone.iana_name().filter(|name| *name == zone)?.to_owned();
    Some((name, i64::from(zoned.offset().seconds())))
}

/// Nanoseconds since midnight, and digits of the fraction.
fn parse_clock(text: &str) -> Option<(i64, usize)> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = clock.split(':');
    let hour: i64 = parts.next()?.parse().ok()?;
    let minute: i64 = parts.next()?.parse().ok()?;
    let second: i64 = match parts.next() {
        Some(second) => second.parse().ok()?,
        None => 0,
    };
    let is_too_precise = fraction.len() > usize::from(MAX_TIME_PRECISION);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 || is_too_precise {
        return None;
    }
    let nanos: i64 = if fraction.is_empty() { 0 } else { format!("{fraction:0<9}").parse().ok()? };
    Some((((hour * 60 + minute) * 60 + second) * 1_000_000_000 + nanos, fraction.len()))
}

pub(crate) fn parse_time(text: &str) -> Option<(Value, Type)> {
    let (nanos, digits) = parse_clock(text.trim())?;
    Some((Value::Time(nanos), Type::Time { precision: u8::try_from(digits).ok()? }))
}

/// Whether a literal would be one with fewer of its ten to twelve digits of a second.
fn is_too_precise(text: &str, wanted: &Type) -> bool {
    let Some((before, rest)) = text.split_once('.') else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (kept, rest) = (&rest[..digits.min(MAX_TIME_PRECISION.into())], &rest[digits..]);
    let shortened = format!("{before}.{kept}{rest}");
    let is_literal = match wanted {
        Type::Time { .. } => parse_time(&shortened).is_some(),
        Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. } => parse_timestamp(&shortened).is_some(),
        _ => false,
    };
    is_literal && (10..=12).contains(&digits)
}
