//! What files tell of themselves: schema and number of rows from the footers of Parquet and Arrow files,
//! types and rows by a pass over the whole of CSV and NDJSON files.

use std::fs::File;
use std::path::PathBuf;

use polars::lazy::prelude::{LazyFileListReader, LazyJsonLineReader};
use polars::prelude::{Engine, ParquetReader, PolarsResult, Schema, SchemaExt, SerReader, col, polars_bail};
use polars_arrow::io::ipc::read::read_file_metadata;
use rowhouse_model::TableFormat;

use super::Found;

/// Looks at files, of which there is at least one.
pub(super) fn look(files: &[PathBuf], format: TableFormat) -> PolarsResult<Found> {
    match format {
        TableFormat::Parquet => all(files, |file| {
            let mut reader = ParquetReader::new(file);
            Ok((Schema::from_arrow_schema(reader.schema()?.as_ref()), reader.num_rows()? as u64))
        }),
        TableFormat::Arrow => all(files, |mut file| {
            let metadata = read_file_metadata(&mut file)?;
            let rows = polars_arrow::io::ipc::read::get_row_count(&mut file)?;
            Ok((Schema::from_arrow_schema(&metadata.schema), u64::try_from(rows).unwrap_or(0)))
        }),
        TableFormat::Csv => {
            let mut frame = super::csv_reader(super::paths(files)?).with_glob(false).finish()?;
            with_rows(frame.collect_schema()?.as_ref().clone(), files, format)
        }
        TableFormat::Ndjson => {
            let paths = super::paths(files)?;
            let reader = LazyJsonLineReader::new_paths(paths.into()).with_infer_schema_length(None);
            let mut frame = reader.finish()?;
            with_rows(frame.collect_schema()?.as_ref().clone(), files, format)
        }
    }
}

/// The schema of text files, and how many rows they have.
fn with_rows(schema: Schema, files: &[PathBuf], format: TableFormat) -> PolarsResult<Found> {
    let frame = super::lazy_frame(files, format, &schema)?;
    // A column that is read keeps Polars from counting lines, of which a quoted text may have several.
    let first = schema.iter_names().next().map(|name| col(name.clone()).is_null().len());
    let Some(first) = first else { return Ok(Found { schema, row_count: Some(0) }) };
    let counted = frame.select([first]).collect_with_engine(Engine::Streaming)?.unwrap_single();
    let row_count = counted.columns().first().and_then(|column| column.get(0).ok()?.try_extract().ok());
    Ok(Found { schema, row_count })
}

/// The first file's schema, which the others must have too, and the rows of all.
fn all(files: &[PathBuf], read: impl Fn(File) -> PolarsResult<(Schema, u64)>) -> PolarsResult<Found> {
    let mut found: Option<Found> = None;
    for path in files {
        let in_file =
            |error: polars::prelude::PolarsError| error.context(format!("in file {}", path.display()).into());
        let file = File::open(path).map_err(|error| in_file(error.into()))?;
        let (schema, rows) = read(file).map_err(in_file)?;
        match &mut found {
            None => found = Some(Found { schema, row_count: Some(rows) }),
            Some(found) => {
                if found.schema != schema {
                    polars_bail!(
                        SchemaMismatch: "{} has other columns than {}", path.display(), files[0].display()
                    );
                }
                found.row_count = found.row_count.map(|count| count + rows);
            }
        }
    }
    Ok(found.unwrap_or(Found { schema: Schema::default(), row_count: Some(0) }))
}
