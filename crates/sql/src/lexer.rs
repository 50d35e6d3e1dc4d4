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

/// Maximum nesting depth of parentheses, CASEs and queries.
pub(super) const MAX_NESTING: usize = 500;

/// Maximum number of tokens of one statement: a parsed token takes some hundred bytes.
pub(super) const MAX_TOKENS: usize = 250_000;

/// Maximum number of parts of a name: a column and its relation's names, and a field for each level of rows.
const MAX_NAME_PARTS: usize = 4 + MAX_NESTING;

/// The token for invalid text; [`explain`] returns the reason.
const NO_TOKEN: Token = Token::Char('\u{FFFD}');

/// The tokens of a text, without white space and comments.
pub(super) fn lex(text: &str) -> Result<Vec<TokenWithSpan>> {
    let mut lexer = Lexer::new(text);
    let mut tokens: Vec<TokenWithSpan> = Vec::new();
    let mut nesting = 0_usize;
    let mut name_parts = 1_usize;
    while lexer.skip_to_token() {
        let start = lexer.location();
        if tokens.len() == MAX_TOKENS {
            let what = format!("a statement of more than {MAX_TOKENS} tokens");
            return Err(not_supported(location_of(start), what));
        }
        let is_member = tokens.last().is_some_and(|last| ends_value(&last.token)) && lexer.bytes()[0] == b':';
        // In `'a':x` of an object constructor the colon follows a value, so it does not begin a parameter.
        let token = if is_member { lexer.colons() } else { lexer.token() };
        match token {
            Token::LParen | Token::LBracket => nesting += 1,
            Token::RParen | Token::RBracket => nesting = nesting.saturating_sub(1),
            _ => {}
        }
        // Checked here, so that a text of nothing but brackets takes little memory.
        if nesting > MAX_NESTING {
            return Err(nested_too_deep(start));
        }
        name_parts = match (&token, tokens.last().map(|last| &last.token)) {
            (Token::Period, _) => name_parts + 1,
            (Token::Word(_), Some(Token::Period)) => name_parts,
            _ => 1,
        };
        if name_parts > MAX_NAME_PARTS {
            let what = format!("a name of more than {MAX_NAME_PARTS} parts");
            return Err(not_supported(location_of(start), what));
        }
        tokens.push(TokenWithSpan { token, span: Span::new(start, lexer.location()) });
    }
    Ok(tokens)
}

/// Whether a value may end with this token, so that a following colon does not begin a parameter.
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

/// The first token of a text that is not white space or a comment, and its range in bytes.
pub(super) fn next_token(text: &str, from: usize) -> Option<(Token, std::ops::Range<usize>)> {
    let mut lexer = Lexer::new(&text[from..]);
    if !lexer.skip_to_token() {
        return None;
    }
    let start = lexer.at;
    let token = lexer.token();
    Some((token, from + start..from + lexer.at))
}

/// The location of a byte of a text.
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

/// The error for brackets, CASEs and queries that are nested too deeply.
pub(super) fn nested_too_deep(place: Location) -> rowhouse_model::QueryError {
    not_supported(location_of(place), format!("nesting of more than {MAX_NESTING} levels"))
}

/// The reason why the text at a byte offset is not a token; `None` if it is a token.
pub(super) fn explain(text: &str, at: usize) -> Option<String> {
    let rest = &text[at..];
    let mut lexer = Lexer::new(rest);
    let mut characters = rest.chars();
    let (first, second) = (characters.next()?, characters.next());
    let reason = match (first, second) {
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
    Some(reason.to_owned())
}

/// The byte offset of a location; `None` after the end of the text.
pub(super) fn byte_at(text: &str, place: ErrorLocation) -> Option<usize> {
    let lines_before = usize::try_from(place.line_number.checked_sub(1)?).ok()?;
    let start = match lines_before.checked_sub(1) {
        None => 0,
        Some(last) => memchr::memchr_iter(b'\n', text.as_bytes()).nth(last)? + 1,
    };
    let column = usize::try_from(place.column_number.checked_sub(1)?).ok()?;
    text[start..].char_indices().nth(column).map(|(offset, _)| start + offset)
}

/// The first token of a text, in its spelling.
pub(super) fn first_token(text: &str) -> &str {
    let mut lexer = Lexer::new(text);
    lexer.token();
    &text[..lexer.at]
}

/// The delimiters `{-` and `-}` of an exclusion in a row pattern.
pub(super) const EXCLUSION_BEGINS: Token = Token::Char('\u{E000}');
pub(super) const EXCLUSION_ENDS: Token = Token::Char('\u{E001}');

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    line: u64,
    /// The position in the line from which characters must still be counted, and the number of characters before it.
    line_start: usize,
    columns_before: u64,
    /// Whether a comment is unterminated, so that a later one cannot be terminated either.
    has_open_comment: bool,
}

impl<'t> Lexer<'t> {
    const fn new(text: &'t str) -> Self {
        Self { text, at: 0, line: 1, line_start: 0, columns_before: 0, has_open_comment: false }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Lexes `:` or `::`.
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
        // Characters after the last location have not been counted yet.
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

    /// Skips white space and comments; returns whether any text is left.
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

    /// The token at the current position, which must not be the end.
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
            // These tokens occur only in row patterns.
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

    /// A quoted text with a prefix of some bytes, its doubled quotes unescaped; [`NO_TOKEN`] for an unterminated quote.
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

    /// Lexes `U&'…'` and an UESCAPE clause that follows; returns the text or an error message.
    fn unicode_string(&mut self) -> Result<String, String> {
        let text = match self.quoted(2, b'\'', Token::UnicodeStringLiteral) {
            Token::UnicodeStringLiteral(text) => text,
            _ => return Err(String::new()),
        };
        unicode::decoded(&text, self.uescape().as_deref())
    }

    /// The text of an UESCAPE clause, if one follows; otherwise nothing is consumed.
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

/// The length in bytes of a quoted text, including its quotes. A doubled quote is an escaped quote; but if the text is
/// unterminated after it, its first quote ends the text and its second begins another one.
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

/// The length of `:name` in bytes; 0 for anything else.
fn parameter_length(rest: &str) -> usize {
    let name = &rest[1..];
    if !name.starts_with(|character: char| character.is_alphabetic() || character == '_') {
        return 0;
    }
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    1 + name.find(|character| !is_part(character)).unwrap_or(name.len())
}

/// The number of leading letters, digits and `_`.
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
