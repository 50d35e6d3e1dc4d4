//! Lexer for the lexical rules of Trino's grammar (`SqlBase.g4`, from `STRING` to `UNRECOGNIZED`): of all rules that
//! match at a position the longest match wins, among equals the first rule. In addition to Trino's tokens there are
//! `:name`, a parameter (D41), and `::`, a cast. Text that matches no rule becomes [`NO_TOKEN`], which occurs in no
//! grammar, so that the error is reported at the first wrong location. Linear in the text; tokens are counted as they
//! are produced.

use rowhouse_model::ErrorLocation;
use sqlparser::tokenizer::{Location, Span, Token, TokenWithSpan};

use super::error::{Result, location_of, not_supported};
use super::keywords::word;

mod number;
mod unicode;

pub(super) use number::plain as plain_number;

/// Nesting of parentheses, CASEs and queries that is read.
pub(super) const MAX_NESTING: usize = 500;

/// Tokens of one statement: a parsed token takes some hundred bytes.
pub(super) const MAX_TOKENS: usize = 250_000;

/// Stands for what is no token of a statement; [`explain`] says what it was.
const NO_TOKEN: Token = Token::Char('\u{FFFD}');

/// The tokens without white space and comments.
pub(super) fn lex(text: &str) -> Result<Vec<TokenWithSpan>> {
    let mut lexer = Lexer::new(text);
    let mut tokens: Vec<TokenWithSpan> = Vec::new();
    let mut nesting = 0_usize;
    while lexer.skip_to_token() {
        let start = lexer.location();
        if tokens.len() == MAX_TOKENS {
            let what = format!("a statement of more than {MAX_TOKENS} tokens");
            return Err(not_supported(location_of(start), what));
        }
        let is_member = tokens.last().is_some_and(|last| ends_value(&last.token)) && lexer.bytes()[0] == b':';
        // `'a':x` in an object: behind a value there is no parameter.
        let token = if is_member { lexer.colons() } else { lexer.token() };
        match token {
            Token::LParen | Token::LBracket => nesting += 1,
            Token::RParen | Token::RBracket => nesting = nesting.saturating_sub(1),
            _ => {}
        }
        // Before the tokens of a text that is nothing else take memory.
        if nesting > MAX_NESTING {
            return Err(nested_too_deep(start));
        }
        tokens.push(TokenWithSpan { token, span: Span::new(start, lexer.location()) });
    }
    Ok(tokens)
}

/// Whether a value ends with this token, and so does not begin at the next one.
const fn ends_value(token: &Token) -> bool {
    matches!(
        token,
        Token::UnicodeStringLiteral(_)
            | Token::HexStringLiteral(_)
            | Token::Number(..)
            | Token::RParen
            | Token::RBracket
    )
}

/// The first token of a text that is not white space or a comment, and the byte behind it.
pub(super) fn next_token(text: &str, from: usize) -> Option<(Token, std::ops::Range<usize>)> {
    let mut lexer = Lexer::new(&text[from..]);
    if !lexer.skip_to_token() {
        return None;
    }
    let start = lexer.at;
    let token = lexer.token();
    Some((token, from + start..from + lexer.at))
}

/// The place of a byte of a text.
pub(super) fn place_of_byte(text: &str, byte: usize) -> ErrorLocation {
    let before = &text[..byte];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let lines = memchr::memchr_iter(b'\n', before.as_bytes()).count();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    ErrorLocation {
        line_number: number(lines + 1),
        column_number: number(before[line_start..].chars().count() + 1),
    }
}

/// The refusal of brackets, CASEs and queries within each other.
pub(super) fn nested_too_deep(place: Location) -> rowhouse_model::QueryError {
    not_supported(location_of(place), format!("nesting of more than {MAX_NESTING} levels"))
}

/// What is wrong with what begins at a place of a text; none where it is a token.
pub(super) fn explain(text: &str, at: usize) -> Option<String> {
    let rest = &text[at..];
    let mut lexer = Lexer::new(rest);
    let mut characters = rest.chars();
    let (first, second) = (characters.next()?, characters.next());
    let told = match (first, second) {
        ('/', Some('*')) => "a comment begins here and does not end",
        ('*', _) if text[..at].ends_with('/') => "a comment begins before this and does not end",
        ('u' | 'U', Some('&')) => return lexer.unicode_string().err().filter(|message| !message.is_empty()),
        _ if lexer.token() != NO_TOKEN => return None,
        ('\'', _) => "a text begins here and does not end",
        ('"', Some('"')) => "Zero-length delimited identifier not allowed",
        ('"', _) => "a name between double quotes begins here and does not end",
        ('`', _) => "backquoted identifiers are not supported; use double quotes to quote identifiers",
        ('0'..='9', _) => {
            "identifiers must not start with a digit; surround the identifier with double quotes"
        }
        ('\u{FEFF}', _) => "a byte order mark is no part of a statement",
        _ if first.is_alphabetic() => {
            "a name without quotes has only the letters A to Z, digits and '_'; surround it with double quotes"
        }
        _ if first.is_whitespace() => "this character is no white space in SQL; use a space",
        _ => return None,
    };
    Some(told.to_owned())
}

/// The byte at a place of a text; none behind its end.
pub(super) fn byte_at(text: &str, place: ErrorLocation) -> Option<usize> {
    let lines_before = usize::try_from(place.line_number.checked_sub(1)?).ok()?;
    let start = match lines_before.checked_sub(1) {
        None => 0,
        Some(last) => memchr::memchr_iter(b'\n', text.as_bytes()).nth(last)? + 1,
    };
    let column = usize::try_from(place.column_number.checked_sub(1)?).ok()?;
    text[start..].char_indices().nth(column).map(|(offset, _)| start + offset)
}

/// The first token of a text, as it is spelled there.
pub(super) fn first_token(text: &str) -> &str {
    let mut lexer = Lexer::new(text);
    lexer.token();
    &text[..lexer.at]
}

/// `{-` and `-}` of a row pattern.
pub(super) const EXCLUSION_BEGINS: Token = Token::Char('\u{E000}');
pub(super) const EXCLUSION_ENDS: Token = Token::Char('\u{E001}');

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    line: u64,
    /// Where the characters of the line are counted from, and how many stand before that.
    line_start: usize,
    columns_before: u64,
    /// A comment has begun that does not end: neither does any behind it.
    has_open_comment: bool,
}

impl<'t> Lexer<'t> {
    const fn new(text: &'t str) -> Self {
        Self { text, at: 0, line: 1, line_start: 0, columns_before: 0, has_open_comment: false }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// `:`, or `::`.
    fn colons(&mut self) -> Token {
        let is_double = self.bytes().starts_with(b"::");
        self.advance(if is_double { 2 } else { 1 });
        if is_double { Token::DoubleColon } else { Token::Colon }
    }

    fn bytes(&self) -> &'t [u8] {
        self.rest().as_bytes()
    }

    /// Line and column in characters, both from 1. Only a line feed begins a line, as in Trino.
    fn location(&mut self) -> Location {
        // What is behind the last place has not been counted yet.
        self.columns_before += self.text[self.line_start..self.at].chars().count() as u64;
        self.line_start = self.at;
        Location::new(self.line, self.columns_before + 1)
    }

    fn advance(&mut self, length: usize) -> &'t str {
        let taken = &self.rest()[..length];
        if let Some(last) = memchr::memrchr(b'\n', taken.as_bytes()) {
            self.line += memchr::memchr_iter(b'\n', taken.as_bytes()).count() as u64;
            self.line_start = self.at + last + 1;
            self.columns_before = 0;
        }
        self.at += length;
        taken
    }

    /// Passes over white space and comments; whether anything is left.
    fn skip_to_token(&mut self) -> bool {
        loop {
            let bytes = self.bytes();
            let length = match bytes {
                [] => return false,
                [b' ' | b'\t' | b'\r' | b'\n', ..] => {
                    bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count()
                }
                [b'-', b'-', ..] => memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len()),
                // Comments do not nest.
                [b'/', b'*', body @ ..] if !self.has_open_comment => {
                    match memchr::memmem::find(body, b"*/") {
                        Some(end) => end + 4,
                        None => {
                            self.has_open_comment = true;
                            return true;
                        }
                    }
                }
                _ => return true,
            };
            self.advance(length);
        }
    }

    /// The token that begins here; there is one.
    fn token(&mut self) -> Token {
        let (length, token) = match self.bytes() {
            [b'\'', ..] => return self.quoted(0, b'\'', Token::UnicodeStringLiteral),
            [b'"', ..] => {
                let name = |name: String| if name.is_empty() { NO_TOKEN } else { word(name, Some('"')) };
                return self.quoted(0, b'"', name);
            }
            [b'`', ..] => return self.quoted(0, b'`', |_| NO_TOKEN),
            [b'x' | b'X', b'\'', digits @ ..] if memchr::memchr(b'\'', digits).is_some() => {
                let length = memchr::memchr(b'\'', digits).unwrap_or_default();
                let literal = self.advance(length + 3);
                return Token::HexStringLiteral(literal[2..length + 2].to_owned());
            }
            [b'u' | b'U', b'&', literal @ ..]
                if literal.first() == Some(&b'\'') && quoted_length(literal, b'\'').is_some() =>
            {
                return self.unicode_string().map_or(NO_TOKEN, Token::UnicodeStringLiteral);
            }
            [b'A'..=b'Z' | b'a'..=b'z' | b'_', ..] => {
                let length = word_length(self.bytes());
                return word(self.advance(length).to_owned(), None);
            }
            [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => number::number(self.rest()),
            [b':', b':', ..] => (2, Token::DoubleColon),
            [b':', ..] if parameter_length(self.rest()) > 0 => {
                let length = parameter_length(self.rest());
                return Token::Placeholder(self.advance(length).to_owned());
            }
            [b'?', ..] => (1, Token::Placeholder("?".to_owned())),
            [b'<', b'>', ..] | [b'!', b'=', ..] => (2, Token::Neq),
            [b'<', b'=', ..] => (2, Token::LtEq),
            [b'>', b'=', ..] => (2, Token::GtEq),
            [b'|', b'|', ..] => (2, Token::StringConcat),
            [b'-', b'>', ..] => (2, Token::Arrow),
            [b'=', b'>', ..] => (2, Token::RArrow),
            [b'{', b'-', ..] => (2, EXCLUSION_BEGINS),
            [b'-', b'}', ..] => (2, EXCLUSION_ENDS),
            // Row patterns alone have these.
            [sign @ (b'{' | b'}' | b'|' | b'^' | b'$'), ..] => (1, Token::Char(char::from(*sign))),
            [single, ..] => match single_character(*single) {
                Some(token) => (1, token),
                None => (self.rest().chars().next().map_or(1, char::len_utf8), NO_TOKEN),
            },
            [] => (0, NO_TOKEN),
        };
        self.advance(length);
        token
    }

    /// A quoted text with a prefix of some bytes, its doubled quotes made single; [`NO_TOKEN`] for a lone quote.
    fn quoted(&mut self, prefix: usize, quote: u8, token: impl FnOnce(String) -> Token) -> Token {
        let Some(length) = quoted_length(&self.bytes()[prefix..], quote) else {
            self.advance(1);
            return NO_TOKEN;
        };
        let literal = &self.advance(prefix + length)[prefix + 1..prefix + length - 1];
        let quote = char::from(quote);
        let (double, single) = (String::from_iter([quote, quote]), String::from(quote));
        token(if literal.contains(quote) { literal.replace(&double, &single) } else { literal.to_owned() })
    }

    /// `U&'…'`, and behind it UESCAPE with its character; or what is wrong with them.
    fn unicode_string(&mut self) -> Result<String, String> {
        let text = match self.quoted(2, b'\'', Token::UnicodeStringLiteral) {
            Token::UnicodeStringLiteral(text) => text,
            _ => return Err(String::new()),
        };
        unicode::decoded(&text, self.uescape().as_deref())
    }

    /// The text behind UESCAPE, if that comes next; else nothing is passed over.
    fn uescape(&mut self) -> Option<String> {
        let (at, line, line_start, columns_before, has_open_comment) =
            (self.at, self.line, self.line_start, self.columns_before, self.has_open_comment);
        if self.skip_to_token() {
            let length = word_length(self.bytes());
            if self.rest()[..length].eq_ignore_ascii_case("UESCAPE") {
                self.advance(length);
                if self.skip_to_token()
                    && self.bytes().starts_with(b"'")
                    && let Token::UnicodeStringLiteral(escape) =
                        self.quoted(0, b'\'', Token::UnicodeStringLiteral)
                {
                    return Some(escape);
                }
            }
        }
        (self.at, self.line, self.line_start, self.columns_before) = (at, line, line_start, columns_before);
        self.has_open_comment = has_open_comment;
        None
    }
}

/// Bytes of a quoted text with its quotes. A doubled quote is one of the text's; where the text does not end behind it,
/// it is the end and a quote that begins the next.
fn quoted_length(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut end = None;
    let mut at = 1;
    while let Some(length) = memchr::memchr(quote, bytes.get(at..)?) {
        let closing = at + length;
        end = Some(closing + 1);
        if bytes.get(closing + 1) != Some(&quote) {
            break;
        }
        at = closing + 2;
    }
    end
}

/// Bytes of `:name`; 0 for anything else.
fn parameter_length(rest: &str) -> usize {
    let name = &rest[1..];
    if !name.starts_with(|character: char| character.is_alphabetic() || character == '_') {
        return 0;
    }
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    1 + name.find(|character| !is_part(character)).unwrap_or(name.len())
}

/// Bytes of letters, digits and `_`.
fn word_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

const fn single_character(byte: u8) -> Option<Token> {
    Some(match byte {
        b'(' => Token::LParen,
        b')' => Token::RParen,
        b'[' => Token::LBracket,
        b']' => Token::RBracket,
        b',' => Token::Comma,
        b'.' => Token::Period,
        b';' => Token::SemiColon,
        b':' => Token::Colon,
        b'=' => Token::Eq,
        b'<' => Token::Lt,
        b'>' => Token::Gt,
        b'+' => Token::Plus,
        b'-' => Token::Minus,
        b'*' => Token::Mul,
        b'/' => Token::Div,
        b'%' => Token::Mod,
        _ => return None,
    })
}
