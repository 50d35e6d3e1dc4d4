//! A read of a view: filters, columns, order, range (Interface B, D22, D46).

use std::fmt;
use std::fmt::Display;

use crate::request::Request;
use crate::{Error, Result};

/// The operators of filters (D22).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Equal.
    Eq,
    /// Not equal.
    Neq,
    /// Less than.
    Lt,
    /// Less than or equal.
    Lte,
    /// Greater than.
    Gt,
    /// Greater than or equal.
    Gte,
    /// One of the values, separated by `,`.
    In,
    /// SQL's LIKE with `\` as the escape.
    Like,
    /// From the first value to the second, both included: `a,b`.
    Between,
    /// `null`, and `true` or `false` on booleans.
    Is,
    /// Not `null`, and not `true` or not `false` on booleans.
    IsNot,
}

impl Operator {
    /// Upper case, as on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "EQ",
            Self::Neq => "NEQ",
            Self::Lt => "LT",
            Self::Lte => "LTE",
            Self::Gt => "GT",
            Self::Gte => "GTE",
            Self::In => "IN",
            Self::Like => "LIKE",
            Self::Between => "BETWEEN",
            Self::Is => "IS",
            Self::IsNot => "IS_NOT",
        }
    }
}

impl AsRef<str> for Operator {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which rows and columns of a view.
///
/// ```
/// use rowhouse_client::{Operator, ViewRead};
///
/// let read = ViewRead::new()
///     .filter("nation", Operator::Eq, "FRANCE")
///     .filter("revenue", "gte", 1000)
///     .columns(["revenue"])
///     .limit(10);
/// # let _ = read;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewRead {
    filters: Vec<String>,
    columns: Vec<String>,
    order: Option<String>,
    limit: Option<u64>,
    offset: Option<u64>,
}

impl ViewRead {
    /// All rows, all columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// A condition; several are combined with AND. The value may contain any characters; the server casts it to the
    /// column's type.
    #[must_use]
    pub fn filter(self, column: &str, operator: impl AsRef<str>, value: impl Display) -> Self {
        self.filter_text(format!("{column}:{}:{value}", operator.as_ref()))
    }

    /// A condition as its text, `column:operator:value`.
    #[must_use]
    pub fn filter_text(mut self, filter: impl Into<String>) -> Self {
        self.filters.push(filter.into());
        self
    }

    /// The columns of the returned rows, in this order.
    #[must_use]
    pub fn columns<S: Into<String>>(self, columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Orders the rows by a column, ascending, NULLs last (D46).
    #[must_use]
    pub fn order_by(self, column: &str) -> Self {
        Self { order: Some(format!("{column}:asc")), ..self }
    }

    /// Orders the rows by a column, descending, NULLs last (D46).
    #[must_use]
    pub fn order_by_descending(self, column: &str) -> Self {
        Self { order: Some(format!("{column}:desc")), ..self }
    }

    /// Maximum number of rows.
    #[must_use]
    pub fn limit(self, limit: u64) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Rows to skip.
    #[must_use]
    pub fn offset(self, offset: u64) -> Self {
        Self { offset: Some(offset), ..self }
    }

    /// Adds the parameters to a request.
    pub(crate) fn apply(&self, mut request: Request) -> Result<Request> {
        if let Some(name) = self.columns.iter().find(|name| name.contains(',')) {
            // `columnNames` separates by commas and cannot quote one.
            return Err(Error::invalid_input(format!(
                "column '{name}' cannot be selected: its name holds a comma"
            )));
        }
        for filter in &self.filters {
            request = request.query("filters", filter);
        }
        if !self.columns.is_empty() {
            request = request.query("columnNames", self.columns.join(","));
        }
        if let Some(order) = &self.order {
            request = request.query("orderBy", order);
        }
        Ok(request.optional_query("limit", self.limit).optional_query("offset", self.offset))
    }
}

#[cfg(test)]
mod tests {
    use super::{Operator, ViewRead};
    use crate::request::Request;

    #[test]
    fn a_read_is_encoded_in_the_query_string() {
        let read = ViewRead::new()
            .filter("n", Operator::Eq, "a:b, c")
            .filter("m", "is", "null")
            .columns(["n", "m"])
            .order_by_descending("m")
            .limit(0)
            .offset(7);
        let request = read.apply(Request::get("/x")).expect("a request");
        assert_eq!(
            request.target,
            "/x?filters=n%3AEQ%3Aa%3Ab%2C+c&filters=m%3Ais%3Anull&columnNames=n%2Cm&orderBy=m%3Adesc&limit=0&offset=7"
        );
        assert_eq!(ViewRead::new().apply(Request::get("/x")).expect("a request").target, "/x");
        assert!(ViewRead::new().columns(["a,b"]).apply(Request::get("/x")).is_err());
    }
}
