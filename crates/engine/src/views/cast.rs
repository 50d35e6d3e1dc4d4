//! Casts the text of a filter to its column's type (D23): the result is a point among the type's keys.

use arrow_schema::{DataType, IntervalUnit, TimeUnit};

use super::key::{NAN_KEY, f64_key};
use rowhouse_rows::arrow_file::column::zoned_unit;
use rowhouse_rows::arrow_file::zone::parse_offset;
use rowhouse_rows::temporal::{days_from_civil, per_second};

/// The position of a value among the keys of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Point {
    /// A key.
    At(i128),
    /// Between a key and the next one, for example a decimal with more digits than the type has.
    After(i128),
    /// NaN, which is unordered.
    Nan,
}

/// Casts a text to a point of a type that is ordered but not text. None if the cast fails.
pub(super) fn cast(text: &str, data_type: &DataType) -> Option<Point> {
    match data_type {
        DataType::Boolean => boolean(text),
        DataType::Int8 => integer(text, i8::MIN.into(), i8::MAX.into()),
        DataType::Int16 => integer(text, i16::MIN.into(), i16::MAX.into()),
        DataType::Int32 => integer(text, i32::MIN.into(), i32::MAX.into()),
        DataType::Int64 => integer(text, i64::MIN.into(), i64::MAX.into()),
        DataType::UInt8 => integer(text, 0, u8::MAX.into()),
        DataType::UInt16 => integer(text, 0, u16::MAX.into()),
        DataType::UInt32 => integer(text, 0, u32::MAX.into()),
        DataType::UInt64 => integer(text, 0, u64::MAX.into()),
        DataType::Float32 => float(text, text.parse::<f32>().ok()?.into()),
        DataType::Float64 => float(text, text.parse().ok()?),
        DataType::Decimal128(precision, scale) => decimal(text, *precision, u8::try_from(*scale).ok()?),
        DataType::Date32 => {
            let days = date(text)?;
            i32::try_from(days).ok().map(|days| Point::At(days.into()))
        }
        DataType::Time32(unit) | DataType::Time64(unit) => clock(text)?.point(0, *unit),
        DataType::Timestamp(unit, zone) => timestamp(text, *unit, zone.is_some()),
        DataType::Struct(fields) => timestamp(text, zoned_unit(fields)?, true),
        DataType::Duration(unit) => interval(text, *unit),
        DataType::Interval(IntervalUnit::YearMonth) => months(text),
        _ => None,
    }
}

fn boolean(text: &str) -> Option<Point> {
    let is = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    match (is(&["true", "t", "1"]), is(&["false", "f", "0"])) {
        (true, _) => Some(Point::At(1)),
        (_, true) => Some(Point::At(0)),
        _ => None,
    }
}

fn integer(text: &str, min: i128, max: i128) -> Option<Point> {
    text.parse().ok().filter(|value| (min..=max).contains(value)).map(Point::At)
}

/// `value` is the text parsed as a number; a number that is too large would become an infinity that the text does not
/// contain.
fn float(text: &str, value: f64) -> Option<Point> {
    if value.is_nan() {
        return Some(Point::Nan);
    }
    let is_word = text.trim_start_matches(['+', '-']).starts_with(['i', 'I']);
    (value.is_finite() || is_word).then(|| Point::At(f64_key(value).into()))
}

/// The least and greatest key of ordered doubles.
pub(super) fn float_bounds() -> (i128, i128) {
    debug_assert!(f64_key(f64::INFINITY) < NAN_KEY);
    (f64_key(f64::NEG_INFINITY).into(), f64_key(f64::INFINITY).into())
}

/// Compared exactly: digits beyond the scale put the value between two keys. If the type has no room for the integer
/// digits, the cast fails.
fn decimal(text: &str, precision: u8, scale: u8) -> Option<Point> {
    let (is_negative, digits) = sign(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !are_digits(whole) || !are_digits(fraction) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    if whole.len() > usize::from(precision.saturating_sub(scale)) {
        return None;
    }
    let scale = usize::from(scale);
    let kept = &fraction[..fraction.len().min(scale)];
    let zeros = std::iter::repeat_n(b'0', scale - kept.len());
    let mut magnitude = 0_i128;
    for digit in whole.bytes().chain(kept.bytes()).chain(zeros) {
        magnitude = magnitude.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
    }
    let is_exact = fraction[kept.len()..].bytes().all(|digit| digit == b'0');
    Some(match (is_negative, is_exact) {
        (false, true) => Point::At(magnitude),
        (true, true) => Point::At(-magnitude),
        (false, false) => Point::After(magnitude),
        (true, false) => Point::After(-magnitude - 1),
    })
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// `YYYY-MM-DD`, years of more digits with a sign: days since the epoch.
fn date(text: &str) -> Option<i64> {
    let (is_negative, rest) = sign(text);
    let has_sign = rest.len() < text.len();
    let (year, rest) = rest.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    if (year.len() > 4 && !has_sign) || year.len() < 4 || year.len() > 9 {
        return None;
    }
    let year = i64::from(digits(year)?);
    let (month, day) = (two_digits(month)?, two_digits(day)?);
    days_from_civil(if is_negative { -year } else { year }, month, day)
}

/// A time of day: whole seconds, and the digits of the fraction.
struct Clock<'t> {
    seconds: i128,
    fraction: &'t str,
}

/// `HH:MM`, `HH:MM:SS`, `HH:MM:SS.f…`.
fn clock(text: &str) -> Option<Clock<'_>> {
    let (clock, fraction) = match text.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (text, None),
    };
    let mut parts = clock.split(':');
    let (hour, minute) = (two_digits(parts.next()?)?, two_digits(parts.next()?)?);
    let second = parts.next();
    let fraction_stands =
        fraction.is_none_or(|fraction| second.is_some() && !fraction.is_empty() && digits_only(fraction));
    let second = second.map_or(Some(0), two_digits)?;
    let is_time = hour < 24 && minute < 60 && second < 60 && parts.next().is_none() && fraction_stands;
    is_time.then(|| Clock {
        seconds: i128::from((hour * 60 + minute) * 60 + second),
        fraction: fraction.unwrap_or(""),
    })
}

impl Clock<'_> {
    /// The point in units of a type; digits beyond the unit put it between two keys.
    fn point(&self, more_seconds: i128, unit: TimeUnit) -> Option<Point> {
        let unit_digits = per_second(unit).ilog10() as usize;
        let kept = &self.fraction[..self.fraction.len().min(unit_digits)];
        let mut ticks = self.seconds + more_seconds;
        let zeros = std::iter::repeat_n(b'0', unit_digits - kept.len());
        let mut fraction = 0_i128;
        for digit in kept.bytes().chain(zeros) {
            fraction = fraction * 10 + i128::from(digit - b'0');
        }
        ticks = ticks * i128::from(per_second(unit)) + fraction;
        let is_exact = self.fraction[kept.len()..].bytes().all(|digit| digit == b'0');
        Some(if is_exact { Point::At(ticks) } else { Point::After(ticks) })
    }
}

/// A date, or a date, `T` or a space, and a time; if the type has a zone, optionally followed by `Z` or an offset
/// (default UTC).
fn timestamp(text: &str, unit: TimeUnit, has_zone: bool) -> Option<Point> {
    const SECONDS_PER_DAY: i128 = 86_400;
    let Some((day, rest)) = text.split_once(['T', 't', ' ']) else {
        return Clock { seconds: 0, fraction: "" }.point(i128::from(date(text)?) * SECONDS_PER_DAY, unit);
    };
    let zone_start = rest.find(['Z', 'z', '+', '-', ' ', 'U']).unwrap_or(rest.len());
    let (time, zone) = rest.split_at(zone_start);
    let offset = match zone.trim_start() {
        "" => 0,
        _ if !has_zone => return None,
        "Z" | "z" | "UTC" => 0,
        offset => parse_offset(offset)?,
    };
    clock(time)?.point(i128::from(date(day)?) * SECONDS_PER_DAY - i128::from(offset), unit)
}

/// `D HH:MM:SS.f…` as Trino prints `interval day to second`.
fn interval(text: &str, unit: TimeUnit) -> Option<Point> {
    let (is_negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (days, time) = rest.split_once(' ')?;
    let point = clock(time)?.point(i128::from(digits(days)?) * 86_400, unit)?;
    Some(match (point, is_negative) {
        (Point::At(ticks), true) => Point::At(-ticks),
        (Point::After(ticks), true) => Point::After(-ticks - 1),
        (point, _) => point,
    })
}

/// `Y-M` as Trino prints `interval year to month`.
fn months(text: &str) -> Option<Point> {
    let (is_negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (years, months) = rest.split_once('-')?;
    let months = i128::from(digits(years)?) * 12 + i128::from(digits(months)?);
    Some(Point::At(if is_negative { -months } else { months }))
}

fn digits_only(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn digits(text: &str) -> Option<u32> {
    (!text.is_empty() && digits_only(text)).then(|| text.parse().ok())?
}

fn two_digits(text: &str) -> Option<u32> {
    if text.len() == 2 { digits(text) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_texts_are_cast_to_points() {
        use Point::{After, At, Nan};
        let check = |data_type: DataType, text: &str, expected: Option<Point>| {
            assert_eq!(cast(text, &data_type), expected, "{text} as {data_type}");
        };
        check(DataType::Int8, "127", Some(At(127)));
        check(DataType::Int8, "+5", Some(At(5)));
        check(DataType::Int8, "128", None);
        check(DataType::Int64, "9223372036854775808", None);
        check(DataType::Int64, "-9223372036854775808", Some(At(i64::MIN.into())));
        for text in ["", " 5", "5.0", "0x5", "1e3", "--5", "٥"] {
            check(DataType::Int64, text, None);
        }
        check(DataType::Boolean, "TRUE", Some(At(1)));
        check(DataType::Boolean, "yes", None);
        check(DataType::Float64, "1.5", Some(At(f64_key(1.5).into())));
        check(DataType::Float64, "NaN", Some(Nan));
        check(DataType::Float64, "-Infinity", Some(At(f64_key(f64::NEG_INFINITY).into())));
        check(DataType::Float64, "1e999", None);
        check(DataType::Float32, "0.1", Some(At(f64_key(0.1_f32.into()).into())));
        let money = DataType::Decimal128(5, 2);
        check(money.clone(), "1.5", Some(At(150)));
        check(money.clone(), "-1.50", Some(At(-150)));
        check(money.clone(), "1.005", Some(After(100)));
        check(money.clone(), "-1.005", Some(After(-101)));
        check(money.clone(), "00999.99", Some(At(99_999)));
        check(money.clone(), "1000", None);
        check(money.clone(), ".5", Some(At(50)));
        check(money.clone(), ".", None);
        check(money, "1,5", None);
        check(DataType::Date32, "1970-01-02", Some(At(1)));
        check(DataType::Date32, "+10000-01-01", Some(At(2_932_897)));
        check(DataType::Date32, "-0001-12-31", Some(At(-719_529)));
        for text in ["1970-1-2", "10000-01-01", "2001-02-29", "1970-01-01T00:00:00", "19700101", ""] {
            check(DataType::Date32, text, None);
        }
        let millis = DataType::Timestamp(TimeUnit::Millisecond, None);
        check(millis.clone(), "1970-01-01", Some(At(0)));
        check(millis.clone(), "1970-01-01T00:00:01", Some(At(1000)));
        check(millis.clone(), "1970-01-01 00:01", Some(At(60_000)));
        check(millis.clone(), "1970-01-01 00:00:00.0015", Some(After(1)));
        check(millis.clone(), "1969-12-31 23:59:59.9995", Some(After(-1)));
        check(millis.clone(), "1970-01-01T00:00:01Z", None);
        check(millis.clone(), "1970-01-01T24:00:00", None);
        check(millis.clone(), "1970-01-01T00:00:00.", None);
        check(millis, "1970-01-01T00:00.5", None);
        let zoned = DataType::Timestamp(TimeUnit::Second, Some("Europe/Berlin".into()));
        check(zoned.clone(), "1970-01-01T01:00:00+01:00", Some(At(0)));
        check(zoned.clone(), "1970-01-01T00:00:00Z", Some(At(0)));
        check(zoned.clone(), "1970-01-01 00:00:00 UTC", Some(At(0)));
        check(zoned.clone(), "1970-01-01 00:00", Some(At(0)));
        check(zoned, "1970-01-01 00:00:00+25:00", None);
        check(DataType::Time64(TimeUnit::Microsecond), "00:00:01.5", Some(At(1_500_000)));
        check(DataType::Time64(TimeUnit::Microsecond), "25:00", None);
        check(DataType::Duration(TimeUnit::Millisecond), "2 03:04:05.000", Some(At(183_845_000)));
        check(DataType::Duration(TimeUnit::Millisecond), "-0 00:00:00.001", Some(At(-1)));
        check(DataType::Duration(TimeUnit::Millisecond), "03:04:05", None);
    }
}
