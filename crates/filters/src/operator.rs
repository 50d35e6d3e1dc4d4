//! The operators of a filter and their names (D22).

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, Quoted};
use crate::nearest::nearest;

/// The comparison between the column and the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Equal.
    Eq,
    /// Not equal; as with every comparison, NULL does not match.
    Neq,
    /// Less than.
    Lt,
    /// Less than or equal.
    Lte,
    /// Greater than.
    Gt,
    /// Greater than or equal.
    Gte,
    /// SQL's `IS NULL`, `IS TRUE`, `IS FALSE`.
    Is,
    /// SQL's `IS NOT NULL`, `IS NOT TRUE`, `IS NOT FALSE`; also accepted as `IN_NOT`.
    IsNot,
    /// Equal to one of several values.
    In,
    /// SQL's LIKE with the escape character `\`.
    Like,
    /// Between two values, both inclusive.
    Between,
}

/// Operator names of other systems, and ours.
const ALIASES: [(&str, Operator); 13] = [
    ("=", Operator::Eq),
    ("==", Operator::Eq),
    ("!=", Operator::Neq),
    ("<>", Operator::Neq),
    ("NE", Operator::Neq),
    ("<", Operator::Lt),
    ("<=", Operator::Lte),
    ("LE", Operator::Lte),
    (">", Operator::Gt),
    (">=", Operator::Gte),
    ("GE", Operator::Gte),
    ("ISNOT", Operator::IsNot),
    ("ILIKE", Operator::Like),
];

impl Operator {
    /// Every operator, in the order of the documentation.
    pub const ALL: [Self; 11] = [
        Self::Eq,
        Self::Neq,
        Self::Lt,
        Self::Lte,
        Self::Gt,
        Self::Gte,
        Self::Is,
        Self::IsNot,
        Self::In,
        Self::Like,
        Self::Between,
    ];

    /// The name in upper case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "EQ",
            Self::Neq => "NEQ",
            Self::Lt => "LT",
            Self::Lte => "LTE",
            Self::Gt => "GT",
            Self::Gte => "GTE",
            Self::Is => "IS",
            Self::IsNot => "IS_NOT",
            Self::In => "IN",
            Self::Like => "LIKE",
            Self::Between => "BETWEEN",
        }
    }

    /// The operator of a name in any letter case; `IN_NOT` is `IS_NOT` (D22).
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("IN_NOT") {
            return Some(Self::IsNot);
        }
        Self::ALL.into_iter().find(|operator| name.eq_ignore_ascii_case(operator.as_str()))
    }

    fn nearest(name: &str) -> Option<Self> {
        let alias = ALIASES.into_iter().find(|(alias, _)| name.trim().eq_ignore_ascii_case(alias));
        alias.map(|(_, operator)| operator).or_else(|| {
            nearest(name, Self::ALL.iter().map(|operator| operator.as_str())).and_then(Self::from_name)
        })
    }
}

/// Operators as a message lists them.
pub(crate) fn listed(operators: &[Operator]) -> String {
    operators.iter().map(|operator| operator.as_str()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Operator {
    type Err = Error;

    /// Any letter case; `IN_NOT` is `IS_NOT` (D22). The error is `UnknownOperator` and names the nearest one.
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::from_name(name).ok_or_else(|| {
            let suggestion =
                Self::nearest(name).map(|operator| format!("; did you mean {operator}?")).unwrap_or_default();
            Error::new(
                ErrorKind::UnknownOperator,
                format!(
                    "unknown operator {}, expected one of {}{suggestion}",
                    Quoted(name),
                    listed(&Self::ALL)
                ),
            )
        })
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_letter_case() {
        for operator in Operator::ALL {
            let name = operator.as_str();
            assert_eq!(name.parse(), Ok(operator));
            assert_eq!(name.to_lowercase().parse(), Ok(operator));
        }
        assert_eq!("gT".parse(), Ok(Operator::Gt));
        assert_eq!("IN_NOT".parse(), Ok(Operator::IsNot));
        assert_eq!("in_Not".parse(), Ok(Operator::IsNot));
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        let check = |name: &str, expected: Option<&str>| {
            let error = name.parse::<Operator>().expect_err(name);
            assert_eq!(error.kind(), ErrorKind::UnknownOperator);
            let suggestion =
                error.message().split("; did you mean ").nth(1).map(|text| text.trim_end_matches('?'));
            assert_eq!(suggestion, expected, "{}", error.message());
        };
        check("GTEE", Some("GTE"));
        check("gtt", Some("GT"));
        check(" eq ", Some("EQ"));
        check("equals", None);
        check(">=", Some("GTE"));
        check("ge", Some("GTE"));
        check("ne", Some("NEQ"));
        check("isnot", Some("IS_NOT"));
        check("is not", Some("IS_NOT"));
        check("betwen", Some("BETWEEN"));
        check("", None);
        check("CONTAINS", None);
        // The Kelvin sign lower-cases to an ASCII k; only ASCII letters fold.
        check("LI\u{212a}E", Some("LIKE"));
    }
}
