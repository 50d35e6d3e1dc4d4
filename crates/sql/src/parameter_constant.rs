//! Parameters before they have values, for declarations of parameters: lists the names in a text, checks whether a
//! value has a type, and compares values.

use std::cmp::Ordering;
use std::collections::HashSet;

use rowhouse_model::{ErrorLocation, ParameterValue};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::error::{Result, location_of};
use super::expr::{Expr, ExprKind, Value};
use super::lexer::{byte_at, lex};
use super::parameters::{named_type, read};
use super::routine::begins_with;
use super::tokens::tokenize;
use super::types::Type;
use super::with_session::properties;

/// A `:name` of a statement, at its first occurrence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedParameter {
    /// The name without its colon.
    pub name: String,
    /// The place in the text, if it is known.
    pub location: Option<ErrorLocation>,
}

/// The declared type of a parameter, parsed once for all of its values.
#[derive(Clone, Debug)]
pub struct ParameterType(Type);

impl ParameterType {
    /// Parses a type.
    ///
    /// # Errors
    /// The reason why there is no such type, or why no parameter can have it.
    pub fn parse(name: &str) -> Result<Self, String> {
        named_type(name).map(Self).map_err(|(_, fault)| fault)
    }

    /// Converts a value to the type.
    ///
    /// # Errors
    /// The reason why the value is not one of the type.
    pub fn constant(&self, value: &ParameterValue) -> Result<ParameterConstant, String> {
        read(value, &self.0).map(ParameterConstant).map_err(|(_, fault)| fault)
    }
}

/// A parameter's value as a constant of the statement (D41).
#[derive(Clone, Debug)]
pub struct ParameterConstant(Expr);

impl ParameterConstant {
    /// Whether it is NULL.
    pub fn is_null(&self) -> bool {
        self.0.as_literal() == Some(&Value::Null)
    }

    /// The elements of an array; otherwise the value itself.
    pub fn elements(&self) -> Vec<Self> {
        match &self.0.kind {
            ExprKind::Call { args, .. } => args.iter().cloned().map(Self).collect(),
            _ => vec![self.clone()],
        }
    }

    /// Compares with a value of the same type, as SQL does; `None` for NULLs and for types without an order.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self.0.as_literal()?, other.0.as_literal()?) {
            (Value::Boolean(left), Value::Boolean(right)) => Some(left.cmp(right)),
            (Value::Integer(left), Value::Integer(right))
            | (Value::Time(left), Value::Time(right))
            | (Value::Timestamp(left), Value::Timestamp(right)) => Some(left.cmp(right)),
            (Value::Decimal(left), Value::Decimal(right)) => Some(left.cmp(right)),
            (Value::Double(left), Value::Double(right)) => left.partial_cmp(right),
            (Value::Varchar(left), Value::Varchar(right)) => Some(left.cmp(right)),
            (Value::Varbinary(left), Value::Varbinary(right)) => Some(left.cmp(right)),
            (Value::Date(left), Value::Date(right)) => Some(left.cmp(right)),
            _ => None,
        }
    }
}

/// The distinct parameters of a text, in order.
///
/// # Errors
/// `SYNTAX_ERROR` for a text that contains invalid tokens.
pub fn named_parameters(text: &str) -> Result<Vec<NamedParameter>> {
    let mut known = HashSet::new();
    let mut named = Vec::new();
    for TokenWithSpan { token, span } in tokenize(text)? {
        let Token::Placeholder(text) = token else { continue };
        let Some(name) = text.strip_prefix(':') else { continue };
        if known.insert(name.to_owned()) {
            named.push(NamedParameter { name: name.to_owned(), location: location_of(span.start) });
        }
    }
    Ok(named)
}

/// The statement that returns the rows of a query, ordered by the column at a position, from 1.
///
/// # Errors
/// As for [`named_parameters`].
pub fn ordered_by(query: &str, position: usize, is_descending: bool) -> Result<String> {
    let tokens = lex(query)?;
    // A trailing `;` ends the statement, and is not part of the query.
    let length = tokens.iter().rposition(|token| token.token != Token::SemiColon).map_or(0, |last| last + 1);
    let end = tokens.get(length).and_then(|token| byte_at(query, location_of(token.span.start)?));
    let query = &query[..end.unwrap_or(query.len())];
    // Session properties must precede the whole statement.
    let first = if begins_with(&tokens, "SESSION") { properties(&tokens)?.1 } else { 0 };
    let start = tokens.get(first).and_then(|token| byte_at(query, location_of(token.span.start)?));
    let (head, query) = query.split_at(if first == 0 { 0 } else { start.unwrap_or(query.len()) });
    let direction = if is_descending { " DESC" } else { "" };
    // The line break ends a comment at the end of the text.
    Ok(format!("{head}SELECT * FROM ({query}\n) ORDER BY {position}{direction}"))
}

#[cfg(test)]
mod tests {
    use rowhouse_model::StatementParameter;

    use super::*;

    fn constant_of(data_type: &str, value: &str) -> Result<ParameterConstant, String> {
        let parameter: StatementParameter =
            serde_json::from_str(&format!("{{\"type\": \"{data_type}\", \"value\": {value}}}"))
                .expect("a parameter");
        ParameterType::parse(data_type)?.constant(&parameter.value)
    }

    #[test]
    fn values_are_parsed_and_compared_by_type() {
        let check = |data_type: &str, left: &str, right: &str, expected: Option<Ordering>| {
            let (left, right) = (constant_of(data_type, left), constant_of(data_type, right));
            assert_eq!(left.expect("a value").compare(&right.expect("a value")), expected, "{data_type}");
        };
        check("integer", "9", "10", Some(Ordering::Less));
        check("varchar", "\"9\"", "\"10\"", Some(Ordering::Greater));
        check("date", "\"2026-01-01\"", "\"2025-12-31\"", Some(Ordering::Greater));
        check("decimal(5,2)", "\"1.5\"", "1.50", Some(Ordering::Equal));
        check("double", "1", "1.5", Some(Ordering::Less));
        check(
            "timestamp(3) with time zone",
            "\"2026-01-01 01:00 +01:00\"",
            "\"2026-01-01 00:00 UTC\"",
            Some(Ordering::Equal),
        );
        check("integer", "null", "1", None);
        assert_eq!(
            constant_of("integer", "\"x\"").expect_err("refused"),
            "\"x\" is no value of type integer"
        );
        assert_eq!(constant_of("money", "1").expect_err("refused"), "unknown type 'money'");
        let elements = constant_of("array(bigint)", "[1, null]").expect("an array").elements();
        assert_eq!(elements.iter().map(ParameterConstant::is_null).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn parameters_are_listed_with_their_first_location() {
        let named =
            named_parameters("SELECT :b, ':c', x::date -- :d\n FROM t WHERE :a = :b").expect("tokens");
        let shown: Vec<_> = named
            .iter()
            .map(|named| {
                (named.name.as_str(), named.location.map(|place| (place.line_number, place.column_number)))
            })
            .collect();
        assert_eq!(shown, [("b", Some((1, 8))), ("a", Some((2, 15)))]);
    }

    #[test]
    fn a_query_with_any_ending_can_be_ordered() {
        let check = |query: &str, expected: &str| {
            assert_eq!(ordered_by(query, 2, true).expect("tokens"), expected);
        };
        check("SELECT 1 a, 2 b", "SELECT * FROM (SELECT 1 a, 2 b\n) ORDER BY 2 DESC");
        check(
            "-- é\nSELECT ';' -- x\n ; ; -- y",
            "SELECT * FROM (-- é\nSELECT ';' -- x\n \n) ORDER BY 2 DESC",
        );
        check("SELECT 1 -- x", "SELECT * FROM (SELECT 1 -- x\n) ORDER BY 2 DESC");
        check(
            "-- x\nWITH SESSION max_memory = '1GB', cache_ttl = '1m' SELECT 1",
            "-- x\nWITH SESSION max_memory = '1GB', cache_ttl = '1m' SELECT * FROM (SELECT 1\n) ORDER BY 2 DESC",
        );
    }
}
