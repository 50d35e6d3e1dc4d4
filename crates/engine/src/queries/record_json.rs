//! Writes a record as JSON, the same bytes as serde_json's. Half of a record are the names of its fields, which serde_json
//! searches for escapes byte by byte; here they are copied, and texts are searched sixteen bytes at a time. A cache hit is
//! little more than its record.

use std::fmt;

use serde::ser::{
    Error as _, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple,
    Serializer,
};

/// What a record of a small result takes.
const USUAL_BYTES: usize = 1536;
/// Texts are searched in steps of so many bytes.
const STEP_BYTES: usize = 16;

/// A value as JSON, or none if it has a form that records seldom have: numbers beyond 64 bits, bytes, JSON that is already
/// written, names of map entries that are no texts.
pub(super) fn to_vec(value: &impl Serialize) -> Option<Vec<u8>> {
    let mut writer = Writer { json: Vec::with_capacity(USUAL_BYTES) };
    value.serialize(&mut writer).ok()?;
    Some(writer.json)
}

/// The JSON so far.
struct Writer {
    json: Vec<u8>,
}

/// A form that serde_json writes.
#[derive(Debug)]
struct OtherForm;

impl fmt::Display for OtherForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a form that is not written here")
    }
}

impl std::error::Error for OtherForm {}

impl serde::ser::Error for OtherForm {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

type Outcome = Result<(), OtherForm>;

impl Writer {
    fn put(&mut self, plain: &str) -> Outcome {
        self.json.extend_from_slice(plain.as_bytes());
        Ok(())
    }

    fn put_integer(&mut self, number: impl itoa::Integer) -> Outcome {
        self.put(itoa::Buffer::new().format(number))
    }

    fn put_text(&mut self, text: &str) -> Outcome {
        if has_escapes(text.as_bytes()) {
            return self.put_as_serde_json(text);
        }
        self.json.push(b'"');
        self.json.extend_from_slice(text.as_bytes());
        self.json.push(b'"');
        Ok(())
    }

    fn put_as_serde_json<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
        serde_json::to_writer(&mut self.json, value).map_err(OtherForm::custom)
    }
}

/// Whether a text has bytes that JSON escapes.
fn has_escapes(text: &[u8]) -> bool {
    let is_escaped = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    let (steps, rest) = text.as_chunks::<STEP_BYTES>();
    // Without branches, a step is a few vector instructions.
    let in_step = |step: &[u8; STEP_BYTES]| step.iter().fold(false, |found, &byte| found | is_escaped(byte));
    steps.iter().any(in_step) || rest.iter().any(|&byte| is_escaped(byte))
}

/// The elements of an array or an object.
struct Elements<'w> {
    writer: &'w mut Writer,
    is_empty: bool,
    /// What closes it.
    end: &'static str,
}

impl Elements<'_> {
    fn separate(&mut self) {
        if !std::mem::replace(&mut self.is_empty, false) {
            self.writer.json.push(b',');
        }
    }
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = OtherForm;
    type SerializeSeq = Elements<'w>;
    type SerializeTuple = Elements<'w>;
    type SerializeTupleStruct = Impossible<(), OtherForm>;
    type SerializeTupleVariant = Impossible<(), OtherForm>;
    type SerializeMap = Elements<'w>;
    type SerializeStruct = Elements<'w>;
    type SerializeStructVariant = Impossible<(), OtherForm>;

    fn serialize_bool(self, value: bool) -> Outcome {
        self.put(if value { "true" } else { "false" })
    }

    fn serialize_i8(self, value: i8) -> Outcome {
        self.put_integer(value)
    }

    fn serialize_i16(self, value: i16) -> Outcome {
        self.put_integer(value)
    }

    fn serialize_i32(self, value: i32) -> Outcome {
        self.put_integer(value)
    }

    fn serialize_i64(self, value: i64) -> Outcome {
        self.put_integer(value)
    }

    fn serialize_u8(self, value: u8) -> Outcome {
        self.put_integer(value)
    }

    fn serialize_u16(self, value: u16) -> Outcome {
        self.put_integer(value)
    }

    fn serialize_u32(self, value: u32) -> Outcome {
        self.put_integer(value)
    }

    fn serialize_u64(self, value: u64) -> Outcome {
        self.put_integer(value)
    }

    fn serialize_f32(self, value: f32) -> Outcome {
        self.put_as_serde_json(&value)
    }

    fn serialize_f64(self, value: f64) -> Outcome {
        self.put_as_serde_json(&value)
    }

    fn serialize_char(self, value: char) -> Outcome {
        self.put_text(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Outcome {
        self.put_text(value)
    }

    fn serialize_bytes(self, _value: &[u8]) -> Outcome {
        Err(OtherForm)
    }

    fn serialize_none(self) -> Outcome {
        self.put("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Outcome {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Outcome {
        self.put("null")
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Outcome {
        self.put("null")
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Outcome {
        self.put_text(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Outcome {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Outcome {
        Err(OtherForm)
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Elements<'w>, OtherForm> {
        self.json.push(b'[');
        Ok(Elements { writer: self, is_empty: true, end: "]" })
    }

    fn serialize_tuple(self, length: usize) -> Result<Elements<'w>, OtherForm> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleStruct, OtherForm> {
        Err(OtherForm)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant, OtherForm> {
        Err(OtherForm)
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Elements<'w>, OtherForm> {
        self.json.push(b'{');
        Ok(Elements { writer: self, is_empty: true, end: "}" })
    }

    fn serialize_struct(self, name: &'static str, _length: usize) -> Result<Elements<'w>, OtherForm> {
        // JSON that is already written has the form of a structure with such a name.
        if name.starts_with('$') {
            return Err(OtherForm);
        }
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant, OtherForm> {
        Err(OtherForm)
    }
}

impl SerializeSeq for Elements<'_> {
    type Ok = ();
    type Error = OtherForm;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
        self.separate();
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Outcome {
        self.writer.put(self.end)
    }
}

impl SerializeTuple for Elements<'_> {
    type Ok = ();
    type Error = OtherForm;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Outcome {
        SerializeSeq::end(self)
    }
}

impl SerializeMap for Elements<'_> {
    type Ok = ();
    type Error = OtherForm;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Outcome {
        self.separate();
        let start = self.writer.json.len();
        name.serialize(&mut *self.writer)?;
        // Other names than texts are written between quotes, too.
        if self.writer.json.get(start) == Some(&b'"') { Ok(()) } else { Err(OtherForm) }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
        self.writer.json.push(b':');
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Outcome {
        self.writer.put(self.end)
    }
}

impl SerializeStruct for Elements<'_> {
    type Ok = ();
    type Error = OtherForm;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Outcome {
        self.separate();
        // A field's name in this project's types needs no escape.
        let json = &mut self.writer.json;
        json.push(b'"');
        json.extend_from_slice(name.as_bytes());
        json.extend_from_slice(b"\":");
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Outcome {
        self.writer.put(self.end)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde_json::{Value, json, value::RawValue};

    use super::*;

    fn values() -> impl Strategy<Value = Value> {
        let text = prop_oneof![any::<String>(), "[ -~]{0,40}", "[\"\\\\a\u{0}-\u{1f}é]{0,20}"];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            text.clone().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 6, move |inner| {
            let members = proptest::collection::btree_map(text.clone(), inner.clone(), 0..6);
            prop_oneof![
                proptest::collection::vec(inner, 0..6).prop_map(Value::from),
                members.prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_bytes_are_those_of_serde_json(value in values()) {
            let own = to_vec(&value).expect("a form of JSON");
            prop_assert_eq!(String::from_utf8(own).expect("UTF-8"), serde_json::to_string(&value).expect("JSON"));
        }

        #[test]
        fn fields_are_those_of_serde_json(
            id in any::<String>(),
            sql in proptest::option::of(any::<String>()),
            number in any::<u64>(),
            state in any::<String>(),
        ) {
            use rowhouse_model::{Query, QueryId, QueryStats, QueryStatus, Timestamp, WorkspaceId};
            let mut query = Query::bare(QueryId::new(id), WorkspaceId::new("w"));
            query.sql = sql;
            query.status = Some(QueryStatus::Finished);
            query.started_at = Some(Timestamp::from_millis((number >> 24) as i64));
            query.row_count = Some(number);
            query.query_stats = Some(QueryStats { state, total_splits: number, ..QueryStats::default() });
            let own = to_vec(&query).expect("a form of records");
            prop_assert_eq!(String::from_utf8(own).expect("UTF-8"), serde_json::to_string(&query).expect("JSON"));
        }
    }

    #[test]
    fn other_forms_are_left_to_serde_json() {
        let raw = RawValue::from_string("[1, 2]".to_owned()).expect("JSON");
        assert_eq!(to_vec(&json!({ "a": 1 })).as_deref(), Some(&b"{\"a\":1}"[..]));
        assert_eq!(to_vec(&raw), None);
        assert_eq!(to_vec(&BTreeMap::from([("a", raw)])), None);
        assert_eq!(to_vec(&BTreeMap::from([(1, 2)])), None);
        assert_eq!(to_vec(&Some(1_u128 << 100)), None);
    }

    #[test]
    fn every_byte_is_judged_in_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..40 {
                let mut text = vec![b'a'; 40];
                text[place] = byte;
                let expected = byte < 0x20 || byte == b'"' || byte == b'\\';
                assert_eq!(has_escapes(&text), expected, "{byte} at {place}");
            }
        }
    }
}
