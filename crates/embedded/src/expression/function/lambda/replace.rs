//! `regexp_replace` with a lambda expression, which takes the groups of each match.

use std::ops::Range;

use polars::prelude::{IdxSize, IntoSeries, NamedFrom, PolarsResult, Series, StringChunked};

use super::super::regexp::Patterns;
use super::body::{Body, Captured};
use super::lists::build_lists;
use crate::column::as_index;

/// A text is NULL if the replacement of one of its matches is, as in Trino.
pub(super) fn replace(
    texts: &Series,
    patterns: &Series,
    compiled: &Patterns,
    body: &Body,
    captured: &Captured,
) -> PolarsResult<Series> {
    let (texts, patterns) = (texts.str()?, patterns.str()?);
    // For each row the ranges of its matches; none if the text or the pattern is NULL.
    let mut matches: Vec<Option<Vec<Range<usize>>>> = Vec::with_capacity(texts.len());
    let (mut rows, mut group_counts): (Vec<IdxSize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    let mut groups: Vec<Option<&str>> = Vec::new();
    for (row, (text, pattern)) in texts.iter().zip(patterns.iter()).enumerate() {
        let (Some(text), Some(pattern)) = (text, pattern) else {
            matches.push(None);
            continue;
        };
        let (ranges, group_count) = compiled.matches(pattern, text, &mut groups)?;
        rows.extend(std::iter::repeat_n(as_index(row), ranges.len()));
        group_counts.extend(std::iter::repeat_n(Some(group_count), ranges.len()));
        matches.push(Some(ranges));
    }
    let groups = build_lists(group_counts, &Series::new("".into(), groups))?;
    let replacements = body.evaluate(vec![groups], captured, &rows)?;
    let mut replacements = replacements.str()?.iter();
    let replaced: StringChunked =
        texts.iter().zip(matches).map(|(text, ranges)| joined(text?, &ranges?, &mut replacements)).collect();
    Ok(replaced.into_series())
}

/// The text with its matches replaced. Takes as many replacements as there are matches.
fn joined<'r>(
    text: &str,
    ranges: &[Range<usize>],
    replacements: &mut impl Iterator<Item = Option<&'r str>>,
) -> Option<String> {
    let (mut joined, mut last_end, mut is_null) = (String::with_capacity(text.len()), 0, false);
    for (found, replacement) in ranges.iter().zip(replacements) {
        joined.push_str(&text[last_end..found.start]);
        match replacement {
            Some(replacement) => joined.push_str(replacement),
            None => is_null = true,
        }
        last_end = found.end;
    }
    joined.push_str(&text[last_end..]);
    (!is_null).then_some(joined)
}
