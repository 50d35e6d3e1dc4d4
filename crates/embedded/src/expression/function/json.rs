//! JSON functions. A text is parsed as far as a path requires, as in Trino; the rest is not validated.

use polars::prelude::PolarsResult;

use super::text::number;
use super::{RowFunction, invalid};
use crate::datum::{Datum, Nulls};
use crate::json::{Item, write_item};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::json_text::{Reader, Token, is_json};
use rowhouse_sql::types::Type;

mod path;
mod writer;

use path::{Step, parse_path};

pub(super) fn function(function: ScalarFunction, types: &[Type]) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let apply: RowFunction = match function {
        F::JsonParse => Box::new(|row| Ok(Datum::from_text(canonical(row[0].text())?))),
        F::JsonFormat => Box::new(|row| Ok(Datum::from_text(row[0].text()))),
        F::JsonExtract => Box::new(|row| {
            let found = at_path(row[0].text(), row[1].text())?;
            let written = found.and_then(|(mut json, token)| writer::written(&mut json, token));
            Ok(written.map_or(Datum::Null, Datum::from_text))
        }),
        F::JsonExtractScalar => Box::new(|row| {
            let found = at_path(row[0].text(), row[1].text())?;
            let scalar = found.and_then(|(mut json, token)| match token {
                Token::Text => json.text(),
                Token::Integer | Token::Fraction | Token::True | Token::False => Some(json.raw().into()),
                _ => None,
            });
            Ok(scalar.map_or(Datum::Null, Datum::from_text))
        }),
        F::JsonArrayGet => Box::new(|row| {
            let found = element_at(row[0].text(), row[1].integer());
            Ok(found.map_or(Datum::Null, Datum::from_text))
        }),
        F::JsonArrayContains => {
            let wanted = types.get(1)?.clone();
            Box::new(move |row| {
                let found = contains(row[0].text(), &row[1], &wanted);
                Ok(found.map_or(Datum::Null, Datum::Boolean))
            })
        }
        F::JsonArrayLength => Box::new(|row| {
            let mut json = Reader::new(row[0].text());
            let is_array = json.next() == Some(Token::StartArray);
            let length = is_array.then(|| size(&mut json, Token::StartArray)).flatten();
            Ok(length.map_or(Datum::Null, number))
        }),
        F::IsJsonScalar => Box::new(|row| {
            let text = row[0].text();
            if !is_json(text) {
                return Err(invalid(format!("Invalid JSON value: {text}")));
            }
            Ok(Datum::Boolean(!text.trim_start().starts_with(['[', '{'])))
        }),
        F::JsonSize => Box::new(|row| {
            let found = at_path(row[0].text(), row[1].text())?;
            let size = found.and_then(|(mut json, token)| size(&mut json, token));
            Ok(size.map_or(Datum::Null, number))
        }),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

/// The JSON text with the members of objects ordered by name.
fn canonical(text: &str) -> PolarsResult<String> {
    let mut item =
        Item::read(text).ok_or_else(|| invalid(format!("Cannot convert value to JSON: '{text}'")))?;
    item.sort();
    let mut output = String::with_capacity(text.len());
    write_item(&item, &mut output);
    Ok(output)
}

/// An array's element as Trino returns it: a text without quotes, a number as it is written; `None` for `null` and
/// outside the array.
fn element_at(text: &str, index: i64) -> Option<String> {
    let mut json = Reader::new(text);
    if json.next()? != Token::StartArray {
        return None;
    }
    let index = if index < 0 {
        let length = i64::try_from(size(&mut json, Token::StartArray)?).ok()?;
        json = Reader::new(text);
        json.next()?;
        length.checked_add(index)?
    } else {
        index
    };
    let step = Step { name: String::new(), index: Some(usize::try_from(index).ok()?) };
    match element(&mut json, &step)? {
        Token::Null => None,
        Token::Text => json.text().map(std::borrow::Cow::into_owned),
        Token::Integer | Token::Fraction => Some(json.raw().to_owned()),
        token => writer::written(&mut json, token),
    }
}

/// Whether an array has an element of the value's kind that equals it; `None` if the text is not an array.
fn contains(text: &str, value: &Datum<'_>, wanted: &Type) -> Option<bool> {
    if matches!(value, Datum::Double(number) if !number.is_finite()) {
        // No JSON number equals it; Trino does not read the text.
        return Some(false);
    }
    let mut json = Reader::new(text);
    if json.next()? != Token::StartArray {
        return None;
    }
    loop {
        let token = json.next()?;
        let is_equal = match (token, wanted) {
            (Token::EndArray, _) => return Some(false),
            (Token::True | Token::False, Type::Boolean) => *value == Datum::Boolean(token == Token::True),
            (Token::Integer, Type::BigInt) => json.raw().parse() == Ok(value.integer()),
            (Token::Fraction, Type::Double) => json.raw().parse() == Ok(value.double()),
            (Token::Text, Type::Varchar { .. }) => json.text()? == value.text(),
            _ => false,
        };
        if is_equal {
            return Some(true);
        }
        json.skip(token)?;
    }
}

/// Follows a path. Returns the reader after the first token of the target; `None` if there is no target, or invalid
/// JSON before it.
///
/// # Errors
///
/// INVALID_FUNCTION_ARGUMENT for an invalid path.
fn at_path<'j>(json: &'j str, path: &str) -> PolarsResult<Option<(Reader<'j>, Token)>> {
    let steps = parse_path(path).ok_or_else(|| invalid(format!("Invalid JSON path: '{path}'")))?;
    let mut json = Reader::new(json);
    let found = json.next().and_then(|root| {
        steps.iter().try_fold(root, |token, step| match token {
            Token::StartObject => member(&mut json, step),
            Token::StartArray => element(&mut json, step),
            _ => None,
        })
    });
    Ok(found.map(|token| (json, token)))
}

/// The first token of the value of the first member with this name.
fn member(json: &mut Reader<'_>, step: &Step) -> Option<Token> {
    loop {
        if json.next()? != Token::Name {
            return None;
        }
        let is_wanted = json.text()? == step.name;
        let value = json.next()?;
        if is_wanted {
            return Some(value);
        }
        json.skip(value)?;
    }
}

/// The first token of an array's element.
fn element(json: &mut Reader<'_>, step: &Step) -> Option<Token> {
    let index = step.index?;
    let mut place = 0;
    loop {
        let value = json.next()?;
        if value == Token::EndArray {
            return None;
        }
        if place == index {
            return Some(value);
        }
        json.skip(value)?;
        place += 1;
    }
}

/// The number of elements or members; 0 for a scalar.
fn size(json: &mut Reader<'_>, token: Token) -> Option<usize> {
    let mut size = 0;
    match token {
        Token::StartArray => loop {
            let value = json.next()?;
            if value == Token::EndArray {
                return Some(size);
            }
            json.skip(value)?;
            size += 1;
        },
        Token::StartObject => loop {
            if json.next()? != Token::Name {
                return Some(size);
            }
            let value = json.next()?;
            json.skip(value)?;
            size += 1;
        },
        _ => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(function_name: ScalarFunction, json: &str, path: &str, expected: Option<&str>) {
        let (_, function) = function(function_name, &[]).expect("a function");
        let found = function(&[Datum::Text(json.into()), Datum::Text(path.into())]).expect("a path");
        let expected = expected.map_or(Datum::Null, |text| Datum::Text(text.into()));
        assert_eq!(found, expected, "{json} {path}");
    }

    #[test]
    fn extracted_scalars_keep_their_spelling() {
        for number in ["1.50", "1E+03", "-0", "12345678901234567890123", "true"] {
            let json = format!("{{\"a\":{number}}}");
            check(ScalarFunction::JsonExtractScalar, &json, "$.a", Some(number));
        }
        check(ScalarFunction::JsonExtractScalar, r#"{"a":"\ud83d\ude00\/"}"#, "$.a", Some("😀/"));
        check(ScalarFunction::JsonExtractScalar, r#"{"a":null}"#, "$.a", None);
    }

    #[test]
    fn json_after_the_target_of_a_path_is_not_validated() {
        check(ScalarFunction::JsonExtractScalar, r#"{"a":1x"#, "$.a", Some("1"));
        check(ScalarFunction::JsonExtractScalar, "[1,]", "$[0]", Some("1"));
        check(ScalarFunction::JsonExtractScalar, "[1,]", "$[1]", None);
        check(ScalarFunction::JsonExtractScalar, "1x", "$", None);
        check(ScalarFunction::JsonExtractScalar, "truex", "$", None);
    }

    #[test]
    fn extracted_json_is_normalized() {
        let json = r#" { "a" : [ 1.50 , 1e3, -0, -0.0, 1e7, 0.0001, 1e400 ] , "é\u0001😀" : { } } x"#;
        let expected = r#"{"a":[1.5,1000.0,0,-0.0,1.0E7,1.0E-4,"Infinity"],"é\u0001\uD83D\uDE00":{}}"#;
        check(ScalarFunction::JsonExtract, json, "$", Some(expected));
        check(ScalarFunction::JsonExtract, "[01]", "$", None);
        check(ScalarFunction::JsonExtract, "{'a':1}", "$", None);
        check(ScalarFunction::JsonExtract, "[\"\t\"]", "$", None);
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        check(ScalarFunction::JsonExtract, &deep, "$", Some(&deep));
    }
}
