//! Which operators a column's type supports (D22).

use crate::error::{Error, ErrorKind, Quoted};
use crate::operator::listed;
use crate::{Filter, IsValue, Operand, Operator};

/// The types of columns, as far as operators distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnClass {
    /// `boolean`.
    Boolean,
    /// Numbers, dates, times, timestamps, intervals: everything ordered that is not text.
    Ordered,
    /// `varchar` and its like.
    Text,
    /// Binary, array and row.
    Opaque,
}

impl ColumnClass {
    /// The operators that columns of the class support; IS and IS_NOT accept `true` and `false` on booleans only.
    pub const fn operators(self) -> &'static [Operator] {
        use Operator::{Between, Eq, Gt, Gte, In, Is, IsNot, Like, Lt, Lte, Neq};
        match self {
            Self::Boolean => &[Eq, Neq, Is, IsNot],
            Self::Ordered => &[Eq, Neq, Lt, Lte, Gt, Gte, Is, IsNot, In, Between],
            Self::Text => &[Eq, Neq, Lt, Lte, Gt, Gte, Is, IsNot, In, Like, Between],
            Self::Opaque => &[Is, IsNot],
        }
    }

    const fn described(self) -> &'static str {
        match self {
            Self::Boolean => "a boolean",
            Self::Ordered => "a number, date or time",
            Self::Text => "text",
            Self::Opaque => "binary, an array or a row",
        }
    }
}

impl Filter {
    /// Checks that columns of the class support the filter's operator with this form of value (D22).
    ///
    /// # Errors
    /// `UnsupportedOperator`, naming what the column supports.
    pub fn check(&self, class: ColumnClass) -> Result<(), Error> {
        let (operator, column, described) = (self.operator(), Quoted(self.column()), class.described());
        if !class.operators().contains(&operator) {
            let known = listed(class.operators());
            return Err(unsupported(format!(
                "filter {}: column {column} is {described} and does not know {operator}, expected one of {known}",
                Quoted(&self.to_string())
            )));
        }
        match self.operand() {
            Operand::Is(value @ (IsValue::True | IsValue::False)) if class != ColumnClass::Boolean => {
                Err(unsupported(format!(
                    "filter {}: {operator} `{value}` is for boolean columns, column {column} is {described}, expected \
                     {operator} `null`",
                    Quoted(&self.to_string())
                )))
            }
            _ => Ok(()),
        }
    }
}

fn unsupported(message: String) -> Error {
    Error::new(ErrorKind::UnsupportedOperator, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line: a filter, then whether boolean, ordered, text and opaque columns support it.
    #[test]
    fn operators_by_column_class() {
        let check = |text: &str, expected: [bool; 4]| {
            let filter = Filter::parse(text, &["c"]).expect(text);
            let classes =
                [ColumnClass::Boolean, ColumnClass::Ordered, ColumnClass::Text, ColumnClass::Opaque];
            assert_eq!(classes.map(|class| filter.check(class).is_ok()), expected, "{text}");
        };
        check("c:EQ:true", [true, true, true, false]);
        check("c:NEQ:1", [true, true, true, false]);
        check("c:LT:1", [false, true, true, false]);
        check("c:LTE:1", [false, true, true, false]);
        check("c:GT:1", [false, true, true, false]);
        check("c:GTE:1", [false, true, true, false]);
        check("c:IN:1,2", [false, true, true, false]);
        check("c:BETWEEN:1,2", [false, true, true, false]);
        check("c:LIKE:1%", [false, false, true, false]);
        check("c:IS:null", [true; 4]);
        check("c:IS_NOT:null", [true; 4]);
        check("c:IS:true", [true, false, false, false]);
        check("c:IS_NOT:false", [true, false, false, false]);
    }

    #[test]
    fn messages_list_the_supported_operators() {
        let check = |text: &str, class, expected: &str| {
            let error = Filter::parse(text, &["c"]).expect(text).check(class).expect_err(text);
            assert_eq!(error.kind(), ErrorKind::UnsupportedOperator);
            assert_eq!(error.to_string(), expected);
        };
        check(
            "c:gt:1",
            ColumnClass::Boolean,
            "filter `c:GT:1`: column `c` is a boolean and does not know GT, expected one of EQ, NEQ, IS, IS_NOT",
        );
        check(
            "c:is:TRUE",
            ColumnClass::Text,
            "filter `c:IS:true`: IS `true` is for boolean columns, column `c` is text, expected IS `null`",
        );
    }
}
