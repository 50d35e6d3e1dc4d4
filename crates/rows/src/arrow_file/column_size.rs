//! The size of values, computed from offsets only: a few steps for each column and its nested columns, however many
//! rows there are. No value is read.

use std::ops::Range;

use super::column::{ColumnValues, Offsets, Values};

/// Bytes of an offset.
const OFFSET_BYTES: usize = 8;
/// Size of the shortest value in estimates of JSON.
const SCALAR_JSON_BYTES: usize = 8;

impl ColumnValues {
    /// Approximate bytes of rows in Arrow.
    pub(crate) fn arrow_bytes(&self, rows: Range<usize>) -> usize {
        let count = rows.len();
        let bits = count.div_ceil(8);
        let nulls = if self.nulls().is_some() { bits } else { 0 };
        let values = match &self.values {
            Values::Null => 0,
            Values::Boolean(_) => bits,
            Values::Int8(_) | Values::UInt8(_) => count,
            Values::Int16(_) | Values::UInt16(_) => 2 * count,
            Values::Int32(_)
            | Values::UInt32(_)
            | Values::Float32(_)
            | Values::Date(_)
            | Values::Time32 { .. }
            | Values::Months(_) => 4 * count,
            Values::Int64(_)
            | Values::UInt64(_)
            | Values::Float64(_)
            | Values::Time64 { .. }
            | Values::Timestamp { .. }
            | Values::Duration { .. } => 8 * count,
            Values::ZonedTimestamp { .. } => 10 * count,
            Values::Decimal { .. } => 16 * count,
            Values::Text(bytes) | Values::Binary(bytes) => {
                OFFSET_BYTES * count + bytes.offsets.within(rows).len()
            }
            Values::List { offsets, elements } => {
                OFFSET_BYTES * count + elements.arrow_bytes(offsets.within(rows))
            }
            Values::Map { offsets, keys, values } => {
                let entries = offsets.within(rows);
                OFFSET_BYTES * count + keys.arrow_bytes(entries.clone()) + values.arrow_bytes(entries)
            }
            Values::Row { fields, .. } => fields.iter().map(|field| field.arrow_bytes(rows.clone())).sum(),
        };
        nulls + values
    }

    /// Bytes of the offsets and bitmaps of everything nested in rows: a slice must recompute them, so they take memory
    /// besides the file's mapping.
    pub(crate) fn nested_offset_bytes(&self, rows: Range<usize>) -> usize {
        let own = |rows: &Range<usize>| OFFSET_BYTES * rows.len() + rows.len().div_ceil(4);
        match &self.values {
            Values::Text(_) | Values::Binary(_) => own(&rows),
            Values::List { offsets, elements } => {
                own(&rows) + elements.nested_offset_bytes(offsets.within(rows))
            }
            Values::Map { offsets, keys, values } => {
                let entries = offsets.within(rows.clone());
                own(&rows) + keys.nested_offset_bytes(entries.clone()) + values.nested_offset_bytes(entries)
            }
            Values::Row { fields, .. } => {
                own(&rows) + fields.iter().map(|field| field.nested_offset_bytes(rows.clone())).sum::<usize>()
            }
            // Misaligned decimals are copied.
            Values::Decimal { .. } => 16 * rows.len() + rows.len().div_ceil(4),
            _ => rows.len().div_ceil(4),
        }
    }

    /// An estimate of the JSON size of rows, at least a sixth of it: escapes make a text at most six times as long.
    pub(crate) fn json_weight(&self, rows: Range<usize>) -> usize {
        let scalars = SCALAR_JSON_BYTES * rows.len();
        match &self.values {
            Values::Text(bytes) | Values::Binary(bytes) => scalars + bytes.offsets.within(rows).len(),
            Values::List { offsets, elements } => scalars + elements.json_weight(offsets.within(rows)),
            Values::Map { offsets, keys, values } => {
                let entries = offsets.within(rows);
                scalars + keys.json_weight(entries.clone()) + values.json_weight(entries)
            }
            Values::Row { names, fields } => {
                let names: usize = names.iter().map(String::len).sum();
                let fields = fields.iter().map(|field| field.json_weight(rows.clone()));
                scalars + names * rows.len() + fields.sum::<usize>()
            }
            _ => scalars,
        }
    }
}

impl Offsets {
    /// The range of values that belong to rows.
    pub(crate) fn within(&self, rows: Range<usize>) -> Range<usize> {
        if rows.is_empty() { 0..0 } else { self.place(rows.start).0..self.place(rows.end - 1).1 }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
    use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, StringArray, StructArray};
    use arrow_schema::{DataType, Field};
    use proptest::prelude::*;

    use super::*;

    fn values(array: ArrayRef) -> ColumnValues {
        ColumnValues::new(&array, array.data_type()).expect("a column")
    }

    #[test]
    fn column_sizes_are_estimated() {
        let numbers = values(Arc::new(Int64Array::from(vec![Some(1), None, Some(3)])));
        assert_eq!((numbers.arrow_bytes(0..3), numbers.arrow_bytes(1..1)), (25, 0));
        let texts = values(Arc::new(StringArray::from(vec!["a", "", "bcd"])));
        assert_eq!((texts.arrow_bytes(0..3), texts.arrow_bytes(1..3)), (28, 19));
        assert_eq!(values(Arc::new(BooleanArray::from(vec![true; 9]))).arrow_bytes(0..9), 2);
        let row = StructArray::from(vec![(
            Arc::new(Field::new("name", DataType::Utf8, true)),
            Arc::new(StringArray::from(vec!["a", "", "bcd"])) as ArrayRef,
        )]);
        assert_eq!(values(Arc::new(row)).json_weight(2..3), 8 + 4 + 8 + 3);
    }

    proptest! {
        /// The size of a range is the sum of the sizes of its rows.
        #[test]
        fn the_size_of_a_range_is_the_sum_of_its_rows(
            lists in proptest::collection::vec(proptest::collection::vec(0_usize..30, 0..5), 1..20),
            start in 0_usize..20,
        ) {
            let mut texts = ListBuilder::new(StringBuilder::new());
            let mut numbers = ListBuilder::new(Int64Builder::new());
            for list in &lists {
                for length in list {
                    texts.values().append_value("x".repeat(*length));
                    numbers.values().append_value(*length as i64);
                }
                texts.append(true);
                numbers.append(true);
            }
            for array in [Arc::new(texts.finish()) as ArrayRef, Arc::new(numbers.finish())] {
                let column = values(array);
                let rows = start.min(lists.len())..lists.len();
                let single = |weigh: &dyn Fn(Range<usize>) -> usize| -> usize {
                    rows.clone().map(|row| weigh(row..row + 1)).sum()
                };
                prop_assert_eq!(column.arrow_bytes(rows.clone()), single(&|row| column.arrow_bytes(row)));
                prop_assert_eq!(column.json_weight(rows.clone()), single(&|row| column.json_weight(row)));
            }
        }
    }
}
