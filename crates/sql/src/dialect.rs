//! The dialect for the parser: Trino's syntax. Extensions of other dialects are disabled if the parser has a switch for
//! it; those that it parses regardless are refused by the analyzer.
//!
//! The parser tries alternatives one after the other, and retries them on every level: time that doubles with each.
//! Here the first tokens of an expression, or the contents of its parentheses, select one (`expressions.rs`) without
//! backtracking: the first error is the statement's. Steps are counted in addition, so that parsing is linear in the
//! text in any case.

use std::cell::RefCell;

use sqlparser::ast::{Expr, Statement, Value, ValueWithSpan};
use sqlparser::dialect::Dialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan};

use super::brackets::Brackets;
use super::effort::Effort;
use super::keywords::is_reserved_word;
use super::match_recognize::MatchRecognize;

mod expressions;
mod json_forms;
mod json_table;
mod row_patterns;
mod statements;

/// Trino's SQL, as far as the parser can be told, for the tokens of one statement.
#[derive(Debug)]
pub(super) struct RowhouseDialect {
    brackets: Brackets,
    effort: Effort,
    verdict: RefCell<Option<Verdict>>,
    matches: RefCell<Vec<MatchRecognize>>,
}

/// Why a statement is not read on.
#[derive(Clone, Debug)]
pub(super) enum Verdict {
    /// It is wrong.
    Wrong(ParserError),
    /// It is nested too deep, at this place.
    TooDeep(Location),
    /// It has taken all the steps that it may, up to this place.
    TooLong(Location),
    /// It is no statement that is read here: what it begins with.
    NotRead(String),
}

impl RowhouseDialect {
    pub(super) const fn new(brackets: Brackets, effort: Effort) -> Self {
        Self { brackets, effort, verdict: RefCell::new(None), matches: RefCell::new(Vec::new()) }
    }

    /// What was decided about the statement, where reading it was ended.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.verdict.borrow().clone()
    }

    /// What was read of row patterns, by the indexes that stand for it.
    pub(super) fn take_matches(&self) -> Vec<MatchRecognize> {
        self.matches.take()
    }

    /// Ends the reading. The parser tries nothing else after this error.
    fn end<T>(&self, verdict: Verdict) -> Result<T, ParserError> {
        self.verdict.borrow_mut().get_or_insert(verdict);
        Err(ParserError::RecursionLimitExceeded)
    }

    /// An outcome that nothing else is tried after.
    fn decided<T>(&self, outcome: Result<T, ParserError>, place: Location) -> Result<T, ParserError> {
        match outcome {
            Ok(value) => Ok(value),
            Err(ParserError::RecursionLimitExceeded) => self.end(Verdict::TooDeep(place)),
            Err(error) => self.end(Verdict::Wrong(error)),
        }
    }

    fn step(&self, parser: &Parser<'_>) -> Result<(), ParserError> {
        if self.effort.step() {
            return Ok(());
        }
        self.end(Verdict::TooLong(parser.peek_token_ref().span.start))
    }
}

impl Dialect for RowhouseDialect {
    fn is_identifier_start(&self, character: char) -> bool {
        character.is_ascii_alphabetic() || character == '_'
    }

    fn is_identifier_part(&self, character: char) -> bool {
        character.is_ascii_alphanumeric() || character == '_'
    }

    fn identifier_quote_style(&self, _identifier: &str) -> Option<char> {
        Some('"')
    }

    fn parse_statement(&self, parser: &mut Parser<'_>) -> Option<Result<Statement, ParserError>> {
        let place = parser.peek_token_ref().span.start;
        let outcome = statements::statement(parser, |verdict| self.end(verdict))?;
        Some(self.decided(outcome, place))
    }

    fn parse_prefix(&self, parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        let place = parser.peek_token_ref().span.start;
        let outcome = self.step(parser).and_then(|()| expressions::prefix(self, parser));
        Some(self.decided(outcome, place))
    }

    fn get_next_precedence(&self, parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
        if let Err(error) = self.step(parser) {
            return Some(Err(error));
        }
        match parser.peek_token_ref().token {
            // Of a lambda expression, and of a member of an object: no operators.
            Token::Arrow | Token::Colon => Some(Ok(self.prec_unknown())),
            _ => None,
        }
    }

    /// Reading a query is a step, also where no expression is met.
    fn prec_unknown(&self) -> u8 {
        self.effort.step();
        0
    }

    fn is_select_item_alias(&self, explicit: bool, keyword: &Keyword, parser: &mut Parser<'_>) -> bool {
        let is_name = !is_reserved_word(&parser.get_current_token().token);
        is_name
            && (explicit
                || is_free(*keyword, parser).unwrap_or_else(|| self.is_column_alias(keyword, parser)))
    }

    fn is_table_factor_alias(&self, explicit: bool, keyword: &Keyword, parser: &mut Parser<'_>) -> bool {
        let is_name = !is_reserved_word(&parser.get_current_token().token);
        is_name
            && (explicit || is_free(*keyword, parser).unwrap_or_else(|| self.is_table_alias(keyword, parser)))
    }

    fn supports_group_by_expr(&self) -> bool {
        true
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        true
    }

    fn supports_within_after_array_aggregation(&self) -> bool {
        true
    }

    fn supports_window_clause_named_window_reference(&self) -> bool {
        true
    }

    fn supports_window_function_null_treatment_arg(&self) -> bool {
        true
    }

    fn supports_parens_around_table_factor(&self) -> bool {
        true
    }

    fn supports_values_as_table_factor(&self) -> bool {
        true
    }

    fn allow_extract_custom(&self) -> bool {
        true
    }

    /// Row types are spelled as structs before they are parsed.
    fn supports_struct_literal(&self) -> bool {
        true
    }

    /// Types of maps are spelled with angle brackets before they are parsed.
    fn supports_map_literal_with_angle_brackets(&self) -> bool {
        true
    }

    /// `CAST(x AS interval day to second)`.
    fn supports_interval_options(&self) -> bool {
        true
    }

    /// `INTERVAL '1'` without a unit is not Trino's.
    fn require_interval_qualifier(&self) -> bool {
        true
    }
}

/// Whether a word that may begin a clause is a name, as it does not go on as one; none for other words. The next token is the
/// one behind it.
fn is_free(keyword: Keyword, parser: &Parser<'_>) -> Option<bool> {
    let next = &parser.peek_token_ref().token;
    let is_word = |known: &[&str]| {
        matches!(next, Token::Word(word)
            if word.quote_style.is_none() && known.iter().any(|name| word.value.eq_ignore_ascii_case(name)))
    };
    let is_count = matches!(next, Token::Number(..) | Token::Placeholder(_) | Token::Minus | Token::Plus);
    Some(match keyword {
        Keyword::LIMIT => !is_count && !is_word(&["ALL"]),
        Keyword::OFFSET => !is_count,
        Keyword::FETCH => !is_word(&["FIRST", "NEXT"]),
        Keyword::WINDOW => !matches!(next, Token::Word(_)) || is_word(&["FROM", "WHERE", "GROUP", "ORDER"]),
        Keyword::TABLESAMPLE => !is_word(&["BERNOULLI", "SYSTEM"]),
        _ => return None,
    })
}

/// A text. Its token is one that the parser never takes for a name or an alias.
pub(super) fn text(parser: &mut Parser<'_>) -> Result<ValueWithSpan, ParserError> {
    match parser.next_token() {
        TokenWithSpan { token: Token::UnicodeStringLiteral(text), span } => {
            Ok(Value::SingleQuotedString(text).with_span(span))
        }
        other => parser.expected("a text", other),
    }
}
