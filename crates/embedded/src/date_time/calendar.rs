//! Units of the date and time types, and months in the calendar that the wire format of timestamps uses, too.

pub(crate) use rowhouse_model::calendar::{MILLIS_PER_DAY, civil_from_days, days_from_civil};

use rowhouse_sql::types::Type;

/// Units of a timestamp type in a day.
pub(crate) const fn units_per_day(data_type: &Type) -> i64 {
    86_400 * units_per_second(data_type)
}

/// Units of a timestamp or time type in a second.
pub(crate) const fn units_per_second(data_type: &Type) -> i64 {
    match data_type {
        Type::Timestamp { precision } | Type::TimestampWithTimeZone { precision, .. } => match *precision {
            0..=3 => 1000,
            4..=6 => 1_000_000,
            _ => 1_000_000_000,
        },
        // A time of day is stored in nanoseconds for every precision.
        Type::Time { .. } | Type::TimeWithTimeZone { .. } => 1_000_000_000,
        _ => 1000,
    }
}

/// Nanoseconds in a day, after which a time of day wraps around.
pub(crate) const NANOS_PER_DAY: i64 = 86_400_000_000_000;

/// The number of fractional digits of a time or timestamp type.
pub(crate) const fn precision(data_type: &Type) -> Option<u8> {
    match data_type {
        Type::Time { precision }
        | Type::TimeWithTimeZone { precision, .. }
        | Type::Timestamp { precision }
        | Type::TimestampWithTimeZone { precision, .. } => Some(*precision),
        _ => None,
    }
}

/// Rounds units of a time or timestamp half up to the fractional digits of its type, as Trino does; a time of day wraps
/// around. `None` if the result is out of range.
pub(crate) fn rounded(units: i64, data_type: &Type) -> Option<i64> {
    let Some(precision) = precision(data_type) else { return Some(units) };
    let step = units_per_second(data_type) / 10_i64.pow(u32::from(precision));
    let rounded = units.checked_add(step / 2)?.div_euclid(step).checked_mul(step)?;
    let is_time = matches!(data_type, Type::Time { .. } | Type::TimeWithTimeZone { .. });
    Some(if is_time { rounded.rem_euclid(NANOS_PER_DAY) } else { rounded })
}

/// The number of days in a month.
pub(crate) const fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The day `months` months later; the last day of that month if the month is too short.
pub(crate) fn add_months(days: i64, months: i64) -> Option<i64> {
    let (year, month, day) = civil_from_days(days);
    let total = year.checked_mul(12)?.checked_add(month - 1)?.checked_add(months)?;
    let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
    // No type has years of ten digits.
    (year.abs() < 1_000_000_000).then(|| days_from_civil(year, month, day.min(days_in_month(year, month))))
}

/// The value, if it is in the range of its type as in Trino: 32 bits of days for a date and of months for an interval,
/// 64 bits of microseconds for a timestamp, 52 bits of milliseconds for a timestamp with a zone.
pub(crate) fn in_range(value: i64, data_type: &Type) -> Option<i64> {
    let is_held = match data_type {
        Type::Date | Type::IntervalYearToMonth => i32::try_from(value).is_ok(),
        Type::Timestamp { precision: 0..=3 } => value.checked_mul(1000).is_some(),
        Type::TimestampWithTimeZone { .. } => {
            let millis = value.div_euclid(units_per_second(data_type) / 1000);
            (-(1_i64 << 51)..1 << 51).contains(&millis)
        }
        _ => true,
    };
    is_held.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_convert_both_ways() {
        for day in [-719_528, -1, 0, 59, 60, 11_016, 19_782, 2_932_896] {
            let (year, month, of_month) = civil_from_days(day);
            assert_eq!(days_from_civil(year, month, of_month), day);
        }
        assert_eq!(civil_from_days(19_782), (2024, 2, 29));
    }

    #[test]
    fn timestamps_are_rounded_half_up() {
        let check = |units, precision, expected| {
            assert_eq!(rounded(units, &Type::Timestamp { precision }), expected, "{units}");
        };
        check(1_499, 0, Some(1_000));
        check(1_500, 0, Some(2_000));
        check(-500, 0, Some(0));
        check(-501, 0, Some(-1_000));
        check(-1_250, 1, Some(-1_200));
        check(1_234_565, 5, Some(1_234_570));
        check(i64::MAX, 9, Some(i64::MAX));
        check(i64::MAX, 0, None);
        assert_eq!(rounded(NANOS_PER_DAY - 1, &Type::Time { precision: 8 }), Some(0));
    }

    #[test]
    fn adding_months_clamps_to_the_last_day_of_the_month() {
        let january_31 = days_from_civil(2024, 1, 31);
        assert_eq!(add_months(january_31, 1), Some(days_from_civil(2024, 2, 29)));
        assert_eq!(add_months(january_31, 13), Some(days_from_civil(2025, 2, 28)));
        assert_eq!(add_months(january_31, -2), Some(days_from_civil(2023, 11, 30)));
    }
}
