//! Stored results and views: Arrow IPC files read by batch ([`ArrowFile`]), and the row encoder: rows of such a file as
//! JSON, NDJSON, CSV, an Arrow stream or Parquet, in chunks of bounded size (D17, D18). It knows nothing of queries,
//! views or HTTP.
//!
//! The kind of a column is determined once per batch; keys are escaped once per encoding; text is scanned in wide
//! steps; nothing is allocated per value. A chunk holds about [`CHUNK_BYTES`], and a value, whether a list of millions
//! or a text, may span many chunks, so memory grows neither with rows nor with values. Parquet has row groups, which
//! are in memory until they are written: the memory of a chunk is announced before it is built.

use std::sync::Arc;

pub mod arrow_file;
mod arrow_stream;
mod batches;
mod budget;
mod chunk;
mod csv;
mod encoded_rows;
mod error;
mod flat;
mod guarded;
mod json;
mod matching;
mod names;
mod nested;
mod number;
mod output;
mod page;
mod parquet;
mod projected_column;
mod projection;
mod run;
mod selection;
pub mod temporal;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod trino_values;
mod value;

pub use arrow_file::{ArrowFile, ArrowFileWriter, Batch, ROWS_PER_BATCH};
pub use budget::{Budget, Progress, to_the_end};
pub use chunk::{CHUNK_BYTES, CHUNK_MEMORY_BYTES, ChunkSource, Envelope, RowShape};
pub use encoded_rows::{DueSection, EncodedRowsBudget};
pub use error::{Error, ErrorKind, Result};
use guarded::guarded;
pub use matching::{BatchFilter, ScanPlace, TestPlace};
pub use names::unique_names;
pub use projected_column::ProjectedColumn;
pub use projection::Projection;
pub use run::open_batch;
pub use selection::{ROWS_AT_HAND, RowSelection};
pub use trino_values::TrinoValue;

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowFormat {
    /// One JSON array of rows.
    Json,
    /// A row in JSON per line.
    Ndjson,
    /// RFC 4180 with a header; NULL is empty, the empty text is `""`, arrays and rows are JSON text.
    Csv,
    /// CSV for spreadsheets: texts that begin with `=`, `+`, `-`, `@`, a tab or a carriage return get a leading
    /// apostrophe, so that none is run as a formula. Numbers stay as they are.
    EscapedCsv,
    /// The Arrow IPC streaming format.
    ArrowStream,
    /// A Parquet file.
    Parquet,
}

/// Encodes the selected rows of a file.
///
/// # Errors
/// `Internal`: a column's index is out of range, or its first batch cannot be read.
pub fn encode(
    file: Arc<ArrowFile>,
    columns: impl Into<Projection>,
    selection: RowSelection,
    shape: RowShape,
    format: RowFormat,
) -> Result<Box<dyn ChunkSource>> {
    encode_in(file, columns, selection, shape, format, Envelope::default())
}

/// As [`encode`], with bytes before and after the rows, for example `{"result":` and `,"columns":[…]}`.
///
/// # Errors
/// As [`encode`].
pub fn encode_in(
    file: Arc<ArrowFile>,
    columns: impl Into<Projection>,
    selection: RowSelection,
    shape: RowShape,
    format: RowFormat,
    envelope: Envelope,
) -> Result<Box<dyn ChunkSource>> {
    let projection = columns.into();
    let columns = projection.columns();
    check_columns(&file, columns)?;
    let read = Arc::clone(&file);
    Ok(match format {
        RowFormat::Json => {
            let plan = projection.json_plan(shape, json::plan::Layout::Array);
            let encoded = projection.encoded_rows().filter(|_| shape == RowShape::Objects);
            guarded(read, json::JsonRows::new(file, plan, selection, envelope).with_encoded_rows(encoded))
        }
        RowFormat::Ndjson => {
            let plan = projection.json_plan(shape, json::plan::Layout::Lines);
            guarded(read, json::JsonRows::new(file, plan, selection, envelope))
        }
        RowFormat::Csv | RowFormat::EscapedCsv => {
            let is_escaped = format == RowFormat::EscapedCsv;
            let formulas = if is_escaped { csv::Formulas::Escaped } else { csv::Formulas::Kept };
            guarded(read, csv::CsvRows::new(file, columns, formulas, selection, envelope))
        }
        RowFormat::ArrowStream => {
            guarded(read, arrow_stream::ArrowStream::new(file, columns, selection, envelope)?)
        }
        RowFormat::Parquet => guarded(read, parquet::ParquetRows::new(file, columns, selection, envelope)?),
    })
}

/// Rows as JSON arrays with values in the form of Trino's client protocol, with bytes before and after: `forms` has one
/// for each column.
///
/// # Errors
/// As [`encode`].
pub fn encode_for_trino(
    file: Arc<ArrowFile>,
    columns: impl Into<Projection>,
    forms: Arc<[TrinoValue]>,
    selection: RowSelection,
    envelope: Envelope,
) -> Result<Box<dyn ChunkSource>> {
    let projection = columns.into();
    check_columns(&file, projection.columns())?;
    let plan = projection.json_plan(RowShape::Arrays, json::plan::Layout::Array);
    let read = Arc::clone(&file);
    Ok(guarded(read, json::JsonRows::new(file, plan, selection, envelope).for_trino(forms)))
}

/// Number of rows from `offset` on with about this many bytes of JSON: at least one if there is one. Computed from the
/// lengths of texts and lists, without reading their values, and deterministic for a file.
///
/// # Errors
/// `Internal`: a batch cannot be read.
pub fn rows_within(
    file: &ArrowFile,
    columns: &[ProjectedColumn],
    offset: u64,
    bytes: usize,
    budget: &mut Budget,
) -> Result<u64> {
    check_columns(file, columns)?;
    file.guarded(|| page::rows_within(file, columns, offset, bytes, budget))
}

fn check_columns(file: &ArrowFile, columns: &[ProjectedColumn]) -> Result<()> {
    let column_count = file.schema().fields().len();
    match columns.iter().find(|column| column.index >= column_count) {
        None => Ok(()),
        Some(column) => Err(crate::Error::internal(
            format!("cannot encode the column '{}'", column.name),
            format!("its index is {}, the file has {column_count} columns", column.index),
        )),
    }
}
