//! The texts between the values of JSON rows, built once for the columns of an answer.

use crate::arrow_file::Batch;
use crate::chunk::RowShape;
use crate::flat::{FlatColumn, LEAD_BYTES, Lead};
use crate::names::unique_names;
use crate::output::Output;
use crate::projected_column::{ProjectedColumn, names};
use crate::text::put_json_text;
use crate::trino_values::Form;

/// An estimate of a value's bytes, to size the first chunk.
const EXPECTED_VALUE_BYTES: usize = 12;

/// The texts around and between the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `[row,row]`
    Array,
    /// `row\nrow\n`
    Lines,
}

/// The texts between the values, ready to be copied. The end of a row is part of the text before the next row's first
/// value: `},{"name":`.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Columns' positions in the file.
    pub(super) indexes: Vec<usize>,
    pub(super) leads: Leads,
    /// Before the first value of all: `[{"name":`.
    pub(crate) first_row: Vec<u8>,
    /// After the last row.
    pub(super) last_row_end: &'static [u8],
    /// Instead of rows.
    pub(super) no_rows: &'static [u8],
}

/// Texts in one allocation, each padded so that it is copied with fixed widths. The first precedes a row's first value,
/// the others the second value, the third, ….
#[derive(Debug, Default)]
pub(super) struct Leads {
    blocks: Vec<[u8; LEAD_BYTES]>,
    places: Vec<LeadPlace>,
}

#[derive(Clone, Copy, Debug)]
struct LeadPlace {
    start: usize,
    end: usize,
    length: usize,
}

impl Plan {
    pub(crate) fn new(columns: &[ProjectedColumn], shape: RowShape, layout: Layout) -> Self {
        let (opening, row_end, last_row_end): (&[u8], &[u8], &'static [u8]) = match (shape, layout) {
            (RowShape::Arrays, Layout::Array) => (b"[", b"],[", b"]]"),
            (RowShape::Objects, Layout::Array) => (b"{", b"},{", b"}]"),
            (RowShape::Arrays, Layout::Lines) => (b"[", b"]\n[", b"]\n"),
            (RowShape::Objects, Layout::Lines) => (b"{", b"}\n{", b"}\n"),
        };
        let keys = match shape {
            RowShape::Objects => unique_names(&names(columns)),
            RowShape::Arrays => Vec::new(),
        };
        let mut text = Output::new(0);
        let put_key = |text: &mut Output, column: usize| {
            if let Some(key) = keys.get(column) {
                put_json_text(text, key.as_bytes(), 0, key.len());
                text.push(b':');
            }
        };
        if layout == Layout::Array {
            text.push(b'[');
        }
        text.put(opening);
        put_key(&mut text, 0);
        let first_row = text.filled().to_vec();
        let mut leads = Leads::default();
        for column in 0..columns.len().max(1) {
            text.clear();
            text.put(if column == 0 { row_end } else { b"," });
            put_key(&mut text, column);
            leads.add(text.filled());
        }
        let no_rows: &[u8] = if layout == Layout::Array { b"[]" } else { b"" };
        let indexes = columns.iter().map(|column| column.index).collect();
        Self { indexes, leads, first_row, last_row_end, no_rows }
    }

    /// Bytes of the text before a row that follows another: the end of that one, and what precedes the first value.
    pub(crate) fn row_lead_bytes(&self) -> usize {
        self.leads.get(0).length
    }

    /// The columns of a batch, with the texts before their values.
    pub(crate) fn flat_columns<'b>(
        &'b self,
        batch: &'b Batch,
        form: impl Fn(usize) -> Form<'b>,
    ) -> Vec<FlatColumn<'b>> {
        let indexes = self.indexes.iter().enumerate();
        let flat = |(column, index): (usize, &usize)| {
            FlatColumn::new(self.leads.get(column), batch.column(*index), form(column))
        };
        indexes.map(flat).collect()
    }

    pub(super) fn expected_row_bytes(&self) -> usize {
        let leads = self.leads.places.iter().map(|lead| lead.length).sum::<usize>();
        leads + self.indexes.len() * EXPECTED_VALUE_BYTES
    }
}

impl Leads {
    fn add(&mut self, text: &[u8]) {
        let start = self.blocks.len();
        for chunk in text.chunks(LEAD_BYTES) {
            let mut block = [0; LEAD_BYTES];
            block[..chunk.len()].copy_from_slice(chunk);
            self.blocks.push(block);
        }
        self.places.push(LeadPlace { start, end: self.blocks.len(), length: text.len() });
    }

    pub(super) fn get(&self, index: usize) -> Lead<'_> {
        let LeadPlace { start, end, length } = self.places[index];
        Lead { blocks: &self.blocks[start..end], length }
    }
}
