//! JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT and JSON_ARRAY with their clauses. They become calls with two
//! lists, unlike any other call: the arguments, and the keywords of the clauses.

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgOperator, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, Ident, JsonReturningClause, ObjectName, Value,
};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Span, Token};

use super::text;
use crate::keywords::is_reserved_word;
use crate::words::{expect, is_next, take};

/// The names of the forms. Sorted.
pub(super) const JSON_FORMS: &[&str] =
    &["JSON_ARRAY", "JSON_EXISTS", "JSON_OBJECT", "JSON_QUERY", "JSON_VALUE"];

type Result<T> = std::result::Result<T, ParserError>;

/// The parts of a form.
#[derive(Default)]
pub(super) struct Form {
    pub(super) args: Vec<FunctionArg>,
    pub(super) returning: Vec<FunctionArgumentClause>,
    pub(super) words: Vec<String>,
}

/// Parses the form with this name; the next token is its `(`.
pub(super) fn json_form(parser: &mut Parser<'_>, name: Ident) -> Result<Expr> {
    parser.expect_token(&Token::LParen)?;
    let mut form = Form::default();
    match name.value.to_ascii_uppercase().as_str() {
        "JSON_OBJECT" => form.object(parser)?,
        "JSON_ARRAY" => form.array(parser)?,
        "JSON_EXISTS" => {
            form.path(parser)?;
            let on_error =
                behavior(parser, &["TRUE", "FALSE", "UNKNOWN", "ERROR"], None, "ERROR", &mut form)?;
            form.words.push(on_error.unwrap_or_else(|| "FALSE".to_owned()));
        }
        query_or_value => {
            form.path(parser)?;
            let is_query = query_or_value == "JSON_QUERY";
            let output = if form.returning(parser)? && is_query { format(parser)? } else { None };
            form.words.push(output.unwrap_or_else(|| "NONE".to_owned()));
            if is_query {
                form.wrapper_and_quotes(parser)?;
            }
            form.behaviors(parser, is_query)?;
        }
    }
    parser.expect_token(&Token::RParen)?;
    Ok(form.call(name))
}

impl Form {
    /// The form as a call with two lists.
    pub(super) fn call(self, name: Ident) -> Expr {
        let words =
            self.words.into_iter().map(|word| FunctionArg::Unnamed(FunctionArgExpr::Expr(constant(word))));
        let list = |args, clauses| {
            FunctionArguments::List(FunctionArgumentList { duplicate_treatment: None, args, clauses })
        };
        Expr::Function(Function {
            name: ObjectName::from(vec![name]),
            uses_odbc_syntax: false,
            parameters: list(words.collect(), Vec::new()),
            args: list(self.args, self.returning),
            within_group: Vec::new(),
            filter: None,
            null_treatment: None,
            over: None,
        })
    }

    /// Parses `… ON EMPTY … ON ERROR` of JSON_QUERY or JSON_VALUE to two words, which are empty for omitted clauses.
    pub(super) fn behaviors(&mut self, parser: &mut Parser<'_>, is_query: bool) -> Result<()> {
        let known: &[&str] =
            if is_query { &["NULL", "ERROR", "EMPTY"] } else { &["NULL", "ERROR", "DEFAULT"] };
        let first = behavior(parser, known, Some("EMPTY"), "ERROR", self)?;
        let (on_empty, on_error) = match first {
            Some(word) if self.words.last().is_some_and(|last| last == "ON EMPTY") => {
                self.words.pop();
                (Some(word), behavior(parser, known, None, "ERROR", self)?)
            }
            on_error => (None, on_error),
        };
        self.words.extend([on_empty, on_error].map(Option::unwrap_or_default));
        Ok(())
    }

    /// Parses `input [FORMAT JSON], 'path' [AS name] [PASSING …]`; the word is the place of the name.
    fn path(&mut self, parser: &mut Parser<'_>) -> Result<()> {
        let name = self.path_and_parameters(parser)?;
        let place = name.map(|name| format!("{} {}", name.span.start.line, name.span.start.column));
        self.words.push(place.unwrap_or_default());
        Ok(())
    }

    /// Parses `input [FORMAT JSON], 'path' [AS name] [PASSING …]`; returns the name.
    pub(super) fn path_and_parameters(&mut self, parser: &mut Parser<'_>) -> Result<Option<Ident>> {
        self.value(parser)?;
        parser.expect_token(&Token::Comma)?;
        let path = text(parser)?;
        self.args.push(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(path))));
        let named = if take(parser, "AS") { Some(parser.parse_identifier()?) } else { None };
        if !take(parser, "PASSING") {
            return Ok(named);
        }
        loop {
            let value = parser.parse_expr()?;
            let format = format(parser)?.unwrap_or_else(|| "NONE".to_owned());
            expect(parser, "AS")?;
            let name = parser.parse_identifier()?;
            self.args.push(FunctionArg::ExprNamed {
                name: Expr::CompoundIdentifier(vec![name, Ident::new(format)]),
                arg: FunctionArgExpr::Expr(value),
                operator: FunctionArgOperator::Value,
            });
            if !parser.consume_token(&Token::Comma) {
                return Ok(named);
            }
        }
    }

    /// Parses an expression to an argument that is named by its format.
    fn value(&mut self, parser: &mut Parser<'_>) -> Result<()> {
        let value = parser.parse_expr()?;
        let format = format(parser)?.unwrap_or_else(|| "NONE".to_owned());
        self.args.push(named(&format, value));
        Ok(())
    }

    pub(super) fn returning_type(&mut self, parser: &mut Parser<'_>) -> Result<()> {
        let data_type = parser.parse_data_type()?;
        self.returning.push(FunctionArgumentClause::JsonReturningClause(JsonReturningClause { data_type }));
        Ok(())
    }

    fn returning(&mut self, parser: &mut Parser<'_>) -> Result<bool> {
        if !take(parser, "RETURNING") {
            return Ok(false);
        }
        self.returning_type(parser)?;
        Ok(true)
    }

    pub(super) fn wrapper_and_quotes(&mut self, parser: &mut Parser<'_>) -> Result<()> {
        let mut wrapper = "WITHOUT";
        if take(parser, "WITHOUT") {
            take(parser, "ARRAY");
            expect(parser, "WRAPPER")?;
        } else if take(parser, "WITH") {
            wrapper = "UNCONDITIONAL";
            if take(parser, "CONDITIONAL") {
                wrapper = "CONDITIONAL";
            } else {
                take(parser, "UNCONDITIONAL");
            }
            take(parser, "ARRAY");
            expect(parser, "WRAPPER")?;
        }
        self.words.push(wrapper.to_owned());
        let quotes = ["KEEP", "OMIT"].into_iter().find(|word| take(parser, word)).unwrap_or("UNSAID");
        if quotes != "UNSAID" {
            expect(parser, "QUOTES")?;
            if take(parser, "ON") {
                expect(parser, "SCALAR")?;
                expect(parser, "STRING")?;
            }
        }
        self.words.push(quotes.to_owned());
        Ok(())
    }

    fn object(&mut self, parser: &mut Parser<'_>) -> Result<()> {
        let (mut nulls, mut keys) = ("NULL", "ANY");
        if parser.peek_token_ref().token != Token::RParen && !is_next(parser, "RETURNING") {
            loop {
                if is_next(parser, "KEY") && begins_key(&parser.peek_nth_token_ref(1).token) {
                    parser.advance_token();
                    self.key(parser)?;
                    expect(parser, "VALUE")?;
                } else {
                    self.key(parser)?;
                    if !parser.consume_token(&Token::Colon) {
                        expect(parser, "VALUE")?;
                    }
                }
                self.value(parser)?;
                if !parser.consume_token(&Token::Comma) {
                    break;
                }
            }
            nulls = self::nulls(parser)?.unwrap_or("NULL");
            let is_unique = take(parser, "WITH");
            if is_unique || take(parser, "WITHOUT") {
                expect(parser, "UNIQUE")?;
                take(parser, "KEYS");
                keys = if is_unique { "UNIQUE" } else { "ANY" };
            }
        }
        self.constructed(parser, nulls, keys)
    }

    fn key(&mut self, parser: &mut Parser<'_>) -> Result<()> {
        let key = parser.parse_expr()?;
        self.args.push(FunctionArg::Unnamed(FunctionArgExpr::Expr(key)));
        Ok(())
    }

    fn array(&mut self, parser: &mut Parser<'_>) -> Result<()> {
        let mut nulls = "ABSENT";
        if parser.peek_token_ref().token != Token::RParen && !is_next(parser, "RETURNING") {
            loop {
                self.value(parser)?;
                if !parser.consume_token(&Token::Comma) {
                    break;
                }
            }
            nulls = self::nulls(parser)?.unwrap_or("ABSENT");
        }
        self.constructed(parser, nulls, "ANY")
    }

    fn constructed(&mut self, parser: &mut Parser<'_>, nulls: &str, keys: &str) -> Result<()> {
        let output = if self.returning(parser)? { format(parser)? } else { None };
        self.words.extend([nulls.to_owned(), keys.to_owned()]);
        self.words.push(output.unwrap_or_else(|| "NONE".to_owned()));
        Ok(())
    }
}

/// Whether the token after KEY begins a key.
fn begins_key(token: &Token) -> bool {
    match token {
        Token::Word(word) => !word.value.eq_ignore_ascii_case("VALUE"),
        Token::UnicodeStringLiteral(_) | Token::Number(..) | Token::LParen => true,
        _ => false,
    }
}

/// Parses `NULL ON NULL`, `ABSENT ON NULL`.
fn nulls(parser: &mut Parser<'_>) -> Result<Option<&'static str>> {
    let Some(word) = ["NULL", "ABSENT"].into_iter().find(|word| take(parser, word)) else { return Ok(None) };
    expect(parser, "ON")?;
    expect(parser, "NULL")?;
    Ok(Some(word))
}

/// Parses `FORMAT JSON [ENCODING UTF8]`.
pub(super) fn format(parser: &mut Parser<'_>) -> Result<Option<String>> {
    if !take(parser, "FORMAT") {
        return Ok(None);
    }
    expect(parser, "JSON")?;
    if !take(parser, "ENCODING") {
        return Ok(Some("JSON".to_owned()));
    }
    for encoding in ["UTF8", "UTF16", "UTF32"] {
        if take(parser, encoding) {
            return Ok(Some(encoding.to_owned()));
        }
    }
    parser.expected_ref("UTF16, UTF32 or UTF8", parser.peek_token_ref())
}

/// Parses `NULL ON ERROR` and the like; the value of a DEFAULT becomes an argument. If it is `ON EMPTY`, the form's
/// last word is `ON EMPTY`.
fn behavior(
    parser: &mut Parser<'_>,
    known: &[&str],
    first: Option<&str>,
    second: &str,
    form: &mut Form,
) -> Result<Option<String>> {
    let Some(word) = known.iter().find(|word| take(parser, word)) else { return Ok(None) };
    let mut behavior = (*word).to_owned();
    let mut default = None;
    match *word {
        "DEFAULT" => default = Some(parser.parse_expr()?),
        "EMPTY" => {
            behavior = if take(parser, "ARRAY") { "EMPTY_ARRAY" } else { "EMPTY_OBJECT" }.to_owned();
            if behavior == "EMPTY_OBJECT" {
                expect(parser, "OBJECT")?;
            }
        }
        _ => {}
    }
    expect(parser, "ON")?;
    let is_first = first.is_some_and(|first| take(parser, first));
    if !is_first {
        expect(parser, second)?;
    }
    if let Some(default) = default {
        form.args.push(named(if is_first { "ON EMPTY" } else { "ON ERROR" }, default));
    }
    if is_first {
        form.words.push("ON EMPTY".to_owned());
    }
    Ok(Some(behavior))
}

pub(super) fn named(name: &str, value: Expr) -> FunctionArg {
    FunctionArg::Named {
        name: Ident::new(name),
        arg: FunctionArgExpr::Expr(value),
        operator: FunctionArgOperator::Value,
    }
}

fn constant(text: String) -> Expr {
    Expr::Value(Value::SingleQuotedString(text).with_span(Span::empty()))
}

/// Parses a name that is not a reserved word.
pub(super) fn name(parser: &mut Parser<'_>) -> Result<Ident> {
    if is_reserved_word(&parser.peek_token_ref().token) {
        return parser.expected_ref("a name", parser.peek_token_ref());
    }
    parser.parse_identifier()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(JSON_FORMS.is_sorted());
    }
}
