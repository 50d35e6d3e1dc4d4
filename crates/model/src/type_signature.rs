//! `columns` of a query and of a result (D15): type names as Trino spells them, and their signatures.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One column of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// As the statement names it; names may repeat.
    pub name: String,
    /// The type in Trino's spelling, `decimal(15,2)`.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The same type, taken apart.
    pub type_signature: TypeSignature,
}

/// A type taken apart, as in Trino's client protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeSignature {
    /// The type's name without arguments: `decimal`, `timestamp with time zone`.
    pub raw_type: String,
    /// The arguments in order.
    pub arguments: Vec<TypeArgument>,
    /// Kept empty: an older protocol's field that clients still read.
    #[serde(default)]
    pub type_arguments: Vec<Value>,
    /// Kept empty: an older protocol's field that clients still read.
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
    /// As the type spells it.
    pub name: String,
}
