//! One filter prepared for a column: a NULL test, a set of key ranges, a set of text ranges or a pattern (D22, D23). It
//! decides whether a row matches, and whether a batch or an index can contain matching rows.

use std::cmp::Ordering;

use arrow_schema::{DataType, Field};
use rowhouse_filters::{ColumnClass, Filter, IsValue, LikePattern, Operand, Operator};
use rowhouse_model::Column;
use rowhouse_rows::arrow_file::column::value_type;

use super::cast::{Point, cast, float_bounds};
use super::key::KeyKind;
use super::text_kind::TextKind;
use crate::{Error, ErrorKind, Result};

/// A filter on a column of a view.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    /// The column's position in the file.
    pub(super) column: usize,
    pub(super) test: Test,
}

/// The condition on a value.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// NULL, or not NULL.
    IsNull(bool),
    /// Not this boolean, or NULL: `IS_NOT:true`.
    IsNotTruth(bool),
    /// Not NULL, with its 64-bit key in one of the ranges.
    Narrow(Vec<(i64, i64)>),
    /// The same, with 128-bit keys.
    Wide(Vec<(i128, i128)>),
    /// Not NULL, in one of the ranges by byte order.
    Text(Vec<TextRange>),
    /// Not NULL, matching the pattern.
    Like(Box<LikePattern>),
}

/// Text between two ends, each inclusive if given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextRange {
    pub(super) low: TextEnd,
    pub(super) high: TextEnd,
}

/// An end of a range of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TextEnd {
    Open,
    Included(Vec<u8>),
    Excluded(Vec<u8>),
}

impl Predicate {
    /// Casts the filter's value to the type of its column, which is at this position.
    ///
    /// # Errors
    /// `InvalidArguments`: the column's type does not support the operator; `InvalidCastArgument`.
    pub(super) fn new(filter: &Filter, position: usize, column: &Column, field: &Field) -> Result<Self> {
        let data_type = &*value_type(field);
        let kept_as_text = TextKind::of(column, data_type);
        filter.check(class_of(data_type, kept_as_text)).map_err(refused)?;
        let cast_for_column =
            |text: &str| cast(text, data_type).ok_or_else(|| cannot_cast(filter, text, column));
        let test = match (filter.operand(), KeyKind::of(data_type)) {
            (Operand::Is(IsValue::Null), _) => Test::IsNull(filter.operator() == Operator::Is),
            (Operand::Is(truth), _) => {
                let truth = *truth == IsValue::True;
                match filter.operator() {
                    Operator::Is => Test::Narrow(vec![(truth.into(), truth.into())]),
                    _ => Test::IsNotTruth(truth),
                }
            }
            (Operand::Pattern(pattern), _) => Test::Like(Box::new(pattern.clone())),
            (operand, KeyKind::Text) => {
                let operand =
                    kept_as_text.normalized(operand).map_err(|text| cannot_cast(filter, text, column))?;
                Test::Text(text_ranges(filter.operator(), &operand))
            }
            (operand, kind) => {
                let ranges = key_ranges(filter.operator(), operand, data_type, cast_for_column)?;
                if kind == KeyKind::Narrow { Test::Narrow(narrow(&ranges)) } else { Test::Wide(ranges) }
            }
        };
        Ok(Self { column: position, test })
    }
}

impl Test {
    /// Whether a non-NULL value with this key passes. Text is tested by value.
    #[inline(always)]
    pub(super) fn has_narrow(ranges: &[(i64, i64)], key: i64) -> bool {
        in_ranges(ranges, key)
    }

    /// As [`Test::has_narrow`], with 128-bit keys.
    #[inline(always)]
    pub(super) fn has_wide(ranges: &[(i128, i128)], key: i128) -> bool {
        in_ranges(ranges, key)
    }

    /// Whether a text is in one of the ranges.
    #[inline]
    pub(super) fn has_text(ranges: &[TextRange], text: &[u8]) -> bool {
        match ranges {
            [range] => range.contains(text),
            // They are disjoint and ascending.
            _ => {
                let after = ranges.partition_point(|range| range.compare_low(text) != Ordering::Greater);
                after > 0 && ranges[after - 1].contains(text)
            }
        }
    }
}

impl TextRange {
    fn point(text: &str) -> Self {
        let bytes = text.as_bytes().to_vec();
        Self { low: TextEnd::Included(bytes.clone()), high: TextEnd::Included(bytes) }
    }

    /// Whether the range contains a text.
    #[inline]
    pub(super) fn contains(&self, text: &[u8]) -> bool {
        self.compare_low(text) != Ordering::Greater
            && match &self.high {
                TextEnd::Open => true,
                TextEnd::Included(high) => text <= high.as_slice(),
                TextEnd::Excluded(high) => text < high.as_slice(),
            }
    }

    /// `Greater` if the text is below the range.
    fn compare_low(&self, text: &[u8]) -> Ordering {
        match &self.low {
            TextEnd::Open => Ordering::Less,
            TextEnd::Included(low) => low.as_slice().cmp(text),
            TextEnd::Excluded(low) => low.as_slice().cmp(text).then(Ordering::Greater),
        }
    }
}

/// The part of a pattern before its first wildcard.
pub(super) fn literal_prefix(pattern: &LikePattern) -> String {
    let mut prefix = String::new();
    let mut characters = pattern.as_str().chars();
    while let Some(character) = characters.next() {
        match character {
            '%' | '_' => break,
            '\\' => prefix.extend(characters.next()),
            _ => prefix.push(character),
        }
    }
    prefix
}

#[inline(always)]
fn in_ranges<K: Copy + Ord>(ranges: &[(K, K)], key: K) -> bool {
    match ranges {
        [(low, high)] => *low <= key && key <= *high,
        [first, second] => (first.0 <= key && key <= first.1) || (second.0 <= key && key <= second.1),
        _ => {
            let after = ranges.partition_point(|(low, _)| *low <= key);
            after > 0 && key <= ranges[after - 1].1
        }
    }
}

fn class_of(data_type: &DataType, kept_as_text: TextKind) -> ColumnClass {
    match (data_type, KeyKind::of(data_type)) {
        (DataType::Boolean, _) => ColumnClass::Boolean,
        (_, KeyKind::Narrow | KeyKind::Wide) => ColumnClass::Ordered,
        (_, KeyKind::Text) => kept_as_text.class(),
        (_, KeyKind::Opaque) => ColumnClass::Opaque,
    }
}

/// The disjoint ascending ranges of keys that satisfy an operator.
fn key_ranges(
    operator: Operator,
    operand: &Operand,
    data_type: &DataType,
    cast: impl Fn(&str) -> Result<Point>,
) -> Result<Vec<(i128, i128)>> {
    // NaN's key is above every ordered one: "not equal" includes it, "greater" does not.
    let (min, max) = match data_type {
        DataType::Float32 | DataType::Float64 => float_bounds(),
        _ => (i128::MIN, i128::MAX),
    };
    // The greatest key that is at most the point, and the greatest one below it.
    let up_to = |point: Point| match point {
        Point::At(key) | Point::After(key) => Some(key),
        Point::Nan => None,
    };
    let below = |point: Point| match point {
        Point::At(key) => key.checked_sub(1),
        Point::After(key) => Some(key),
        Point::Nan => None,
    };
    let mut ranges = Vec::new();
    match operand {
        Operand::Text(text) => {
            let point = cast(text)?;
            match operator {
                Operator::Eq => ranges.extend(exactly(point)),
                Operator::Neq => match exactly(point) {
                    Some((key, _)) => {
                        ranges.extend([(i128::MIN, key.saturating_sub(1)), (key + 1, i128::MAX)])
                    }
                    None => ranges.push((i128::MIN, i128::MAX)),
                },
                Operator::Lt => ranges.extend(below(point).map(|high| (min, high))),
                Operator::Lte => ranges.extend(up_to(point).map(|high| (min, high))),
                Operator::Gt => ranges.extend(up_to(point).map(|low| (low + 1, max))),
                _ => ranges.extend(below(point).map(|low| (low + 1, max))),
            }
        }
        Operand::Range { low, high } => {
            let (low, high) = (cast(low)?, cast(high)?);
            ranges.extend(below(low).zip(up_to(high)).map(|(below, high)| (below + 1, high)));
        }
        Operand::List(texts) => {
            for text in texts {
                ranges.extend(exactly(cast(text)?));
            }
        }
        Operand::Pattern(_) | Operand::Is(_) => {}
    }
    ranges.retain(|(low, high)| low <= high);
    ranges.sort_unstable();
    ranges.dedup();
    Ok(ranges)
}

fn exactly(point: Point) -> Option<(i128, i128)> {
    match point {
        Point::At(key) => Some((key, key)),
        Point::After(_) | Point::Nan => None,
    }
}

/// The ranges clamped to 64 bits; keys of such columns are inside.
fn narrow(ranges: &[(i128, i128)]) -> Vec<(i64, i64)> {
    const MIN: i128 = i64::MIN as i128;
    const MAX: i128 = i64::MAX as i128;
    let inside = ranges.iter().filter(|(low, high)| *low <= MAX && *high >= MIN);
    inside.map(|(low, high)| ((*low).max(MIN) as i64, (*high).min(MAX) as i64)).collect()
}

fn text_ranges(operator: Operator, operand: &Operand) -> Vec<TextRange> {
    use TextEnd::{Excluded, Included, Open};
    match operand {
        Operand::Text(text) => {
            let bytes = || text.as_bytes().to_vec();
            match operator {
                Operator::Eq => vec![TextRange::point(text)],
                Operator::Neq => vec![
                    TextRange { low: Open, high: Excluded(bytes()) },
                    TextRange { low: Excluded(bytes()), high: Open },
                ],
                Operator::Lt => vec![TextRange { low: Open, high: Excluded(bytes()) }],
                Operator::Lte => vec![TextRange { low: Open, high: Included(bytes()) }],
                Operator::Gt => vec![TextRange { low: Excluded(bytes()), high: Open }],
                _ => vec![TextRange { low: Included(bytes()), high: Open }],
            }
        }
        Operand::Range { low, high } if low <= high => {
            vec![TextRange {
                low: Included(low.clone().into_bytes()),
                high: Included(high.clone().into_bytes()),
            }]
        }
        Operand::List(texts) => {
            let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            texts.sort_unstable();
            texts.dedup();
            texts.into_iter().map(TextRange::point).collect()
        }
        Operand::Range { .. } | Operand::Pattern(_) | Operand::Is(_) => Vec::new(),
    }
}

pub(super) fn refused(error: rowhouse_filters::Error) -> Error {
    let kind = match error.kind() {
        rowhouse_filters::ErrorKind::UnknownColumn => ErrorKind::ColumnNotFound,
        _ => ErrorKind::InvalidArguments,
    };
    Error::new(kind, error.to_string())
}

/// Maximum number of characters of an invalid value that a message repeats.
const QUOTED_VALUE_CHARACTERS: usize = 80;

fn cannot_cast(filter: &Filter, text: &str, column: &Column) -> Error {
    let mut shown: String = text.chars().take(QUOTED_VALUE_CHARACTERS).flat_map(char::escape_debug).collect();
    if text.chars().nth(QUOTED_VALUE_CHARACTERS).is_some() {
        shown.push('…');
    }
    let expected = match column.type_signature.raw_type.as_str() {
        "boolean" => "`true` or `false`",
        "tinyint" | "smallint" | "integer" | "bigint" => "an integer in the type's range",
        "decimal" => "digits with at most one `.`, as many before it as the type has",
        "real" | "double" => "a number, `NaN`, `Infinity` or `-Infinity`",
        "date" => "`YYYY-MM-DD`",
        "time" => "`HH:MM:SS.ffffff`",
        "timestamp" => "`YYYY-MM-DDTHH:MM:SS.fff` without a zone",
        "timestamp with time zone" => {
            "`YYYY-MM-DDTHH:MM:SS.fffZ` or an offset like `+02:00` (`%2B` in a URL)"
        }
        "interval day to second" => "`D HH:MM:SS.fff`",
        "interval year to month" => "`Y-M`",
        "uuid" => "32 hexadecimal digits as `8-4-4-4-12`",
        "char" => "at most as many characters as the type has",
        _ => "a value of the type",
    };
    Error::new(
        ErrorKind::InvalidCastArgument,
        format!(
            "filter on column `{}` ({}): cannot cast `{shown}` to {}, expected {expected}",
            filter.column(),
            filter.operator(),
            column.type_name
        ),
    )
}
