//! Splits a JSON array that arrives in pieces into its elements. It recognizes only strings and brackets; the caller
//! parses the elements.

use bytes::{Buf, Bytes, BytesMut};

use crate::{Error, ErrorKind, Result};

/// Holds the element that is being split off, and no more of the answer.
#[derive(Debug)]
pub(crate) struct JsonArraySplitter {
    buffer: BytesMut,
    /// Bytes of the buffer that were scanned and belong to the current element.
    scanned: usize,
    place: Place,
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    element_limit_bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before `[`.
    Start,
    /// After `[`: an element or `]`.
    First,
    /// After `,`: an element.
    Next,
    /// Inside an element.
    Element,
    /// After an element: `,` or `]`.
    After,
    /// After `]`.
    End,
}

impl JsonArraySplitter {
    pub(crate) fn new(element_limit_bytes: usize) -> Self {
        Self {
            buffer: BytesMut::new(),
            scanned: 0,
            place: Place::Start,
            depth: 0,
            in_string: false,
            is_escaped: false,
            element_limit_bytes,
        }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.buffer.extend_from_slice(chunk);
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.place == Place::End
    }

    /// The next complete element, or `None` until more is pushed.
    pub(crate) fn next_element(&mut self) -> Result<Option<Bytes>> {
        loop {
            if self.place == Place::Element {
                return self.rest_of_element();
            }
            let Some(&byte) = self.buffer.first() else {
                return Ok(None);
            };
            self.place = match (self.place, byte) {
                (place, b' ' | b'\t' | b'\r' | b'\n') => place,
                (Place::Start, b'[') => Place::First,
                (Place::First | Place::After, b']') => Place::End,
                (Place::After, b',') => Place::Next,
                (Place::First | Place::Next, byte) if !matches!(byte, b',' | b']' | b'}' | b':') => {
                    self.place = Place::Element;
                    continue;
                }
                (_, byte) => {
                    let byte = byte.escape_ascii();
                    return Err(Error::new(
                        ErrorKind::Decode,
                        format!("unexpected '{byte}' in an array of rows"),
                    ));
                }
            };
            self.buffer.advance(1);
        }
    }

    fn rest_of_element(&mut self) -> Result<Option<Bytes>> {
        for (at, &byte) in self.buffer.iter().enumerate().skip(self.scanned) {
            if self.in_string {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth > 0 => self.depth -= 1,
                b',' | b']' | b'}' if self.depth == 0 => {
                    self.scanned = 0;
                    self.place = Place::After;
                    return Ok(Some(self.buffer.split_to(at).freeze()));
                }
                _ => {}
            }
        }
        self.scanned = self.buffer.len();
        let limit_bytes = self.element_limit_bytes;
        if self.scanned > limit_bytes {
            let message = format!("a row is longer than {limit_bytes} bytes");
            return Err(Error::new(ErrorKind::TooLarge { limit_bytes }, message));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::JsonArraySplitter;
    use crate::{Error, Result};

    fn split(text: &[u8], piece: usize) -> Result<(Vec<Value>, bool)> {
        let mut splitter = JsonArraySplitter::new(1000);
        let mut elements = Vec::new();
        for chunk in text.chunks(piece) {
            splitter.push(chunk);
            while let Some(element) = splitter.next_element()? {
                elements.push(serde_json::from_slice(&element).expect("an element is JSON"));
            }
        }
        Ok((elements, splitter.is_complete()))
    }

    #[test]
    fn arrays_of_every_kind() {
        for value in [
            json!([]),
            json!([1]),
            json!([{}, [], "", null]),
            json!([{ "a": "],}\"\\" }, { "b": [1, { "c": "[{" }] }, -1.5e3, true]),
        ] {
            let expected = value.as_array().expect("an array").clone();
            for text in [value.to_string(), serde_json::to_string_pretty(&value).expect("JSON") + "\n"] {
                for piece in [1, 2, 7, 1000] {
                    assert_eq!(split(text.as_bytes(), piece).expect("an array"), (expected.clone(), true));
                }
            }
        }
    }

    #[test]
    fn a_truncated_array_is_not_complete() {
        for text in ["", "[", "[1", "[1,", "[{\"a\": 1}", "[\"a"] {
            assert!(!split(text.as_bytes(), 1).expect("so far an array").1, "{text}");
        }
    }

    #[test]
    fn anything_but_an_array_is_an_error() {
        for text in ["{\"code\":1}", "[,]", "[1,]", "[1],", "[1]]", "nul", "[}"] {
            let error: Error = split(text.as_bytes(), 3).expect_err(text);
            assert!(error.message().starts_with("unexpected '"), "{error}");
        }
        let long = format!("[\"{}\"]", "x".repeat(2000));
        assert_eq!(
            split(long.as_bytes(), 64).expect_err("long").message(),
            "a row is longer than 1000 bytes"
        );
    }

    proptest! {
        #[test]
        fn pieces_may_have_any_size(strings in proptest::collection::vec("\\PC{0,8}", 0..6), piece in 1_usize..9) {
            let value = json!(strings);
            let (elements, is_complete) = split(value.to_string().as_bytes(), piece).expect("an array");
            prop_assert!(is_complete);
            prop_assert_eq!(Value::Array(elements), value);
        }
    }
}
