//! Parses one value of a page into its column.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;

use super::builder::{Builder, Store};
use super::value_text::{
    date, decimal, fine_timestamp, interval_day_to_second, interval_year_to_month, time, timestamp,
    zoned_timestamp,
};
use super::value_type::ValueType;
use crate::json::{Json, Malformed, Number, Read};

/// Parses the next value into its column.
#[inline]
pub(super) fn read(builder: &mut Builder, json: &mut Json<'_>) -> Read<()> {
    if builder.value_type == ValueType::Other {
        return read_other(builder, json);
    }
    match json.peek() {
        Some(b'"') => {
            let text = json.text()?;
            put_text(builder, &text).map_err(|why| json.malformed(why))
        }
        Some(b'-' | b'0'..=b'9') => match json.number()? {
            Number::Integer(value) if put_integer(builder, value) => Ok(()),
            Number::Integer(value) => Err(another_type(builder, json, &format_args!("integer `{value}`"))),
            Number::Float(value) => put_float(builder, json, value),
        },
        Some(b'n') => {
            json.word("null")?;
            builder.append_null();
            Ok(())
        }
        Some(b't') => {
            json.word("true")?;
            put_boolean(builder, json, true)
        }
        Some(b'f') => {
            json.word("false")?;
            put_boolean(builder, json, false)
        }
        Some(b'[') => read_array(builder, json),
        Some(b'{') => read_map(builder, json),
        _ => Err(json.unexpected(&"a value")),
    }
}

/// Parses the values of a row, as many as there are columns.
pub(super) fn read_row(builders: &mut [Builder], json: &mut Json<'_>) -> Read<()> {
    json.expect(b'[')?;
    let length = builders.len();
    let mut has_another = json.has_first(b']');
    for (index, builder) in builders.iter_mut().enumerate() {
        if !has_another {
            return Err(json.malformed(format_args!("invalid length {index}, expected {length} values")));
        }
        read(builder, json)?;
        has_another = json.has_another(b']')?;
    }
    if has_another {
        return Err(json.malformed(format_args!("invalid length {}, expected {length} values", length + 1)));
    }
    Ok(())
}

/// Parses a value of a plug-in's type: a text, or its JSON.
fn read_other(builder: &mut Builder, json: &mut Json<'_>) -> Read<()> {
    match json.peek() {
        Some(b'n') => {
            json.word("null")?;
            builder.append_null();
            Ok(())
        }
        Some(b'"') => {
            let text = json.text()?;
            put_text(builder, &text).map_err(|why| json.malformed(why))
        }
        _ => {
            let raw: &RawValue = json.value()?;
            put_text(builder, raw.get()).map_err(|why| json.malformed(why))
        }
    }
}

/// Parses the elements of an array, or the fields of a row.
fn read_array(builder: &mut Builder, json: &mut Json<'_>) -> Read<()> {
    match &mut builder.store {
        Store::List { offsets, elements } => {
            json.expect(b'[')?;
            let mut has_another = json.has_first(b']');
            while has_another {
                read(elements, json)?;
                has_another = json.has_another(b']')?;
            }
            offsets.push(elements.len() as i64);
        }
        Store::Row { length, fields } => {
            read_row(fields, json)?;
            *length += 1;
        }
        _ => return Err(another_type(builder, json, &"array")),
    }
    builder.filled();
    Ok(())
}

/// Parses the entries of a map; JSON keys are text whatever their type.
fn read_map(builder: &mut Builder, json: &mut Json<'_>) -> Read<()> {
    let Store::Map { offsets, keys, values } = &mut builder.store else {
        return Err(another_type(builder, json, &"map"));
    };
    json.expect(b'{')?;
    let mut has_another = json.has_first(b'}');
    while has_another {
        let key = json.text()?;
        put_text(keys, &key).map_err(|why| json.malformed(why))?;
        json.expect(b':')?;
        read(values, json)?;
        has_another = json.has_another(b'}')?;
    }
    let end =
        i32::try_from(keys.len()).map_err(|_| json.malformed("a batch has too many entries of maps"))?;
    offsets.push(end);
    builder.filled();
    Ok(())
}

fn put_boolean(builder: &mut Builder, json: &Json<'_>, value: bool) -> Read<()> {
    let Store::Boolean(values) = &mut builder.store else {
        return Err(another_type(builder, json, &format_args!("boolean `{value}`")));
    };
    values.append(value);
    builder.filled();
    Ok(())
}

fn put_float(builder: &mut Builder, json: &Json<'_>, value: f64) -> Read<()> {
    match &mut builder.store {
        Store::Float64(values) => values.push(value),
        Store::Float32(values) => values.push(value as f32),
        _ => return Err(another_type(builder, json, &format_args!("floating point `{value}`"))),
    }
    builder.filled();
    Ok(())
}

#[cold]
fn another_type(builder: &Builder, json: &Json<'_>, found: &dyn std::fmt::Display) -> Malformed {
    json.malformed(format_args!(
        "invalid type: {found}, expected a value of the type {:?}",
        builder.value_type
    ))
}

/// Whether the column accepts integers and this one fits.
#[inline]
fn put_integer(builder: &mut Builder, value: i64) -> bool {
    let is_put = match (&mut builder.store, &builder.value_type) {
        (Store::Int64(values), ValueType::BigInt) => {
            values.push(value);
            true
        }
        (Store::Int32(values), ValueType::Integer) => put_narrow(values, value),
        (Store::Int16(values), _) => put_narrow(values, value),
        (Store::Int8(values), _) => put_narrow(values, value),
        (Store::Float64(values), _) => {
            values.push(value as f64);
            true
        }
        (Store::Float32(values), _) => {
            values.push(value as f32);
            true
        }
        _ => false,
    };
    if is_put {
        builder.filled();
    }
    is_put
}

fn put_narrow<T: TryFrom<i64>>(values: &mut Vec<T>, value: i64) -> bool {
    T::try_from(value).map(|value| values.push(value)).is_ok()
}

/// Stores a value that Trino sends as text, or the key of a map.
#[inline]
fn put_text(builder: &mut Builder, text: &str) -> Result<(), String> {
    let no_value = |value_type: &ValueType| {
        format!("'{}' is no value of the type {value_type:?}", rowhouse_model::excerpt(text))
    };
    match (&mut builder.store, &builder.value_type) {
        (Store::Bytes { offsets, bytes }, ValueType::Varbinary) => {
            STANDARD.decode_vec(text, bytes).map_err(|error| format!("no base64: {error}"))?;
            offsets.push(bytes.len() as i64);
        }
        (Store::Bytes { offsets, bytes }, ValueType::FineTimestamp { has_zone }) => {
            bytes.extend_from_slice(fine_timestamp(text, *has_zone)?.as_bytes());
            offsets.push(bytes.len() as i64);
        }
        (Store::Bytes { offsets, bytes }, _) => {
            bytes.extend_from_slice(text.as_bytes());
            offsets.push(bytes.len() as i64);
        }
        (Store::Int128(values), value_type @ ValueType::Decimal { scale, .. }) => {
            values.push(decimal(text, *scale).ok_or_else(|| no_value(value_type))?);
        }
        (Store::Int32(values), value_type @ ValueType::Date) => {
            values.push(date(text).ok_or_else(|| no_value(value_type))?);
        }
        (Store::Int32(values), value_type @ ValueType::IntervalYearToMonth) => {
            values.push(interval_year_to_month(text).ok_or_else(|| no_value(value_type))?);
        }
        (Store::Int64(values), value_type @ ValueType::Time) => {
            values.push(time(text).ok_or_else(|| no_value(value_type))?);
        }
        (Store::Int64(values), ValueType::Timestamp(unit)) => values.push(timestamp(text, *unit)?),
        (Store::Int64(values), value_type @ ValueType::IntervalDayToSecond) => {
            values.push(interval_day_to_second(text).ok_or_else(|| no_value(value_type))?);
        }
        (Store::Zoned { moments, offsets, zones }, ValueType::TimestampWithTimeZone(unit)) => {
            let (moment, offset) = zoned_timestamp(text, *unit, zones)?;
            moments.push(moment);
            offsets.push(offset);
        }
        (Store::Float64(values), value_type) => {
            values.push(text.parse().map_err(|_| no_value(value_type))?);
        }
        (Store::Float32(values), value_type) => {
            values.push(text.parse().map_err(|_| no_value(value_type))?);
        }
        (Store::Boolean(values), value_type) => {
            values.append(text.parse().map_err(|_| no_value(value_type))?);
        }
        (_, value_type) => {
            // A key of an integer type.
            let value = text.parse().map_err(|_| no_value(value_type))?;
            return if put_integer(builder, value) { Ok(()) } else { Err(no_value(&builder.value_type)) };
        }
    }
    builder.filled();
    Ok(())
}
