//! Packs several texts into one binary value. Polars' hash tables use a single text directly, and compare short ones
//! without following pointers; several columns are encoded as rows of bytes first, which took a fifth of TPC-H's query
//! 1.

use polars::prelude::{
    BinaryChunked, Column, DataType, Expr, IntoColumn, IntoSeries, PolarsResult, StringChunked,
};
use polars_arrow::array::{Array, BinaryViewArrayGeneric, MutableBinaryViewArray, Utf8ViewArray, View};
use polars_arrow::bitmap::Bitmap;
use polars_arrow::datatypes::ArrowDataType;

use super::numeric::kernel;

/// A text of fewer bytes than this is preceded by its length in one byte.
const SHORT_BYTES: usize = 0xFE;
/// Precedes the length of a longer text, in 32 bits.
const LONG: u8 = 0xFE;
/// Represents NULL.
const NULL: u8 = 0xFF;

/// A value for each combination of texts and NULLs; different combinations have different values. There must be at
/// least one text.
pub(super) fn packed_texts(texts: &[Expr]) -> Option<Expr> {
    let (first, others) = texts.split_first()?;
    Some(kernel(first.clone(), others, DataType::Binary, |columns| packed(columns)))
}

/// The text at an index of the combinations.
pub(super) fn unpacked_text(packed: Expr, place: usize) -> Expr {
    kernel(packed, &[], DataType::String, move |columns| unpacked(&columns[0], place))
}

fn packed(columns: &[Column]) -> PolarsResult<Column> {
    let height = columns.iter().map(Column::len).max().unwrap_or(0);
    let arrays = columns
        .iter()
        .map(|column| Ok(column.as_materialized_series().str()?.rechunk().downcast_as_array().clone()))
        .collect::<PolarsResult<Vec<Utf8ViewArray>>>()?;
    let values = match packed_in_views(&arrays, height) {
        Some(views) => {
            let no_buffers = Default::default();
            BinaryViewArrayGeneric::try_new(ArrowDataType::BinaryView, views.into(), no_buffers, None)?
        }
        None => packed_in_buffers(&arrays, height),
    };
    Ok(BinaryChunked::with_chunk(columns[0].name().clone(), values).into_series().into_column())
}

/// The packed values of all rows, if they and the texts are so short that their views contain them.
fn packed_in_views(arrays: &[Utf8ViewArray], height: usize) -> Option<Vec<View>> {
    let texts: Vec<ShortTexts<'_>> = arrays.iter().map(ShortTexts::of).collect();
    let mut views = Vec::with_capacity(height);
    for row in 0..height {
        let (mut bytes, mut length) = (0_u128, 0_u32);
        for texts in &texts {
            let (marker, text, text_length) = match texts.get(row) {
                Some(view) => (view & LENGTH_BITS, view >> LENGTH_BITS.count_ones(), length_of(view)),
                None => (u128::from(NULL), 0, 0),
            };
            if length.saturating_add(text_length) >= View::MAX_INLINE_SIZE {
                return None;
            }
            bytes |= (marker | text << 8) << (8 * length);
            length += 1 + text_length;
        }
        views.push(View::from(bytes << LENGTH_BITS.count_ones() | u128::from(length)));
    }
    Some(views)
}

/// The bits of a view with the length of its text. In a view of a short text the other bits are its bytes, padded with
/// 0.
const LENGTH_BITS: u128 = u32::MAX as u128;

fn length_of(view: u128) -> u32 {
    u32::try_from(view & LENGTH_BITS).unwrap_or(u32::MAX)
}

/// The views of texts.
struct ShortTexts<'a> {
    views: &'a [View],
    validity: Option<&'a Bitmap>,
}

impl<'a> ShortTexts<'a> {
    fn of(array: &'a Utf8ViewArray) -> Self {
        Self { views: array.views(), validity: array.validity() }
    }

    /// The view of a row; `None` for NULL. A column of length one has its value in every row.
    fn get(&self, row: usize) -> Option<u128> {
        let row = if self.views.len() == 1 { 0 } else { row };
        let is_valid = self.validity.is_none_or(|validity| validity.get_bit(row));
        is_valid.then(|| self.views[row].as_u128())
    }
}

fn packed_in_buffers(arrays: &[Utf8ViewArray], height: usize) -> BinaryViewArrayGeneric<[u8]> {
    let mut values = MutableBinaryViewArray::<[u8]>::with_capacity(height);
    let mut bytes = Vec::new();
    for row in 0..height {
        bytes.clear();
        arrays.iter().for_each(|array| pack(text_of(array, row), &mut bytes));
        values.push_value(&bytes);
    }
    values.into()
}

/// The text of a row. A column of length one has its value in every row.
fn text_of(array: &Utf8ViewArray, row: usize) -> Option<&str> {
    let row = if array.len() == 1 { 0 } else { row };
    array.is_valid(row).then(|| array.value(row))
}

fn pack(text: Option<&str>, bytes: &mut Vec<u8>) {
    let Some(text) = text else { return bytes.push(NULL) };
    match u8::try_from(text.len()) {
        Ok(length) if text.len() < SHORT_BYTES => bytes.push(length),
        _ => {
            bytes.push(LONG);
            // OK because no text in Polars has 4 GiB.
            bytes.extend_from_slice(&u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
        }
    }
    bytes.extend_from_slice(text.as_bytes());
}

/// Removes and returns the first text.
fn unpack<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (marker, rest) = bytes.split_first()?;
    let (length, rest) = match *marker {
        NULL => {
            *bytes = rest;
            return None;
        }
        LONG => {
            let (length, rest) = rest.split_first_chunk::<4>()?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        length => (usize::from(length), rest),
    };
    let (text, rest) = rest.split_at_checked(length)?;
    *bytes = rest;
    Some(text)
}

fn unpacked(packed: &Column, place: usize) -> PolarsResult<Column> {
    let values = packed.as_materialized_series().binary()?;
    let texts = values.iter().map(|value| {
        let mut bytes = value?;
        for _ in 0..place {
            unpack(&mut bytes);
        }
        std::str::from_utf8(unpack(&mut bytes)?).ok()
    });
    let texts: StringChunked = texts.collect();
    Ok(texts.with_name(packed.name().clone()).into_series().into_column())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn packed_texts_are_distinct_and_round_trip() {
        let long = "x".repeat(300);
        let longer = "x".repeat(253);
        let texts: Vec<Option<&str>> = vec![
            None,
            Some(""),
            Some("a"),
            Some("ä\0"),
            Some("0123456789"),
            Some("01234567890"),
            Some("0123456789ab"),
            Some("0123456789abc"),
            Some(&long),
            Some(&longer),
            Some("\u{1}a"),
        ];
        let combinations: Vec<[Option<&str>; 3]> = texts
            .iter()
            .flat_map(|a| texts.iter().flat_map(|b| texts.iter().map(|c| [*a, *b, *c])))
            .collect();
        let column = |place: usize| {
            let texts: StringChunked = combinations.iter().map(|texts| texts[place]).collect();
            texts.into_series().into_column()
        };
        let all = packed(&[column(0), column(1), column(2)]).expect("values");
        let values: HashSet<Vec<u8>> =
            all.binary().expect("bytes").iter().map(|value| value.expect("never NULL").to_vec()).collect();
        assert_eq!(values.len(), texts.len().pow(3));
        for place in 0..3 {
            let found = unpacked(&all, place).expect("texts");
            let expected = combinations.iter().map(|texts| texts[place]);
            assert!(found.str().expect("texts").iter().eq(expected), "{place}");
        }
    }

    #[test]
    fn inlined_views_equal_packed_bytes() {
        let texts = [None, Some(""), Some("abc"), Some("0123456789"), Some("01234567890"), Some("ö")];
        for first in texts {
            for second in texts {
                let arrays = [first, second].map(|text| Utf8ViewArray::from_slice([text]));
                let mut bytes = Vec::new();
                [first, second].into_iter().for_each(|text| pack(text, &mut bytes));
                let view = packed_in_views(&arrays, 1).map(|views| views[0]);
                assert_eq!(view.is_some(), bytes.len() <= 12, "{first:?} {second:?}");
                if let Some(view) = view {
                    assert_eq!(view.get_inlined_slice(), Some(&bytes[..]));
                }
            }
        }
    }
}
