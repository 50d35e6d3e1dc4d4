//! Subarrays, and concatenation of arrays.

use polars::prelude::PolarsResult;

use super::super::invalid;
use super::owned;
use crate::datum::{Datum, is_same};

/// Maximum number of elements of all combinations together, as in Trino.
const MAX_COMBINED_ELEMENTS: usize = 100_000;

const MAX_COMBINATION: i64 = 5;

/// All combinations of `size` elements, ordered by their last positions.
pub(super) fn combinations(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let (elements, size) = (row[0].elements(), row[1].integer());
    if size < 0 {
        return Err(invalid(format!("combination size must not be negative: {size}")));
    }
    if size > MAX_COMBINATION {
        return Err(invalid(format!("combination size must not exceed {MAX_COMBINATION}: {size}")));
    }
    let size = usize::try_from(size).unwrap_or(0);
    // Before each factor is multiplied in, the product is a number of combinations itself, so each division is exact.
    let count = (0..size)
        .try_fold(1usize, |count, at| Some(count.checked_mul(elements.len().saturating_sub(at))? / (at + 1)));
    if count.and_then(|count| count.checked_mul(size)).is_none_or(|made| made > MAX_COMBINED_ELEMENTS) {
        return Err(invalid("combinations exceed max size"));
    }
    let mut combinations = Vec::new();
    let mut places: Vec<usize> = (0..size).collect();
    if size > elements.len() {
        return Ok(Datum::Array(combinations));
    }
    loop {
        combinations.push(owned(places.iter().map(|place| &elements[*place])));
        let limit = |at: usize| places.get(at + 1).copied().unwrap_or(elements.len());
        let Some(at) = (0..size).find(|at| places[*at] + 1 < limit(*at)) else { break };
        places[at] += 1;
        places[..at].iter_mut().enumerate().for_each(|(place, value)| *value = place);
    }
    Ok(Datum::Array(combinations))
}

/// All sequences of n adjacent elements; the whole array if it is shorter.
pub(super) fn ngrams(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let elements = row[0].elements();
    let size = usize::try_from(row[1].integer()).ok().filter(|size| *size > 0);
    let size = size.ok_or_else(|| invalid("N must be positive"))?;
    if size >= elements.len() {
        return Ok(Datum::Array(vec![owned(elements.iter())]));
    }
    Ok(Datum::Array(elements.windows(size).map(|gram| owned(gram.iter())).collect()))
}

/// Whether the elements of the second array occur contiguously in the first one; NULL equals NULL.
pub(super) fn contains_sequence(row: &[Datum<'_>]) -> Datum<'static> {
    let (elements, wanted) = (row[0].elements(), row[1].elements());
    let is_here =
        |window: &[Datum<'_>]| window.iter().zip(wanted).all(|(element, wanted)| is_same(element, wanted));
    Datum::Boolean(wanted.is_empty() || elements.windows(wanted.len()).any(is_here))
}

/// The array without its last `n` elements.
pub(super) fn trim_array(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let (elements, count) = (row[0].elements(), row[1].integer());
    if count < 0 {
        return Err(invalid(format!("size must not be negative: {count}")));
    }
    let kept = usize::try_from(count).ok().and_then(|count| elements.len().checked_sub(count));
    let kept = kept.ok_or_else(|| {
        invalid(format!("size must not exceed array cardinality {}: {count}", elements.len()))
    })?;
    Ok(owned(elements[..kept].iter()))
}

/// Rows of the elements at the same position; NULL for an array that is shorter than another one.
pub(super) fn zip(row: &[Datum<'_>]) -> Datum<'static> {
    let length = row.iter().map(|array| array.elements().len()).max().unwrap_or(0);
    let at = |place: usize| {
        let fields = row.iter().map(|array| array.elements().get(place).cloned().unwrap_or(Datum::Null));
        Datum::Row(fields.map(Datum::into_owned).collect())
    };
    Datum::Array((0..length).map(at).collect())
}
