//! Decimals in a file: 128-bit numbers that some writers align to 8 bytes only. Decoded as decimals, they would be
//! copied; decoded as 16 bytes each, they are read in place. Only misaligned decimals inside arrays and rows are still
//! copied.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType, Schema};

const DECIMAL_BYTES: i32 = 16;

/// The schema that a file is decoded with.
pub(super) fn storage_schema(schema: &Schema) -> Schema {
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Decimal128(..) => {
            Arc::new(field.as_ref().clone().with_data_type(DataType::FixedSizeBinary(DECIMAL_BYTES)))
        }
        _ => Arc::clone(field),
    });
    Schema::new(fields.collect::<Vec<_>>())
}

/// An array of a column as Arrow has it; misaligned decimals are copied here.
pub(crate) fn restored(array: &ArrayRef, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == data_type {
        return Ok(Arc::clone(array));
    }
    let restored = array.to_data().into_builder().data_type(data_type.clone()).align_buffers(true);
    Ok(make_array(restored.build()?))
}
