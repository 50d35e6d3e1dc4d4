//! Regular expressions. Their syntax is that of the `regex` crate, which runs in time linear in the text: no
//! look-around and no back references inside a pattern.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use polars::prelude::PolarsResult;
use regex::Regex;

use super::text::number;
use super::{RowFunction, invalid};
use crate::datum::{Datum, Nulls};
use rowhouse_sql::expr::Expr;
use rowhouse_sql::functions::ScalarFunction;

/// Compiled patterns that one call remembers; patterns that come from data may be many.
const MAX_REMEMBERED: usize = 100;

/// Bytes that a compiled pattern may take.
const MAX_COMPILED_BYTES: usize = 10 << 20;

/// The patterns of one call.
#[derive(Clone, Default)]
struct Patterns(Arc<Mutex<HashMap<String, Arc<Regex>>>>);

impl Patterns {
    /// Shared, not cloned: a clone of a `Regex` begins with an empty cache, and filling it takes longer than most
    /// matches do.
    fn get(&self, pattern: &str) -> PolarsResult<Arc<Regex>> {
        let mut compiled = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(regex) = compiled.get(pattern) {
            return Ok(Arc::clone(regex));
        }
        let regex = regex::RegexBuilder::new(pattern)
            .size_limit(MAX_COMPILED_BYTES)
            .build()
            .map_err(|error| invalid(format!("Invalid pattern '{pattern}': {error}")))?;
        let regex = Arc::new(regex);
        if compiled.len() >= MAX_REMEMBERED {
            compiled.clear();
        }
        compiled.insert(pattern.to_owned(), Arc::clone(&regex));
        Ok(regex)
    }
}

pub(super) fn function(function: ScalarFunction, _: &[Expr]) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let patterns = Patterns::default();
    let apply: RowFunction = match function {
        F::RegexpLike => {
            Box::new(move |row| Ok(Datum::Boolean(patterns.get(row[1].text())?.is_match(row[0].text()))))
        }
        F::RegexpExtract => Box::new(move |row| {
            let regex = patterns.get(row[1].text())?;
            let group = group(row.get(2), &regex)?;
            let found = regex.captures(row[0].text()).and_then(|captures| captures.get(group));
            Ok(found.map_or(Datum::Null, |found| Datum::from_text(found.as_str())))
        }),
        F::RegexpExtractAll => Box::new(move |row| {
            let regex = patterns.get(row[1].text())?;
            let group = group(row.get(2), &regex)?;
            let found = regex.captures_iter(row[0].text()).map(|captures| {
                captures.get(group).map_or(Datum::Null, |found| Datum::from_text(found.as_str()))
            });
            Ok(Datum::Array(found.collect()))
        }),
        F::RegexpReplace => Box::new(move |row| {
            let regex = patterns.get(row[1].text())?;
            let replacement = replacement(row.get(2).map_or("", Datum::text));
            Ok(Datum::from_text(regex.replace_all(row[0].text(), replacement.as_str())))
        }),
        F::RegexpCount => {
            Box::new(move |row| Ok(number(patterns.get(row[1].text())?.find_iter(row[0].text()).count())))
        }
        F::RegexpPosition => Box::new(move |row| {
            let text = row[0].text();
            let found = patterns.get(row[1].text())?.find(text);
            Ok(found.map_or(Datum::Integer(-1), |found| number(text[..found.start()].chars().count() + 1)))
        }),
        F::RegexpSplit => Box::new(move |row| {
            let regex = patterns.get(row[1].text())?;
            Ok(Datum::Array(regex.split(row[0].text()).map(Datum::from_text).collect()))
        }),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

fn group(argument: Option<&Datum<'_>>, regex: &Regex) -> PolarsResult<usize> {
    let wanted = argument.map_or(0, Datum::integer);
    let count = regex.captures_len() - 1;
    usize::try_from(wanted)
        .ok()
        .filter(|group| *group <= count)
        .ok_or_else(|| invalid(format!("Pattern has {count} groups. Cannot access group {wanted}")))
}

/// Trino's `$1` may be followed by a letter, and `\$` is a plain dollar sign.
fn replacement(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('$') => made.push_str("$$"),
                Some(other) => made.push(other),
                None => made.push('\\'),
            },
            '$' if characters.peek().is_some_and(char::is_ascii_digit) => {
                made.push_str("${");
                while let Some(digit) = characters.next_if(char::is_ascii_digit) {
                    made.push(digit);
                }
                made.push('}');
            }
            other => made.push(other),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::replacement;

    #[test]
    fn groups_may_be_followed_by_letters() {
        assert_eq!(replacement("$1x"), "${1}x");
        assert_eq!(replacement("${name}"), "${name}");
        assert_eq!(replacement("\\$1"), "$$1");
    }
}
