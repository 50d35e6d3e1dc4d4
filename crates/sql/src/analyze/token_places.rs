//! Locations of errors in operators, casts and literals. Trino reports them at the operator, at CAST, and at the word
//! before the text. The parser does not store these locations; they are searched for among the tokens, and only if
//! there is an error.

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::place::place_of;
use crate::error::location_of;
use crate::keywords::is_reserved;

/// The kind of a token before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Operator(&'static str),
    Unary(&'static str),
    Cast,
    /// IN.
    In,
    /// UNION, INTERSECT or EXCEPT.
    SetOperator,
    /// The first word of ORDER BY, OFFSET, LIMIT or FETCH.
    Clause,
    /// ROWS, RANGE or GROUPS.
    Frame,
    /// OVER.
    Over,
    /// What follows `OVER (`.
    Window,
}

/// The places of a statement's operators and keywords, and the starts of its typed literals, both in the order of the
/// text.
#[derive(Debug, Default)]
pub(super) struct TokenPlaces {
    signs: Vec<((u32, u32), Sign)>,
    /// The place of a text, and the start of the typed literal that it belongs to.
    typed_texts: Vec<((u32, u32), ErrorLocation)>,
}

impl TokenPlaces {
    pub(super) fn of(tokens: &[TokenWithSpan]) -> Self {
        let mut places = Self::default();
        for (at, token) in tokens.iter().enumerate() {
            let Some(location) = location_of(token.span.start) else { continue };
            let sign = match &token.token {
                Token::Word(word) if word.quote_style.is_none() => {
                    let is = |names: &[&str]| names.iter().any(|name| word.value.eq_ignore_ascii_case(name));
                    if is(&["CAST", "TRY_CAST"]) {
                        Some(Sign::Cast)
                    } else if is(&["UNION", "INTERSECT", "EXCEPT"]) {
                        Some(Sign::SetOperator)
                    } else if is(&["ORDER", "OFFSET", "LIMIT", "FETCH"]) {
                        Some(Sign::Clause)
                    } else if is(&["ROWS", "RANGE", "GROUPS"]) {
                        Some(Sign::Frame)
                    } else if is(&["OVER"]) {
                        Some(Sign::Over)
                    } else {
                        is(&["IN"]).then_some(Sign::In)
                    }
                }
                other => {
                    let is_between =
                        at.checked_sub(1).is_some_and(|before| ends_operand(&tokens[before].token));
                    operator(other).map(if is_between { Sign::Operator } else { Sign::Unary })
                }
            };
            places.signs.extend(sign.map(|sign| (key(location), sign)));
            if is_first_of_window(tokens, at) {
                places.signs.push((key(location), Sign::Window));
            }
            if let Some(first) = first_of_literal(tokens, at) {
                let start = location_of(tokens[first].span.start);
                places.typed_texts.extend(start.map(|start| (key(location), start)));
            }
        }
        places
    }

    /// Moves the error of an expression to the place that Trino reports.
    pub(super) fn placed(&self, error: QueryError, expr: &Expr) -> QueryError {
        let Some(place) = error.error_location else { return error };
        let found = match expr {
            Expr::BinaryOp { left, op, right }
                if is_of_an_operator(&error, op, left) && place_of(left) == Some(place) =>
            {
                symbol(op)
                    .zip(place_of(right))
                    .and_then(|(symbol, right)| self.nth_before(Sign::Operator(symbol), right, 1))
            }
            Expr::Cast { expr: operand, .. } if is_of_a_cast(&error) && place_of(operand) == Some(place) => {
                self.nth_before(Sign::Cast, place, 1 + casts_before_first_token(operand))
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, expr: operand }
                if error.message.contains("Cannot apply operator: -") && place_of(operand) == Some(place) =>
            {
                self.nth_before(Sign::Unary("-"), place, 1)
            }
            Expr::UnaryOp { op: UnaryOperator::Plus, expr: operand }
                if error.message.contains("Cannot apply operator: +") && place_of(operand) == Some(place) =>
            {
                self.nth_before(Sign::Unary("+"), place, 1)
            }
            _ => self.start_of(place),
        };
        let Some(found) = found else { return error };
        // An unknown type in a cast is reported as a type mismatch.
        if matches!(expr, Expr::Cast { .. }) && error.code() == Some(ErrorCode::TypeNotFound) {
            return crate::error::type_mismatch(Some(found), without_place(&error.message));
        }
        error.moved(|_| found)
    }

    /// The place of the set operator before the query at a place.
    pub(super) fn set_operator_before(&self, query: Option<ErrorLocation>) -> Option<ErrorLocation> {
        self.nth_before(Sign::SetOperator, query?, 1)
    }

    /// The place of the ORDER BY, OFFSET, LIMIT or FETCH before the expression at a place.
    pub(super) fn clause_before(&self, expr: Option<ErrorLocation>) -> Option<ErrorLocation> {
        self.nth_before(Sign::Clause, expr?, 1)
    }

    /// The place of the first OVER after a place.
    pub(super) fn over_after(&self, place: Option<ErrorLocation>) -> Option<ErrorLocation> {
        self.first_after(Sign::Over, place?)
    }

    /// The place of the IN before the query at a place.
    pub(super) fn in_before(&self, query: Option<ErrorLocation>) -> Option<ErrorLocation> {
        self.nth_before(Sign::In, query?, 1)
    }

    /// The place of the window frame after the place of what is before it.
    pub(super) fn frame_after(&self, before: Option<ErrorLocation>) -> Option<ErrorLocation> {
        self.first_after(Sign::Frame, before?)
    }

    /// The place of the window of a call, if it is in parentheses.
    pub(super) fn window_after(&self, call: Option<ErrorLocation>) -> Option<ErrorLocation> {
        self.first_after(Sign::Window, call?)
    }

    fn first_after(&self, sign: Sign, place: ErrorLocation) -> Option<ErrorLocation> {
        let first = self.signs.partition_point(|(at, _)| *at <= key(place));
        let found = self.signs[first..].iter().find(|(_, found)| *found == sign);
        let ((line_number, column_number), _) = *found?;
        Some(ErrorLocation { line_number, column_number })
    }

    /// The place of the comparison operator before ANY, ALL or SOME and the query at a place.
    pub(super) fn comparison_before(
        &self,
        operator: &BinaryOperator,
        query: Option<ErrorLocation>,
    ) -> Option<ErrorLocation> {
        self.nth_before(Sign::Operator(symbol(operator)?), query?, 1)
    }

    /// The place that Trino reports for an expression: for comparisons and the like that of the operator.
    pub(super) fn place_of(&self, expr: &Expr) -> Option<ErrorLocation> {
        self.of_operator(expr).or_else(|| place_of(expr))
    }

    /// The place of an expression's operator, which Trino reports for the expression.
    pub(super) fn of_operator(&self, expr: &Expr) -> Option<ErrorLocation> {
        let Expr::BinaryOp { op, right, .. } = expr else { return None };
        let (symbol, right) = symbol(op).zip(place_of(right))?;
        self.nth_before(Sign::Operator(symbol), right, 1)
    }

    /// The start of the literal whose text is at a place.
    fn start_of(&self, text: ErrorLocation) -> Option<ErrorLocation> {
        let at = self.typed_texts.binary_search_by_key(&key(text), |(place, _)| *place).ok()?;
        Some(self.typed_texts[at].1)
    }

    /// The place of the `count`-th sign of this kind before a place, counted backwards.
    fn nth_before(&self, sign: Sign, place: ErrorLocation, count: usize) -> Option<ErrorLocation> {
        let end = self.signs.partition_point(|(at, _)| *at < key(place));
        let mut before = self.signs[..end].iter().rev().filter(|(_, found)| *found == sign);
        let ((line_number, column_number), _) = *before.nth(count - 1)?;
        Some(ErrorLocation { line_number, column_number })
    }
}

fn is_first_of_window(tokens: &[TokenWithSpan], at: usize) -> bool {
    let before = at.checked_sub(2).map(|over| (&tokens[over].token, &tokens[over + 1].token));
    matches!(before, Some((Token::Word(over), Token::LParen)) if over.value.eq_ignore_ascii_case("OVER"))
}

const fn key(place: ErrorLocation) -> (u32, u32) {
    (place.line_number, place.column_number)
}

fn is_of_a_cast(error: &QueryError) -> bool {
    match error.code() {
        Some(ErrorCode::TypeNotFound) => true,
        Some(ErrorCode::TypeMismatch) => error.message.contains("Cannot cast "),
        _ => false,
    }
}

/// Whether the error is that no operator takes the operands; `||` is a function, and has a function's errors.
fn is_of_an_operator(error: &QueryError, operator: &BinaryOperator, left: &Expr) -> bool {
    let has = |part: &str| error.message.contains(part);
    let is_of_concat = *operator == BinaryOperator::StringConcat
        && !matches!(left, Expr::Function(call) if call.name.to_string().eq_ignore_ascii_case("concat"))
        && (has(" for function concat. ") || has("best candidate operator") || has("Unknown type: char("));
    is_of_concat || has("Cannot apply operator: ")
}

fn without_place(message: &str) -> &str {
    message.strip_prefix("line ").and_then(|rest| rest.split_once(": ")).map_or(message, |(_, rest)| rest)
}

/// The number of casts before the first token that has a place.
fn casts_before_first_token(expr: &Expr) -> usize {
    let (mut expr, mut casts) = (expr, 0);
    loop {
        expr = match expr {
            Expr::Cast { expr: inner, .. } => {
                casts += 1;
                inner
            }
            Expr::BinaryOp { left: inner, .. }
            | Expr::Nested(inner)
            | Expr::UnaryOp { expr: inner, .. }
            | Expr::AtTimeZone { timestamp: inner, .. }
            | Expr::CompoundFieldAccess { root: inner, .. } => inner,
            Expr::Tuple(parts) if !parts.is_empty() => &parts[0],
            Expr::Array(array) if !array.elem.is_empty() => &array.elem[0],
            _ => return casts,
        };
    }
}

/// The first token of the literal whose text is the token at an index; `None` for a plain text.
fn first_of_literal(tokens: &[TokenWithSpan], at: usize) -> Option<usize> {
    let Token::UnicodeStringLiteral(_) = tokens[at].token else { return None };
    let mut first = at.checked_sub(1)?;
    if matches!(tokens[first].token, Token::Minus | Token::Plus) {
        first = first.checked_sub(1)?;
        return is_word(&tokens[first].token, "INTERVAL").then_some(first);
    }
    let Token::Word(word) = &tokens[first].token else { return None };
    if word.value.eq_ignore_ascii_case("PRECISION") || word.value.eq_ignore_ascii_case("ZONE") {
        let words: &[&str] = if word.value.len() == 4 { &["TIME", "WITH"] } else { &[] };
        for expected in words {
            first = first.checked_sub(1).filter(|before| is_word(&tokens[*before].token, expected))?;
        }
        return first.checked_sub(1);
    }
    (word.quote_style.is_some() || !is_reserved(&word.value.to_ascii_uppercase())).then_some(first)
}

fn is_word(token: &Token, expected: &str) -> bool {
    matches!(token, Token::Word(word) if word.value.eq_ignore_ascii_case(expected))
}

const fn operator(token: &Token) -> Option<&'static str> {
    Some(match token {
        Token::Plus => "+",
        Token::Minus => "-",
        Token::Mul => "*",
        Token::Div => "/",
        Token::Mod => "%",
        Token::Eq => "=",
        Token::Neq => "<>",
        Token::Lt => "<",
        Token::LtEq => "<=",
        Token::Gt => ">",
        Token::GtEq => ">=",
        Token::StringConcat => "||",
        _ => return None,
    })
}

const fn symbol(operator: &BinaryOperator) -> Option<&'static str> {
    Some(match operator {
        BinaryOperator::Plus => "+",
        BinaryOperator::Minus => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Modulo => "%",
        BinaryOperator::Eq => "=",
        BinaryOperator::NotEq => "<>",
        BinaryOperator::Lt => "<",
        BinaryOperator::LtEq => "<=",
        BinaryOperator::Gt => ">",
        BinaryOperator::GtEq => ">=",
        BinaryOperator::StringConcat => "||",
        _ => return None,
    })
}

/// Whether an operand may end with this token, so that a following sign is a binary operator.
fn ends_operand(token: &Token) -> bool {
    match token {
        Token::RParen
        | Token::RBracket
        | Token::Number(..)
        | Token::UnicodeStringLiteral(_)
        | Token::HexStringLiteral(_)
        | Token::Placeholder(_) => true,
        Token::Word(word) => {
            let upper = word.value.to_ascii_uppercase();
            let is_value = ["END", "NULL", "TRUE", "FALSE"].contains(&upper.as_str());
            word.quote_style.is_some()
                || is_value
                || upper.starts_with("CURRENT_")
                || upper != "INTERVAL" && !is_reserved(&upper)
        }
        _ => false,
    }
}
