//! Functions of sketches: `cardinality`, `empty_approx_set`, and quantiles of digests.

use polars::prelude::PolarsResult;
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

use super::{RowFunction, invalid};
use crate::datum::{Datum, Nulls};
use crate::sketch::{Fault, HyperLogLog, QuantileDigest, TDigest};

/// Converts a fault of a sketch to an error of an invalid argument.
pub(super) fn of_sketch<T>(result: Result<T, Fault>) -> PolarsResult<T> {
    result.map_err(|Fault(message)| invalid(message))
}

/// A value as an integer with the same order; doubles and reals by their bits.
pub(super) fn sortable(value: &Datum<'_>, data_type: &Type) -> i64 {
    match (value, data_type) {
        (Datum::Integer(number), _) => *number,
        #[expect(clippy::cast_possible_truncation, reason = "a real is one of 32 bits")]
        (value, Type::Real) => {
            let bits = (value.double() as f32).to_bits().cast_signed();
            i64::from(bits ^ ((bits >> 31) & i32::MAX))
        }
        (value, _) => {
            let bits = value.double().to_bits().cast_signed();
            bits ^ ((bits >> 63) & i64::MAX)
        }
    }
}

/// The value of an integer from [`sortable`].
pub(super) fn unsorted(number: i64, data_type: &Type) -> Datum<'static> {
    match data_type {
        Type::BigInt => Datum::Integer(number),
        #[expect(clippy::cast_possible_truncation, reason = "a real has 32 bits")]
        Type::Real => {
            let bits = number as i32;
            let bits = bits ^ ((bits >> 31) & i32::MAX);
            Datum::Double(f64::from(f32::from_bits(bits.cast_unsigned())))
        }
        _ => Datum::Double(f64::from_bits((number ^ ((number >> 63) & i64::MAX)).cast_unsigned())),
    }
}

enum Digest {
    Quantile(QuantileDigest),
    Centroids(TDigest),
}

impl Digest {
    fn of(bytes: &[u8], data_type: &Type) -> PolarsResult<Self> {
        of_sketch(match data_type {
            Type::TDigest => TDigest::from_bytes(bytes).map(Self::Centroids),
            _ => QuantileDigest::from_bytes(bytes).map(Self::Quantile),
        })
    }

    fn value(&self, fraction: f64, data_type: &Type) -> PolarsResult<Datum<'static>> {
        of_sketch(match self {
            Self::Quantile(digest) => digest.quantile(fraction).map(|number| unsorted(number, data_type)),
            Self::Centroids(digest) => digest.quantile(fraction).map(Datum::Double),
        })
    }
}

/// The type of the values of a digest.
fn value_type(digest: &Type) -> Type {
    match digest {
        Type::QDigest(element) => (**element).clone(),
        _ => Type::Double,
    }
}

fn quantiles(digest: &Digest, fractions: &[Datum<'_>], value: &Type) -> PolarsResult<Datum<'static>> {
    if fractions.iter().any(Datum::is_null) {
        return Err(invalid("quantile cannot be null"));
    }
    let fractions: Vec<f64> = fractions.iter().map(Datum::double).collect();
    if matches!(digest, Digest::Centroids(_)) && !fractions.is_sorted() {
        return Err(invalid("percentiles must be sorted in increasing order"));
    }
    let values = fractions.into_iter().map(|fraction| digest.value(fraction, value));
    values.collect::<PolarsResult<Vec<_>>>().map(Datum::Array)
}

pub(super) fn function(function: ScalarFunction, types: &[Type]) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let sketch = types.first().cloned().unwrap_or(Type::HyperLogLog);
    let value = value_type(&sketch);
    let apply: RowFunction = match function {
        F::EmptyApproxSet => Box::new(|_| Ok(Datum::Binary(HyperLogLog::new().serialized().into()))),
        F::Cardinality => Box::new(|row| {
            let set = HyperLogLog::from_bytes(row[0].bytes()).and_then(|set| set.cardinality());
            of_sketch(set).map(Datum::Integer)
        }),
        F::ValueAtQuantile => {
            Box::new(move |row| Digest::of(row[0].bytes(), &sketch)?.value(row[1].double(), &value))
        }
        F::ValuesAtQuantiles => {
            Box::new(move |row| quantiles(&Digest::of(row[0].bytes(), &sketch)?, row[1].elements(), &value))
        }
        F::QuantileAtValue => Box::new(move |row| {
            let digest = of_sketch(QuantileDigest::from_bytes(row[0].bytes()))?;
            let fraction = digest.fraction_before(sortable(&row[1], &value));
            Ok(fraction.map_or(Datum::Null, Datum::Double))
        }),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}
