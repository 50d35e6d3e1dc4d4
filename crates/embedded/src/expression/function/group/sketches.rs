//! `approx_set`, `qdigest_agg`, `tdigest_agg` and `merge`: the sketch of a group's values.

use polars::prelude::PolarsResult;
use rowhouse_sql::types::Type;

use super::super::invalid;
use super::super::sketch::{of_sketch, sortable, unsorted};
use super::known;
use crate::conversion::number_text::double_to_text;
use crate::datum::Datum;
use crate::sketch::{HyperLogLog, QuantileDigest, TDigest};

/// The maximum error of a quantile of a `qdigest` if no accuracy is given.
const DEFAULT_ACCURACY: f64 = 0.01;

fn made(bytes: Vec<u8>) -> Datum<'static> {
    Datum::Binary(bytes.into())
}

/// The result of `approx_set`.
pub(super) fn set(values: &[Datum<'_>]) -> Datum<'static> {
    let mut values = values.iter().filter(|value| !value.is_null()).peekable();
    if values.peek().is_none() {
        return Datum::Null;
    }
    let mut set = HyperLogLog::new();
    for value in values {
        match value {
            Datum::Integer(number) => set.add(&number.to_le_bytes()),
            // As Java encodes doubles: there is one NaN.
            Datum::Double(number) if number.is_nan() => set.add(&f64::NAN.to_bits().to_le_bytes()),
            Datum::Double(number) => set.add(&number.to_bits().to_le_bytes()),
            text => set.add(text.text().as_bytes()),
        }
    }
    made(set.serialized())
}

/// The values of a group, or the rows of its arguments, without NULLs.
fn arguments<'r, 'd>(values: &'r [Datum<'d>], has_rows: bool) -> Vec<&'r [Datum<'d>]> {
    if has_rows {
        let count = values.first().map_or(0, |row| row.elements().len());
        return known(values, &(0..count).collect::<Vec<usize>>());
    }
    values.iter().filter(|value| !value.is_null()).map(std::slice::from_ref).collect()
}

/// The result of `qdigest_agg`: rows have a value, its weight and an accuracy; the first row's accuracy counts.
pub(super) fn quantile_digest(values: &[Datum<'_>], element: &Type) -> PolarsResult<Datum<'static>> {
    let (has_rows, value_type) = value_type(element);
    let rows = arguments(values, has_rows);
    let Some(first) = rows.first() else { return Ok(Datum::Null) };
    let accuracy = first.get(2).map_or(DEFAULT_ACCURACY, Datum::double);
    if !(accuracy > 0.0 && accuracy < 1.0) {
        let found = double_to_text(accuracy);
        return Err(invalid(format!("Percentile accuracy must be exclusively between 0 and 1, was {found}")));
    }
    let mut digest = QuantileDigest::new(accuracy);
    for row in rows {
        let weight = row.get(1).map_or(1, Datum::integer);
        if weight < 1 {
            return Err(invalid(format!("Percentile weight must be > 0, was {weight}")));
        }
        #[expect(clippy::cast_precision_loss, reason = "as Trino weighs")]
        digest.add(sortable(&row[0], value_type), weight as f64);
    }
    // Trino's partial aggregation serializes the digest once before the final one does.
    let mut stored = of_sketch(QuantileDigest::from_bytes(&digest.serialized()))?;
    Ok(made(stored.serialized()))
}

/// The result of `approx_percentile` with an accuracy; rows have a value, its weight, the fraction and the accuracy.
pub(super) fn percentile(rows: &[&[Datum<'_>]], value_type: &Type) -> PolarsResult<Datum<'static>> {
    let Some(first) = rows.first() else { return Ok(Datum::Null) };
    let (fraction, accuracy) = (first[2].double(), first[3].double());
    if !(accuracy > 0.0 && accuracy < 1.0) {
        return Err(invalid("Percentile accuracy must be strictly between 0 and 1"));
    }
    if !(0.0..=1.0).contains(&fraction) {
        return Err(invalid("Percentile must be between 0 and 1"));
    }
    let mut digest = QuantileDigest::new(accuracy);
    for row in rows {
        let weight = row[1].double();
        if !(weight > 0.0 && weight.is_finite()) {
            return Err(invalid("percentile weight must be > 0"));
        }
        digest.add(sortable(&row[0], value_type), weight);
    }
    of_sketch(digest.quantile(fraction)).map(|number| unsorted(number, value_type))
}

fn value_type(element: &Type) -> (bool, &Type) {
    match element {
        Type::Row(fields) => (true, fields.first().map_or(element, |field| &field.data_type)),
        only => (false, only),
    }
}

/// The result of `tdigest_agg`: rows have a value and its weight.
pub(super) fn t_digest(values: &[Datum<'_>], element: &Type) -> PolarsResult<Datum<'static>> {
    let rows = arguments(values, matches!(element, Type::Row(_)));
    if rows.is_empty() {
        return Ok(Datum::Null);
    }
    let mut digest = TDigest::new();
    for row in rows {
        let weight = row.get(1).map_or(1.0, Datum::double);
        if !weight.is_finite() {
            return Err(invalid(format!("weight must be finite, was {}", double_to_text(weight))));
        }
        if weight < 1.0 {
            return Err(invalid(format!("weight must be >= 1, was {}", double_to_text(weight))));
        }
        of_sketch(digest.add(row[0].double(), weight))?;
    }
    Ok(made(digest.serialized()))
}

/// The result of `merge`.
pub(super) fn merged(values: &[Datum<'_>], sketch: &Type) -> PolarsResult<Datum<'static>> {
    let mut sketches = values.iter().filter(|value| !value.is_null()).map(Datum::bytes);
    let Some(first) = sketches.next() else { return Ok(Datum::Null) };
    Ok(made(match sketch {
        Type::HyperLogLog => {
            let mut set = of_sketch(HyperLogLog::from_bytes(first))?;
            for other in sketches {
                of_sketch(HyperLogLog::from_bytes(other).and_then(|other| set.merge(other)))?;
            }
            set.serialized()
        }
        Type::TDigest => {
            let mut digest = of_sketch(TDigest::from_bytes(first))?;
            for other in sketches {
                digest.merge(of_sketch(TDigest::from_bytes(other))?);
            }
            digest.serialized()
        }
        _ => {
            let mut digest = of_sketch(QuantileDigest::from_bytes(first))?;
            for other in sketches {
                digest.merge(&of_sketch(QuantileDigest::from_bytes(other))?);
            }
            digest.serialized()
        }
    }))
}
