//! The value part of a filter, in the form that its operator takes (D22). Texts are not cast here.

use std::fmt;

use crate::error::{Error, ErrorKind, Quoted};
use crate::nearest::did_you_mean;
use crate::{LikePattern, Operator};

/// The value of a filter; its form follows from the operator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Operand of EQ, NEQ, LT, LTE, GT and GTE: text that is cast to the column's type. `EQ:null` is the text "null".
    Text(String),
    /// Operand of IN: one or more texts, separated by `,`. A text cannot contain a comma.
    List(Vec<String>),
    /// Operand of BETWEEN: two bounds, both inclusive.
    Range {
        /// Text before the comma.
        low: String,
        /// Text after the comma.
        high: String,
    },
    /// Operand of LIKE.
    Pattern(LikePattern),
    /// Operand of IS and IS_NOT.
    Is(IsValue),
}

/// The value of IS and IS_NOT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IsValue {
    /// NULL; on every column.
    Null,
    /// True; on boolean columns.
    True,
    /// False; on boolean columns.
    False,
}

impl Operand {
    pub(crate) fn parse(operator: Operator, value: &str) -> Result<Self, Error> {
        match operator {
            Operator::Eq | Operator::Neq | Operator::Lt | Operator::Lte | Operator::Gt | Operator::Gte => {
                Ok(Self::Text(value.to_owned()))
            }
            Operator::In => Ok(Self::List(value.split(',').map(str::to_owned).collect())),
            Operator::Between => match value.split(',').collect::<Vec<_>>()[..] {
                [low, high] => Ok(Self::Range { low: low.to_owned(), high: high.to_owned() }),
                ref parts => Err(malformed(format!(
                    "BETWEEN takes two values separated by one `,`, found {} in {}",
                    parts.len(),
                    Quoted(value)
                ))),
            },
            Operator::Like => LikePattern::new(value).map(Self::Pattern),
            Operator::Is | Operator::IsNot => IsValue::from_name(value).map(Self::Is).ok_or_else(|| {
                let names = IsValue::ALL.iter().map(|value| value.as_str());
                malformed(format!(
                    "{operator} takes `null`, or `true` or `false` on a boolean column, not {}{}",
                    Quoted(value),
                    did_you_mean(value, names)
                ))
            }),
        }
    }
}

fn malformed(message: String) -> Error {
    Error::new(ErrorKind::MalformedOperand, message)
}

impl IsValue {
    const ALL: [Self; 3] = [Self::Null, Self::True, Self::False];

    /// The name in lower case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::True => "true",
            Self::False => "false",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| name.eq_ignore_ascii_case(value.as_str()))
    }
}

impl fmt::Display for IsValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::List(texts) => f.write_str(&texts.join(",")),
            Self::Range { low, high } => write!(f, "{low},{high}"),
            Self::Pattern(pattern) => f.write_str(pattern.as_str()),
            Self::Is(value) => f.write_str(value.as_str()),
        }
    }
}
