//! Parquet has no timestamps of seconds: they are written as milliseconds, or readers would see plain numbers.

use std::sync::Arc;

use arrow_array::types::{TimestampMillisecondType, TimestampSecondType};
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch, RecordBatchOptions, make_array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef, TimeUnit};

/// The schema with seconds converted to milliseconds; none if there are no seconds.
pub(crate) fn schema(schema: &SchemaRef) -> Option<SchemaRef> {
    let fields: Vec<FieldRef> = schema.fields().iter().map(field).collect();
    (fields[..] != schema.fields()[..])
        .then(|| Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())))
}

/// The rows with that schema.
pub(crate) fn batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let columns = batch.columns().iter().zip(schema.fields());
    let columns =
        columns.map(|(column, field)| array(column, field.data_type())).collect::<Result<_, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}

fn field(found: &FieldRef) -> FieldRef {
    let wanted = data_type(found.data_type());
    if wanted == *found.data_type() {
        return Arc::clone(found);
    }
    Arc::new(Field::clone(found).with_data_type(wanted))
}

fn data_type(found: &DataType) -> DataType {
    match found {
        DataType::Timestamp(TimeUnit::Second, zone) => {
            DataType::Timestamp(TimeUnit::Millisecond, zone.clone())
        }
        DataType::List(element) => DataType::List(field(element)),
        DataType::LargeList(element) => DataType::LargeList(field(element)),
        DataType::FixedSizeList(element, width) => DataType::FixedSizeList(field(element), *width),
        DataType::Map(entries, is_sorted) => DataType::Map(field(entries), *is_sorted),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
        other => other.clone(),
    }
}

/// An array converted to the type that [`data_type`] derived from its own.
fn array(found: &ArrayRef, wanted: &DataType) -> Result<ArrayRef, ArrowError> {
    if found.data_type() == wanted {
        return Ok(Arc::clone(found));
    }
    if let Some(seconds) = found.as_any().downcast_ref::<PrimitiveArray<TimestampSecondType>>() {
        let millis: PrimitiveArray<TimestampMillisecondType> =
            seconds.unary(|value| value.saturating_mul(1000));
        return Ok(Arc::new(millis.with_data_type(wanted.clone())));
    }
    let data = found.to_data();
    let children = data
        .child_data()
        .iter()
        .zip(child_types(wanted))
        .map(|(child, wanted)| Ok(array(&make_array(child.clone()), wanted)?.to_data()));
    let children = children.collect::<Result<_, ArrowError>>()?;
    let data = data.into_builder().data_type(wanted.clone()).child_data(children);
    Ok(make_array(data.build()?))
}

fn child_types(data_type: &DataType) -> Vec<&DataType> {
    match data_type {
        DataType::List(child)
        | DataType::LargeList(child)
        | DataType::FixedSizeList(child, _)
        | DataType::Map(child, _) => vec![child.data_type()],
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::{Int64Array, StructArray, TimestampSecondArray};

    use super::*;

    fn check_millis(array: &dyn Array, expected: &[Option<i64>]) {
        let millis = array.as_primitive::<TimestampMillisecondType>();
        assert_eq!(millis.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn seconds_are_written_as_milliseconds_at_any_depth() {
        let seconds: ArrayRef =
            Arc::new(TimestampSecondArray::from(vec![Some(-2), None, Some(1)]).with_timezone("UTC"));
        let number: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
        let nested = Field::new("t", seconds.data_type().clone(), true);
        let row: ArrayRef = Arc::new(StructArray::from(vec![(Arc::new(nested), Arc::clone(&seconds))]));
        let columns = [("s", seconds), ("n", number), ("r", row)];
        let given = RecordBatch::try_from_iter(columns).expect("a batch");
        let wanted = schema(&given.schema()).expect("there are seconds");
        let written = batch(&given, &wanted).expect("milliseconds");
        assert_eq!(
            written.column(0).data_type(),
            &DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()))
        );
        check_millis(written.column(0), &[Some(-2000), None, Some(1000)]);
        check_millis(written.column(2).as_struct().column(0), &[Some(-2000), None, Some(1000)]);
        assert_eq!(schema(&written.schema()), None, "nothing is left");
    }
}
