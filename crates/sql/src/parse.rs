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
    let start = ErrorLocation { line_number: 1, column_number: 1 };
    let end = tokens.last().and_then(|token| location_of(token.span.end)).or(Some(start));
    spell_types(&mut tokens);
    spell_table_statement(&mut tokens);
    let tokens = spell_values(tokens);
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

/// `VALUES 40, 2` has rows of one column: each is put into the parentheses that the parser wants.
fn spell_values(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut spelled = Vec::with_capacity(tokens.len());
    // The item of VALUES that is being read at each depth of parentheses: where it began.
    let mut items: Vec<Option<usize>> = vec![None];
    for token in tokens {
        let is_end = matches!(token.token, Token::RParen | Token::SemiColon | Token::EOF)
            || matches!(&token.token, Token::Word(word) if ENDS_VALUES.contains(&word.keyword));
        let is_comma = token.token == Token::Comma;
        if (is_comma || is_end)
            && let Some(item) = items.last_mut()
            && let Some(start) = item.take()
        {
            put_in_parentheses(&mut spelled, start);
            *item = is_comma.then_some(spelled.len() + 1);
        }
        match token.token {
            Token::LParen | Token::LBracket => items.push(None),
            Token::RParen | Token::RBracket if items.len() > 1 => {
                items.pop();
            }
            _ => {}
        }
        let is_item_of_from = spelled.last().is_some_and(|before: &TokenWithSpan| match &before.token {
            Token::Period | Token::Comma => true,
            Token::Word(word) => matches!(word.keyword, Keyword::FROM | Keyword::JOIN),
            _ => false,
        });
        let begins = is_word(Some(&token), Keyword::VALUES) && !is_item_of_from;
        spelled.push(token);
        if begins && let Some(item) = items.last_mut() {
            *item = Some(spelled.len());
        }
    }
    if let Some(Some(start)) = items.pop() {
        put_in_parentheses(&mut spelled, start);
    }
    spelled
}

/// Puts what stands from `start` on into parentheses, unless it stands in one pair of them, or in that of a ROW.
fn put_in_parentheses(tokens: &mut Vec<TokenWithSpan>, start: usize) {
    let item = &tokens[start..];
    let (Some(first), Some(last)) = (item.first(), item.last()) else { return };
    let opening = usize::from(is_word(Some(first), Keyword::ROW));
    let mut depth = 0_usize;
    let closing = item.iter().enumerate().skip(opening).find_map(|(index, token)| {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(index)
    });
    if item.get(opening).is_some_and(|token| token.token == Token::LParen) && closing == Some(item.len() - 1)
    {
        return;
    }
    let (before, after) = (first.span, last.span);
    tokens.insert(start, TokenWithSpan { token: Token::LParen, span: before });
    tokens.push(TokenWithSpan { token: Token::RParen, span: after });
}

/// What can follow the rows of VALUES.
const ENDS_VALUES: &[Keyword] = &[
    Keyword::UNION,
    Keyword::INTERSECT,
    Keyword::EXCEPT,
    Keyword::ORDER,
    Keyword::LIMIT,
    Keyword::OFFSET,
    Keyword::FETCH,
];

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
