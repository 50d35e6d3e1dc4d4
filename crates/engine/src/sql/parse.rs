//! Text to one parsed statement. EXPLAIN is taken off here: the parser would lose the place of an error in the
//! statement that it explains.

use rowhouse_model::{ErrorLocation, QueryError};
use sqlparser::ast::Statement;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::dialect::RowhouseDialect;
use super::error::{Result, location_of, not_supported, syntax_error};

/// Nesting of parentheses, CASEs and queries that is read.
const MAX_NESTING: usize = 200;

/// One statement.
#[derive(Debug)]
pub(super) struct Parsed {
    /// Whether its plan is wanted instead of its rows.
    pub(super) is_explained: bool,
    /// The statement.
    pub(super) statement: Statement,
}

/// Parses the tokens of [`tokenize`](super::tokens::tokenize).
pub(super) fn parse(mut tokens: Vec<TokenWithSpan>) -> Result<Parsed> {
    let is_explained = is_word(tokens.first(), Keyword::EXPLAIN);
    if is_explained {
        tokens.remove(0);
        if let Some(next) = tokens.first() {
            let place = location_of(next.span.start);
            if is_word(Some(next), Keyword::ANALYZE) {
                return Err(not_supported(place, "EXPLAIN ANALYZE"));
            }
            if is_word(Some(next), Keyword::VERBOSE) {
                return Err(not_supported(place, "EXPLAIN VERBOSE"));
            }
            let second = tokens.get(1).map(|token| &token.token);
            let is_query = matches!(
                second,
                Some(Token::LParen)
                    | Some(Token::Word(Word {
                        keyword: Keyword::SELECT | Keyword::WITH | Keyword::VALUES,
                        ..
                    }))
            );
            if next.token == Token::LParen && !is_query {
                return Err(not_supported(place, "an option of EXPLAIN"));
            }
        }
    }
    let end = tokens.last().and_then(|token| location_of(token.span.end));
    spell_types(&mut tokens);
    spell_table_statement(&mut tokens);
    let mut parser =
        Parser::new(&RowhouseDialect).with_recursion_limit(MAX_NESTING).with_tokens_with_locations(tokens);
    let statement = parser.parse_statement().map_err(|failure| parse_error(failure, end))?;
    let next = parser.peek_token();
    match next.token {
        Token::EOF => Ok(Parsed { is_explained, statement }),
        Token::SemiColon => Err(syntax_error(
            location_of(next.span.start),
            "one statement is expected; another one begins here",
        )),
        other => {
            let message = format!("the end of the statement was expected, found: {other}");
            Err(syntax_error(location_of(next.span.start), message))
        }
    }
}

fn is_word(token: Option<&TokenWithSpan>, keyword: Keyword) -> bool {
    token.is_some_and(|token| matches!(&token.token, Token::Word(word) if word.keyword == keyword))
}

/// `ARRAY(T)` and, in a cast or another type, `ROW(x T)` are Trino's spelling of types; the parser reads
/// `ARRAY<T>` and `STRUCT<x T>`. As an expression `ARRAY(` is not SQL that Trino has.
fn spell_types(tokens: &mut [TokenWithSpan]) {
    let mut is_type_stack = Vec::new();
    for index in 0..tokens.len() {
        match tokens[index].token {
            Token::LParen => {
                let before = |distance: usize| index.checked_sub(distance).and_then(|at| tokens.get(at));
                let is_array = is_word(before(1), Keyword::ARRAY);
                let is_row = is_word(before(1), Keyword::ROW)
                    && (is_word(before(2), Keyword::AS) || is_type_stack.last() == Some(&true));
                is_type_stack.push(is_array || is_row);
                if is_row {
                    tokens[index - 1].token = Token::make_keyword("STRUCT");
                }
                if is_array || is_row {
                    tokens[index].token = Token::Lt;
                }
            }
            Token::RParen if is_type_stack.pop() == Some(true) => tokens[index].token = Token::Gt,
            _ => {}
        }
    }
}

/// `TABLE t` is `SELECT * FROM t`.
fn spell_table_statement(tokens: &mut Vec<TokenWithSpan>) {
    if is_word(tokens.first(), Keyword::TABLE) {
        let span = tokens[0].span;
        let spelled = [Token::make_keyword("SELECT"), Token::Mul, Token::make_keyword("FROM")];
        tokens.splice(..1, spelled.map(|token| TokenWithSpan { token, span }));
    }
}

/// The parser's error; it carries its place as text.
fn parse_error(failure: ParserError, end: Option<ErrorLocation>) -> QueryError {
    let message = match failure {
        ParserError::RecursionLimitExceeded => {
            return not_supported(end, format!("nesting of more than {MAX_NESTING} levels"));
        }
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => message,
    };
    let (message, place) = match message.rsplit_once(" at Line: ") {
        Some((head, place)) => (head, parse_place(place)),
        None => (message.as_str(), None),
    };
    let mut message = message.to_owned();
    if let Some(first) = message.get(..1) {
        let lower = first.to_lowercase();
        message.replace_range(..1, &lower);
    }
    syntax_error(place.or(end), message)
}

/// `3, Column: 7`
fn parse_place(text: &str) -> Option<ErrorLocation> {
    let (line, column) = text.split_once(", Column: ")?;
    let line_number = line.parse().ok().filter(|line| *line > 0)?;
    Some(ErrorLocation { line_number, column_number: column.parse().ok()? })
}
