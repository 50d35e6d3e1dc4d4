//! MATCH_RECOGNIZE: its clauses, and the grammar of row patterns.

use sqlparser::ast::{Expr, Ident};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Word};

use super::RowhouseDialect;
use super::json_forms::name;
use crate::brackets::Content;
use crate::keywords::is_reserved_word;
use crate::lexer::{EXCLUSION_BEGINS, EXCLUSION_ENDS, MAX_NESTING, plain_number};
use crate::match_recognize::{MatchRecognize, Pattern, Quantifier, Skip, placeholder};
use crate::plan::RowsPerMatch;
use crate::spelling::MATCH_RECOGNIZE;
use crate::tokens::RELUCTANT;
use crate::words::{expect, is_next, take};

type Result<T> = std::result::Result<T, ParserError>;

/// Parses the table and its MATCH_RECOGNIZE clause, from the mark before the table on.
pub(super) fn match_recognize(dialect: &RowhouseDialect, parser: &mut Parser<'_>) -> Result<Expr> {
    parser.advance_token();
    let place = parser.peek_token_ref().span.start;
    let table = parser.parse_table_factor()?;
    if parser.peek_token_ref().token != MATCH_RECOGNIZE {
        return parser.expected_ref("MATCH_RECOGNIZE", parser.peek_token_ref());
    }
    parser.advance_token();
    parser.expect_token(&Token::LParen)?;
    let known = dialect.matches.borrow().len();
    let partition_by = if take(parser, "PARTITION") {
        expect(parser, "BY")?;
        parser.parse_comma_separated(Parser::parse_expr)?
    } else {
        Vec::new()
    };
    let order_by = if take(parser, "ORDER") {
        expect(parser, "BY")?;
        parser.parse_comma_separated(Parser::parse_order_by_expr)?
    } else {
        Vec::new()
    };
    let measures = if take(parser, "MEASURES") {
        parser.parse_comma_separated(|parser| {
            let value = parser.parse_expr()?;
            expect(parser, "AS")?;
            Ok((value, name(parser)?))
        })?
    } else {
        Vec::new()
    };
    let rows_per_match = rows_per_match(parser)?;
    let skip_to = skip_to(parser)?;
    let search_mode = search_mode(parser);
    expect(parser, "PATTERN")?;
    parser.expect_token(&Token::LParen)?;
    let pattern = Patterns { dialect, depth: 0 }.alternation(parser)?;
    parser.expect_token(&Token::RParen)?;
    let subsets = if take(parser, "SUBSET") { parser.parse_comma_separated(subset)? } else { Vec::new() };
    expect(parser, "DEFINE")?;
    let definitions = parser.parse_comma_separated(|parser| {
        let name = name(parser)?;
        expect(parser, "AS")?;
        Ok((name, parser.parse_expr()?))
    })?;
    parser.expect_token(&Token::RParen)?;
    let mut matches = dialect.matches.borrow_mut();
    let nested = matches[known..].iter().map(|inner| inner.place).min();
    matches.push(MatchRecognize {
        table,
        place,
        partition_by,
        order_by,
        measures,
        rows_per_match,
        skip_to,
        search_mode,
        pattern,
        subsets,
        definitions,
        nested,
    });
    Ok(placeholder(matches.len() - 1, place))
}

fn rows_per_match(parser: &mut Parser<'_>) -> Result<RowsPerMatch> {
    if take(parser, "ONE") {
        for word in ["ROW", "PER", "MATCH"] {
            expect(parser, word)?;
        }
        return Ok(RowsPerMatch::One);
    }
    if !take(parser, "ALL") {
        return Ok(RowsPerMatch::One);
    }
    for word in ["ROWS", "PER", "MATCH"] {
        expect(parser, word)?;
    }
    let (found, words) = if take(parser, "SHOW") {
        (RowsPerMatch::ShowEmpty, ["EMPTY", "MATCHES"])
    } else if take(parser, "OMIT") {
        (RowsPerMatch::OmitEmpty, ["EMPTY", "MATCHES"])
    } else if take(parser, "WITH") {
        (RowsPerMatch::WithUnmatched, ["UNMATCHED", "ROWS"])
    } else {
        return Ok(RowsPerMatch::ShowEmpty);
    };
    for word in words {
        expect(parser, word)?;
    }
    Ok(found)
}

fn skip_to(parser: &mut Parser<'_>) -> Result<Skip> {
    if !take(parser, "AFTER") {
        return Ok(Skip::PastLastRow);
    }
    expect(parser, "MATCH")?;
    expect(parser, "SKIP")?;
    if take(parser, "PAST") {
        expect(parser, "LAST")?;
        expect(parser, "ROW")?;
        return Ok(Skip::PastLastRow);
    }
    expect(parser, "TO")?;
    // FIRST, LAST and NEXT may also be names of variables.
    let next = match &parser.peek_nth_token_ref(1).token {
        Token::Word(word) if word.quote_style.is_none() => word.value.to_ascii_uppercase(),
        Token::Word(_) => String::new(),
        _ => return Ok(Skip::ToLast(name(parser)?)),
    };
    if is_next(parser, "NEXT") && next == "ROW" {
        parser.advance_token();
        parser.advance_token();
        return Ok(Skip::ToNextRow);
    }
    let is_behind = matches!(next.as_str(), "INITIAL" | "SEEK" | "PATTERN");
    if !is_behind && take(parser, "FIRST") {
        return Ok(Skip::ToFirst(name(parser)?));
    }
    if !is_behind {
        take(parser, "LAST");
    }
    Ok(Skip::ToLast(name(parser)?))
}

fn search_mode(parser: &mut Parser<'_>) -> Option<(Location, &'static str)> {
    let place = parser.peek_token_ref().span.start;
    ["INITIAL", "SEEK"].into_iter().find(|word| take(parser, word)).map(|word| (place, word))
}

/// Parses `u = (a, b)`.
fn subset(parser: &mut Parser<'_>) -> Result<(Ident, Vec<Ident>)> {
    let union = name(parser)?;
    parser.expect_token(&Token::Eq)?;
    parser.expect_token(&Token::LParen)?;
    let members = parser.parse_comma_separated(name)?;
    parser.expect_token(&Token::RParen)?;
    Ok((union, members))
}

struct Patterns<'d> {
    dialect: &'d RowhouseDialect,
    /// The nesting depth of exclusions, which the lexer does not count.
    depth: usize,
}

impl Patterns<'_> {
    /// Parses `a | b`.
    fn alternation(&mut self, parser: &mut Parser<'_>) -> Result<Pattern> {
        let mut parts = vec![self.concatenation(parser)?];
        while parser.consume_token(&Token::Char('|')) {
            parts.push(self.concatenation(parser)?);
        }
        Ok(single_or(parts, Pattern::Alternation))
    }

    /// Parses `a b`.
    fn concatenation(&mut self, parser: &mut Parser<'_>) -> Result<Pattern> {
        let mut parts = vec![self.quantified(parser)?];
        while begins(&parser.peek_token_ref().token) {
            parts.push(self.quantified(parser)?);
        }
        Ok(single_or(parts, Pattern::Concatenation))
    }

    fn quantified(&mut self, parser: &mut Parser<'_>) -> Result<Pattern> {
        self.dialect.step(parser)?;
        let pattern = self.primary(parser)?;
        Ok(match quantifier(parser)? {
            Some(quantifier) => Pattern::Quantified(Box::new(pattern), quantifier),
            None => pattern,
        })
    }

    fn primary(&mut self, parser: &mut Parser<'_>) -> Result<Pattern> {
        let TokenWithSpan { token, span } = parser.peek_token_ref();
        let place = span.start;
        match token {
            Token::Char('^') => {
                parser.advance_token();
                Ok(Pattern::Start)
            }
            Token::Char('$') => {
                parser.advance_token();
                Ok(Pattern::End)
            }
            Token::LParen => {
                parser.advance_token();
                if parser.consume_token(&Token::RParen) {
                    return Ok(Pattern::Empty);
                }
                let pattern = self.alternation(parser)?;
                parser.expect_token(&Token::RParen)?;
                Ok(pattern)
            }
            token if *token == EXCLUSION_BEGINS => {
                self.depth += 1;
                if self.depth > MAX_NESTING {
                    return Err(ParserError::RecursionLimitExceeded);
                }
                parser.advance_token();
                let pattern = self.alternation(parser)?;
                if !parser.consume_token(&EXCLUSION_ENDS) {
                    return parser.expected_ref("-}", parser.peek_token_ref());
                }
                self.depth -= 1;
                Ok(Pattern::Excluded(place, Box::new(pattern)))
            }
            Token::Word(word) if is_permutation(self.dialect, parser, word) => {
                parser.advance_token();
                parser.expect_token(&Token::LParen)?;
                let mut parts = vec![self.alternation(parser)?];
                while parser.consume_token(&Token::Comma) {
                    parts.push(self.alternation(parser)?);
                }
                parser.expect_token(&Token::RParen)?;
                Ok(Pattern::Permutation(parts))
            }
            token if begins(token) => Ok(Pattern::Variable(parser.parse_identifier()?)),
            _ => parser.expected_ref("a row pattern", parser.peek_token_ref()),
        }
    }
}

/// Whether PERMUTE with several elements follows; with one element, PERMUTE is the name of a variable before a group.
fn is_permutation(dialect: &RowhouseDialect, parser: &Parser<'_>, word: &Word) -> bool {
    let opening = parser.get_current_index() + 2;
    word.quote_style.is_none()
        && word.value.eq_ignore_ascii_case("PERMUTE")
        && parser.peek_nth_token_ref(1).token == Token::LParen
        && dialect.brackets.content(opening) == Content::Other
        && dialect.brackets.has_comma(opening)
}

fn single_or(mut parts: Vec<Pattern>, all: impl FnOnce(Vec<Pattern>) -> Pattern) -> Pattern {
    match (parts.pop(), parts.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            parts.extend(last);
            all(parts)
        }
    }
}

/// Whether a token can begin a pattern.
fn begins(token: &Token) -> bool {
    match token {
        Token::Word(_) => !is_reserved_word(token),
        Token::LParen | Token::Char('^' | '$') => true,
        other => *other == EXCLUSION_BEGINS,
    }
}

fn quantifier(parser: &mut Parser<'_>) -> Result<Option<Quantifier>> {
    let place = parser.peek_token_ref().span.start;
    let (at_least, at_most, braces) = match &parser.peek_token_ref().token {
        Token::Mul => (Some(0), None, None),
        Token::Plus => (Some(1), None, None),
        token if *token == RELUCTANT => (Some(0), Some(1), None),
        Token::Char('{') => {
            parser.advance_token();
            let at_least = number(parser)?;
            let at_most = if parser.consume_token(&Token::Comma) {
                number(parser)?
            } else if at_least.is_some() {
                at_least
            } else {
                return parser.expected_ref("a number", parser.peek_token_ref());
            };
            if parser.peek_token_ref().token != Token::Char('}') {
                return parser.expected_ref("}", parser.peek_token_ref());
            }
            (at_least, at_most, Some(place))
        }
        _ => return Ok(None),
    };
    parser.advance_token();
    let is_greedy = !parser.consume_token(&RELUCTANT);
    Ok(Some(Quantifier { at_least, at_most, braces, is_greedy }))
}

/// Parses an integer, if the next token is one.
fn number(parser: &mut Parser<'_>) -> Result<Option<i64>> {
    let TokenWithSpan { token: Token::Number(spelling, _), span } = parser.peek_token_ref() else {
        return Ok(None);
    };
    let plain = plain_number(spelling);
    if !plain.bytes().all(|byte| byte.is_ascii_digit()) {
        return parser.expected_ref("a whole number", parser.peek_token_ref());
    }
    let Ok(number) = plain.parse() else {
        let message = format!("Invalid numeric literal: {spelling}{}", span.start);
        return Err(ParserError::ParserError(message));
    };
    parser.advance_token();
    Ok(Some(number))
}
