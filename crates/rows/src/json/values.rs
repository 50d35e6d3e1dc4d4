//! The values of a row, each after the text before it.

use crate::flat::{FlatColumn, write_values};
use crate::output::Output;
use crate::trino_values::Form;
use crate::value::put_json;

/// Writes the values of a row from a column on, each after its lead. Returns the column of a long value, before which it
/// ends, after its lead.
#[inline(always)]
pub(crate) fn put_values<'f>(
    out: &mut Output,
    columns: &[FlatColumn<'_>],
    mut column: usize,
    row: usize,
    form: impl Fn(usize) -> Form<'f>,
) -> Option<usize> {
    while column < columns.len() {
        let (written, length) = write_values(out.room(0), &columns[column..], row);
        out.advance(length);
        column += written;
        let FlatColumn { lead, column: values, .. } = columns.get(column)?;
        lead.put(out);
        if !put_json(out, values, row, form(column)) {
            return Some(column);
        }
        column += 1;
    }
    None
}
