//! Limit of the columns of files: their names and types are parts of what a worker answers and of every catalog.

use polars::prelude::{DataType, PolarsResult, Schema, polars_bail};

/// Maximum bytes of the names and types of a table's columns, as of those of a result: about 50,000 simple columns.
const MAX_SCHEMA_BYTES: usize = 2 << 20;

/// Bytes of a type without fields in SQL, and of what separates names and types.
const SIMPLE_TYPE_BYTES: usize = 32;

/// Checks that a table may have these columns.
pub(super) fn check(schema: &Schema) -> PolarsResult<()> {
    let bytes: usize = schema.iter().map(|(name, data_type)| name.len() + type_bytes(data_type)).sum();
    if bytes > MAX_SCHEMA_BYTES {
        polars_bail!(
            ComputeError: "the names and types of its {} columns take {bytes} bytes, and {MAX_SCHEMA_BYTES} are the \
                           most; write fewer columns, or values of many keys as rows of key and value", schema.len()
        );
    }
    Ok(())
}

fn type_bytes(data_type: &DataType) -> usize {
    match data_type {
        DataType::List(element) | DataType::Array(element, _) => SIMPLE_TYPE_BYTES + type_bytes(element),
        DataType::Struct(fields) => {
            fields.iter().map(|field| field.name.len() + type_bytes(&field.dtype)).sum::<usize>()
                + SIMPLE_TYPE_BYTES
        }
        _ => SIMPLE_TYPE_BYTES,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rowhouse_model::TableFormat;

    use super::super::scan_files;
    use super::*;

    /// Regression: the worker's answer with the columns of such a file was longer than a frame.
    #[test]
    fn a_file_of_a_million_columns_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("wide.csv");
        let columns =
            |count: usize| (0..count).map(|column| column.to_string()).collect::<Vec<_>>().join(",");
        fs::write(&file, columns(300_000)).expect("a file");
        let location = file.to_str().expect("UTF-8");
        let Err(refused) = scan_files(location, TableFormat::Csv) else { panic!("too many columns") };
        assert!(refused.message.contains("its 300000 columns take"), "{}", refused.message);
        fs::write(&file, columns(1000)).expect("a file");
        assert_eq!(scan_files(location, TableFormat::Csv).expect("few columns").columns.len(), 1000);
    }

    #[test]
    fn fields_count_as_columns_do() {
        let fields =
            (0..70_000).map(|field| polars::prelude::Field::new(field.to_string().into(), DataType::Null));
        let row = DataType::List(Box::new(DataType::Struct(fields.collect())));
        assert!(check(&Schema::from_iter([("a".into(), row)])).is_err());
        assert!(check(&Schema::from_iter([("a".into(), DataType::List(Box::new(DataType::Null)))])).is_ok());
    }
}
