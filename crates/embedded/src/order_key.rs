//! Encodes arrays and rows as bytes with the order of ORDER BY. Polars sorts bytes and finds their minimum, which it
//! does not support for nested values. The bytes also distinguish values like DISTINCT.

use polars::prelude::{BinaryChunked, DataType, Expr, IntoColumn, IntoSeries, NewChunkedArray};

use super::datum::{Datum, NanPlace, Reader};
use super::numeric::kernel;
use rowhouse_sql::expr::SortKey;
use rowhouse_sql::types::Type;

/// Precedes a value inside another one.
const VALUE: u8 = 1;
/// Represents a NULL inside a value; it follows all other values.
const NULL: u8 = 2;
/// Ends a value of variable length.
const END: u8 = 0;

/// Whether Polars cannot sort values of a type as SQL does.
pub(super) const fn is_nested(data_type: &Type) -> bool {
    matches!(data_type, Type::Array(_) | Type::Map(..) | Type::Row(_))
}

/// The key of an array or a row; NULL for NULL.
pub(super) fn order_key(value: Expr, data_type: &Type, nan: NanPlace) -> Expr {
    let data_type = data_type.clone();
    kernel(value, &[], DataType::Binary, move |columns| {
        let reader = Reader::new(columns[0].as_materialized_series(), &data_type)?;
        let keys = (0..columns[0].len()).map(|row| match reader.get(row) {
            Datum::Null => None,
            value => Some(key_of([&value], nan)),
        });
        let keys = BinaryChunked::from_iter_options(columns[0].name().clone(), keys);
        Ok(keys.into_series().into_column())
    })
}

/// The key of several values, in order.
pub(super) fn key_of<'a, 'd: 'a>(values: impl IntoIterator<Item = &'a Datum<'d>>, nan: NanPlace) -> Vec<u8> {
    let mut key = Vec::new();
    values.into_iter().for_each(|value| write(value, nan, &mut key));
    key
}

fn write(value: &Datum<'_>, nan: NanPlace, key: &mut Vec<u8>) {
    if value.is_null() {
        return key.push(NULL);
    }
    key.push(VALUE);
    match value {
        Datum::Null => {}
        Datum::Boolean(value) => key.push(u8::from(*value)),
        Datum::Integer(value) => key.extend((value.cast_unsigned() ^ 1 << 63).to_be_bytes()),
        Datum::Decimal(value) => key.extend((value.cast_unsigned() ^ 1 << 127).to_be_bytes()),
        Datum::Double(value) => key.extend(double_key(*value, nan).to_be_bytes()),
        Datum::Text(text) => write_bytes(text.as_bytes(), key),
        Datum::Binary(bytes) => write_bytes(bytes, key),
        Datum::Array(elements) | Datum::Row(elements) => {
            elements.iter().for_each(|element| write(element, nan, key));
            key.push(END);
        }
    }
}

/// Encodes a double; both zeros are equal, and all NaNs are equal.
fn double_key(value: f64, nan: NanPlace) -> u64 {
    if value.is_nan() {
        return if nan == NanPlace::First { 0 } else { u64::MAX };
    }
    // Adding zero makes a negative zero positive.
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// Encodes bytes. A zero byte is followed by a byte that never follows an end, so that a prefix comes first.
fn write_bytes(bytes: &[u8], key: &mut Vec<u8>) {
    for byte in bytes {
        key.push(*byte);
        if *byte == END {
            key.push(u8::MAX);
        }
    }
    key.push(END);
}

/// One column by which Polars sorts.
#[derive(Clone, Debug)]
pub(super) struct SortColumn {
    pub(super) value: Expr,
    pub(super) is_descending: bool,
    pub(super) nulls_last: bool,
}

/// The columns by which Polars must sort the value of one key for SQL's order.
pub(super) fn sort_columns(value: Expr, key: &SortKey) -> Vec<SortColumn> {
    let nan = NanPlace::of_order(key.nulls_first);
    let by =
        |value: Expr, is_descending: bool| SortColumn { value, is_descending, nulls_last: !key.nulls_first };
    match &key.expr.data_type {
        nested if is_nested(nested) => vec![by(order_key(value, nested, nan), key.is_descending)],
        // In Polars, NaN is the greatest number.
        Type::Real | Type::Double if nan == NanPlace::First => {
            vec![by(value.clone().is_nan(), !key.is_descending), by(value, key.is_descending)]
        }
        // The filter that Polars' top-k passes to its input compares the key of a batch of one row as the number that the decimal
        // shows with those that other batches store: rows were missing.
        Type::Decimal { .. } => vec![by(value.to_physical(), key.is_descending)],
        _ => vec![by(value, key.is_descending)],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::super::datum::compare_with;
    use super::*;

    fn scalar() -> impl Strategy<Value = Datum<'static>> {
        prop_oneof![
            Just(Datum::Null),
            prop::sample::select(vec![
                -1.0,
                -0.0,
                0.0,
                1.0,
                1e300,
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY
            ])
            .prop_map(Datum::Double),
        ]
    }

    fn nested() -> impl Strategy<Value = Datum<'static>> {
        let elements = prop_oneof![
            prop::collection::vec(scalar(), 0..3),
            prop::collection::vec(any::<i64>().prop_map(Datum::Integer), 0..3),
            prop::collection::vec(any::<i128>().prop_map(Datum::Decimal), 0..3),
            prop::collection::vec("[\\x00-\\x02a]{0,3}".prop_map(Datum::from_text), 0..3),
        ];
        prop::collection::vec(elements.prop_map(Datum::Array), 0..3).prop_map(Datum::Array)
    }

    /// Two values of the same shape, so that they have one type.
    fn pair() -> impl Strategy<Value = (Datum<'static>, Datum<'static>)> {
        (nested(), nested())
            .prop_filter("of one type", |(left, right)| kinds(left).union(&kinds(right)).count() <= 1)
    }

    /// The kinds of the values inside, without duplicates.
    fn kinds(value: &Datum<'_>) -> HashSet<std::mem::Discriminant<Datum<'static>>> {
        let leaves = value.elements().iter().flat_map(|inner| inner.elements());
        let values = leaves.filter(|leaf| !leaf.is_null());
        values.map(|leaf| std::mem::discriminant(&leaf.clone().into_owned())).collect()
    }

    proptest! {
        #[test]
        fn keys_compare_as_values_do((left, right) in pair(), is_nan_first: bool) {
            let nan = NanPlace::of_order(is_nan_first);
            let keys = key_of([&left], nan).cmp(&key_of([&right], nan));
            prop_assert_eq!(keys, compare_with(&left, &right, nan));
        }
    }
}
