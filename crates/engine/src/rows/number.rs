//! Numbers as text: integers eight digits at a time, decimals with all digits of their scale, floats as
//! short as they read back (D18).

use super::output::Output;

const TEN_TO_8: u64 = 100_000_000;
const TEN_TO_16: u64 = TEN_TO_8 * TEN_TO_8;

/// An integer.
#[inline(always)]
pub(super) fn put_i64(out: &mut Output, value: i64) {
    if value < 0 {
        out.push(b'-');
    }
    put_u64(out, value.unsigned_abs());
}

/// A non-negative integer.
#[inline(always)]
pub(super) fn put_u64(out: &mut Output, value: u64) {
    if value < TEN_TO_8 {
        put_head(out, value);
    } else if value < TEN_TO_16 {
        put_head(out, value / TEN_TO_8);
        put_eight(out, value % TEN_TO_8);
    } else {
        put_head(out, value / TEN_TO_16);
        let rest = value % TEN_TO_16;
        put_eight(out, rest / TEN_TO_8);
        put_eight(out, rest % TEN_TO_8);
    }
}

/// A decimal: `value` divided by ten to the power of `scale`.
#[inline(always)]
pub(super) fn put_decimal(out: &mut Output, value: i128, scale: u8) {
    if value < 0 {
        out.push(b'-');
    }
    let magnitude = value.unsigned_abs();
    match u64::try_from(magnitude) {
        Ok(magnitude) if scale <= 8 => {
            let divisor = POWERS[scale as usize];
            put_u64(out, magnitude / divisor);
            if scale > 0 {
                // The fraction's digits are the last ones of eight.
                let digits = eight_digits(magnitude % divisor) >> (64 - 8 * u32::from(scale));
                let window = out.window::<9>();
                window[0] = b'.';
                window[1..].copy_from_slice(&digits.to_le_bytes());
                out.advance(1 + scale as usize);
            }
        }
        _ => put_wide_decimal(out, magnitude, scale),
    }
}

/// A double, NaN and the infinities as quoted text where `quoted`.
#[inline]
pub(super) fn put_f64(out: &mut Output, value: f64, quoted: bool) {
    if value.is_finite() {
        let mut buffer = ryu::Buffer::new();
        out.put(buffer.format_finite(value).as_bytes());
    } else {
        put_not_finite(out, value, quoted);
    }
}

/// A real, likewise.
#[inline]
pub(super) fn put_f32(out: &mut Output, value: f32, quoted: bool) {
    if value.is_finite() {
        let mut buffer = ryu::Buffer::new();
        out.put(buffer.format_finite(value).as_bytes());
    } else {
        put_not_finite(out, f64::from(value), quoted);
    }
}

/// Exactly two digits, of a number below 100.
#[inline(always)]
pub(super) fn two_digits(value: u32) -> [u8; 2] {
    [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8]
}

/// Exactly eight digits as text, the first in the lowest byte: pairs, then single digits, are split off in all
/// lanes of a word at once.
#[inline(always)]
pub(super) fn eight_digits(value: u64) -> u64 {
    let lanes = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((lanes * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let lanes = hundreds | ((lanes - hundreds * 100) << 16);
    let tens = ((lanes * 103) >> 10) & 0x000f_000f_000f_000f;
    let lanes = tens | ((lanes - tens * 10) << 8);
    lanes | 0x3030_3030_3030_3030
}

/// Powers of ten that eight digits can be divided by.
const POWERS: [u64; 9] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// A number below 10^8 without leading zeros.
#[inline(always)]
fn put_head(out: &mut Output, value: u64) {
    let digits = eight_digits(value);
    // A leading zero is 0x30; the last digit stands, even a zero.
    let zeros = ((digits ^ 0x3030_3030_3030_3030) | (1 << 56)).trailing_zeros() / 8;
    *out.window::<8>() = (digits >> (zeros * 8)).to_le_bytes();
    out.advance(8 - zeros as usize);
}

#[inline(always)]
fn put_eight(out: &mut Output, value: u64) {
    out.put_array(&eight_digits(value).to_le_bytes());
}

#[cold]
#[inline(never)]
fn put_wide_decimal(out: &mut Output, magnitude: u128, scale: u8) {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(magnitude).as_bytes();
    let scale = usize::from(scale);
    let (whole, fraction) = digits.split_at(digits.len().saturating_sub(scale));
    out.put(if whole.is_empty() { b"0" } else { whole });
    if scale > 0 {
        out.push(b'.');
        for _ in fraction.len()..scale {
            out.push(b'0');
        }
        out.put(fraction);
    }
}

#[cold]
fn put_not_finite(out: &mut Output, value: f64, quoted: bool) {
    let text: &[u8] = match (value.is_nan(), value > 0.0) {
        (true, _) => b"\"NaN\"",
        (false, true) => b"\"Infinity\"",
        (false, false) => b"\"-Infinity\"",
    };
    out.put(if quoted { text } else { &text[1..text.len() - 1] });
}
