//! Functions that a statement defines: `WITH FUNCTION f(a bigint) RETURNS bigint RETURN a + 1 SELECT …`, and the
//! statements of their bodies. The parser parses their expressions; the rest is parsed here.

use sqlparser::ast::{DataType, Expr, Ident};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan};

use super::brackets::Brackets;
use super::dialect::RowhouseDialect;
use super::effort::{Abandonment, Effort};
use super::spelling::spelled;
use super::words::{expect, is_next, is_word, take};

/// The precedence of comparisons: `Precedence::Eq` of the parser's dialects.
const COMPARISON: u8 = 20;

/// Maximum nesting depth of statements in a body.
const MAX_DEPTH: usize = 100;

/// A function that a statement defines.
#[derive(Debug)]
pub(super) struct Routine {
    pub(super) place: Location,
    pub(super) name: Ident,
    pub(super) parameters: Vec<(Ident, DataType)>,
    pub(super) returns: DataType,
    pub(super) returns_place: Location,
    /// RETURNS NULL ON NULL INPUT.
    pub(super) is_strict: bool,
    /// Whether it is DETERMINISTIC or NOT DETERMINISTIC, if declared.
    pub(super) is_deterministic: Option<bool>,
    /// The place of SECURITY, which only stored functions support.
    pub(super) security: Option<Location>,
    pub(super) body: Control,
    pub(super) body_place: Location,
}

/// A statement of a body.
#[derive(Debug)]
pub(super) enum Control {
    Return(Expr),
    Set { name: Ident, value: Expr },
    If { branches: Vec<Branch>, otherwise: Vec<Self> },
    Case { operand: Option<Expr>, branches: Vec<Branch>, otherwise: Vec<Self> },
    Compound { declarations: Vec<Declaration>, body: Vec<Self> },
    Loop { label: Option<Ident>, body: Vec<Self> },
    While { label: Option<Ident>, condition: Expr, body: Vec<Self> },
    Repeat { label: Option<Ident>, body: Vec<Self>, until: Expr },
    Iterate(Ident),
    Leave(Ident),
}

/// A condition with the statements that run if it is TRUE.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) condition: Expr,
    pub(super) body: Vec<Control>,
}

/// DECLARE.
#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) names: Vec<Ident>,
    pub(super) data_type: DataType,
    pub(super) default: Option<Expr>,
}

/// Whether a statement begins with `WITH word name`, which is not a named query.
pub(super) fn begins_with(tokens: &[TokenWithSpan], word: &str) -> bool {
    let is_named = |index: usize, name: &str| matches!(tokens.get(index).map(|token| &token.token), Some(token) if is_word(token, name));
    let next = tokens.get(2).map(|token| &token.token);
    let is_name = matches!(next, Some(Token::Word(word)) if word.keyword != Keyword::AS);
    is_named(0, "WITH") && is_named(1, word) && is_name
}

/// Parses the functions before the query, and stops at the query.
pub(super) fn routines(parser: &mut Parser<'_>) -> Result<Vec<Routine>, ParserError> {
    expect(parser, "WITH")?;
    let mut routines = Vec::new();
    loop {
        routines.push(routine(parser)?);
        if !parser.consume_token(&Token::Comma) {
            return Ok(routines);
        }
    }
}

fn place(parser: &Parser<'_>) -> Location {
    parser.peek_token_ref().span.start
}

fn routine(parser: &mut Parser<'_>) -> Result<Routine, ParserError> {
    let start = place(parser);
    expect(parser, "FUNCTION")?;
    let name = parser.parse_identifier()?;
    parser.expect_token(&Token::LParen)?;
    let mut parameters = Vec::new();
    if !parser.consume_token(&Token::RParen) {
        parameters = parser.parse_comma_separated(|parser| {
            let name = parser.parse_identifier()?;
            Ok((name, data_type(parser)?))
        })?;
        parser.expect_token(&Token::RParen)?;
    }
    expect(parser, "RETURNS")?;
    let returns_place = place(parser);
    let returns = data_type(parser)?;
    let mut routine = Routine {
        place: start,
        name,
        parameters,
        returns,
        returns_place,
        is_strict: false,
        is_deterministic: None,
        security: None,
        body: Control::Compound { declarations: Vec::new(), body: Vec::new() },
        body_place: start,
    };
    characteristics(parser, &mut routine)?;
    routine.body_place = place(parser);
    routine.body = control(parser, 0)?;
    Ok(routine)
}

/// Parses the clauses between a function's type and its body, each at most once.
fn characteristics(parser: &mut Parser<'_>, routine: &mut Routine) -> Result<(), ParserError> {
    let mut seen: Vec<&str> = Vec::new();
    loop {
        let start = place(parser);
        let kind = if take(parser, "LANGUAGE") {
            if !take(parser, "SQL") {
                return wrong("Only functions using language 'SQL' may be defined using SQL", place(parser));
            }
            "language"
        } else if take(parser, "NOT") {
            expect(parser, "DETERMINISTIC")?;
            routine.is_deterministic = Some(false);
            "deterministic"
        } else if take(parser, "DETERMINISTIC") {
            routine.is_deterministic = Some(true);
            "deterministic"
        } else if take(parser, "RETURNS") {
            ["NULL", "ON", "NULL", "INPUT"].iter().try_for_each(|word| expect(parser, word))?;
            routine.is_strict = true;
            "null-call"
        } else if take(parser, "CALLED") {
            ["ON", "NULL", "INPUT"].iter().try_for_each(|word| expect(parser, word))?;
            "null-call"
        } else if take(parser, "SECURITY") {
            if !take(parser, "DEFINER") {
                expect(parser, "INVOKER")?;
            }
            routine.security = Some(start);
            "security"
        } else if take(parser, "COMMENT") {
            super::dialect::text(parser)?;
            "comment"
        } else {
            return Ok(());
        };
        if seen.contains(&kind) {
            return wrong(&format!("Multiple {kind} clauses specified"), start);
        }
        seen.push(kind);
    }
}

/// An error with a place, in the parser's format.
fn wrong<T>(message: &str, place: Location) -> Result<T, ParserError> {
    let Location { line, column } = place;
    Err(ParserError::ParserError(format!("{message} at Line: {line}, Column: {column}")))
}

fn control(parser: &mut Parser<'_>, depth: usize) -> Result<Control, ParserError> {
    if depth > MAX_DEPTH {
        return Err(ParserError::RecursionLimitExceeded);
    }
    if take(parser, "RETURN") {
        return Ok(Control::Return(value(parser)?));
    }
    if take(parser, "SET") {
        let name = parser.parse_identifier()?;
        parser.expect_token(&Token::Eq)?;
        return Ok(Control::Set { name, value: parser.parse_expr()? });
    }
    if take(parser, "IF") {
        return conditional(parser, depth);
    }
    if take(parser, "CASE") {
        return case(parser, depth);
    }
    if take(parser, "BEGIN") {
        return compound(parser, depth);
    }
    if take(parser, "ITERATE") {
        return parser.parse_identifier().map(Control::Iterate);
    }
    if take(parser, "LEAVE") {
        return parser.parse_identifier().map(Control::Leave);
    }
    let label = if parser.peek_nth_token_ref(1).token == Token::Colon {
        let label = parser.parse_identifier()?;
        parser.advance_token();
        Some(label)
    } else {
        None
    };
    repeated(parser, label, depth)
}

fn conditional(parser: &mut Parser<'_>, depth: usize) -> Result<Control, ParserError> {
    let mut branches = Vec::new();
    loop {
        let condition = parser.parse_expr()?;
        expect(parser, "THEN")?;
        branches.push(Branch { condition, body: list(parser, depth)? });
        if !take(parser, "ELSEIF") {
            break;
        }
    }
    let otherwise = if take(parser, "ELSE") { list(parser, depth)? } else { Vec::new() };
    expect(parser, "END")?;
    expect(parser, "IF")?;
    Ok(Control::If { branches, otherwise })
}

fn case(parser: &mut Parser<'_>, depth: usize) -> Result<Control, ParserError> {
    let operand = if is_next(parser, "WHEN") { None } else { Some(parser.parse_expr()?) };
    let mut branches = Vec::new();
    expect(parser, "WHEN")?;
    loop {
        let condition = parser.parse_expr()?;
        expect(parser, "THEN")?;
        branches.push(Branch { condition, body: list(parser, depth)? });
        if !take(parser, "WHEN") {
            break;
        }
    }
    let otherwise = if take(parser, "ELSE") { list(parser, depth)? } else { Vec::new() };
    expect(parser, "END")?;
    expect(parser, "CASE")?;
    Ok(Control::Case { operand, branches, otherwise })
}

fn compound(parser: &mut Parser<'_>, depth: usize) -> Result<Control, ParserError> {
    let mut declarations = Vec::new();
    while take(parser, "DECLARE") {
        let names = parser.parse_comma_separated(Parser::parse_identifier)?;
        let data_type = data_type(parser)?;
        let default = if take(parser, "DEFAULT") { Some(value(parser)?) } else { None };
        parser.expect_token(&Token::SemiColon)?;
        declarations.push(Declaration { names, data_type, default });
    }
    let body = if is_next(parser, "END") { Vec::new() } else { list(parser, depth)? };
    expect(parser, "END")?;
    Ok(Control::Compound { declarations, body })
}

fn repeated(parser: &mut Parser<'_>, label: Option<Ident>, depth: usize) -> Result<Control, ParserError> {
    if take(parser, "LOOP") {
        let body = list(parser, depth)?;
        expect(parser, "END")?;
        expect(parser, "LOOP")?;
        return Ok(Control::Loop { label, body });
    }
    if take(parser, "WHILE") {
        let condition = parser.parse_expr()?;
        expect(parser, "DO")?;
        let body = list(parser, depth)?;
        expect(parser, "END")?;
        expect(parser, "WHILE")?;
        return Ok(Control::While { label, condition, body });
    }
    if take(parser, "REPEAT") {
        let body = list(parser, depth)?;
        expect(parser, "UNTIL")?;
        let until = parser.parse_expr()?;
        expect(parser, "END")?;
        expect(parser, "REPEAT")?;
        return Ok(Control::Repeat { label, body, until });
    }
    parser.expected_ref("a statement of a function", parser.peek_token_ref())
}

/// Parses one or more statements, each followed by a `;`.
fn list(parser: &mut Parser<'_>, depth: usize) -> Result<Vec<Control>, ParserError> {
    let mut statements = Vec::new();
    loop {
        statements.push(control(parser, depth + 1)?);
        parser.expect_token(&Token::SemiColon)?;
        if ["END", "ELSE", "ELSEIF", "WHEN", "UNTIL"].iter().any(|word| is_next(parser, word)) {
            return Ok(statements);
        }
    }
}

/// Parses Trino's `valueExpression`: comparisons are only allowed in parentheses.
fn value(parser: &mut Parser<'_>) -> Result<Expr, ParserError> {
    parser.parse_subexpr(COMPARISON)
}

/// Parses a type by parsing a CAST to it, so that Trino's spelling is rewritten to that of the parser.
fn data_type(parser: &mut Parser<'_>) -> Result<DataType, ParserError> {
    let mut tokens: Vec<TokenWithSpan> = Vec::new();
    let first = parser.next_token();
    if !matches!(first.token, Token::Word(_)) {
        return parser.expected("a type", first);
    }
    let span = first.span;
    let inserted = |token: Token| TokenWithSpan { token, span };
    tokens.extend([inserted(Token::make_keyword("CAST")), inserted(Token::LParen)]);
    tokens.extend([inserted(Token::make_keyword("NULL")), inserted(Token::make_keyword("AS")), first]);
    let mut is_suffix = true;
    while is_suffix {
        if parser.peek_token_ref().token == Token::LParen {
            bracket(parser, &mut tokens)?;
        }
        is_suffix =
            ["PRECISION", "WITH", "WITHOUT", "TIME", "ZONE", "YEAR", "MONTH", "DAY", "SECOND", "TO", "ARRAY"]
                .iter()
                .any(|word| continues_type(parser, word));
        if is_suffix {
            tokens.push(parser.next_token());
        }
    }
    tokens.push(inserted(Token::RParen));
    let tokens = spelled(tokens);
    let dialect =
        RowhouseDialect::new(Brackets::of(&tokens), Effort::new(tokens.len(), Abandonment::default()));
    let cast = Parser::new(&dialect).with_tokens_with_locations(tokens).parse_expr()?;
    match cast {
        Expr::Cast { data_type, .. } => Ok(data_type),
        _ => parser.expected_ref("a type", parser.peek_token_ref()),
    }
}

/// Whether a word continues a type: `WITH` does only before TIME, because it may also begin a query.
fn continues_type(parser: &Parser<'_>, word: &str) -> bool {
    let is_there = is_next(parser, word);
    match word {
        "WITH" | "WITHOUT" => is_there && is_word(&parser.peek_nth_token_ref(1).token, "TIME"),
        _ => is_there,
    }
}

/// Moves a pair of parentheses and its contents to `tokens`.
fn bracket(parser: &mut Parser<'_>, tokens: &mut Vec<TokenWithSpan>) -> Result<(), ParserError> {
    let mut open = 0_usize;
    loop {
        let token = parser.next_token();
        match token.token {
            Token::LParen => open += 1,
            Token::RParen => open -= 1,
            Token::EOF => return parser.expected(")", token),
            _ => {}
        }
        tokens.push(token);
        if open == 0 {
            return Ok(());
        }
    }
}
