//! Parses `CALL procedure(…)`: the procedure's name, and its arguments, which are texts or NULL.

use rowhouse_model::ErrorLocation;
use sqlparser::tokenizer::{Token, Word};

use super::Reader;
use crate::error::{Result, not_supported};
use crate::property_tokens::PropertyTokens;

/// A call of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// The name in one to three parts, in lower case unless quoted.
    pub name: Vec<String>,
    /// The arguments, in order.
    pub arguments: Vec<ProcedureArgument>,
    /// The place of the statement.
    pub place: ErrorLocation,
}

/// An argument of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureArgument {
    /// The name before `=>`, in upper case; `None` for a positional argument.
    pub name: Option<String>,
    /// `Ok`: the text, or `None` for NULL. `Err`: the type of a number.
    pub value: Result<Option<String>, &'static str>,
    /// The place of the argument.
    pub place: ErrorLocation,
    /// The place of the value.
    pub value_place: ErrorLocation,
}

/// Maximum number of arguments; every procedure has fewer.
const MAX_ARGUMENTS: usize = 8;

impl Reader<'_> {
    /// Parses the part after CALL; `place` is that of CALL.
    pub(super) fn call(&mut self, place: ErrorLocation) -> Result<Procedure> {
        let mut name = vec![self.identifier()?];
        while self.skip(&Token::Period) {
            name.push(self.identifier()?);
        }
        if name.len() > 3 || !self.skip(&Token::LParen) {
            return Err(self.unexpected("'('"));
        }
        let mut arguments = Vec::new();
        if !self.skip(&Token::RParen) {
            loop {
                arguments.push(self.argument()?);
                if self.skip(&Token::RParen) {
                    break;
                }
                if !self.skip(&Token::Comma) || arguments.len() == MAX_ARGUMENTS {
                    return Err(self.unexpected("',' or ')'"));
                }
            }
        }
        self.end()?;
        Ok(Procedure { name, arguments, place })
    }

    fn argument(&mut self) -> Result<ProcedureArgument> {
        let (before, place) = (self.at, self.place());
        let name = match self.peek() {
            Some(Token::Word(Word { value, .. })) => {
                self.next();
                if self.skip(&Token::RArrow) {
                    Some(value.to_uppercase())
                } else {
                    self.at = before;
                    None
                }
            }
            _ => None,
        };
        let value_place = self.place();
        let value = match self.next() {
            Some(Token::UnicodeStringLiteral(text)) => Ok(Some(text)),
            Some(Token::Word(Word { value, quote_style: None, .. }))
                if value.eq_ignore_ascii_case("NULL") =>
            {
                Ok(None)
            }
            Some(Token::Number(digits, _)) if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
                Err(if digits.parse::<i32>().is_ok() { "integer" } else { "bigint" })
            }
            None => return Err(self.unexpected("an argument")),
            Some(_) => return Err(no_text(value_place)),
        };
        match self.peek() {
            Some(Token::Comma | Token::RParen) | None => {}
            Some(_) => return Err(no_text(value_place)),
        }
        Ok(ProcedureArgument { name, value, place, value_place })
    }
}

fn no_text(place: ErrorLocation) -> rowhouse_model::QueryError {
    not_supported(Some(place), "an argument of a procedure that is no text and not NULL")
}
