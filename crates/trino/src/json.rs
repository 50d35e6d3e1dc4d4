//! A hand-written JSON parser for large amounts: the rows of pages and segments. UTF-8 is validated once for the whole
//! text; strings are borrowed from it unless they contain escapes. Everything else is parsed by serde_json.

use std::borrow::Cow;
use std::fmt;

use rowhouse_model::ErrorCode;
use serde::Deserialize;

/// Why a text cannot be parsed, and where.
#[derive(Debug)]
pub(super) struct Malformed {
    why: String,
    at: usize,
    /// Whose fault it is: the cluster's, or that of the statement's author.
    pub(super) code: ErrorCode,
}

pub(super) type Read<T> = Result<T, Malformed>;

/// A position in a JSON text.
#[derive(Debug)]
pub(super) struct Json<'t> {
    text: &'t str,
    at: usize,
}

/// A number as written: with a fraction or an exponent, or beyond 64 bits, it is a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Integer(i64),
    Float(f64),
}

/// Number of digits that always fit 64 bits.
const MAX_SURE_DIGITS: usize = 18;
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

impl<'t> Json<'t> {
    /// The position at the beginning of a text.
    ///
    /// # Errors
    /// It is not UTF-8.
    pub(super) fn new(text: &'t [u8]) -> Read<Self> {
        match std::str::from_utf8(text) {
            Ok(text) => Ok(Self { text, at: 0 }),
            Err(error) => Err(Malformed {
                why: "invalid UTF-8".to_owned(),
                at: error.valid_up_to(),
                code: ErrorCode::External,
            }),
        }
    }

    /// An error at this position.
    #[cold]
    pub(super) fn malformed(&self, why: impl fmt::Display) -> Malformed {
        Malformed { why: why.to_string(), at: self.at, code: ErrorCode::External }
    }

    /// An error at this position that the statement's author can avoid.
    #[cold]
    pub(super) fn unsupported(&self, why: impl fmt::Display) -> Malformed {
        Malformed { code: ErrorCode::NotSupported, ..self.malformed(why) }
    }

    /// The next byte that is not white space.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    /// Consumes this byte, if it is the next one.
    #[inline(always)]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Consumes this byte, which must be the next one.
    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Read<()> {
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(&format_args!("`{}`", byte as char))) }
    }

    /// The error of an unexpected byte.
    #[cold]
    pub(super) fn unexpected(&mut self, expected: &dyn fmt::Display) -> Malformed {
        match self.peek() {
            None => self.malformed(format_args!("the text ends, expected {expected}")),
            Some(_) => {
                let found = self.rest().chars().next().unwrap_or_default();
                self.malformed(format_args!("found `{found}`, expected {expected}"))
            }
        }
    }

    /// Whether an array or object that has just been opened has any element; if not, its end is consumed.
    #[inline]
    pub(super) fn has_first(&mut self, close: u8) -> bool {
        !self.take(close)
    }

    /// Whether another element follows in an array or object; consumes a comma or the end.
    #[inline]
    pub(super) fn has_another(&mut self, close: u8) -> Read<bool> {
        if self.take(b',') {
            Ok(true)
        } else if self.take(close) {
            Ok(false)
        } else {
            Err(self.unexpected(&format_args!("`,` or `{}`", close as char)))
        }
    }

    /// Checks that the text ends here.
    pub(super) fn end(&mut self) -> Read<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected(&"the end of the text")) }
    }

    /// Parses any value that serde deserializes.
    pub(super) fn value<T: Deserialize<'t>>(&mut self) -> Read<T> {
        let mut values = serde_json::Deserializer::from_str(self.rest()).into_iter();
        match values.next() {
            Some(Ok(value)) => {
                self.at += values.byte_offset();
                Ok(value)
            }
            Some(Err(error)) => Err(self.malformed(error)),
            None => Err(self.unexpected(&"a value")),
        }
    }

    /// Parses `null`, `true` or `false`.
    pub(super) fn word(&mut self, word: &str) -> Read<()> {
        if self.rest().starts_with(word) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.unexpected(&format_args!("`{word}`")))
        }
    }

    /// Parses a string.
    #[inline]
    pub(super) fn text(&mut self) -> Read<Cow<'t, str>> {
        self.expect(b'"')?;
        let start = self.at;
        let bytes = self.text.as_bytes();
        self.at = special(bytes, start);
        match bytes.get(self.at) {
            Some(b'"') => {
                let text = &self.text[start..self.at];
                self.at += 1;
                Ok(Cow::Borrowed(text))
            }
            Some(b'\\') => {
                // From its first quote: serde_json handles the escapes.
                self.at = start - 1;
                self.value::<String>().map(Cow::Owned)
            }
            Some(_) => Err(self.malformed("control character in a text")),
            None => Err(self.malformed("the text ends, expected `\"`")),
        }
    }

    /// Parses a number.
    #[inline]
    pub(super) fn number(&mut self) -> Read<Number> {
        self.peek();
        let bytes = self.text.as_bytes();
        let start = self.at;
        let is_negative = bytes.get(start) == Some(&b'-');
        self.at += usize::from(is_negative);
        let first = self.at;
        let mut value = 0_u64;
        while let Some(digit @ b'0'..=b'9') = bytes.get(self.at) {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        let count = self.at - first;
        let has_leading_zero = bytes.get(first) == Some(&b'0');
        if count == 0 || (count > 1 && has_leading_zero) {
            return Err(self.malformed("invalid number"));
        }
        // A negative zero is a float.
        let is_float =
            matches!(bytes.get(self.at), Some(b'.' | b'e' | b'E')) || (is_negative && has_leading_zero);
        if !is_float && count <= MAX_SURE_DIGITS {
            let value = value as i64;
            return Ok(Number::Integer(if is_negative { -value } else { value }));
        }
        if bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = bytes.get(self.at) {
            self.at += 1;
            self.at += usize::from(matches!(bytes.get(self.at), Some(b'+' | b'-')));
            self.digits()?;
        }
        let number = &self.text[start..self.at];
        match (number.parse(), number.parse::<f64>()) {
            (Ok(value), _) if !is_float => Ok(Number::Integer(value)),
            (_, Ok(value)) if value.is_finite() => Ok(Number::Float(value)),
            _ => Err(self.malformed("number out of range")),
        }
    }

    /// Consumes one or more digits.
    fn digits(&mut self) -> Read<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(self.malformed("invalid number")) }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }
}

/// The first quote, backslash or control character from `at` on, or the end; eight bytes at a time.
fn special(bytes: &[u8], mut at: usize) -> usize {
    while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*eight);
        let (quote, backslash) =
            (word ^ (EACH_BYTE * u64::from(b'"')), word ^ (EACH_BYTE * u64::from(b'\\')));
        // A byte's high bit is set if it is a special character; above the first one, possibly elsewhere too.
        let is_less = |word: u64, than: u64| word.wrapping_sub(EACH_BYTE * than) & !word;
        let found = (is_less(quote, 1) | is_less(backslash, 1) | is_less(word, 0x20)) & HIGH_BITS;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(is_special).unwrap_or(rest.len())
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.why, self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Option<Number> {
        let mut json = Json::new(text.as_bytes()).expect("UTF-8");
        let number = json.number().ok()?;
        json.end().is_ok().then_some(number)
    }

    #[test]
    fn numbers_equal_those_of_serde_json() {
        for text in [
            "0",
            "7",
            "-7",
            "-0",
            "10",
            "999999999999999999",
            "1000000000000000000",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "18446744073709551616",
            "1.5",
            "-0.0",
            "1e3",
            "1E+3",
            "1e-3",
            "2.2250738585072014e-308",
            "1.7976931348623157e308",
            "0.1",
            "123456789012345678901234567890",
        ] {
            let expected: serde_json::Value = serde_json::from_str(text).expect(text);
            let expected = match expected.as_i64() {
                Some(value) => Number::Integer(value),
                None => Number::Float(expected.as_f64().expect(text)),
            };
            assert_eq!(number(text), Some(expected), "{text}");
        }
        for text in
            ["", "-", "01", "-01", "1.", ".5", "+1", "1e", "1e+", "- 1", "1 .5", "1e999", "NaN", "0x1"]
        {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn strings_equal_those_of_serde_json() {
        let long = "x".repeat(100);
        // Each special character at each position of the eight bytes.
        for length in 0..20 {
            let before = &long[..length];
            for middle in [
                "",
                "é",
                "\\u00e9",
                "\\\"",
                "\\\\",
                "\\ud83d\\ude00",
                "\u{1F600}",
                "\n",
                "\u{1}",
                "\\x",
                "\u{7f}",
            ] {
                for after in ["", "y", "yyyyyyyyyyyyy", "\\n"] {
                    let text = format!("\"{before}{middle}{after}\"");
                    let expected: Option<String> = serde_json::from_str(&text).ok();
                    let mut json = Json::new(text.as_bytes()).expect("UTF-8");
                    let found = json.text().ok().map(Cow::into_owned);
                    assert_eq!(found, expected, "{text}");
                    assert!(found.is_none() || json.end().is_ok(), "{text}");
                    let cut = &text.as_bytes()[..text.len() - 1];
                    assert!(Json::new(cut).is_ok_and(|mut json| json.text().is_err()), "{text}");
                }
            }
        }
        assert!(Json::new(b"\"\xff\"").is_err_and(|error| error.to_string() == "invalid UTF-8 (at byte 1)"));
    }
}
