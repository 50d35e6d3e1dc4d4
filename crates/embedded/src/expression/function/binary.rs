//! Binary functions: construction and conversion of bytes. Hashes and encodings are in separate files.

use polars::prelude::PolarsResult;

use super::text::number;
use super::{RowFunction, invalid};
use crate::datum::{Datum, Nulls, canonical_nan};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

mod encoding;
mod hash;
mod spooky;

use encoding::{
    Alphabet64, from_base32, from_base64, from_hex, replaced_in_utf8, to_base32, to_base64, to_hex,
};

pub(super) fn function(function: ScalarFunction, types: &[Type]) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    if let Some(hash) = hash::hash(function) {
        return Some((Nulls::Propagate, Box::new(move |row| Ok(made(hash(row[0].bytes()))))));
    }
    if let Some(keyed) = hash::keyed_hash(function) {
        return Some((
            Nulls::Propagate,
            Box::new(move |row| match row[1].bytes() {
                [] => Err(invalid("Empty key")),
                key => Ok(made(keyed(row[0].bytes(), key))),
            }),
        ));
    }
    let is_integer = types.get(1).is_some_and(Type::is_integer);
    let apply: RowFunction = match function {
        F::Crc32 => Box::new(|row| Ok(Datum::Integer(i64::from(crc32fast::hash(row[0].bytes()))))),
        F::ToUtf8 => Box::new(|row| Ok(made(row[0].text().as_bytes().to_vec()))),
        F::FromUtf8 => Box::new(move |row| {
            let replacement = match row.get(1) {
                None => "\u{fffd}".to_owned(),
                // Trino looks at a negative one when it is needed.
                Some(code)
                    if is_integer && code.integer() < 0 && std::str::from_utf8(row[0].bytes()).is_ok() =>
                {
                    String::new()
                }
                Some(code) if is_integer => replacement_of_code(code.integer())?.to_string(),
                Some(text) if text.text().chars().nth(1).is_none() => text.text().to_owned(),
                Some(_) => {
                    return Err(invalid("Replacement character string must empty or a single character"));
                }
            };
            Ok(Datum::from_text(replaced_in_utf8(row[0].bytes(), &replacement)))
        }),
        F::ToHex => Box::new(|row| Ok(Datum::from_text(to_hex(row[0].bytes())))),
        F::FromHex => decoding(from_hex),
        F::ToBase64 => Box::new(|row| Ok(Datum::from_text(to_base64(row[0].bytes(), Alphabet64::Standard)))),
        F::FromBase64 => decoding(|text| from_base64(text, Alphabet64::Standard)),
        F::ToBase64url => {
            Box::new(|row| Ok(Datum::from_text(to_base64(row[0].bytes(), Alphabet64::OfAddresses))))
        }
        F::FromBase64url => decoding(|text| from_base64(text, Alphabet64::OfAddresses)),
        F::ToBase32 => Box::new(|row| Ok(Datum::from_text(to_base32(row[0].bytes())))),
        F::FromBase32 => decoding(from_base32),
        F::ToBigEndian64 => Box::new(|row| Ok(made(row[0].integer().to_be_bytes().to_vec()))),
        F::ToBigEndian32 => Box::new(|row| Ok(made(low_half(row[0].integer()).to_be_bytes().to_vec()))),
        F::FromBigEndian64 => Box::new(|row| {
            let bytes: [u8; 8] = exactly(row[0].bytes())
                .map_err(|length| invalid(format!("expected 8-byte input, but got instead: {length}")))?;
            Ok(Datum::Integer(i64::from_be_bytes(bytes)))
        }),
        F::FromBigEndian32 => Box::new(|row| {
            let bytes: [u8; 4] = exactly(row[0].bytes())
                .map_err(|length| invalid(format!("expected 4-byte input, but got instead: {length}")))?;
            Ok(Datum::Integer(i64::from(i32::from_be_bytes(bytes))))
        }),
        F::ToIeee754Of32 => Box::new(|row| {
            #[expect(clippy::cast_possible_truncation, reason = "a real's digits are those of 32 bits")]
            let real = row[0].double() as f32;
            Ok(made(real.to_be_bytes().to_vec()))
        }),
        F::ToIeee754Of64 => Box::new(|row| Ok(made(canonical_nan(row[0].double()).to_be_bytes().to_vec()))),
        F::FromIeee754Of32 => Box::new(|row| {
            let bytes = exactly(row[0].bytes())
                .map_err(|_| invalid("Input floating-point value must be exactly 4 bytes long"))?;
            Ok(Datum::Double(f64::from(f32::from_be_bytes(bytes))))
        }),
        F::FromIeee754Of64 => Box::new(|row| {
            let bytes = exactly(row[0].bytes())
                .map_err(|_| invalid("Input floating-point value must be exactly 8 bytes long"))?;
            Ok(Datum::Double(f64::from_be_bytes(bytes)))
        }),
        F::Length => Box::new(|row| Ok(number(row[0].bytes().len()))),
        F::Substring => Box::new(|row| {
            let length = row.get(2).map_or(i64::MAX, Datum::integer);
            Ok(made(part(row[0].bytes(), row[1].integer(), length).to_vec()))
        }),
        F::Lpad => Box::new(|row| pad(row, true)),
        F::Rpad => Box::new(|row| pad(row, false)),
        F::Reverse => Box::new(|row| Ok(made(row[0].bytes().iter().rev().copied().collect()))),
        F::Concat => {
            Box::new(|row| Ok(made(row.iter().flat_map(|part| part.bytes().iter().copied()).collect())))
        }
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

fn made(bytes: Vec<u8>) -> Datum<'static> {
    Datum::Binary(bytes.into())
}

/// A function that decodes bytes, or a text as its UTF-8 bytes.
fn decoding(decode: impl Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync + 'static) -> RowFunction {
    Box::new(move |row| decode(row[0].bytes()).map(made).map_err(invalid))
}

/// The bytes as an array. The error is their number, if that is another one.
fn exactly<const N: usize>(bytes: &[u8]) -> Result<[u8; N], usize> {
    bytes.try_into().map_err(|_| bytes.len())
}

fn low_half(value: i64) -> i32 {
    // OK because the argument is an integer of 32 bits.
    i32::try_from(value).unwrap_or_default()
}

fn replacement_of_code(code: i64) -> PolarsResult<char> {
    let code = u32::try_from(code).ok().and_then(char::from_u32);
    code.ok_or_else(|| invalid("Invalid replacement character"))
}

/// The bytes from a position on, which counts from 1 or, if negative, from the end. A position of 0 or outside gives no
/// bytes.
fn part(bytes: &[u8], start: i64, length: i64) -> &[u8] {
    let count = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let first = if start > 0 { start - 1 } else { count.saturating_add(start) };
    if start == 0 || length <= 0 || !(0..count).contains(&first) {
        return &[];
    }
    let end = first.saturating_add(length).min(count);
    // OK because both indexes lie within the bytes.
    &bytes[usize::try_from(first).unwrap_or_default()..usize::try_from(end).unwrap_or_default()]
}

fn pad(row: &[Datum<'_>], at_start: bool) -> PolarsResult<Datum<'static>> {
    let (bytes, size, filler) = (row[0].bytes(), row[1].integer(), row[2].bytes());
    let Ok(size) = i32::try_from(size).map_err(drop).and_then(|size| usize::try_from(size).map_err(drop))
    else {
        return Err(invalid(format!("Target length must be in the range [0..{}]", i32::MAX)));
    };
    if filler.is_empty() {
        return Err(invalid("Padding bytes must not be empty"));
    }
    let Some(missing) = size.checked_sub(bytes.len()) else { return Ok(made(bytes[..size].to_vec())) };
    let padding = filler.iter().cycle().take(missing).copied();
    Ok(made(if at_start {
        padding.chain(bytes.iter().copied()).collect()
    } else {
        bytes.iter().copied().chain(padding).collect()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_bytes_from_one_or_from_the_end() {
        for (start, length, expected) in [
            (1, i64::MAX, "abcd"),
            (2, 2, "bc"),
            (-2, 9, "cd"),
            (0, 1, ""),
            (5, 1, ""),
            (-5, 9, ""),
            (i64::MIN, i64::MAX, ""),
            (2, -1, ""),
        ] {
            assert_eq!(part(b"abcd", start, length), expected.as_bytes(), "{start} {length}");
        }
    }
}
