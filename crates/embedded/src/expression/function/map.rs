//! Functions of maps. A map is a list of rows of a key and a value, ordered by key.

use std::cmp::Ordering;

use polars::prelude::PolarsResult;
use rowhouse_model::ErrorCode;

use super::text::number;
use super::{RowFunction, invalid};
use crate::conversion::to_text;
use crate::datum::{Datum, Nulls, compare, equal, in_order_of_keys, is_same};
use crate::failure::raise;
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

pub(super) fn function(function: ScalarFunction, types: &[Type]) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let first = types.first().cloned().unwrap_or(Type::Unknown);
    let key_type = key_type(&first);
    let apply: RowFunction = match function {
        F::Map if types.is_empty() => Box::new(|_| Ok(Datum::Array(Vec::new()))),
        F::Map => Box::new(move |row| {
            let (keys, values) = (row[0].elements(), row[1].elements());
            if keys.len() != values.len() {
                return Err(invalid("Key and value arrays must be the same length"));
            }
            refuse_nulls_inside(keys, &key_type)?;
            checked(keys.iter().zip(values).map(|(key, value)| entry(key, value)).collect(), &key_type)
        }),
        F::Subscript => Box::new(move |row| {
            refuse_nulls_in_sought(&row[1])?;
            let missing = || invalid(format!("Key not present in map: {}", to_text(&row[1], &key_type)));
            value_of(&row[0], &row[1]).map(|value| value.clone().into_owned()).ok_or_else(missing)
        }),
        F::ElementAt => Box::new(|row| {
            refuse_nulls_in_sought(&row[1])?;
            Ok(value_of(&row[0], &row[1]).map_or(Datum::Null, |value| value.clone().into_owned()))
        }),
        F::Cardinality => Box::new(|row| Ok(number(row[0].elements().len()))),
        F::MapKeys => Box::new(|row| Ok(parts(&row[0], 0))),
        F::MapValues => Box::new(|row| Ok(parts(&row[0], 1))),
        F::MapEntries => Box::new(|row| Ok(row[0].clone().into_owned())),
        F::MapFromEntries => Box::new(move |row| checked(entries(&row[0])?, &key_type)),
        F::MultimapFromEntries => Box::new(move |row| multimap(entries(&row[0])?)),
        F::MapConcat => Box::new(concat),
        F::ArrayHistogram => Box::new(|row| Ok(histogram(&row[0]))),
        F::SplitToMap => Box::new(|row| {
            let entries = split(row)?;
            let sorted = in_order_of_keys(Datum::Array(entries));
            match twice(sorted.elements()) {
                Some(key) => Err(invalid(format!("Duplicate keys ({}) are not allowed", key.text()))),
                None => Ok(sorted),
            }
        }),
        F::SplitToMultimap => Box::new(|row| multimap(split(row)?)),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

/// The type of the keys of a map, or of the map that is built from an array of keys or entries.
fn key_type(data_type: &Type) -> Type {
    match data_type {
        Type::Map(key, _) => (**key).clone(),
        Type::Array(element) => match &**element {
            Type::Row(fields) => fields.first().map_or(Type::Unknown, |key| key.data_type.clone()),
            element => element.clone(),
        },
        _ => Type::Unknown,
    }
}

fn entry(key: &Datum<'_>, value: &Datum<'_>) -> Datum<'static> {
    Datum::Row(vec![key.clone().into_owned(), value.clone().into_owned()])
}

/// The keys (0) or the values (1) of a map.
fn parts(map: &Datum<'_>, place: usize) -> Datum<'static> {
    let part =
        |entry: &Datum<'_>| entry.elements().get(place).map_or(Datum::Null, |part| part.clone().into_owned());
    Datum::Array(map.elements().iter().map(part).collect())
}

fn value_of<'m, 'd>(map: &'m Datum<'d>, key: &Datum<'_>) -> Option<&'m Datum<'d>> {
    let entries = map.elements();
    let found = entries.binary_search_by(|entry| {
        entry.elements().first().map_or(Ordering::Less, |known| compare(known, key))
    });
    let [known, value] = entries.get(found.ok()?)?.elements() else { return None };
    // NaN equals no key.
    (equal(known, key) == Some(true)).then_some(value)
}

/// The entries of an array of rows.
fn entries(array: &Datum<'_>) -> PolarsResult<Vec<Datum<'static>>> {
    let entry = |entry: &Datum<'_>| match entry {
        Datum::Null => Err(invalid("map entry cannot be null")),
        entry => Ok(entry.clone().into_owned()),
    };
    array.elements().iter().map(entry).collect()
}

/// Builds a map from entries.
///
/// # Errors
///
/// INVALID_FUNCTION_ARGUMENT for a NULL key and for duplicate keys.
pub(super) fn checked(entries: Vec<Datum<'static>>, key_type: &Type) -> PolarsResult<Datum<'static>> {
    if entries.iter().filter_map(|entry| entry.elements().first()).any(Datum::is_null) {
        return Err(invalid("map key cannot be null"));
    }
    let map = in_order_of_keys(Datum::Array(entries));
    match twice(map.elements()) {
        Some(key) => Err(invalid(format!("Duplicate map keys ({}) are not allowed", to_text(key, key_type)))),
        None => Ok(map),
    }
}

/// Keys of the map constructor must not have NULL inside; those of other functions may.
fn refuse_nulls_inside(keys: &[Datum<'_>], key_type: &Type) -> PolarsResult<()> {
    match keys.iter().find(|key| !key.is_null() && has_null(key)) {
        Some(key) => Err(invalid(format!("map key cannot be indeterminate: {}", to_text(key, key_type)))),
        None => Ok(()),
    }
}

/// A key that is looked up must not have NULL inside.
fn refuse_nulls_in_sought(key: &Datum<'_>) -> PolarsResult<()> {
    if has_null(key) {
        return Err(raise(ErrorCode::NotSupported, "map key cannot be null or contain nulls"));
    }
    Ok(())
}

fn has_null(value: &Datum<'_>) -> bool {
    value.is_null() || value.elements().iter().any(has_null)
}

/// A key that occurs twice in entries that are ordered by key.
fn twice<'e, 'd>(entries: &'e [Datum<'d>]) -> Option<&'e Datum<'d>> {
    let key = |entry: &'e Datum<'d>| entry.elements().first();
    entries.windows(2).find_map(|pair| {
        let (left, right) = (key(&pair[0])?, key(&pair[1])?);
        is_same(left, right).then_some(left)
    })
}

/// Builds a map from each key to the array of its values, which retain their order. As in Trino, a key may contain NULLs, which
/// equal each other.
fn multimap(entries: Vec<Datum<'static>>) -> PolarsResult<Datum<'static>> {
    if entries.iter().any(|entry| entry.elements().first().is_some_and(Datum::is_null)) {
        return Err(invalid("map key cannot be null"));
    }
    let mut groups: Vec<(Datum<'static>, Vec<Datum<'static>>)> = Vec::new();
    let Datum::Array(sorted) = in_order_of_keys(Datum::Array(entries)) else { return Ok(Datum::Null) };
    for entry in sorted {
        let Datum::Row(parts) = entry else { continue };
        let Ok([key, value]) = <[Datum<'static>; 2]>::try_from(parts) else { continue };
        match groups.last_mut() {
            Some((last, values)) if is_same(last, &key) => values.push(value),
            _ => groups.push((key, vec![value])),
        }
    }
    let map = groups.into_iter().map(|(key, values)| Datum::Row(vec![key, Datum::Array(values)]));
    Ok(Datum::Array(map.collect()))
}

fn concat(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    if row.len() < 2 {
        return Err(invalid("There must be two or more concatenation arguments to map_concat"));
    }
    let all = row.iter().flat_map(|map| map.elements()).map(|entry| entry.clone().into_owned());
    let Datum::Array(sorted) = in_order_of_keys(Datum::Array(all.collect())) else { return Ok(Datum::Null) };
    let mut kept: Vec<Datum<'static>> = Vec::with_capacity(sorted.len());
    for entry in sorted {
        let is_known = kept.last().is_some_and(|last| is_same(&last.elements()[0], &entry.elements()[0]));
        if is_known {
            kept.pop();
        }
        kept.push(entry);
    }
    Ok(Datum::Array(kept))
}

fn histogram(array: &Datum<'_>) -> Datum<'static> {
    let mut known: Vec<&Datum<'_>> = array.elements().iter().filter(|element| !element.is_null()).collect();
    known.sort_by(|left, right| compare(left, right));
    let counted = known.chunk_by(|left, right| is_same(left, right));
    Datum::Array(
        counted.map(|equal| Datum::Row(vec![equal[0].clone().into_owned(), number(equal.len())])).collect(),
    )
}

/// The entries of a text. The second and the third argument are the delimiters.
fn split(row: &[Datum<'_>]) -> PolarsResult<Vec<Datum<'static>>> {
    let (text, of_entries, of_keys) = (row[0].text(), row[1].text(), row[2].text());
    if of_entries.is_empty() {
        return Err(invalid("entryDelimiter is empty"));
    }
    if of_keys.is_empty() {
        return Err(invalid("keyValueDelimiter is empty"));
    }
    if of_entries == of_keys {
        return Err(invalid("entryDelimiter and keyValueDelimiter must not be the same"));
    }
    let mut entries = Vec::new();
    if text.is_empty() {
        return Ok(entries);
    }
    // The delimiter may follow the last entry.
    for part in text.strip_suffix(of_entries).unwrap_or(text).split(of_entries) {
        let pair: Vec<&str> = part.split(of_keys).collect();
        let [key, value] = pair.as_slice() else {
            let what = "Key-value delimiter must appear exactly once in each entry. Bad input:";
            return Err(invalid(format!("{what} '{part}'")));
        };
        entries.push(Datum::Row(vec![Datum::from_text(*key), Datum::from_text(*value)]));
    }
    Ok(entries)
}
