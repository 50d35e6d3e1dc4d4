//! The beginnings of expressions, Trino's `primaryExpression`: each is selected by its first tokens, or by the contents
//! of its parentheses, and parsed once.

use sqlparser::ast::{
    CastKind, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList,
    FunctionArguments, Ident, Interval, LambdaFunction, LambdaFunctionParameter, LambdaSyntax, ObjectName,
    OneOrManyWithParens, TypedString, UnaryOperator, Value,
};
use sqlparser::dialect::{Dialect as _, Precedence};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Word};

use super::json_forms::{JSON_FORMS, json_form};
use super::json_table::json_table;
use super::row_patterns::match_recognize;
use super::{RowhouseDialect, text};
use crate::brackets::Content;
use crate::keywords::{is_reserved, is_reserved_word};
use crate::lexer::plain_number;
use crate::spelling::{EXPRESSION_FOLLOWS, MATCHED_ROWS_FOLLOW};

/// Reserved words that may begin an expression. Sorted.
const BEGINS_EXPRESSION: &[&str] = &[
    "CASE",
    "CAST",
    "CURRENT_CATALOG",
    "CURRENT_DATE",
    "CURRENT_PATH",
    "CURRENT_SCHEMA",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "CURRENT_USER",
    "EXISTS",
    "EXTRACT",
    "FALSE",
    "GROUPING",
    "LISTAGG",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "NORMALIZE",
    "NOT",
    "NULL",
    "TRIM",
    "TRUE",
];

/// Parses the expression at the next token, up to the first operator.
pub(super) fn prefix(dialect: &RowhouseDialect, parser: &mut Parser<'_>) -> Result<Expr, ParserError> {
    let TokenWithSpan { token, span } = parser.peek_token_ref();
    let span = *span;
    match token {
        Token::Word(word) => {
            let word = word.clone();
            if is_processing_mode(parser, &word) {
                parser.advance_token();
                let name = parser.parse_object_name(false)?;
                let value = Box::new(parser.parse_function(name)?);
                return Ok(Expr::Prefixed { prefix: identifier(&word, span), value });
            }
            begun_by_word(dialect, parser, &word, span)
        }
        Token::UnicodeStringLiteral(_) => text(parser).map(Expr::Value),
        Token::Number(spelling, is_long) => {
            let value = Value::Number(plain_number(spelling).into_owned(), *is_long);
            parser.advance_token();
            Ok(Expr::Value(value.with_span(span)))
        }
        Token::HexStringLiteral(_) | Token::Placeholder(_) => parser.parse_value().map(Expr::Value),
        Token::Minus | Token::Plus => {
            let op = if *token == Token::Minus { UnaryOperator::Minus } else { UnaryOperator::Plus };
            parser.advance_token();
            let operand = parser.parse_subexpr(dialect.prec_value(Precedence::MulDivModOp))?;
            Ok(Expr::UnaryOp { op, expr: Box::new(operand) })
        }
        // An array without the keyword ARRAY, as in Trino.
        Token::LBracket => {
            parser.advance_token();
            parser.parse_array_expr(true)
        }
        Token::LParen => parenthesized(dialect, parser),
        marker if *marker == EXPRESSION_FOLLOWS => {
            parser.advance_token();
            parenthesized(dialect, parser)
        }
        marker if *marker == MATCHED_ROWS_FOLLOW => match_recognize(dialect, parser),
        _ => parser.expected_ref("an expression", parser.peek_token_ref()),
    }
}

/// `FINAL LAST(x)`, `RUNNING sum(x)`.
fn is_processing_mode(parser: &Parser<'_>, word: &Word) -> bool {
    word.quote_style.is_none()
        && ["FINAL", "RUNNING"].iter().any(|mode| word.value.eq_ignore_ascii_case(mode))
        && is_name(&parser.peek_nth_token_ref(1).token)
        && matches!(parser.peek_nth_token_ref(2).token, Token::LParen | Token::Period)
}

/// Whether the token can be a function's name: `final IN (1, 2)` and `GROUP BY final QUALIFY (…)` name a column.
fn is_name(token: &Token) -> bool {
    matches!(token, Token::Word(word) if word.keyword != Keyword::QUALIFY) && !is_reserved_word(token)
}

fn begun_by_word(
    dialect: &RowhouseDialect,
    parser: &mut Parser<'_>,
    word: &Word,
    span: Span,
) -> Result<Expr, ParserError> {
    let upper = word.value.to_ascii_uppercase();
    if word.quote_style.is_none() && JSON_FORMS.binary_search(&upper.as_str()).is_ok() {
        parser.advance_token();
        return json_form(parser, identifier(word, span));
    }
    if word.keyword == Keyword::JSON_TABLE && is_put_in(parser.get_current_token(), span) {
        parser.advance_token();
        return json_table(parser, identifier(word, span));
    }
    let is_name = word.quote_style.is_some() || !is_reserved(&upper);
    if word.keyword == Keyword::TABLE
        && parser.peek_nth_token_ref(1).token == Token::LParen
        && !is_put_in(parser.peek_nth_token_ref(1), span)
    {
        parser.advance_token();
        return table_argument(dialect, parser, identifier(word, span));
    }
    if !is_name && BEGINS_EXPRESSION.binary_search(&upper.as_str()).is_err() {
        return parser.expected_ref("an expression", parser.peek_token_ref());
    }
    // The index of the pair after the word.
    let opening = parser.get_current_index() + 2;
    match &parser.peek_nth_token_ref(1).token {
        Token::UnicodeStringLiteral(_) if is_name => return typed_text(parser, word, span),
        Token::Plus | Token::Minus
            if word.keyword == Keyword::INTERVAL
                && matches!(parser.peek_nth_token_ref(2).token, Token::UnicodeStringLiteral(_)) =>
        {
            return interval(parser);
        }
        Token::Word(next) if word.keyword == Keyword::DOUBLE && next.keyword == Keyword::PRECISION => {
            if let Token::UnicodeStringLiteral(_) = parser.peek_nth_token_ref(2).token {
                parser.advance_token();
                parser.advance_token();
                return typed(parser, DataType::DoublePrecision);
            }
        }
        Token::Arrow if is_name => {
            parser.advance_token();
            parser.advance_token();
            let name = identifier(word, span);
            return lambda(
                parser,
                OneOrManyWithParens::One(LambdaFunctionParameter { name, data_type: None }),
            );
        }
        Token::LBracket if word.keyword == Keyword::ARRAY => {
            parser.advance_token();
            parser.advance_token();
            return parser.parse_array_expr(true);
        }
        Token::LParen => match word.keyword {
            Keyword::TRY_CAST => {
                parser.advance_token();
                return parser.parse_cast_expr(CastKind::TryCast);
            }
            Keyword::POSITION if dialect.brackets.has_in(opening) => return position(dialect, parser),
            Keyword::SUBSTRING if dialect.brackets.has_from(opening) => return parser.parse_substring(),
            Keyword::TRIM if dialect.brackets.has_from(opening) => {
                parser.advance_token();
                return trim(parser);
            }
            Keyword::CASE
            | Keyword::CAST
            | Keyword::EXISTS
            | Keyword::EXTRACT
            | Keyword::NOT
            | Keyword::TRUE
            | Keyword::FALSE
            | Keyword::NULL => {}
            _ => {
                parser.advance_token();
                return parser.parse_function(ObjectName::from(vec![identifier(word, span)]));
            }
        },
        _ => {}
    }
    if matches!(word.keyword, Keyword::TRUE | Keyword::FALSE | Keyword::NULL) {
        return parser.parse_value().map(Expr::Value);
    }
    parser.advance_token();
    match word.keyword {
        Keyword::CASE => parser.parse_case_expr(),
        Keyword::CAST => parser.parse_cast_expr(CastKind::Cast),
        Keyword::EXISTS => parser.parse_exists_expr(false),
        Keyword::EXTRACT => parser.parse_extract_expr(),
        Keyword::NOT => parser.parse_not(),
        _ if matches!(upper.as_str(), "TRIM" | "GROUPING" | "LISTAGG" | "NORMALIZE") && !is_name => {
            parser.expected_ref("(", parser.peek_token_ref())
        }
        Keyword::CURRENT_DATE
        | Keyword::CURRENT_TIME
        | Keyword::CURRENT_TIMESTAMP
        | Keyword::LOCALTIME
        | Keyword::LOCALTIMESTAMP => {
            parser.parse_time_functions(ObjectName::from(vec![identifier(word, span)]))
        }
        _ => Ok(Expr::Identifier(identifier(word, span))),
    }
}

/// Parses `TABLE(q)` and `TABLE(SELECT …) AS t(a, b)`, an argument of a table function, as a call with a reserved name.
/// Its arguments are the table's name or the query, followed by the columns' names.
fn table_argument(
    dialect: &RowhouseDialect,
    parser: &mut Parser<'_>,
    name: Ident,
) -> Result<Expr, ParserError> {
    let content = dialect.brackets.content(parser.get_current_index() + 1);
    parser.expect_token(&Token::LParen)?;
    let relation = if content == Content::Query {
        Expr::Subquery(parser.parse_query()?)
    } else {
        let parts = parser.parse_object_name(false)?.0;
        Expr::CompoundIdentifier(parts.iter().filter_map(|part| part.as_ident().cloned()).collect())
    };
    parser.expect_token(&Token::RParen)?;
    let columns = parser.maybe_parse_table_alias()?.map(|alias| alias.columns).unwrap_or_default();
    let columns = columns.into_iter().map(|column| Expr::Identifier(column.name));
    let args = std::iter::once(relation).chain(columns);
    let args = args.map(|arg| FunctionArg::Unnamed(FunctionArgExpr::Expr(arg))).collect();
    Ok(Expr::Function(Function {
        name: ObjectName::from(vec![name]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args,
            clauses: Vec::new(),
        }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    }))
}

/// `(…)`: the parameters and body of a lambda expression, a query, a row, or an expression.
fn parenthesized(dialect: &RowhouseDialect, parser: &mut Parser<'_>) -> Result<Expr, ParserError> {
    let content = dialect.brackets.content(parser.get_current_index() + 1);
    parser.expect_token(&Token::LParen)?;
    let expr = match content {
        Content::Parameters => {
            let mut parameters = Vec::new();
            if parser.peek_token_ref().token != Token::RParen {
                parameters = parser.parse_comma_separated(|parser| {
                    let name = parser.parse_identifier()?;
                    Ok(LambdaFunctionParameter { name, data_type: None })
                })?;
            }
            parser.expect_token(&Token::RParen)?;
            parser.expect_token(&Token::Arrow)?;
            return lambda(parser, OneOrManyWithParens::Many(parameters));
        }
        Content::Query => Expr::Subquery(parser.parse_query()?),
        Content::Other => {
            let mut parts = parser.parse_comma_separated(Parser::parse_expr)?;
            match (parts.pop(), parts.is_empty()) {
                (Some(only), true) => Expr::Nested(Box::new(only)),
                (last, _) => {
                    parts.extend(last);
                    Expr::Tuple(parts)
                }
            }
        }
    };
    parser.expect_token(&Token::RParen)?;
    Ok(expr)
}

fn lambda(
    parser: &mut Parser<'_>,
    params: OneOrManyWithParens<LambdaFunctionParameter>,
) -> Result<Expr, ParserError> {
    let body = Box::new(parser.parse_expr()?);
    Ok(Expr::Lambda(LambdaFunction { params, body, syntax: LambdaSyntax::Arrow }))
}

/// Parses `TRIM(BOTH FROM text)` and the other forms of TRIM with FROM, from the bracket on.
fn trim(parser: &mut Parser<'_>) -> Result<Expr, ParserError> {
    let is_from = |token: &TokenWithSpan| matches!(&token.token, Token::Word(word) if word.quote_style.is_none() && word.keyword == Keyword::FROM);
    let has_side = matches!(
        &parser.peek_nth_token_ref(1).token,
        Token::Word(word) if matches!(word.keyword, Keyword::BOTH | Keyword::LEADING | Keyword::TRAILING)
    );
    if !has_side || !is_from(parser.peek_nth_token_ref(2)) {
        return parser.parse_trim_expr();
    }
    parser.expect_token(&Token::LParen)?;
    let trim_where = Some(parser.parse_trim_where()?);
    parser.expect_keyword_is(Keyword::FROM)?;
    let text = parser.parse_expr()?;
    parser.expect_token(&Token::RParen)?;
    Ok(Expr::Trim { expr: Box::new(text), trim_where, trim_what: None, trim_characters: None })
}

/// Parses `POSITION(text IN text)`.
fn position(dialect: &RowhouseDialect, parser: &mut Parser<'_>) -> Result<Expr, ParserError> {
    parser.advance_token();
    parser.expect_token(&Token::LParen)?;
    let needle = parser.parse_subexpr(dialect.prec_value(Precedence::Between))?;
    parser.expect_keyword_is(Keyword::IN)?;
    let text = parser.parse_expr()?;
    parser.expect_token(&Token::RParen)?;
    Ok(Expr::Position { expr: Box::new(needle), r#in: Box::new(text) })
}

/// Parses `DATE '…'`, `INTERVAL '1' DAY`: a word and a text.
fn typed_text(parser: &mut Parser<'_>, word: &Word, span: Span) -> Result<Expr, ParserError> {
    if word.keyword == Keyword::INTERVAL && is_unit(&parser.peek_nth_token_ref(2).token) {
        return interval(parser);
    }
    if word.value.eq_ignore_ascii_case("x") && word.quote_style.is_none() {
        let message = "Spaces are not allowed between 'X' and the starting quote of a binary literal";
        return Err(ParserError::ParserError(format!("{message}{}", span.start)));
    }
    let data_type = match word.keyword {
        // The parser would try to parse parameters of these types.
        Keyword::NoKeyword | Keyword::INTERVAL | Keyword::ARRAY | Keyword::ROW | Keyword::MAP => {
            parser.advance_token();
            DataType::Custom(ObjectName::from(vec![identifier(word, span)]), Vec::new())
        }
        _ => parser.parse_data_type()?,
    };
    typed(parser, data_type)
}

fn typed(parser: &mut Parser<'_>, data_type: DataType) -> Result<Expr, ParserError> {
    let value = text(parser)?;
    Ok(Expr::TypedString(TypedString { data_type, value, uses_odbc_syntax: false }))
}

/// Parses `INTERVAL [+|-] '…' unit [TO unit]`.
fn interval(parser: &mut Parser<'_>) -> Result<Expr, ParserError> {
    parser.advance_token();
    let op = match parser.peek_token_ref().token {
        Token::Minus => Some(UnaryOperator::Minus),
        Token::Plus => Some(UnaryOperator::Plus),
        _ => None,
    };
    if op.is_some() {
        parser.advance_token();
    }
    let value = Expr::Value(text(parser)?);
    let value = match op {
        Some(op) => Expr::UnaryOp { op, expr: Box::new(value) },
        None => value,
    };
    if !is_unit(&parser.peek_token_ref().token) {
        return parser.expected_ref("a unit of the interval", parser.peek_token_ref());
    }
    let leading_field = Some(parser.parse_date_time_field()?);
    let last_field = if is_unit(&parser.peek_nth_token_ref(1).token) && parser.parse_keyword(Keyword::TO) {
        Some(parser.parse_date_time_field()?)
    } else {
        None
    };
    Ok(Expr::Interval(Interval {
        value: Box::new(value),
        leading_field,
        leading_precision: None,
        last_field,
        fractional_seconds_precision: None,
    }))
}

/// Whether a bracket was inserted before the token at a place; a bracket in the text has an earlier place.
fn is_put_in(bracket: &TokenWithSpan, place: Span) -> bool {
    bracket.token == Token::LParen && bracket.span.start == place.start
}

fn is_unit(token: &Token) -> bool {
    matches!(
        token,
        Token::Word(Word {
            keyword: Keyword::YEAR
                | Keyword::YEARS
                | Keyword::QUARTER
                | Keyword::MONTH
                | Keyword::MONTHS
                | Keyword::WEEK
                | Keyword::WEEKS
                | Keyword::DAY
                | Keyword::DAYS
                | Keyword::HOUR
                | Keyword::HOURS
                | Keyword::MINUTE
                | Keyword::MINUTES
                | Keyword::SECOND
                | Keyword::SECONDS,
            ..
        })
    )
}

fn identifier(word: &Word, span: Span) -> Ident {
    Ident { value: word.value.clone(), quote_style: word.quote_style, span }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(BEGINS_EXPRESSION.is_sorted());
    }
}
