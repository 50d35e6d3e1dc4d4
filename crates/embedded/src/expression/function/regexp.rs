//! Regular expressions with Joni's syntax, as in Trino. The `regex` crate matches most of them, in time linear in the
//! text; patterns with look-around, back references, atomic groups or possessive repetitions are matched by a
//! backtracking machine with a limit on its steps.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use polars::prelude::PolarsResult;

use super::text::number;
use super::{RowFunction, invalid};
use crate::datum::{Datum, Nulls};
use rowhouse_sql::expr::Expr;
use rowhouse_sql::functions::ScalarFunction;

mod backtrack;
mod fold;
mod linear;
mod parse;
mod pattern;
mod program;
mod replacement;
mod syntax;

use pattern::{Match, Pattern};
use replacement::Replacement;

/// Maximum number of compiled patterns that one call caches; data may contain many patterns.
const MAX_CACHED: usize = 100;

/// The patterns of one call.
#[derive(Clone, Default)]
pub(super) struct Patterns(Arc<Mutex<HashMap<String, Arc<Pattern>>>>);

impl Patterns {
    /// The compiled pattern. It is shared, not cloned: a clone of a `Regex` has an empty cache, and filling that takes
    /// longer than most matches.
    fn get(&self, pattern: &str) -> PolarsResult<Arc<Pattern>> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(pattern) {
            return Ok(Arc::clone(known));
        }
        // Other threads match while one compiles.
        let new = Pattern::new(pattern)
            .map_err(|fault| invalid(format!("Invalid regular expression '{pattern}': {fault}")))?;
        let new = Arc::new(new);
        let mut compiled = known();
        if compiled.len() >= MAX_CACHED {
            compiled.clear();
        }
        compiled.insert(pattern.to_owned(), Arc::clone(&new));
        Ok(new)
    }

    /// The ranges of all matches of a pattern in a text, and the number of groups of each match. The texts of these
    /// groups are appended to `groups`, NULL for a group without a match.
    pub(super) fn matches<'t>(
        &self,
        pattern: &str,
        text: &'t str,
        groups: &mut Vec<Option<&'t str>>,
    ) -> PolarsResult<(Vec<Range<usize>>, usize)> {
        let pattern = self.get(pattern)?;
        let mut search = pattern.search(text).map_err(invalid)?;
        let mut matches = Vec::new();
        while let Some(whole) = search.next().map_err(invalid)? {
            groups.extend((1..=pattern.group_count()).map(|number| {
                let found = search.group(number, whole)?;
                Some(&text[found.start..found.end])
            }));
            matches.push(whole.start..whole.end);
        }
        Ok((matches, pattern.group_count()))
    }
}

pub(super) fn function(function: ScalarFunction, _: &[Expr]) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let patterns = Patterns::default();
    let apply: RowFunction = match function {
        F::RegexpLike => Box::new(move |row| {
            let is_match = patterns.get(row[1].text())?.is_match(row[0].text());
            is_match.map(Datum::Boolean).map_err(invalid)
        }),
        F::RegexpExtract => Box::new(move |row| extract(row, &*patterns.get(row[1].text())?)),
        F::RegexpExtractAll => Box::new(move |row| extract_all(row, &*patterns.get(row[1].text())?)),
        F::RegexpReplace => Box::new(move |row| replace(row, &*patterns.get(row[1].text())?)),
        F::RegexpCount => Box::new(move |row| {
            let mut count = 0;
            each_match(&*patterns.get(row[1].text())?, row[0].text(), |_| count += 1)?;
            Ok(number(count))
        }),
        F::RegexpPosition => Box::new(move |row| position(row, &*patterns.get(row[1].text())?)),
        F::RegexpSplit => Box::new(move |row| {
            let text = row[0].text();
            let (mut parts, mut last_end) = (Vec::new(), 0);
            each_match(&*patterns.get(row[1].text())?, text, |found| {
                parts.push(Datum::from_text(&text[last_end..found.start]));
                last_end = found.end;
            })?;
            parts.push(Datum::from_text(&text[last_end..]));
            Ok(Datum::Array(parts))
        }),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

fn each_match(pattern: &Pattern, text: &str, mut take: impl FnMut(Match)) -> PolarsResult<()> {
    let mut search = pattern.search(text).map_err(invalid)?;
    while let Some(found) = search.next().map_err(invalid)? {
        take(found);
    }
    Ok(())
}

fn extract(row: &[Datum<'_>], pattern: &Pattern) -> PolarsResult<Datum<'static>> {
    let (text, group) = (row[0].text(), group(row.get(2), pattern)?);
    let mut search = pattern.search(text).map_err(invalid)?;
    let found = search.next().map_err(invalid)?.and_then(|whole| search.group(group, whole));
    Ok(found.map_or(Datum::Null, |found| Datum::from_text(&text[found.start..found.end])))
}

fn extract_all(row: &[Datum<'_>], pattern: &Pattern) -> PolarsResult<Datum<'static>> {
    let (text, group) = (row[0].text(), group(row.get(2), pattern)?);
    let mut search = pattern.search(text).map_err(invalid)?;
    let mut found = Vec::new();
    while let Some(whole) = search.next().map_err(invalid)? {
        let part = search.group(group, whole);
        found.push(part.map_or(Datum::Null, |part| Datum::from_text(&text[part.start..part.end])));
    }
    Ok(Datum::Array(found))
}

fn replace(row: &[Datum<'_>], pattern: &Pattern) -> PolarsResult<Datum<'static>> {
    let text = row[0].text();
    let mut search = pattern.search(text).map_err(invalid)?;
    let (mut made, mut last_end) = (String::new(), 0);
    // An invalid replacement is an error only if there is a match to replace.
    let mut replacement = None;
    while let Some(whole) = search.next().map_err(invalid)? {
        let replacement = match &mut replacement {
            Some(known) => known,
            none => {
                none.insert(Replacement::new(row.get(2).map_or("", Datum::text), pattern).map_err(invalid)?)
            }
        };
        made.push_str(&text[last_end..whole.start]);
        replacement.write(text, &search, whole, &mut made);
        last_end = whole.end;
    }
    made.push_str(&text[last_end..]);
    Ok(Datum::from_text(made))
}

/// The position of the n-th match at or after a start position, in characters from 1; -1 if there is none.
fn position(row: &[Datum<'_>], pattern: &Pattern) -> PolarsResult<Datum<'static>> {
    let text = row[0].text();
    let start = row.get(2).map_or(1, Datum::integer);
    let occurrence = row.get(3).map_or(1, Datum::integer);
    if start < 1 {
        return Err(invalid("start position cannot be smaller than 1"));
    }
    if occurrence < 1 {
        return Err(invalid("occurrence cannot be smaller than 1"));
    }
    let skipped = usize::try_from(start - 1).unwrap_or(usize::MAX);
    let Some((first, _)) = text.char_indices().nth(skipped) else { return Ok(Datum::Integer(-1)) };
    let mut search = pattern.search(text).map_err(invalid)?.starting_at(first);
    let mut count = 0;
    while let Some(found) = search.next().map_err(invalid)? {
        count += 1;
        if count == occurrence {
            return Ok(number(text[..found.start].chars().count() + 1));
        }
    }
    Ok(Datum::Integer(-1))
}

fn group(argument: Option<&Datum<'_>>, pattern: &Pattern) -> PolarsResult<usize> {
    let wanted = argument.map_or(0, Datum::integer);
    let count = pattern.group_count();
    usize::try_from(wanted)
        .ok()
        .filter(|group| *group <= count)
        .ok_or_else(|| invalid(format!("Pattern has {count} groups. Cannot access group {wanted}")))
}
