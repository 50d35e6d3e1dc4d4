//! Zones of rows, where a type has one zone for all of them: as a value, or as a part of the text that gives the time (D158,
//! D159).

use polars::prelude::{PolarsError, PolarsResult};
use rowhouse_model::ErrorCode;

use super::pattern::{self, Patterns};
use super::read::zone_read;
use super::{RowFunction, in_range, out_of_range, unknown_zone};
use crate::date_time::clock::Clock;
use crate::datum::Datum;
use crate::failure::raise;
use rowhouse_sql::date_time_text::{clock_offset, parse_clock, parse_date_time};
use rowhouse_sql::types::{Type, canonical_zone, offset_zone};

/// More than any zone's name has.
const LONGEST_NAME_BYTES: usize = 64;

/// The local time of `(moment, zone)`, or in the zone that the text names in `(moment, text, zone)`, or else in `zone`; the
/// text of `(moment, text, zone, pattern)` was read by a pattern.
pub(super) fn local(moment_type: Type, output: Type) -> RowFunction {
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

/// The text of `(text, zone)` or `(text, zone, pattern)`; an error if it names another zone.
pub(super) fn unless_other() -> RowFunction {
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
