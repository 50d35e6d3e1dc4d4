//! JSON_TABLE becomes a call with two lists, as the JSON forms do. Its columns become calls with the names of the
//! columns, and its plan becomes a tree of calls of OUTER, INNER, UNION and CROSS.

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, Ident};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Span, Token, Word};

use super::json_forms::{Form, format, name, named};
use super::text;
use crate::words::{expect, is_next, take};

type Result<T> = std::result::Result<T, ParserError>;

/// Parses JSON_TABLE; the next token is its `(`. The words are the ON ERROR behavior, and how a default plan joins
/// parents with their children, and siblings; omitted clauses have empty words.
pub(super) fn json_table(parser: &mut Parser<'_>, name: Ident) -> Result<Expr> {
    parser.expect_token(&Token::LParen)?;
    let mut form = Form::default();
    if let Some(name) = form.path_and_parameters(parser)? {
        form.args.push(named("NAME", Expr::Identifier(name)));
    }
    columns(parser, &mut form)?;
    let [mut children, mut siblings] = [String::new(), String::new()];
    if take(parser, "PLAN") {
        if take(parser, "DEFAULT") {
            [children, siblings] = default_plan(parser)?;
        } else {
            parser.expect_token(&Token::LParen)?;
            form.args.push(named("PLAN", plan(parser)?));
            parser.expect_token(&Token::RParen)?;
        }
    }
    let on_error = ["ERROR", "EMPTY"].into_iter().find(|word| take(parser, word));
    if on_error.is_some() {
        expect(parser, "ON")?;
        expect(parser, "ERROR")?;
    }
    parser.expect_token(&Token::RParen)?;
    form.words.extend([on_error.unwrap_or_default().to_owned(), children, siblings]);
    Ok(form.call(name))
}

/// Parses `COLUMNS (…)`.
fn columns(parser: &mut Parser<'_>, form: &mut Form) -> Result<()> {
    expect(parser, "COLUMNS")?;
    parser.expect_token(&Token::LParen)?;
    loop {
        let column = if begins_nested(parser) { nested(parser)? } else { column(parser)? };
        form.args.push(named("COLUMN", column));
        if !parser.consume_token(&Token::Comma) {
            return parser.expect_token(&Token::RParen).map(drop);
        }
    }
}

/// Whether `NESTED 'path'` or `NESTED PATH 'path'` follows; otherwise NESTED is the name of a column.
fn begins_nested(parser: &Parser<'_>) -> bool {
    let is_path = matches!(
        &parser.peek_nth_token_ref(1).token,
        Token::Word(Word { value, quote_style: None, .. }) if value.eq_ignore_ascii_case("PATH")
    );
    let is_text = |at| matches!(parser.peek_nth_token_ref(at).token, Token::UnicodeStringLiteral(_));
    is_next(parser, "NESTED") && (is_text(1) || is_path && is_text(2))
}

/// Parses a nested path. The word is `NESTED`; the call has the name of the path, or an empty name.
fn nested(parser: &mut Parser<'_>) -> Result<Expr> {
    expect(parser, "NESTED")?;
    take(parser, "PATH");
    let mut form = Form { words: vec!["NESTED".to_owned()], ..Form::default() };
    let path = text(parser)?;
    form.args.push(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(path))));
    let name = if take(parser, "AS") { name(parser)? } else { Ident::with_span(Span::empty(), "") };
    columns(parser, &mut form)?;
    Ok(form.call(name))
}

/// Parses a column. The words are the kind of the column and those of JSON_VALUE or JSON_QUERY.
fn column(parser: &mut Parser<'_>) -> Result<Expr> {
    let name = name(parser)?;
    let mut form = Form::default();
    if take(parser, "FOR") {
        expect(parser, "ORDINALITY")?;
        form.words.push("ORDINALITY".to_owned());
        return Ok(form.call(name));
    }
    form.returning_type(parser)?;
    let output = format(parser)?;
    let is_query = output.is_some();
    let kind = if is_query { "QUERY" } else { "VALUE" };
    form.words.extend([kind.to_owned(), String::new(), output.unwrap_or_else(|| "NONE".to_owned())]);
    if take(parser, "PATH") {
        let path = text(parser)?;
        form.args.push(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(path))));
    }
    if is_query {
        form.wrapper_and_quotes(parser)?;
    }
    form.behaviors(parser, is_query)?;
    Ok(form.call(name))
}

/// Parses `(OUTER, UNION)`, in either order, or one of the two: how children and siblings are joined.
fn default_plan(parser: &mut Parser<'_>) -> Result<[String; 2]> {
    const CHOICES: [[&str; 2]; 2] = [["OUTER", "INNER"], ["UNION", "CROSS"]];
    parser.expect_token(&Token::LParen)?;
    let mut plan = ["OUTER", "UNION"];
    let Some(first) = CHOICES.iter().position(|words| words.iter().any(|word| is_next(parser, word))) else {
        return parser.expected_ref("OUTER, INNER, UNION or CROSS", parser.peek_token_ref());
    };
    plan[first] = one_of(parser, CHOICES[first])?;
    if parser.consume_token(&Token::Comma) {
        plan[1 - first] = one_of(parser, CHOICES[1 - first])?;
    }
    parser.expect_token(&Token::RParen)?;
    Ok(plan.map(str::to_owned))
}

fn one_of(parser: &mut Parser<'_>, words: [&'static str; 2]) -> Result<&'static str> {
    match words.into_iter().find(|word| take(parser, word)) {
        Some(word) => Ok(word),
        None => parser.expected_ref(&words.join(" or "), parser.peek_token_ref()),
    }
}

/// Parses a name, `parent OUTER child` or `sibling UNION sibling …`: each call has the place of its first token.
fn plan(parser: &mut Parser<'_>) -> Result<Expr> {
    let span = parser.peek_token_ref().span;
    let call = |name: &str, parts: Vec<Expr>| {
        let args = parts.into_iter().map(|part| FunctionArg::Unnamed(FunctionArgExpr::Expr(part)));
        Form { args: args.collect(), ..Form::default() }.call(Ident::with_span(span, name))
    };
    let is_name = parser.peek_token_ref().token != Token::LParen;
    let first = plan_primary(parser)?;
    if is_name && let Some(join) = ["OUTER", "INNER"].into_iter().find(|word| take(parser, word)) {
        let child = plan_primary(parser)?;
        return Ok(call(join, vec![first, child]));
    }
    let Some(join) = ["UNION", "CROSS"].into_iter().find(|word| is_next(parser, word)) else {
        if is_name {
            return Ok(first);
        }
        return parser.expected_ref("CROSS or UNION", parser.peek_token_ref());
    };
    let mut siblings = vec![first];
    while take(parser, join) {
        siblings.push(plan_primary(parser)?);
    }
    Ok(call(join, siblings))
}

fn plan_primary(parser: &mut Parser<'_>) -> Result<Expr> {
    if !parser.consume_token(&Token::LParen) {
        return name(parser).map(Expr::Identifier);
    }
    let plan = plan(parser)?;
    parser.expect_token(&Token::RParen)?;
    Ok(plan)
}
