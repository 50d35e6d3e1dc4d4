//! Parses dates and times by a pattern, like Joda-Time: fields are set from the longest to the shortest, and each must
//! be in its range at that point. Missing fields are those of 1970-01-01T00:00.

use polars::prelude::{PolarsError, PolarsResult};
use rowhouse_model::ErrorCode;

use super::invalid;
use super::pattern::{Field, Item, ZoneForm};
use super::print::{MILLIS_PER_DAY, names, value, week_of};
use crate::date_time::calendar::{civil_from_days, days_from_civil, days_in_month};
use crate::date_time::clock::Clock;
use crate::failure::raise;
use rowhouse_sql::types::{Type, UTC, canonical_zone, offset_zone};

/// The year of a month or a day without a year, so that 29 February exists.
const DEFAULT_YEAR: i64 = 2000;

/// Short names of zones that are parsed.
const SHORT_ZONES: [(&str, &str); 11] = [
    ("UTC", "UTC"),
    ("UT", "UTC"),
    ("GMT", "UTC"),
    ("EST", "America/New_York"),
    ("EDT", "America/New_York"),
    ("CST", "America/Chicago"),
    ("CDT", "America/Chicago"),
    ("MST", "America/Denver"),
    ("MDT", "America/Denver"),
    ("PST", "America/Los_Angeles"),
    ("PDT", "America/Los_Angeles"),
];

/// Parses a text into milliseconds since the epoch. A text without a zone is local to the default zone.
pub(super) fn read(pattern: &[Item], text: &str, default_zone: &str) -> PolarsResult<i64> {
    let mut reader = Reader { text, rest: text, fields: Vec::new(), zone: None };
    for item in pattern {
        reader.item(item)?;
    }
    if !reader.rest.is_empty() {
        return Err(reader.malformed());
    }
    let local = set_all(reader.fields, text)?;
    let out_of_range = || invalid(format!("Cannot parse \"{text}\": the time is out of range"));
    let default_zone = || (default_zone != UTC).then(|| Zone::Named(default_zone.to_owned()));
    match reader.zone.or_else(default_zone) {
        None => Ok(local),
        Some(Zone::Offset(millis)) => local.checked_sub(millis).ok_or_else(out_of_range),
        Some(Zone::Named(name)) => {
            let clock = Clock::new(&name, &Type::Timestamp { precision: 3 })
                .ok_or_else(|| invalid(format!("'{name}' is not a valid time zone")))?;
            let moment = clock.moment_of(local, local).ok_or_else(out_of_range)?;
            if clock.shown_at(moment) == local {
                Ok(moment)
            } else {
                Err(invalid(format!(
                    "Cannot parse \"{text}\": Illegal instant due to time zone offset transition"
                )))
            }
        }
    }
}

/// The canonical name of the zone that a text names by a pattern.
pub(super) fn zone_read(pattern: &[Item], text: &str) -> PolarsResult<Option<String>> {
    let mut reader = Reader { text, rest: text, fields: Vec::new(), zone: None };
    for item in pattern {
        reader.item(item)?;
    }
    Ok(reader.zone.map(|zone| match zone {
        Zone::Offset(millis) => offset_zone(i32::try_from(millis / 60_000).unwrap_or_default()),
        Zone::Named(name) => canonical_zone(&name).unwrap_or(name),
    }))
}

enum Zone {
    /// Milliseconds ahead of UTC.
    Offset(i64),
    Named(String),
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
    fields: Vec<(Field, i64)>,
    zone: Option<Zone>,
}

impl Reader<'_> {
    fn malformed(&self) -> PolarsError {
        let text = self.text;
        if self.rest.is_empty() {
            return invalid(format!("Invalid format: \"{text}\" is too short"));
        }
        invalid(format!("Invalid format: \"{text}\" is malformed at \"{}\"", self.rest))
    }

    fn take(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    fn item(&mut self, item: &Item) -> PolarsResult<()> {
        match item {
            Item::Literal(literal) => {
                for wanted in literal.chars() {
                    let found = self.rest.chars().next();
                    let is_same = |found: char| {
                        found == wanted
                            || found.to_uppercase().eq(wanted.to_uppercase())
                            || found.to_lowercase().eq(wanted.to_lowercase())
                    };
                    let found = found.filter(|found| is_same(*found)).ok_or_else(|| self.malformed())?;
                    self.take(found.len_utf8());
                }
            }
            Item::Number { field, most, .. } => {
                let is_signed = matches!(field, Field::Year | Field::Weekyear | Field::CenturyOfEra);
                let value = self.number(*most, is_signed).ok_or_else(|| self.malformed())?;
                self.fields.push((*field, value));
            }
            Item::TwoDigitYear { field, pivot, is_lenient } => {
                let value = self.year(*pivot, *is_lenient)?;
                self.fields.push((*field, value));
            }
            Item::Name { field, .. } => {
                let (length, value) = longest_name(*field, self.rest).ok_or_else(|| self.malformed())?;
                self.take(length);
                self.fields.push((*field, value));
            }
            Item::Fraction { most, .. } => {
                let length = self.rest.bytes().take(*most).take_while(u8::is_ascii_digit).count();
                if length == 0 {
                    return Err(self.malformed());
                }
                let digits: String = self.rest[..length].chars().chain("000".chars()).take(3).collect();
                self.take(length);
                self.fields.push((Field::MillisOfSecond, digits.parse().unwrap_or(0)));
            }
            Item::Zone(form) => self.zone(*form)?,
        }
        Ok(())
    }

    /// Parses a number of at most `most` digits; a sign does not count as a digit.
    fn number(&mut self, most: usize, is_signed: bool) -> Option<i64> {
        let sign = self.rest.bytes().next().filter(|sign| is_signed && matches!(sign, b'+' | b'-'));
        let digits = &self.rest[usize::from(sign.is_some())..];
        let length = digits.bytes().take(most).take_while(u8::is_ascii_digit).count();
        // Joda-Time's fields have 32 bits.
        let value = i64::from(digits[..length].parse::<i32>().ok()?);
        self.take(length + usize::from(sign.is_some()));
        Some(if sign == Some(b'-') { -value } else { value })
    }

    /// Parses a year. Two digits denote a year near the pivot; if lenient, another number of digits denotes the year
    /// itself.
    fn year(&mut self, pivot: Option<i64>, is_lenient: bool) -> PolarsResult<i64> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if is_lenient && digits != 2 {
            return self.number(9, true).ok_or_else(|| self.malformed());
        }
        if digits < 2 {
            return Err(self.malformed());
        }
        let short = self.number(2, false).ok_or_else(|| self.malformed())?;
        let Some(pivot) = pivot else {
            let message = "years of two digits are not supported here, as their century changes with the years: \
                           take date_parse with %y, whose years are 1970 to 2069";
            return Err(raise(ErrorCode::NotSupported, message));
        };
        let least = pivot - 50;
        Ok(least + (short - least).rem_euclid(100))
    }

    fn zone(&mut self, form: ZoneForm) -> PolarsResult<()> {
        let found = match form {
            ZoneForm::Offset | ZoneForm::OffsetWithColon => {
                offset(self.rest).map(|(length, millis)| (length, Zone::Offset(millis)))
            }
            ZoneForm::ShortName | ZoneForm::LongName => {
                let found = SHORT_ZONES.iter().find(|(name, _)| self.rest.starts_with(name));
                found.map(|(name, id)| (name.len(), Zone::Named((*id).to_owned())))
            }
            ZoneForm::Id => longest_id(self.rest),
        };
        let (length, zone) = found.ok_or_else(|| self.malformed())?;
        if matches!(zone, Zone::Offset(millis) if millis % 60_000 != 0) {
            let message = format!("Time zone not supported: {}", &self.rest[..length]);
            return Err(raise(ErrorCode::NotSupported, message));
        }
        self.take(length);
        self.zone = Some(zone);
        Ok(())
    }
}

/// Parses `Z`, or a sign, hours and optionally minutes and seconds, with colons between all of them or none. Returns
/// the length and the milliseconds ahead of UTC.
fn offset(text: &str) -> Option<(usize, i64)> {
    if text.starts_with(['Z', 'z']) {
        return Some((1, 0));
    }
    let sign = match text.bytes().next()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let two_digits = |at: usize| -> Option<i64> {
        let digits =
            text.get(at..at + 2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
        digits.parse().ok()
    };
    let hours = two_digits(1).filter(|hours| *hours <= 23)?;
    let (mut at, mut seconds) = (3, hours * 3600);
    let colon = usize::from(text.get(at..=at) == Some(":"));
    for unit in [60, 1] {
        if colon == 1 && text.get(at..=at) != Some(":") {
            break;
        }
        let Some(part) = two_digits(at + colon) else { break };
        if part > 59 {
            return None;
        }
        seconds += part * unit;
        at += colon + 2;
    }
    Some((at, sign * seconds * 1000))
}

/// The longest zone id at the beginning of the text.
fn longest_id(text: &str) -> Option<(usize, Zone)> {
    let is_of_id = |character: char| character.is_ascii_alphanumeric() || "/_+-".contains(character);
    let length = text.find(|character: char| !is_of_id(character)).unwrap_or(text.len());
    (1..=length).rev().find_map(|length| {
        let id = &text[..length];
        // An offset is not an id.
        crate::date_time::zone::zone(id)
            .filter(|_| !id.starts_with(['+', '-']))
            .map(|_| (length, Zone::Named(id.to_owned())))
    })
}

/// The longest name at the beginning of the text: whole or its first three letters, as written, in lower or in upper
/// case.
fn longest_name(field: Field, text: &str) -> Option<(usize, i64)> {
    let (names, first) = names(field);
    let forms = names.iter().zip(first..).flat_map(|(name, value)| {
        let short = name.get(..3).filter(|_| matches!(field, Field::MonthOfYear | Field::DayOfWeek));
        std::iter::once(*name).chain(short).map(move |form| (form, value))
    });
    let found = forms.filter(|(form, _)| {
        text.get(..form.len()).is_some_and(|start| {
            start == *form || start == form.to_lowercase() || start == form.to_uppercase()
        })
    });
    found.map(|(form, value)| (form.len(), value)).max_by_key(|(length, _)| *length)
}

fn set_all(mut fields: Vec<(Field, i64)>, text: &str) -> PolarsResult<i64> {
    let is_year = |field: Field| matches!(field, Field::Year | Field::YearOfEra | Field::Weekyear);
    let rank = |field: Field| match field {
        field if is_year(field) => Field::Year,
        Field::ClockhourOfDay => Field::HourOfDay,
        Field::ClockhourOfHalfday => Field::HourOfHalfday,
        field => field,
    };
    let longest = fields.iter().map(|(field, _)| *field).min();
    if longest.is_some_and(|field| (Field::MonthOfYear..=Field::DayOfWeek).contains(&field)) {
        fields.push((Field::Year, DEFAULT_YEAR));
    }
    fields.sort_by_key(|(field, _)| rank(*field));
    let mut local = 0;
    let mut set = |is_first_pass: bool| -> PolarsResult<()> {
        for (place, (field, value)) in fields.iter().enumerate() {
            local = set_field(local, *field, *value)
                .map_err(|what| invalid(format!("Cannot parse \"{text}\": {what}")))?;
            if is_first_pass || place + 1 == fields.len() {
                local = floor(local, *field);
            }
        }
        Ok(())
    };
    // The first pass establishes the years and months in which days are counted; the second one sets all values.
    set(true)?;
    set(false)?;
    Ok(local)
}

/// The time with another value of a field.
fn set_field(local: i64, field: Field, wanted: i64) -> Result<i64, String> {
    let (days, millis) = (local.div_euclid(MILLIS_PER_DAY), local.rem_euclid(MILLIS_PER_DAY));
    let (year, month, day) = civil_from_days(days);
    let within = |least: i64, largest: i64, name: &str| {
        if (least..=largest).contains(&wanted) {
            Ok(())
        } else {
            Err(format!("Value {wanted} for {name} must be in the range [{least},{largest}]"))
        }
    };
    let in_year = |year: i64| days_from_civil(year, month, day.min(days_in_month(year, month)));
    let at = |days: i64| days * MILLIS_PER_DAY + millis;
    let own = value(field, local);
    let moved = |unit: i64| local + (wanted - own) * unit;
    // The largest year of Joda-Time; more do not fit its milliseconds.
    let largest_year = 292_278_993;
    Ok(match field {
        Field::Era => {
            within(0, 1, "era")?;
            if wanted == own { local } else { at(in_year(1 - year)) }
        }
        Field::CenturyOfEra => {
            within(0, largest_year / 100, "centuryOfEra")?;
            at(in_year(wanted * 100 + year.rem_euclid(100)))
        }
        Field::Year => {
            within(-largest_year, largest_year, "year")?;
            at(in_year(wanted))
        }
        Field::YearOfEra => {
            within(1, largest_year, "yearOfEra")?;
            at(in_year(if year > 0 { wanted } else { 1 - wanted }))
        }
        Field::Weekyear => {
            within(-largest_year, largest_year, "weekyear")?;
            let week = week_of(days).1.min(weeks_of(wanted));
            at(first_monday(wanted) + (week - 1) * 7 + (days + 3).rem_euclid(7))
        }
        Field::MonthOfYear => {
            within(1, 12, "monthOfYear")?;
            at(days_from_civil(year, wanted, day.min(days_in_month(year, wanted))))
        }
        Field::WeekOfWeekyear => {
            within(1, weeks_of(week_of(days).0), "weekOfWeekyear")?;
            moved(7 * MILLIS_PER_DAY)
        }
        Field::DayOfYear => {
            within(1, 337 + days_in_month(year, 2), "dayOfYear")?;
            moved(MILLIS_PER_DAY)
        }
        Field::DayOfMonth => {
            within(1, days_in_month(year, month), "dayOfMonth")?;
            moved(MILLIS_PER_DAY)
        }
        Field::DayOfWeek => {
            within(1, 7, "dayOfWeek")?;
            moved(MILLIS_PER_DAY)
        }
        Field::HalfdayOfDay => moved(12 * 3_600_000),
        Field::HourOfDay => {
            within(0, 23, "hourOfDay")?;
            moved(3_600_000)
        }
        Field::ClockhourOfDay => {
            within(1, 24, "clockhourOfDay")?;
            set_field(local, Field::HourOfDay, wanted % 24)?
        }
        Field::HourOfHalfday => {
            within(0, 11, "hourOfHalfday")?;
            moved(3_600_000)
        }
        Field::ClockhourOfHalfday => {
            within(1, 12, "clockhourOfHalfday")?;
            set_field(local, Field::HourOfHalfday, wanted % 12)?
        }
        Field::MinuteOfHour => {
            within(0, 59, "minuteOfHour")?;
            moved(60_000)
        }
        Field::SecondOfMinute => {
            within(0, 59, "secondOfMinute")?;
            moved(1000)
        }
        Field::MillisOfSecond => moved(1),
    })
}

/// Monday of the first ISO week of a year, as a day since the epoch.
fn first_monday(year: i64) -> i64 {
    let fourth = days_from_civil(year, 1, 4);
    fourth - (fourth + 3).rem_euclid(7)
}

fn weeks_of(year: i64) -> i64 {
    (first_monday(year + 1) - first_monday(year)) / 7
}

/// The start of the field's unit.
fn floor(local: i64, field: Field) -> i64 {
    let days = local.div_euclid(MILLIS_PER_DAY);
    let (year, month, _) = civil_from_days(days);
    let to = |unit: i64| local.div_euclid(unit) * unit;
    match field {
        Field::Era => local,
        Field::CenturyOfEra => days_from_civil(year.div_euclid(100) * 100, 1, 1) * MILLIS_PER_DAY,
        Field::Year | Field::YearOfEra => days_from_civil(year, 1, 1) * MILLIS_PER_DAY,
        Field::Weekyear => first_monday(week_of(days).0) * MILLIS_PER_DAY,
        Field::MonthOfYear => days_from_civil(year, month, 1) * MILLIS_PER_DAY,
        Field::WeekOfWeekyear => (days - (days + 3).rem_euclid(7)) * MILLIS_PER_DAY,
        Field::DayOfYear | Field::DayOfMonth | Field::DayOfWeek => to(MILLIS_PER_DAY),
        Field::HalfdayOfDay => to(12 * 3_600_000),
        Field::HourOfDay | Field::ClockhourOfDay | Field::HourOfHalfday | Field::ClockhourOfHalfday => {
            to(3_600_000)
        }
        Field::MinuteOfHour => to(60_000),
        Field::SecondOfMinute => to(1000),
        Field::MillisOfSecond => local,
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::teradata;
    use super::super::print::{Shown, print};
    use super::*;

    /// The Trino installation that answers were recorded from does not contain its plugin for Teradata; these words are
    /// from its documentation.
    #[test]
    fn teradata_patterns_are_formatted_and_parsed() {
        for (text, words, expected) in [
            ("1988/04/08", "yyyy/mm/dd", "1988-04-08 00:00:00"),
            ("1988/04/08;02:03:04", "yyyy/mm/dd;hh24:mi:ss", "1988-04-08 02:03:04"),
            ("08.04.88 11", "dd.mm.yy hh", "2088-04-08 11:00:00"),
        ] {
            let pattern = teradata(words).expect("a pattern");
            let local = read(&pattern, text, UTC).expect("a time");
            let whole = teradata("yyyy-mm-dd hh24:mi:ss").expect("a pattern");
            assert_eq!(print(&whole, &Shown { local, zone: None }).expect("a text"), expected, "{text}");
            assert_eq!(print(&pattern, &Shown { local, zone: None }).expect("a text"), text);
        }
        let fault = teradata("yyyy-MM").expect_err("capitals are no words").to_string();
        assert!(fault.contains("Failed to tokenize string [M] at offset [5]"), "{fault}");
        assert!(read(&teradata("dd").expect("a pattern"), "32", UTC).is_err());
    }
}
