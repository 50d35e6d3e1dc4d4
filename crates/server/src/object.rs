//! The one JSON object of a request's body (D2). Unknown keys are ignored, a duplicate key is refused (which one is
//! meant is unknown), and null in an optional field means absent. Values stay raw text until they are read, so an
//! ignored one costs nothing.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{Error, Result};
use crate::parameters::shown;

/// Maximum number of keys of a body.
const MAX_KEYS: usize = 64;

/// A parsed body.
#[derive(Debug)]
pub(crate) struct Object {
    fields: Vec<(String, Box<RawValue>)>,
}

impl Object {
    /// Parses a body.
    pub(crate) fn parse(body: &[u8]) -> Result<Self> {
        if body.is_empty() {
            return Err(Error::invalid("the body is empty, expected one JSON object"));
        }
        serde_json::from_slice(body).map_err(|error| Error::invalid(format!("the body: {error}")))
    }

    /// Names and values as sent.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().flat_map(|(name, value)| [name.as_str(), value.get()])
    }

    /// A required, non-empty text.
    pub(crate) fn required_text(&self, name: &str) -> Result<String> {
        match self.optional_text(name)? {
            Some(text) if !text.is_empty() => Ok(text),
            Some(_) => Err(Error::invalid(format!("field {name} is empty"))),
            None => Err(self.missing(name, "a string")),
        }
    }

    /// An optional text.
    pub(crate) fn optional_text(&self, name: &str) -> Result<Option<String>> {
        self.optional(name, "a string")
    }

    /// A text that may be absent (`None`) or null (`Some(None)`).
    pub(crate) fn nullable_text(&self, name: &str) -> Result<Option<Option<String>>> {
        if self.field(name).is_some_and(is_null) {
            Ok(Some(None))
        } else {
            Ok(self.optional_text(name)?.map(Some))
        }
    }

    /// A required boolean.
    pub(crate) fn required_switch(&self, name: &str) -> Result<bool> {
        self.optional_switch(name)?.ok_or_else(|| self.missing(name, "true or false"))
    }

    /// An optional boolean.
    pub(crate) fn optional_switch(&self, name: &str) -> Result<Option<bool>> {
        self.optional(name, "true or false")
    }

    /// A whole number from 0 to 2^53, which may be written with a fraction of zero or an exponent.
    pub(crate) fn optional_count(&self, name: &str) -> Result<Option<u64>> {
        const EXPECTED: &str = "a whole number from 0 to 9007199254740992";
        let Some(raw) = self.raw(name).filter(|raw| *raw != "null") else { return Ok(None) };
        whole_number(raw).map(Some).ok_or_else(|| self.wrong(name, EXPECTED))
    }

    /// A field of any type that serde deserializes.
    pub(crate) fn optional<T: DeserializeOwned>(&self, name: &str, expected: &str) -> Result<Option<T>> {
        match self.field(name) {
            None => Ok(None),
            Some(raw) if is_null(raw) => Ok(None),
            Some(raw) => serde_json::from_str(raw.get()).map(Some).map_err(|_| self.wrong(name, expected)),
        }
    }

    /// A field of a type that reports its own errors.
    pub(crate) fn optional_form<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        match self.field(name) {
            None => Ok(None),
            Some(raw) if is_null(raw) => Ok(None),
            Some(raw) => serde_json::from_str(raw.get())
                .map(Some)
                .map_err(|error| Error::invalid(format!("field {name}: {error}"))),
        }
    }

    /// Whether the key is present, possibly with null.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.field(name).is_some()
    }

    /// The error for a missing field.
    pub(crate) fn missing(&self, name: &str, expected: &str) -> Error {
        match self.field(name) {
            Some(_) => self.wrong(name, expected),
            None => Error::invalid(format!("field {name} is missing, expected {expected}")),
        }
    }

    fn wrong(&self, name: &str, expected: &str) -> Error {
        let found = self.field(name).map_or("nothing", RawValue::get);
        Error::invalid(format!("field {name}: expected {expected}, found {}", shown_json(found)))
    }

    /// A field's JSON as received.
    pub(crate) fn raw(&self, name: &str) -> Option<&str> {
        self.field(name).map(RawValue::get)
    }

    fn field(&self, name: &str) -> Option<&RawValue> {
        self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
    }
}

/// The digits decide, not the nearest double: 2^53 + 1 is not a double and is too large.
fn whole_number(raw: &str) -> Option<u64> {
    const LARGEST: u64 = 1 << 53;
    let without_fraction =
        raw.split_once('.').filter(|(_, fraction)| fraction.bytes().all(|digit| digit == b'0'));
    if let Ok(number) = without_fraction.map_or(raw, |(whole, _)| whole).parse::<u64>() {
        return (number <= LARGEST).then_some(number);
    }
    // With an exponent, or a negative zero.
    let number: f64 = serde_json::from_str(raw).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "a power of two")]
    let is_whole = (0.0..LARGEST as f64).contains(&number) && number.fract() == 0.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and in range")]
    is_whole.then_some(number as u64)
}

fn is_null(raw: &RawValue) -> bool {
    raw.get() == "null"
}

/// Short values unchanged, long ones by their kind.
fn shown_json(raw: &str) -> String {
    const MAX_BYTES: usize = 40;
    match raw.as_bytes().first() {
        _ if raw.len() <= MAX_BYTES => raw.to_owned(),
        Some(b'{') => "an object".to_owned(),
        Some(b'[') => "an array".to_owned(),
        Some(b'"') => "a string".to_owned(),
        _ => shown(raw),
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut fields: Vec<(String, Box<RawValue>)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if fields.iter().any(|(known, _)| *known == key) {
                return Err(A::Error::custom(format_args!("key {} stands twice", shown(&key))));
            }
            if fields.len() == MAX_KEYS {
                return Err(A::Error::custom(format_args!("more than {MAX_KEYS} keys")));
            }
            fields.push((key, map.next_value()?));
        }
        Ok(Object { fields })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(body: &str, read: impl Fn(&Object) -> Result<String>, expected: &str) {
        let found = Object::parse(body.as_bytes()).and_then(|object| read(&object));
        assert_eq!(found.unwrap_or_else(|error| error.to_string()), expected, "{body}");
    }

    #[test]
    fn bodies_that_are_not_one_object_are_refused() {
        let check = |body, expected: &str| check(body, |_| Ok("fine".to_owned()), expected);
        check("", "the body is empty, expected one JSON object");
        check("{}", "fine");
        check(" {\"x\": [[{}]], \"y\": 1e999} ", "fine");
        check("[]", "the body: invalid type: sequence, expected one JSON object at line 1 column 0");
        check("\"{}\"", "the body: invalid type: string \"{}\", expected one JSON object at line 1 column 4");
        check("{", "the body: EOF while parsing an object at line 1 column 1");
        check("{} {}", "the body: trailing characters at line 1 column 4");
        check("{\"a\":1,\"a\":1}", "the body: key \"a\" stands twice at line 1 column 10");
        check("{\"a\":1,\"\\u0061\":1}", "the body: key \"a\" stands twice at line 1 column 15");
        assert!(Object::parse(b"{\"a\":\"\xff\"}").is_err());
        assert!(Object::parse(format!("{}1{}", "{\"a\":".repeat(3), "}".repeat(3)).as_bytes()).is_ok());
    }

    #[test]
    fn deep_nesting_does_not_overflow_and_too_many_keys_are_refused() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert!(Object::parse(deep.as_bytes()).is_ok_and(|object| object.required_text("a").is_err()));
        let many: String = (0..1000).map(|key| format!("\"k{key}\":1,")).collect();
        assert!(Object::parse(format!("{{{many}\"z\":1}}").as_bytes()).is_err());
    }

    #[test]
    fn texts() {
        let check = |body, expected: &str| check(body, |object| object.required_text("sql"), expected);
        check("{\"sql\":\"SELECT \\u00e9\"}", "SELECT é");
        check("{\"other\":1}", "field sql is missing, expected a string");
        check("{\"sql\":\"\"}", "field sql is empty");
        check("{\"sql\":null}", "field sql: expected a string, found null");
        check("{\"sql\":7}", "field sql: expected a string, found 7");
        check("{\"sql\":\"\\ud800\"}", "field sql: expected a string, found \"\\ud800\"");
        let long = format!("{{\"sql\":[{}1]}}", "1,".repeat(100));
        check(&long, "field sql: expected a string, found an array");
    }

    #[test]
    fn counts() {
        let check = |value: &str, expected: &str| {
            let body = format!("{{\"cacheTTL\":{value}}}");
            let read = |object: &Object| Ok(format!("{:?}", object.optional_count("cacheTTL")?));
            self::check(&body, read, expected);
        };
        check("60", "Some(60)");
        check("60.0", "Some(60)");
        check("0", "Some(0)");
        check("6e1", "Some(60)");
        check("-0", "Some(0)");
        check("9007199254740992", "Some(9007199254740992)");
        check("null", "None");
        for wrong in
            ["-1", "1.5", "\"60\"", "true", "1e300", "[]", "9007199254740993", "9007199254740993.0", "1e16"]
        {
            let expected = "a whole number from 0 to 9007199254740992";
            check(wrong, &format!("field cacheTTL: expected {expected}, found {wrong}"));
        }
    }

    #[test]
    fn null_and_absent_are_distinguished() {
        let check = |body, expected: &str| {
            self::check(body, |object| Ok(format!("{:?}", object.nullable_text("title")?)), expected);
        };
        check("{}", "None");
        check("{\"title\":null}", "Some(None)");
        check("{\"title\":\"x\"}", "Some(Some(\"x\"))");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(body in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = Object::parse(&body).map(|object| object.optional_text("a"));
        }
    }
}
