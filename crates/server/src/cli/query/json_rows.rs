//! Converts NDJSON to one JSON array, chunk by chunk: rows stay as the server wrote them, digit by digit.

/// Has seen the pieces so far.
#[derive(Debug, Default)]
pub(super) struct JsonRows {
    has_rows: bool,
    is_inside_row: bool,
}

impl JsonRows {
    /// The next chunk as part of the array; `None` is the end, which closes the array.
    pub(super) fn push(&mut self, chunk: Option<&[u8]>) -> Vec<u8> {
        let Some(chunk) = chunk else {
            return if self.has_rows { b"\n]\n".to_vec() } else { b"[]\n".to_vec() };
        };
        let mut written = Vec::with_capacity(chunk.len() + 8);
        for part in chunk.split_inclusive(|&byte| byte == b'\n') {
            let line = part.strip_suffix(b"\n").unwrap_or(part);
            if !line.is_empty() && !self.is_inside_row {
                written.extend_from_slice(if self.has_rows { b",\n" } else { b"[\n" });
                self.has_rows = true;
            }
            written.extend_from_slice(line);
            self.is_inside_row = line.len() == part.len() && (self.is_inside_row || !line.is_empty());
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::JsonRows;

    fn check(ndjson: &str, expected: &str) {
        for piece in [1, 2, 3, 1000] {
            let mut rows = JsonRows::default();
            let mut written: Vec<u8> =
                ndjson.as_bytes().chunks(piece).flat_map(|chunk| rows.push(Some(chunk))).collect();
            written.extend(rows.push(None));
            assert_eq!(String::from_utf8(written).expect("text"), expected);
        }
    }

    #[test]
    fn ndjson_lines_become_array_elements() {
        check("", "[]\n");
        check("{\"a\":1}\n", "[\n{\"a\":1}\n]\n");
        check("{\"a\":1.10}\n{\"a\":2}\n", "[\n{\"a\":1.10},\n{\"a\":2}\n]\n");
        check("{}\n\n{}", "[\n{},\n{}\n]\n");
    }

    proptest! {
        #[test]
        fn any_pieces_form_an_array(texts in proptest::collection::vec(".{0,9}", 0..5), piece in 1_usize..7) {
            let ndjson: String = texts.iter().map(|text| json!({ "t": text }).to_string() + "\n").collect();
            let mut rows = JsonRows::default();
            let mut written: Vec<u8> =
                ndjson.as_bytes().chunks(piece).flat_map(|chunk| rows.push(Some(chunk))).collect();
            written.extend(rows.push(None));
            let read: Vec<Value> = serde_json::from_slice(&written).expect("an array");
            let expected: Vec<Value> = texts.iter().map(|text| json!({ "t": text })).collect();
            prop_assert_eq!(read, expected);
        }
    }
}
