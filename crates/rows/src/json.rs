//! Rows as JSON: one array of rows, or a row on each line; rows as arrays or as objects (D17, D18).

use std::sync::Arc;

use bytes::Bytes;

use super::budget::{Budget, Progress};
use super::chunk::{CHUNK_BYTES, CHUNK_MEMORY_BYTES, ChunkSource, Envelope};
use super::encoded_rows::EncodedRows;
use super::flat::FlatColumn;
use super::nested::{LongPlace, put_long_json};
use super::output::Output;
use super::run::{Run, RunRows};
use super::selection::{RowSelection, Runs};
use super::trino_values::{Form, TrinoValue};
use super::value::put_json;
use crate::Result;
use crate::arrow_file::ArrowFile;

pub(super) mod plan;
pub(super) mod values;

use plan::Plan;
use values::put_values;

/// Expected bytes of a part.
const PART_BYTES: u64 = (CHUNK_BYTES - CHUNK_BYTES / 16) as u64;

/// Number of rows whose values are prefetched together before the first of them is written: usually a page.
const FETCHED_ROWS: usize = 128;
/// Minimum number of rows of a part.
const PART_ROWS: u64 = 32;

/// Encodes rows as JSON.
#[derive(Debug)]
pub(super) struct JsonRows {
    runs: Runs,
    plan: Arc<Plan>,
    /// Rows to copy instead of encoding them.
    encoded: Option<Arc<EncodedRows>>,
    /// The text form of values by column; none for the interface's own form.
    forms: Option<Arc<[TrinoValue]>>,
    envelope: Envelope,
    out: Output,
    place: Place,
    /// Rows and bytes written so far, to estimate the number of rows per chunk.
    written_rows: u64,
    written_bytes: u64,
    /// Whether these are rows between others: the text before the first and after the last of all is written elsewhere.
    is_part: bool,
}

/// The state of the encoding between two chunks.
#[derive(Debug)]
enum Place {
    Start,
    /// Before a run; whether a row has been written.
    Between {
        any_row: bool,
    },
    /// Before a row of a run.
    Row {
        run: Run,
        position: usize,
        any_row: bool,
    },
    /// Inside a long value of a row.
    LongValue {
        run: Run,
        position: usize,
        column: usize,
        place: LongPlace,
    },
    End,
}

impl JsonRows {
    pub(super) fn new(
        file: Arc<ArrowFile>,
        plan: Arc<Plan>,
        selection: RowSelection,
        envelope: Envelope,
    ) -> Self {
        let runs = Runs::new(file, selection);
        let expected_rows = runs.rows_at_most().min(CHUNK_BYTES as u64);
        let expected = expected_rows as usize * plan.expected_row_bytes();
        let out = Output::new(expected + envelope.prefix.len() + envelope.suffix.len());
        Self {
            runs,
            plan,
            encoded: None,
            forms: None,
            envelope,
            out,
            place: Place::Start,
            written_rows: 0,
            written_bytes: 0,
            is_part: false,
        }
    }

    /// Encodes values in the form of Trino's client protocol: `forms` has one for each column.
    pub(super) fn for_trino(self, forms: Arc<[TrinoValue]>) -> Self {
        Self { forms: Some(forms), ..self }
    }

    /// Copies rows that are encoded already with this plan. A stream reads each row once: it is encoded as it goes, and
    /// what is encoded for pages stays in memory for them.
    pub(super) fn with_encoded_rows(self, encoded: Option<&Arc<EncodedRows>>) -> Self {
        let is_page = !self.runs.is_stream();
        let encoded = encoded.filter(|encoded| is_page && encoded.is_of(self.runs.file()));
        Self { encoded: encoded.cloned(), ..self }
    }

    /// Returns the unwritten rows of the run to the walk.
    fn leave_run(&mut self) -> bool {
        let Place::Row { run, position, any_row: true } = &self.place else {
            return matches!(self.place, Place::Between { any_row: true });
        };
        let is_left = self.runs.give_back(run, *position);
        if is_left {
            self.place = Place::Between { any_row: true };
        }
        is_left
    }

    /// Writes rows of a run from `position` on, until the chunk is full or the run is done.
    fn put_rows(&mut self, run: Run, mut position: usize, any_row: bool) -> Place {
        let Self { plan, out, forms, .. } = self;
        let form = |column: usize| Form::of(forms.as_deref(), column);
        let row_count = run.rows.len();
        if let Some(encoded) = &self.encoded {
            let section = encoded.section_of(self.runs.file(), run.index);
            let copied =
                section.and_then(|(rows, base)| rows.put(out, plan, base, &run.rows, position, !any_row));
            if let Some(next) = copied {
                self.written_rows += (next - position) as u64;
                let any_row = any_row || next > position;
                let is_done = next == row_count;
                return if is_done {
                    Place::Between { any_row }
                } else {
                    Place::Row { run, position: next, any_row }
                };
            }
            if position == 0 {
                encoded.note(self.runs.file(), run.index, row_count);
            }
        }
        // Columns are looked up once per run, not per row.
        let batch = Arc::clone(&run.batch);
        let columns = plan.flat_columns(&batch, form);
        let mut is_first = !any_row;
        let mut fetched = position;
        let begun = position;
        while position < row_count {
            if out.len() >= CHUNK_BYTES {
                self.written_rows += (position - begun) as u64;
                return Place::Row { run, position, any_row: !is_first };
            }
            if let RunRows::List(rows) = &run.rows
                && position == fetched
            {
                fetched = row_count.min(position + FETCHED_ROWS);
                fetch(&columns, &rows[position..fetched]);
            }
            let row = run.rows.get(position);
            // Number of values of the row written so far.
            let mut column = 0;
            if is_first {
                out.put(&plan.first_row);
                is_first = false;
                // Its first value has another text before it.
                if let Some(first) = columns.first() {
                    column = 1;
                    if !put_json(out, first.column, row, form(0)) {
                        return Place::LongValue { run, position, column: 0, place: LongPlace::default() };
                    }
                }
            } else if columns.is_empty() {
                plan.leads.get(0).put(out);
            }
            if let Some(column) = put_values(out, &columns, column, row, form) {
                return Place::LongValue { run, position, column, place: LongPlace::default() };
            }
            position += 1;
        }
        self.written_rows += (position - begun) as u64;
        Place::Between { any_row: !is_first }
    }

    /// Continues a row from inside a long value of it, until the chunk is full.
    fn put_long_value(
        &mut self,
        run: Run,
        position: usize,
        mut column: usize,
        mut place: LongPlace,
    ) -> Place {
        let Self { plan, out, forms, .. } = self;
        let form = |column: usize| Form::of(forms.as_deref(), column);
        let row = run.rows.get(position);
        loop {
            let values = run.batch.column(plan.indexes[column]);
            if !put_long_json(out, values, row, form(column), &mut place, CHUNK_BYTES) {
                return Place::LongValue { run, position, column, place };
            }
            loop {
                column += 1;
                let Some(index) = plan.indexes.get(column) else {
                    return Place::Row { run, position: position + 1, any_row: true };
                };
                plan.leads.get(column).put(out);
                if !put_json(out, run.batch.column(*index), row, form(column)) {
                    break;
                }
            }
        }
    }
}

impl ChunkSource for JsonRows {
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>> {
        loop {
            self.place = match std::mem::replace(&mut self.place, Place::End) {
                Place::Start => {
                    let prefix = std::mem::take(&mut self.envelope.prefix);
                    self.out.put(&prefix);
                    Place::Between { any_row: false }
                }
                Place::Between { any_row } => match self.runs.next_run(budget)? {
                    Progress::Paused => {
                        self.place = Place::Between { any_row };
                        return Ok(Progress::Paused);
                    }
                    Progress::Done(Some(run)) => Place::Row { run, position: 0, any_row },
                    Progress::Done(None) if self.is_part => {
                        let chunk = self.out.take(false);
                        return Ok(Progress::Done((!chunk.is_empty()).then_some(chunk)));
                    }
                    Progress::Done(None) => {
                        self.out.put(if any_row { self.plan.last_row_end } else { self.plan.no_rows });
                        let suffix = std::mem::take(&mut self.envelope.suffix);
                        self.out.put(&suffix);
                        let chunk = self.out.take(false);
                        return Ok(Progress::Done((!chunk.is_empty()).then_some(chunk)));
                    }
                },
                Place::Row { run, position, any_row } => self.put_rows(run, position, any_row),
                Place::LongValue { run, position, column, place } => {
                    self.put_long_value(run, position, column, place)
                }
                Place::End => return Ok(Progress::Done(None)),
            };
            if self.out.len() >= CHUNK_BYTES {
                self.written_bytes += self.out.len() as u64;
                budget.spend(self.out.len() as u64);
                return Ok(Progress::Done(Some(self.out.take(true))));
            }
        }
    }

    fn split(&mut self) -> Option<Box<dyn ChunkSource>> {
        if self.is_part || self.written_bytes == 0 || self.out.len() > 0 || !self.leave_run() {
            return None;
        }
        // Slightly less than a chunk: slightly more would be two.
        let rows = PART_BYTES * self.written_rows / self.written_bytes;
        let runs = self.runs.split_off(rows.max(PART_ROWS))?;
        Some(Box::new(Self {
            runs,
            plan: Arc::clone(&self.plan),
            encoded: self.encoded.clone(),
            forms: self.forms.clone(),
            envelope: Envelope::default(),
            out: self.out.sibling(),
            place: Place::Between { any_row: true },
            written_rows: 0,
            written_bytes: 0,
            is_part: true,
        }))
    }

    fn next_chunk_bytes(&self) -> usize {
        CHUNK_MEMORY_BYTES + self.envelope.excess_bytes()
    }

    fn held_bytes(&self) -> usize {
        self.envelope.held_bytes(self.plan.indexes.len()) + self.runs.file().exclusive_bytes()
    }
}

/// Prefetches the values of rows together. Each value is in a separate place; writing them one after the other would
/// wait for each, because speculation does not reach beyond the next value's digits. Consecutive rows are prefetched by
/// the hardware, and better than by software.
fn fetch(columns: &[FlatColumn<'_>], rows: &[u32]) {
    let touched = columns.iter().map(|column| column.touch(rows));
    std::hint::black_box(touched.fold(0, |seen, byte| seen ^ byte));
}
