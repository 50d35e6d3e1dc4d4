//! Stored results and views: Arrow IPC files read by batch ([`ArrowFile`]), and the one row encoder: rows of such a file as JSON, NDJSON, CSV, an Arrow stream or Parquet, in chunks of bounded
//! size (D17, D18). It knows nothing of queries, views or HTTP.
//!
//! A value is told apart by its column's kind, once per batch; keys are escaped once per encoding; text is
//! scanned in wide steps; nothing is allocated per value. A chunk holds about [`CHUNK_BYTES`], and a value, a list of
//! millions as well as a text, may span many, so memory does not grow with rows, nor with values. Parquet has row
//! groups, which are in memory until they are written: what a chunk takes is told before it is made.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

pub mod arrow_file;
mod arrow_stream;
mod batches;
mod budget;
mod csv;
mod error;
mod flat;
mod json;
mod matching;
mod names;
mod nested;
mod number;
mod output;
mod page;
mod parquet;
mod projection;
mod selection;
pub mod temporal;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod trino_values;
mod value;

pub use arrow_file::{ArrowFile, ArrowFileWriter, Batch, ROWS_PER_BATCH};
pub use budget::{Budget, Progress, to_the_end};
pub use error::{Error, ErrorKind, Result};
pub use matching::{BatchFilter, ScanPlace, TestPlace};
pub use projection::{ProjectedColumn, Projection};
pub use selection::{ROWS_AT_HAND, RowSelection, open_batch};
pub use trino_values::TrinoValue;

/// A chunk is given out when it has reached this size: large enough that a hop between threads and a write
/// cost little beside it, small enough that it stays in a core's cache and that a thousand slow readers are
/// cheap.
pub const CHUNK_BYTES: usize = 128 << 10;

/// Memory of a chunk: room for the value that fills it.
pub const CHUNK_MEMORY_BYTES: usize = CHUNK_BYTES + output::SLACK_BYTES;

/// What one row looks like in JSON and NDJSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowShape {
    /// `[1,"a"]` in column order (D17).
    Arrays,
    /// `{"id":1,"name":"a"}`; repeated names get `_1`, `_2` (D18).
    Objects,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowFormat {
    /// One JSON array of rows.
    Json,
    /// A row in JSON on each line.
    Ndjson,
    /// RFC 4180 with a header; NULL is empty, the empty text is `""`, arrays and rows are JSON text.
    Csv,
    /// The Arrow IPC streaming format.
    ArrowStream,
    /// A Parquet file.
    Parquet,
}

/// Bytes around the rows, in the first and in the last chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// Before the first row.
    pub prefix: Vec<u8>,
    /// After the last row.
    pub suffix: Vec<u8>,
}

/// Rows on their way out.
pub trait ChunkSource: Send {
    /// The next bytes, none after the last, unless the budget is spent before they are made: then it goes on when it is
    /// asked again. Costs CPU time and page faults, up to about a millisecond beyond the budget: not for the reactor,
    /// save for a page known to be small.
    ///
    /// # Errors
    /// `Internal`: the file is corrupt. The source gives nothing more after an error.
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>>;

    /// The next bytes, however long they take to make: where rows are looked for, that may be long.
    ///
    /// # Errors
    /// As [`ChunkSource::advance`].
    fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        to_the_end(|budget| self.advance(budget))
    }

    /// Takes the next part of the rows off, about a chunk of them, for another thread: its chunks come before those
    /// that are left here. Costs next to nothing. None where there is no such part, or no part by itself.
    fn split(&mut self) -> Option<Box<dyn ChunkSource>> {
        None
    }

    /// Memory that making the next chunk takes, about, with the chunk itself, as far as it is known. Where something
    /// comes that takes more, the source gives a chunk that ends before it, an empty one if need be, and tells it here.
    fn next_chunk_bytes(&self) -> usize {
        CHUNK_MEMORY_BYTES
    }

    /// Memory that the source holds between chunks, beyond what every source does.
    fn held_bytes(&self) -> usize {
        0
    }
}

impl fmt::Debug for dyn ChunkSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChunkSource")
    }
}

/// Encodes the selected rows of a file.
///
/// # Errors
/// `Internal`: a column's index is past the file's columns, or its first batch cannot be read.
pub fn encode(
    file: Arc<ArrowFile>,
    columns: impl Into<Projection>,
    selection: RowSelection,
    shape: RowShape,
    format: RowFormat,
) -> Result<Box<dyn ChunkSource>> {
    encode_in(file, columns, selection, shape, format, Envelope::default())
}

/// As [`encode`], with bytes before and after the rows: `{"result":` and `,"columns":[…]}`, say.
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
    Ok(match format {
        RowFormat::Json => {
            let plan = projection.json_plan(shape, json::Layout::Array);
            Box::new(json::JsonRows::new(file, plan, selection, envelope))
        }
        RowFormat::Ndjson => {
            let plan = projection.json_plan(shape, json::Layout::Lines);
            Box::new(json::JsonRows::new(file, plan, selection, envelope))
        }
        RowFormat::Csv => Box::new(csv::CsvRows::new(file, columns, selection, envelope)),
        RowFormat::ArrowStream => {
            Box::new(arrow_stream::ArrowStream::new(file, columns, selection, envelope)?)
        }
        RowFormat::Parquet => Box::new(parquet::ParquetRows::new(file, columns, selection, envelope)?),
    })
}

/// Rows as JSON arrays with values as Trino's client protocol spells them, with bytes before and after: `forms` has one
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
    let plan = projection.json_plan(RowShape::Arrays, json::Layout::Array);
    Ok(Box::new(json::JsonRows::new(file, plan, selection, envelope).for_trino(forms)))
}

/// How many rows from `offset` on make about so many bytes of JSON: one at least where there is one. Told from the
/// lengths of texts and lists, without a look at their values, and always the same for a file.
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
    page::rows_within(file, columns, offset, bytes, budget)
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
