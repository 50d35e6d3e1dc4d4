//! `columns` of a query and of a result (D15): type names as Trino spells them, and their signatures.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

mod parse;
#[cfg(test)]
mod tests;

pub use parse::InvalidTypeName;

/// One column of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// The column's name in the statement; names may repeat.
    pub name: String,
    /// The type in Trino's spelling, `decimal(15,2)`.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The same type, parsed.
    pub type_signature: TypeSignature,
}

impl Column {
    /// Approximate bytes of the column as JSON.
    pub fn size_bytes(&self) -> usize {
        JSON_OF_COLUMN + self.name.len() + self.type_name.len() + self.type_signature.size_bytes()
    }
}

/// Bytes of the keys and brackets of a column, of a type, of an argument, and of an argument that is a row's field, as JSON.
const JSON_OF_COLUMN: usize = 38;
const JSON_OF_TYPE: usize = 70;
const JSON_OF_ARGUMENT: usize = 28;
const JSON_OF_FIELD: usize = 48;

impl TypeSignature {
    fn size_bytes(&self) -> usize {
        let argument = |argument: &TypeArgument| match argument {
            TypeArgument::Type(element) => element.size_bytes(),
            TypeArgument::NamedType(field) => {
                let name_bytes = field.field_name.as_ref().map_or(0, |name| name.name.len());
                JSON_OF_FIELD + name_bytes + field.type_signature.size_bytes()
            }
            TypeArgument::Long(_) => 0,
        };
        let arguments = self.arguments.iter().map(|each| JSON_OF_ARGUMENT + argument(each));
        JSON_OF_TYPE + self.raw_type.len() + arguments.sum::<usize>()
    }
}

/// A parsed type, as in Trino's client protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeSignature {
    /// The type's name without arguments: `decimal`, `timestamp with time zone`.
    pub raw_type: String,
    /// The arguments in order.
    pub arguments: Vec<TypeArgument>,
    /// Always empty: a field of an older protocol that clients still read.
    #[serde(default)]
    pub type_arguments: Vec<Value>,
    /// Always empty: a field of an older protocol that clients still read.
    #[serde(default)]
    pub literal_arguments: Vec<Value>,
}

/// One argument of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value")]
pub enum TypeArgument {
    /// A type, as the element type of `array(T)`.
    #[serde(rename = "TYPE")]
    Type(TypeSignature),
    /// A field of a row: `{"fieldName": {"name": "x"}, "typeSignature": {…}}`.
    #[serde(rename = "NAMED_TYPE")]
    NamedType(NamedType),
    /// A number, as a precision, a scale or a length.
    #[serde(rename = "LONG")]
    Long(i64),
}

/// A field of a row type; `field_name` is absent for an unnamed field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamedType {
    /// The field's name.
    pub field_name: Option<FieldName>,
    /// The field's type.
    pub type_signature: TypeSignature,
}

/// The name of a row's field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldName {
    /// The name as the type spells it.
    pub name: String,
}

impl Column {
    /// A column of a type given by its name, as in `Column::new("price", "decimal(15,2)")`.
    ///
    /// A name that [`TypeSignature::parse`] refuses, such as a type of a Trino plug-in, becomes `rawType` unparsed: the
    /// spelling of a type never fails a result.
    pub fn new(name: impl Into<String>, type_name: impl Into<String>) -> Self {
        let type_name = type_name.into();
        let type_signature = TypeSignature::parse(&type_name)
            .unwrap_or_else(|_| TypeSignature::new(type_name.clone(), Vec::new()));
        Self { name: name.into(), type_name, type_signature }
    }
}

impl TypeSignature {
    /// A type of this name with these arguments.
    pub fn new(raw_type: impl Into<String>, arguments: Vec<TypeArgument>) -> Self {
        Self {
            raw_type: raw_type.into(),
            arguments,
            type_arguments: Vec::new(),
            literal_arguments: Vec::new(),
        }
    }

    /// Parses a type name in Trino's spelling. Omitted arguments are filled in as in Trino: `varchar` has the length
    /// 2147483647, `timestamp` the precision 3, `decimal` is `decimal(38,0)`.
    ///
    /// # Errors
    ///
    /// The text is not a type name: unbalanced parentheses, an argument of the wrong kind, types nested deeper than 64
    /// levels.
    pub fn parse(type_name: &str) -> Result<Self, InvalidTypeName> {
        parse::parse(type_name)
    }
}

impl FromStr for TypeSignature {
    type Err = InvalidTypeName;

    fn from_str(text: &str) -> Result<Self, InvalidTypeName> {
        Self::parse(text)
    }
}

impl fmt::Display for TypeSignature {
    /// The type's name in Trino's spelling; the unbounded `varchar` without its length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { raw_type, arguments, type_arguments: _, literal_arguments: _ } = self;
        if arguments.is_empty() || (raw_type == "varchar" && *arguments == [parse::UNBOUNDED_LENGTH]) {
            return f.write_str(raw_type);
        }
        // The precision of a zoned type is inside its name.
        let (before, after) = match raw_type.split_once(" with time zone") {
            Some((before, "")) => (before, " with time zone"),
            _ => (raw_type.as_str(), ""),
        };
        write!(f, "{before}(")?;
        for (index, argument) in arguments.iter().enumerate() {
            let is_number = matches!(argument, TypeArgument::Long(_));
            f.write_str(match (index, is_number) {
                (0, _) => "",
                (_, true) => ",",
                (_, false) => ", ",
            })?;
            write!(f, "{argument}")?;
        }
        write!(f, "){after}")
    }
}

impl fmt::Display for TypeArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(signature) => signature.fmt(f),
            Self::Long(number) => number.fmt(f),
            Self::NamedType(NamedType { field_name: None, type_signature }) => type_signature.fmt(f),
            Self::NamedType(NamedType { field_name: Some(FieldName { name }), type_signature }) => {
                let is_plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
                    && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
                if is_plain {
                    write!(f, "{name} {type_signature}")
                } else {
                    write!(f, "\"{}\" {type_signature}", name.replace('"', "\"\""))
                }
            }
        }
    }
}
