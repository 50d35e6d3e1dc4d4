//! How statements about the session, and `WITH SESSION`, read names and values: one token after the other, whatever the tokens
//! are taken from.

use rowhouse_model::{ErrorLocation, QueryError};
use sqlparser::tokenizer::{Token, Word};

use super::error::{Result, not_supported, syntax_error};

/// Characters of what was found that an error shows.
const SHOWN_CHARACTERS: usize = 60;

/// The value of a session property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionValue {
    /// `'1h'`.
    Text(String),
    /// `60`, `-1`, `1.5`: its digits.
    Number(String),
    /// `true`.
    Boolean(bool),
}

/// Tokens and where one is in them.
pub(super) trait SessionTokens {
    /// The next token; none at the end.
    fn peek(&self) -> Option<Token>;

    /// Goes on behind the next token.
    fn advance(&mut self);

    /// Where the next token stands, or the text ends.
    fn place(&self) -> ErrorLocation;

    /// The next token as it is spelled.
    fn spelled(&self) -> Option<String>;

    /// Goes on behind a token, if it is the next one.
    fn skip(&mut self, expected: &Token) -> bool {
        let is_there = self.peek().as_ref() == Some(expected);
        if is_there {
            self.advance();
        }
        is_there
    }

    /// A name as it is spelled, in lower case unless it is quoted.
    fn identifier(&mut self) -> Result<String> {
        match self.peek() {
            Some(Token::Word(Word { value, quote_style, .. })) => {
                self.advance();
                Ok(if quote_style.is_some() { value } else { value.to_ascii_lowercase() })
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Names joined by points.
    fn qualified_name(&mut self) -> Result<String> {
        let mut name = self.identifier()?;
        while self.skip(&Token::Period) {
            name.push('.');
            name.push_str(&self.identifier()?);
        }
        Ok(name)
    }

    /// A text, a number, true or false; the next token is the one that is none of these.
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

    /// The error of what stands here instead.
    fn unexpected(&self, expected: &str) -> QueryError {
        let found = self.spelled().unwrap_or_else(|| "the end of the statement".to_owned());
        let found: String = found.chars().take(SHOWN_CHARACTERS).collect();
        syntax_error(Some(self.place()), format!("expected: {expected}, found: {found}"))
    }
}

/// The error of a value of a property that is none which [`SessionTokens::value`] reads.
pub(super) fn unfit_value(place: ErrorLocation) -> QueryError {
    not_supported(Some(place), "a value of a session property that is no text, number, true or false")
}
