//! Statements that change a client's session instead of returning rows: in Trino's protocol a session's state is in the
//! client's headers, and these statements change it. Only a few tokens are lexed, even of long texts.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::tokenizer::{Token, Word};

use super::error::{Result, error, not_supported, syntax_error};
use super::lexer::{next_token, place_of_byte};
use super::property_tokens::{PropertyTokens, SessionValue, unfit_value};
use super::words::is_word;

mod call;

pub use call::{Procedure, ProcedureArgument};

/// Maximum number of tokens that are lexed for names and values.
const MAX_TOKENS: usize = 64;

/// A session statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionStatement {
    /// `USE catalog.schema`, `USE schema`.
    Use {
        /// The catalog, if it is named.
        catalog: Option<String>,
        /// The schema.
        schema: String,
    },
    /// `SET SESSION name = value`.
    SetSession {
        /// The name in its spelling, parts joined by a point.
        name: String,
        /// The value.
        value: SessionValue,
        /// The place of the value.
        place: ErrorLocation,
    },
    /// `RESET SESSION name`.
    ResetSession {
        /// The name in its spelling, parts joined by a point.
        name: String,
    },
    /// `SET TIME ZONE zone`.
    SetTimeZone {
        /// A name or an offset; `None` for `LOCAL`.
        zone: Option<String>,
    },
    /// `PREPARE name FROM statement`.
    Prepare {
        /// The name of the prepared statement.
        name: String,
        /// The statement's text.
        statement: String,
    },
    /// `EXECUTE name [USING constants]`.
    Execute {
        /// The name of the prepared statement.
        name: String,
        /// The text after USING.
        constants: Option<String>,
    },
    /// `DEALLOCATE PREPARE name`.
    Deallocate {
        /// The name of the prepared statement.
        name: String,
    },
    /// `DESCRIBE INPUT name`.
    DescribeInput {
        /// The name of the prepared statement.
        name: String,
    },
    /// `DESCRIBE OUTPUT name`.
    DescribeOutput {
        /// The name of the prepared statement.
        name: String,
    },
    /// `START TRANSACTION` with any modes; they have no effect, because every statement reads the current data.
    StartTransaction,
    /// `COMMIT [WORK]`.
    Commit,
    /// `ROLLBACK [WORK]`.
    Rollback,
    /// `CALL procedure(arguments)`.
    Call(Procedure),
}

impl SessionStatement {
    /// The session statement in a text; `None` for any other statement.
    ///
    /// # Errors
    /// `SYNTAX_ERROR` with a location; `NOT_SUPPORTED` for properties that sessions lack here (roles, paths).
    pub fn read(text: &str) -> Result<Option<Self>> {
        let mut reader = Reader { text, at: 0, tokens: 0 };
        let place = reader.place();
        let Some(first) = reader.word() else { return Ok(None) };
        Ok(Some(match first.as_str() {
            "USE" => reader.use_schema()?,
            "SET" => reader.set()?,
            "RESET" => {
                reader.expect("SESSION")?;
                let name = reader.qualified_name()?;
                reader.end()?;
                Self::ResetSession { name }
            }
            "PREPARE" => {
                let name = reader.identifier()?;
                reader.expect("FROM")?;
                let statement = reader.rest();
                Self::Prepare { name, statement }
            }
            "EXECUTE" => match reader.execute()? {
                Some(execute) => execute,
                None => return Ok(None),
            },
            "DEALLOCATE" => {
                reader.expect("PREPARE")?;
                let name = reader.identifier()?;
                reader.end()?;
                Self::Deallocate { name }
            }
            "DESCRIBE" => match reader.describe()? {
                Some(describe) => describe,
                None => return Ok(None),
            },
            "START" => {
                reader.expect("TRANSACTION")?;
                Self::StartTransaction
            }
            "COMMIT" => {
                reader.end_of_transaction()?;
                Self::Commit
            }
            "ROLLBACK" => {
                reader.end_of_transaction()?;
                Self::Rollback
            }
            "CALL" => Self::Call(reader.call(place)?),
            _ => return Ok(None),
        }))
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    tokens: usize,
}

impl Reader<'_> {
    fn use_schema(&mut self) -> Result<SessionStatement> {
        let first = self.identifier()?;
        let (catalog, schema) = match self.skip(&Token::Period) {
            true => (Some(first), self.identifier()?),
            false => (None, first),
        };
        self.end()?;
        Ok(SessionStatement::Use { catalog, schema })
    }

    fn set(&mut self) -> Result<SessionStatement> {
        let place = self.place();
        let word = self.word().unwrap_or_default();
        match word.as_str() {
            "SESSION" if self.is_next("AUTHORIZATION") => {
                Err(not_supported(Some(place), "SET SESSION AUTHORIZATION"))
            }
            "SESSION" => {
                let name = self.qualified_name()?;
                if !self.skip(&Token::Eq) {
                    return Err(self.unexpected("'='"));
                }
                let place = self.place();
                let value = self.value().ok_or_else(|| unfit_value(place))?;
                self.end()?;
                Ok(SessionStatement::SetSession { name, value, place })
            }
            "TIME" => {
                self.expect("ZONE")?;
                let zone = self.zone()?;
                self.end()?;
                Ok(SessionStatement::SetTimeZone { zone })
            }
            "ROLE" | "PATH" => Err(not_supported(Some(place), format!("SET {word}"))),
            _ => Err(syntax_error(Some(place), "expected: SESSION or TIME ZONE")),
        }
    }

    /// Parses `LOCAL`, a text, or an interval of hours or minutes.
    fn zone(&mut self) -> Result<Option<String>> {
        if self.is_next("LOCAL") {
            self.word();
            return Ok(None);
        }
        let place = self.place();
        if !self.is_next("INTERVAL") {
            return match self.next() {
                Some(Token::UnicodeStringLiteral(zone)) => Ok(Some(zone)),
                _ => {
                    Err(syntax_error(Some(place), "expected: LOCAL, the name of a time zone or an INTERVAL"))
                }
            };
        }
        self.word();
        let is_negative = self.skip(&Token::Minus);
        let Some(Token::UnicodeStringLiteral(amount)) = self.next() else {
            return Err(syntax_error(Some(place), "expected: a text behind INTERVAL"));
        };
        let unit = self.word().unwrap_or_default();
        let minutes = match (amount.trim().parse::<i32>(), unit.as_str()) {
            (Ok(hours), "HOUR") => hours.checked_mul(60),
            (Ok(minutes), "MINUTE") => Some(minutes),
            _ => None,
        };
        let minutes = minutes.map(|minutes| if is_negative { -minutes } else { minutes });
        let minutes = minutes.filter(|minutes| minutes.abs() <= 14 * 60).ok_or_else(|| {
            let message = "expected: an interval of whole hours or minutes, 14 hours at most";
            error(ErrorCode::InvalidFunctionArgument, Some(place), message)
        })?;
        let (sign, minutes) = (if minutes < 0 { '-' } else { '+' }, minutes.abs());
        Ok(Some(format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)))
    }

    /// `None` for `EXECUTE IMMEDIATE`, which is not a session statement.
    fn execute(&mut self) -> Result<Option<SessionStatement>> {
        let before = self.at;
        if self.is_next("IMMEDIATE") {
            self.word();
            if matches!(self.peek(), Some(Token::UnicodeStringLiteral(_))) {
                return Ok(None);
            }
            self.at = before;
        }
        let name = self.identifier()?;
        if self.peek().is_none() {
            return Ok(Some(SessionStatement::Execute { name, constants: None }));
        }
        self.expect("USING")?;
        let constants = self.rest();
        Ok(Some(SessionStatement::Execute { name, constants: Some(constants) }))
    }

    /// `None` for `DESCRIBE table`.
    fn describe(&mut self) -> Result<Option<SessionStatement>> {
        let is_input = self.is_next("INPUT");
        if !is_input && !self.is_next("OUTPUT") {
            return Ok(None);
        }
        self.word();
        // A table may be named INPUT or OUTPUT.
        if !matches!(self.peek(), Some(Token::Word(_))) || self.is_next("IMMEDIATE") {
            return Ok(None);
        }
        let name = self.identifier()?;
        self.end()?;
        Ok(Some(match is_input {
            true => SessionStatement::DescribeInput { name },
            false => SessionStatement::DescribeOutput { name },
        }))
    }

    fn end_of_transaction(&mut self) -> Result<()> {
        if self.is_next("WORK") {
            self.word();
        }
        self.end()
    }

    /// Consumes the next token if it is an unquoted word; returns the word in upper case.
    fn word(&mut self) -> Option<String> {
        match self.peek() {
            Some(Token::Word(Word { value, quote_style: None, .. })) => {
                self.next();
                Some(value.to_ascii_uppercase())
            }
            _ => None,
        }
    }

    fn is_next(&self, expected: &str) -> bool {
        self.peek().is_some_and(|token| is_word(&token, expected))
    }

    fn expect(&mut self, expected: &str) -> Result<()> {
        if self.is_next(expected) {
            self.next();
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    /// Requires the end of the statement, after optional semicolons.
    fn end(&mut self) -> Result<()> {
        while self.skip(&Token::SemiColon) {}
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the statement")),
        }
    }

    /// Consumes the rest of the text.
    fn rest(&mut self) -> String {
        let rest = self.text[self.at..].trim().trim_end_matches(';').trim_end();
        self.at = self.text.len();
        rest.to_owned()
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek()?;
        self.advance();
        Some(token)
    }
}

impl PropertyTokens for Reader<'_> {
    fn peek(&self) -> Option<Token> {
        next_token(self.text, self.at).filter(|_| self.tokens < MAX_TOKENS).map(|(token, _)| token)
    }

    fn advance(&mut self) {
        if let Some((_, range)) = next_token(self.text, self.at).filter(|_| self.tokens < MAX_TOKENS) {
            self.at = range.end;
            self.tokens += 1;
        }
    }

    fn place(&self) -> ErrorLocation {
        let start = next_token(self.text, self.at).map_or(self.text.len(), |(_, range)| range.start);
        place_of_byte(self.text, start)
    }

    fn spelled(&self) -> Option<String> {
        next_token(self.text, self.at).map(|(_, range)| self.text[range].to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match SessionStatement::read(text) {
            Ok(Some(statement)) => format!("{statement:?}"),
            Ok(None) => "other".to_owned(),
            Err(error) => format!("{} {}", error.error_name, error.message),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn session_statements_are_parsed() {
        check("use tpch.Tiny", r#"Use { catalog: Some("tpch"), schema: "tiny" }"#);
        check("USE \"Demo\";", r#"Use { catalog: None, schema: "Demo" }"#);
        check("RESET SESSION a.b", r#"ResetSession { name: "a.b" }"#);
        check("PREPARE p FROM SELECT ?;", r#"Prepare { name: "p", statement: "SELECT ?" }"#);
        check("EXECUTE p", r#"Execute { name: "p", constants: None }"#);
        check("EXECUTE p USING 1, 'a;'", r#"Execute { name: "p", constants: Some("1, 'a;'") }"#);
        check("EXECUTE immediate", r#"Execute { name: "immediate", constants: None }"#);
        check("DEALLOCATE PREPARE p", r#"Deallocate { name: "p" }"#);
        check("DESCRIBE INPUT p", r#"DescribeInput { name: "p" }"#);
        check("-- one\nDESCRIBE OUTPUT p", r#"DescribeOutput { name: "p" }"#);
        check("START TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY", "StartTransaction");
        check("COMMIT WORK", "Commit");
        check("rollback;", "Rollback");
        check("SET TIME ZONE LOCAL", "SetTimeZone { zone: None }");
        check("SET TIME ZONE 'Europe/Berlin'", r#"SetTimeZone { zone: Some("Europe/Berlin") }"#);
        check("SET TIME ZONE INTERVAL -'90' MINUTE", r#"SetTimeZone { zone: Some("-01:30") }"#);
        let set = |value: &str, shown: &str| {
            let place = "place: ErrorLocation { line_number: 1, column_number: 17 }";
            check(
                &format!("SET SESSION x = {value}"),
                &format!("SetSession {{ name: \"x\", value: {shown}, {place} }}"),
            );
        };
        set("'1h'", r#"Text("1h")"#);
        set("-1", r#"Number("-1")"#);
        set("TRUE", "Boolean(true)");
    }

    #[test]
    fn other_statements_are_not_session_statements() {
        for text in [
            "SELECT 1",
            "",
            "-- nothing",
            "\"use\" x",
            "EXECUTE IMMEDIATE 'SELECT 1'",
            "DESCRIBE output",
            "DESCRIBE OUTPUT IMMEDIATE 'SELECT 1'",
            "DESCRIBE t",
            "DESCRIBE output.t",
        ] {
            check(text, "other");
        }
    }

    #[test]
    fn errors_have_a_location() {
        check("USE", "SYNTAX_ERROR line 1:4: expected: a name, found: the end of the statement");
        check("USE a.b.c", "SYNTAX_ERROR line 1:8: expected: the end of the statement, found: .");
        check("SET SESSION x 1", "SYNTAX_ERROR line 1:15: expected: '=', found: 1");
        check("EXECUTE p 1", "SYNTAX_ERROR line 1:11: expected: USING, found: 1");
        check("COMMIT\n AND", "SYNTAX_ERROR line 2:2: expected: the end of the statement, found: AND");
        check("SET ROLE admin", "NOT_SUPPORTED line 1:5: SET ROLE is not supported");
        check(
            "SET SESSION x = 1 + 1",
            "SYNTAX_ERROR line 1:19: expected: the end of the statement, found: +",
        );
    }
}
