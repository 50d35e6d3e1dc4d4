//! Literals: numbers, texts, `DATE '…'` and the like.

use jiff::tz::{AmbiguousOffset, TimeZone};
use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{TypedString, Value as AstValue, ValueWithSpan};

use super::context::{Analyzer, refuse_if, user_error};
use super::data_type::TOO_PRECISE;
use crate::date_time_text::{
    ClockText, DateTimeText, clock_offset, fixed_offset_seconds, parse_clock, parse_date, parse_date_time,
};
use crate::error::{Result, location_of, not_supported};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::json_text::is_json;
use crate::lexer::plain_number;
use crate::number_text::{parse_double, parse_integer, parse_real};
use crate::types::{
    MAX_DECIMAL_PRECISION, MAX_TIME_PRECISION, Offset, Type, UTC, Zone, canonical_zone, known_second,
    offset_minutes, parse_ip_address, parse_uuid,
};

impl Analyzer<'_> {
    pub(super) fn literal(&mut self, value: &ValueWithSpan) -> Result<Expr> {
        let ValueWithSpan { value, span } = value;
        let place = location_of(span.start);
        let literal = match value {
            AstValue::Number(digits, _is_bound) => self.number(digits, place)?,
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

    /// `1` is an integer (a bigint if it is too large), `1.5` a decimal(2,1), `1e0` a double.
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
            None if digits.contains('.') && !digits.contains(['e', 'E']) => {
                let message = format!("'{text}' is not a valid DECIMAL literal");
                Err(user_error(ErrorCode::InvalidLiteral, place, message))
            }
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
            Type::Date => parse_date(text).map(|days| (Value::Date(days), Type::Date)).ok_or(Fault::Form),
            Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. } => timestamp(text),
            Type::Time { .. } | Type::TimeWithTimeZone { .. } => time(text),
            Type::Json => {
                if is_json(text) {
                    return Ok(json_constant(text).at(place));
                }
                Err(Fault::Form)
            }
            other => match constant(text, other) {
                Some(value) => value.ok_or(Fault::Form),
                None => return Err(not_supported(place, format!("a literal of type {other}"))),
            },
        };
        match literal {
            Ok((value, data_type)) => Ok(Expr::literal(value, data_type).at(place)),
            Err(Fault::Digits(10..=12)) => Err(not_supported(place, TOO_PRECISE)),
            Err(fault) => {
                let kind = wanted.signature().raw_type.to_uppercase();
                let (code, message) = match fault {
                    Fault::Form => {
                        (ErrorCode::InvalidLiteral, format!("'{text}' is not a valid {kind} literal"))
                    }
                    Fault::Digits(digits) => (
                        ErrorCode::NumericValueOutOfRange,
                        format!("{kind} precision must be in range [0, 12]: {digits}"),
                    ),
                    Fault::Zone(zone) => {
                        (ErrorCode::NotSupported, format!("Time zone not supported: {zone}"))
                    }
                };
                Err(user_error(code, place, message))
            }
        }
    }
}

/// The value of a JSON text.
pub(crate) fn json_constant(text: &str) -> Expr {
    let text = Expr::literal(Value::Varchar(text.to_owned()), Type::VARCHAR);
    Expr::new(ExprKind::Call { function: ScalarFunction::JsonParse, args: vec![text] }, Type::Json)
}

/// Units per second of a timestamp with this precision: 1000 for milliseconds.
pub(crate) const fn units_per_second(precision: u8) -> i64 {
    match precision {
        0..=3 => 1_000,
        4..=6 => 1_000_000,
        _ => 1_000_000_000,
    }
}

const NANOS_PER_MINUTE: i64 = 60_000_000_000;

const PICOS_PER_SECOND: i64 = 1_000_000_000_000;

/// A second of the year 9998, in seconds since the epoch: shortly after it, the library no longer knows the rules of
/// zones.
const LAST_KNOWN_SECOND: i64 = 253_339_228_800;

/// A literal of a type other than dates and times, with the value of a cast from its text; a decimal has the digits of
/// its text. `None` for a type without literals, `Some(None)` for an invalid text.
fn constant(text: &str, wanted: &Type) -> Option<Option<(Value, Type)>> {
    let value = match wanted {
        Type::Decimal { .. } => {
            let digits = if text.contains('x') || text.contains('b') || text.contains('o') {
                text.into()
            } else {
                plain_number(text)
            };
            let point = if digits.contains('.') { "" } else { "." };
            let literal = decimal_literal(&format!("{digits}{point}"));
            return Some(
                literal.and_then(|literal| Some((literal.as_literal()?.clone(), literal.data_type))),
            );
        }
        Type::Double => parse_double(text).map(Value::Double),
        Type::Real => parse_real(text).map(|value| Value::Double(value.into())),
        Type::Varchar { length: None } => Some(Value::Varchar(text.to_owned())),
        Type::Char { .. } => {
            let data_type = Type::char(text.chars().count() as u64);
            return Some(data_type.map(|data_type| (Value::Varchar(text.to_owned()), data_type)));
        }
        Type::Varbinary => Some(Value::Varbinary(text.as_bytes().to_vec())),
        Type::Uuid => parse_uuid(text).map(|bytes| Value::Varbinary(bytes.to_vec())),
        Type::IpAddress => parse_ip_address(text).map(|bytes| Value::Varbinary(bytes.to_vec())),
        Type::Boolean => match text.to_ascii_lowercase().as_str() {
            "true" | "t" | "1" => Some(Value::Boolean(true)),
            "false" | "f" | "0" => Some(Value::Boolean(false)),
            _ => None,
        },
        integer if integer.is_integer() => {
            parse_integer(text).filter(|value| fits_integer(*value, integer)).map(Value::Integer)
        }
        _ => return None,
    };
    Some(value.map(|value| (value, wanted.clone())))
}

pub(crate) fn fits_integer(value: i64, data_type: &Type) -> bool {
    match data_type {
        Type::TinyInt => i8::try_from(value).is_ok(),
        Type::SmallInt => i16::try_from(value).is_ok(),
        Type::Integer => i32::try_from(value).is_ok(),
        _ => true,
    }
}

/// The bytes of `X'…'`, or a message for an invalid text. Digits are checked individually, because Rust's number parser
/// accepts signs.
fn binary(text: &str) -> std::result::Result<Vec<u8>, &'static str> {
    let digits = text.chars().filter(|character| !matches!(character, ' ' | '\t' | '\r' | '\n'));
    let digits: Option<Vec<u32>> = digits.map(|digit| digit.to_digit(16)).collect();
    let digits = digits.ok_or("Binary literal can only contain hexadecimal digits")?;
    if !digits.len().is_multiple_of(2) {
        return Err("Binary literal must contain an even number of digits");
    }
    Ok(digits.chunks(2).filter_map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect())
}

/// The text `00.50` is the decimal(2,2) 0.50: leading zeros do not count in the precision.
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

/// Parses a timestamp in common notations: also with `T` before the time of day, and with spaces around it.
pub(crate) fn parse_timestamp(text: &str) -> Option<(Value, Type)> {
    let text = text.trim();
    let read = match text.find('T').filter(|at| text[..*at].ends_with(|last: char| last.is_ascii_digit())) {
        Some(at) => timestamp(&format!("{} {}", &text[..at], &text[at + 1..])),
        None => timestamp(text),
    };
    read.ok()
}

/// A timestamp whose text names its zone: the count of units since the epoch, the precision in digits of a second, and
/// the zone.
pub(super) fn zoned_timestamp(text: &str) -> Option<(Value, u8, Zone)> {
    match timestamp(text.trim()).ok()? {
        (moment, Type::TimestampWithTimeZone { precision, zone }) => Some((moment, precision, zone)),
        _ => None,
    }
}

/// The zone that the text of a timestamp names, which may have more digits of a second than a timestamp, and a local time
/// that the zone skips.
pub(super) fn zone_of_timestamp(text: &str) -> Option<Zone> {
    let name = canonical_zone(parse_date_time(text.trim())?.zone?)?;
    let is_known = name == UTC || offset_minutes(&name).is_some() || TimeZone::get(&name).is_ok();
    is_known.then(|| Zone::new(name))
}

/// The reason why a text is not a valid literal.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fault {
    /// It does not have the form of its type.
    Form,
    /// It has too many digits of a second: this number.
    Digits(usize),
    /// The offset of its zone from UTC is larger than Trino supports.
    Zone(String),
}

/// `YYYY-MM-DD[ HH:MM[:SS[.fraction]]][ zone]`; the precision is that of the fraction.
fn timestamp(text: &str) -> std::result::Result<(Value, Type), Fault> {
    let DateTimeText { days, clock, zone } = parse_date_time(text).ok_or(Fault::Form)?;
    let precision = precision_of(clock)?;
    let unit = units_per_second(precision);
    let seconds = days * 86_400 + clock.picos / PICOS_PER_SECOND;
    let fraction = clock.picos % PICOS_PER_SECOND / (PICOS_PER_SECOND / unit);
    let in_units = |seconds: i64| seconds.checked_mul(unit)?.checked_add(fraction);
    let Some(zone) = zone else {
        // Trino stores timestamps as 64-bit microseconds.
        let micros = clock.picos % PICOS_PER_SECOND / 1_000_000;
        let micros = seconds.checked_mul(1_000_000).and_then(|whole| whole.checked_add(micros));
        let value = in_units(seconds).filter(|_| micros.is_some()).ok_or(Fault::Form)?;
        return Ok((Value::Timestamp(value), Type::Timestamp { precision }));
    };
    let (zone, offset_seconds) = zone_at(zone, seconds)?;
    // Trino stores the moment of a zoned timestamp as 52-bit milliseconds.
    let moment = seconds - offset_seconds;
    let millis = moment.checked_mul(1000).and_then(|millis| millis.checked_add(fraction / (unit / 1000)));
    let is_in_range = millis.is_some_and(|millis| (-(1_i64 << 51)..1 << 51).contains(&millis));
    let value = in_units(moment).filter(|_| is_in_range).ok_or(Fault::Form)?;
    Ok((Value::Timestamp(value), Type::TimestampWithTimeZone { precision, zone: Zone::new(zone) }))
}

fn precision_of(clock: ClockText) -> std::result::Result<u8, Fault> {
    let is_held = clock.digits <= usize::from(MAX_TIME_PRECISION);
    u8::try_from(clock.digits).ok().filter(|_| is_held).ok_or(Fault::Digits(clock.digits))
}

/// The zone's canonical name, and its offset from UTC in seconds at a local time.
fn zone_at(zone: &str, wall_seconds: i64) -> std::result::Result<(String, i64), Fault> {
    let Some(name) = canonical_zone(zone) else {
        let is_too_far = fixed_offset_seconds(zone).is_some();
        return Err(if is_too_far { Fault::Zone(zone.to_owned()) } else { Fault::Form });
    };
    if name == UTC {
        return Ok((name, 0));
    }
    if let Some(minutes) = offset_minutes(&name) {
        return Ok((name, i64::from(minutes) * 60));
    }
    named_zone_at(&name, wall_seconds).ok_or(Fault::Form)
}

fn named_zone_at(zone: &str, wall_seconds: i64) -> Option<(String, i64)> {
    let time_zone = TimeZone::get(zone).ok()?;
    let wall = jiff::Timestamp::from_second(known_second(wall_seconds, LAST_KNOWN_SECOND)).ok()?;
    let zoned = time_zone.to_ambiguous_zoned(wall.to_zoned(TimeZone::UTC).datetime());
    // A local time that the zone skips is invalid.
    if matches!(zoned.offset(), AmbiguousOffset::Gap { .. }) {
        return None;
    }
    let zoned = zoned.compatible().ok()?;
    let name = time_zone.iana_name().filter(|name| *name == zone)?.to_owned();
    Some((name, i64::from(zoned.offset().seconds())))
}

/// The offset at the end of a time of day, in minutes east of UTC.
pub(super) fn offset_of_time(text: &str) -> Option<i16> {
    clock_offset(parse_clock(text.trim())?.1)
}

pub(crate) fn parse_time(text: &str) -> Option<(Value, Type)> {
    time(text.trim()).ok()
}

fn time(text: &str) -> std::result::Result<(Value, Type), Fault> {
    let (clock, rest) = parse_clock(text).ok_or(Fault::Form)?;
    if rest.is_empty() {
        return Ok((Value::Time(clock.picos / 1000), Type::Time { precision: precision_of(clock)? }));
    }
    let offset = clock_offset(rest).ok_or(Fault::Form)?;
    let precision = precision_of(clock)?;
    let in_utc = clock.picos / 1000 - i64::from(offset) * NANOS_PER_MINUTE;
    let nanos = in_utc.rem_euclid(24 * 60 * NANOS_PER_MINUTE);
    Ok((Value::Time(nanos), Type::TimeWithTimeZone { precision, offset: Offset::new(offset) }))
}
