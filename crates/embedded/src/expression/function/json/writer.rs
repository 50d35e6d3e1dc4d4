//! Rewrites JSON token by token, as Trino prints the target of a path: members retain their order, and names may be
//! repeated.

use rowhouse_sql::json_text::{Reader, Token};

use crate::json::{write_double, write_text};

/// The value that begins with this token; `None` if it is not valid JSON.
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
                write_text(json.units()?, &mut output);
                output.push(':');
            }
            Token::Text => write_text(json.units()?, &mut output),
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
