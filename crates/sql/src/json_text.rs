//! JSON texts: validation, and a lazy tokenizer, which reports an error when it reaches it. Strings are validated when
//! the next token is requested, numbers and words immediately.

use std::borrow::Cow;
use std::ops::Range;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// `{`
    StartObject,
    /// `}`
    EndObject,
    /// `[`
    StartArray,
    /// `]`
    EndArray,
    /// The name of a member; its value follows.
    Name,
    /// A text.
    Text,
    /// A number without a point and an exponent.
    Integer,
    /// A number with a point or an exponent.
    Fraction,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Object,
    Array,
}

/// The expected next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A value: that of the whole text, or of a member.
    Value,
    /// The first element of a container, or its end.
    First,
    /// A comma and the next element of a container, or its end.
    Further,
}

/// A pull parser.
#[derive(Debug)]
pub struct Reader<'j> {
    json: &'j str,
    at: usize,
    containers: Vec<Container>,
    state: State,
    /// The start of the last text, until its end is known.
    open_text: Option<usize>,
    /// The last name, text, number or word, without quotes.
    last: Range<usize>,
}

impl<'j> Reader<'j> {
    /// A reader before the first token.
    pub const fn new(json: &'j str) -> Self {
        Self { json, at: 0, containers: Vec::new(), state: State::Value, open_text: None, last: 0..0 }
    }

    /// The next token; `None` at the end, and for invalid JSON.
    #[expect(clippy::should_implement_trait, reason = "an end cannot be distinguished from a fault")]
    pub fn next(&mut self) -> Option<Token> {
        self.close_text()?;
        self.skip_spaces();
        if self.state != State::Value {
            let container = *self.containers.last()?;
            let (end, token) = match container {
                Container::Object => (b'}', Token::EndObject),
                Container::Array => (b']', Token::EndArray),
            };
            if self.peek()? == end {
                self.at += 1;
                self.containers.pop();
                self.state = State::Further;
                return Some(token);
            }
            if self.state == State::Further {
                self.take(b',')?;
                self.skip_spaces();
            }
            if container == Container::Object {
                return self.name();
            }
        }
        self.value()
    }

    /// Whether only white space follows the last token, which must end a value.
    pub fn is_at_end(&mut self) -> bool {
        if self.close_text().is_none() || !self.containers.is_empty() {
            return false;
        }
        self.skip_spaces();
        self.at == self.json.len()
    }

    /// Skips the rest of the value that begins with this token.
    pub fn skip(&mut self, first: Token) -> Option<()> {
        if matches!(first, Token::StartObject | Token::StartArray) {
            let outside = self.containers.len() - 1;
            while self.containers.len() > outside {
                self.next()?;
            }
        }
        Some(())
    }

    /// The last text or name, unescaped; `None` if it is invalid.
    pub fn text(&mut self) -> Option<Cow<'j, str>> {
        self.close_text()?;
        let raw = self.raw();
        if !raw.contains('\\') {
            return Some(raw.into());
        }
        // An unpaired surrogate becomes a question mark, as in Java.
        let characters = char::decode_utf16(units(raw)).map(|character| character.unwrap_or('?'));
        Some(characters.collect::<String>().into())
    }

    /// The last text or name as unescaped UTF-16 units; `None` if it is invalid.
    pub fn units(&mut self) -> Option<Vec<u16>> {
        self.close_text()?;
        Some(units(self.raw()))
    }

    /// The last number or word in its spelling.
    pub fn raw(&self) -> &'j str {
        &self.json[self.last.clone()]
    }

    fn name(&mut self) -> Option<Token> {
        self.take(b'"')?;
        self.open_text = Some(self.at);
        self.close_text()?;
        self.skip_spaces();
        self.take(b':')?;
        self.state = State::Value;
        Some(Token::Name)
    }

    fn value(&mut self) -> Option<Token> {
        self.state = State::Further;
        match self.peek()? {
            b'"' => {
                self.at += 1;
                self.open_text = Some(self.at);
                Some(Token::Text)
            }
            b'{' => Some(self.begin(Container::Object, Token::StartObject)),
            b'[' => Some(self.begin(Container::Array, Token::StartArray)),
            b't' => self.word("true", Token::True),
            b'f' => self.word("false", Token::False),
            b'n' => self.word("null", Token::Null),
            b'-' | b'0'..=b'9' => self.number(),
            _ => None,
        }
    }

    fn begin(&mut self, container: Container, token: Token) -> Token {
        self.at += 1;
        self.containers.push(container);
        self.state = State::First;
        token
    }

    fn word(&mut self, word: &str, token: Token) -> Option<Token> {
        let rest = self.json[self.at..].strip_prefix(word)?;
        let is_longer = rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        self.last = self.at..self.at + word.len();
        self.at += word.len();
        (!is_longer).then_some(token)
    }

    fn number(&mut self) -> Option<Token> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let is_zero = self.peek()? == b'0';
        let digits = self.digits()?;
        if is_zero && digits > 1 {
            return None;
        }
        let mut token = Token::Integer;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
            token = Token::Fraction;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
            token = Token::Fraction;
        }
        // Within a container, the next token is checked instead.
        let is_delimited = matches!(self.peek(), None | Some(b' ' | b'\t' | b'\r' | b'\n'));
        self.last = start..self.at;
        (is_delimited || !self.containers.is_empty()).then_some(token)
    }

    /// Skips one or more digits.
    fn digits(&mut self) -> Option<usize> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        (self.at > start).then_some(self.at - start)
    }

    /// Skips to the end of the last text, and validates it.
    fn close_text(&mut self) -> Option<()> {
        let Some(start) = self.open_text.take() else { return Some(()) };
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.escape()?,
                0..b' ' => return None,
                _ => self.at += 1,
            }
        }
        self.last = start..self.at;
        self.at += 1;
        Some(())
    }

    fn escape(&mut self) -> Option<()> {
        self.at += 2;
        match self.json.as_bytes().get(self.at - 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => {
                let digits = self.json.as_bytes().get(self.at..self.at + 4)?;
                self.at += 4;
                digits.iter().all(u8::is_ascii_hexdigit).then_some(())
            }
            _ => None,
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }
}

/// Whether a text is exactly one JSON value.
pub fn is_json(text: &str) -> bool {
    let mut json = Reader::new(text);
    let whole = json.next().and_then(|first| json.skip(first));
    whole.is_some() && json.is_at_end()
}

/// The UTF-16 units of an escaped text, whose escapes have been validated.
fn units(raw: &str) -> Vec<u16> {
    let mut units = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        units.extend(rest[..at].encode_utf16());
        let length = if rest[at + 1..].starts_with('u') { 6 } else { 2 };
        let escape = &rest[at + 1..at + length];
        units.push(match escape.as_bytes()[0] {
            b'b' => 8,
            b'f' => 12,
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'u' => u16::from_str_radix(&escape[1..], 16).unwrap_or(0),
            plain => u16::from(plain),
        });
        rest = &rest[at + length..];
    }
    units.extend(rest.encode_utf16());
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_texts_are_validated() {
        for text in ["1", " null ", "\"a\"", "{}", "[1, {\"a\": [true, 1.5e3]}]\n", "-0"] {
            assert!(is_json(text), "{text}");
        }
        for text in [
            "", " ", "1 x", "[1] ]", "{\"a\"}", "[1,]", "01", "\"a", "{1:2}", "nul", "'a'", "1 2", "[1",
            "\"\t\"",
        ] {
            assert!(!is_json(text), "{text}");
        }
    }
}
