//! Parsing of names and values that session statements and `WITH SESSION` share; the source of the tokens is abstract.

use rowhouse_model::{ErrorLocation, QueryError};
use sqlparser::tokenizer::{Token, Word};

use super::error::{Result, not_supported, shown, syntax_error};

/// The value of a session property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionValue {
    /// A text: `'1h'`.
    Text(String),
    /// A number in its spelling: `60`, `-1`, `1.5`.
    Number(String),
    /// A boolean: `true`.
    Boolean(bool),
}

/// A source of tokens with a current position.
pub(super) trait PropertyTokens {
    /// The next token; `None` at the end.
    fn peek(&self) -> Option<Token>;

    /// Consumes the next token.
    fn advance(&mut self);

    /// The place of the next token, or of the end of the text.
    fn place(&self) -> ErrorLocation;

    /// The spelling of the next token.
    fn spelled(&self) -> Option<String>;

    /// Consumes the next token if it is the expected one.
    fn skip(&mut self, expected: &Token) -> bool {
        let is_there = self.peek().as_ref() == Some(expected);
        if is_there {
            self.advance();
        }
        is_there
    }

    /// Parses a name: in lower case unless it is quoted.
    fn identifier(&mut self) -> Result<String> {
        match self.peek() {
            Some(Token::Word(Word { value, quote_style, .. })) => {
                self.advance();
                Ok(if quote_style.is_some() { value } else { value.to_ascii_lowercase() })
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Parses names joined by points.
    fn qualified_name(&mut self) -> Result<String> {
        let mut name = self.identifier()?;
        while self.skip(&Token::Period) {
            name.push('.');
            name.push_str(&self.identifier()?);
        }
        Ok(name)
    }

    /// Parses a text, a number, true or false; returns `None` at any other token, without consuming it.
    fn value(&mut self) -> Option<SessionValue> {
        let is_negative = self.skip(&Token::Minus);
        let value = match self.peek()? {
            Token::UnicodeStringLiteral(text) if !is_negative => SessionValue::Text(text),
            Token::Number(digits, _) if is_negative => SessionValue::Number(format!("-{digits}")),
            Token::Number(digits, _) => SessionValue::Number(digits),
            Token::Word(Word { value, quote_style: None, .. })
                if !is_negative && value.eq_ignore_ascii_case("true") =>
            {
                SessionValue::Boolean(true)
            }
            Token::Word(Word { value, quote_style: None, .. })
                if !is_negative && value.eq_ignore_ascii_case("false") =>
            {
                SessionValue::Boolean(false)
            }
            _ => return None,
        };
        self.advance();
        Some(value)
    }

    /// The error of an unexpected next token.
    fn unexpected(&self, expected: &str) -> QueryError {
        let found = self.spelled().unwrap_or_else(|| "the end of the statement".to_owned());
        syntax_error(Some(self.place()), format!("expected: {expected}, found: {}", shown(&found)))
    }
}

/// The error of a property value that [`PropertyTokens::value`] does not accept.
pub(super) fn unfit_value(place: ErrorLocation) -> QueryError {
    not_supported(Some(place), "a value of a session property that is no text, number, true or false")
}
