//! CAST to `json` and from it, with Trino's rules: a JSON scalar is cast like the SQL value that it represents, arrays
//! become arrays and rows, objects become rows by the names of their fields.

use rowhouse_sql::json_text::{Reader, Token};
use rowhouse_sql::types::{RowField, Type};

use super::number_text::{java_decimal, java_double, java_real, parse_decimal};
use super::{convert, to_text};
use crate::datum::{Datum, compare, in_order_of_keys};
use crate::json::{Item, unescaped, write_double, write_item, write_text};

/// The JSON text of a value that is not NULL.
pub(super) fn to_json(value: &Datum<'_>, from: &Type) -> String {
    let mut output = String::new();
    write(value, from, &mut output);
    output
}

fn write(value: &Datum<'_>, from: &Type, output: &mut String) {
    match (value, from) {
        (Datum::Null, _) => output.push_str("null"),
        (Datum::Text(json), Type::Json) => output.push_str(json),
        #[expect(clippy::cast_possible_truncation, reason = "the digits of a real are those of 32 bits")]
        (Datum::Double(number), Type::Real) => match number.is_finite() {
            true => output.push_str(&java_real(*number as f32)),
            false => write_double(*number, output),
        },
        (Datum::Double(number), _) => write_double(*number, output),
        (Datum::Decimal(number), Type::Decimal { scale, .. }) => {
            output.push_str(&java_decimal(*number, *scale));
        }
        (Datum::Boolean(_), _) => output.push_str(&to_text(value, from)),
        (Datum::Integer(_), integer) if integer.is_integer() => output.push_str(&to_text(value, from)),
        (Datum::Array(elements), Type::Array(element)) => {
            output.push('[');
            for (place, value) in elements.iter().enumerate() {
                if place > 0 {
                    output.push(',');
                }
                write(value, element, output);
            }
            output.push(']');
        }
        (Datum::Array(entries), Type::Map(key, value)) => write_map(entries, key, value, output),
        (Datum::Row(values), Type::Row(fields)) => {
            output.push('{');
            for (place, (value, RowField { name, data_type })) in values.iter().zip(fields).enumerate() {
                if place > 0 {
                    output.push(',');
                }
                write_text(name.as_deref().unwrap_or_default().encode_utf16(), output);
                output.push(':');
                write(value, data_type, output);
            }
            output.push('}');
        }
        (value, from) => {
            let text = to_text(value, from);
            // Only the protocol prints the sign of years beyond 9999.
            let text = if *from == Type::Date { text.trim_start_matches('+') } else { &text };
            write_text(text.encode_utf16(), output);
        }
    }
}

/// Writes an object with a member for each entry, ordered by name.
fn write_map(entries: &[Datum<'_>], key_type: &Type, value_type: &Type, output: &mut String) {
    let mut members: Vec<(Vec<u16>, &Datum<'_>)> = Vec::with_capacity(entries.len());
    for entry in entries {
        if let [key, value] = entry.elements() {
            members.push((name_of(key, key_type).encode_utf16().collect(), value));
        }
    }
    members.sort_by(|(left, _), (right, _)| left.cmp(right));
    output.push('{');
    for (place, (name, value)) in members.into_iter().enumerate() {
        if place > 0 {
            output.push(',');
        }
        write_text(name, output);
        output.push(':');
        write(value, value_type, output);
    }
    output.push('}');
}

/// A key as the name of a member: `real` and `double` keys are printed as in JSON.
fn name_of(key: &Datum<'_>, key_type: &Type) -> String {
    match (key, key_type) {
        #[expect(clippy::cast_possible_truncation, reason = "the digits of a real are those of 32 bits")]
        (Datum::Double(number), Type::Real) => java_real(*number as f32),
        (Datum::Double(number), _) => java_double(*number),
        _ => to_text(key, key_type),
    }
}

/// Converts a JSON text to a value of a type; `null` becomes NULL.
///
/// # Errors
///
/// The message names the value that cannot be cast.
pub(super) fn from_json(text: &str, to: &Type) -> Result<Datum<'static>, String> {
    let mut json = Reader::new(text);
    let first = json.next().ok_or_else(|| format!("Cannot cast '{text}' to {to}"))?;
    read(&mut json, first, to).map_err(|fault| match fault {
        Fault::Value(message) => message,
        Fault::Shape(message) if matches!(to, Type::Array(_) | Type::Map(..) | Type::Row(_)) => {
            format!("Cannot cast to {to}. {message}\n{text}")
        }
        Fault::Shape(_) => format!("Cannot cast '{text}' to {to}"),
    })
}

/// Why JSON cannot be cast to a type.
enum Fault {
    /// The JSON has another shape than the type.
    Shape(String),
    /// A scalar cannot be cast.
    Value(String),
}

fn read(json: &mut Reader<'_>, token: Token, to: &Type) -> Result<Datum<'static>, Fault> {
    if *to == Type::Json {
        return tree(json, token);
    }
    if token == Token::Null {
        return Ok(Datum::Null);
    }
    match to {
        Type::Array(element) => array(json, token, element),
        Type::Map(key, value) => map(json, token, key, value),
        Type::Row(fields) => row(json, token, fields),
        _ => scalar(json, token, to),
    }
}

fn no_json() -> Fault {
    Fault::Shape("Unexpected end-of-input".to_owned())
}

fn tree(json: &mut Reader<'_>, token: Token) -> Result<Datum<'static>, Fault> {
    let item = Item::begun(json, token).ok_or_else(no_json)?;
    let mut output = String::new();
    write_item(&item, &mut output);
    Ok(Datum::from_text(unescaped(&output)))
}

fn array(json: &mut Reader<'_>, token: Token, element: &Type) -> Result<Datum<'static>, Fault> {
    if token != Token::StartArray {
        return Err(Fault::Shape(format!("Expected a json array, but got {}", shown(json, token))));
    }
    let mut elements = Vec::new();
    loop {
        let token = json.next().ok_or_else(no_json)?;
        if token == Token::EndArray {
            return Ok(Datum::Array(elements));
        }
        elements.push(read(json, token, element)?);
    }
}

/// Reads an object as a map, with names as keys.
fn map(json: &mut Reader<'_>, token: Token, key: &Type, value: &Type) -> Result<Datum<'static>, Fault> {
    if token != Token::StartObject {
        return Err(Fault::Shape(format!("Expected a json object, but got {}", shown(json, token))));
    }
    let mut entries: Vec<Datum<'static>> = Vec::new();
    loop {
        if json.next().ok_or_else(no_json)? == Token::EndObject {
            let entries = in_order_of_keys(Datum::Array(entries));
            let keys = || entries.elements().iter().filter_map(|entry| entry.elements().first());
            if keys().zip(keys().skip(1)).any(|(left, right)| compare(left, right).is_eq()) {
                return Err(Fault::Shape("Duplicate map keys are not allowed".to_owned()));
            }
            return Ok(entries);
        }
        let name = json.text().ok_or_else(no_json)?.into_owned();
        let name = match key {
            Type::Varchar { .. } => text_of(name, key)?,
            _ => convert(&Datum::from_text(name), &Type::VARCHAR, key).map_err(Fault::Value)?,
        };
        let token = json.next().ok_or_else(no_json)?;
        entries.push(Datum::Row(vec![name, read(json, token, value)?]));
    }
}

/// Reads a row: an array by position, an object by field names.
fn row(json: &mut Reader<'_>, token: Token, fields: &[RowField]) -> Result<Datum<'static>, Fault> {
    match token {
        Token::StartArray => {
            let mut values = Vec::with_capacity(fields.len());
            for field in fields {
                let token = json.next().ok_or_else(no_json)?;
                values.push(read(json, token, &field.data_type)?);
            }
            match json.next().ok_or_else(no_json)? {
                Token::EndArray => Ok(Datum::Row(values)),
                token => {
                    let found = shown(json, token);
                    Err(Fault::Shape(format!("Expected json array ending, but got {found}")))
                }
            }
        }
        Token::StartObject => members(json, fields),
        _ => {
            let found = shown(json, token);
            Err(Fault::Shape(format!("Expected a json array or object, but got {found}")))
        }
    }
}

fn members(json: &mut Reader<'_>, fields: &[RowField]) -> Result<Datum<'static>, Fault> {
    if fields.first().is_some_and(|field| field.name.is_none()) {
        let message = "Cannot cast a JSON object to anonymous row type. Input must be a JSON array.";
        return Err(Fault::Shape(message.to_owned()));
    }
    let mut values = vec![None; fields.len()];
    loop {
        if json.next().ok_or_else(no_json)? == Token::EndObject {
            let values = values.into_iter().map(|value| value.unwrap_or(Datum::Null));
            return Ok(Datum::Row(values.collect()));
        }
        let name = json.text().ok_or_else(no_json)?.to_lowercase();
        let token = json.next().ok_or_else(no_json)?;
        let place = fields.iter().rposition(|field| field.name.as_deref() == Some(name.as_str()));
        match place {
            None => json.skip(token).ok_or_else(no_json)?,
            Some(place) if values[place].is_some() => {
                return Err(Fault::Shape(format!("Duplicate field: {name}")));
            }
            Some(place) => values[place] = Some(read(json, token, &fields[place].data_type)?),
        }
    }
}

fn scalar(json: &mut Reader<'_>, token: Token, to: &Type) -> Result<Datum<'static>, Fault> {
    let (value, from) = match token {
        Token::True | Token::False => (Datum::Boolean(token == Token::True), Type::Boolean),
        Token::Text => (Datum::from_text(json.text().ok_or_else(no_json)?), Type::VARCHAR),
        Token::Integer | Token::Fraction => return number(json.raw(), token, to),
        _ => {
            let found = shown(json, token);
            return Err(Fault::Shape(format!("Unexpected token when cast to {to}: {found}")));
        }
    };
    if let Type::Varchar { .. } = to {
        return text_of(to_text(&value, &from), to);
    }
    convert(&value, &from, to).map_err(Fault::Value)
}

/// Converts a number. A decimal, and the text of an integer, retain all digits; other numbers are parsed as doubles.
fn number(digits: &str, token: Token, to: &Type) -> Result<Datum<'static>, Fault> {
    let failed = || Fault::Value(format!("Cannot cast '{digits}' to {to}"));
    let double: f64 = digits.parse().map_err(|_| failed())?;
    match (token, to) {
        (_, Type::Decimal { precision, scale }) => {
            let number = parse_decimal(digits, *scale).ok_or_else(failed)?;
            let fits = number.unsigned_abs() < 10_u128.pow(u32::from(*precision));
            fits.then_some(Datum::Decimal(number)).ok_or_else(failed)
        }
        (Token::Integer, Type::Varchar { .. }) => text_of(digits.to_owned(), to),
        (_, Type::Varchar { .. }) => text_of(to_text(&Datum::Double(double), &Type::Double), to),
        (_, Type::Double) => Ok(Datum::Double(double)),
        (_, Type::Real) => Ok(Datum::Double(digits.parse::<f32>().map_err(|_| failed())?.into())),
        (Token::Integer, _) => {
            let whole = digits.parse().map(Datum::Integer).map_err(|_| failed())?;
            convert(&whole, &Type::BigInt, to).map_err(|_| failed())
        }
        _ => convert(&Datum::Double(double), &Type::Double, to).map_err(Fault::Value),
    }
}

/// A text that must fit its type: it is not truncated.
fn text_of(text: String, to: &Type) -> Result<Datum<'static>, Fault> {
    match to {
        Type::Varchar { length: Some(length) } if text.chars().count() > *length as usize => {
            Err(Fault::Value(format!("Value {text} cannot be represented as {to}")))
        }
        _ => Ok(Datum::from_text(text)),
    }
}

/// A token, as error messages show it.
fn shown(json: &mut Reader<'_>, token: Token) -> String {
    match token {
        Token::StartObject => "{".to_owned(),
        Token::EndObject => "}".to_owned(),
        Token::StartArray => "[".to_owned(),
        Token::EndArray => "]".to_owned(),
        Token::Name | Token::Text => json.text().unwrap_or_default().into_owned(),
        Token::Integer | Token::Fraction | Token::True | Token::False | Token::Null => json.raw().to_owned(),
    }
}
