//! `EXECUTE IMMEDIATE 'statement' USING a, b`: runs the statement in the text, with each `?` in it replaced by one of
//! the constants after USING. These tokens are parsed as an expression before they are substituted, so a value cannot
//! become any other part of the statement. Prepared statements run in this form.

use std::borrow::Cow;
use std::ops::ControlFlow;

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError, StatementParameters};
use sqlparser::ast::Expr;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::effort::Abandonment;
use super::error::{Result, error, location_of, syntax_error};
use super::fingerprint::fingerprint;
use super::keywords::word;
use super::parse::{Body, parse};
use super::tokens::{check_depth, tokenize};
use super::tree_walk::{Node, walk};
use super::words::is_word;

/// The prefix that [`execute_immediate`] puts before a statement's text.
pub const EXECUTE_IMMEDIATE: &str = "EXECUTE IMMEDIATE '";

/// The text that runs a prepared statement with constants (`1, 'a'`). Errors in the statement have places after
/// [`EXECUTE_IMMEDIATE`].
pub fn execute_immediate(statement: &str, constants: Option<&str>) -> String {
    let statement = statement.replace('\'', "''");
    match constants {
        Some(constants) => format!("{EXECUTE_IMMEDIATE}{statement}' USING {constants}"),
        None => format!("{EXECUTE_IMMEDIATE}{statement}'"),
    }
}

/// Checks that a text can be prepared: it is a statement if each `?` is a constant.
///
/// # Errors
/// As for [`prepare`](super::prepare()), at the place in this text.
pub fn check_prepared(text: &str, abandonment: &Abandonment) -> Result<()> {
    let mut tokens = tokenize(text)?;
    tokens.iter_mut().filter(|token| is_placeholder(&token.token)).for_each(|token| token.token = null());
    parse(text, tokens, abandonment.clone()).map(drop)
}

/// The kind of description of a prepared statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Description {
    /// The types of its parameters.
    Input {
        /// The places of each `?`, in order.
        places: Vec<ErrorLocation>,
    },
    /// Its output columns.
    Output,
}

/// The statement that a text runs, and its place in the text.
pub(super) struct Runnable<'t> {
    /// The statement's own text.
    pub(super) text: Cow<'t, str>,
    /// The statement's tokens, with constants in place of each `?`.
    pub(super) tokens: Vec<TokenWithSpan>,
    /// The description that is requested instead of the rows.
    pub(super) description: Option<Description>,
    /// The error of a wrong number of constants; it is only reported if the statement has no other error.
    pub(super) mismatch: Option<QueryError>,
    /// The place of the literal that contains the statement.
    literal: Option<ErrorLocation>,
}

impl<'t> Runnable<'t> {
    /// A text that is the statement itself and has no `?`.
    pub(super) fn plain(text: &'t str, tokens: Vec<TokenWithSpan>) -> Self {
        Self { text: text.into(), tokens, description: None, mismatch: None, literal: None }
    }

    /// Finds the statement in a text, and binds its constants.
    ///
    /// # Errors
    /// As for [`tokenize`]; `INVALID_PARAMETER_USAGE`: more or fewer constants than `?`; `EXPRESSION_NOT_CONSTANT`.
    pub(super) fn of(text: &'t str, abandonment: &Abandonment) -> Result<Self> {
        let tokens = tokenize(text)?;
        let Some(form) = Form::of(&tokens) else {
            let mut runnable =
                Self { text: text.into(), tokens, description: None, mismatch: None, literal: None };
            runnable.bind(&[])?;
            return Ok(runnable);
        };
        let constants = constants(text, &tokens[form.head_tokens..], abandonment)?;
        let literal = location_of(tokens[form.head_tokens - 1].span.start);
        let (statement, kind) = (form.statement.to_owned(), form.kind);
        let placed = |error| moved(error, literal);
        let tokens = tokenize(&statement).map_err(placed)?;
        let mut runnable =
            Self { text: statement.into(), tokens, description: None, mismatch: None, literal };
        match kind {
            Kind::Execute => runnable.bind(&constants).map_err(placed)?,
            Kind::DescribeOutput => {
                runnable.bind_nulls();
                runnable.description = Some(Description::Output);
            }
            Kind::DescribeInput => {
                let places = runnable.bind_nulls();
                runnable.description = Some(Description::Input { places });
            }
        }
        Ok(runnable)
    }

    /// Whether the text is the statement itself, and contains no other.
    pub(super) const fn is_plain(&self) -> bool {
        matches!(self.text, Cow::Borrowed(_))
    }

    /// The fingerprint of the statement; a description of it has another one.
    pub(super) fn fingerprint(&self, parameters: &StatementParameters) -> String {
        let Some(description) = &self.description else { return fingerprint(&self.tokens, parameters) };
        let word = |text: &str| TokenWithSpan::wrap(word(text.to_owned(), None));
        let what = if *description == Description::Output { "OUTPUT" } else { "INPUT" };
        let mut tokens = vec![word("DESCRIBE"), word(what)];
        tokens.extend(self.tokens.iter().cloned());
        fingerprint(&tokens, parameters)
    }

    /// An error of the statement, with its place in the submitted text.
    pub(super) fn placed(&self, error: QueryError) -> QueryError {
        moved(error, self.literal)
    }

    /// Replaces each `?` with its constant.
    fn bind(&mut self, constants: &[&[TokenWithSpan]]) -> Result<()> {
        let expected = self.tokens.iter().filter(|token| is_placeholder(&token.token)).count();
        if expected != constants.len() {
            let place = self.tokens.first().and_then(|token| location_of(token.span.start));
            let message =
                format!("Incorrect number of parameters: expected {expected} but found {}", constants.len());
            self.mismatch = Some(error(ErrorCode::InvalidParameterUsage, place, message));
            self.bind_nulls();
            return Ok(());
        }
        if expected == 0 {
            return Ok(());
        }
        let mut constants = constants.iter();
        let mut bound = Vec::with_capacity(self.tokens.len());
        for token in std::mem::take(&mut self.tokens) {
            match constants.as_slice() {
                [constant, ..] if is_placeholder(&token.token) => {
                    constants.next();
                    let placed = |new: Token| TokenWithSpan { token: new, span: token.span };
                    let is_single = constant.len() == 1;
                    bound.extend((!is_single).then(|| placed(Token::LParen)));
                    bound.extend(constant.iter().map(|token| placed(as_bound(&token.token))));
                    bound.extend((!is_single).then(|| placed(Token::RParen)));
                }
                _ => bound.push(token),
            }
        }
        check_depth(&bound)?;
        self.tokens = bound;
        Ok(())
    }

    /// Replaces each `?` with NULL, whose type is derived from its use, because the values are not known yet. Returns
    /// the places.
    fn bind_nulls(&mut self) -> Vec<ErrorLocation> {
        let placeholders = self.tokens.iter_mut().filter(|token| is_placeholder(&token.token));
        placeholders
            .filter_map(|token| {
                token.token = null();
                location_of(token.span.start)
            })
            .collect()
    }
}

/// A token of a constant. A bound number is no place in the select list: it is marked by what would be a suffix in other dialects.
fn as_bound(token: &Token) -> Token {
    match token {
        Token::Number(digits, _) => Token::Number(digits.clone(), true),
        token => token.clone(),
    }
}

/// `EXECUTE IMMEDIATE '…'`, and `DESCRIBE INPUT|OUTPUT IMMEDIATE '…'`, which is an extension of this server.
struct Form<'t> {
    statement: &'t str,
    kind: Kind,
    /// The number of tokens up to and including the statement's literal.
    head_tokens: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    Execute,
    DescribeInput,
    DescribeOutput,
}

impl<'t> Form<'t> {
    fn of(tokens: &'t [TokenWithSpan]) -> Option<Self> {
        let is =
            |index: usize, name: &str| tokens.get(index).is_some_and(|token| is_word(&token.token, name));
        let (immediate, kind) = match (is(0, "EXECUTE"), is(0, "DESCRIBE")) {
            (true, _) => (1, Kind::Execute),
            (_, true) if is(1, "OUTPUT") => (2, Kind::DescribeOutput),
            (_, true) if is(1, "INPUT") => (2, Kind::DescribeInput),
            _ => return None,
        };
        match tokens.get(immediate + 1).map(|token| &token.token) {
            Some(Token::UnicodeStringLiteral(statement)) if is(immediate, "IMMEDIATE") => {
                Some(Self { statement, kind, head_tokens: immediate + 2 })
            }
            _ => None,
        }
    }
}

/// The constants after the statement's text, each as its tokens.
fn constants<'t>(
    text: &str,
    rest: &'t [TokenWithSpan],
    abandonment: &Abandonment,
) -> Result<Vec<&'t [TokenWithSpan]>> {
    let Some((using, rest)) = rest.split_first() else { return Ok(Vec::new()) };
    let place = location_of(using.span.start);
    if !is_word(&using.token, "USING") {
        return Err(syntax_error(place, "expected: USING or the end of the statement"));
    }
    let mut constants = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (index, token) in rest.iter().enumerate() {
        match token.token {
            Token::LParen | Token::LBracket => depth += 1,
            // An unmatched closing bracket would extend into the surrounding statement.
            Token::RParen | Token::RBracket => {
                depth = depth.checked_sub(1).ok_or_else(|| {
                    syntax_error(
                        location_of(token.span.start),
                        "expected: a constant, found a closing bracket",
                    )
                })?;
            }
            Token::Comma if depth == 0 => {
                constants.push(&rest[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    constants.push(&rest[start..]);
    for constant in &constants {
        check_constant(text, constant, place, abandonment)?;
    }
    Ok(constants)
}

/// Refuses tokens that are not an expression by themselves, and expressions that are not constant.
fn check_constant(
    text: &str,
    constant: &[TokenWithSpan],
    using: Option<ErrorLocation>,
    abandonment: &Abandonment,
) -> Result<()> {
    let Some(first) = constant.first() else {
        return Err(syntax_error(using, "expected: an expression, found nothing"));
    };
    let place = location_of(first.span.start);
    let around = |token: Token| TokenWithSpan { token, span: first.span };
    // Only an expression is valid between the parentheses.
    let mut tokens = vec![around(word("SELECT".to_owned(), None)), around(Token::LParen)];
    tokens.extend(constant.iter().cloned());
    tokens.push(around(Token::RParen));
    let parsed = parse(text, tokens, abandonment.clone())?;
    let Body::Statement(statement) = parsed.body else {
        return Err(syntax_error(place, "expected: an expression"));
    };
    let found = walk(&statement, |node| match node {
        Node::Expr(Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Wildcard(_)) => {
            ControlFlow::Break("Constant expression cannot contain column references")
        }
        Node::Expr(Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. }) => {
            ControlFlow::Break("Constant expression cannot contain subqueries")
        }
        _ => ControlFlow::Continue(()),
    });
    match found {
        ControlFlow::Break(message) => Err(error(ErrorCode::ExpressionNotConstant, place, message)),
        ControlFlow::Continue(()) => Ok(()),
    }
}

fn is_placeholder(token: &Token) -> bool {
    matches!(token, Token::Placeholder(text) if text == "?")
}

fn null() -> Token {
    word("NULL".to_owned(), None)
}

/// Converts a place within a literal to the place in the surrounding text, as Trino does: a doubled quote counts as one
/// character.
fn moved(error: QueryError, literal: Option<ErrorLocation>) -> QueryError {
    let Some(literal) = literal else { return error };
    error.moved(|place| ErrorLocation {
        line_number: place.line_number + literal.line_number - 1,
        column_number: match place.line_number {
            1 => place.column_number + literal.column_number,
            _ => place.column_number,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare;

    /// Checks the bound tokens, or the error.
    fn check(text: &str, expected: &str) {
        let found = match Runnable::of(text, &Abandonment::default()) {
            Ok(Runnable { mismatch: Some(error), literal, .. }) => {
                let error = moved(error, literal);
                format!("{} {}", error.error_name, error.message)
            }
            Ok(runnable) => {
                let shown = |token: &TokenWithSpan| match &token.token {
                    Token::Number(digits, true) => format!("<{digits}>"),
                    token => token.to_string(),
                };
                runnable.tokens.iter().map(shown).collect::<Vec<_>>().join(" ")
            }
            Err(error) => format!("{} {}", error.error_name, error.message),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn constants_replace_question_marks() {
        check("SELECT 1", "SELECT 1");
        check("EXECUTE IMMEDIATE 'SELECT 1'", "SELECT 1");
        check(
            "EXECUTE IMMEDIATE 'SELECT ?, ? LIMIT ?' USING 1 + 2, X'00', 5",
            "SELECT ( <1> + <2> ) , X'00' LIMIT <5>",
        );
        check(
            "EXECUTE IMMEDIATE 'SELECT ''it''''s'', ?' USING ARRAY[1, 2]",
            "SELECT U&'it's' , ( ARRAY [ <1> , <2> ] )",
        );
        check("DESCRIBE OUTPUT IMMEDIATE 'SELECT ?'", "SELECT NULL");
    }

    #[test]
    fn expressions_that_are_not_constant_are_refused() {
        check(
            "EXECUTE IMMEDIATE 'SELECT ?' USING n_name",
            "EXPRESSION_NOT_CONSTANT line 1:36: Constant expression cannot contain column references",
        );
        check(
            "EXECUTE IMMEDIATE 'SELECT ?' USING (SELECT 1)",
            "EXPRESSION_NOT_CONSTANT line 1:36: Constant expression cannot contain subqueries",
        );
        // Only expressions are accepted, not other parts of a statement.
        for text in ["1) FROM t WHERE (1 = 1", "1 AS x", "1 FROM t", "1; SELECT 2", "", "1,"] {
            let text = format!("EXECUTE IMMEDIATE 'SELECT ?, ?' USING 1, {text}");
            let error = prepare(&text, &Default::default()).expect_err(&text);
            assert!(
                matches!(error.error_name.as_str(), "SYNTAX_ERROR" | "INVALID_PARAMETER_USAGE"),
                "{error:?}"
            );
        }
    }

    /// Places and messages are those of Trino 476.
    #[test]
    fn error_locations_refer_to_the_submitted_text() {
        check(
            "EXECUTE IMMEDIATE 'SELECT ?'",
            "INVALID_PARAMETER_USAGE line 1:20: Incorrect number of parameters: expected 1 but found 0",
        );
        check(
            "EXECUTE IMMEDIATE 'SELECT ?' USING 1+2, 3",
            "INVALID_PARAMETER_USAGE line 1:20: Incorrect number of parameters: expected 1 but found 2",
        );
        check(
            "SELECT ?",
            "INVALID_PARAMETER_USAGE line 1:1: Incorrect number of parameters: expected 1 but found 0",
        );
        let place = |text: &str| {
            let error = prepare(text, &Default::default()).expect_err(text);
            error.error_location.map(|place| (place.line_number, place.column_number))
        };
        assert_eq!(place("EXECUTE IMMEDIATE 'SELECT 1 FROM'"), Some((1, 33)));
        assert_eq!(place("EXECUTE IMMEDIATE 'SELECT\n 1 1'"), Some((2, 4)));
    }

    #[test]
    fn a_prepared_statement_is_checked_with_its_question_marks() {
        let check = |text: &str, is_good: bool| {
            assert_eq!(check_prepared(text, &Abandonment::default()).is_ok(), is_good, "{text}");
        };
        check("SELECT ? + 1 FROM t WHERE x IN (?, ?) LIMIT ?", true);
        check("SELCT ?", false);
        check("EXECUTE p", false);
    }

    #[test]
    fn the_same_statement_has_one_fingerprint() {
        let of = |text: &str| prepare(text, &Default::default()).expect(text).fingerprint;
        assert_eq!(of("EXECUTE IMMEDIATE 'SELECT ?' USING 'a'"), of("SELECT 'a'"));
        assert_eq!(of(&execute_immediate("SELECT 'it''s', ?", Some("1"))), of("SELECT 'it''s', 1"));
    }
}
