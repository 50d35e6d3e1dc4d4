//! Units of `date_trunc`, `date_add` and `date_diff`. Whole months and years are counted like Joda-Time, which Trino's
//! functions use. Values are local times, in the units of their type.

use super::calendar::{
    MILLIS_PER_DAY, add_months, civil_from_days, days_from_civil, days_in_month, rounded, units_per_day,
};
use rowhouse_sql::types::Type;

/// Milliseconds from the start of a year to 29 February or, in common years, to 1 March.
const MILLIS_BEFORE_LEAP_DAY: i64 = 59 * MILLIS_PER_DAY;

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Unit {
    /// The unit of this name in any letter case, if values of the type have it.
    ///
    /// # Errors
    ///
    /// The message says that the type does not have the unit.
    pub(crate) fn of(name: &str, data_type: &Type) -> Result<Self, String> {
        let (kind, longest, shortest) = match data_type {
            Type::Date => ("DATE", Self::Year, Self::Day),
            Type::Time { .. } => ("TIME", Self::Hour, Self::Millisecond),
            _ => ("TIMESTAMP", Self::Year, Self::Millisecond),
        };
        let all = [
            ("millisecond", Self::Millisecond),
            ("second", Self::Second),
            ("minute", Self::Minute),
            ("hour", Self::Hour),
            ("day", Self::Day),
            ("week", Self::Week),
            ("month", Self::Month),
            ("quarter", Self::Quarter),
            ("year", Self::Year),
        ];
        let place = |unit: Self| all.iter().position(|(_, other)| *other == unit);
        let found = all.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)).map(|(_, unit)| *unit);
        found
            .filter(|unit| place(shortest) <= place(*unit) && place(*unit) <= place(longest))
            .ok_or_else(|| format!("'{name}' is not a valid {kind} field"))
    }

    /// Whether the unit has the same length in every zone. Such units are counted between instants, independent of the
    /// local time.
    pub(crate) const fn is_of_a_clock(self) -> bool {
        matches!(self, Self::Millisecond | Self::Second | Self::Minute | Self::Hour)
    }

    /// Milliseconds of the units of fixed length.
    const fn millis(self) -> Option<i64> {
        Some(match self {
            Self::Millisecond => 1,
            Self::Second => 1000,
            Self::Minute => 60_000,
            Self::Hour => 3_600_000,
            Self::Day => MILLIS_PER_DAY,
            Self::Week => 7 * MILLIS_PER_DAY,
            Self::Month | Self::Quarter | Self::Year => return None,
        })
    }

    const fn months(self) -> i64 {
        match self {
            Self::Quarter => 3,
            Self::Year => 12,
            _ => 1,
        }
    }

    /// The start of the unit that contains a value.
    pub(crate) fn truncate(self, local: i64, data_type: &Type) -> Option<i64> {
        let per_day = day_length(data_type);
        if let Some(millis) = self.millis()
            && self.is_of_a_clock()
        {
            let length = millis * (per_day / MILLIS_PER_DAY);
            return Some(local - local.rem_euclid(length.max(1)));
        }
        let day = local.div_euclid(per_day);
        let (year, month, _) = civil_from_days(day);
        let start = match self {
            // 1970-01-01 was a Thursday; weeks begin on Monday.
            Self::Week => day - (day + 3).rem_euclid(7),
            Self::Month => days_from_civil(year, month, 1),
            Self::Quarter => days_from_civil(year, (month - 1) / 3 * 3 + 1, 1),
            Self::Year => days_from_civil(year, 1, 1),
            _ => day,
        };
        start.checked_mul(per_day)
    }

    /// Adds `amount` units. Times of day wrap around, and digits that the type does not have are rounded. `None` if the
    /// result exceeds 64 bits.
    pub(crate) fn add(self, local: i64, amount: i64, data_type: &Type) -> Option<i64> {
        let per_day = day_length(data_type);
        let Some(millis) = self.millis() else {
            let day = add_months(local.div_euclid(per_day), amount.checked_mul(self.months())?)?;
            return day.checked_mul(per_day)?.checked_add(local.rem_euclid(per_day));
        };
        if *data_type == Type::Date {
            return local.checked_add(amount.checked_mul(millis / MILLIS_PER_DAY)?);
        }
        let length = millis.checked_mul(per_day / MILLIS_PER_DAY)?;
        if matches!(data_type, Type::Time { .. }) {
            // Only the remainder of the amount after whole days counts.
            let rest = amount % (per_day / length);
            return rounded((local + rest * length).rem_euclid(per_day), data_type);
        }
        rounded(local.checked_add(amount.checked_mul(length)?)?, data_type)
    }

    /// The whole units from one value to another. Fractions of a millisecond do not count, except in times of day.
    pub(crate) fn between(self, from: i64, to: i64, data_type: &Type) -> i64 {
        if let (Type::Time { .. }, Some(millis)) = (data_type, self.millis()) {
            return (to - from) / (millis * (day_length(data_type) / MILLIS_PER_DAY));
        }
        let in_millis = |value: i64| match data_type {
            Type::Date => value.saturating_mul(MILLIS_PER_DAY),
            _ => value.div_euclid(units_per_day(data_type) / MILLIS_PER_DAY),
        };
        let (from, to) = (in_millis(from), in_millis(to));
        if let Some(millis) = self.millis() {
            return to.saturating_sub(from) / millis;
        }
        let whole = if self == Self::Year { years_between } else { months_between };
        let count = if to < from { -whole(to, from) } else { whole(from, to) };
        if self == Self::Quarter { count / 3 } else { count }
    }
}

const fn day_length(data_type: &Type) -> i64 {
    match data_type {
        Type::Date => 1,
        other => units_per_day(other),
    }
}

/// The whole months between two times. The last day of a month counts as every later day that the month does not have.
fn months_between(earlier: i64, later: i64) -> i64 {
    let ((year, month, day), (to_year, to_month, to_day)) = (civil(earlier), civil(later));
    let whole = (to_year - year) * 12 + to_month - month;
    let day = if to_day == days_in_month(to_year, to_month) { day.min(to_day) } else { day };
    let is_short = (to_day, later.rem_euclid(MILLIS_PER_DAY)) < (day, earlier.rem_euclid(MILLIS_PER_DAY));
    whole - i64::from(is_short)
}

/// The whole years between two times. Days after 28 February are counted as if both years had a leap day, or neither.
fn years_between(earlier: i64, later: i64) -> i64 {
    let ((year, ..), (to_year, ..)) = (civil(earlier), civil(later));
    let in_year = |millis: i64, year: i64| millis - days_from_civil(year, 1, 1) * MILLIS_PER_DAY;
    let (mut from_rest, mut to_rest) = (in_year(earlier, year), in_year(later, to_year));
    if from_rest >= MILLIS_BEFORE_LEAP_DAY {
        match (days_in_month(year, 2), days_in_month(to_year, 2)) {
            (29, 28) => from_rest -= MILLIS_PER_DAY,
            (28, 29) if to_rest >= MILLIS_BEFORE_LEAP_DAY => to_rest -= MILLIS_PER_DAY,
            _ => {}
        }
    }
    to_year - year - i64::from(to_rest < from_rest)
}

fn civil(millis: i64) -> (i64, i64, i64) {
    civil_from_days(millis.div_euclid(MILLIS_PER_DAY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversion::time_text::date_to_text;
    use rowhouse_sql::date_time_text::parse_date;

    fn day(text: &str) -> i64 {
        parse_date(text).expect("a date").into()
    }

    #[track_caller]
    fn check_between(unit: Unit, from: &str, to: &str, expected: i64) {
        assert_eq!(unit.between(day(from), day(to), &Type::Date), expected, "{from} {to}");
    }

    #[test]
    fn date_diff_counts_whole_units() {
        check_between(Unit::Month, "2024-01-31", "2024-02-29", 1);
        check_between(Unit::Month, "2024-01-31", "2024-02-28", 0);
        check_between(Unit::Month, "2024-02-29", "2024-01-31", -1);
        check_between(Unit::Month, "2024-01-15", "2024-03-15", 2);
        check_between(Unit::Month, "2024-03-15", "2024-01-16", -1);
        check_between(Unit::Year, "2020-02-29", "2024-02-28", 3);
        check_between(Unit::Year, "2020-02-29", "2023-02-28", 3);
        check_between(Unit::Day, "2024-02-28", "2024-03-01", 2);
        check_between(Unit::Week, "2024-01-01", "2024-01-14", 1);
    }

    #[test]
    fn a_week_begins_on_monday() {
        let start = |unit: Unit| unit.truncate(day("2024-02-28"), &Type::Date).map(date_to_text);
        assert_eq!(start(Unit::Week).as_deref(), Some("2024-02-26"));
        assert_eq!(start(Unit::Quarter).as_deref(), Some("2024-01-01"));
    }

    #[test]
    fn times_of_day_wrap_around() {
        let time = Type::Time { precision: 3 };
        let noon = 12 * 3_600_000_000_000;
        assert_eq!(Unit::Hour.add(noon, 13, &time), Some(3_600_000_000_000));
        assert_eq!(Unit::Hour.add(noon, i64::MIN, &time), Unit::Hour.add(noon, i64::MIN % 24, &time));
        assert_eq!(Unit::Minute.truncate(noon + 61_000_000_000, &time), Some(noon + 60_000_000_000));
    }
}
