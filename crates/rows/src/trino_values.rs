//! Values in the form of Trino's client protocol, where it differs from the interface's own form (D18): decimals are
//! texts, timestamps have a space and the digits of their type, zoned ones the name of their zone, rows are arrays.

use rowhouse_model::{TypeArgument, TypeSignature};

use super::number::put_decimal;
use super::output::Output;
use super::temporal::{put_months, put_trino_time, put_trino_timestamp, put_trino_zone};
use crate::arrow_file::column::{ColumnValues, Values};

/// Fractional digits of a type without a precision.
const DEFAULT_DIGITS: u8 = 3;

/// The form of a type's values: the digits of its seconds, and the forms of nested types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrinoValue {
    digits: u8,
    /// Whether a number is months: `interval year to month` of the embedded engine.
    is_months: bool,
    parts: Vec<TrinoValue>,
}

/// The form of a column's values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'f> {
    /// The interface's form (D18).
    Own,
    /// The form of Trino's client protocol.
    Trino(&'f TrinoValue),
    /// `toString` of that protocol's objects in Java: keys of maps that are arrays, rows or maps.
    Java(&'f TrinoValue),
}

static SCALAR: TrinoValue = TrinoValue { digits: DEFAULT_DIGITS, is_months: false, parts: Vec::new() };

impl TrinoValue {
    /// The form of a column's type.
    pub fn of(signature: &TypeSignature) -> Self {
        let mut digits = None;
        let mut parts = Vec::new();
        for argument in &signature.arguments {
            match argument {
                TypeArgument::Long(number) => {
                    digits = digits.or_else(|| u8::try_from(*number).ok());
                }
                TypeArgument::Type(part) => parts.push(Self::of(part)),
                TypeArgument::NamedType(field) => parts.push(Self::of(&field.type_signature)),
            }
        }
        let is_months = signature.raw_type == "interval year to month";
        Self { digits: digits.unwrap_or(DEFAULT_DIGITS), is_months, parts }
    }
}

impl<'f> Form<'f> {
    /// The form of a column, if there are forms.
    #[inline(always)]
    pub(super) fn of(forms: Option<&'f [TrinoValue]>, column: usize) -> Self {
        match forms {
            None => Self::Own,
            Some(forms) => Self::Trino(forms.get(column).unwrap_or(&SCALAR)),
        }
    }

    #[inline(always)]
    pub(super) const fn is_own(self) -> bool {
        matches!(self, Self::Own)
    }

    /// Whether integers have no special form.
    #[inline(always)]
    pub(super) const fn has_integers(self) -> bool {
        !matches!(
            self,
            Self::Trino(TrinoValue { is_months: true, .. }) | Self::Java(TrinoValue { is_months: true, .. })
        )
    }

    /// The form of nested values: an array's elements, a map's keys and values, a row's fields.
    pub(super) fn part(self, index: usize) -> Self {
        match self {
            Self::Own => Self::Own,
            Self::Trino(value) => Self::Trino(value.parts.get(index).unwrap_or(&SCALAR)),
            Self::Java(value) => Self::Java(value.parts.get(index).unwrap_or(&SCALAR)),
        }
    }

    /// The form of a key that is an array, a row or a map, before it is quoted.
    pub(super) const fn of_nested_key(self) -> Self {
        match self {
            Self::Own => Self::Own,
            Self::Trino(value) | Self::Java(value) => Self::Java(value),
        }
    }

    #[inline(always)]
    pub(super) const fn is_java(self) -> bool {
        matches!(self, Self::Java(_))
    }

    /// Between elements, fields and entries.
    pub(super) const fn separator(self) -> &'static [u8] {
        if self.is_java() { b", " } else { b"," }
    }

    /// Between a key and its value.
    pub(super) const fn assignment(self) -> u8 {
        if self.is_java() { b'=' } else { b':' }
    }

    pub(super) const fn row_opening(self) -> u8 {
        if self.is_own() { b'{' } else { b'[' }
    }

    pub(super) const fn row_closing(self) -> u8 {
        if self.is_own() { b'}' } else { b']' }
    }
}

/// Writes a value whose form differs in Trino; false, and nothing written, for any other.
pub(super) fn put_trino_scalar(out: &mut Output, column: &ColumnValues, row: usize, form: Form<'_>) -> bool {
    let (Form::Trino(TrinoValue { digits, is_months, .. })
    | Form::Java(TrinoValue { digits, is_months, .. })) = form
    else {
        return false;
    };
    // Nothing in it needs an escape.
    let quoted = |out: &mut Output, put: &dyn Fn(&mut Output)| {
        if form.is_java() {
            put(out);
        } else {
            out.push(b'"');
            put(out);
            out.push(b'"');
        }
        true
    };
    match &column.values {
        Values::Decimal { values, scale } => quoted(out, &|out| put_decimal(out, values.get(row), *scale)),
        Values::Int32(values) if *is_months => quoted(out, &|out| put_months(out, values[row])),
        Values::Time32 { values, unit } => {
            quoted(out, &|out| put_trino_time(out, i64::from(values[row]), *unit, *digits))
        }
        Values::Time64 { values, unit } => {
            quoted(out, &|out| put_trino_time(out, values[row], *unit, *digits))
        }
        Values::Timestamp { values, unit, zone: None } => {
            quoted(out, &|out| put_trino_timestamp(out, values[row], *unit, 0, *digits))
        }
        Values::Timestamp { values, unit, zone: Some(zone) } => quoted(out, &|out| {
            let seconds = values[row].div_euclid(super::temporal::per_second(*unit));
            let offset = zone.offset_seconds(seconds);
            put_trino_timestamp(out, values[row], *unit, offset, *digits);
            out.push(b' ');
            match zone.name() {
                Some(name) => out.put(name.as_bytes()),
                None => put_trino_zone(out, offset.div_euclid(60)),
            }
        }),
        Values::ZonedTimestamp { values, unit, offsets } => quoted(out, &|out| {
            let minutes = i32::from(offsets[row]);
            put_trino_timestamp(out, values[row], *unit, minutes * 60, *digits);
            out.push(b' ');
            put_trino_zone(out, minutes);
        }),
        Values::Null
        | Values::Boolean(_)
        | Values::Int8(_)
        | Values::Int16(_)
        | Values::Int32(_)
        | Values::Int64(_)
        | Values::UInt8(_)
        | Values::UInt16(_)
        | Values::UInt32(_)
        | Values::UInt64(_)
        | Values::Float32(_)
        | Values::Float64(_)
        | Values::Date(_)
        | Values::Duration { .. }
        | Values::Months(_)
        | Values::Text(_)
        | Values::Binary(_)
        | Values::List { .. }
        | Values::Map { .. }
        | Values::Row { .. } => false,
    }
}
