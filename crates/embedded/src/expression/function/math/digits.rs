//! Bitwise functions of integers, and the digits of integers in a base.

use polars::prelude::PolarsResult;

use super::super::invalid;
use crate::datum::Datum;

/// The number of bits that are set in the two's complement of `bits` bits.
pub(super) fn bit_count(number: i64, bits: i64) -> PolarsResult<i64> {
    if !(2..=64).contains(&bits) {
        let what = format!("Bits specified in bit_count must be between 2 and 64, got {bits}");
        return Err(invalid(what));
    }
    let unused = 64 - bits;
    if (number << unused) >> unused != number {
        return Err(invalid(format!(
            "Number must be representable with the bits specified. {number} cannot be represented with {bits} bits"
        )));
    }
    Ok(i64::from((number << unused).count_ones()))
}

/// The digits of an integer in a base, with lower-case letters, and a `-` below zero.
pub(super) fn to_base(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let radix = radix(&row[1])?;
    let number = row[0].integer();
    let mut rest = number.unsigned_abs();
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(rest % u64::from(radix)).unwrap_or(0);
        digits.extend(char::from_digit(digit, radix));
        rest /= u64::from(radix);
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        digits.push('-');
    }
    Ok(Datum::from_text(digits.iter().rev().collect::<String>()))
}

pub(super) fn from_base(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let radix = radix(&row[1])?;
    let text = row[0].text();
    let number = i64::from_str_radix(text, radix);
    number.map(Datum::Integer).map_err(|_| invalid(format!("Not a valid base-{radix} number: {text}")))
}

fn radix(radix: &Datum<'_>) -> PolarsResult<u32> {
    let radix = u32::try_from(radix.integer()).ok().filter(|radix| (2..=36).contains(radix));
    radix.ok_or_else(|| invalid("Radix must be between 2 and 36"))
}
