//! Comparison of values of one type. `=` and `<` have three results, sorting has two; they differ for NaN, and for
//! NULLs inside arrays and rows (D68, D69).

use std::cmp::Ordering;

use super::Datum;

/// The position of NaN among numbers in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NanPlace {
    First,
    Last,
}

impl NanPlace {
    /// The position as in Trino: above all numbers, or with NULLS FIRST below them.
    pub(crate) const fn of_order(nulls_first: bool) -> Self {
        if nulls_first { Self::First } else { Self::Last }
    }
}

/// The order of ORDER BY; NULLs last, NaN above all numbers.
pub(crate) fn compare(left: &Datum<'_>, right: &Datum<'_>) -> Ordering {
    compare_with(left, right, NanPlace::Last)
}

/// The order of ORDER BY; NULLs last, NaN at `nan`.
pub(crate) fn compare_with(left: &Datum<'_>, right: &Datum<'_>, nan: NanPlace) -> Ordering {
    match (left, right) {
        (Datum::Null, Datum::Null) => Ordering::Equal,
        (Datum::Null, _) => Ordering::Greater,
        (_, Datum::Null) => Ordering::Less,
        (Datum::Array(left), Datum::Array(right)) | (Datum::Row(left), Datum::Row(right)) => left
            .iter()
            .zip(right)
            .map(|(left, right)| compare_with(left, right, nan))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| left.len().cmp(&right.len())),
        (left, right) => compare_scalars(left, right, nan),
    }
}

fn compare_scalars(left: &Datum<'_>, right: &Datum<'_>, nan: NanPlace) -> Ordering {
    match (left, right) {
        (Datum::Boolean(left), Datum::Boolean(right)) => left.cmp(right),
        (Datum::Integer(left), Datum::Integer(right)) => left.cmp(right),
        (Datum::Decimal(left), Datum::Decimal(right)) => left.cmp(right),
        (Datum::Double(left), Datum::Double(right)) => left.partial_cmp(right).unwrap_or_else(|| match nan {
            NanPlace::First => right.is_nan().cmp(&left.is_nan()),
            NanPlace::Last => left.is_nan().cmp(&right.is_nan()),
        }),
        (Datum::Text(left), Datum::Text(right)) => left.cmp(right),
        (Datum::Binary(left), Datum::Binary(right)) => left.cmp(right),
        _ => Ordering::Equal,
    }
}

/// The order of `<` and similar operators on arrays and rows; `None` if a NULL precedes the first difference.
pub(crate) fn partial_compare(left: &Datum<'_>, right: &Datum<'_>) -> Option<Ordering> {
    match (left, right) {
        (Datum::Null, _) | (_, Datum::Null) => None,
        (Datum::Array(left), Datum::Array(right)) | (Datum::Row(left), Datum::Row(right)) => {
            for (left, right) in left.iter().zip(right) {
                let order = partial_compare(left, right)?;
                if order.is_ne() {
                    return Some(order);
                }
            }
            Some(left.len().cmp(&right.len()))
        }
        (left, right) => Some(compare_scalars(left, right, NanPlace::Last)),
    }
}

/// `=`: NaN equals nothing. `None` if the result depends on a NULL.
pub(crate) fn equal(left: &Datum<'_>, right: &Datum<'_>) -> Option<bool> {
    match (left, right) {
        (Datum::Null, _) | (_, Datum::Null) => None,
        (Datum::Array(left), Datum::Array(right)) | (Datum::Row(left), Datum::Row(right)) => {
            if left.len() != right.len() {
                return Some(false);
            }
            let mut is_equal = Some(true);
            for (left, right) in left.iter().zip(right) {
                match equal(left, right) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => is_equal = None,
                }
            }
            is_equal
        }
        (left, right) => Some(left == right),
    }
}

/// IS NOT DISTINCT FROM: NULL equals NULL, NaN equals NaN.
pub(crate) fn is_same(left: &Datum<'_>, right: &Datum<'_>) -> bool {
    compare(left, right).is_eq()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(numbers: &[Option<f64>]) -> Datum<'static> {
        Datum::Array(numbers.iter().map(|number| number.map_or(Datum::Null, Datum::Double)).collect())
    }

    #[test]
    fn a_null_makes_a_comparison_null_only_if_it_decides() {
        let (one, two, null) = (Some(1.0), Some(2.0), None);
        for (left, right, is_equal, order) in [
            (&[one, two][..], &[one, two][..], Some(true), Some(Ordering::Equal)),
            (&[one], &[one, two], Some(false), Some(Ordering::Less)),
            (&[], &[null], Some(false), Some(Ordering::Less)),
            (&[one, null], &[one, two], None, None),
            (&[one, null], &[two, two], Some(false), Some(Ordering::Less)),
            (&[null, one], &[null, two], Some(false), None),
            (&[null], &[null], None, None),
            (&[one, two], &[one, two, null], Some(false), Some(Ordering::Less)),
        ] {
            let (left, right) = (numbers(left), numbers(right));
            assert_eq!(equal(&left, &right), is_equal, "{left:?} = {right:?}");
            assert_eq!(equal(&right, &left), is_equal, "{right:?} = {left:?}");
            assert_eq!(partial_compare(&left, &right), order, "{left:?} < {right:?}");
            assert_eq!(partial_compare(&right, &left), order.map(Ordering::reverse), "{right:?} < {left:?}");
        }
    }

    #[test]
    fn nan_sorts_at_either_end_and_equals_nothing() {
        let (nan, one) = (Datum::Double(f64::NAN), Datum::Double(1.0));
        assert_eq!(compare(&nan, &one), Ordering::Greater);
        assert_eq!(compare_with(&nan, &one, NanPlace::First), Ordering::Less);
        assert_eq!(compare_with(&one, &nan, NanPlace::First), Ordering::Greater);
        assert_eq!(compare_with(&nan, &nan, NanPlace::First), Ordering::Equal);
        assert_eq!((equal(&nan, &nan), is_same(&nan, &nan)), (Some(false), true));
        assert_eq!(equal(&Datum::Double(0.0), &Datum::Double(-0.0)), Some(true));
        assert!(is_same(&Datum::Double(0.0), &Datum::Double(-0.0)));
    }
}
