//! One value of a page, read from JSON into its column.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::value::RawValue;

use super::builder::{Builder, Store};
use super::value_text::{
    date, decimal, fine_timestamp, interval_day_to_second, interval_year_to_month, time, timestamp,
    zoned_timestamp,
};
use super::value_type::ValueType;

/// The place of the next value of a column.
pub(super) struct Cell<'b>(pub(super) &'b mut Builder);

impl<'de> DeserializeSeed<'de> for Cell<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.0.value_type == ValueType::Other {
            let raw = <&RawValue>::deserialize(deserializer)?.get();
            return match raw.as_bytes().first() {
                Some(b'n') => {
                    self.0.append_null();
                    Ok(())
                }
                Some(b'"') => {
                    let text: String = serde_json::from_str(raw).map_err(D::Error::custom)?;
                    put_text(self.0, &text).map_err(D::Error::custom)
                }
                _ => put_text(self.0, raw).map_err(D::Error::custom),
            };
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Cell<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a value of the type {:?}", self.0.value_type)
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.append_null();
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        let Store::Boolean(values) = &mut self.0.store else {
            return Err(E::invalid_type(Unexpected::Bool(value), &self));
        };
        values.append(value);
        self.0.filled();
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        if put_integer(self.0, value) {
            Ok(())
        } else {
            Err(E::invalid_type(Unexpected::Signed(value), &self))
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => self.visit_f64(value as f64),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        match &mut self.0.store {
            Store::Float64(values) => values.push(value),
            Store::Float32(values) => values.push(value as f32),
            _ => return Err(E::invalid_type(Unexpected::Float(value), &self)),
        }
        self.0.filled();
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        put_text(self.0, text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        match &mut self.0.store {
            Store::List { offsets, elements: builder } => {
                while elements.next_element_seed(Cell(builder))?.is_some() {}
                offsets.push(builder.len() as i64);
            }
            Store::Row { length, fields } => {
                for (index, field) in fields.iter_mut().enumerate() {
                    if elements.next_element_seed(Cell(field))?.is_none() {
                        return Err(A::Error::invalid_length(index, &"a value for each field"));
                    }
                }
                if elements.next_element::<serde::de::IgnoredAny>()?.is_some() {
                    return Err(A::Error::invalid_length(fields.len() + 1, &"a value for each field"));
                }
                *length += 1;
            }
            _ => return Err(A::Error::invalid_type(Unexpected::Seq, &self)),
        }
        self.0.filled();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Store::Map { offsets, keys, values } = &mut self.0.store else {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        };
        while entries.next_key_seed(Key(keys))?.is_some() {
            entries.next_value_seed(Cell(values))?;
        }
        let end = i32::try_from(keys.len())
            .map_err(|_| A::Error::custom("a batch has too many entries of maps"))?;
        offsets.push(end);
        self.0.filled();
        Ok(())
    }
}

/// A key of a map, which JSON has as text whatever its type.
struct Key<'b>(&'b mut Builder);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a key of the type {:?}", self.0.value_type)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        put_text(self.0, text).map_err(E::custom)
    }
}

/// Whether the column takes integers and this one fits.
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

/// Puts a value that Trino sends as text, or the key of a map.
fn put_text(builder: &mut Builder, text: &str) -> Result<(), String> {
    let no_value =
        |value_type: &ValueType| format!("'{}' is no value of the type {value_type:?}", excerpt(text));
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

fn excerpt(text: &str) -> String {
    crate::names::excerpt(text)
}
