//! Text functions. Positions and lengths count characters, from 1.

use std::collections::HashMap;

use polars::prelude::{Expr as PolarsExpr, PolarsResult, UnicodeForm, lit};
use rowhouse_model::ErrorCode;

use super::{RowFunction, invalid, literal_integer, literal_text};
use crate::datum::{Datum, Nulls};
use crate::failure::raise;
use rowhouse_sql::expr::{Expr, ExprKind};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

mod amount;
mod letters;
mod like_pattern;
mod word;

/// The size of the largest text that Trino can allocate.
const LARGEST_SLICE_BYTES: i64 = 2_147_483_639;

/// Maximum number of characters that `lpad` and `rpad` return; in Trino as many as it can allocate.
const MAX_MADE_CHARACTERS: i64 = 1 << 20;

/// Maximum number of pairs of characters that `levenshtein_distance` compares, as in Trino.
const MAX_COMPARED_CHARACTERS: usize = 1_000_000;

/// The texts that a call of `concat` joins, with those of calls among them: a chain of `||` is joined in one pass, not once
/// for each operator. `None` if it joins anything but texts.
pub(super) fn parts(args: &[Expr]) -> Option<Vec<&Expr>> {
    let is_of_texts = |args: &[Expr]| args.iter().all(|arg| arg.data_type.is_varchar());
    if !is_of_texts(args) {
        return None;
    }
    let mut parts = Vec::new();
    let mut left: Vec<&Expr> = args.iter().rev().collect();
    while let Some(next) = left.pop() {
        match &next.kind {
            ExprKind::Call { function: ScalarFunction::Concat, args } if is_of_texts(args) => {
                left.extend(args.iter().rev());
            }
            _ => parts.push(next),
        }
    }
    Some(parts)
}

/// The functions that Polars implements with the same meaning.
pub(super) fn fast(function: ScalarFunction, lowered: &[PolarsExpr], args: &[Expr]) -> Option<PolarsExpr> {
    use ScalarFunction as F;
    if !args.first()?.data_type.is_varchar() {
        return None;
    }
    let value = lowered.first()?.clone();
    Some(match (function, lowered) {
        (F::Length, _) => value.str().len_chars().cast(polars::prelude::DataType::Int64),
        (F::Lower, _) => letters::changed(value, letters::LOWER),
        (F::Upper, _) => letters::changed(value, letters::UPPER),
        (F::Substring, [_, _]) if literal_integer(&args[1])? > 0 => value.str().slice(
            lit(literal_integer(&args[1])? - 1),
            lit(polars::prelude::NULL).cast(polars::prelude::DataType::UInt64),
        ),
        (F::Substring, [_, _, _]) if literal_integer(&args[1])? > 0 && literal_integer(&args[2])? >= 0 => {
            let length = u64::try_from(literal_integer(&args[2])?).ok()?;
            value.str().slice(lit(literal_integer(&args[1])? - 1), lit(length))
        }
        (F::Normalize, _) => {
            let form = args.get(1).and_then(literal_text).unwrap_or("NFC").to_ascii_uppercase();
            value.str().normalize(match form.as_str() {
                "NFC" => UnicodeForm::NFC,
                "NFKC" => UnicodeForm::NFKC,
                "NFD" => UnicodeForm::NFD,
                "NFKD" => UnicodeForm::NFKD,
                _ => return None,
            })
        }
        (F::StartsWith, [_, prefix]) => value.str().starts_with(prefix.clone()),
        (F::EndsWith, [_, suffix]) => value.str().ends_with(suffix.clone()),
        _ => return None,
    })
}

pub(super) fn function(function: ScalarFunction, types: &[Type]) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let is_text = types.first().is_some_and(Type::is_varchar);
    let apply: RowFunction = match function {
        F::Trim => Box::new(|row| Ok(trimmed(row, true, true))),
        F::Ltrim => Box::new(|row| Ok(trimmed(row, true, false))),
        F::Rtrim => Box::new(|row| Ok(trimmed(row, false, true))),
        F::Substring if is_text => Box::new(|row| {
            let length = row.get(2).map(Datum::integer);
            Ok(Datum::from_text(substring(row[0].text(), row[1].integer(), length)))
        }),
        F::Strpos => Box::new(strpos),
        F::Replace => Box::new(|row| {
            Ok(Datum::from_text(replace(row[0].text(), row[1].text(), row.get(2).map_or("", Datum::text))))
        }),
        F::Reverse if is_text => Box::new(|row| Ok(Datum::from_text(reversed(row[0].text())))),
        F::Concat if types.iter().all(Type::is_varchar) => {
            Box::new(|row| Ok(Datum::from_text(row.iter().map(Datum::text).collect::<String>())))
        }
        F::ConcatWs if matches!(types.get(1), Some(Type::Array(_))) => Box::new(|row| Ok(concat_ws(row))),
        F::ConcatWs => return Some((Nulls::Seen, Box::new(|row| Ok(concat_ws(row))))),
        F::Lpad if is_text => Box::new(|row| pad(row, true)),
        F::Rpad if is_text => Box::new(|row| pad(row, false)),
        F::Split => Box::new(split),
        F::SplitPart => Box::new(split_part),
        F::Chr => Box::new(|row| {
            let code = u32::try_from(row[0].integer()).ok().and_then(char::from_u32);
            code.map(|code| Datum::from_text(code.to_string()))
                .ok_or_else(|| invalid(format!("Not a valid Unicode code point: {}", row[0].integer())))
        }),
        F::Codepoint => Box::new(|row| {
            let mut characters = row[0].text().chars();
            match (characters.next(), characters.next()) {
                (Some(character), None) => Ok(Datum::Integer(i64::from(u32::from(character)))),
                _ => Err(invalid("Input string must be a single character string")),
            }
        }),
        F::Translate => Box::new(|row| Ok(Datum::from_text(translate(row)))),
        F::LevenshteinDistance => {
            Box::new(|row| levenshtein_distance(row[0].text(), row[1].text()).map(number))
        }
        F::HammingDistance => Box::new(|row| {
            let (left, right): (Vec<char>, Vec<char>) =
                (row[0].text().chars().collect(), row[1].text().chars().collect());
            if left.len() != right.len() {
                return Err(invalid(
                    "The input strings to hamming_distance function must have the same length",
                ));
            }
            Ok(number(left.iter().zip(&right).filter(|(left, right)| left != right).count()))
        }),
        F::LikePattern => {
            Box::new(|row| like_pattern::rewritten(row[0].text(), row[1].text()).map(Datum::from_text))
        }
        F::Soundex => Box::new(|row| word::soundex(row[0].text()).map(Datum::from_text)),
        F::LuhnCheck => Box::new(|row| word::luhn_check(row[0].text()).map(Datum::Boolean)),
        F::WordStem => Box::new(|row| {
            let stemmer = word::stemmer(row.get(1).map_or("en", Datum::text))?;
            Ok(Datum::from_text(stemmer.stem(row[0].text())))
        }),
        F::FormatNumber => Box::new(|row| {
            #[expect(clippy::cast_possible_truncation, reason = "Trino cuts, and stays at the limits, too")]
            let count = match &row[0] {
                Datum::Double(number) => *number as i64,
                number => number.integer(),
            };
            Ok(Datum::from_text(amount::format_number(count)))
        }),
        F::HumanReadableSeconds => {
            Box::new(|row| amount::human_readable_seconds(row[0].double()).map(Datum::from_text))
        }
        F::ParseDuration => Box::new(|row| amount::parse_duration(row[0].text()).map(Datum::Integer)),
        F::ParseDataSize => Box::new(|row| amount::parse_data_size(row[0].text()).map(Datum::Decimal)),
        F::StartsWith => Box::new(|row| Ok(Datum::Boolean(row[0].text().starts_with(row[1].text())))),
        F::EndsWith => Box::new(|row| Ok(Datum::Boolean(row[0].text().ends_with(row[1].text())))),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

pub(super) fn number(value: usize) -> Datum<'static> {
    Datum::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

fn trimmed(row: &[Datum<'_>], at_start: bool, at_end: bool) -> Datum<'static> {
    let text = row[0].text();
    let is_trimmed = |character: char| match row.get(1) {
        Some(characters) => characters.text().contains(character),
        None => letters::is_java_whitespace(character),
    };
    let text = if at_start { text.trim_start_matches(is_trimmed) } else { text };
    let text = if at_end { text.trim_end_matches(is_trimmed) } else { text };
    Datum::from_text(text)
}

/// The text from a position on, which counts from 1 or, if negative, from the end. A position of 0 or outside gives the
/// empty text.
fn substring(text: &str, start: i64, length: Option<i64>) -> &str {
    let is_ascii = text.is_ascii();
    let count = if is_ascii { text.len() } else { text.chars().count() };
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let first = if start > 0 { start - 1 } else { count.saturating_add(start) };
    if start == 0 || first < 0 || first >= count {
        return "";
    }
    let last = first.saturating_add(length.unwrap_or(i64::MAX).max(0)).min(count);
    let place = |character: i64| {
        let character = usize::try_from(character).unwrap_or(usize::MAX);
        let characters = || text.char_indices().map(|(place, _)| place);
        if is_ascii { character } else { characters().nth(character).unwrap_or(text.len()) }
    };
    &text[place(first)..place(last)]
}

fn reversed(text: &str) -> String {
    let mut reversed = String::with_capacity(text.len());
    if text.is_ascii() {
        reversed.extend(text.bytes().rev().map(char::from));
    } else {
        reversed.extend(text.chars().rev());
    }
    reversed
}

/// The position of the n-th occurrence, counted from the end if n is negative, in characters from 1; 0 if there is
/// none.
fn strpos(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let (text, wanted) = (row[0].text(), row[1].text());
    let instance = row.get(2).map_or(1, Datum::integer);
    if instance == 0 || instance == i64::MIN {
        return Err(invalid("'instance' must be a positive or negative number."));
    }
    if wanted.is_empty() {
        return Ok(Datum::Integer(1));
    }
    if instance == 1 {
        return Ok(text.find(wanted).map_or(Datum::Integer(0), |at| number(text[..at].chars().count() + 1)));
    }
    // Occurrences may overlap, as in Trino.
    let mut places =
        (0..text.len()).filter(|&at| text.is_char_boundary(at) && text[at..].starts_with(wanted));
    let nth = usize::try_from(instance.unsigned_abs() - 1).unwrap_or(usize::MAX);
    let place = if instance > 0 { places.nth(nth) } else { places.nth_back(nth) };
    Ok(place.map_or(Datum::Integer(0), |at| number(text[..at].chars().count() + 1)))
}

/// Replaces occurrences. The empty text occurs before and after every character.
fn replace(text: &str, from: &str, to: &str) -> String {
    text.replace(from, to)
}

fn concat_ws(row: &[Datum<'_>]) -> Datum<'static> {
    let [separator, rest @ ..] = row else { return Datum::Null };
    if separator.is_null() {
        return Datum::Null;
    }
    let parts: Vec<&str> = match rest {
        [Datum::Array(elements)] => elements.iter().filter(|part| !part.is_null()).map(Datum::text).collect(),
        parts => parts.iter().filter(|part| !part.is_null()).map(Datum::text).collect(),
    };
    Datum::from_text(parts.join(separator.text()))
}

fn pad(row: &[Datum<'_>], at_start: bool) -> PolarsResult<Datum<'static>> {
    let (text, size, filler) = (row[0].text(), row[1].integer(), row[2].text());
    if !(0..=LARGEST_SLICE_BYTES).contains(&size) {
        return Err(invalid(format!("Target length must be in the range [0..{}]", i32::MAX)));
    }
    if size > MAX_MADE_CHARACTERS {
        let what = format!("Target length must be at most {MAX_MADE_CHARACTERS} here");
        return Err(raise(ErrorCode::ExceededFunctionMemoryLimit, what));
    }
    if filler.is_empty() {
        return Err(invalid("Padding string must not be empty"));
    }
    let size = usize::try_from(size).unwrap_or(0);
    let length = text.chars().count();
    if length >= size {
        return Ok(Datum::from_text(text.chars().take(size).collect::<String>()));
    }
    let padding: String = filler.chars().cycle().take(size - length).collect();
    Ok(Datum::from_text(if at_start { padding + text } else { text.to_owned() + &padding }))
}

fn split(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let (text, delimiter) = (row[0].text(), row[1].text());
    let limit = row.get(2).map_or(i64::MAX, Datum::integer);
    if limit <= 0 {
        return Err(invalid("Limit must be positive"));
    }
    if delimiter.is_empty() {
        return Err(invalid("The delimiter may not be the empty string"));
    }
    if row.len() > 2 && i32::try_from(limit).is_err() {
        return Err(invalid("Split limit is too large"));
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    Ok(Datum::Array(text.splitn(limit, delimiter).map(Datum::from_text).collect()))
}

fn split_part(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let (text, delimiter, index) = (row[0].text(), row[1].text(), row[2].integer());
    if index <= 0 {
        return Err(invalid("Index must be greater than zero"));
    }
    if delimiter.is_empty() {
        // An empty delimiter separates all characters.
        let nth = usize::try_from(index - 1).unwrap_or(usize::MAX);
        let character = text.chars().nth(nth);
        return Ok(character.map_or(Datum::Null, |character| Datum::from_text(character.to_string())));
    }
    let nth = usize::try_from(index - 1).unwrap_or(usize::MAX);
    Ok(text.split(delimiter).nth(nth).map_or(Datum::Null, Datum::from_text))
}

fn translate(row: &[Datum<'_>]) -> String {
    let to: Vec<char> = row[2].text().chars().collect();
    let mut places: HashMap<char, usize> = HashMap::new();
    for (place, character) in row[1].text().chars().enumerate() {
        places.entry(character).or_insert(place);
    }
    let text = row[0].text().chars();
    text.filter_map(|character| match places.get(&character) {
        Some(place) => to.get(*place).copied(),
        None => Some(character),
    })
    .collect()
}

/// Counts edits. The product of the lengths is bounded, as in Trino.
fn levenshtein_distance(left: &str, right: &str) -> PolarsResult<usize> {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let (longer, shorter) = if left.len() < right.len() { (right, left) } else { (left, right) };
    if longer.len().saturating_mul(shorter.len().saturating_sub(1)) > MAX_COMPARED_CHARACTERS {
        return Err(invalid("The combined inputs for Levenshtein distance are too large"));
    }
    let mut previous: Vec<usize> = (0..=shorter.len()).collect();
    for (row, from) in longer.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, to) in shorter.iter().enumerate() {
            let substitution = previous[column] + usize::from(from != to);
            current.push(substitution.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    Ok(previous[shorter.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of ASCII alone are cut and reversed by bytes, others by characters.
    #[test]
    fn texts_are_cut_and_reversed_by_characters() {
        for text in ["", "a", "abcabc", "grüßer", "€€"] {
            let characters: Vec<char> = text.chars().collect();
            let count = i64::try_from(characters.len()).expect("a few");
            assert_eq!(reversed(text), characters.iter().rev().collect::<String>());
            for (start, length) in (-8..8).flat_map(|start| (-1..8).map(move |length| (start, length))) {
                let first = if start > 0 { start - 1 } else { count + start };
                let is_inside = |place: i64| first >= 0 && start != 0 && place >= first;
                let cut = |length: i64| -> String {
                    let places = (0..count).zip(&characters);
                    let kept = places.filter(|(place, _)| is_inside(*place) && place - first < length);
                    kept.map(|(_, character)| character).collect()
                };
                assert_eq!(substring(text, start, Some(length)), cut(length), "{text} {start} {length}");
                assert_eq!(substring(text, start, None), cut(i64::MAX), "{text} {start}");
            }
            for wanted in ["a", "ca", "ß", "€", "bca", "x"] {
                let row = [text, wanted].map(Datum::from_text);
                let place = (0..characters.len())
                    .find(|&place| characters[place..].iter().collect::<String>().starts_with(wanted));
                assert_eq!(strpos(&row).expect("found"), number(place.map_or(0, |place| place + 1)));
            }
        }
    }

    #[test]
    fn positions_count_characters_from_one_or_from_the_end() {
        for (start, length, expected) in [
            (1, None, "grüße"),
            (3, Some(2), "üß"),
            (-2, None, "ße"),
            (0, None, ""),
            (-9, None, ""),
            (9, None, ""),
            (2, Some(-1), ""),
        ] {
            assert_eq!(substring("grüße", start, length), expected, "{start} {length:?}");
        }
    }

    #[test]
    fn levenshtein_distance_counts_edits() {
        assert_eq!(levenshtein_distance("kitten", "sitting").expect("a distance"), 3);
        assert_eq!(levenshtein_distance("", "abc").expect("a distance"), 3);
        let long = "a".repeat(2000);
        assert!(levenshtein_distance(&long, &long).is_err());
    }
}
