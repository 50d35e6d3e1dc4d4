//! The meaning of a column whose values are stored as text (`docs/trino.md`): text, or another type. Only if text
//! compares as the type does may a filter compare it: a wrong answer is worse than a refusal (D22).

use std::borrow::Cow;

use arrow_schema::DataType;
use rowhouse_filters::{ColumnClass, Operand};
use rowhouse_model::{Column, TypeArgument};

/// The type that text represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Itself.
    Varchar,
    /// `char(n)`: padded with spaces to this many characters.
    Char(usize),
    /// `uuid`: lower case, so that text and type have the same order.
    Uuid,
    /// A type that does not compare like text: `ipaddress`, `json`, times with a zone or finer than a microsecond,
    /// timestamps finer than a nanosecond, a plug-in's type.
    Other,
}

impl TextKind {
    pub(super) fn of(column: &Column, data_type: &DataType) -> Self {
        if !matches!(data_type, DataType::Utf8 | DataType::LargeUtf8) {
            return Self::Other;
        }
        let signature = &column.type_signature;
        match (signature.raw_type.as_str(), signature.arguments.as_slice()) {
            ("varchar", _) => Self::Varchar,
            ("char", [TypeArgument::Long(length)]) => {
                usize::try_from(*length).map_or(Self::Other, Self::Char)
            }
            ("uuid", _) => Self::Uuid,
            _ => Self::Other,
        }
    }

    /// The operators that such a column supports.
    pub(super) const fn class(self) -> ColumnClass {
        match self {
            Self::Varchar | Self::Char(_) => ColumnClass::Text,
            Self::Uuid => ColumnClass::Ordered,
            Self::Other => ColumnClass::Opaque,
        }
    }

    /// The operand as the column spells its values.
    ///
    /// # Errors
    /// The text that is no value of the type.
    pub(super) fn normalized(self, operand: &Operand) -> Result<Cow<'_, Operand>, &str> {
        if self == Self::Varchar {
            return Ok(Cow::Borrowed(operand));
        }
        Ok(Cow::Owned(match operand {
            Operand::Text(text) => Operand::Text(self.spelled(text)?),
            Operand::List(texts) => {
                Operand::List(texts.iter().map(|text| self.spelled(text)).collect::<Result<_, _>>()?)
            }
            Operand::Range { low, high } => {
                Operand::Range { low: self.spelled(low)?, high: self.spelled(high)? }
            }
            Operand::Pattern(_) | Operand::Is(_) => return Ok(Cow::Borrowed(operand)),
        }))
    }

    fn spelled(self, text: &str) -> Result<String, &str> {
        match self {
            Self::Varchar | Self::Other => Ok(text.to_owned()),
            Self::Char(length) => {
                let trimmed = text.trim_end_matches(' ');
                let missing = length.checked_sub(trimmed.chars().count()).ok_or(text)?;
                Ok(format!("{trimmed}{}", " ".repeat(missing)))
            }
            Self::Uuid => {
                let is_uuid = text.len() == 36
                    && text.bytes().enumerate().all(|(place, byte)| match place {
                        8 | 13 | 18 | 23 => byte == b'-',
                        _ => byte.is_ascii_hexdigit(),
                    });
                if is_uuid { Ok(text.to_ascii_lowercase()) } else { Err(text) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_normalized_like_the_stored_values() {
        let check = |type_name: &str, text: &str, expected: Option<&str>| {
            let kind = TextKind::of(&Column::new("c", type_name), &DataType::LargeUtf8);
            assert_eq!(kind.spelled(text).ok().as_deref(), expected, "{text} as {type_name}");
        };
        check("varchar", "a ", Some("a "));
        check("char(3)", "a", Some("a  "));
        check("char(3)", "abc   ", Some("abc"));
        check("char(3)", "abcd", None);
        let uuid = "12151fd2-7586-11e9-8f9e-2a86e4085a59";
        check("uuid", &uuid.to_uppercase(), Some(uuid));
        check("uuid", "12151fd2", None);
    }

    #[test]
    fn text_of_types_that_do_not_compare_like_text_is_not_compared() {
        for type_name in
            ["ipaddress", "json", "time(9)", "timestamp(12)", "time(3) with time zone", "HyperLogLog"]
        {
            let kind = TextKind::of(&Column::new("c", type_name), &DataType::LargeUtf8);
            assert_eq!(kind.class(), ColumnClass::Opaque, "{type_name}");
        }
    }
}
