//! Conversion of one value to another type, with Trino's rules and Trino's error messages.

use super::date_time::calendar::{NANOS_PER_DAY, in_range, precision, rounded, units_per_second};
use super::date_time::clock::Clock;
use super::datum::{Datum, in_order_of_keys, is_same};
use super::numeric::{decimal_to_real, power_of_ten, rescale};
use rowhouse_sql::date_time_text::parse_date;
use rowhouse_sql::number_text::{parse_double, parse_integer, parse_real, plain_digits};
use rowhouse_sql::types::{
    Offset, Type, VALUE_BYTES, ip_address_text, mapped, padded, parse_ip_address, parse_uuid, uuid_text,
};

mod big_natural;
mod double_digits;
mod json;
pub(super) mod number_text;
pub(super) mod time_text;

use json::{from_json, to_json};
use number_text::{double_to_text, parse_decimal};
pub(super) use number_text::{java_decimal, java_real, put_decimal};

/// Converts a value that is not NULL.
///
/// # Errors
///
/// The message names the value and the target type.
pub(super) fn convert(value: &Datum<'_>, from: &Type, to: &Type) -> Result<Datum<'static>, String> {
    let failed = || format!("Cannot cast {from} '{}' to {to}", shown(value, from));
    Ok(match (value, to) {
        (Datum::Null, _) => Datum::Null,
        // A part of an array or a row whose type does not change while another part is cast.
        (value, to) if from == to => value.clone().into_owned(),
        (Datum::Text(json), to) if *from == Type::Json => from_json(json, to)?,
        (value, Type::Json) => Datum::from_text(to_json(value, from)),
        (value, Type::Varchar { length }) => Datum::from_text(to_varchar(value, from, *length)?),
        (Datum::Array(elements), Type::Array(target)) => {
            let Type::Array(source) = from else { return Err(failed()) };
            Datum::Array(
                elements.iter().map(|element| convert(element, source, target)).collect::<Result<_, _>>()?,
            )
        }
        (Datum::Array(entries), Type::Map(..)) => convert_map(entries, from, to)?,
        (Datum::Row(values), Type::Row(targets)) => {
            let Type::Row(sources) = from else { return Err(failed()) };
            let converted = values
                .iter()
                .zip(sources.iter().zip(targets))
                .map(|(value, (source, target))| convert(value, &source.data_type, &target.data_type));
            Datum::Row(converted.collect::<Result<_, _>>()?)
        }
        (Datum::Text(text), Type::Char { length }) => Datum::from_text(padded(text, *length)),
        (Datum::Text(text), Type::Uuid) => {
            let bytes = parse_uuid(text).ok_or_else(|| format!("Cannot cast value to UUID: {text}"))?;
            Datum::Binary(bytes.to_vec().into())
        }
        (Datum::Text(text), Type::IpAddress) => {
            let bytes = parse_ip_address(text);
            let bytes = bytes.ok_or_else(|| format!("Cannot cast value to IPADDRESS: {text}"))?;
            Datum::Binary(bytes.to_vec().into())
        }
        (Datum::Binary(bytes), to) if to.is_sketch() || from.is_sketch() => {
            Datum::Binary(bytes.to_vec().into())
        }
        (Datum::Binary(bytes), Type::Uuid | Type::IpAddress | Type::Varbinary) => {
            Datum::Binary(of_sixteen_bytes(bytes, to)?.into())
        }
        (Datum::Text(text), _) => from_text(text, to).ok_or_else(failed)?,
        (value, Type::Boolean) => match value {
            Datum::Boolean(value) => Datum::Boolean(*value),
            Datum::Integer(number) => Datum::Boolean(*number != 0),
            Datum::Decimal(number) => Datum::Boolean(*number != 0),
            Datum::Double(number) => Datum::Boolean(*number != 0.0),
            _ => return Err(failed()),
        },
        (value, Type::Real) => Datum::Double(to_real(value, from).ok_or_else(failed)?.into()),
        (value, Type::Double) => Datum::Double(to_double(value, from).ok_or_else(failed)?),
        (value, Type::Decimal { precision, scale }) => {
            let number = to_decimal(value, from, *scale).ok_or_else(failed)?;
            fitting(number, *precision).ok_or_else(failed)?
        }
        (value, integer) if integer.is_integer() => {
            let number = to_integer(value, from).ok_or_else(failed)?;
            let fits = within_type(number, integer);
            fits.then_some(Datum::Integer(number))
                .ok_or_else(|| format!("Out of range for {integer}: {}", shown(value, from)))?
        }
        (Datum::Integer(number), _) => {
            let moved = match (from, to) {
                // Date and time of an instant are the local ones in its zone.
                (
                    Type::TimestampWithTimeZone { precision, zone },
                    Type::Date | Type::Time { .. } | Type::Timestamp { .. },
                ) => {
                    let local = time_text::to_local(*number, from, zone.name());
                    change_unit(local, &Type::Timestamp { precision: *precision }, to)
                }
                (
                    Type::Time { .. } | Type::TimeWithTimeZone { .. } | Type::Timestamp { .. },
                    Type::Time { .. } | Type::TimeWithTimeZone { .. },
                ) => time_of_day(*number, from, to),
                (Type::TimestampWithTimeZone { precision, .. }, Type::TimeWithTimeZone { .. }) => {
                    time_of_day(*number, &Type::Timestamp { precision: *precision }, &in_utc(to))
                }
                // The reverse: a local time in the target's zone.
                (Type::Date | Type::Timestamp { .. }, Type::TimestampWithTimeZone { .. }) => {
                    let clock = Clock::of(to).ok_or_else(failed)?;
                    change_unit(*number, from, to).and_then(|local| clock.moment_of(local, local))
                }
                _ => change_unit(*number, from, to),
            };
            let held = moved.and_then(|number| in_range(number, to));
            Datum::Integer(held.ok_or_else(failed)?)
        }
        _ => return Err(failed()),
    })
}

/// Converts the keys and values of a map. A NULL key is an error, and so are keys that are equal after the cast.
fn convert_map(entries: &[Datum<'_>], from: &Type, to: &Type) -> Result<Datum<'static>, String> {
    let (Type::Map(from_key, from_value), Type::Map(to_key, to_value)) = (from, to) else {
        return Err(format!("Cannot cast {from} to {to}"));
    };
    let mut converted = Vec::with_capacity(entries.len());
    for entry in entries {
        let [key, value] = entry.elements() else { continue };
        let key = convert(key, from_key, to_key)?;
        if key.is_null() {
            return Err("map key is null".to_owned());
        }
        converted.push(Datum::Row(vec![key, convert(value, from_value, to_value)?]));
    }
    let map = in_order_of_keys(Datum::Array(converted));
    let is_twice = |pair: &[Datum<'_>]| is_same(&pair[0].elements()[0], &pair[1].elements()[0]);
    if map.elements().windows(2).any(is_twice) {
        return Err("duplicate keys".to_owned());
    }
    Ok(map)
}

/// The value as text of at most `length` characters: longer text is truncated, other longer values are errors.
fn to_varchar(value: &Datum<'_>, from: &Type, length: Option<u32>) -> Result<String, String> {
    let mut text = to_text(value, from);
    if *from == Type::Date && text.starts_with('+') {
        // Only the protocol prints the sign of years beyond 9999.
        text.remove(0);
    }
    let Some(length) = length else { return Ok(text) };
    match text.char_indices().nth(length as usize) {
        None => Ok(text),
        Some((end, _)) if from.is_text() => Ok(text[..end].to_owned()),
        Some(_) => Err(format!("Value {text} cannot be represented as {}", Type::varchar(length.into()))),
    }
}

/// Converts bytes to a type of 16 bytes; four bytes are an IPv4 address.
fn of_sixteen_bytes(bytes: &[u8], to: &Type) -> Result<Vec<u8>, String> {
    match (to, <[u8; 4]>::try_from(bytes)) {
        (Type::Varbinary, _) => Ok(bytes.to_vec()),
        (Type::IpAddress, Ok(octets)) => Ok(mapped(octets).to_vec()),
        _ if bytes.len() == VALUE_BYTES => Ok(bytes.to_vec()),
        _ => {
            let what = if *to == Type::Uuid { "UUID" } else { "IP address" };
            Err(format!("Invalid {what} binary length: {}", bytes.len()))
        }
    }
}

fn shown(value: &Datum<'_>, from: &Type) -> String {
    to_text(value, from)
}

/// Converts between units; rounds if the new type has fewer fractional digits.
fn change_unit(value: i64, from: &Type, to: &Type) -> Option<i64> {
    let (from_units, to_units) = (units_per_second(from), units_per_second(to));
    match (from, to) {
        (Type::Date, _) => value.checked_mul(86_400)?.checked_mul(to_units),
        (_, Type::Date) => Some(value.div_euclid(from_units * 86_400)),
        (Type::Timestamp { .. }, Type::Time { .. }) => {
            rounded(value.rem_euclid(from_units * 86_400) * (to_units / from_units), to)
        }
        (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) || is_moment(a) && is_moment(b) => {
            if to_units >= from_units {
                rounded(value.checked_mul(to_units / from_units)?, to)
            } else {
                // Rounded once, from the finer digits: rounding twice rounds up too often.
                let factor = from_units / 10_i64.pow(u32::from(precision(to)?));
                let digits = value.checked_add(factor / 2)?.div_euclid(factor);
                digits.checked_mul(to_units / (from_units / factor))
            }
        }
        _ => None,
    }
}

/// The time of day of a time or a timestamp. If only one of the types has an offset, the local time is shifted by it.
fn time_of_day(value: i64, from: &Type, to: &Type) -> Option<i64> {
    let precision = precision(to)?;
    let plain = Type::Time { precision };
    let time = match from {
        Type::Timestamp { .. } => change_unit(value, from, &plain)?,
        _ => rounded(value, &plain)?,
    };
    let shift = match (from, to) {
        (Type::TimeWithTimeZone { .. }, Type::TimeWithTimeZone { .. }) => 0,
        _ => time_text::offset_nanos(from) - time_text::offset_nanos(to),
    };
    Some((time + shift).rem_euclid(NANOS_PER_DAY))
}

/// The `time with time zone` of this precision in UTC.
fn in_utc(data_type: &Type) -> Type {
    Type::TimeWithTimeZone { precision: precision(data_type).unwrap_or(0), offset: Offset::new(0) }
}

const fn is_moment(data_type: &Type) -> bool {
    matches!(data_type, Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. })
}

/// Rounded once: by way of a double, a number near the middle of two reals could become the other one.
fn to_real(value: &Datum<'_>, from: &Type) -> Option<f32> {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "a real has 24 bits; that is the conversion"
    )]
    Some(match (value, from) {
        (Datum::Integer(number), _) => *number as f32,
        (Datum::Decimal(number), Type::Decimal { precision, scale }) => {
            decimal_to_real(*number, *precision, *scale)
        }
        _ => to_double(value, from)? as f32,
    })
}

fn to_double(value: &Datum<'_>, from: &Type) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a double has 53 bits; that is the conversion")]
    Some(match (value, from) {
        (Datum::Boolean(value), _) => f64::from(u8::from(*value)),
        (Datum::Integer(number), _) => *number as f64,
        // Above 18 digits Trino takes the nearest double, up to 18 the quotient of two doubles.
        (Datum::Decimal(number), Type::Decimal { precision: 19.., scale }) => {
            format!("{number}e-{scale}").parse().ok()?
        }
        (Datum::Decimal(number), Type::Decimal { scale, .. }) => *number as f64 / power_of_ten(*scale) as f64,
        (Datum::Double(number), _) => *number,
        _ => return None,
    })
}

fn to_decimal(value: &Datum<'_>, from: &Type, scale: u8) -> Option<i128> {
    match (value, from) {
        (Datum::Boolean(value), _) => Some(i128::from(*value) * power_of_ten(scale)),
        (Datum::Integer(number), _) => rescale(i128::from(*number), 0, scale),
        (Datum::Decimal(number), Type::Decimal { scale: from, .. }) => rescale(*number, *from, scale),
        #[expect(clippy::cast_possible_truncation, reason = "a real has the digits of 32 bits")]
        (Datum::Double(number), Type::Real) => number_text::real_to_decimal(*number as f32, scale),
        (Datum::Double(number), _) => number_text::double_to_decimal(*number, scale),
        _ => None,
    }
}

fn to_integer(value: &Datum<'_>, from: &Type) -> Option<i64> {
    match (value, from) {
        (Datum::Boolean(value), _) => Some(i64::from(*value)),
        (Datum::Integer(number), _) => Some(*number),
        (Datum::Decimal(number), Type::Decimal { scale, .. }) => {
            i64::try_from(rescale(*number, *scale, 0)?).ok()
        }
        (Datum::Double(number), _) => {
            let rounded = number.round();
            // 2^63 itself is not an `i64`, and it is the smallest double above all of them.
            let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&rounded);
            #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
            fits.then_some(rounded as i64)
        }
        _ => None,
    }
}

fn within_type(number: i64, data_type: &Type) -> bool {
    match data_type {
        Type::TinyInt => i8::try_from(number).is_ok(),
        Type::SmallInt => i16::try_from(number).is_ok(),
        Type::Integer => i32::try_from(number).is_ok(),
        _ => true,
    }
}

fn fitting(number: i128, precision: u8) -> Option<Datum<'static>> {
    (number.unsigned_abs() < power_of_ten(precision).unsigned_abs()).then_some(Datum::Decimal(number))
}

fn from_text(text: &str, to: &Type) -> Option<Datum<'static>> {
    Some(match to {
        Type::Boolean => match text.to_ascii_lowercase().as_str() {
            "true" | "t" | "1" => Datum::Boolean(true),
            "false" | "f" | "0" => Datum::Boolean(false),
            _ => return None,
        },
        Type::Real => Datum::Double(parse_real(text)?.into()),
        Type::Double => Datum::Double(parse_double(text)?),
        Type::Decimal { precision, scale } => {
            fitting(parse_decimal(&plain_digits(text), *scale)?, *precision)?
        }
        integer if integer.is_integer() => {
            let number = parse_integer(text)?;
            within_type(number, integer).then_some(Datum::Integer(number))?
        }
        Type::Date => Datum::Integer(parse_date(text)?.into()),
        Type::Time { precision } => Datum::Integer(time_text::parse_time(text.trim(), *precision)?),
        Type::TimeWithTimeZone { precision, offset } => {
            Datum::Integer(time_text::parse_zoned_time(text.trim(), *precision, offset.minutes())?)
        }
        Type::Timestamp { .. } => Datum::Integer(in_range(time_text::parse_timestamp(text.trim(), to)?, to)?),
        Type::TimestampWithTimeZone { .. } => {
            Datum::Integer(in_range(time_text::parse_zoned_timestamp(text.trim(), to)?, to)?)
        }
        Type::IntervalDayToSecond => Datum::Integer(time_text::parse_day_interval(text.trim())?),
        Type::IntervalYearToMonth => Datum::Integer(time_text::parse_month_interval(text.trim())?),
        Type::Varbinary => Datum::Binary(text.as_bytes().to_vec().into()),
        _ => return None,
    })
}

/// The text of a value, as `CAST(x AS varchar)` returns it.
pub(super) fn to_text(value: &Datum<'_>, from: &Type) -> String {
    match (value, from) {
        (Datum::Null, _) => "NULL".to_owned(),
        (Datum::Boolean(value), _) => value.to_string(),
        (Datum::Decimal(number), Type::Decimal { scale, .. }) => {
            number_text::decimal_to_text(*number, *scale)
        }
        (Datum::Decimal(number), _) => number.to_string(),
        #[expect(clippy::cast_possible_truncation, reason = "the digits of a real are those of 32 bits")]
        (Datum::Double(number), Type::Real) => number_text::real_to_text(*number as f32),
        (Datum::Double(number), _) => double_to_text(*number),
        (Datum::Text(text), _) => text.to_string(),
        (Datum::Binary(bytes), Type::Uuid) => uuid_text(bytes),
        (Datum::Binary(bytes), Type::IpAddress) => ip_address_text(bytes),
        (Datum::Binary(bytes), _) => String::from_utf8_lossy(bytes).into_owned(),
        (Datum::Integer(days), Type::Date) => time_text::date_to_text(*days),
        (Datum::Integer(nanos), Type::Time { precision }) => time_text::time_to_text(*nanos, *precision),
        (Datum::Integer(nanos), Type::TimeWithTimeZone { precision, offset }) => {
            time_text::zoned_time_to_text(*nanos, *precision, offset.minutes())
        }
        (Datum::Integer(units), Type::Timestamp { precision }) => {
            time_text::timestamp_to_text(*units, from, *precision, ' ')
        }
        (Datum::Integer(units), Type::TimestampWithTimeZone { precision, zone }) => {
            let local = time_text::to_local(*units, from, zone.name());
            format!("{} {zone}", time_text::timestamp_to_text(local, from, *precision, ' '))
        }
        (Datum::Integer(millis), Type::IntervalDayToSecond) => time_text::day_interval_to_text(*millis),
        (Datum::Integer(months), Type::IntervalYearToMonth) => {
            let sign = if *months < 0 { "-" } else { "" };
            format!("{sign}{}-{}", months.abs() / 12, months.abs() % 12)
        }
        (Datum::Integer(number), _) => number.to_string(),
        (Datum::Array(entries), Type::Map(key, value)) => {
            let entries = entries.iter().filter_map(|entry| match entry.elements() {
                [found, of_key] => Some(format!("{}={}", to_text(found, key), to_text(of_key, value))),
                _ => None,
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        (Datum::Array(values), _) => {
            let element = if let Type::Array(element) = from { element } else { from };
            let values: Vec<String> = values.iter().map(|value| to_text(value, element)).collect();
            format!("[{}]", values.join(", "))
        }
        (Datum::Row(values), _) => {
            let values: Vec<String> = values.iter().map(|value| to_text(value, &Type::Unknown)).collect();
            format!("({})", values.join(", "))
        }
    }
}
