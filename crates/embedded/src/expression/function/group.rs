//! Results of aggregates that are computed from the array of a group's values. Its elements are rows of the arguments,
//! or the only argument. Rows with NULL in an argument that must not be NULL are skipped.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use polars::prelude::PolarsResult;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::functions::STANDARD_ERRORS;
use rowhouse_sql::types::Type;

use super::{RowFunction, invalid, literal_text};
use crate::conversion::number_text::double_to_text;
use crate::datum::{Datum, NanPlace, Nulls, compare, compare_with, in_order_of_keys};
use crate::order_key::key_of;

mod checksum;
mod histogram;
mod sketches;

/// Maximum number of values that `max(x, n)` and similar functions return.
const MOST_EXTREMES: i64 = 10_000;

/// Maximum number of bytes of a `listagg` result, beyond which values are omitted, as in Trino.
const MOST_LISTED_BYTES: usize = 1 << 20;

pub(super) fn function(args: &[Expr], result: &Type) -> Option<(Nulls, RowFunction)> {
    let name = literal_text(args.first()?)?.to_owned();
    let Type::Array(element) = args.get(1)?.data_type.clone() else { return None };
    let apply: RowFunction = match name.as_str() {
        "max" | "min" | "max_by" | "min_by" => Box::new(move |row| extremes(&name, row[1].elements())),
        "approx_percentile" => {
            let value_type = value_type(&element)?;
            Box::new(move |row| percentiles(row[1].elements(), &value_type))
        }
        "approx_distinct" => Box::new(|row| distinct(row[1].elements())),
        "numeric_histogram" => {
            let is_real = matches!(result, Type::Map(key, _) if **key == Type::Real);
            Box::new(move |row| histogram::numeric(row[1].elements(), is_real))
        }
        "approx_most_frequent" => Box::new(|row| most_frequent(row[1].elements())),
        "checksum" => Box::new(move |row| Ok(checksum::of_values(row[1].elements(), &element))),
        "approx_set" => Box::new(|row| Ok(sketches::set(row[1].elements()))),
        "qdigest_agg" => Box::new(move |row| sketches::quantile_digest(row[1].elements(), &element)),
        "tdigest_agg" => Box::new(move |row| sketches::t_digest(row[1].elements(), &element)),
        "merge" => Box::new(move |row| sketches::merged(row[1].elements(), &element)),
        "listagg" => Box::new(|row| Ok(listed(row))),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

fn value_type(element: &Type) -> Option<Type> {
    match element {
        Type::Row(fields) => fields.first().map(|field| field.data_type.clone()),
        _ => None,
    }
}

/// The rows in which none of these arguments is NULL.
fn known<'r, 'd>(rows: &'r [Datum<'d>], places: &[usize]) -> Vec<&'r [Datum<'d>]> {
    let is_known = |row: &&'r [Datum<'d>]| {
        places.iter().all(|place| row.get(*place).is_some_and(|argument| !argument.is_null()))
    };
    rows.iter().map(Datum::elements).filter(is_known).collect()
}

/// The n greatest or least values, or the first arguments of the rows with the greatest or least second arguments. The
/// first row has n.
fn extremes(name: &str, rows: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let key = usize::from(name.ends_with("_by"));
    let mut rows = known(rows, &[key, key + 1]);
    let Some(first) = rows.first() else { return Ok(Datum::Null) };
    let wanted = first[key + 1].integer();
    let (argument, function) =
        if key == 0 { ("second", format!("{name}_n")) } else { ("third", name.to_owned()) };
    if wanted < 1 {
        return Err(invalid(format!("{argument} argument of {function} must be positive")));
    }
    if wanted > MOST_EXTREMES {
        let most = format!("less than or equal to {MOST_EXTREMES}; found {wanted}");
        return Err(invalid(format!("{argument} argument of {function} must be {most}")));
    }
    // As long as there are numbers, NaN is neither greatest nor least.
    if name.starts_with("max") {
        rows.sort_by(|left, right| compare_with(&right[key], &left[key], NanPlace::First));
    } else {
        rows.sort_by(|left, right| compare(&left[key], &right[key]));
    }
    let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
    Ok(Datum::Array(rows.iter().take(wanted).map(|row| row[0].clone().into_owned()).collect()))
}

/// The number of different values; rows have a value and a standard error. The count is exact.
fn distinct(rows: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let mut seen = HashSet::new();
    for row in known(rows, &[0, 1]) {
        let error = row[1].double();
        if !STANDARD_ERRORS.contains(&error) {
            let [least, most] = [*STANDARD_ERRORS.start(), *STANDARD_ERRORS.end()].map(double_to_text);
            let range = format!("[{least}, {most}]");
            return Err(invalid(format!("Max standard error must be in {range}: {}", double_to_text(error))));
        }
        seen.insert(key_of([&row[0]], NanPlace::Last));
    }
    Ok(Datum::Integer(i64::try_from(seen.len()).unwrap_or(i64::MAX)))
}

/// One percentile or an array of percentiles of values, which may have weights. The first row has the array of fractions,
/// as in Trino, and the last one the single fraction.
fn percentiles(rows: &[Datum<'_>], value_type: &Type) -> PolarsResult<Datum<'static>> {
    let arguments = rows.first().map_or(0, |row| row.elements().len());
    let has_weights = arguments > 2;
    let wanted = if has_weights { 2 } else { 1 };
    let rows = known(rows, &(0..arguments).collect::<Vec<usize>>());
    let Some(first) = rows.first() else { return Ok(Datum::Null) };
    if first.len() > 3 {
        return sketches::percentile(&rows, value_type);
    }
    let mut values: Vec<(&Datum<'_>, f64)> = Vec::with_capacity(rows.len());
    for row in &rows {
        let weight = if has_weights { row[1].double() } else { 1.0 };
        if !weight.is_finite() {
            return Err(invalid(format!("weight must be finite, was {}", double_to_text(weight))));
        }
        if weight < 1.0 {
            return Err(invalid(format!("weight must be >= 1, was {}", double_to_text(weight))));
        }
        if matches!(&row[0], Datum::Double(value) if !value.is_finite()) {
            return Err(invalid(format!("value must be finite; was {}", double_to_text(row[0].double()))));
        }
        values.push((&row[0], weight));
    }
    values.sort_by(|left, right| compare(left.0, right.0));
    let one = |fraction: &Datum<'_>| match fraction {
        Datum::Null => Err(invalid("Percentile cannot be null")),
        fraction if !(0.0..=1.0).contains(&fraction.double()) => {
            Err(invalid("Percentile must be between 0 and 1"))
        }
        fraction => Ok(percentile(&values, fraction.double(), value_type)),
    };
    match (&first[wanted], rows.last()) {
        (Datum::Array(fractions), _) => {
            Ok(Datum::Array(fractions.iter().map(one).collect::<PolarsResult<Vec<_>>>()?))
        }
        (_, Some(last)) => one(&last[wanted]),
        (fraction, None) => one(fraction),
    }
}

/// A percentile of at least one sorted value. A value of weight 1 is returned itself; other values are interpolated, as
/// between the centroids of Trino's digest.
fn percentile(values: &[(&Datum<'_>, f64)], fraction: f64, value_type: &Type) -> Datum<'static> {
    let total: f64 = values.iter().map(|(_, weight)| weight).sum();
    let place = fraction * total;
    let (first, last) = (values[0], values[values.len() - 1]);
    let itself = |value: &Datum<'_>| value.clone().into_owned();
    if place < 1.0 || first.1 > 1.0 && place < first.1 / 2.0 {
        return itself(first.0);
    }
    if place > total - 1.0 || last.1 > 1.0 && total - place <= last.1 / 2.0 {
        return itself(last.0);
    }
    let mut center = first.1 / 2.0;
    for pair in values.windows(2) {
        let ((left, left_weight), (right, right_weight)) = (pair[0], pair[1]);
        let step = f64::midpoint(left_weight, right_weight);
        if center + step > place {
            let is_one = |weight: f64| (weight - 1.0).abs() < f64::EPSILON;
            let (to_left, to_right) = (place - center, center + step - place);
            if is_one(left_weight) && to_left < 0.5 {
                return itself(left);
            }
            if is_one(right_weight) && to_right <= 0.5 {
                return itself(right);
            }
            let to_left = to_left - if is_one(left_weight) { 0.5 } else { 0.0 };
            let to_right = to_right - if is_one(right_weight) { 0.5 } else { 0.0 };
            return between((left, to_right), (right, to_left), value_type);
        }
        center += step;
    }
    itself(last.0)
}

/// The weighted average of two values.
fn between(left: (&Datum<'_>, f64), right: (&Datum<'_>, f64), value_type: &Type) -> Datum<'static> {
    if compare(left.0, right.0) == Ordering::Equal {
        return left.0.clone().into_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "as Trino averages integers")]
    let as_double = |value: &Datum<'_>| match value {
        Datum::Integer(value) => *value as f64,
        value => value.double(),
    };
    let average = (as_double(left.0) * left.1 + as_double(right.0) * right.1) / (left.1 + right.1);
    #[expect(clippy::cast_possible_truncation, reason = "a number between two of the type")]
    match value_type {
        Type::BigInt => Datum::Integer((average + 0.5).floor() as i64),
        Type::Real => Datum::Double(f64::from(average as f32)),
        _ => Datum::Double(average),
    }
}

/// The most frequent values and their counts. The count is exact.
fn most_frequent(rows: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    #[derive(PartialEq, Eq, Hash)]
    enum Key<'k> {
        Integer(i64),
        Text(&'k str),
    }
    let rows = known(rows, &[0, 1, 2]);
    let Some(first) = rows.first() else { return Ok(Datum::Null) };
    let (buckets, capacity) = (first[0].integer(), first[2].integer());
    if buckets < 2 {
        return Err(invalid("approx_most_frequent bucket count must be greater than one"));
    }
    if capacity < 1 {
        return Err(invalid("approx_most_frequent capacity must be greater than zero"));
    }
    let mut places: HashMap<Key<'_>, usize> = HashMap::new();
    let mut counts: Vec<(&Datum<'_>, i64)> = Vec::new();
    for row in &rows {
        let key = match &row[1] {
            Datum::Integer(value) => Key::Integer(*value),
            value => Key::Text(value.text()),
        };
        let place = *places.entry(key).or_insert(counts.len());
        match counts.get_mut(place) {
            Some((_, count)) => *count += 1,
            None => counts.push((&row[1], 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.truncate(usize::try_from(buckets.min(capacity)).unwrap_or(usize::MAX));
    let entry = |(value, count): &(&Datum<'_>, i64)| {
        Datum::Row(vec![(*value).clone().into_owned(), Datum::Integer(*count)])
    };
    Ok(in_order_of_keys(Datum::Array(counts.iter().map(entry).collect())))
}

/// The texts with a separator between them. A filler replaces the texts that exceed the limit; optionally it counts
/// them.
fn listed(row: &[Datum<'_>]) -> Datum<'static> {
    let (separator, filler) = (row[2].text(), row[3].text());
    let texts: Vec<&str> = row[1].elements().iter().filter(|text| !text.is_null()).map(Datum::text).collect();
    if texts.is_empty() {
        return Datum::Null;
    }
    let mut list = String::new();
    for (place, text) in texts.iter().enumerate() {
        let separator = if place == 0 { "" } else { separator };
        if list.len() + separator.len() + text.len() > MOST_LISTED_BYTES {
            // As in Trino, no separator precedes the filler if the list has no text before it.
            list.push_str(separator);
            list.push_str(filler);
            if row[4] == Datum::Boolean(true) {
                list.push_str(&format!("({})", texts.len() - place));
            }
            break;
        }
        list.push_str(separator);
        list.push_str(text);
    }
    Datum::from_text(list)
}
