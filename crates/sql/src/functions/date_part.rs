//! Facts of the functions that return a part of a date or of a time of day.

use super::ScalarFunction;

impl ScalarFunction {
    /// Whether the result depends on the date alone, whatever the time of day.
    pub const fn is_of_date(self) -> bool {
        matches!(
            self,
            Self::Year
                | Self::Quarter
                | Self::Month
                | Self::Week
                | Self::Day
                | Self::DayOfWeek
                | Self::DayOfYear
                | Self::YearOfWeek
                | Self::LastDayOfMonth
        )
    }

    /// The least and the greatest result of a part of a date, time or timestamp; `None` for years and other functions.
    pub const fn range_of_part(self) -> Option<(i64, i64)> {
        Some(match self {
            Self::Quarter => (1, 4),
            Self::Month => (1, 12),
            Self::Week => (1, 53),
            Self::Day => (1, 31),
            Self::DayOfWeek => (1, 7),
            Self::DayOfYear => (1, 366),
            Self::Hour => (0, 23),
            Self::Minute | Self::Second => (0, 59),
            Self::Millisecond => (0, 999),
            _ => return None,
        })
    }

    /// The least and the greatest part of an interval, which has the interval's sign; `None` if it has no limits.
    pub const fn range_of_interval_part(self) -> Option<(i64, i64)> {
        Some(match self {
            Self::Month => (-11, 11),
            Self::Hour => (-23, 23),
            Self::Minute | Self::Second => (-59, 59),
            Self::Millisecond => (-999, 999),
            _ => return None,
        })
    }
}
