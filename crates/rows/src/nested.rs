//! A long value as JSON, in pieces: writing pauses when a chunk is full and continues there. A text of megabytes and a
//! list of millions take no more memory than a number.

use super::output::Output;
use super::text::put_escaped;
use super::trino_values::Form;
use super::value::{put_field_name, put_key, put_long_json_piece, put_value};
use crate::arrow_file::column::{ColumnValues, Values};

/// A piece of a nested key, before it is escaped.
const PIECE_BYTES: usize = 4 << 10;

/// The state of writing a value: the nested values that have begun and not ended, outermost first. Empty before the
/// beginning.
#[derive(Debug, Default)]
pub(super) struct LongPlace {
    begun: Vec<Begun>,
    /// The state of the innermost map's next key, if the key is an array, a row or a map and has begun.
    key: Option<Box<LongPlace>>,
}

#[derive(Clone, Copy, Debug)]
enum Begun {
    /// Written bytes of a text or of a binary value.
    Bytes(usize),
    /// The next element of a list.
    Elements { start: usize, next: usize, end: usize },
    /// The next entry of a map, and whether its key is written.
    Entries { start: usize, next: usize, end: usize, is_key_written: bool },
    /// The next field of a row.
    Fields(usize),
}

/// Resumes at `place`, and writes until the value has ended or slightly more than `full_bytes` are filled; returns
/// whether the value has ended.
pub(super) fn put_long_json(
    out: &mut Output,
    column: &ColumnValues,
    row: usize,
    form: Form<'_>,
    place: &mut LongPlace,
    full_bytes: usize,
) -> bool {
    let LongPlace { begun, key } = place;
    Writing { out, begun, key, full_bytes }.put((column, form), row, 0)
}

/// A column and the form of its values.
type Formed<'c> = (&'c ColumnValues, Form<'c>);

struct Writing<'w> {
    out: &'w mut Output,
    begun: &'w mut Vec<Begun>,
    key: &'w mut Option<Box<LongPlace>>,
    full_bytes: usize,
}

impl Writing<'_> {
    /// Writes the value at a depth of nesting. Short values are written whole and are never part of the state.
    fn put(&mut self, (column, form): Formed<'_>, row: usize, depth: usize) -> bool {
        if self.begun.len() == depth {
            if put_value(self.out, column, row, form) {
                return true;
            }
            self.begin(column, row, form);
        }
        let (has_ended, close) = match (&column.values, self.begun[depth]) {
            (Values::List { elements, .. }, Begun::Elements { start, next, end }) => {
                (self.put_elements((elements, form.part(0)), (start, next, end), depth), b']')
            }
            (Values::Map { keys, values, .. }, Begun::Entries { .. }) => {
                (self.put_entries((keys, form.part(0)), (values, form.part(1)), depth), b'}')
            }
            (Values::Row { names, fields }, Begun::Fields(next)) => {
                (self.put_fields(names, (fields, form), row, next, depth), form.row_closing())
            }
            (_, Begun::Bytes(written)) => (self.put_bytes((column, form), row, written, depth), b'"'),
            // A nested value in progress has the kind of the column.
            _ => (true, b' '),
        };
        if has_ended {
            self.put_mark(close, form);
            self.begun.pop();
        }
        has_ended
    }

    fn begin(&mut self, column: &ColumnValues, row: usize, form: Form<'_>) {
        let (open, begun) = match &column.values {
            Values::List { offsets, .. } => {
                let (start, end) = offsets.place(row);
                (b'[', Begun::Elements { start, next: start, end })
            }
            Values::Map { offsets, .. } => {
                let (start, end) = offsets.place(row);
                (b'{', Begun::Entries { start, next: start, end, is_key_written: false })
            }
            Values::Row { .. } => (form.row_opening(), Begun::Fields(0)),
            _ => (b'"', Begun::Bytes(0)),
        };
        self.put_mark(open, form);
        self.begun.push(begun);
    }

    /// Writes the character before or after a value, except that Java's form has no quotes.
    fn put_mark(&mut self, mark: u8, form: Form<'_>) {
        if mark != b'"' || !form.is_java() {
            self.out.push(mark);
        }
    }

    /// Writes a key that is an array, a row or a map: as text that is quoted, unless it is within another such key.
    fn put_nested_key(&mut self, (keys, form): Formed<'_>, row: usize, depth: usize) -> bool {
        if form.is_java() {
            return self.put((keys, form), row, depth + 1);
        }
        if self.key.is_none() {
            self.out.push(b'"');
        }
        let place = self.key.get_or_insert_default();
        loop {
            let mut piece = Output::new(0);
            let has_ended = put_long_json(&mut piece, keys, row, form.of_nested_key(), place, PIECE_BYTES);
            put_escaped(self.out, piece.filled());
            if has_ended {
                break;
            }
            if self.out.len() >= self.full_bytes {
                return false;
            }
        }
        self.out.push(b'"');
        *self.key = None;
        true
    }

    /// Whether the next value inside the one at `depth` has not begun; false if it is in progress.
    fn is_between(&self, depth: usize) -> bool {
        self.begun.len() == depth + 1
    }

    fn is_full(&self) -> bool {
        self.out.len() >= self.full_bytes
    }

    fn put_elements(
        &mut self,
        elements: Formed<'_>,
        (start, mut next, end): (usize, usize, usize),
        depth: usize,
    ) -> bool {
        while next < end {
            let has_room = !self.is_between(depth) || !self.is_full();
            if has_room && self.is_between(depth) && next > start {
                self.out.put(elements.1.separator());
            }
            if !has_room || !self.put(elements, next, depth + 1) {
                self.begun[depth] = Begun::Elements { start, next, end };
                return false;
            }
            next += 1;
        }
        true
    }

    fn put_entries(&mut self, keys: Formed<'_>, values: Formed<'_>, depth: usize) -> bool {
        while let Begun::Entries { start, next, end, is_key_written } = self.begun[depth]
            && next < end
        {
            if self.is_between(depth) && self.key.is_none() {
                if self.is_full() {
                    return false;
                }
                if !is_key_written && next > start {
                    self.out.put(keys.1.separator());
                }
            }
            if !is_key_written {
                let has_ended = match &keys.0.values {
                    Values::Text(_) | Values::Binary(_) => self.put(keys, next, depth + 1),
                    _ => put_key(self.out, keys.0, next, keys.1) || self.put_nested_key(keys, next, depth),
                };
                if !has_ended {
                    return false;
                }
                self.out.push(keys.1.assignment());
                self.begun[depth] = Begun::Entries { start, next, end, is_key_written: true };
            }
            if !self.put(values, next, depth + 1) {
                return false;
            }
            self.begun[depth] = Begun::Entries { start, next: next + 1, end, is_key_written: false };
        }
        true
    }

    fn put_fields(
        &mut self,
        names: &[String],
        (fields, form): (&[ColumnValues], Form<'_>),
        row: usize,
        next: usize,
        depth: usize,
    ) -> bool {
        for (index, (name, field)) in names.iter().zip(fields).enumerate().skip(next) {
            let has_room = !self.is_between(depth) || !self.is_full();
            if has_room && self.is_between(depth) {
                if index > 0 {
                    self.out.put(form.separator());
                }
                put_field_name(self.out, name, form);
            }
            if !has_room || !self.put((field, form.part(index)), row, depth + 1) {
                self.begun[depth] = Begun::Fields(index);
                return false;
            }
        }
        true
    }

    fn put_bytes(
        &mut self,
        (column, form): Formed<'_>,
        row: usize,
        mut written: usize,
        depth: usize,
    ) -> bool {
        while !put_long_json_piece(self.out, column, row, form, &mut written) {
            if self.is_full() {
                self.begun[depth] = Begun::Bytes(written);
                return false;
            }
        }
        true
    }
}
