//! Dates, times, timestamps and intervals as text (D18), and the underlying calendar, which filters use to parse them.

use arrow_schema::TimeUnit;
use rowhouse_model::calendar;

use super::number::{eight_digits, put_u64, two_digits};
use super::output::Output;
use crate::arrow_file::zone::Zone;

const SECONDS_PER_DAY: i64 = 86_400;

/// Writes `YYYY-MM-DD`; years beyond 9999 have a `+`, years before 0 a `-`, as in ISO-8601 and in Trino.
#[inline]
pub(super) fn put_date(out: &mut Output, days: i64) {
    match i32::try_from(days).ok().and_then(near_date) {
        Some(text) => {
            *out.window::<16>() = text.to_le_bytes();
            out.advance(DATE_BYTES);
        }
        None => {
            let (year, month, day) = civil_from_days(days);
            if (0..=9999).contains(&year) {
                put_year_0_to_9999(out, year as u32, month, day);
            } else {
                put_far_date(out, year, month, day);
            }
        }
    }
}

/// Characters of `YYYY-MM-DD`.
pub(super) const DATE_BYTES: usize = 10;

/// The text `YYYY-MM-DD`, its first character in the lowest byte, of a day from 0000-03-01 to 9999-12-31: nearly all
/// that occur.
///
/// The calendar is Neri's and Schneider's ("Euclidean affine functions and their application to calendar algorithms",
/// 2022): years that begin in March, and multiplications instead of divisions.
#[inline(always)]
pub(super) fn near_date(days: i32) -> Option<u128> {
    const MARCH_OF_YEAR_0: i32 = -719_468;
    const LAST: u32 = (2_932_896 - MARCH_OF_YEAR_0) as u32;
    let days = days.wrapping_sub(MARCH_OF_YEAR_0) as u32;
    if days > LAST {
        return None;
    }
    let quarters = 4 * days + 3;
    let (century, day_of_century) = (quarters / 146_097, quarters % 146_097 / 4);
    let product = 2_939_745 * u64::from(4 * day_of_century + 3);
    let (year_of_century, day_of_year) = ((product >> 32) as u32, product as u32 / 2_939_745 / 4);
    let month_and_day = 2141 * day_of_year + 197_913;
    let (month_from_march, day) = (month_and_day >> 16, (month_and_day & 0xffff) / 2141 + 1);
    let is_next_year = day_of_year >= 306;
    let year = 100 * century + year_of_century + u32::from(is_next_year);
    let month = if is_next_year { month_from_march - 12 } else { month_from_march };
    let digits = u128::from(eight_digits((year * 10_000 + month * 100 + day).into()));
    const POINTS: u128 = (b'-' as u128) << 32 | (b'-' as u128) << 56;
    Some(digits & 0xffff_ffff | (digits & 0xffff_0000_0000) << 8 | (digits >> 48) << 64 | POINTS)
}

/// Writes `HH:MM:SS.ffffff` from a count of units since midnight (D18); with nine digits if the unit is finer.
#[inline]
pub(super) fn put_time(out: &mut Output, value: i64, unit: TimeUnit) {
    let per_second = per_second(unit);
    put_clock(out, value.div_euclid(per_second));
    let fraction = value.rem_euclid(per_second);
    match unit {
        TimeUnit::Nanosecond => put_fraction(out, fraction, 9),
        _ => put_fraction(out, fraction * (1_000_000 / per_second), 6),
    }
}

/// Writes `YYYY-MM-DDTHH:MM:SS` with exactly the digits of the unit, then `Z` or an offset if there is a zone.
#[inline]
pub(super) fn put_timestamp(out: &mut Output, value: i64, unit: TimeUnit, zone: Option<&Zone>) {
    let per_second = per_second(unit);
    let seconds = value.div_euclid(per_second);
    let offset = zone.map_or(0, |zone| zone.offset_seconds(seconds));
    // Offsets are whole minutes on the wire; those of local mean time are not, so the rest stays in the clock.
    let offset_minutes = offset.div_euclid(60);
    put_local(out, value, unit, offset_minutes);
    match zone {
        None => {}
        Some(Zone::Utc) => out.push(b'Z'),
        Some(_) => put_offset(out, offset_minutes),
    }
}

/// As [`put_timestamp`], with the value's own offset; `Z` for none.
#[inline]
pub(super) fn put_zoned_timestamp(out: &mut Output, value: i64, unit: TimeUnit, offset_minutes: i16) {
    put_local(out, value, unit, offset_minutes.into());
    match offset_minutes {
        0 => out.push(b'Z'),
        minutes => put_offset(out, minutes.into()),
    }
}

/// The nearest value with so many digits of a second, the later one of two, as Trino rounds for clients without precisions.
fn rounded(value: i64, unit: TimeUnit, digits: u8) -> i64 {
    let units_of_digit = per_second(unit) / 10_i64.pow(u32::from(digits.min(9)));
    if units_of_digit <= 1 {
        return value;
    }
    value.saturating_add(units_of_digit / 2).div_euclid(units_of_digit) * units_of_digit
}

/// Writes `HH:MM:SS.fff` with exactly `digits` digits, the form of `time(p)` in Trino's client protocol.
pub(super) fn put_trino_time(out: &mut Output, value: i64, unit: TimeUnit, digits: u8) {
    let per_second = per_second(unit);
    // The time after the last one is midnight.
    let value = rounded(value, unit, digits).rem_euclid(SECONDS_PER_DAY * per_second);
    put_clock(out, value.div_euclid(per_second));
    put_digits(out, value.rem_euclid(per_second), unit, digits);
}

/// Writes `YYYY-MM-DD HH:MM:SS.fff` at an offset in seconds east of UTC, with exactly `digits` digits, the form of
/// `timestamp(p)` in Trino's client protocol.
pub(super) fn put_trino_timestamp(
    out: &mut Output,
    value: i64,
    unit: TimeUnit,
    offset_seconds: i32,
    digits: u8,
) {
    let per_second = per_second(unit);
    let value = rounded(value, unit, digits);
    let local = value.div_euclid(per_second).saturating_add(i64::from(offset_seconds));
    put_date(out, local.div_euclid(SECONDS_PER_DAY));
    out.push(b' ');
    put_clock(out, local.rem_euclid(SECONDS_PER_DAY));
    put_digits(out, value.rem_euclid(per_second), unit, digits);
}

/// Writes an offset as a zone in Trino's spelling: `UTC`, `+05:30`.
pub(super) fn put_trino_zone(out: &mut Output, offset_minutes: i32) {
    match offset_minutes {
        0 => out.put(b"UTC"),
        minutes => put_offset(out, minutes),
    }
}

/// Writes the fraction of a second with exactly `digits` digits; it has no more.
fn put_digits(out: &mut Output, fraction: i64, unit: TimeUnit, digits: u8) {
    let nanos = fraction * (1_000_000_000 / per_second(unit));
    match u32::from(digits) {
        0 => {}
        digits @ 1..=9 => put_fraction(out, nanos / 10_i64.pow(9 - digits), digits),
        digits => {
            put_fraction(out, nanos, 9);
            (9..digits).for_each(|_| out.push(b'0'));
        }
    }
}

/// Writes `1-2`, years and months, as Trino prints `interval year to month`.
#[inline]
pub(super) fn put_months(out: &mut Output, months: i32) {
    if months < 0 {
        out.push(b'-');
    }
    let magnitude = u64::from(months.unsigned_abs());
    put_u64(out, magnitude / 12);
    out.push(b'-');
    put_u64(out, magnitude % 12);
}

/// Writes date, `T` and time at an offset in minutes east of UTC.
#[inline]
fn put_local(out: &mut Output, value: i64, unit: TimeUnit, offset_minutes: i32) {
    let per_second = per_second(unit);
    let (seconds, fraction) = (value.div_euclid(per_second), value.rem_euclid(per_second));
    let local = seconds.saturating_add(i64::from(offset_minutes) * 60);
    if let Some(length) = local_into(out.window(), local, fraction as u32, unit) {
        return out.advance(length);
    }
    put_date(out, local.div_euclid(SECONDS_PER_DAY));
    out.push(b'T');
    put_clock(out, local.rem_euclid(SECONDS_PER_DAY));
    match unit {
        TimeUnit::Second => {}
        TimeUnit::Millisecond => put_fraction(out, fraction, 3),
        TimeUnit::Microsecond => put_fraction(out, fraction, 6),
        TimeUnit::Nanosecond => put_fraction(out, fraction, 9),
    }
}

/// Size of the window that [`timestamp_into`] writes to.
pub(super) const TIMESTAMP_BYTES: usize = 40;

/// As [`put_timestamp`] without a zone, for the dates of [`near_date`]; returns its end.
#[inline(always)]
pub(super) fn timestamp_into(
    window: &mut [u8; TIMESTAMP_BYTES],
    value: i64,
    unit: TimeUnit,
) -> Option<usize> {
    // The divisor is a constant for each unit.
    let (seconds, fraction) = match unit {
        TimeUnit::Second => (value, 0),
        TimeUnit::Millisecond => (value.div_euclid(1000), value.rem_euclid(1000)),
        TimeUnit::Microsecond => (value.div_euclid(1_000_000), value.rem_euclid(1_000_000)),
        TimeUnit::Nanosecond => (value.div_euclid(1_000_000_000), value.rem_euclid(1_000_000_000)),
    };
    local_into(window, seconds, fraction as u32, unit)
}

#[inline(always)]
fn local_into(
    window: &mut [u8; TIMESTAMP_BYTES],
    seconds: i64,
    fraction: u32,
    unit: TimeUnit,
) -> Option<usize> {
    /// Position of the fraction's point.
    const POINT: usize = DATE_BYTES + 9;
    const COLONS: u64 = (b':' as u64) << 16 | (b':' as u64) << 40;
    let date = near_date(i32::try_from(seconds.div_euclid(SECONDS_PER_DAY)).ok()?)?;
    let second = seconds.rem_euclid(SECONDS_PER_DAY) as u32;
    let digits = eight_digits((second / 3600 * 10_000 + second / 60 % 60 * 100 + second % 60).into()) >> 16;
    let clock = digits & 0xffff | (digits & 0xffff_0000) << 8 | (digits & 0xffff_0000_0000) << 16 | COLONS;
    window[..16].copy_from_slice(&date.to_le_bytes());
    window[DATE_BYTES] = b'T';
    window[DATE_BYTES + 1..POINT].copy_from_slice(&clock.to_le_bytes());
    window[POINT] = b'.';
    let (low, digits) = match unit {
        TimeUnit::Second => return Some(POINT),
        TimeUnit::Millisecond => (fraction, 3),
        TimeUnit::Microsecond => (fraction, 6),
        TimeUnit::Nanosecond => {
            window[POINT + 1] = b'0' + (fraction / 100_000_000) as u8;
            (fraction % 100_000_000, 8)
        }
    };
    let at = POINT + 1 + usize::from(unit == TimeUnit::Nanosecond);
    window[at..at + 8].copy_from_slice(&(eight_digits(low.into()) >> (64 - 8 * digits)).to_le_bytes());
    Some(at + digits)
}

/// Writes an offset as `+HH:MM`.
#[inline]
fn put_offset(out: &mut Output, offset_minutes: i32) {
    let minutes = offset_minutes.unsigned_abs();
    let [a, b] = two_digits(minutes / 60);
    let [c, d] = two_digits(minutes % 60);
    out.put_array(&[if offset_minutes < 0 { b'-' } else { b'+' }, a, b, b':', c, d]);
}

/// Writes `2 03:04:05.000`, as Trino prints `interval day to second`; microseconds only if there are any.
#[inline]
pub(super) fn put_duration(out: &mut Output, value: i64, unit: TimeUnit) {
    if value < 0 {
        out.push(b'-');
    }
    let magnitude = value.unsigned_abs();
    let per_second = per_second(unit).unsigned_abs();
    let (seconds, fraction) = (magnitude / per_second, magnitude % per_second);
    let micros = match unit {
        TimeUnit::Nanosecond => fraction / 1000,
        _ => fraction * (1_000_000 / per_second),
    };
    let day = SECONDS_PER_DAY.unsigned_abs();
    put_u64(out, seconds / day);
    out.push(b' ');
    put_clock(out, (seconds % day) as i64);
    if micros % 1000 == 0 {
        put_fraction(out, (micros / 1000) as i64, 3);
    } else {
        put_fraction(out, micros as i64, 6);
    }
}

/// Units per second.
pub const fn per_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

/// As [`calendar::civil_from_days`], for the hot loop: in unsigned 64 bits, shifted by a large multiple of 400 years,
/// which makes the divisions cheap.
#[inline(always)]
pub fn civil_from_days(days: i64) -> (i64, u32, u32) {
    const ERAS: i64 = 1 << 40;
    let shifted = (days + 719_468 + ERAS * 146_097) as u64;
    let era = shifted / 146_097;
    let day_of_era = (shifted - era * 146_097) as u32;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = i64::from(year_of_era) + (era as i64 - ERAS) * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// The inverse of [`civil_from_days`]; none for a day that does not exist.
#[inline]
pub fn days_from_civil(year: i64, month: u32, day: u32) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let days = calendar::days_from_civil(year, i64::from(month), i64::from(day));
    // Every month has a 28th.
    (day <= 28 || civil_from_days(days) == (year, month, day)).then_some(days)
}

/// Writes `HH:MM:SS` of seconds since midnight.
#[inline(always)]
fn put_clock(out: &mut Output, seconds: i64) {
    let seconds = seconds as u32;
    let [a, b] = two_digits(seconds / 3600 % 100);
    let [c, d] = two_digits(seconds / 60 % 60);
    let [e, f] = two_digits(seconds % 60);
    out.put_array(&[a, b, b':', c, d, b':', e, f]);
}

/// Writes a point and exactly `digits` digits, at most nine.
#[inline(always)]
fn put_fraction(out: &mut Output, value: i64, digits: u32) {
    out.push(b'.');
    let mut value = value as u64;
    let mut digits = digits;
    if digits == 9 {
        out.push(b'0' + (value / 100_000_000) as u8);
        value %= 100_000_000;
        digits = 8;
    }
    *out.window::<8>() = (eight_digits(value) >> (64 - 8 * digits)).to_le_bytes();
    out.advance(digits as usize);
}

#[cold]
fn put_year_0_to_9999(out: &mut Output, year: u32, month: u32, day: u32) {
    let [a, b] = two_digits(year / 100);
    let [c, d] = two_digits(year % 100);
    let [e, f] = two_digits(month);
    let [g, h] = two_digits(day);
    out.put_array(&[a, b, c, d, b'-', e, f, b'-', g, h]);
}

#[cold]
fn put_far_date(out: &mut Output, year: i64, month: u32, day: u32) {
    out.push(if year < 0 { b'-' } else { b'+' });
    let magnitude = year.unsigned_abs();
    if magnitude < 1000 {
        let digits = eight_digits(magnitude).to_le_bytes();
        out.put(&digits[4..]);
    } else {
        put_u64(out, magnitude);
    }
    let [e, f] = two_digits(month);
    let [g, h] = two_digits(day);
    out.put_array(&[b'-', e, f, b'-', g, h]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_convert_both_ways() {
        let check = |days: i64, expected: (i64, u32, u32)| {
            assert_eq!(civil_from_days(days), expected);
            assert_eq!(days_from_civil(expected.0, expected.1, expected.2), Some(days));
        };
        check(0, (1970, 1, 1));
        check(-1, (1969, 12, 31));
        check(11_016, (2000, 2, 29));
        check(-719_468, (0, 3, 1));
        check(-719_529, (-1, 12, 31) /* day before 0000-01-01 */);
        check(2_932_896, (9999, 12, 31));
        check(2_932_897, (10_000, 1, 1));
        check(i64::from(i32::MAX), (5_881_580, 7, 11));
        check(i64::from(i32::MIN), (-5_877_641, 6, 23));
        for days in (-800_000..3_000_000).step_by(37) {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, month, day), Some(days));
        }
    }

    #[test]
    fn values_of_clients_without_precisions_are_rounded() {
        let shown = |put: &dyn Fn(&mut Output)| {
            let mut out = Output::new(64);
            put(&mut out);
            String::from_utf8(out.filled().to_vec()).expect("UTF-8")
        };
        let time = |nanos| shown(&|out: &mut Output| put_trino_time(out, nanos, TimeUnit::Nanosecond, 3));
        assert_eq!(time(86_399_999_999_900), "00:00:00.000");
        assert_eq!(time(36_000_123_500_000), "10:00:00.124");
        assert_eq!(time(36_000_123_499_999), "10:00:00.123");
        let timestamp = |micros, digits| {
            shown(&|out: &mut Output| put_trino_timestamp(out, micros, TimeUnit::Microsecond, 0, digits))
        };
        assert_eq!(timestamp(-500, 3), "1970-01-01 00:00:00.000");
        assert_eq!(timestamp(-501, 3), "1969-12-31 23:59:59.999");
        assert_eq!(timestamp(-1_500, 3), "1969-12-31 23:59:59.999");
        assert_eq!(timestamp(1_609_459_199_999_500, 3), "2021-01-01 00:00:00.000");
        assert_eq!(timestamp(1_609_459_199_500_000, 0), "2021-01-01 00:00:00");
        assert_eq!(timestamp(1_609_459_199_999_999, 6), "2020-12-31 23:59:59.999999");
        assert_eq!(timestamp(1_609_459_199_999_999, 9), "2020-12-31 23:59:59.999999000");
    }

    /// Every day that the fast path supports, and those around them.
    #[test]
    fn the_fast_date_path_matches_the_calendar() {
        assert_eq!(near_date(-719_469), None);
        assert_eq!(near_date(2_932_897), None);
        assert_eq!(near_date(i32::MIN), None);
        assert_eq!(near_date(i32::MAX), None);
        for days in -719_468..=2_932_896 {
            let text = near_date(days).expect("a near day").to_le_bytes();
            let number = |range: std::ops::Range<usize>| {
                text[range].iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
            };
            let (year, month, day) = civil_from_days(days.into());
            assert_eq!((number(0..4).into(), number(5..7), number(8..10)), (year, month, day), "{days}");
            assert_eq!((text[4], text[7]), (b'-', b'-'), "{days}");
        }
    }

    #[test]
    fn dates_that_do_not_exist_are_refused() {
        let check = |year, month, day| assert_eq!(days_from_civil(year, month, day), None);
        check(2001, 2, 29);
        check(1900, 2, 29);
        check(2000, 4, 31);
        check(2000, 13, 1);
        check(2000, 0, 1);
        check(2000, 1, 0);
    }
}
