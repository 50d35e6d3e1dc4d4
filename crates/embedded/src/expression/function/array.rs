//! Functions of arrays and rows. Positions count from 1, negative ones from the end.

use std::cmp::Ordering;
use std::collections::HashSet;

use polars::prelude::PolarsResult;
use rowhouse_model::ErrorCode;

use super::text::number;
use super::{RowFunction, invalid, math};
use crate::conversion::convert;
use crate::datum::{Datum, NanPlace, Nulls, compare, equal};
use crate::failure::raise;
use crate::order_key::key_of;
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

mod groups;
mod sequence;

/// Maximum number of elements that `sequence` and `repeat` return, as in Trino.
const MAX_MADE_ELEMENTS: i64 = 10_000;

#[expect(clippy::too_many_lines, reason = "an arm a function")]
pub(super) fn function(function: ScalarFunction, types: &[Type]) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let first_type = types.first().cloned().unwrap_or(Type::Unknown);
    let is_array = matches!(first_type, Type::Array(_));
    let is_month_step = types.get(2) == Some(&Type::IntervalYearToMonth);
    let apply: RowFunction = match function {
        F::ArrayConstructor => return Some((Nulls::Seen, Box::new(|row| Ok(owned(row.iter()))))),
        F::RowConstructor => {
            return Some((
                Nulls::Seen,
                Box::new(|row| Ok(Datum::Row(row.iter().map(|field| field.clone().into_owned()).collect()))),
            ));
        }
        F::Contains => Box::new(|row| {
            for element in row[0].elements() {
                if is_equal(element, &row[1], "contains")? {
                    return Ok(Datum::Boolean(true));
                }
            }
            let has_null = row[0].elements().iter().any(Datum::is_null);
            Ok(if has_null { Datum::Null } else { Datum::Boolean(false) })
        }),
        F::Subscript => Box::new(|row| {
            let (elements, index) = (row[0].elements(), row[1].integer());
            if index == 0 {
                return Err(invalid("SQL array indices start at 1"));
            }
            if index < 0 {
                return Err(invalid(format!("Array subscript is negative: {index}")));
            }
            let place = usize::try_from(index - 1).unwrap_or(usize::MAX);
            elements.get(place).map(|element| element.clone().into_owned()).ok_or_else(|| {
                invalid(format!(
                    "Array subscript must be less than or equal to array length: {index} > {}",
                    elements.len()
                ))
            })
        }),
        F::ElementAt => Box::new(|row| {
            let elements = row[0].elements();
            if row[1].integer() == 0 {
                return Err(invalid("SQL array indices start at 1"));
            }
            if row[1].integer() == i64::MIN {
                return Err(invalid("integer overflow"));
            }
            Ok(place(elements.len(), row[1].integer())
                .map_or(Datum::Null, |place| elements[place].clone().into_owned()))
        }),
        F::Cardinality => Box::new(|row| Ok(number(row[0].elements().len()))),
        F::ArrayPosition => Box::new(|row| {
            for (place, element) in row[0].elements().iter().enumerate() {
                if is_equal(element, &row[1], "array_position")? {
                    return Ok(number(place + 1));
                }
            }
            Ok(Datum::Integer(0))
        }),
        F::ArrayDistinct => Box::new(|row| Ok(owned(distinct(row[0].elements().iter()).into_iter()))),
        F::ArraySort => Box::new(|row| {
            let mut elements: Vec<&Datum<'_>> = row[0].elements().iter().collect();
            elements.sort_by(|left, right| compare(left, right));
            Ok(owned(elements.into_iter()))
        }),
        F::ArrayMax => Box::new(|row| Ok(extreme(row[0].elements(), Ordering::Greater))),
        F::ArrayMin => Box::new(|row| Ok(extreme(row[0].elements(), Ordering::Less))),
        F::ArrayRemove => Box::new(|row| {
            let mut kept = Vec::new();
            for element in row[0].elements() {
                if !is_equal(element, &row[1], "array_remove")? {
                    kept.push(element.clone().into_owned());
                }
            }
            Ok(Datum::Array(kept))
        }),
        F::ArrayJoin => Box::new(move |row| {
            let element_type = if let Type::Array(element) = &first_type { element } else { &first_type };
            let replacement = row.get(2).map(Datum::text);
            let mut parts: Vec<String> = Vec::with_capacity(row[0].elements().len());
            for element in row[0].elements() {
                let text = convert(element, element_type, &Type::VARCHAR)
                    .map_err(|message| raise(ErrorCode::InvalidFunctionArgument, message))?;
                match text {
                    Datum::Null => parts.extend(replacement.map(str::to_owned)),
                    text => parts.push(text.text().to_owned()),
                }
            }
            Ok(Datum::from_text(parts.join(row[1].text())))
        }),
        F::ArrayUnion => {
            Box::new(|row| Ok(owned(distinct(row[0].elements().iter().chain(row[1].elements())).into_iter())))
        }
        F::ArrayIntersect => Box::new(|row| {
            // In the order of the longer array, as in Trino.
            let (longer, shorter) = match row[0].elements().len() < row[1].elements().len() {
                true => (&row[1], &row[0]),
                false => (&row[0], &row[1]),
            };
            let others = keys(shorter);
            let both = longer.elements().iter().filter(|element| others.contains(&key(element)));
            Ok(owned(distinct(both).into_iter()))
        }),
        F::ArrayExcept => Box::new(|row| {
            // As in Trino: with nothing to exclude, duplicates stay.
            if row[1].elements().is_empty() {
                return Ok(owned(row[0].elements().iter()));
            }
            let others = keys(&row[1]);
            let rest = row[0].elements().iter().filter(|element| !others.contains(&key(element)));
            Ok(owned(distinct(rest).into_iter()))
        }),
        F::ArraysOverlap => Box::new(|row| {
            let (left, right) = (row[0].elements(), row[1].elements());
            let others = keys(&row[1]);
            if left.iter().any(|element| !element.is_null() && others.contains(&key(element))) {
                return Ok(Datum::Boolean(true));
            }
            let is_unknown = (left.iter().any(Datum::is_null) && !right.is_empty())
                || (right.iter().any(Datum::is_null) && !left.is_empty());
            Ok(if is_unknown { Datum::Null } else { Datum::Boolean(false) })
        }),
        F::Slice => Box::new(slice),
        F::Sequence => Box::new(move |row| sequence::sequence(row, &first_type, is_month_step)),
        F::Combinations => Box::new(groups::combinations),
        F::Ngrams => Box::new(groups::ngrams),
        F::ContainsSequence => Box::new(|row| Ok(groups::contains_sequence(row))),
        F::TrimArray => Box::new(groups::trim_array),
        F::Zip => Box::new(|row| Ok(groups::zip(row))),
        F::Flatten => {
            Box::new(|row| Ok(owned(row[0].elements().iter().flat_map(|inner| inner.elements().iter()))))
        }
        F::Repeat => {
            return Some((
                Nulls::Seen,
                Box::new(|row| {
                    if row[1].is_null() {
                        return Ok(Datum::Null);
                    }
                    if row[1].integer() < 0 {
                        let what = "count argument of repeat function must be greater than or equal to 0";
                        return Err(invalid(what));
                    }
                    let count = usize::try_from(made(row[1].integer())?).unwrap_or(0);
                    Ok(owned(std::iter::repeat_n(&row[0], count)))
                }),
            ));
        }
        F::Reverse if is_array => Box::new(|row| Ok(owned(row[0].elements().iter().rev()))),
        F::Concat => return concat(types),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

/// Concatenates arrays, or an array and an element.
fn concat(types: &[Type]) -> Option<(Nulls, RowFunction)> {
    let is_element_of =
        |element: &Type, array: &Type| matches!(array, Type::Array(inner) if **inner == *element);
    let apply: RowFunction = match types {
        [array, element] if is_element_of(element, array) => {
            Box::new(|row| Ok(owned(row[0].elements().iter().chain(std::iter::once(&row[1])))))
        }
        [element, array] if is_element_of(element, array) => {
            Box::new(|row| Ok(owned(std::iter::once(&row[0]).chain(row[1].elements()))))
        }
        [Type::Array(_), ..] => {
            Box::new(|row| Ok(owned(row.iter().flat_map(|array| array.elements().iter()))))
        }
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

fn owned<'a, 'b: 'a>(elements: impl Iterator<Item = &'a Datum<'b>>) -> Datum<'static> {
    Datum::Array(elements.map(|element| element.clone().into_owned()).collect())
}

/// The distinct elements, in the order of their first occurrence.
fn distinct<'a, 'b>(elements: impl Iterator<Item = &'a Datum<'b>>) -> Vec<&'a Datum<'b>> {
    let mut seen = HashSet::new();
    elements.filter(|element| seen.insert(key(element))).collect()
}

/// The elements as keys, which are equal if DISTINCT takes the elements for equal.
fn keys(array: &Datum<'_>) -> HashSet<Vec<u8>> {
    array.elements().iter().map(key).collect()
}

fn key(element: &Datum<'_>) -> Vec<u8> {
    key_of([element], NanPlace::Last)
}

/// Whether an element equals the value; a NULL element does not.
fn is_equal(element: &Datum<'_>, value: &Datum<'_>, function: &str) -> PolarsResult<bool> {
    if element.is_null() {
        return Ok(false);
    }
    equal(element, value).ok_or_else(|| {
        let what = format!("{function} does not support arrays with elements that are null or contain null");
        raise(ErrorCode::NotSupported, what)
    })
}

fn extreme(elements: &[Datum<'_>], wanted: Ordering) -> Datum<'static> {
    if elements.iter().any(Datum::is_null) {
        return Datum::Null;
    }
    math::owned(math::extreme(elements, wanted))
}

/// The index of a position, which counts from 1 or, if negative, from the end.
fn place(length: usize, position: i64) -> Option<usize> {
    let index = if position > 0 {
        usize::try_from(position - 1).ok()?
    } else {
        length.checked_sub(usize::try_from(position.unsigned_abs()).ok()?)?
    };
    (index < length).then_some(index)
}

fn slice(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let (elements, start, length) = (row[0].elements(), row[1].integer(), row[2].integer());
    if length < 0 {
        return Err(invalid("length must be greater than or equal to 0"));
    }
    if start == 0 {
        return Err(invalid("SQL array indices start at 1"));
    }
    let Some(first) = place(elements.len(), start) else { return Ok(Datum::Array(Vec::new())) };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    Ok(owned(elements[first..].iter().take(length)))
}

fn made(count: i64) -> PolarsResult<i64> {
    if count > MAX_MADE_ELEMENTS {
        return Err(invalid(format!("result must not have more than {MAX_MADE_ELEMENTS} entries")));
    }
    Ok(count)
}
