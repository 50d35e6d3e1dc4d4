//! Arrays of doubles as vectors.

use polars::prelude::PolarsResult;

use super::super::{RowFunction, invalid};
use crate::conversion::to_text;
use crate::datum::Datum;
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

pub(super) fn function(function: ScalarFunction, types: &[Type]) -> Option<RowFunction> {
    use ScalarFunction as F;
    Some(match function {
        F::DotProduct => Box::new(|row| {
            let products = pairs(row)?.map(|(left, right)| number(left) * number(right));
            // A sum begins with 0, not with -0, as in Java.
            Ok(Datum::Double(products.fold(0.0, |sum, product| sum + product)))
        }),
        F::EuclideanDistance => Box::new(|row| {
            let squares = pairs(row)?.map(|(left, right)| (number(left) - number(right)).powi(2));
            Ok(Datum::Double(squares.fold(0.0, |sum: f64, square| sum + square).sqrt()))
        }),
        F::CosineSimilarity if matches!(types, [Type::Map(..), ..]) => Box::new(|row| {
            let cosine = cosine_of_maps(row[0].elements(), row[1].elements());
            Ok(cosine.map_or(Datum::Null, Datum::Double))
        }),
        F::CosineSimilarity => Box::new(|row| Ok(cosine(row)?.map_or(Datum::Null, Datum::Double))),
        F::CosineDistance => {
            Box::new(|row| Ok(cosine(row)?.map_or(Datum::Null, |cosine| Datum::Double(1.0 - cosine))))
        }
        _ => return None,
    })
}

/// The bucket of a value between the ascending bounds of bins.
pub(super) fn width_bucket(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let (operand, bins) = (row[0].double(), row[1].elements());
    if bins.is_empty() {
        return Err(invalid("Bins cannot be an empty array"));
    }
    if operand.is_nan() {
        return Err(invalid("Operand cannot be NaN"));
    }
    let (mut lower, mut upper) = (0, bins.len());
    while lower < upper {
        if number(&bins[lower]) > number(&bins[upper - 1]) {
            return Err(invalid("Bin values are not sorted in ascending order"));
        }
        let middle = lower.midpoint(upper);
        let bin = number(&bins[middle]);
        if !bin.is_finite() {
            let shown = to_text(&Datum::Double(bin), &Type::Double);
            return Err(invalid(format!("Bin value must be finite, got {shown}")));
        }
        if operand < bin {
            upper = middle;
        } else {
            lower = middle + 1;
        }
    }
    Ok(Datum::Integer(i64::try_from(lower).unwrap_or(i64::MAX)))
}

/// Trino takes a NULL element for 0.
const fn number(element: &Datum<'_>) -> f64 {
    match element {
        Datum::Null => 0.0,
        number => number.double(),
    }
}

fn pairs<'r, 'd>(
    row: &'r [Datum<'d>],
) -> PolarsResult<impl Iterator<Item = (&'r Datum<'d>, &'r Datum<'d>)> + Clone> {
    let (left, right) = (row[0].elements(), row[1].elements());
    if left.len() != right.len() {
        return Err(invalid("The arguments must have the same length"));
    }
    Ok(left.iter().zip(right))
}

/// `None` if an element is NULL.
fn cosine(row: &[Datum<'_>]) -> PolarsResult<Option<f64>> {
    let pairs = pairs(row)?;
    let (mut left_square, mut right_square, mut product) = (0.0, 0.0, 0.0);
    for (left, right) in pairs {
        if left.is_null() || right.is_null() {
            return Ok(None);
        }
        let (left, right) = (left.double(), right.double());
        left_square += left * left;
        right_square += right * right;
        product += left * right;
    }
    if left_square == 0.0 || right_square == 0.0 {
        return Err(invalid("Vector magnitude cannot be zero"));
    }
    Ok(Some(product / (left_square * right_square).sqrt()))
}

/// The cosine of maps from dimensions to numbers: NaN if one has the length 0, `None` if a number is NULL.
fn cosine_of_maps(left: &[Datum<'_>], right: &[Datum<'_>]) -> Option<f64> {
    let entry = |entry: &Datum<'_>| match entry.elements() {
        [_, Datum::Null] => None,
        [key, number] => Some((key.text().to_owned(), number.double())),
        _ => None,
    };
    let left: Vec<(String, f64)> = left.iter().map(entry).collect::<Option<_>>()?;
    let right: Vec<(String, f64)> = right.iter().map(entry).collect::<Option<_>>()?;
    let of_right: std::collections::HashMap<&str, f64> =
        right.iter().map(|(key, number)| (key.as_str(), *number)).collect();
    let products = left.iter().filter_map(|(key, number)| Some(number * of_right.get(key.as_str())?));
    let product = products.fold(0.0, |sum, product| sum + product);
    let length =
        |entries: &[(String, f64)]| entries.iter().fold(0.0, |sum, (_, number)| sum + number * number).sqrt();
    Some(product / (length(&left) * length(&right)))
}
