//! `format`: Java's `Formatter` with the locale of the United States. Its errors are errors of invalid arguments.

use polars::prelude::{PolarsError, PolarsResult};
use rowhouse_model::ErrorCode;

use super::{RowFunction, invalid};
use crate::conversion::to_text;
use crate::datum::{Datum, Nulls};
use crate::failure::raise;
use rowhouse_sql::types::Type;

mod decimal_digits;
mod moment;
mod number;

/// Maximum number of characters to which a value is padded.
const MAX_WIDTH: usize = 1 << 20;

pub(super) fn function(types: &[Type]) -> (Nulls, RowFunction) {
    let types: Vec<Type> = types.iter().skip(1).cloned().collect();
    let apply: RowFunction = Box::new(move |row| {
        let [pattern, values @ ..] = row else { return Ok(Datum::Null) };
        if pattern.is_null() {
            return Ok(Datum::Null);
        }
        formatted(pattern.text(), values, &types).map(Datum::from_text)
    });
    (Nulls::Seen, apply)
}

/// A directive `%[index$][flags][width][.precision]conversion`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Directive {
    place: Place,
    /// Characters of `-#+ 0,(`.
    flags: Vec<char>,
    width: Option<usize>,
    precision: Option<usize>,
    /// Whether the conversion's letter is in upper case.
    is_upper: bool,
    /// `t` and the letter after it, or one lower-case letter.
    conversion: Conversion,
}

/// The argument of a directive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Next,
    Previous,
    At(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conversion {
    Of(char),
    /// A part of a date or time.
    Time(char),
}

impl Default for Conversion {
    fn default() -> Self {
        Self::Of('%')
    }
}

fn fault(pattern: &str, what: &str) -> PolarsError {
    invalid(format!("Invalid format string: {pattern} ({what})"))
}

fn formatted(pattern: &str, values: &[Datum<'_>], types: &[Type]) -> PolarsResult<String> {
    let mut text = String::new();
    let mut rest = pattern;
    let (mut next, mut previous) = (0, None);
    while let Some(at) = rest.find('%') {
        text.push_str(&rest[..at]);
        let (directive, length) = parse(&rest[at + 1..]).map_err(|what| fault(pattern, &what))?;
        rest = &rest[at + 1 + length..];
        let written = match directive.conversion {
            Conversion::Of('n')
                if directive == (Directive { conversion: Conversion::Of('n'), ..Directive::default() }) =>
            {
                "\n".to_owned()
            }
            Conversion::Of('n') => return Err(fault(pattern, "IllegalFormatFlags")),
            Conversion::Of('%') => {
                directive.allows("-").map_err(|what| fault(pattern, &what))?;
                if directive.precision.is_some() {
                    return Err(fault(pattern, "IllegalFormatPrecision"));
                }
                directive.justified("%")
            }
            _ => {
                let index = match directive.place {
                    Place::At(index) => Some(index),
                    Place::Previous => previous,
                    Place::Next => {
                        next += 1;
                        Some(next - 1)
                    }
                };
                let value = index.and_then(|index| values.get(index).zip(types.get(index)));
                let (value, data_type) = value.ok_or_else(|| fault(pattern, "MissingFormatArgument"))?;
                previous = index;
                directive.write(value, data_type).map_err(|error| match error {
                    Refusal::Invalid(what) => fault(pattern, &what),
                    Refusal::NotSupported(what) => raise(ErrorCode::NotSupported, what),
                })?
            }
        };
        text.push_str(&written);
    }
    text.push_str(rest);
    Ok(text)
}

/// Why a value is not formatted.
#[derive(Debug)]
enum Refusal {
    /// The message begins with the name of Java's exception.
    Invalid(String),
    /// Java supports it, this engine does not.
    NotSupported(&'static str),
}

impl From<String> for Refusal {
    fn from(what: String) -> Self {
        Self::Invalid(what)
    }
}

/// Parses the directive after a `%` and returns its length.
fn parse(text: &str) -> Result<(Directive, usize), String> {
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    let digits_from =
        |start: usize| characters[start..].iter().take_while(|digit| digit.is_ascii_digit()).count();
    let number = |range: std::ops::Range<usize>| -> Result<usize, String> {
        let digits: String = characters[range].iter().collect();
        let number = digits.parse().ok().filter(|number| *number <= MAX_WIDTH);
        number.ok_or_else(|| "IllegalFormatWidth".to_owned())
    };
    let mut directive = Directive::default();
    let digits = digits_from(0);
    if digits > 0 && characters.get(digits) == Some(&'$') {
        let index = number(0..digits)?;
        directive.place = Place::At(index.checked_sub(1).ok_or("IllegalFormatArgumentIndex")?);
        at = digits + 1;
    }
    while let Some(flag) = characters.get(at).filter(|flag| "-#+ 0,(<".contains(**flag)) {
        if directive.flags.contains(flag) {
            return Err("DuplicateFormatFlags".to_owned());
        }
        if *flag == '<' {
            directive.place = Place::Previous;
        } else {
            directive.flags.push(*flag);
        }
        at += 1;
    }
    let digits = digits_from(at);
    if digits > 0 {
        directive.width = Some(number(at..at + digits)?);
        at += digits;
    }
    if characters.get(at) == Some(&'.') {
        let digits = digits_from(at + 1);
        if digits == 0 {
            return Err("UnknownFormatConversion".to_owned());
        }
        directive.precision = Some(number(at + 1..at + 1 + digits)?);
        at += 1 + digits;
    }
    let letter = *characters.get(at).ok_or("UnknownFormatConversion")?;
    directive.is_upper = letter.is_ascii_uppercase();
    directive.conversion = match letter {
        't' | 'T' => {
            at += 1;
            Conversion::Time(*characters.get(at).ok_or("UnknownFormatConversion")?)
        }
        'B' | 'H' | 'S' | 'C' | 'X' | 'E' | 'G' | 'A' => Conversion::Of(letter.to_ascii_lowercase()),
        'b' | 'h' | 's' | 'c' | 'd' | 'o' | 'x' | 'e' | 'f' | 'g' | 'a' | 'n' | '%' => Conversion::Of(letter),
        _ => return Err(format!("UnknownFormatConversion: Conversion = '{letter}'")),
    };
    let length = characters[..=at].iter().map(|character| character.len_utf8()).sum();
    Ok((directive, length))
}

impl Directive {
    fn has(&self, flag: char) -> bool {
        self.flags.contains(&flag)
    }

    /// Refuses flags that the conversion does not have, and `-` and `0` without a width.
    fn allows(&self, flags: &str) -> Result<(), String> {
        if let Some(flag) = self.flags.iter().find(|flag| !flags.contains(**flag)) {
            return Err(format!("FormatFlagsConversionMismatch: Flags = {flag}"));
        }
        if self.width.is_none() && (self.has('-') || self.has('0')) {
            return Err("MissingFormatWidth".to_owned());
        }
        if (self.has('-') && self.has('0')) || (self.has('+') && self.has(' ')) {
            return Err("IllegalFormatFlags".to_owned());
        }
        Ok(())
    }

    /// The text, padded with spaces to the width.
    fn justified(&self, text: &str) -> String {
        let missing = self.width.unwrap_or(0).saturating_sub(text.encode_utf16().count());
        let spaces = " ".repeat(missing);
        if self.has('-') { text.to_owned() + &spaces } else { spaces + text }
    }

    /// The text, truncated to the precision, in upper case if requested, and padded with spaces.
    fn written(&self, text: &str) -> String {
        let cut = self.precision.map_or_else(|| text.to_owned(), |units| cut_units(text, units));
        self.justified(&if self.is_upper { cut.to_uppercase() } else { cut })
    }

    fn write(&self, value: &Datum<'_>, data_type: &Type) -> Result<String, Refusal> {
        let Conversion::Of(letter) = self.conversion else {
            let Conversion::Time(part) = self.conversion else { return Ok(String::new()) };
            self.allows("-")?;
            if self.precision.is_some() {
                return Err(Refusal::Invalid("IllegalFormatPrecision".to_owned()));
            }
            if value.is_null() {
                return Ok(self.written("null"));
            }
            return Ok(self.written(&moment::part(part, value, data_type)?));
        };
        match letter {
            'b' => {
                self.allows("-")?;
                let is_true = !matches!(value, Datum::Null | Datum::Boolean(false));
                Ok(self.written(if is_true { "true" } else { "false" }))
            }
            'h' => {
                self.allows("-")?;
                Ok(self.written(&hash(value, data_type)?))
            }
            's' => {
                self.allows("-")?;
                Ok(self.written(&shown(value, data_type)))
            }
            'c' => {
                // SQL has no type of characters, and its numbers have up to 64 bits.
                self.allows("-")?;
                if self.precision.is_some() {
                    return Err(Refusal::Invalid("IllegalFormatPrecision".to_owned()));
                }
                if value.is_null() { Ok(self.written("null")) } else { Err(unfit(letter, data_type)) }
            }
            _ => self.number(letter, value, data_type),
        }
    }
}

/// The error of a conversion that the value's type does not have.
fn unfit(letter: char, data_type: &Type) -> Refusal {
    Refusal::Invalid(format!("IllegalFormatConversion: {letter} != {data_type}"))
}

/// The text of a value as Java prints it: date and time are separated by `T`.
fn shown(value: &Datum<'_>, data_type: &Type) -> String {
    match (value, data_type) {
        (Datum::Null, _) => "null".to_owned(),
        (
            Datum::Integer(units),
            Type::Time { .. } | Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. },
        ) => moment::shown(*units, data_type),
        (Datum::Double(value), _) => number::shown(*value, *data_type == Type::Real),
        (Datum::Decimal(_), _) => number::shown_decimal(value, data_type),
        (value, data_type) => to_text(value, data_type),
    }
}

/// Java's hash codes of scalar values.
fn hash(value: &Datum<'_>, data_type: &Type) -> Result<String, Refusal> {
    let folded = |bits: u64| {
        let folded = (bits ^ bits >> 32) & u64::from(u32::MAX);
        format!("{folded:x}")
    };
    Ok(match (value, data_type) {
        (Datum::Null, _) => "null".to_owned(),
        (Datum::Boolean(value), _) => format!("{:x}", if *value { 1231 } else { 1237 }),
        (Datum::Integer(value), data_type) if data_type.is_integer() => folded(value.cast_unsigned()),
        #[expect(clippy::cast_possible_truncation, reason = "a real's digits are those of 32 bits")]
        (Datum::Double(value), Type::Real) => format!("{:x}", (*value as f32).to_bits()),
        (Datum::Double(value), _) => folded(value.to_bits()),
        (Datum::Text(text), _) => {
            let hash = text
                .encode_utf16()
                .fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)));
            format!("{hash:x}")
        }
        _ => return Err(Refusal::NotSupported("%h of a decimal, a date or a time is not supported")),
    })
}
/// The text's first code units of UTF-16, as in Java; half a character becomes `?`.
fn cut_units(text: &str, units: usize) -> String {
    let units: Vec<u16> = text.encode_utf16().take(units).collect();
    char::decode_utf16(units).map(|character| character.unwrap_or('?')).collect()
}
