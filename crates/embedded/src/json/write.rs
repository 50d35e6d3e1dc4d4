//! Prints JSON like Trino: without spaces, numbers that are not integers as Java's doubles, characters beyond 16 bits
//! as two escapes.

use std::fmt::Write as _;

use super::Item;
use crate::conversion::number_text::java_double;

/// The length of an escaped 16-bit unit.
const ESCAPE_BYTES: usize = 6;

/// Appends a value.
pub(crate) fn write_item(item: &Item, output: &mut String) {
    match item {
        Item::Null | Item::Missing => output.push_str("null"),
        Item::Boolean(value) => output.push_str(if *value { "true" } else { "false" }),
        Item::Digits(digits) => output.push_str(digits),
        Item::Double(number) => write_double(*number, output),
        Item::Text(text) => write_text(text.encode_utf16(), output),
        Item::Array(elements) => write_array(elements, output),
        Item::Object(members) => {
            output.push('{');
            for (place, (name, value)) in members.iter().enumerate() {
                if place > 0 {
                    output.push(',');
                }
                write_text(name.encode_utf16(), output);
                output.push(':');
                write_item(value, output);
            }
            output.push('}');
        }
    }
}

/// Appends an array of these elements.
pub(crate) fn write_array<'e>(elements: impl IntoIterator<Item = &'e Item>, output: &mut String) {
    output.push('[');
    for (place, element) in elements.into_iter().enumerate() {
        if place > 0 {
            output.push(',');
        }
        write_item(element, output);
    }
    output.push(']');
}

/// Appends a double; NaN and the infinities become texts.
pub(crate) fn write_double(number: f64, output: &mut String) {
    let text = java_double(number);
    if number.is_finite() {
        output.push_str(&text);
    } else {
        output.push('"');
        output.push_str(&text);
        output.push('"');
    }
}

/// Appends a text, given as 16-bit units, in quotes.
pub(crate) fn write_text(units: impl IntoIterator<Item = u16>, output: &mut String) {
    output.push('"');
    for unit in units {
        let escaped = match unit {
            0x22 => "\\\"",
            0x5c => "\\\\",
            0x08 => "\\b",
            0x09 => "\\t",
            0x0a => "\\n",
            0x0c => "\\f",
            0x0d => "\\r",
            _ => "",
        };
        match char::from_u32(u32::from(unit)).filter(|character| *character >= ' ') {
            _ if !escaped.is_empty() => output.push_str(escaped),
            Some(character) => output.push(character),
            // OK to ignore: writing to a string does not fail.
            None => {
                let _ = write!(output, "\\u{unit:04X}");
            }
        }
    }
    output.push('"');
}

/// JSON text as written by [`write_text`], with characters beyond 16 bits instead of their two escapes, as Trino prints
/// JSON in a cast to a type that contains `json`. Half of a character becomes `?`.
pub(crate) fn unescaped(json: &str) -> String {
    let mut output = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        output.push_str(&rest[..at]);
        rest = &rest[at..];
        let unit = |from: usize| {
            let digits = rest.get(from..)?.strip_prefix("\\u")?.get(..ESCAPE_BYTES - 2)?;
            u16::from_str_radix(digits, 16).ok()
        };
        let length = match (unit(0), unit(ESCAPE_BYTES)) {
            (Some(high @ 0xD800..0xDC00), Some(low @ 0xDC00..0xE000)) => {
                output.extend(char::decode_utf16([high, low]).flatten());
                2 * ESCAPE_BYTES
            }
            (Some(0xD800..0xE000), _) => {
                output.push('?');
                ESCAPE_BYTES
            }
            // An escaped character does not begin another escape.
            _ => {
                output.push_str(&rest[..2]);
                2
            }
        };
        rest = &rest[length..];
    }
    output.push_str(rest);
    output
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn characters_beyond_16_bits_are_unescaped() {
        for (json, expected) in [
            (r#"["\uD83D\uDE00é"]"#, r#"["😀é"]"#),
            (r#""\\uD83D\\uDE00""#, r#""\\uD83D\\uDE00""#),
            (r#""\uD83D abDE00""#, r#""? abDE00""#),
            (r#""\uDE00\uD83D\n""#, r#""??\n""#),
            (r#""\u0001\"\\""#, r#""\u0001\"\\""#),
        ] {
            assert_eq!(unescaped(json), expected, "{json}");
        }
    }
}
