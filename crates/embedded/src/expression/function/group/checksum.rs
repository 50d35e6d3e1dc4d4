//! `checksum`: a sum of hashes of values, which is the same in any order of the rows. A hash is that of Trino's type.

use rowhouse_sql::types::Type;

use crate::datum::{Datum, canonical_nan};

const PRIME: u64 = 0x9E37_79B1_85EB_CA87;
const SECOND_PRIME: u64 = 0xC2B2_AE3D_27D4_EB4F;

/// Where a value is. Inside a row Trino hashes a type of one number with another function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Nothing,
    Row,
}

impl Within {
    /// The hash of a value that Trino has as one number.
    fn of_long(self, number: i64) -> u64 {
        match self {
            Self::Nothing => of_number(number),
            Self::Row => {
                number.cast_unsigned().wrapping_mul(SECOND_PRIME).rotate_left(31).wrapping_mul(PRIME)
            }
        }
    }
}

/// The checksum of values; NULL if there are none.
pub(super) fn of_values(values: &[Datum<'_>], data_type: &Type) -> Datum<'static> {
    if values.is_empty() {
        return Datum::Null;
    }
    let sum = values.iter().fold(0u64, |sum, value| {
        sum.wrapping_add(if value.is_null() {
            PRIME
        } else {
            hash(value, data_type, Within::Nothing).wrapping_mul(PRIME)
        })
    });
    Datum::Binary(sum.to_le_bytes().to_vec().into())
}

fn of_bytes(bytes: &[u8]) -> u64 {
    twox_hash::XxHash64::oneshot(0, bytes)
}

fn of_number(number: i64) -> u64 {
    of_bytes(&number.to_le_bytes())
}

/// The hash of a value; 0 for NULL, which arrays, maps and rows may contain.
fn hash(value: &Datum<'_>, data_type: &Type, within: Within) -> u64 {
    match (value, data_type) {
        (Datum::Null, _) => 0,
        (Datum::Boolean(value), _) => of_number(i64::from(*value)),
        (Datum::Integer(number), _) => of_units(*number, data_type, within),
        (Datum::Decimal(number), Type::Decimal { precision, .. }) => of_decimal(*number, *precision, within),
        #[expect(clippy::cast_possible_truncation, reason = "a real is one of 32 bits")]
        (Datum::Double(number), Type::Real) => {
            let number = canonical_nan(*number) as f32 + 0.0;
            within.of_long(i64::from(number.to_bits().cast_signed()))
        }
        (Datum::Double(number), _) => within.of_long((canonical_nan(*number) + 0.0).to_bits().cast_signed()),
        // Trailing blanks of a char are not stored in Trino.
        (Datum::Text(text), Type::Char { .. }) => of_bytes(text.trim_end_matches(' ').as_bytes()),
        (Datum::Binary(bytes), Type::Uuid | Type::IpAddress) => of_halves(bytes),
        (value, Type::Row(fields)) => {
            value.elements().iter().zip(fields).fold(1, |sum: u64, (part, field)| {
                sum.wrapping_mul(31).wrapping_add(hash(part, &field.data_type, Within::Row))
            })
        }
        (Datum::Array(elements), Type::Array(element)) => elements
            .iter()
            .fold(0, |sum: u64, part| sum.wrapping_mul(31).wrapping_add(hash(part, element, within))),
        (Datum::Array(entries), Type::Map(key, value)) => entries.iter().fold(0, |sum: u64, entry| {
            let [key_part, value_part] = entry.elements() else { return sum };
            sum.wrapping_add(hash(key_part, key, within) ^ hash(value_part, value, within))
        }),
        (value, _) => of_bytes(value.bytes()),
    }
}

/// The hash of an integer, or of units of time: Trino counts those of times in picoseconds, those of timestamps in
/// microseconds, with a zone in milliseconds, and hashes what is smaller on its own.
fn of_units(units: i64, data_type: &Type, within: Within) -> u64 {
    match data_type {
        Type::Time { .. } => within.of_long(units.wrapping_mul(1_000)),
        Type::Timestamp { precision: 0..=3 } => within.of_long(units.wrapping_mul(1_000)),
        Type::Timestamp { precision: 7.. } => {
            of_number(units.div_euclid(1_000)) ^ of_number(units.rem_euclid(1_000) * 1_000)
        }
        Type::TimestampWithTimeZone { precision: 4..=6, .. } => {
            of_number(units.div_euclid(1_000)) ^ of_number(units.rem_euclid(1_000) * 1_000_000)
        }
        Type::TimestampWithTimeZone { precision: 7.., .. } => {
            of_number(units.div_euclid(1_000_000)) ^ of_number(units.rem_euclid(1_000_000) * 1_000)
        }
        _ => within.of_long(units),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the halves of a number")]
fn of_decimal(number: i128, precision: u8, within: Within) -> u64 {
    if precision <= 18 {
        within.of_long(number as i64)
    } else {
        of_number((number >> 64) as i64) ^ of_number(number as i64)
    }
}

/// The hash of 16 bytes, each half of which is a number for itself.
fn of_halves(bytes: &[u8]) -> u64 {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    of_bytes(first) ^ of_bytes(second)
}
