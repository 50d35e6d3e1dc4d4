//! Numbers in `format`: `%d`, `%o`, `%x`, `%e`, `%f` and `%g`.

use super::decimal_digits::DecimalDigits;
use super::{Directive, Refusal, unfit};
use crate::conversion::to_text;
use crate::datum::Datum;
use rowhouse_sql::types::Type;

/// The text of Java's `toString` of the type.
pub(super) fn shown(value: f64, is_real: bool) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    #[expect(clippy::cast_possible_truncation, reason = "a real's digits are those of 32 bits")]
    match value {
        value if value.is_nan() => "NaN".to_owned(),
        value if value.is_infinite() => format!("{sign}Infinity"),
        value if is_real => format!("{sign}{}", DecimalDigits::of_real(value as f32).java_text()),
        value => format!("{sign}{}", DecimalDigits::of_double(value).java_text()),
    }
}

/// The text of Java's `BigDecimal.toString`: small numbers have an exponent.
pub(super) fn shown_decimal(value: &Datum<'_>, data_type: &Type) -> String {
    let (Datum::Decimal(unscaled), Type::Decimal { scale, .. }) = (value, data_type) else {
        return to_text(value, data_type);
    };
    let digits = unscaled.unsigned_abs().to_string();
    let exponent = i64::try_from(digits.len()).unwrap_or(0) - 1 - i64::from(*scale);
    if exponent >= -6 {
        return to_text(value, data_type);
    }
    let sign = if *unscaled < 0 { "-" } else { "" };
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}E{exponent}")
}

/// A number without its sign: its digits, followed by an exponent.
struct Magnitude {
    digits: String,
    exponent: String,
}

impl Directive {
    pub(super) fn number(
        &self,
        letter: char,
        value: &Datum<'_>,
        data_type: &Type,
    ) -> Result<String, Refusal> {
        match letter {
            'd' | 'o' | 'x' => self.integer(letter, value, data_type),
            'a' => Err(Refusal::NotSupported("the conversion %a of format is not supported")),
            _ => self.fraction(letter, value, data_type),
        }
    }

    fn integer(&self, letter: char, value: &Datum<'_>, data_type: &Type) -> Result<String, Refusal> {
        if self.precision.is_some() {
            return Err(Refusal::Invalid("IllegalFormatPrecision".to_owned()));
        }
        self.allows(if letter == 'd' { "-+ 0,(" } else { "-#+ 0(" })?;
        let value = match value {
            Datum::Null => return Ok(self.written("null")),
            Datum::Integer(value) if data_type.is_integer() => *value,
            _ => return Err(unfit(letter, data_type)),
        };
        if letter == 'd' {
            let digits = Magnitude { digits: value.unsigned_abs().to_string(), exponent: String::new() };
            return Ok(self.signed(value < 0, digits));
        }
        // The bits of a negative number do not have a sign.
        if let Some(flag) = self.flags.iter().find(|flag| "+ (".contains(**flag)) {
            return Err(Refusal::Invalid(format!("FormatFlagsConversionMismatch: Flags = {flag}")));
        }
        let (digits, prefix) =
            if letter == 'x' { (format!("{value:x}"), "0x") } else { (format!("{value:o}"), "0") };
        let prefix = if self.has('#') { prefix } else { "" };
        let width = if self.has('0') { self.width.unwrap_or(0) } else { 0 };
        let zeros = "0".repeat(width.saturating_sub(prefix.len() + digits.len()));
        let text = format!("{prefix}{zeros}{digits}");
        Ok(self.justified(&if self.is_upper { text.to_uppercase() } else { text }))
    }

    fn fraction(&self, letter: char, value: &Datum<'_>, data_type: &Type) -> Result<String, Refusal> {
        self.allows(match letter {
            'e' => "-#+ 0(",
            'f' => "-#+ 0,(",
            _ => "-+ 0,(",
        })?;
        let (is_negative, digits) = match (value, data_type) {
            (Datum::Null, _) => return Ok(self.written("null")),
            (Datum::Double(value), _) if value.is_nan() => {
                return Ok(self.justified(if self.is_upper { "NAN" } else { "NaN" }));
            }
            (Datum::Double(value), _) if value.is_infinite() => {
                let digits = if self.is_upper { "INFINITY" } else { "Infinity" }.to_owned();
                let infinity = Magnitude { digits, exponent: String::new() };
                let without_zeros = Self {
                    flags: self.flags.iter().copied().filter(|flag| !"0,".contains(*flag)).collect(),
                    ..self.clone()
                };
                return Ok(without_zeros.signed(*value < 0.0, infinity));
            }
            (Datum::Double(value), _) => (value.is_sign_negative(), DecimalDigits::of_double(*value)),
            (Datum::Decimal(unscaled), Type::Decimal { scale, .. }) => {
                (*unscaled < 0, DecimalDigits::of_decimal(*unscaled, *scale))
            }
            _ => return Err(unfit(letter, data_type)),
        };
        let precision = self.precision.unwrap_or(6);
        let magnitude = match letter {
            'e' => self.scientific(&digits, precision),
            'f' => self.fixed(&digits, precision),
            _ => {
                let precision = precision.max(1);
                let rounded = digits.with_significant(precision);
                let exponent = if rounded.is_zero() { 0 } else { rounded.first_exponent() };
                let significant = i64::try_from(precision).unwrap_or(i64::MAX);
                if exponent < -4 || exponent >= significant || rounded.is_scaled_zero() {
                    self.scientific(&rounded, precision - 1)
                } else {
                    let fraction = usize::try_from(significant - exponent - 1).unwrap_or(0);
                    self.fixed(&rounded, fraction)
                }
            }
        };
        Ok(self.signed(is_negative, magnitude))
    }

    fn fixed(&self, digits: &DecimalDigits, fraction: usize) -> Magnitude {
        let mut digits = digits.fixed(fraction);
        if fraction == 0 && self.has('#') {
            digits.push('.');
        }
        Magnitude { digits, exponent: String::new() }
    }

    fn scientific(&self, digits: &DecimalDigits, fraction: usize) -> Magnitude {
        let (mut digits, exponent) = digits.scientific(fraction);
        if fraction == 0 && self.has('#') {
            digits.push('.');
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        let letter = if self.is_upper { 'E' } else { 'e' };
        Magnitude { digits, exponent: format!("{letter}{sign}{:02}", exponent.abs()) }
    }

    /// The number with its sign, and with separators between thousands, leading zeros or spaces as the flags require.
    fn signed(&self, is_negative: bool, magnitude: Magnitude) -> String {
        let Magnitude { digits, exponent } = magnitude;
        let digits = if self.has(',') { grouped(&digits) } else { digits };
        let (before, behind) = match (is_negative, self.has('('), self.has('+'), self.has(' ')) {
            (true, true, ..) => ("(", ")"),
            (true, false, ..) => ("-", ""),
            (false, _, true, _) => ("+", ""),
            (false, _, false, true) => (" ", ""),
            _ => ("", ""),
        };
        let width = if self.has('0') { self.width.unwrap_or(0) } else { 0 };
        let length = before.len() + digits.len() + exponent.len() + behind.len();
        let zeros = "0".repeat(width.saturating_sub(length));
        self.justified(&format!("{before}{zeros}{digits}{exponent}{behind}"))
    }
}

/// The digits with commas between thousands.
fn grouped(digits: &str) -> String {
    let whole = digits.find('.').unwrap_or(digits.len());
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at < whole && (whole - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
