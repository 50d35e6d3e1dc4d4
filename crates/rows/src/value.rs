//! One value as JSON, and as the plain text of CSV (D18).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::number::{put_decimal, put_f32, put_f64, put_i64, put_java_f32, put_java_f64, put_u64};
use super::output::Output;
use super::temporal::{put_date, put_duration, put_months, put_time, put_timestamp, put_zoned_timestamp};
use super::text::{put_escaped, put_json_text};
use super::trino_values::{Form, put_trino_scalar};
use crate::arrow_file::column::{ColumnValues, Values};

/// Longer values are written in pieces, possibly over several chunks; so are lists, maps and rows whose JSON may be
/// longer.
pub(super) const LONG_VALUE_BYTES: usize = 16 << 10;

/// Size of a piece of a long value; a multiple of the group size of base64.
const PIECE_BYTES: usize = 12 << 10;

/// Writes a column's value as JSON. Returns `false`, and writes nothing, if the value is long.
#[inline(always)]
pub(super) fn put_json(out: &mut Output, column: &ColumnValues, row: usize, form: Form<'_>) -> bool {
    if column.is_null(row) {
        out.put_array(b"null");
        return true;
    }
    match &column.values {
        Values::Text(text) => {
            let (start, end) = text.place(row);
            if end - start > LONG_VALUE_BYTES {
                return false;
            }
            put_json_text(out, &text.bytes, start, end);
        }
        Values::Binary(binary) if binary.value(row).len() > LONG_VALUE_BYTES => return false,
        Values::Int64(values) => put_i64(out, values[row]),
        Values::Int32(values) if form.has_integers() => put_i64(out, i64::from(values[row])),
        Values::Decimal { values, scale } if form.is_own() => put_decimal(out, values.get(row), *scale),
        Values::Date(values) => {
            out.push(b'"');
            put_date(out, i64::from(values[row]));
            out.push(b'"');
        }
        Values::Boolean(values) if values.value(row) => out.put_array(b"true"),
        Values::Boolean(_) => out.put_array(b"false"),
        _ => return put_json_other(out, column, row, form),
    }
    true
}

/// Writes a value nested in one that is not long, and therefore not long itself.
fn put_json_nested(out: &mut Output, column: &ColumnValues, row: usize, form: Form<'_>) {
    let is_written = put_value(out, column, row, form);
    debug_assert!(is_written, "a part is longer than the whole");
}

/// Writes a value as JSON, or in Java's form. Returns `false`, and writes nothing, if the value is long.
pub(super) fn put_value(out: &mut Output, column: &ColumnValues, row: usize, form: Form<'_>) -> bool {
    if !form.is_java() {
        return put_json(out, column, row, form);
    }
    let is_nested = matches!(column.values, Values::List { .. } | Values::Map { .. } | Values::Row { .. });
    if is_nested && !column.is_null(row) {
        return put_json_other(out, column, row, form);
    }
    let is_short = column.is_null(row) || long_value(column, row).is_none();
    if is_short {
        put_java_scalar(out, column, row, form);
    }
    is_short
}

/// Whether a list, a map or a row may be long, without reading its contents.
pub(super) fn is_long_nested(column: &ColumnValues, row: usize) -> bool {
    matches!(column.values, Values::List { .. } | Values::Map { .. } | Values::Row { .. })
        && column.json_weight(row..row + 1) > LONG_VALUE_BYTES
}

/// Writes the next piece of a long value, from its byte `written` on; the caller writes the quotes. True at the end.
pub(super) fn put_long_json_piece(
    out: &mut Output,
    column: &ColumnValues,
    row: usize,
    form: Form<'_>,
    written: &mut usize,
) -> bool {
    match &column.values {
        Values::Text(text) => {
            let piece = next_piece(text.value(row), written);
            if form.is_java() {
                out.put(piece);
            } else {
                put_escaped(out, piece);
            }
            *written == text.value(row).len()
        }
        Values::Binary(binary) => {
            let piece = next_piece(binary.value(row), written);
            put_base64(out, piece);
            *written == binary.value(row).len()
        }
        _ => true,
    }
}

/// Bytes of a column's value, if it is a long one.
pub(super) fn long_value(column: &ColumnValues, row: usize) -> Option<&[u8]> {
    match &column.values {
        Values::Text(bytes) | Values::Binary(bytes) => {
            Some(bytes.value(row)).filter(|value| value.len() > LONG_VALUE_BYTES)
        }
        _ => None,
    }
}

/// The next piece of a long value, unchanged.
pub(super) fn next_piece<'v>(value: &'v [u8], written: &mut usize) -> &'v [u8] {
    let end = value.len().min(*written + PIECE_BYTES);
    let piece = &value[*written..end];
    *written = end;
    piece
}

/// Writes base64. The padding is correct if all pieces but the last are multiples of three bytes.
pub(super) fn put_base64(out: &mut Output, bytes: &[u8]) {
    let length = bytes.len().div_ceil(3) * 4;
    let room = &mut out.room(length)[..length];
    // OK because the encoding takes four characters for each three bytes.
    let written = STANDARD.encode_slice(bytes, room).expect("room for all of it");
    out.advance(written);
}

/// Writes a value without quotes. It is not NULL, text, a list, a map or a row.
pub(super) fn put_plain(out: &mut Output, column: &ColumnValues, row: usize) {
    put_scalar(out, column, row, false);
}

/// Writes the kinds of values outside the hot loop of [`put_json`].
#[inline(never)]
fn put_json_other(out: &mut Output, column: &ColumnValues, row: usize, form: Form<'_>) -> bool {
    if is_long_nested(column, row) {
        return false;
    }
    match &column.values {
        Values::List { offsets, elements } => {
            let (start, end) = offsets.place(row);
            out.push(b'[');
            for place in start..end {
                if place > start {
                    out.put(form.separator());
                }
                put_json_nested(out, elements, place, form.part(0));
            }
            out.push(b']');
        }
        Values::Row { names, fields } => {
            out.push(form.row_opening());
            for (index, (name, field)) in names.iter().zip(fields).enumerate() {
                if index > 0 {
                    out.put(form.separator());
                }
                put_field_name(out, name, form);
                put_json_nested(out, field, row, form.part(index));
            }
            out.push(form.row_closing());
        }
        Values::Map { offsets, keys, values } => {
            let (start, end) = offsets.place(row);
            out.push(b'{');
            for place in start..end {
                if place > start {
                    out.put(form.separator());
                }
                if !put_key(out, keys, place, form.part(0)) {
                    put_nested_key(out, keys, place, form.part(0));
                }
                out.push(form.assignment());
                put_json_nested(out, values, place, form.part(1));
            }
            out.push(b'}');
        }
        _ if put_trino_scalar(out, column, row, form) => {}
        Values::Time32 { .. }
        | Values::Time64 { .. }
        | Values::Timestamp { .. }
        | Values::ZonedTimestamp { .. }
        | Values::Duration { .. }
        | Values::Months(_)
        | Values::Binary(_) => {
            out.push(b'"');
            put_scalar(out, column, row, true);
            out.push(b'"');
        }
        _ => put_scalar(out, column, row, true),
    }
    true
}

/// Writes the name of a row's field, if the form has names.
pub(super) fn put_field_name(out: &mut Output, name: &str, form: Form<'_>) {
    if form.is_own() {
        put_json_text(out, name.as_bytes(), 0, name.len());
        out.push(b':');
    }
}

/// Writes a map's key as a quoted name: its text as in CSV (D50), or in Trino's form as in Java. Returns false, and
/// writes nothing, for an array, a row or a map, whose length is not bounded.
pub(super) fn put_key(out: &mut Output, keys: &ColumnValues, row: usize, form: Form<'_>) -> bool {
    match (&keys.values, form) {
        (Values::List { .. } | Values::Map { .. } | Values::Row { .. }, _) => return false,
        (_, Form::Java(_)) => put_java_scalar(out, keys, row, form),
        (Values::Text(_), _) => put_json_nested(out, keys, row, form),
        (_, Form::Own) => {
            out.push(b'"');
            put_scalar(out, keys, row, false);
            out.push(b'"');
        }
        // The text has quotes already.
        (_, Form::Trino(_)) if put_trino_scalar(out, keys, row, form) => {}
        (_, Form::Trino(_)) => {
            out.push(b'"');
            put_java_scalar(out, keys, row, form);
            out.push(b'"');
        }
    }
    true
}

/// Writes a key that is an array, a row or a map, and not long.
fn put_nested_key(out: &mut Output, keys: &ColumnValues, row: usize, form: Form<'_>) {
    if form.is_java() {
        return put_json_nested(out, keys, row, form);
    }
    let mut text = Output::new(0);
    put_json_nested(&mut text, keys, row, form.of_nested_key());
    put_json_text(out, text.filled(), 0, text.len());
}

/// Writes a value that is no array, row or map as Java's `toString` of it, without quotes and escapes.
fn put_java_scalar(out: &mut Output, column: &ColumnValues, row: usize, form: Form<'_>) {
    match &column.values {
        _ if column.is_null(row) => out.put(b"null"),
        Values::Text(text) => out.put(text.value(row)),
        Values::Float32(values) => put_java_f32(out, values[row]),
        Values::Float64(values) => put_java_f64(out, values[row]),
        _ if put_trino_scalar(out, column, row, form) => {}
        _ => put_scalar(out, column, row, false),
    }
}

#[inline]
fn put_scalar(out: &mut Output, column: &ColumnValues, row: usize, quote_not_finite: bool) {
    match &column.values {
        Values::Null => out.put(b"null"),
        Values::Boolean(values) => out.put(if values.value(row) { b"true" } else { b"false" }),
        Values::Int8(values) => put_i64(out, i64::from(values[row])),
        Values::Int16(values) => put_i64(out, i64::from(values[row])),
        Values::Int32(values) => put_i64(out, i64::from(values[row])),
        Values::Int64(values) => put_i64(out, values[row]),
        Values::UInt8(values) => put_u64(out, u64::from(values[row])),
        Values::UInt16(values) => put_u64(out, u64::from(values[row])),
        Values::UInt32(values) => put_u64(out, u64::from(values[row])),
        Values::UInt64(values) => put_u64(out, values[row]),
        Values::Float32(values) => put_f32(out, values[row], quote_not_finite),
        Values::Float64(values) => put_f64(out, values[row], quote_not_finite),
        Values::Decimal { values, scale } => put_decimal(out, values.get(row), *scale),
        Values::Date(values) => put_date(out, i64::from(values[row])),
        Values::Time32 { values, unit } => put_time(out, i64::from(values[row]), *unit),
        Values::Time64 { values, unit } => put_time(out, values[row], *unit),
        Values::Timestamp { values, unit, zone } => put_timestamp(out, values[row], *unit, zone.as_ref()),
        Values::ZonedTimestamp { values, unit, offsets } => {
            put_zoned_timestamp(out, values[row], *unit, offsets[row]);
        }
        Values::Duration { values, unit } => put_duration(out, values[row], *unit),
        Values::Months(values) => put_months(out, values[row]),
        Values::Binary(binary) => put_base64(out, binary.value(row)),
        // Text, lists, maps and rows are written differently in JSON and in CSV.
        Values::Text(_) | Values::List { .. } | Values::Map { .. } | Values::Row { .. } => {}
    }
}
