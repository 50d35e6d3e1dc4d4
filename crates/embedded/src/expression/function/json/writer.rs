//! JSON written anew, as Trino writes it: without spaces, numbers that are not whole as Java's doubles, characters
//! beyond 16 bits as two escapes.

use std::fmt::Write as _;

use super::reader::{Reader, Token};
use crate::conversion::number_text::java_double;

/// The value that begins with this token; none where it is no JSON.
pub(super) fn written(json: &mut Reader<'_>, first: Token) -> Option<String> {
    let mut output = String::new();
    let (mut token, mut depth) = (first, 0_usize);
    let mut is_first = true;
    loop {
        let is_end = matches!(token, Token::EndObject | Token::EndArray);
        if !is_first && !is_end {
            output.push(',');
        }
        is_first = matches!(token, Token::StartObject | Token::StartArray | Token::Name);
        match token {
            Token::StartObject => output.push('{'),
            Token::EndObject => output.push('}'),
            Token::StartArray => output.push('['),
            Token::EndArray => output.push(']'),
            Token::Name => {
                write_text(&json.units()?, &mut output);
                output.push(':');
            }
            Token::Text => write_text(&json.units()?, &mut output),
            Token::Integer => output.push_str(if json.raw() == "-0" { "0" } else { json.raw() }),
            Token::Fraction => write_double(json.raw().parse().ok()?, &mut output),
            Token::True | Token::False | Token::Null => output.push_str(json.raw()),
        }
        match token {
            Token::StartObject | Token::StartArray => depth += 1,
            Token::EndObject | Token::EndArray => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(output);
        }
        token = json.next()?;
    }
}

/// A double that JSON has no form for is a text.
fn write_double(number: f64, output: &mut String) {
    let text = java_double(number);
    if number.is_finite() {
        output.push_str(&text);
    } else {
        output.push('"');
        output.push_str(&text);
        output.push('"');
    }
}

fn write_text(units: &[u16], output: &mut String) {
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
        match char::from_u32(u32::from(*unit)).filter(|character| *character >= ' ') {
            _ if !escaped.is_empty() => output.push_str(escaped),
            Some(character) => output.push(character),
            // OK to ignore: a string takes everything.
            None => {
                let _ = write!(output, "\\u{unit:04X}");
            }
        }
    }
    output.push('"');
}
