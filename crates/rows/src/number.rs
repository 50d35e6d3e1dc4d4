//! Numbers as text: integers eight digits at a time, decimals with all digits of their scale, floats in the shortest
//! form that reads back (D18). Functions with the suffix `_into` write into a window of fixed size that the caller
//! provides.

use super::output::Output;

const TEN_TO_8: u64 = 100_000_000;
const TEN_TO_16: u64 = TEN_TO_8 * TEN_TO_8;

/// Size of the window for any integer, and any decimal that [`decimal_into`] supports.
pub(super) const NUMBER_BYTES: usize = 32;

/// Writes an integer.
#[inline]
pub(super) fn put_i64(out: &mut Output, value: i64) {
    let length = i64_into(out.window(), value);
    out.advance(length);
}

/// Writes a non-negative integer.
#[inline]
pub(super) fn put_u64(out: &mut Output, value: u64) {
    let length = u64_into(out.window(), 0, value);
    out.advance(length);
}

/// Writes a decimal: `value` divided by ten to the power of `scale`.
#[inline]
pub(super) fn put_decimal(out: &mut Output, value: i128, scale: u8) {
    match decimal_into(out.window(), value, scale) {
        Some(length) => out.advance(length),
        None => put_wide_decimal(out, value, scale),
    }
}

/// Writes an integer; returns its end.
#[inline(always)]
pub(super) fn i64_into(window: &mut [u8; NUMBER_BYTES], value: i64) -> usize {
    // Always written, and overwritten if not needed: no branch that mixed signs would mispredict.
    window[0] = b'-';
    u64_into(window, usize::from(value < 0), value.unsigned_abs())
}

/// Writes a non-negative integer from `at` on; returns its end.
#[inline(always)]
fn u64_into(window: &mut [u8; NUMBER_BYTES], at: usize, value: u64) -> usize {
    if value < TEN_TO_8 {
        return head_into(window, at, value);
    }
    if value < TEN_TO_16 {
        let at = head_into(window, at, value / TEN_TO_8);
        return word_into(window, at, eight_digits(value % TEN_TO_8), 8);
    }
    let at = head_into(window, at, value / TEN_TO_16);
    let rest = value % TEN_TO_16;
    let at = word_into(window, at, eight_digits(rest / TEN_TO_8), 8);
    word_into(window, at, eight_digits(rest % TEN_TO_8), 8)
}

/// Writes a decimal whose digits fit 64 bits and whose scale is at most 8; returns its end, or none for any other.
#[inline(always)]
pub(super) fn decimal_into(window: &mut [u8; NUMBER_BYTES], value: i128, scale: u8) -> Option<usize> {
    let magnitude = u64::try_from(value.unsigned_abs()).ok()?;
    let at = usize::from(value < 0);
    window[0] = b'-';
    match scale {
        0 => Some(u64_into(window, at, magnitude)),
        1..8 if magnitude < TEN_TO_8 => {
            // All digits at once; those of the fraction are moved by the point.
            let (scale, digits) = (usize::from(scale), eight_digits(magnitude));
            let zeros = leading_zeros(digits, 7 - scale);
            let point = word_into(window, at, digits >> (zeros * 8), 8 - scale - zeros);
            window[point] = b'.';
            Some(word_into(window, point + 1, digits >> (64 - 8 * scale), scale))
        }
        1..=8 => {
            let divisor = POWERS[usize::from(scale)];
            let point = u64_into(window, at, magnitude / divisor);
            window[point] = b'.';
            // The fraction's digits are the last ones of eight.
            let digits = eight_digits(magnitude % divisor) >> (64 - 8 * u32::from(scale));
            Some(word_into(window, point + 1, digits, scale.into()))
        }
        _ => None,
    }
}

/// Writes a double; NaN and the infinities as quoted text if `quoted`.
#[inline]
pub(super) fn put_f64(out: &mut Output, value: f64, quoted: bool) {
    if value.is_finite() {
        let mut buffer = ryu::Buffer::new();
        out.put(buffer.format_finite(value).as_bytes());
    } else {
        put_not_finite(out, value, quoted);
    }
}

/// Writes a real, like [`put_f64`].
#[inline]
pub(super) fn put_f32(out: &mut Output, value: f32, quoted: bool) {
    if let Some(text) = subnormal_real(value) {
        out.put(text.as_bytes());
    } else if value.is_finite() {
        let mut buffer = ryu::Buffer::new();
        out.put(buffer.format_finite(value).as_bytes());
    } else {
        put_not_finite(out, f64::from(value), quoted);
    }
}

/// The text of a tiny real. Java prints at least two digits, the nearest ones, `1.4e-45`: only of subnormal numbers these
/// are others than a single digit and a zero.
#[inline]
fn subnormal_real(value: f32) -> Option<String> {
    if !value.is_subnormal() {
        return None;
    }
    let text = format!("{value:.1e}");
    (text.parse() == Ok(value)).then_some(text)
}

/// Writes a double as Java's `Double.toString` has it: `1.0E10`, `0.001`, `NaN`.
pub(super) fn put_java_f64(out: &mut Output, value: f64) {
    put_java(out, value, || {
        let two_digits = format!("{value:.1E}");
        let is_enough = value.is_subnormal() && two_digits.parse() == Ok(value);
        (format!("{value:?}"), if is_enough { two_digits } else { format!("{value:E}") })
    });
}

/// Writes a real as Java's `Float.toString` has it.
pub(super) fn put_java_f32(out: &mut Output, value: f32) {
    put_java(out, value.into(), || {
        let scientific =
            subnormal_real(value).map_or_else(|| format!("{value:E}"), |text| text.to_uppercase());
        (format!("{value:?}"), scientific)
    });
}

/// Writes a number from its shortest digits without and with an exponent.
fn put_java(out: &mut Output, value: f64, texts: impl FnOnce() -> (String, String)) {
    if !value.is_finite() {
        return put_not_finite(out, value, false);
    }
    let (plain, scientific) = texts();
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) {
        return out.put(plain.as_bytes());
    }
    let (digits, exponent) = scientific.split_once('E').unwrap_or((&scientific, "0"));
    out.put(digits.as_bytes());
    if !digits.contains('.') {
        out.put(b".0");
    }
    out.put(b"E");
    out.put(exponent.as_bytes());
}

/// The two digits of a number below 100.
#[inline(always)]
pub(super) fn two_digits(value: u32) -> [u8; 2] {
    [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8]
}

/// Exactly eight digits as text, the first in the lowest byte: pairs, then single digits, are split in all lanes of a
/// word at once.
#[inline(always)]
pub(super) fn eight_digits(value: u64) -> u64 {
    let lanes = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((lanes * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let lanes = hundreds | ((lanes - hundreds * 100) << 16);
    let tens = ((lanes * 103) >> 10) & 0x000f_000f_000f_000f;
    let lanes = tens | ((lanes - tens * 10) << 8);
    lanes | 0x3030_3030_3030_3030
}

/// Powers of ten up to eight digits.
const POWERS: [u64; 9] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Writes a number below 10^8 without leading zeros; returns its end.
#[inline(always)]
fn head_into(window: &mut [u8; NUMBER_BYTES], at: usize, value: u64) -> usize {
    let digits = eight_digits(value);
    let zeros = leading_zeros(digits, 7);
    word_into(window, at, digits >> (zeros * 8), 8 - zeros)
}

/// Number of leading zeros of eight digits, at most `most`.
#[inline(always)]
fn leading_zeros(digits: u64, most: usize) -> usize {
    (((digits ^ 0x3030_3030_3030_3030) | (1 << (8 * most))).trailing_zeros() / 8) as usize
}

/// Writes all eight bytes, of which `length` count; returns the end of those.
#[inline(always)]
fn word_into(window: &mut [u8; NUMBER_BYTES], at: usize, word: u64, length: usize) -> usize {
    window[at..at + 8].copy_from_slice(&word.to_le_bytes());
    at + length
}

#[cold]
#[inline(never)]
fn put_wide_decimal(out: &mut Output, value: i128, scale: u8) {
    if value < 0 {
        out.push(b'-');
    }
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(value.unsigned_abs()).as_bytes();
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
