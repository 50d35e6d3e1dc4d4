//! Executes statements that return only a few constant rows, in the server when their text is parsed (D138). Record, plan
//! and rows equal those that a worker would produce.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int8Array, Int16Array, Int32Array,
    Int64Array, LargeStringArray, RecordBatch,
};
use arrow_schema::{Field, Schema};
use rowhouse_executor::{ConstantRows, Execution, Sources};
use rowhouse_model::QueryStats;
use rowhouse_rows::arrow_file::small_file;
use rowhouse_rows::unique_names;
use rowhouse_sql::expr::Value;
use rowhouse_sql::stages::{self, Written};
use rowhouse_sql::types::Type;
use rowhouse_sql::{Analyzed, LiteralRows, literal_rows};

/// Executes a text that returns only a few constant rows; `None` for any other text.
pub(crate) fn constant_rows(text: &str) -> Option<ConstantRows> {
    let LiteralRows { fingerprint, analyzed, rows } = literal_rows(text)?;
    let file = file_of(&analyzed, &rows)?;
    let written = Written { rows: rows.len() as u64, bytes: file.len() as u64 };
    let execution = Execution {
        columns: analyzed.columns(),
        row_count: written.rows,
        // Times are too short to be measured.
        stats: QueryStats { nodes: 1, peak_memory_bytes: written.bytes, ..QueryStats::default() },
        output_stage: stages::of_plan(&analyzed, "FINISHED", Some(written)),
        sources: Some(Box::new(Sources::default())),
        file: Some(file),
    };
    Some(ConstantRows { fingerprint, execution })
}

/// Encodes rows as a file; `None` if a value is not of its column's type.
fn file_of(analyzed: &Analyzed, rows: &[Vec<Value>]) -> Option<Vec<u8>> {
    let names: Vec<&str> = analyzed.output.iter().map(|field| field.name.as_str()).collect();
    let (mut fields, mut columns) = (Vec::with_capacity(names.len()), Vec::with_capacity(names.len()));
    for (place, (field, name)) in analyzed.output.iter().zip(unique_names(&names)).enumerate() {
        let values = rows.iter().map(|row| row.get(place).filter(|value| **value != Value::Null));
        let column = column(&field.data_type.storable(), values)?;
        fields.push(Field::new(name, column.data_type().clone(), true));
        columns.push(column);
    }
    small_file(&RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).ok()?).ok()
}

/// A column of a result's file.
fn column<'v>(data_type: &Type, values: impl Iterator<Item = Option<&'v Value>>) -> Option<ArrayRef> {
    Some(match data_type {
        Type::Boolean => Arc::new(BooleanArray::from(typed(values, |value| match value {
            Value::Boolean(value) => Some(*value),
            _ => None,
        })?)),
        Type::TinyInt => Arc::new(Int8Array::from(typed(values, integer)?)),
        Type::SmallInt => Arc::new(Int16Array::from(typed(values, integer)?)),
        Type::Integer => Arc::new(Int32Array::from(typed(values, integer)?)),
        Type::BigInt => Arc::new(Int64Array::from(typed(values, integer)?)),
        Type::Double => Arc::new(Float64Array::from(typed(values, |value| match value {
            Value::Double(value) => Some(*value),
            _ => None,
        })?)),
        Type::Decimal { precision, scale } => {
            let values = Decimal128Array::from(typed(values, |value| match value {
                Value::Decimal(value) => Some(*value),
                _ => None,
            })?);
            Arc::new(values.with_precision_and_scale(*precision, i8::try_from(*scale).ok()?).ok()?)
        }
        Type::Date => Arc::new(Date32Array::from(typed(values, |value| match value {
            Value::Date(days) => Some(*days),
            _ => None,
        })?)),
        Type::Varchar { .. } => Arc::new(LargeStringArray::from(typed(values, |value| match value {
            Value::Varchar(text) => Some(text.as_str()),
            _ => None,
        })?)),
        _ => return None,
    })
}

fn integer<T: TryFrom<i64>>(value: &Value) -> Option<T> {
    match value {
        Value::Integer(value) => T::try_from(*value).ok(),
        _ => None,
    }
}

/// All values; `None` if one is of another kind.
fn typed<'v, T>(
    values: impl Iterator<Item = Option<&'v Value>>,
    read: impl Fn(&'v Value) -> Option<T>,
) -> Option<Vec<Option<T>>> {
    values.map(|value| value.map_or(Some(None), |value| read(value).map(Some))).collect()
}

#[cfg(test)]
mod tests;
