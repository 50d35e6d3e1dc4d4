//! The rows of a result file in the form of Trino's client protocol.

use std::path::Path;
use std::sync::Arc;

use rowhouse_model::Column;
use rowhouse_rows::{ArrowFile, Envelope, ProjectedColumn, RowSelection, TrinoValue, encode_for_trino};
use serde_json::Value;

pub(super) fn rows_on_the_wire(file: &Path, columns: &[Column]) -> Vec<Vec<Value>> {
    let file = ArrowFile::open(file).expect("the result");
    let names = file.schema().fields().iter().enumerate();
    let projection: Vec<_> =
        names.map(|(index, field)| ProjectedColumn { name: field.name().clone(), index }).collect();
    let forms: Arc<[TrinoValue]> =
        columns.iter().map(|column| TrinoValue::of(&column.type_signature)).collect();
    let mut source = encode_for_trino(file, projection, forms, RowSelection::ALL, Envelope::default())
        .expect("rows that can be written");
    let mut json = Vec::new();
    while let Some(chunk) = source.next_chunk().expect("rows") {
        json.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&json).expect("JSON")
}
