//! File metadata: schema and number of rows from the footers of Parquet and Arrow files, types and rows from a pass
//! over the whole of CSV and NDJSON files.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use polars::io::parquet::read::FileMetadata;
use polars::lazy::prelude::LazyFileListReader;
use polars::prelude::{
    ArrowSchema, DataType, Engine, ParquetReader, PlSmallStr, PolarsResult, Schema, SchemaExt, SerReader,
    col, polars_bail,
};
use polars_arrow::datatypes::{ArrowDataType, Field, TimeUnit};
use polars_arrow::io::ipc::read::read_file_metadata;
use rowhouse_executor::heap;
use rowhouse_model::TableFormat;
use rowhouse_rows::arrow_file::column::COLUMN_OFFSET_KEY;

use super::statistics::Facts;
use super::{Found, ndjson, schema_size};
use crate::data_type::sql_type;
use rowhouse_sql::types::{RowField, Type};

/// Maximum stored size in bytes of a dictionary with few values, which are some hundreds.
const MAX_DICTIONARY_OF_FEW_BYTES: i64 = 2048;

/// The first bytes of compressed files, by which Polars recognizes them regardless of their names; those of zlib have
/// four forms.
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Inspects files; there is at least one.
pub(super) fn inspect(files: &[PathBuf], format: TableFormat) -> PolarsResult<Found> {
    match format {
        TableFormat::Parquet => all(files, |file| {
            let mut reader = ParquetReader::new(file);
            let schema = reader.schema()?;
            schema_size::check(&Schema::from_arrow_schema(&schema))?;
            of_parquet(&schema, reader.get_metadata()?)
        }),
        TableFormat::Arrow => all(files, |mut file| {
            let metadata = read_file_metadata(&mut file)?;
            let rows = polars_arrow::io::ipc::read::get_row_count(&mut file)?;
            let schema = Schema::from_arrow_schema(&metadata.schema);
            schema_size::check(&schema)?;
            let map_columns = map_columns(&metadata.schema, &schema);
            let column_offsets = column_offsets(&metadata.schema);
            let row_count = u64::try_from(rows).ok();
            Ok(Found { row_count, map_columns, column_offsets, ..Found::of_unknown_values(schema) })
        }),
        TableFormat::Csv => {
            let mut frame = super::csv_reader(super::paths(files)?).with_glob(false).finish()?;
            with_rows(frame.collect_schema()?.as_ref().clone(), files, format)
        }
        TableFormat::Ndjson => with_rows(ndjson::schema(files)?, files, format),
    }
}

/// The schema of text files with their number of rows.
fn with_rows(schema: Schema, files: &[PathBuf], format: TableFormat) -> PolarsResult<Found> {
    schema_size::check(&schema)?;
    let frame = super::lazy_frame(files, format, &schema)?;
    // Reading a column keeps Polars from counting lines, several of which may belong to one quoted text.
    let first = schema.iter_names().next().map(|name| col(name.clone()).is_null().len());
    let mut bytes = files.iter().map(|file| text_bytes(file));
    let uncompressed_bytes = bytes.try_fold(0_u64, |sum, bytes| sum.checked_add(bytes?));
    let found = Found { uncompressed_bytes, ..Found::of_unknown_values(schema) };
    let Some(first) = first else { return Ok(Found { row_count: Some(0), ..found }) };
    let counted = frame.select([first]).collect_with_engine(Engine::Streaming)?.unwrap_single();
    let row_count = counted.columns().first().and_then(|column| column.get(0).ok()?.try_extract().ok());
    Ok(Found { row_count, ..found })
}

/// The size of a text file; `None` if it is compressed.
fn text_bytes(path: &Path) -> Option<u64> {
    let mut first = Vec::new();
    let file = File::open(path).ok()?;
    let bytes = file.metadata().ok()?.len();
    file.take(4).read_to_end(&mut first).ok()?;
    let is_compressed = first.starts_with(GZIP)
        || first.starts_with(ZSTD)
        || matches!(first.as_slice(), [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..]);
    (!is_compressed).then_some(bytes)
}

/// The information of a footer about the values of its columns.
fn of_parquet(schema: &ArrowSchema, metadata: &FileMetadata) -> PolarsResult<Found> {
    let columns = || metadata.row_groups.iter().take(1).flat_map(|group| group.parquet_columns());
    let names = columns().filter_map(|column| simple(&column.descriptor().path_in_schema));
    let mut not_null: HashSet<&str> = names.collect();
    let mut few_valued = not_null.clone();
    for column in metadata.row_groups.iter().flat_map(|group| group.parquet_columns()) {
        let Some(name) = simple(&column.descriptor().path_in_schema) else { continue };
        if not_null.contains(name) {
            let statistics = column.statistics(&metadata.footer_buf).and_then(Result::ok);
            if statistics.and_then(|statistics| statistics.null_count()) != Some(0) {
                not_null.remove(name);
            }
        }
        let dictionary = column.dictionary_page_offset().map(|first| column.data_page_offset() - first);
        if !dictionary.is_some_and(|bytes| (1..=MAX_DICTIONARY_OF_FEW_BYTES).contains(&bytes)) {
            few_valued.remove(name);
        }
    }
    let owned = |names: HashSet<&str>| names.into_iter().map(str::to_owned).collect();
    let polars_schema = Schema::from_arrow_schema(schema);
    Ok(Found {
        map_columns: map_columns(schema, &polars_schema),
        column_offsets: HashMap::new(),
        schema: polars_schema,
        row_count: row_count(metadata),
        uncompressed_bytes: uncompressed_bytes(metadata),
        not_null_columns: owned(not_null),
        few_valued_columns: owned(few_valued),
        whole_columns: whole_columns(schema, metadata)?,
        facts: Facts::of(schema, metadata),
    })
}

/// The number of rows; `None` if the footer contradicts itself.
fn row_count(metadata: &FileMetadata) -> Option<u64> {
    let mut rows = metadata.row_groups.iter().map(|group| group.num_rows());
    let rows = rows.try_fold(0_usize, usize::checked_add)?;
    u64::try_from(rows).ok().filter(|_| rows == metadata.num_rows)
}

/// The size of all values before compression; `None` if the footer contradicts itself.
fn uncompressed_bytes(metadata: &FileMetadata) -> Option<u64> {
    row_count(metadata)?;
    let columns = metadata.row_groups.iter().flat_map(|group| group.parquet_columns());
    columns
        .map(|column| u64::try_from(column.uncompressed_size()).ok())
        .try_fold(0_u64, |sum, bytes| sum.checked_add(bytes?))
}

/// The offsets from UTC that results have noted for their columns.
fn column_offsets(schema: &ArrowSchema) -> HashMap<String, String> {
    let offset = |field: &Field| Some(field.metadata.as_ref()?.get(COLUMN_OFFSET_KEY)?.to_string());
    schema.iter().filter_map(|(name, field)| Some((name.to_string(), offset(field)?))).collect()
}

/// The columns that are or contain maps, with their types.
fn map_columns(arrow: &ArrowSchema, schema: &Schema) -> HashMap<String, Type> {
    let columns = arrow.iter().filter(|(_, field)| has_map(&field.dtype)).filter_map(|(name, field)| {
        Some((name.to_string(), type_with_maps(&field.dtype, schema.get(name.as_str())?)?))
    });
    columns.collect()
}

fn has_map(found: &ArrowDataType) -> bool {
    match found {
        ArrowDataType::Map(..) => true,
        ArrowDataType::List(item)
        | ArrowDataType::LargeList(item)
        | ArrowDataType::FixedSizeList(item, _) => has_map(&item.dtype),
        ArrowDataType::Struct(fields) => fields.iter().any(|field| has_map(&field.dtype)),
        _ => false,
    }
}

/// The SQL type of a type found in a file, which Polars reads as `read`; `None` if SQL has no such type.
fn type_with_maps(found: &ArrowDataType, read: &DataType) -> Option<Type> {
    match (found, read) {
        (ArrowDataType::Map(entries, _), DataType::List(entry)) => {
            let (ArrowDataType::Struct(fields), DataType::Struct(parts)) = (&entries.dtype, &**entry) else {
                return None;
            };
            let ([key, value], [read_key, read_value]) = (fields.as_slice(), parts.as_slice()) else {
                return None;
            };
            let key = type_with_maps(&key.dtype, &read_key.dtype)?;
            Some(Type::map(key, type_with_maps(&value.dtype, &read_value.dtype)?))
        }
        (
            ArrowDataType::List(item)
            | ArrowDataType::LargeList(item)
            | ArrowDataType::FixedSizeList(item, _),
            DataType::List(element) | DataType::Array(element, _),
        ) => Some(Type::array(type_with_maps(&item.dtype, element)?)),
        (ArrowDataType::Struct(fields), DataType::Struct(parts)) => {
            let parts = fields.iter().zip(parts).map(|(field, part)| {
                let data_type = type_with_maps(&field.dtype, &part.dtype)?;
                Some(RowField { name: Some(part.name.to_string()), data_type })
            });
            Some(Type::Row(parts.collect::<Option<_>>()?))
        }
        (_, read) => sql_type(read),
    }
}

/// Columns for which Polars would evaluate predicates wrongly. It compares with the values in the file, which differ
/// from those in Polars if it does not have their type. And it trusts the file's sort order, which no writer checks.
///
/// # Errors
///
/// A column has times that are declared in seconds. In the file they are in milliseconds, because Parquet has no
/// seconds, but Polars reads them as declared.
fn whole_columns(schema: &ArrowSchema, metadata: &FileMetadata) -> PolarsResult<HashSet<String>> {
    let mut whole = HashSet::new();
    for (name, field) in schema.iter() {
        if has_times_of_seconds(&field.dtype) {
            polars_bail!(
                ComputeError: "column '{name}' has times of the unit second, which Parquet does not have: write them as \
                               time32 of milliseconds or as time64"
            );
        }
        if !is_read_as_stored(&field.dtype) {
            whole.insert(name.to_string());
        }
    }
    for group in &metadata.row_groups {
        let order = group.sorting_columns().unwrap_or_default().iter();
        let places = order.filter_map(|column| usize::try_from(column.column_idx).ok());
        for column in places.filter_map(|place| group.parquet_columns().get(place)) {
            if let Some(name) = column.descriptor().path_in_schema.first() {
                whole.insert(name.to_string());
            }
        }
    }
    Ok(whole)
}

/// Whether values of a type are equal in a file and in Polars.
const fn is_read_as_stored(data_type: &ArrowDataType) -> bool {
    use ArrowDataType as A;
    use TimeUnit::{Microsecond, Millisecond, Nanosecond};
    matches!(
        data_type,
        A::Boolean
            | A::Int8
            | A::Int16
            | A::Int32
            | A::Int64
            | A::UInt8
            | A::UInt16
            | A::UInt32
            | A::UInt64
            | A::Float32
            | A::Float64
            | A::Decimal(..)
            | A::Utf8
            | A::LargeUtf8
            | A::Utf8View
            | A::Binary
            | A::LargeBinary
            | A::BinaryView
            | A::Date32
            | A::Time64(Nanosecond)
            | A::Timestamp(Millisecond | Microsecond | Nanosecond, _)
            | A::Duration(Millisecond | Microsecond | Nanosecond)
    )
}

fn has_times_of_seconds(data_type: &ArrowDataType) -> bool {
    let of_field = |inner: &Field| has_times_of_seconds(&inner.dtype);
    match data_type {
        ArrowDataType::Time32(TimeUnit::Second) => true,
        ArrowDataType::List(inner)
        | ArrowDataType::LargeList(inner)
        | ArrowDataType::FixedSizeList(inner, _)
        | ArrowDataType::Map(inner, _) => of_field(inner),
        ArrowDataType::Struct(fields) => fields.iter().any(of_field),
        _ => false,
    }
}

/// The name of a column that is not part of another column.
fn simple(path: &[PlSmallStr]) -> Option<&str> {
    match path {
        [name] => Some(name.as_str()),
        _ => None,
    }
}

/// What a reader of Polars returns; the reader of Parquet's metadata panics if it contradicts itself.
fn unless_damaged<T>(read: impl FnOnce() -> PolarsResult<T>) -> PolarsResult<T> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read,
        Err(panic) if heap::was_refused() => resume_unwind(panic),
        Err(_panic) => polars_bail!(ComputeError: "its metadata are damaged"),
    }
}

/// The first file's schema, which all files must have, and the total number of rows.
fn all(files: &[PathBuf], read: impl Fn(File) -> PolarsResult<Found>) -> PolarsResult<Found> {
    let mut found: Option<Found> = None;
    for (place, path) in files.iter().enumerate() {
        let in_file =
            |error: polars::prelude::PolarsError| error.context(format!("in file {}", path.display()).into());
        let file = File::open(path).map_err(|error| in_file(error.into()))?;
        let of_file = unless_damaged(|| read(file)).map_err(in_file)?;
        match &mut found {
            None => found = Some(of_file),
            Some(found) => {
                if found.schema != of_file.schema {
                    polars_bail!(
                        SchemaMismatch: "{} has other columns than {}", path.display(), files[0].display()
                    );
                }
                found.row_count =
                    found.row_count.zip(of_file.row_count).and_then(|(count, rows)| count.checked_add(rows));
                found.uncompressed_bytes = found
                    .uncompressed_bytes
                    .zip(of_file.uncompressed_bytes)
                    .and_then(|(sum, bytes)| sum.checked_add(bytes));
                found.not_null_columns.retain(|column| of_file.not_null_columns.contains(column));
                found.few_valued_columns.retain(|column| of_file.few_valued_columns.contains(column));
                found.whole_columns.extend(of_file.whole_columns);
                found.facts.add_file(of_file.facts, place);
            }
        }
    }
    let none = || Found { row_count: Some(0), ..Found::of_unknown_values(Schema::default()) };
    Ok(found.unwrap_or_else(none))
}

#[cfg(test)]
mod tests {
    use polars::prelude::{ParquetWriter, df};

    use super::*;

    /// Regression: the reader of the metadata panicked, and the caller got an internal error.
    #[test]
    fn a_damaged_footer_is_an_error_of_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("t.parquet");
        let mut frame = df!("a" => [1, 2, 3], "b" => ["x", "y", "z"]).expect("a frame");
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes).finish(&mut frame).expect("a file");
        let end = bytes.len() - 8;
        let length = bytes[end..end + 4].try_into().map(u32::from_le_bytes).expect("four bytes");
        let mut refused = 0;
        for place in end - length as usize..end {
            for damage in [0, 0x7f, 0xff] {
                let kept = std::mem::replace(&mut bytes[place], damage);
                std::fs::write(&file, &bytes).expect("a file");
                refused += usize::from(inspect(std::slice::from_ref(&file), TableFormat::Parquet).is_err());
                bytes[place] = kept;
            }
        }
        assert!(refused > 100, "{refused} of {} were noticed", 3 * length);
    }
}
