//! JSON kept as text, and JSON paths: `$`, `.name`, `["name"]`, `[0]`.

use serde_json::Value;

use super::text::number;
use super::{RowFunction, invalid};
use crate::datum::{Datum, Nulls};
use rowhouse_sql::functions::ScalarFunction;

pub(super) fn function(function: ScalarFunction) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let apply: RowFunction = match function {
        F::JsonExtract => Box::new(|row| {
            let path = path(row[1].text())?;
            let found = parse(row[0].text()).and_then(|json| find(&json, &path).cloned());
            Ok(found.map_or(Datum::Null, |found| Datum::from_text(found.to_string())))
        }),
        F::JsonExtractScalar => Box::new(|row| {
            let path = path(row[1].text())?;
            let found = parse(row[0].text()).and_then(|json| find(&json, &path).cloned());
            Ok(match found {
                Some(Value::String(text)) => Datum::from_text(text),
                Some(scalar @ (Value::Bool(_) | Value::Number(_))) => Datum::from_text(scalar.to_string()),
                _ => Datum::Null,
            })
        }),
        F::JsonArrayLength => Box::new(|row| {
            Ok(match parse(row[0].text()) {
                Some(Value::Array(elements)) => number(elements.len()),
                _ => Datum::Null,
            })
        }),
        F::JsonSize => Box::new(|row| {
            let path = path(row[1].text())?;
            let found = parse(row[0].text()).and_then(|json| find(&json, &path).cloned());
            Ok(match found {
                Some(Value::Array(elements)) => number(elements.len()),
                Some(Value::Object(members)) => number(members.len()),
                Some(_) => Datum::Integer(0),
                None => Datum::Null,
            })
        }),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

enum Step {
    Member(String),
    Element(usize),
}

fn find<'a>(json: &'a Value, path: &[Step]) -> Option<&'a Value> {
    path.iter().try_fold(json, |json, step| match step {
        Step::Member(name) => json.get(name),
        Step::Element(index) => json.get(index).or_else(|| json.get(index.to_string())),
    })
}

fn path(text: &str) -> polars::prelude::PolarsResult<Vec<Step>> {
    let wrong = || invalid(format!("Invalid JSON path: '{text}'"));
    let mut rest = text.strip_prefix('$').ok_or_else(wrong)?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            if end == 0 {
                return Err(wrong());
            }
            steps.push(Step::Member(after[..end].to_owned()));
            rest = &after[end..];
        } else if let Some(after) = rest.strip_prefix("[\"") {
            let end = after.find("\"]").ok_or_else(wrong)?;
            steps.push(Step::Member(after[..end].to_owned()));
            rest = &after[end + 2..];
        } else {
            let after = rest.strip_prefix('[').ok_or_else(wrong)?;
            let end = after.find(']').ok_or_else(wrong)?;
            steps.push(Step::Element(after[..end].parse().map_err(|_| wrong())?));
            rest = &after[end + 1..];
        }
    }
    Ok(steps)
}
