//! The hot loop of the row encoder: writes values of the common kinds, and the texts before them, one after the other
//! into free space of a buffer. The position is passed along, so it stays in a register. A value of another kind, a
//! long one, one that needs an escape, or one without room is left to the general encoder (`put_json`).

use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::TimeUnit;

use super::number::{decimal_into, i64_into};
use super::output::Output;
use super::temporal::{DATE_BYTES, near_date, timestamp_into};
use super::text::json_text_into;
use super::trino_values::Form;
use super::value::LONG_VALUE_BYTES;
use crate::arrow_file::column::{ColumnValues, Offsets, Values};
use crate::arrow_file::zone::Zone;

/// Width by which a text before a value is copied: the names of most columns fit.
pub(super) const LEAD_BYTES: usize = 32;

/// Text before a value, padded so that it is copied with a fixed width.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead<'l> {
    pub(super) blocks: &'l [[u8; LEAD_BYTES]],
    pub(super) length: usize,
}

/// A column of a batch, with the text before its values.
#[derive(Debug)]
pub(super) struct FlatColumn<'b> {
    pub(super) lead: Lead<'b>,
    pub(super) column: &'b ColumnValues,
    nulls: Option<&'b NullBuffer>,
    values: FlatValues<'b>,
}

#[derive(Debug)]
enum FlatValues<'b> {
    Boolean(&'b BooleanBuffer),
    Int32(&'b [i32]),
    Int64(&'b [i64]),
    Decimal {
        values: &'b [[u8; 16]],
        scale: u8,
    },
    /// A decimal in double quotes.
    QuotedDecimal {
        values: &'b [[u8; 16]],
        scale: u8,
    },
    Date(&'b [i32]),
    /// A timestamp without a zone, or in UTC.
    Timestamp {
        values: &'b [i64],
        unit: TimeUnit,
        is_utc: bool,
    },
    Text {
        offsets: &'b [i32],
        bytes: &'b [u8],
        is_plain: bool,
    },
    LargeText {
        offsets: &'b [i64],
        bytes: &'b [u8],
        is_plain: bool,
    },
    Other,
}

impl Lead<'_> {
    /// Writes the text at `at`, if there is room; returns its end.
    #[inline(always)]
    fn write(self, room: &mut [u8], at: usize) -> Option<usize> {
        let (targets, _) = room.get_mut(at..at + self.blocks.len() * LEAD_BYTES)?.as_chunks_mut();
        for (target, block) in targets.iter_mut().zip(self.blocks) {
            *target = *block;
        }
        Some(at + self.length)
    }

    /// Appends the text.
    #[inline(always)]
    pub(super) fn put(self, out: &mut Output) {
        let (targets, _) = out.room(self.blocks.len() * LEAD_BYTES).as_chunks_mut();
        for (target, block) in targets.iter_mut().zip(self.blocks) {
            *target = *block;
        }
        out.advance(self.length);
    }
}

impl<'b> FlatColumn<'b> {
    pub(super) fn new(lead: Lead<'b>, column: &'b ColumnValues, form: Form<'_>) -> Self {
        let values = match &column.values {
            Values::Decimal { values, scale } if !form.is_own() => {
                FlatValues::QuotedDecimal { values: values.values(), scale: *scale }
            }
            Values::Timestamp { .. } if !form.is_own() => FlatValues::Other,
            Values::Int32(_) if !form.has_integers() => FlatValues::Other,
            Values::Boolean(values) => FlatValues::Boolean(values),
            Values::Int32(values) => FlatValues::Int32(values),
            Values::Int64(values) => FlatValues::Int64(values),
            Values::Decimal { values, scale } => {
                FlatValues::Decimal { values: values.values(), scale: *scale }
            }
            Values::Date(values) => FlatValues::Date(values),
            Values::Timestamp { values, unit, zone: zone @ (None | Some(Zone::Utc)) } => {
                FlatValues::Timestamp { values, unit: *unit, is_utc: zone.is_some() }
            }
            Values::Text(text) => {
                let (bytes, is_plain) = (&*text.bytes, text.is_plain);
                match &text.offsets {
                    Offsets::Small(offsets) => FlatValues::Text { offsets, bytes, is_plain },
                    Offsets::Large(offsets) => FlatValues::LargeText { offsets, bytes, is_plain },
                    Offsets::Fixed { .. } => FlatValues::Other,
                }
            }
            _ => FlatValues::Other,
        };
        Self { lead, column, nulls: column.nulls(), values }
    }

    /// Writes the value of a row at `at`; returns its end.
    #[inline(always)]
    fn write(&self, room: &mut [u8], at: usize, row: usize) -> Option<usize> {
        let room = room.get_mut(at..)?;
        if self.nulls.is_some_and(|nulls| nulls.is_null(row)) {
            *room.first_chunk_mut()? = *b"null";
            return Some(at + 4);
        }
        let length = match self.values {
            FlatValues::Int64(values) => i64_into(room.first_chunk_mut()?, values[row]),
            FlatValues::LargeText { offsets, bytes, is_plain } => {
                text_into(room, bytes, offsets[row] as usize, offsets[row + 1] as usize, is_plain)?
            }
            FlatValues::Decimal { values, scale } => {
                decimal_into(room.first_chunk_mut()?, i128::from_le_bytes(values[row]), scale)?
            }
            FlatValues::QuotedDecimal { values, scale } => {
                let ([quote], rest) = room.split_first_chunk_mut()?;
                *quote = b'"';
                let length = decimal_into(rest.first_chunk_mut()?, i128::from_le_bytes(values[row]), scale)?;
                *rest.get_mut(length)? = b'"';
                length + 2
            }
            FlatValues::Date(values) => {
                const QUOTES: u128 = b'"' as u128 | (b'"' as u128) << (8 * (DATE_BYTES + 1));
                let quoted = near_date(values[row])? << 8 | QUOTES;
                *room.first_chunk_mut()? = quoted.to_le_bytes();
                DATE_BYTES + 2
            }
            FlatValues::Int32(values) => i64_into(room.first_chunk_mut()?, values[row].into()),
            FlatValues::Timestamp { values, unit, is_utc } => {
                let ([first], rest) = room.split_first_chunk_mut()?;
                *first = b'"';
                let end = timestamp_into(rest.first_chunk_mut()?, values[row], unit)?;
                let ending = if is_utc { *b"Z\"" } else { *b"\" " };
                rest.get_mut(end..end + 2)?.copy_from_slice(&ending);
                1 + end + 1 + usize::from(is_utc)
            }
            FlatValues::Boolean(values) => {
                let is_true = values.value(row);
                *room.first_chunk_mut()? = if is_true { *b"true " } else { *b"false" };
                5 - usize::from(is_true)
            }
            FlatValues::Text { offsets, bytes, is_plain } => {
                text_into(room, bytes, offsets[row] as usize, offsets[row + 1] as usize, is_plain)?
            }
            FlatValues::Other => return None,
        };
        Some(at + length)
    }

    /// Reads a byte of each value, so that the processor fetches all of them.
    pub(super) fn touch(&self, rows: &[u32]) -> u8 {
        fn all<T>(rows: &[u32], values: &[T], byte: impl Fn(&T) -> u8) -> u8 {
            rows.iter().fold(0, |seen, row| seen ^ byte(&values[*row as usize]))
        }
        match self.values {
            FlatValues::Int64(values) => all(rows, values, |value| *value as u8),
            FlatValues::Int32(values) | FlatValues::Date(values) => all(rows, values, |value| *value as u8),
            FlatValues::Decimal { values, .. } | FlatValues::QuotedDecimal { values, .. } => {
                all(rows, values, |[low, ..]| *low)
            }
            FlatValues::LargeText { offsets, bytes, .. } => rows.iter().fold(0, |seen, row| {
                let row = *row as usize;
                // A text of usual length spans at most two cache lines.
                match bytes.get(offsets[row] as usize..offsets[row + 1] as usize) {
                    Some([first, .., last]) => seen ^ first ^ last,
                    _ => seen,
                }
            }),
            _ => rows.iter().fold(0, |seen, row| seen ^ self.column.first_byte(*row as usize)),
        }
    }
}

/// Writes values of a row, each after its lead; returns the number of columns and of bytes. It ends before the first
/// value that the general encoder must write.
#[inline(always)]
pub(super) fn write_values(room: &mut [u8], columns: &[FlatColumn<'_>], row: usize) -> (usize, usize) {
    let mut at = 0;
    for (written, column) in columns.iter().enumerate() {
        let end = column.lead.write(room, at).and_then(|begin| column.write(room, begin, row));
        match end {
            Some(end) => at = end,
            None => return (written, at),
        }
    }
    (columns.len(), at)
}

#[inline(always)]
fn text_into(room: &mut [u8], bytes: &[u8], start: usize, end: usize, is_plain: bool) -> Option<usize> {
    if end - start > LONG_VALUE_BYTES {
        return None;
    }
    json_text_into(room, bytes, start, end, is_plain)
}
