//! Parses values that Trino sends as text: decimals, dates, times, timestamps, intervals.

use std::collections::HashMap;

use arrow_schema::TimeUnit;
use jiff::civil;
use jiff::tz::TimeZone;

use rowhouse_rows::arrow_file::zone::parse_offset;
use rowhouse_rows::temporal::{days_from_civil, per_second};

/// Why a text is not a value of a type.
pub(super) type Read<T> = Result<T, String>;

const SECONDS_PER_DAY: i64 = 86_400;
/// Number of digits that always fit 64 bits.
const MAX_SURE_DIGITS: usize = 18;

/// Parses `-12.50` into its unscaled value, with exactly `scale` fractional digits.
#[inline]
pub(super) fn decimal(text: &str, scale: u8) -> Option<i128> {
    let (is_negative, text) = match text.as_bytes() {
        [b'-', text @ ..] => (true, text),
        text => (false, text),
    };
    let (whole, fraction) = match usize::from(scale) {
        0 => (text, &[][..]),
        scale => match text.split_at_checked(text.len().checked_sub(scale + 1)?)? {
            (whole, [b'.', fraction @ ..]) => (whole, fraction),
            _ => return None,
        },
    };
    if whole.is_empty() {
        return None;
    }
    let value = if whole.len() + fraction.len() <= MAX_SURE_DIGITS {
        i128::from(digits(fraction, digits(whole, 0)?)?)
    } else {
        let mut value = 0_i128;
        for &byte in whole.iter().chain(fraction) {
            let digit = byte.wrapping_sub(b'0');
            value = value.checked_mul(10)?.checked_add(i128::from(digit)).filter(|_| digit < 10)?;
        }
        value
    };
    Some(if is_negative { -value } else { value })
}

/// Parses at most [`MAX_SURE_DIGITS`] digits, appended to the digits of `before`.
#[inline]
fn digits(text: &[u8], before: u64) -> Option<u64> {
    let (mut value, mut are_digits) = (before, true);
    for &byte in text {
        let digit = byte.wrapping_sub(b'0');
        are_digits &= digit < 10;
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
    }
    are_digits.then_some(value)
}

/// Parses `YYYY-MM-DD`, years beyond 9999 with a `+`, years before 0 with a `-`, into days since the epoch.
#[inline]
pub(super) fn date(text: &str) -> Option<i32> {
    i32::try_from(days(text)?).ok()
}

#[inline]
fn days(text: &str) -> Option<i64> {
    if let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes()
        && y1.is_ascii_digit()
    {
        let [year, month, day] =
            [digits(&[y1, y2, y3, y4], 0)?, digits(&[m1, m2], 0)?, digits(&[d1, d2], 0)?];
        return days_from_civil(year as i64, month as u32, day as u32);
    }
    let (is_negative, rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (year, rest) = rest.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let year: i64 = number(year)?.into();
    days_from_civil(if is_negative { -year } else { year }, number(month)?, number(day)?)
}

/// Parses `HH:MM:SS` with up to six digits of a second into microseconds since midnight.
pub(super) fn time(text: &str) -> Option<i64> {
    let (seconds, fraction) = clock(text)?;
    in_units(seconds, fraction, TimeUnit::Microsecond)
}

/// Parses `YYYY-MM-DD HH:MM:SS.f…` into units since the epoch.
pub(super) fn timestamp(text: &str, unit: TimeUnit) -> Read<i64> {
    let (day, time) = text.rsplit_once(' ').ok_or_else(|| malformed(text, "timestamp"))?;
    let seconds = days(day).zip(clock(time));
    let (day, (seconds, fraction)) = seconds.ok_or_else(|| malformed(text, "timestamp"))?;
    in_units(day * SECONDS_PER_DAY + seconds, fraction, unit).ok_or_else(|| out_of_range(text, unit))
}

/// Parses `YYYY-MM-DD HH:MM:SS.f… ZONE` into units since the epoch in UTC, and the offset in minutes. In the hour that
/// a zone repeats, Trino does not say which one it means; the first is assumed, as in Trino's own clients.
pub(super) fn zoned_timestamp(text: &str, unit: TimeUnit, zones: &mut Zones) -> Read<(i64, i16)> {
    let bad = || malformed(text, "timestamp with time zone");
    let (local, zone) = text.rsplit_once(' ').ok_or_else(bad)?;
    let (day, time) = local.rsplit_once(' ').ok_or_else(bad)?;
    let (day, (seconds, fraction)) = days(day).zip(clock(time)).ok_or_else(bad)?;
    let local_seconds = day * SECONDS_PER_DAY + seconds;
    let offset_seconds = zones.offset_seconds(zone, local_seconds)?;
    let value = in_units(local_seconds - i64::from(offset_seconds), fraction, unit)
        .ok_or_else(|| out_of_range(text, unit))?;
    // Offsets of local mean time have seconds; on the wire offsets are whole minutes (D18).
    let minutes = i16::try_from(offset_seconds.div_euclid(60)).map_err(|_| bad())?;
    Ok((value, minutes))
}

/// Converts a timestamp finer than a nanosecond to D18's form.
pub(super) fn fine_timestamp(text: &str, has_zone: bool) -> Read<String> {
    let bad = || malformed(text, "timestamp");
    let (local, zone) = match has_zone {
        true => text.rsplit_once(' ').map(|(local, zone)| (local, Some(zone))).ok_or_else(bad)?,
        false => (text, None),
    };
    let (day, time) = local.rsplit_once(' ').ok_or_else(bad)?;
    let (seconds, _) = clock(time).ok_or_else(bad)?;
    let seconds = days(day).ok_or_else(bad)? * SECONDS_PER_DAY + seconds;
    let zone = match zone {
        None => String::new(),
        Some(zone) => match Zones::default().offset_seconds(zone, seconds)?.div_euclid(60) {
            0 => "Z".to_owned(),
            minutes => {
                let sign = if minutes < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
            }
        },
    };
    Ok(format!("{day}T{time}{zone}"))
}

/// Parses `2 03:04:05.678` into milliseconds.
pub(super) fn interval_day_to_second(text: &str) -> Option<i64> {
    let (is_negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (days, time) = rest.split_once(' ')?;
    let (seconds, fraction) = clock(time)?;
    let days: i64 = days.parse().ok()?;
    let seconds = days.checked_mul(SECONDS_PER_DAY)?.checked_add(seconds)?;
    let millis = in_units(seconds, fraction, TimeUnit::Millisecond)?;
    Some(if is_negative { -millis } else { millis })
}

/// Parses `1-2`, a year and two months, into months.
pub(super) fn interval_year_to_month(text: &str) -> Option<i32> {
    let (is_negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (years, months) = rest.split_once('-')?;
    let months = i64::from(number(years)?) * 12 + i64::from(number(months)?);
    i32::try_from(if is_negative { -months } else { months }).ok()
}

/// The zones in a column so far.
#[derive(Debug, Default)]
pub(super) struct Zones(HashMap<String, TimeZone>);

impl Zones {
    /// Seconds east of UTC at a local time, which is given in seconds as if it were UTC.
    fn offset_seconds(&mut self, zone: &str, local_seconds: i64) -> Read<i32> {
        if matches!(zone, "UTC" | "Z" | "GMT" | "UT") {
            return Ok(0);
        }
        if let Some(seconds) = parse_offset(zone) {
            return Ok(seconds);
        }
        if !self.0.contains_key(zone) {
            let found = TimeZone::get(zone)
                .map_err(|error| format!("this machine does not know the time zone '{zone}': {error}"))?;
            self.0.insert(zone.to_owned(), found);
        }
        let zone = &self.0[zone];
        // Beyond the years that the database covers, the rule of its last year continues.
        let (min, max) = (civil::DateTime::MIN, civil::DateTime::MAX);
        let local = match civil_of(local_seconds) {
            Some(local) => local,
            None if local_seconds < 0 => min,
            None => max,
        };
        let moment = zone.to_ambiguous_timestamp(local).compatible().map_err(|error| error.to_string())?;
        Ok(zone.to_offset(moment).seconds())
    }
}

fn civil_of(seconds: i64) -> Option<civil::DateTime> {
    let (year, month, day) = rowhouse_rows::temporal::civil_from_days(seconds.div_euclid(SECONDS_PER_DAY));
    let of_day = seconds.rem_euclid(SECONDS_PER_DAY);
    civil::DateTime::new(
        i16::try_from(year).ok()?,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
        i8::try_from(of_day / 3600).ok()?,
        i8::try_from(of_day / 60 % 60).ok()?,
        i8::try_from(of_day % 60).ok()?,
        0,
    )
    .ok()
}

/// Parses `HH:MM:SS.f…` into whole seconds and the digits of the fraction.
fn clock(text: &str) -> Option<(i64, &str)> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = clock.split(':');
    let mut part = || number(parts.next()?);
    let (hour, minute, second) = (part()?, part()?, part()?);
    let is_time = hour < 24 && minute < 60 && second < 60 && parts.next().is_none();
    let are_digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
    (is_time && are_digits).then(|| (i64::from((hour * 60 + minute) * 60 + second), fraction))
}

/// Converts seconds and a fraction to units; none on overflow, or if the fraction is finer than a unit.
fn in_units(seconds: i64, fraction: &str, unit: TimeUnit) -> Option<i64> {
    let digits = per_second(unit).ilog10() as usize;
    let (kept, finer) = fraction.split_at(fraction.len().min(digits));
    if finer.bytes().any(|digit| digit != b'0') {
        return None;
    }
    let mut ticks = 0_i64;
    for digit in kept.bytes() {
        ticks = ticks * 10 + i64::from(digit - b'0');
    }
    ticks *= 10_i64.pow((digits - kept.len()) as u32);
    i64::try_from(i128::from(seconds) * i128::from(per_second(unit)) + i128::from(ticks)).ok()
}

fn number(text: &str) -> Option<u32> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

fn malformed(text: &str, type_name: &str) -> String {
    format!("'{text}' is no {type_name}")
}

fn out_of_range(text: &str, unit: TimeUnit) -> String {
    match unit {
        TimeUnit::Nanosecond => format!(
            "'{text}' is outside of 1677-09-21 to 2262-04-11, where timestamps with nanoseconds are kept; cast the \
             column to timestamp(6)"
        ),
        _ => malformed(text, "timestamp"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_keep_exactly_their_digits() {
        let check = |text: &str, scale, expected| assert_eq!(decimal(text, scale), expected, "{text}");
        check("1.50", 2, Some(150));
        check("-0.01", 2, Some(-1));
        check("7", 0, Some(7));
        check("99999999999999999999999999999999999999", 0, Some(10_i128.pow(38) - 1));
        for bad in ["", "-", ".", "1.5", "1.500", "1,50", "1e2", "--1.00", "1.5.0"] {
            check(bad, 2, None);
        }
    }

    #[test]
    fn dates_and_times_are_parsed_as_trino_writes_them() {
        assert_eq!(date("1970-01-02"), Some(1));
        assert_eq!(date("+12020-01-01"), days_from_civil(12_020, 1, 1).and_then(|days| days.try_into().ok()));
        assert_eq!(date("-0044-03-15"), days_from_civil(-44, 3, 15).and_then(|days| days.try_into().ok()));
        for bad in ["", "2020", "2020-13-01", "2020-02-30", "20-é-01"] {
            assert_eq!(date(bad), None, "{bad}");
        }
        assert_eq!(time("01:02:03"), Some(3_723_000_000));
        assert_eq!(time("23:59:59.999999"), Some(86_399_999_999));
        assert_eq!(time("24:00:00"), None);
        assert_eq!(timestamp("1970-01-01 00:00:01", TimeUnit::Second), Ok(1));
        assert_eq!(timestamp("1970-01-01 00:00:01.5", TimeUnit::Millisecond), Ok(1500));
        assert_eq!(timestamp("1969-12-31 23:59:59.999999", TimeUnit::Microsecond), Ok(-1));
        assert_eq!(timestamp("1970-01-01 00:00:00.000000001", TimeUnit::Nanosecond), Ok(1));
        let far = timestamp("2263-01-01 00:00:00.000000000", TimeUnit::Nanosecond);
        assert!(far.is_err_and(|error| error.contains("timestamp(6)")));
    }

    #[test]
    fn zoned_timestamps_keep_instant_and_offset() {
        let mut zones = Zones::default();
        let mut check = |text: &str, moment: &str, offset: i16| {
            let expected = timestamp(moment, TimeUnit::Millisecond).expect(moment);
            assert_eq!(
                zoned_timestamp(text, TimeUnit::Millisecond, &mut zones),
                Ok((expected, offset)),
                "{text}"
            );
        };
        check("2020-01-02 03:04:05.123 UTC", "2020-01-02 03:04:05.123", 0);
        check("2020-01-02 03:04:05.123 +05:30", "2020-01-01 21:34:05.123", 330);
        check("2020-01-02 03:04:05.123 -01:15", "2020-01-02 04:19:05.123", -75);
        check("2020-01-02 03:04:05.123 Europe/Berlin", "2020-01-02 02:04:05.123", 60);
        check("2020-07-02 03:04:05.123 Europe/Berlin", "2020-07-02 01:04:05.123", 120);
        // In the repeated hour the first one is assumed, in summer time.
        check("2020-10-25 02:30:00.000 Europe/Berlin", "2020-10-25 00:30:00.000", 120);
        check("-2020-01-02 03:04:05.123 UTC", "-2020-01-02 03:04:05.123", 0);
        assert!(zoned_timestamp("2020-01-02 03:04:05 Mars/Base", TimeUnit::Second, &mut zones).is_err());
    }

    #[test]
    fn timestamps_finer_than_a_nanosecond_stay_text() {
        let check = |text: &str, has_zone, expected: &str| {
            assert_eq!(fine_timestamp(text, has_zone).as_deref(), Ok(expected), "{text}");
        };
        check("2020-01-02 03:04:05.123456789012", false, "2020-01-02T03:04:05.123456789012");
        check("2020-01-02 03:04:05.123456789012 UTC", true, "2020-01-02T03:04:05.123456789012Z");
        check("2020-07-02 03:04:05.1234567890 Europe/Berlin", true, "2020-07-02T03:04:05.1234567890+02:00");
        check("2020-01-02 03:04:05.1234567890 -01:15", true, "2020-01-02T03:04:05.1234567890-01:15");
        assert!(fine_timestamp("2020-01-02", false).is_err());
    }

    #[test]
    fn intervals() {
        assert_eq!(interval_day_to_second("2 03:04:05.678"), Some(183_845_678));
        assert_eq!(interval_day_to_second("-0 00:00:00.001"), Some(-1));
        assert_eq!(interval_day_to_second("03:04:05"), None);
        assert_eq!(interval_year_to_month("1-2"), Some(14));
        assert_eq!(interval_year_to_month("-1-2"), Some(-14));
        assert_eq!(interval_year_to_month("14"), None);
    }
}
