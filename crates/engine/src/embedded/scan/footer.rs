//! What files tell of themselves: schema and number of rows from the footers of Parquet and Arrow files,
//! types by inference over the whole of CSV and NDJSON files.

use std::fs::File;
use std::path::PathBuf;

use polars::lazy::prelude::{LazyFileListReader, LazyJsonLineReader};
use polars::prelude::{ParquetReader, PolarsResult, Schema, SchemaExt, SerReader, polars_bail};
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
            Ok(Found { schema: frame.collect_schema()?.as_ref().clone(), row_count: None })
        }
        TableFormat::Ndjson => {
            let paths = super::paths(files)?;
            let reader = LazyJsonLineReader::new_paths(paths.into()).with_infer_schema_length(None);
            let mut frame = reader.finish()?;
            Ok(Found { schema: frame.collect_schema()?.as_ref().clone(), row_count: None })
        }
    }
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
