//! Numbers: `1_000`, `0x1F`, `0o17`, `0b101`, `1.5`, `.5`, `1e5`; and words that begin with a digit.

use std::borrow::Cow;

use sqlparser::tokenizer::Token;

use super::{NO_TOKEN, word_length};

/// The number at the start of a text, and its length in bytes. A number token has the original spelling; see [`plain`].
pub(super) fn number(rest: &str) -> (usize, Token) {
    let bytes = rest.as_bytes();
    let integer = integer_length(bytes);
    let fraction = match bytes.get(integer) {
        Some(b'.') => Some(integer + 1 + decimal_integer_length(&bytes[integer + 1..])),
        _ => None,
    };
    // A number with a radix prefix has no fraction: `0x1.5` is two tokens.
    let decimal = if decimal_integer_length(bytes) == integer { fraction } else { None };
    let longest = [integer, decimal.unwrap_or(0), double_length(bytes).unwrap_or(0)].into_iter().max();
    let longest = longest.unwrap_or(integer);
    // `1c`, `1_`, `0b2`, `1e5a`.
    let name = word_length(bytes);
    if name > longest {
        return (name, NO_TOKEN);
    }
    (longest, Token::Number(rest[..longest].to_owned(), false))
}

/// A number in decimal and without underscores.
pub(crate) fn plain(spelling: &str) -> Cow<'_, str> {
    let digits: Cow<'_, str> =
        if spelling.contains('_') { spelling.replace('_', "").into() } else { spelling.into() };
    let (sign, magnitude) = match digits.strip_prefix('-') {
        Some(magnitude) => ("-", magnitude),
        None => ("", &*digits),
    };
    let radix = match magnitude.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'b' | b'B', ..] => 2,
        _ => return digits,
    };
    match u64::from_str_radix(&magnitude[2..], radix) {
        Ok(value) => format!("{sign}{value}").into(),
        // Too large for any integer type; the caller reports an error with the original spelling.
        Err(_) => spelling.to_owned().into(),
    }
}

/// The length of the longest match of `1_000`, `0x_1F`, `0o17` and `0b101`.
fn integer_length(bytes: &[u8]) -> usize {
    let is_digit: fn(&u8) -> bool = match bytes {
        [b'0', b'x' | b'X', ..] => u8::is_ascii_hexdigit,
        [b'0', b'o' | b'O', ..] => |byte| (b'0'..=b'7').contains(byte),
        [b'0', b'b' | b'B', ..] => |byte| matches!(byte, b'0' | b'1'),
        _ => return decimal_integer_length(bytes),
    };
    match digits_length(&bytes[2..], true, is_digit) {
        0 => decimal_integer_length(bytes),
        length => 2 + length,
    }
}

fn decimal_integer_length(bytes: &[u8]) -> usize {
    digits_length(bytes, false, u8::is_ascii_digit)
}

/// The number of digits, each with at most one underscore before it; `may_underscore` allows one before the first.
fn digits_length(bytes: &[u8], mut may_underscore: bool, is_digit: impl Fn(&u8) -> bool) -> usize {
    let mut length = 0;
    loop {
        match &bytes[length..] {
            [digit, ..] if is_digit(digit) => length += 1,
            [b'_', digit, ..] if may_underscore && is_digit(digit) => length += 2,
            _ => return length,
        }
        may_underscore = true;
    }
}

/// The length of `1e5`, `1.5E+5`, `1.e5` or `.5e1`, whose digits have no underscores.
fn double_length(bytes: &[u8]) -> Option<usize> {
    let digits = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mantissa = match bytes.get(whole) {
        Some(b'.') => whole + 1 + digits(whole + 1),
        _ => whole,
    };
    if mantissa < 1 + usize::from(whole == 0) {
        return None;
    }
    let exponent = match &bytes[mantissa..] {
        [b'e' | b'E', b'+' | b'-', ..] => mantissa + 2,
        [b'e' | b'E', ..] => mantissa + 1,
        _ => return None,
    };
    let length = digits(exponent);
    (length > 0).then_some(exponent + length)
}
