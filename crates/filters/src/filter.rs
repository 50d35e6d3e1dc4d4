//! One condition of a view read, `column:OPERATOR:value` (D22): parsing and printing.

use std::fmt;

use crate::error::{Error, ErrorKind, Quoted};
use crate::{Operand, Operator};

/// A parsed `filters` parameter: syntactically valid, with an operand of the form that its operator takes.
/// [`resolve_column`](crate::resolve_column) checks whether its column exists, [`Filter::check`] whether the column's
/// type supports the operator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Filter {
    column: String,
    operator: Operator,
    operand: Operand,
    /// The operator as the request spells it, stored only where the upper-case name would make the printed text begin
    /// with the name of another column (`a:eq:b:EQ:c` with the columns `a` and `a:EQ:b`).
    spelling: Option<String>,
}

impl Filter {
    /// Parses `column:operator:value`. The text is split at its first two colons, unless a longer prefix is exactly the
    /// name of one of `columns` and an operator follows it (the longest such name wins). The value is the rest,
    /// including colons (D22). Percent-encoding must be decoded already.
    ///
    /// # Errors
    /// `MalformedFilter`, `UnknownOperator` or `MalformedOperand`; the message quotes the text.
    pub fn parse<S: AsRef<str>>(text: &str, columns: &[S]) -> Result<Self, Error> {
        let Parts { column, operator: spelling, value } = Parts::of(text, columns)?;
        let operator: Operator =
            spelling.parse().map_err(|error: Error| error.in_filter(text, column.len() + 1))?;
        let operand = Operand::parse(operator, value)
            .map_err(|error| error.in_filter(text, column.len() + spelling.len() + 2))?;
        let filter = Self { column: column.to_owned(), operator, operand, spelling: None };
        // What is printed begins with the column and a colon.
        let colon = first_colon(column).unwrap_or(column.len());
        if with_colon_at(colon, columns).next().is_some()
            && named_prefix(&filter.to_string(), columns).is_some_and(|parts| parts.column != filter.column)
        {
            return Ok(Self { spelling: Some(spelling.to_owned()), ..filter });
        }
        Ok(filter)
    }

    /// The column as the request spells it.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The operator.
    pub fn operator(&self) -> Operator {
        self.operator
    }

    /// The value, in the form that the operator takes.
    pub fn operand(&self) -> &Operand {
        &self.operand
    }
}

impl fmt::Display for Filter {
    /// Prints text that parses, with the same columns, to the same filter; the operator in upper case.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operator = self.spelling.as_deref().unwrap_or(self.operator.as_str());
        write!(f, "{}:{operator}:{}", self.column, self.operand)
    }
}

struct Parts<'t> {
    column: &'t str,
    operator: &'t str,
    value: &'t str,
}

impl<'t> Parts<'t> {
    fn of<S: AsRef<str>>(text: &'t str, columns: &[S]) -> Result<Self, Error> {
        if let Some(parts) = named_prefix(text, columns) {
            return Ok(parts);
        }
        let malformed = |offset: usize, message: String| {
            Error::new(ErrorKind::MalformedFilter, message).in_filter(text, offset)
        };
        const FORM: &str = "expected `column:operator:value`";
        let Some((column, rest)) = split_at_colon(text) else {
            return Err(malformed(text.len(), format!("{FORM}, there is no `:` after the column")));
        };
        if column.is_empty() && !columns.iter().any(|column| column.as_ref().is_empty()) {
            return Err(malformed(0, format!("{FORM}, the column is missing")));
        }
        let Some((operator, value)) = split_at_colon(rest) else {
            let missing = match Operator::from_name(rest) {
                Some(operator) => format!("there is no `:` and value after the operator {operator}"),
                None => format!("found only one `:`, before {}", Quoted(rest)),
            };
            return Err(malformed(text.len(), format!("{FORM}, {missing}")));
        };
        Ok(Self { column, operator, value })
    }
}

/// The parts of a text that begins with a column name containing colons, followed by an operator.
fn named_prefix<'t, S: AsRef<str>>(text: &'t str, columns: &[S]) -> Option<Parts<'t>> {
    let parts = with_colon_at(first_colon(text)?, columns).filter_map(|name| {
        let (operator, value) = text.strip_prefix(name)?.strip_prefix(':')?.split_once(':')?;
        Operator::from_name(operator)?;
        Some(Parts { column: &text[..name.len()], operator, value })
    });
    parts.max_by_key(|parts| parts.column.len())
}

/// A column's name is short: a search of bytes is faster than one of characters.
fn first_colon(text: &str) -> Option<usize> {
    text.bytes().position(|byte| byte == b':')
}

fn split_at_colon(text: &str) -> Option<(&str, &str)> {
    first_colon(text).map(|colon| (&text[..colon], &text[colon + 1..]))
}

/// The names with a colon at this place. A name with colons that a text begins with has the text's first colon.
fn with_colon_at<S: AsRef<str>>(place: usize, columns: &[S]) -> impl Iterator<Item = &str> {
    columns.iter().map(AsRef::as_ref).filter(move |name| name.as_bytes().get(place) == Some(&b':'))
}

#[cfg(test)]
mod tests;
