//! Values of a statement's parameters: `:name` in the text, a value here (D41). Numbers keep the digits that they were
//! written with.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Maximum number of parameters of a statement.
pub const MAX_PARAMETERS: usize = 1000;
/// Maximum number of values of all parameters of a statement: many more than fit into its limit in memory.
const MAX_VALUES: usize = 1 << 17;
/// Maximum length of a parameter's name.
pub const MAX_PARAMETER_NAME_BYTES: usize = 128;
/// Maximum nesting of arrays that are parsed.
const MAX_DEPTH: usize = 16;

/// The parameters of a statement by name: an object in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementParameters(BTreeMap<String, StatementParameter>);

/// One parameter: a JSON value, or `{"type": …, "value": …}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementParameter {
    /// Its type in Trino's spelling (D15); none infers it from the value.
    pub type_name: Option<String>,
    /// Its value.
    pub value: ParameterValue,
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterValue {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number as it is written in JSON.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    Array(Vec<ParameterValue>),
}

impl StatementParameters {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The parameter of a name; letter case counts.
    pub fn get(&self, name: &str) -> Option<&StatementParameter> {
        self.0.get(name)
    }

    /// Sets a parameter and returns its former value.
    pub fn insert(
        &mut self,
        name: impl Into<String>,
        parameter: impl Into<StatementParameter>,
    ) -> Option<StatementParameter> {
        self.0.insert(name.into(), parameter.into())
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &StatementParameter)> {
        self.0.iter().map(|(name, parameter)| (name.as_str(), parameter))
    }

    /// Approximate size in memory.
    pub fn size_bytes(&self) -> usize {
        let of_one = |(name, parameter): (&String, &StatementParameter)| {
            name.len() + parameter.type_name.as_ref().map_or(0, String::len) + parameter.value.size_bytes()
        };
        self.0.iter().map(of_one).sum()
    }
}

impl ParameterValue {
    fn size_bytes(&self) -> usize {
        // An empty value has a size too: a million nulls are not free.
        size_of::<Self>()
            + match self {
                Self::Null | Self::Boolean(_) => 0,
                Self::Number(text) | Self::Text(text) => text.len(),
                Self::Array(elements) => elements.iter().map(Self::size_bytes).sum(),
            }
    }

    /// Parses one JSON value.
    fn read(text: &str, depth: usize) -> Result<Self, String> {
        fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, String> {
            serde_json::from_str(text).map_err(|error| error.to_string())
        }
        Ok(match text.as_bytes().first() {
            Some(b'n') => Self::Null,
            Some(b't' | b'f') => Self::Boolean(text == "true"),
            Some(b'"') => Self::Text(parsed(text)?),
            Some(b'[') if depth == MAX_DEPTH => {
                return Err(format!("arrays are nested in more than {MAX_DEPTH} levels"));
            }
            Some(b'[') => {
                let elements: Vec<Box<RawValue>> = parsed(text)?;
                let read = elements.iter().map(|element| Self::read(element.get(), depth + 1));
                Self::Array(read.collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                return Err(
                    "an object is no value: expected a string, a number, true, false, null, an array, or \
                            {\"type\": …, \"value\": …}"
                        .to_owned(),
                );
            }
            _ => Self::Number(text.to_owned()),
        })
    }
}

impl StatementParameter {
    fn read(text: &str) -> Result<Self, String> {
        if !text.starts_with('{') {
            return Ok(Self { type_name: None, value: ParameterValue::read(text, 0)? });
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Typed<'a> {
            r#type: String,
            #[serde(borrow)]
            value: &'a RawValue,
        }
        let Typed { r#type, value } = serde_json::from_str(text)
            .map_err(|error| format!("expected {{\"type\": …, \"value\": …}}: {error}"))?;
        Ok(Self { type_name: Some(r#type), value: ParameterValue::read(value.get(), 0)? })
    }
}

impl From<ParameterValue> for StatementParameter {
    fn from(value: ParameterValue) -> Self {
        Self { type_name: None, value }
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for StatementParameter {
            fn from(value: $number) -> Self {
                ParameterValue::Number(value.to_string()).into()
            }
        }
    )*};
}

numbers!(i8, i16, i32, i64, u8, u16, u32);

impl From<&str> for StatementParameter {
    fn from(value: &str) -> Self {
        ParameterValue::Text(value.to_owned()).into()
    }
}

impl From<String> for StatementParameter {
    fn from(value: String) -> Self {
        ParameterValue::Text(value).into()
    }
}

impl From<bool> for StatementParameter {
    fn from(value: bool) -> Self {
        ParameterValue::Boolean(value).into()
    }
}

impl Serialize for ParameterValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Number(text) => {
                RawValue::from_string(text.clone()).map_err(S::Error::custom)?.serialize(serializer)
            }
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(elements) => serializer.collect_seq(elements),
        }
    }
}

impl Serialize for StatementParameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Typed<'a> {
            r#type: &'a str,
            value: &'a ParameterValue,
        }
        match &self.type_name {
            None => self.value.serialize(serializer),
            Some(name) => Typed { r#type: name, value: &self.value }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for StatementParameter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::read(raw.get()).map_err(D::Error::custom)
    }
}

impl Serialize for StatementParameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for StatementParameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ParametersVisitor)
    }
}

/// At least the number of values in a JSON text, without parsing it: arrays of a megabyte may have a million, which take
/// thirty times as much memory.
pub fn json_values(json: &str) -> usize {
    let (mut values, mut is_text, mut is_escaped) = (1, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => values += 1,
            _ => {}
        }
    }
    values
}

struct ParametersVisitor;

impl<'de> Visitor<'de> for ParametersVisitor {
    type Value = StatementParameters;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of parameters by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StatementParameters, A::Error> {
        let (mut parameters, mut values) = (BTreeMap::new(), 0);
        while let Some(name) = map.next_key::<String>()? {
            if !is_name(&name) {
                let shown: String = name.chars().take(40).collect();
                return Err(A::Error::custom(format_args!(
                    "{shown:?} is not a name of a parameter: a letter or '_' followed by letters, digits and '_', \
                     at most {MAX_PARAMETER_NAME_BYTES}"
                )));
            }
            if parameters.len() == MAX_PARAMETERS {
                return Err(A::Error::custom(format_args!("more than {MAX_PARAMETERS} parameters")));
            }
            let raw: Box<RawValue> = map.next_value()?;
            values += json_values(raw.get());
            if values > MAX_VALUES {
                return Err(A::Error::custom(format_args!("parameters of more than {MAX_VALUES} values")));
            }
            let parameter = StatementParameter::read(raw.get())
                .map_err(|error| A::Error::custom(format_args!("parameter {name}: {error}")))?;
            match parameters.entry(name) {
                Entry::Vacant(place) => place.insert(parameter),
                Entry::Occupied(known) => {
                    return Err(A::Error::custom(format_args!("parameter {} stands twice", known.key())));
                }
            };
        }
        Ok(StatementParameters(parameters))
    }
}

/// A letter or `_`, then letters, digits and `_`.
fn is_name(name: &str) -> bool {
    name.len() <= MAX_PARAMETER_NAME_BYTES
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: &str) {
        let read: Result<StatementParameters, _> = serde_json::from_str(json);
        let found = match read {
            Ok(parameters) => serde_json::to_string(&parameters).expect("writes"),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{json}");
    }

    #[test]
    fn numbers_keep_their_digits() {
        let same =
            r#"{"a":1.10,"b":-0,"c":1e400,"d":123456789012345678901234567890.123,"e":[1.0,null,["x"]]}"#;
        check(same, same);
        check(
            r#"{ "z" : {"type":"decimal(5,2)", "value": 1.50 }, "a":true, "n": null }"#,
            r#"{"a":true,"n":null,"z":{"type":"decimal(5,2)","value":1.50}}"#,
        );
        let parameters: StatementParameters = serde_json::from_str(same).expect("reads");
        assert_eq!(
            serde_json::from_value::<StatementParameters>(serde_json::json!({"a": 7}))
                .expect("reads")
                .get("a"),
            Some(&7.into())
        );
        assert_eq!(parameters.get("A"), None);
    }

    #[test]
    fn invalid_parameters_are_named() {
        check("[]", "invalid type: sequence, expected an object of parameters by name at line 1 column 0");
        check(
            r#"{"a":{}}"#,
            r#"parameter a: expected {"type": …, "value": …}: missing field `type` at line 1 column 2"#,
        );
        check(
            r#"{"a":{"type":"date","value":{}}}"#,
            r#"parameter a: an object is no value: expected a string, a number, true, false, null, an array, or {"type": …, "value": …} at line 1 column 32"#,
        );
        check(r#"{"a":1,"a":2}"#, "parameter a stands twice at line 1 column 13");
        check(
            r#"{"1a":1}"#,
            "\"1a\" is not a name of a parameter: a letter or '_' followed by letters, digits and '_', at most 128 at line 1 column 5",
        );
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(serde_json::from_str::<StatementParameters>(&deep).is_err());
        let many: Vec<String> = (0..=MAX_PARAMETERS).map(|number| format!("\"p{number}\":0")).collect();
        assert!(serde_json::from_str::<StatementParameters>(&format!("{{{}}}", many.join(","))).is_err());
    }
}
