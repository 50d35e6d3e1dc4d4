//! Parses a text to one statement.

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::Statement;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::brackets::Brackets;
use super::dialect::{RowhouseDialect, Verdict};
use super::effort::{Abandonment, Effort};
use super::error::{Result, error, location_of, not_supported, shown, syntax_error, type_mismatch};
use super::explain::{Explain, take_explain};
use super::lexer::{MAX_NESTING, byte_at, explain, first_token, nested_too_deep};
use super::match_recognize::MatchRecognize;
use super::routine::{Routine, begins_with, routines};
use super::show::{Show, show};
use super::spelling::{follows_set_operator, is_word, spelled};
use super::with_session::{StatementProperty, check_names, take_properties};

/// A parsed statement.
#[derive(Debug)]
pub(super) struct Parsed {
    /// The kind of EXPLAIN, if there is one.
    pub(super) explain: Option<Explain>,
    /// Session properties that the statement sets for itself.
    pub(super) properties: Vec<StatementProperty>,
    /// Functions that the statement defines.
    pub(super) routines: Vec<Routine>,
    /// The MATCH_RECOGNIZE clauses; the tree refers to them by index.
    pub(super) matches: Vec<MatchRecognize>,
    /// The statement without these parts.
    pub(super) body: Body,
}

/// The kind of a statement.
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
#[derive(Debug)]
pub(super) enum Body {
    /// A query, or another statement that the parser supports.
    Statement(Statement),
    /// A SHOW or DESCRIBE statement.
    Show(Show),
}

/// Parses the tokens of a text, as returned by [`tokenize`](super::tokens::tokenize).
pub(super) fn parse(text: &str, mut tokens: Vec<TokenWithSpan>, abandonment: Abandonment) -> Result<Parsed> {
    let explain = take_explain(&mut tokens)?;
    let start = ErrorLocation { line_number: 1, column_number: 1 };
    let end = tokens.last().and_then(|token| location_of(token.span.end)).or(Some(start));
    let has_session = begins_with(&tokens, "SESSION");
    let properties = if has_session { take_properties(&mut tokens)? } else { Vec::new() };
    let has_routines = begins_with(&tokens, "FUNCTION");
    // BY after a set operator is another dialect's syntax, and CORRESPONDING is rewritten to it below, so the text must
    // not contain it.
    let by_name = (0..tokens.len())
        .find(|at| is_word(tokens.get(*at), Keyword::BY) && follows_set_operator(&tokens, *at));
    if let Some(at) = by_name {
        return Err(syntax_error(location_of(tokens[at].span.start), "expected: a query, found: BY"));
    }
    let tokens = spelled(tokens);
    let effort = Effort::new(tokens.len(), abandonment);
    let dialect = RowhouseDialect::new(Brackets::of(&tokens), effort);
    let mut parser =
        Parser::new(&dialect).with_recursion_limit(MAX_NESTING).with_tokens_with_locations(tokens);
    let routines = if has_routines { routines(&mut parser) } else { Ok(Vec::new()) };
    let body = routines.and_then(|routines| {
        let body = match show(&mut parser) {
            Some(shown) if !has_routines && !has_session => shown.map(Body::Show),
            _ => parser.parse_statement().map(Body::Statement),
        };
        body.map(|body| (routines, body))
    });
    let body = body.and_then(|body| match parser.peek_token_ref().token {
        Token::EOF | Token::SemiColon => Ok(body),
        _ => parser.expected_ref("the end of the statement", parser.peek_token_ref()),
    });
    let (routines, body) = body.map_err(|failure| match dialect.verdict() {
        None => parse_error(text, failure, end),
        Some(Verdict::Wrong(failure)) => parse_error(text, failure, end),
        Some(Verdict::TooDeep(place)) => nested_too_deep(place),
        Some(Verdict::TooLong(place)) => {
            let what = "a statement whose parentheses can be read in so many ways";
            not_supported(location_of(place).or(end), what)
        }
        Some(Verdict::NotRead(verb)) => {
            let message = format!("{verb} is not supported: statements here only read");
            error(ErrorCode::NotSupported, Some(start), message)
        }
    })?;
    let next = parser.peek_token_ref();
    if next.token == Token::SemiColon {
        let message = "one statement is expected; another one begins here";
        return Err(syntax_error(location_of(next.span.start), message));
    }
    check_names(&properties)?;
    let matches = dialect.take_matches();
    Ok(Parsed { explain, properties, routines, matches, body })
}

/// Converts an error of the parser, whose text contains the place and the parser's spelling of the token.
fn parse_error(text: &str, failure: ParserError, end: Option<ErrorLocation>) -> QueryError {
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
    // An invalid type parameter: `varchar(0x2)`, `decimal(1e3)`.
    let found = place.and_then(|place| byte_at(text, place));
    if message.starts_with("Could not parse '") {
        let parameter = shown(found.map_or("", |found| first_token(&text[found..])));
        return type_mismatch(place.or(end), format!("Invalid type parameter: {parameter}"));
    }
    if found.is_some_and(|found| begins_pattern_of_window(message, &text[found..])) {
        return not_supported(place.or(end), "a row pattern in a window");
    }
    if let Some((place, next)) = found.zip(place).and_then(|(found, place)| without_by(&text[found..], place))
    {
        return syntax_error(Some(place), format!("expected: BY, found: {}", shown(next)));
    }
    let message = match (found, message.split_once(", found: ")) {
        (Some(found), Some((expected, _))) => match explain(text, found) {
            Some(explained) => explained,
            None => format!("{expected}, found: {}", shown(first_token(&text[found..]))),
        },
        _ => message.to_owned(),
    };
    syntax_error(place.or(end), with_small_letter(message))
}

/// Whether the unexpected token begins a row pattern in a window specification.
fn begins_pattern_of_window(message: &str, rest: &str) -> bool {
    let word = first_token(rest);
    let next = first_token(rest[word.len()..].trim_start());
    let are = |first: &str, second: &str| {
        word.eq_ignore_ascii_case(first) && (second.is_empty() || next.eq_ignore_ascii_case(second))
    };
    if message.starts_with("Expected: ROWS, RANGE, GROUPS,") {
        return are("MEASURES", "");
    }
    message.starts_with("Expected: ),")
        && (are("PATTERN", "(")
            || are("AFTER", "MATCH")
            || are("INITIAL", "PATTERN")
            || are("SEEK", "PATTERN"))
}

/// The token after GROUP, ORDER or PARTITION, and its place, if it is on the same line and is not BY.
fn without_by(rest: &str, place: ErrorLocation) -> Option<(ErrorLocation, &str)> {
    let word = first_token(rest);
    let takes_by = ["group", "order", "partition"].iter().any(|known| word.eq_ignore_ascii_case(known));
    let behind = rest[word.len()..].trim_start_matches(' ');
    let next = first_token(behind);
    let is_named = takes_by && !behind.is_empty() && !behind.starts_with(['\n', '\r', '-', '/']);
    let distance = rest.len() - behind.len();
    let moved = u32::try_from(rest[..distance].chars().count()).ok()?;
    let place = ErrorLocation { column_number: place.column_number.checked_add(moved)?, ..place };
    (is_named && !next.eq_ignore_ascii_case("by")).then_some((place, next))
}

fn with_small_letter(mut message: String) -> String {
    if let Some(expected) = message.strip_prefix("Expected: ") {
        message = format!("expected: {expected}");
    }
    message
}

/// Parses `3, Column: 7`.
fn parse_place(text: &str) -> Option<ErrorLocation> {
    let (line, column) = text.split_once(", Column: ")?;
    let line_number = line.parse().ok().filter(|line| *line > 0)?;
    Some(ErrorLocation { line_number, column_number: column.parse().ok()? })
}
