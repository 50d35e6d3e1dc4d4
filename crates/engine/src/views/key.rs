//! Sort keys: every ordered value as an integer with the same order (D22, D23). Statistics, indexes and filters compare
//! keys; only text may be longer than its key.

use arrow_schema::{DataType, IntervalUnit};

use rowhouse_rows::arrow_file::column::{Values, zoned_unit};

/// Bytes of a text that its key contains.
pub(super) const TEXT_KEY_BYTES: usize = 16;

/// The key of every NaN: above infinity, so that no range of numbers contains it, while "not equal" does.
pub(super) const NAN_KEY: i64 = i64::MAX;

/// How a column's values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyKind {
    /// The key is the value, in 64 bits.
    Narrow,
    /// The key is the value, in 128 bits.
    Wide,
    /// The key is the beginning of the value.
    Text,
    /// Binary, arrays, maps and rows: only NULL can be tested.
    Opaque,
}

impl KeyKind {
    pub(super) fn of(data_type: &DataType) -> Self {
        match data_type {
            DataType::Boolean
            | DataType::Int8
            | DataType::Int16
            | DataType::Int32
            | DataType::Int64
            | DataType::UInt8
            | DataType::UInt16
            | DataType::UInt32
            | DataType::Float32
            | DataType::Float64
            | DataType::Date32
            | DataType::Time32(_)
            | DataType::Time64(_)
            | DataType::Timestamp(..)
            | DataType::Duration(_)
            | DataType::Interval(IntervalUnit::YearMonth) => Self::Narrow,
            DataType::Struct(fields) if zoned_unit(fields).is_some() => Self::Narrow,
            DataType::UInt64 | DataType::Decimal128(..) => Self::Wide,
            DataType::Utf8 | DataType::LargeUtf8 => Self::Text,
            _ => Self::Opaque,
        }
    }
}

/// A double's key: the order of IEEE 754 with one zero and one NaN.
#[inline(always)]
pub(super) fn f64_key(value: f64) -> i64 {
    if value.is_nan() {
        return NAN_KEY;
    }
    // Adding zero makes a negative zero positive.
    let bits = (value + 0.0).to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// A text's key: its first bytes, as many as fit, as a big-endian number.
#[inline]
pub(super) fn text_key(text: &[u8]) -> i128 {
    let bytes = match text.first_chunk::<TEXT_KEY_BYTES>() {
        Some(bytes) => *bytes,
        None => {
            let mut bytes = [0; TEXT_KEY_BYTES];
            bytes[..text.len()].copy_from_slice(text);
            bytes
        }
    };
    (u128::from_be_bytes(bytes) ^ (1 << 127)) as i128
}

/// Calls `each` with the key of every row that is not NULL; `text_key` converts text. Opaque columns have no keys.
pub(super) fn for_each_key(
    values: &Values,
    rows: impl Iterator<Item = usize>,
    text_key: impl Fn(&[u8]) -> i128,
    mut each: impl FnMut(usize, i128),
) {
    macro_rules! keys {
        ($key:expr) => {
            for row in rows {
                each(row, $key(row));
            }
        };
    }
    match values {
        Values::Boolean(values) => keys!(|row| i128::from(values.value(row))),
        Values::Int8(values) => keys!(|row: usize| i128::from(values[row])),
        Values::Int16(values) => keys!(|row: usize| i128::from(values[row])),
        Values::Int32(values)
        | Values::Date(values)
        | Values::Months(values)
        | Values::Time32 { values, .. } => {
            keys!(|row: usize| i128::from(values[row]));
        }
        Values::Int64(values)
        | Values::Time64 { values, .. }
        | Values::Timestamp { values, .. }
        | Values::ZonedTimestamp { values, .. }
        | Values::Duration { values, .. } => keys!(|row: usize| i128::from(values[row])),
        Values::UInt8(values) => keys!(|row: usize| i128::from(values[row])),
        Values::UInt16(values) => keys!(|row: usize| i128::from(values[row])),
        Values::UInt32(values) => keys!(|row: usize| i128::from(values[row])),
        Values::UInt64(values) => keys!(|row: usize| i128::from(values[row])),
        Values::Float32(values) => keys!(|row: usize| i128::from(f64_key(f64::from(values[row])))),
        Values::Float64(values) => keys!(|row: usize| i128::from(f64_key(values[row]))),
        Values::Decimal { values, .. } => keys!(|row| values.get(row)),
        Values::Text(text) => keys!(|row| text_key(text.value(row))),
        Values::Null | Values::Binary(_) | Values::List { .. } | Values::Map { .. } | Values::Row { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_doubles_sort_like_the_doubles() {
        let ascending = [
            f64::NEG_INFINITY,
            f64::MIN,
            -1.5,
            -1.0,
            -f64::MIN_POSITIVE,
            -5e-324,
            0.0,
            5e-324,
            1.0,
            1.5,
            f64::INFINITY,
        ];
        assert!(ascending.is_sorted_by(|a, b| f64_key(*a) < f64_key(*b)));
        assert_eq!(f64_key(-0.0), f64_key(0.0));
        assert_eq!(f64_key(-f64::NAN), f64_key(f64::NAN));
        assert!(f64_key(f64::NAN) > f64_key(f64::INFINITY));
    }

    #[test]
    fn keys_of_text_never_reverse_the_order() {
        let ascending = ["", "\0", "A", "AA", "a", "a long text, 16", "a long text, 16 and more", "é", "😀"];
        assert!(ascending.is_sorted_by(|a, b| text_key(a.as_bytes()) <= text_key(b.as_bytes())));
    }
}
