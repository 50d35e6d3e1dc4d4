//! Conversion between text and dates, times, timestamps and intervals, in Trino's formats.

use crate::date_time::calendar::{
    MILLIS_PER_DAY, NANOS_PER_DAY, civil_from_days, precision, units_per_day, units_per_second,
};
use crate::date_time::clock::Clock;
use rowhouse_sql::date_time_text::{
    ClockText, DateTimeText, clock_offset, fixed_offset_seconds, parse_clock, parse_date_time,
};
use rowhouse_sql::types::Type;

/// Bytes of a timestamp of nine fractional digits with a sign, of a year of up to nine digits.
const MAX_BYTES: usize = 36;

/// Maximum number of digits of a timestamp's second in a cast: Trino parses them as one 64-bit number.
const MAX_FRACTION_DIGITS: usize = 19;

/// Formats days since the epoch as `YYYY-MM-DD`; years beyond 9999 have a `+`.
pub(crate) fn date_to_text(days: i64) -> String {
    let mut text = String::with_capacity(MAX_BYTES);
    put_date(&mut text, days);
    text
}

fn put_date(text: &mut String, days: i64) {
    let (year, month, day) = civil_from_days(days);
    match year {
        ..0 => text.push('-'),
        0..=9999 => {}
        _ => text.push('+'),
    }
    put_number(text, year.unsigned_abs(), 4);
    text.push('-');
    put_number(text, month.unsigned_abs(), 2);
    text.push('-');
    put_number(text, day.unsigned_abs(), 2);
}

/// Appends a number with at least `width` digits.
pub(crate) fn put_number(text: &mut String, mut number: u64, width: usize) {
    let mut digits = [b'0'; 20];
    (digits.len()..width).for_each(|_| text.push('0'));
    let mut first = digits.len();
    while number > 0 {
        first -= 1;
        // OK because a digit is less than 10.
        digits[first] = b'0' + u8::try_from(number % 10).unwrap_or(0);
        number /= 10;
    }
    let shown = &digits[first.min(digits.len().saturating_sub(width))..];
    text.push_str(str::from_utf8(shown).unwrap_or_default());
}

/// Formats nanoseconds since midnight as `HH:MM:SS.ffffff`, with `precision` fractional digits.
pub(crate) fn time_to_text(nanos: i64, precision: u8) -> String {
    let mut text = String::with_capacity(MAX_BYTES);
    put_clock(&mut text, nanos, 1_000_000_000, precision);
    text
}

/// Formats a timestamp as `YYYY-MM-DD HH:MM:SS.fff`, with `separator` between date and time.
pub(crate) fn timestamp_to_text(units: i64, data_type: &Type, precision: u8, separator: char) -> String {
    let per_day = units_per_day(data_type);
    let mut text = String::with_capacity(MAX_BYTES);
    put_date(&mut text, units.div_euclid(per_day));
    text.push(separator);
    put_clock(&mut text, units.rem_euclid(per_day), units_per_second(data_type), precision);
    text
}

fn put_clock(text: &mut String, units: i64, per_second: i64, precision: u8) {
    let (seconds, fraction) = (units / per_second, units % per_second);
    for (number, behind) in [(seconds / 3600, ':'), (seconds / 60 % 60, ':'), (seconds % 60, '.')] {
        put_number(text, number.unsigned_abs(), 2);
        text.push(behind);
    }
    let digits = precision.min(9);
    if digits == 0 {
        text.pop();
        return;
    }
    let nanos = fraction.unsigned_abs() * (1_000_000_000 / per_second.unsigned_abs());
    put_number(text, nanos / 10_u64.pow(u32::from(9 - digits)), usize::from(digits));
}

/// Formats milliseconds as `D HH:MM:SS.mmm`.
pub(crate) fn day_interval_to_text(millis: i64) -> String {
    let sign = if millis < 0 { "-" } else { "" };
    let (millis, per_day) = (millis.unsigned_abs(), MILLIS_PER_DAY.unsigned_abs());
    let (days, rest) = (millis / per_day, millis % per_day);
    let (hours, minutes) = (rest / 3_600_000, rest / 60_000 % 60);
    format!("{sign}{days} {hours:02}:{minutes:02}:{:02}.{:03}", rest / 1000 % 60, rest % 1000)
}

/// Parses `H:MM`, `H:MM:SS` or `H:MM:SS.f…` with up to 12 digits into nanoseconds since midnight. Digits beyond the
/// precision are rounded half up; a time that is rounded up to the end of the day becomes midnight.
pub(crate) fn parse_time(text: &str, precision: u8) -> Option<i64> {
    let (clock, rest) = parse_clock(text)?;
    (rest.is_empty() && clock.digits <= 12).then(|| nanos(clock, precision) % NANOS_PER_DAY)
}

/// Parses a time as [`parse_time`] does, with `±HH:MM`, into nanoseconds since midnight in UTC. A text without an
/// offset is at `offset` minutes.
pub(crate) fn parse_zoned_time(text: &str, precision: u8, offset: i16) -> Option<i64> {
    let (clock, rest) = parse_clock(text)?;
    let offset = if rest.is_empty() { offset } else { clock_offset(rest)? };
    let in_utc = nanos(clock, precision) - i64::from(offset) * NANOS_PER_MINUTE;
    (clock.digits <= 12).then(|| in_utc.rem_euclid(NANOS_PER_DAY))
}

/// Formats nanoseconds since midnight in UTC as `HH:MM:SS.ffffff+HH:MM`, local to `offset` minutes.
pub(crate) fn zoned_time_to_text(nanos: i64, precision: u8, offset: i16) -> String {
    let shown = (nanos + i64::from(offset) * NANOS_PER_MINUTE).rem_euclid(NANOS_PER_DAY);
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs());
    format!("{}{sign}{:02}:{:02}", time_to_text(shown, precision), minutes / 60, minutes % 60)
}

/// Nanoseconds by which local times of a type are ahead of UTC.
pub(crate) fn offset_nanos(data_type: &Type) -> i64 {
    match data_type {
        Type::TimeWithTimeZone { offset, .. } => i64::from(offset.minutes()) * NANOS_PER_MINUTE,
        _ => 0,
    }
}

const NANOS_PER_MINUTE: i64 = 60_000_000_000;

/// Nanoseconds since midnight, rounded to the precision. The last instant of a day may be rounded to the next midnight.
fn nanos(clock: ClockText, precision: u8) -> i64 {
    let unit = 10_i64.pow(u32::from(12_u8.saturating_sub(precision)));
    (clock.picos + unit / 2) / unit * unit / 1000
}

/// Parses `YYYY-MM-DD`, optionally with a time after a space, into the type's units. A zone may follow, in which it is the
/// local time: one that the zone skips is moved by the change of its offset.
pub(crate) fn parse_timestamp(text: &str, data_type: &Type) -> Option<i64> {
    let read = parse_date_time(text)?;
    let local = local_units(&read, data_type)?;
    match read.zone {
        // Its local times are all there.
        Some(name) if fixed_offset_seconds(name).is_some() => Some(local),
        Some(name) => {
            let clock = Clock::new(name, data_type)?;
            clock.first_moment_of(local).map(|moment| clock.shown_at(moment))
        }
        None => Some(local),
    }
}

fn local_units(read: &DateTimeText<'_>, data_type: &Type) -> Option<i64> {
    let unit = 1_000_000_000 / units_per_second(data_type);
    let clock = Some(read.clock).filter(|clock| clock.digits <= MAX_FRACTION_DIGITS)?;
    let nanos = nanos(clock, precision(data_type)?);
    read.days.checked_mul(units_per_day(data_type))?.checked_add(nanos / unit)
}

/// Parses a timestamp into the type's units since the epoch in UTC. A text without a zone is local to the zone of the
/// type.
pub(crate) fn parse_zoned_timestamp(text: &str, data_type: &Type) -> Option<i64> {
    let read = parse_date_time(text)?;
    let local = local_units(&read, data_type)?;
    match (read.zone, data_type) {
        (Some(zone), _) => to_utc(local, data_type, zone),
        (None, Type::TimestampWithTimeZone { zone, .. }) => to_utc(local, data_type, zone.name()),
        (None, _) => Some(local),
    }
}

/// The local time of an instant in a zone.
pub(crate) fn to_local(units: i64, data_type: &Type, name: &str) -> i64 {
    Clock::new(name, data_type).map_or(units, |clock| clock.shown_at(units))
}

/// The instant of a local time in a zone: the earlier one if the local time is repeated. A skipped local time counts
/// from before the change.
pub(crate) fn to_utc(local: i64, data_type: &Type, name: &str) -> Option<i64> {
    Clock::new(name, data_type)?.first_moment_of(local)
}

/// Parses `D HH:MM:SS.mmm` into milliseconds.
pub(crate) fn parse_day_interval(text: &str) -> Option<i64> {
    let (is_negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (days, time) = rest.split_once(' ').unwrap_or((rest, "0:00"));
    let millis = number(days)?.checked_mul(MILLIS_PER_DAY)?.checked_add(parse_time(time, 9)? / 1_000_000)?;
    Some(if is_negative { -millis } else { millis })
}

/// Parses `Y-M` into months.
pub(crate) fn parse_month_interval(text: &str) -> Option<i64> {
    let (is_negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (years, months) = rest.split_once('-')?;
    let months = number(years)?.checked_mul(12)?.checked_add(number(months)?)?;
    Some(if is_negative { -months } else { months })
}

fn number(digits: &str) -> Option<i64> {
    let is_number =
        !digits.is_empty() && digits.len() < 10 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use rowhouse_sql::types::Zone;

    const MILLIS: Type = Type::Timestamp { precision: 3 };

    #[test]
    fn timestamps_round_trip_through_text() {
        let moment = parse_timestamp("2024-02-29 12:34:56.789", &MILLIS);
        assert_eq!(
            moment.map(|units| timestamp_to_text(units, &MILLIS, 3, 'T')).as_deref(),
            Some("2024-02-29T12:34:56.789")
        );
        assert_eq!(parse_timestamp("2023-02-29 00:00", &MILLIS), None);
        assert_eq!(parse_timestamp("1970-01-02", &MILLIS), Some(86_400_000));
    }

    #[test]
    fn texts_have_the_digits_of_their_types() {
        assert_eq!(date_to_text(19_782), "2024-02-29");
        assert_eq!(date_to_text(-719_529), "-0001-12-31");
        assert_eq!(date_to_text(2_932_897), "+10000-01-01");
        assert_eq!(date_to_text(-719_528), "0000-01-01");
        assert_eq!(time_to_text(1_002_003_004, 0), "00:00:01");
        assert_eq!(time_to_text(1_002_003_004, 2), "00:00:01.00");
        assert_eq!(time_to_text(1_002_003_004, 9), "00:00:01.002003004");
        assert_eq!(time_to_text(NANOS_PER_DAY - 1, 3), "23:59:59.999");
        let nanos = Type::Timestamp { precision: 9 };
        assert_eq!(timestamp_to_text(-1, &nanos, 9, ' '), "1969-12-31 23:59:59.999999999");
        let mut text = String::new();
        put_number(&mut text, u64::MAX, 0);
        put_number(&mut text, 7, 22);
        assert_eq!(text, format!("{}{:022}", u64::MAX, 7));
    }

    #[test]
    fn digits_beyond_the_precision_are_rounded_half_up() {
        let seconds = Type::Timestamp { precision: 0 };
        for (text, expected) in [
            ("1970-01-01 00:00:00.499999999999", 0),
            ("1970-01-01 00:00:00.5", 1000),
            ("1969-12-31 23:59:59.5", 0),
            ("1969-12-31 23:59:59.4999", -1000),
        ] {
            assert_eq!(parse_timestamp(text, &seconds), Some(expected), "{text}");
        }
        assert_eq!(parse_time("23:59:59.9995", 3), Some(0));
        assert_eq!(parse_time("23:59:59.9994", 3), Some(86_399_999_000_000));
        assert_eq!(parse_time("00:00:00.1234567895", 9), Some(123_456_790));
    }

    #[test]
    fn zones_after_timestamps_are_parsed() {
        let zoned = Type::TimestampWithTimeZone { precision: 3, zone: Zone::utc() };
        for text in
            ["1970-01-01 01:00:00 +01:00", "1970-01-01 00:00:00Z", "1970-01-01 01:00:00 Europe/Berlin"]
        {
            assert_eq!(parse_zoned_timestamp(text, &zoned), Some(0), "{text}");
        }
        assert_eq!(to_local(0, &zoned, "Europe/Berlin"), 3_600_000);
    }

    #[test]
    fn a_local_time_that_its_zone_skips_is_moved() {
        let seconds = Type::Timestamp { precision: 0 };
        for (text, expected) in [
            ("2020-03-29 02:30:00 Europe/Berlin", Some("2020-03-29 03:30:00")),
            ("2020-10-25 02:30:00 Europe/Berlin", Some("2020-10-25 02:30:00")),
            ("2020-03-29 02:30:00 +15:00", Some("2020-03-29 02:30:00")),
            ("2020-03-29 02:30:00 Nowhere/Never", None),
            ("2020-03-29 02:30:00.4999999999999999999", Some("2020-03-29 02:30:00")),
            ("2020-03-29 02:30:00.49999999999999999999", None),
        ] {
            let local = parse_timestamp(text, &seconds);
            let shown = local.map(|units| timestamp_to_text(units, &seconds, 0, ' '));
            assert_eq!(shown.as_deref(), expected, "{text}");
        }
    }
}
