//! Rows as CSV (RFC 4180): a header, CRLF, quotes where they are needed. NULL is an empty field, the empty text is
//! `""`, arrays and rows are JSON text. If formulas are escaped, texts that a spreadsheet would run as formulas get a
//! leading apostrophe (D131).

use std::sync::Arc;

use bytes::Bytes;
use memchr::{memchr, memchr3};

use super::nested::{LongPlace, put_long_json};
use super::output::Output;
use super::run::Run;
use super::selection::{RowSelection, Runs};
use super::trino_values::Form;
use super::value::{is_long_nested, long_value, next_piece, put_base64, put_json, put_plain};
use super::{Budget, CHUNK_BYTES, CHUNK_MEMORY_BYTES, ChunkSource, Envelope, Progress, ProjectedColumn};
use crate::Result;
use crate::arrow_file::ArrowFile;
use crate::arrow_file::column::{ColumnValues, Values};

/// Bytes of JSON of a long list, map or row that are quoted at a time.
const NESTED_PIECE_BYTES: usize = 16 << 10;

/// First bytes of texts that a spreadsheet runs as formulas: OWASP's list.
const FORMULA_BEGINS: &[u8] = b"=+-@\t\r";

/// How texts that a spreadsheet would run as formulas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formulas {
    Kept,
    /// With a leading apostrophe.
    Escaped,
}

/// Encodes rows as CSV.
#[derive(Debug)]
pub(super) struct CsvRows {
    runs: Runs,
    columns: Vec<ProjectedColumn>,
    formulas: Formulas,
    envelope: Envelope,
    out: Output,
    /// JSON text of a nested value, before it is quoted.
    nested: Output,
    place: Place,
}

/// The state of the encoding between two chunks.
#[derive(Debug)]
enum Place {
    Start,
    Between,
    Row {
        run: Run,
        position: usize,
    },
    /// Inside a long value, whose opening quote is written if it has one.
    LongValue {
        run: Run,
        position: usize,
        column: usize,
        written: usize,
        is_quoted: bool,
    },
    /// Inside a long list, map or row.
    LongNested {
        run: Run,
        position: usize,
        column: usize,
        place: LongPlace,
    },
    End,
}

impl CsvRows {
    pub(super) fn new(
        file: Arc<ArrowFile>,
        columns: &[ProjectedColumn],
        formulas: Formulas,
        selection: RowSelection,
        envelope: Envelope,
    ) -> Self {
        let runs = Runs::new(file, selection);
        let expected = runs.rows_at_most().min(CHUNK_BYTES as u64) * columns.len() as u64 * 16;
        Self {
            runs,
            columns: columns.to_vec(),
            formulas,
            envelope,
            out: Output::new(expected as usize),
            nested: Output::new(0),
            place: Place::Start,
        }
    }

    fn put_header(&mut self) {
        for (position, column) in self.columns.iter().enumerate() {
            if position > 0 {
                self.out.push(b',');
            }
            put_text(&mut self.out, column.name.as_bytes(), self.formulas);
        }
        self.out.put_array(b"\r\n");
    }

    /// Writes rows, from a column of the first one on, until the chunk is full, the run is done or a long value
    /// follows.
    fn put_rows(&mut self, run: Run, mut position: usize, from_column: usize) -> Place {
        let Self { columns, formulas, out, nested, .. } = self;
        let batch = Arc::clone(&run.batch);
        let columns: Vec<_> = columns.iter().map(|column| batch.column(column.index)).collect();
        let mut first_column = from_column;
        // A row in progress is completed, or its beginning would be written again.
        while position < run.rows.len() && (first_column > 0 || out.len() < CHUNK_BYTES) {
            let row = run.rows.get(position);
            for (column, values) in columns.iter().enumerate().skip(first_column) {
                if column > 0 {
                    out.push(b',');
                }
                if values.is_null(row) {
                    continue;
                }
                if let Some(long) = long_value(values, row) {
                    let is_text = matches!(values.values, Values::Text(_));
                    let is_quoted = is_text && needs_quotes(long);
                    if is_quoted {
                        out.push(b'"');
                    }
                    if is_text {
                        put_escape(out, long, *formulas);
                    }
                    return Place::LongValue { run, position, column, written: 0, is_quoted };
                }
                if is_long_nested(values, row) {
                    // The value contains a comma, or the quotes of a text or of a name.
                    out.push(b'"');
                    return Place::LongNested { run, position, column, place: LongPlace::default() };
                }
                put_value(out, nested, values, row, *formulas);
            }
            out.put_array(b"\r\n");
            first_column = 0;
            position += 1;
        }
        Place::Row { run, position }
    }

    fn put_long_value(
        &mut self,
        run: Run,
        position: usize,
        column: usize,
        mut written: usize,
        is_quoted: bool,
    ) -> Place {
        let row = run.rows.get(position);
        let values = run.batch.column(self.columns[column].index);
        let value = long_value(values, row).unwrap_or_default();
        while written < value.len() {
            if self.out.len() >= CHUNK_BYTES {
                return Place::LongValue { run, position, column, written, is_quoted };
            }
            let piece = next_piece(value, &mut written);
            match values.values {
                Values::Binary(_) => put_base64(&mut self.out, piece),
                _ if is_quoted => put_doubled_quotes(&mut self.out, piece),
                _ => self.out.put(piece),
            }
        }
        if is_quoted {
            self.out.push(b'"');
        }
        self.put_rows(run, position, column + 1)
    }

    fn put_long_nested(&mut self, run: Run, position: usize, column: usize, mut place: LongPlace) -> Place {
        let row = run.rows.get(position);
        let values = run.batch.column(self.columns[column].index);
        loop {
            let has_ended =
                put_long_json(&mut self.nested, values, row, Form::Own, &mut place, NESTED_PIECE_BYTES);
            put_doubled_quotes(&mut self.out, self.nested.filled());
            self.nested.clear();
            if has_ended {
                break;
            }
            if self.out.len() >= CHUNK_BYTES {
                return Place::LongNested { run, position, column, place };
            }
        }
        self.out.push(b'"');
        self.put_rows(run, position, column + 1)
    }
}

impl ChunkSource for CsvRows {
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>> {
        loop {
            self.place = match std::mem::replace(&mut self.place, Place::End) {
                Place::Start => {
                    let prefix = std::mem::take(&mut self.envelope.prefix);
                    self.out.put(&prefix);
                    self.put_header();
                    Place::Between
                }
                Place::Between => match self.runs.next_run(budget)? {
                    Progress::Paused => {
                        self.place = Place::Between;
                        return Ok(Progress::Paused);
                    }
                    Progress::Done(Some(run)) => Place::Row { run, position: 0 },
                    Progress::Done(None) => {
                        let suffix = std::mem::take(&mut self.envelope.suffix);
                        self.out.put(&suffix);
                        return Ok(Progress::Done(Some(self.out.take(false))));
                    }
                },
                Place::Row { run, position } if position < run.rows.len() => self.put_rows(run, position, 0),
                Place::Row { .. } => Place::Between,
                Place::LongValue { run, position, column, written, is_quoted } => {
                    self.put_long_value(run, position, column, written, is_quoted)
                }
                Place::LongNested { run, position, column, place } => {
                    self.put_long_nested(run, position, column, place)
                }
                Place::End => return Ok(Progress::Done(None)),
            };
            if self.out.len() >= CHUNK_BYTES {
                budget.spend(self.out.len() as u64);
                return Ok(Progress::Done(Some(self.out.take(true))));
            }
        }
    }

    fn next_chunk_bytes(&self) -> usize {
        CHUNK_MEMORY_BYTES + self.envelope.excess_bytes()
    }

    fn held_bytes(&self) -> usize {
        self.envelope.held_bytes(self.columns.len()) + self.runs.file().exclusive_bytes()
    }
}

fn put_value(out: &mut Output, nested: &mut Output, values: &ColumnValues, row: usize, formulas: Formulas) {
    match &values.values {
        Values::Text(text) => put_text(out, text.value(row), formulas),
        // An empty value is not NULL.
        Values::Binary(binary) if binary.value(row).is_empty() => out.put_array(b"\"\""),
        Values::List { .. } | Values::Map { .. } | Values::Row { .. } => {
            put_json(nested, values, row, Form::Own);
            put_text(out, nested.filled(), Formulas::Kept);
            nested.clear();
        }
        _ => put_plain(out, values, row),
    }
}

/// Writes a text that is not NULL, quoted where it must be.
fn put_text(out: &mut Output, text: &[u8], formulas: Formulas) {
    let is_quoted = needs_quotes(text);
    if is_quoted {
        out.push(b'"');
    }
    put_escape(out, text, formulas);
    if is_quoted {
        put_doubled_quotes(out, text);
        out.push(b'"');
    } else {
        out.put(text);
    }
}

/// Writes the apostrophe before a text that a spreadsheet would run as a formula.
fn put_escape(out: &mut Output, text: &[u8], formulas: Formulas) {
    if formulas == Formulas::Escaped && text.first().is_some_and(|byte| FORMULA_BEGINS.contains(byte)) {
        out.push(b'\'');
    }
}

fn needs_quotes(field: &[u8]) -> bool {
    field.is_empty() || memchr3(b'"', b',', b'\n', field).is_some() || memchr(b'\r', field).is_some()
}

fn put_doubled_quotes(out: &mut Output, field: &[u8]) {
    let mut rest = field;
    while let Some(at) = memchr(b'"', rest) {
        out.put(&rest[..=at]);
        out.push(b'"');
        rest = &rest[at + 1..];
    }
    out.put(rest);
}
