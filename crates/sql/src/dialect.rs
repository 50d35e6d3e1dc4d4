//! The dialect for the parser: Trino's syntax. Extensions of other dialects are disabled if the parser has a switch for
//! them; those that it always parses are refused by the analyzer.
//!
//! The parser tries alternatives in sequence and repeats them on every level, which takes time exponential in the
//! nesting depth. Here the first tokens of an expression, or the contents of its parentheses, select one alternative
//! (`expressions.rs`) without backtracking, and the first error is the statement's. Steps are also counted, so that
//! parsing is always linear in the text.

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

/// Trino's SQL for the tokens of one statement, as far as the parser is configurable.
#[derive(Debug)]
pub(super) struct RowhouseDialect {
    brackets: Brackets,
    effort: Effort,
    verdict: RefCell<Option<Verdict>>,
    matches: RefCell<Vec<MatchRecognize>>,
}

/// The reason why parsing of a statement ended early.
#[derive(Clone, Debug)]
pub(super) enum Verdict {
    /// The statement is wrong.
    Wrong(ParserError),
    /// The statement is nested too deeply, at this place.
    TooDeep(Location),
    /// The statement has used all of its steps, up to this place.
    TooLong(Location),
    /// The statement is of a kind that is not parsed; its first word.
    NotRead(String),
}

impl RowhouseDialect {
    pub(super) const fn new(brackets: Brackets, effort: Effort) -> Self {
        Self { brackets, effort, verdict: RefCell::new(None), matches: RefCell::new(Vec::new()) }
    }

    /// The reason why parsing ended early, if it did.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.verdict.borrow().clone()
    }

    /// Takes the parsed row patterns; their indexes are in the placeholder expressions.
    pub(super) fn take_matches(&self) -> Vec<MatchRecognize> {
        self.matches.take()
    }

    /// Ends parsing: the parser tries no alternatives after this error.
    fn end<T>(&self, verdict: Verdict) -> Result<T, ParserError> {
        self.verdict.borrow_mut().get_or_insert(verdict);
        Err(ParserError::RecursionLimitExceeded)
    }

    /// Makes an outcome final: an error ends parsing without further alternatives.
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
            // These tokens belong to lambda expressions and to members of objects, and are not operators.
            Token::Arrow | Token::Colon => Some(Ok(self.prec_unknown())),
            _ => None,
        }
    }

    fn supports_select_expr_star(&self) -> bool {
        true
    }

    /// Aliases of `t.*` are rewritten to EXCLUDE before parsing.
    fn supports_select_wildcard_exclude(&self) -> bool {
        true
    }

    /// Counts a step, because the parser calls this for every query, even if the query has no expression.
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

    /// Row types are rewritten to struct syntax before parsing.
    fn supports_struct_literal(&self) -> bool {
        true
    }

    /// Map types are rewritten to angle brackets before parsing.
    fn supports_map_literal_with_angle_brackets(&self) -> bool {
        true
    }

    /// `CAST(x AS interval day to second)`.
    fn supports_interval_options(&self) -> bool {
        true
    }

    /// Trino does not support `INTERVAL '1'` without a unit.
    fn require_interval_qualifier(&self) -> bool {
        true
    }
}

/// Whether a word that may begin a clause is a name, because the next token does not continue the clause; `None` for
/// other words.
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

/// A text literal. Its token kind is one that the parser never accepts as a name or an alias.
pub(super) fn text(parser: &mut Parser<'_>) -> Result<ValueWithSpan, ParserError> {
    match parser.next_token() {
        TokenWithSpan { token: Token::UnicodeStringLiteral(text), span } => {
            Ok(Value::SingleQuotedString(text).with_span(span))
        }
        other => parser.expected("a text", other),
    }
}
