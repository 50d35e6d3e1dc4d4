//! Rows as JSON: one array of rows, or a row on each line; rows as arrays or as objects (D17, D18).

use std::sync::Arc;

use bytes::Bytes;

use super::names::unique_names;
use super::output::Output;
use super::selection::{RowSelection, Run, Runs};
use super::text::put_json_text;
use super::value::{put_json, put_long_json_piece};
use super::{CHUNK_BYTES, ChunkSource, Envelope, ProjectedColumn, RowShape};
use crate::Result;
use crate::arrow_file::ArrowFile;

/// A guess of a value's bytes with its key; to size the first chunk.
const EXPECTED_VALUE_BYTES: u64 = 32;

/// What lies around and between the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// `[row,row]`
    Array,
    /// `row\nrow\n`
    Lines,
}

/// Encodes rows as JSON.
#[derive(Debug)]
pub(super) struct JsonRows {
    runs: Runs,
    columns: Vec<ColumnPlan>,
    /// What ends a row.
    row_end: u8,
    layout: Layout,
    envelope: Envelope,
    out: Output,
    place: Place,
}

/// A column and what stands before its value: `,"name":`, a comma or an opening bracket.
#[derive(Debug)]
struct ColumnPlan {
    index: usize,
    lead: Lead,
}

/// Bytes that are copied by fixed widths, hence padded.
#[derive(Debug)]
struct Lead {
    blocks: Box<[[u8; 16]]>,
    length: usize,
}

/// Where the encoding stands between two chunks.
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
        written: usize,
    },
    End,
}

impl JsonRows {
    pub(super) fn new(
        file: Arc<ArrowFile>,
        columns: &[ProjectedColumn],
        selection: RowSelection,
        shape: RowShape,
        envelope: Envelope,
        layout: Layout,
    ) -> Self {
        let runs = Runs::new(file, selection);
        let expected_rows = runs.rows_at_most().min(CHUNK_BYTES as u64);
        let expected = expected_rows * columns.len() as u64 * EXPECTED_VALUE_BYTES;
        let out = Output::new(expected as usize + envelope.prefix.len() + envelope.suffix.len());
        let row_end = match shape {
            RowShape::Arrays => b']',
            RowShape::Objects => b'}',
        };
        Self { runs, columns: plan(columns, shape), row_end, layout, envelope, out, place: Place::Start }
    }

    /// Writes rows of a run from `position` on, until the chunk is full or the run is done.
    fn put_rows(&mut self, run: Run, mut position: usize, mut any_row: bool) -> Place {
        let Self { columns, out, layout, row_end, .. } = self;
        let row_count = run.rows.len();
        let batch = Arc::clone(&run.batch);
        // Columns are looked up once per run, not per row.
        let plans: Vec<_> = columns.iter().map(|plan| (&plan.lead, batch.column(plan.index))).collect();
        let opening = if *row_end == b']' { b'[' } else { b'{' };
        while position < row_count {
            if out.len() >= CHUNK_BYTES {
                return Place::Row { run, position, any_row };
            }
            let row = run.rows.get(position);
            if any_row && *layout == Layout::Array {
                out.push(b',');
            }
            any_row = true;
            if plans.is_empty() {
                out.push(opening);
            }
            for (column, (lead, values)) in plans.iter().enumerate() {
                lead.put(out);
                if !put_json(out, values, row) {
                    out.push(b'"');
                    return Place::LongValue { run, position, column, written: 0 };
                }
            }
            put_row_end(out, *row_end, *layout);
            position += 1;
        }
        Place::Between { any_row }
    }

    /// Writes the rest of a row from inside a long value of it on, until the chunk is full.
    fn put_long_value(&mut self, run: Run, position: usize, mut column: usize, mut written: usize) -> Place {
        let Self { columns, out, row_end, layout, .. } = self;
        let row = run.rows.get(position);
        loop {
            let values = run.batch.column(columns[column].index);
            while !put_long_json_piece(out, values, row, &mut written) {
                if out.len() >= CHUNK_BYTES {
                    return Place::LongValue { run, position, column, written };
                }
            }
            out.push(b'"');
            written = 0;
            loop {
                column += 1;
                let Some(plan) = columns.get(column) else {
                    put_row_end(out, *row_end, *layout);
                    return Place::Row { run, position: position + 1, any_row: true };
                };
                plan.lead.put(out);
                if !put_json(out, run.batch.column(plan.index), row) {
                    out.push(b'"');
                    break;
                }
            }
        }
    }
}

impl ChunkSource for JsonRows {
    fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        loop {
            self.place = match std::mem::replace(&mut self.place, Place::End) {
                Place::Start => {
                    let prefix = std::mem::take(&mut self.envelope.prefix);
                    self.out.put(&prefix);
                    if self.layout == Layout::Array {
                        self.out.push(b'[');
                    }
                    Place::Between { any_row: false }
                }
                Place::Between { any_row } => match self.runs.next_run()? {
                    Some(run) => Place::Row { run, position: 0, any_row },
                    None => {
                        if self.layout == Layout::Array {
                            self.out.push(b']');
                        }
                        let suffix = std::mem::take(&mut self.envelope.suffix);
                        self.out.put(&suffix);
                        let chunk = self.out.take(false);
                        return Ok((!chunk.is_empty()).then_some(chunk));
                    }
                },
                Place::Row { run, position, any_row } => self.put_rows(run, position, any_row),
                Place::LongValue { run, position, column, written } => {
                    self.put_long_value(run, position, column, written)
                }
                Place::End => return Ok(None),
            };
            if self.out.len() >= CHUNK_BYTES {
                return Ok(Some(self.out.take(true)));
            }
        }
    }
}

impl Lead {
    fn new(bytes: &[u8]) -> Self {
        let blocks = bytes.chunks(16).map(|chunk| {
            let mut block = [0; 16];
            block[..chunk.len()].copy_from_slice(chunk);
            block
        });
        Self { blocks: blocks.collect(), length: bytes.len() }
    }

    #[inline(always)]
    fn put(&self, out: &mut Output) {
        let (targets, _) = out.room(self.blocks.len() * 16).as_chunks_mut::<16>();
        for (target, block) in targets.iter_mut().zip(&self.blocks) {
            *target = *block;
        }
        out.advance(self.length);
    }
}

/// What stands before each column's value.
fn plan(columns: &[ProjectedColumn], shape: RowShape) -> Vec<ColumnPlan> {
    let lead = |position: usize, key: Option<&str>| {
        let mut out = Output::new(0);
        out.push(match (position, shape) {
            (0, RowShape::Arrays) => b'[',
            (0, RowShape::Objects) => b'{',
            _ => b',',
        });
        if let Some(key) = key {
            put_json_text(&mut out, key.as_bytes(), 0, key.len());
            out.push(b':');
        }
        Lead::new(&out.take(false))
    };
    let names = match shape {
        RowShape::Objects => unique_names(columns.iter().map(|column| column.name.as_str())),
        RowShape::Arrays => Vec::new(),
    };
    let plan = columns.iter().enumerate().map(|(position, column)| ColumnPlan {
        index: column.index,
        lead: lead(position, names.get(position).map(String::as_str)),
    });
    plan.collect()
}

#[inline(always)]
fn put_row_end(out: &mut Output, row_end: u8, layout: Layout) {
    match layout {
        Layout::Array => out.push(row_end),
        Layout::Lines => out.put_array(&[row_end, b'\n']),
    }
}
