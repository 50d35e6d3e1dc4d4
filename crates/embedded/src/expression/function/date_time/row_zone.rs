//! Zones of rows, where a type has one zone for all of them: as a value, or as a part of the text that gives the time (D158,
//! D159).

use polars::prelude::{PolarsError, PolarsResult};
use rowhouse_model::ErrorCode;

use super::pattern::{self, Patterns};
use super::read::zone_read;
use super::{
    RowFunction, amount, between, in_range, on_clock, out_of_range, timestamp_to_text, unit,
    units_per_second, unknown_zone,
};
use crate::date_time::clock::Clock;
use crate::datum::Datum;
use crate::failure::raise;
use rowhouse_sql::date_time_text::{clock_offset, parse_clock, parse_date_time};
use rowhouse_sql::types::{Type, canonical_zone, offset_zone};

/// More than any zone's name has.
const LONGEST_NAME_BYTES: usize = 64;

/// The function of `in_row_zone` by the types of its first argument and its result.
pub(super) fn function(first: Type, arguments: usize, output: Type) -> RowFunction {
    match (&output, arguments) {
        (Type::Timestamp { .. }, _) => local(first, output),
        (Type::TimestampWithTimeZone { .. }, _) => moved(output),
        (Type::BigInt, 2) => offset(first),
        (Type::BigInt, _) => difference(first),
        _ if !first.is_text() => text(first),
        _ => unless_other(),
    }
}

/// The local time of `(moment, zone)`, or in the zone that the text names in `(moment, text, zone)`, or else in `zone`; the
/// text of `(moment, text, zone, pattern)` was read by a pattern.
fn local(moment_type: Type, output: Type) -> RowFunction {
    let patterns = Patterns::new(pattern::joda);
    Box::new(move |row| {
        let moment = row[0].integer();
        let of_text = match row {
            [_, text, _, pattern @ ..] => zone_of(text.text(), pattern.first(), &patterns)?,
            _ => None,
        };
        let name = of_text.as_deref().unwrap_or_else(|| row[row.len().min(3) - 1].text());
        let clock = Clock::new(name, &moment_type).ok_or_else(|| unknown_zone(name))?;
        let local = moment.checked_add(clock.offset(moment)).and_then(|local| in_range(local, &output));
        local
            .map(Datum::Integer)
            .ok_or_else(|| out_of_range("the timestamp is out of range in that time zone"))
    })
}

/// The moment of `(moment, zone, unit)` truncated in that zone, or that of `(moment, zone, unit, amount)` with the amount added.
fn moved(data_type: Type) -> RowFunction {
    Box::new(move |row| {
        let (moment, name) = (row[0].integer(), row[1].text());
        let clock = Clock::new(name, &data_type).ok_or_else(|| unknown_zone(name))?;
        let unit = unit(&row[2], &data_type)?;
        let amount = row.get(3).map(|added| amount(added, &data_type)).transpose()?;
        on_clock(Some(&clock), unit, moment, &data_type, |local| match amount {
            Some(amount) => unit.add(local, amount, &data_type),
            None => unit.truncate(local, &data_type),
        })
    })
}

/// `(moment, zone)` as a text with the zone's name.
fn text(data_type: Type) -> RowFunction {
    let precision = match data_type {
        Type::TimestampWithTimeZone { precision, .. } => precision,
        _ => 0,
    };
    Box::new(move |row| {
        let (moment, name) = (row[0].integer(), row[1].text());
        let (zone, clock) =
            canonical_zone(name).zip(Clock::new(name, &data_type)).ok_or_else(|| unknown_zone(name))?;
        let local = timestamp_to_text(clock.shown_at(moment), &data_type, precision, ' ');
        Ok(Datum::from_text(format!("{local} {zone}")))
    })
}

/// The seconds from UTC to the local time of `(moment, zone)`.
fn offset(data_type: Type) -> RowFunction {
    Box::new(move |row| {
        let (moment, name) = (row[0].integer(), row[1].text());
        let clock = Clock::new(name, &data_type).ok_or_else(|| unknown_zone(name))?;
        Ok(Datum::Integer(clock.offset(moment) / units_per_second(&data_type)))
    })
}

/// The units between the local times of the moments in `(from, zone, unit, to)`.
fn difference(data_type: Type) -> RowFunction {
    Box::new(move |row| {
        let name = row[1].text();
        let clock = Clock::new(name, &data_type).ok_or_else(|| unknown_zone(name))?;
        let unit = unit(&row[2], &data_type)?;
        Ok(Datum::Integer(between(Some(&clock), unit, row[0].integer(), row[3].integer(), &data_type)))
    })
}

/// The text of `(text, zone)` or `(text, zone, pattern)`; an error if it names another zone.
fn unless_other() -> RowFunction {
    let patterns = Patterns::new(pattern::joda);
    Box::new(move |row| {
        let (text, zone) = (row[0].text(), row[1].text());
        // A text that cannot be read is an error of the function that reads it.
        match zone_of(text, row.get(2), &patterns).unwrap_or_default() {
            Some(other) if other != zone => Err(of_several_zones(&other, zone)),
            _ => Ok(Datum::from_text(text)),
        }
    })
}

fn of_several_zones(found: &str, wanted: &str) -> PolarsError {
    let what = format!(
        "the local time of values of several time zones is not supported: a text has {found}, others have {wanted}; \
         AT TIME ZONE gives them one"
    );
    raise(ErrorCode::NotSupported, what)
}

/// The canonical name of the offset behind a time of day.
fn offset_of_time(text: &str) -> Option<String> {
    let (_, offset) = parse_clock(text)?;
    clock_offset(offset).map(|minutes| offset_zone(minutes.into()))
}

/// The canonical name of the zone that a text names.
fn zone_of(text: &str, pattern: Option<&Datum<'_>>, patterns: &Patterns) -> PolarsResult<Option<String>> {
    if let Some(pattern) = pattern {
        return zone_read(&patterns.get(pattern.text())?, text);
    }
    let name = match text.split_once('T') {
        // ISO 8601; other texts have a space between the date and what follows.
        Some((date, clock)) if !date.contains(' ') => clock.find(['Z', '+', '-']).map(|at| &clock[at..]),
        _ => match parse_date_time(text.trim()) {
            Some(read) => read.zone,
            None => return Ok(offset_of_time(text.trim())),
        },
    };
    // A longer name is none, and is refused where the text is read.
    let known = name.filter(|name| name.len() <= LONGEST_NAME_BYTES);
    Ok(known.map(|name| canonical_zone(name).unwrap_or_else(|| name.to_owned())))
}
