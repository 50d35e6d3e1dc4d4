//! A cursor over one comment, from left to right.

use super::DeclaredValue;
use crate::error::{Error, ErrorKind, Location, Quoted};

/// Maximum number of elements of a list of values.
const MAX_VALUES: usize = 256;

/// What is wrong with a declaration, and at which byte offset of the comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    offset: usize,
    message: String,
}

impl Fault {
    pub(super) fn at(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }

    pub(super) fn into_error(self, sql: &str, comment_offset: usize) -> Error {
        let place = Location::of(sql, comment_offset + self.offset);
        Error::new(ErrorKind::MalformedComment, format!("malformed declaration: {}", self.message)).at(place)
    }
}

/// A position in a comment.
pub(super) struct Cursor<'c> {
    comment: &'c str,
    offset: usize,
}

impl<'c> Cursor<'c> {
    pub(super) fn new(comment: &'c str, offset: usize) -> Self {
        let mut cursor = Self { comment, offset };
        cursor.skip_space();
        cursor
    }

    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    pub(super) fn rest(&self) -> &'c str {
        &self.comment[self.offset..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    fn skip_space(&mut self) {
        self.offset = self.comment.len() - self.rest().trim_start().len();
    }

    fn advance(&mut self, bytes: usize) {
        self.offset += bytes;
        self.skip_space();
    }

    /// The next word; empty if there is none.
    pub(super) fn peek_word(&self) -> &'c str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    }

    /// Consumes a word.
    pub(super) fn word(&mut self, expected: &str) -> Result<&'c str, Fault> {
        let word = self.peek_word();
        if word.is_empty() {
            return Err(self.expected(expected));
        }
        self.advance(word.len());
        Ok(word)
    }

    /// Consumes a keyword, in any letter case, if it is next.
    pub(super) fn takes(&mut self, keyword: &str) -> bool {
        let word = self.peek_word();
        let is_next = word.eq_ignore_ascii_case(keyword);
        if is_next {
            self.advance(word.len());
        }
        is_next
    }

    pub(super) fn takes_symbol(&mut self, symbol: char) -> bool {
        let is_next = self.rest().starts_with(symbol);
        if is_next {
            self.advance(symbol.len_utf8());
        }
        is_next
    }

    pub(super) fn expect_symbol(&mut self, symbol: char) -> Result<(), Fault> {
        if self.takes_symbol(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    /// Consumes `bytes` bytes, which the caller has already inspected.
    pub(super) fn take(&mut self, bytes: usize) -> &'c str {
        let taken = &self.rest()[..bytes];
        self.advance(bytes);
        taken
    }

    /// Quoted text; a quote is doubled inside.
    pub(super) fn quoted(&mut self, quote: char) -> Result<String, Fault> {
        let start = self.offset;
        self.offset += quote.len_utf8();
        let mut text = String::new();
        loop {
            let Some(length) = self.rest().find(quote) else {
                return Err(Fault::at(start, format!("the {quote} that begins here has no end on its line")));
            };
            text.push_str(&self.rest()[..length]);
            self.offset += length + quote.len_utf8();
            if !self.rest().starts_with(quote) {
                break;
            }
            text.push(quote);
            self.offset += quote.len_utf8();
        }
        self.skip_space();
        Ok(text)
    }

    /// A constant.
    pub(super) fn value(&mut self) -> Result<DeclaredValue, Fault> {
        if self.takes("array") {
            self.expect_symbol('[')?;
            return self.values(']', Self::scalar).map(DeclaredValue::Array);
        }
        self.scalar()
    }

    /// Constants up to a closing bracket; possibly none.
    pub(super) fn values(
        &mut self,
        closing: char,
        element: fn(&mut Self) -> Result<DeclaredValue, Fault>,
    ) -> Result<Vec<DeclaredValue>, Fault> {
        let mut values = Vec::new();
        if self.takes_symbol(closing) {
            return Ok(values);
        }
        loop {
            if values.len() == MAX_VALUES {
                return Err(Fault::at(self.offset, format!("a list has at most {MAX_VALUES} values")));
            }
            values.push(element(self)?);
            if self.takes_symbol(closing) {
                return Ok(values);
            }
            if !self.takes_symbol(',') {
                return Err(self.expected(&format!("`,` or `{closing}` after the value")));
            }
        }
    }

    pub(super) fn scalar(&mut self) -> Result<DeclaredValue, Fault> {
        if self.rest().starts_with('\'') {
            return self.quoted('\'').map(DeclaredValue::Text);
        }
        for (word, value) in [
            ("null", DeclaredValue::Null),
            ("true", DeclaredValue::Boolean(true)),
            ("false", DeclaredValue::Boolean(false)),
        ] {
            if self.takes(word) {
                return Ok(value);
            }
        }
        let length = number_length(self.rest());
        if length == 0 {
            return Err(self.expected("a value: 'text', a number, true, false, null or ARRAY[…]"));
        }
        Ok(DeclaredValue::Number(self.take(length).to_owned()))
    }

    pub(super) fn expected(&self, expected: &str) -> Fault {
        let found = match self.rest() {
            "" => "the end of the line".to_owned(),
            rest => Quoted(rest).to_string(),
        };
        Fault::at(self.offset, format!("expected {expected}, found {found}"))
    }
}

/// Length in bytes of the number at the beginning of a text, in JSON's grammar; 0 if there is none.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(sign);
    if whole == 0 || (whole > 1 && bytes.get(sign) == Some(&b'0')) {
        return 0;
    }
    let mut end = sign + whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if fraction == 0 {
            return 0;
        }
        end += 1 + fraction;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent == 0 {
            return 0;
        }
        end += 1 + sign + exponent;
    }
    let is_cut = text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
    if is_cut { 0 } else { end }
}
