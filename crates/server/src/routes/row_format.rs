//! The page, the format and the shape of a request, for results and views.

use std::cmp::Reverse;

use http::header::ACCEPT;
use http::{HeaderMap, HeaderName, HeaderValue};
use rowhouse_engine::{ErrorKind, RowFormat, RowOrder, RowShape};
use rowhouse_filters::{ColumnNames, resolve_column};

use crate::accept::{preference, qualities};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::parameters::shown;
use crate::response::JSON;

/// The number of rows without a page, if `count=exact` requests it.
pub(super) const X_TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");

pub(super) const FORMATS: [(&str, RowFormat); 5] = [
    ("json", RowFormat::Json),
    ("ndjson", RowFormat::Ndjson),
    ("csv", RowFormat::Csv),
    ("arrow", RowFormat::ArrowStream),
    ("parquet", RowFormat::Parquet),
];
/// Whether texts of CSV that a spreadsheet would take for formulas are escaped.
pub(super) const CSV_FORMULAS: [(&str, bool); 2] = [("keep", false), ("escape", true)];
pub(super) const SHAPES: [(&str, RowShape); 2] =
    [("arrays", RowShape::Arrays), ("objects", RowShape::Objects)];

const NDJSON: &str = "application/x-ndjson";
const CSV: &str = "text/csv";
const ARROW: &str = "application/vnd.apache.arrow.stream";
const PARQUET: &str = "application/vnd.apache.parquet";

/// The requested range of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    /// Rows to skip.
    pub(super) offset: u64,
    /// Maximum number of rows.
    pub(super) limit: u64,
}

/// `limit` and `offset` (D7): all rows without a limit, unless the operator has set a cap (D8).
pub(super) fn page(call: &Call) -> Result<Page> {
    let offset = call.parameters.count("offset")?.unwrap_or(0);
    Ok(Page { offset, limit: capped(call, call.parameters.count("limit")?)? })
}

/// A number of rows, unless it exceeds the operator's cap (D8).
pub(super) fn capped(call: &Call, limit: Option<u64>) -> Result<u64> {
    if let Some(cap) = call.config.max_page_rows
        && limit.is_none_or(|limit| limit > cap)
    {
        let asked =
            limit.map_or_else(|| "absent, which asks for all rows".to_owned(), |limit| limit.to_string());
        let message = format!("parameter limit is {asked}; this server gives at most {cap} rows at a time");
        // For clients that page automatically.
        let details = serde_json::json!({ "maxPageRows": cap });
        let error = rowhouse_engine::Error::new(ErrorKind::InvalidArguments, message).with_details(details);
        return Err(Error::Engine(error));
    }
    Ok(limit.unwrap_or(u64::MAX))
}

/// `format`, else the preferred supported format of `Accept` (RFC 9110, section 12.5.1): the highest quality, among
/// equals the first named, within one range the first of [`FORMATS`]. An `Accept` without a supported format is
/// ignored, as the RFC permits, and gets JSON: there is no 406 (D40).
pub(super) fn format(call: &Call) -> Result<RowFormat> {
    let format = call.parameters.choice("format", &FORMATS)?;
    let is_escaped = call.parameters.choice("csvFormulas", &CSV_FORMULAS)?;
    Ok(escaped(call, format.unwrap_or_else(|| accepted_format(&call.headers)), is_escaped))
}

/// The format; `csvFormulas`, or else the configuration, decides about formulas in CSV.
pub(super) fn escaped(call: &Call, format: RowFormat, is_escaped: Option<bool>) -> RowFormat {
    match format {
        RowFormat::Csv if is_escaped.unwrap_or_else(|| call.config.escapes_csv_formulas) => {
            RowFormat::EscapedCsv
        }
        format => format,
    }
}

/// The preferred format of `Accept`.
pub(super) fn accepted_format(headers: &HeaderMap) -> RowFormat {
    if !headers.contains_key(ACCEPT) {
        return RowFormat::Json;
    }
    let accepted = qualities(headers, &ACCEPT);
    let wanted = FORMATS.iter().filter_map(|&(_, format)| {
        let preference = preference(&accepted, media_types(format))?;
        (preference.quality > 0).then_some((preference.quality, Reverse(preference.place), format))
    });
    // The last of equals would be selected, so they are visited from the end.
    let best = wanted.rev().max_by_key(|&(quality, place, _)| (quality, place));
    best.map_or(RowFormat::Json, |(_, _, format)| format)
}

/// The spellings of a format's media type in `Accept`.
const fn media_types(format: RowFormat) -> &'static [&'static str] {
    match format {
        RowFormat::Json => &["application/json"],
        RowFormat::Ndjson => &[NDJSON, "application/ndjson", "application/jsonl"],
        RowFormat::Csv | RowFormat::EscapedCsv => &[CSV],
        RowFormat::ArrowStream => &[ARROW],
        RowFormat::Parquet => &[PARQUET],
    }
}

/// `shape`, for JSON and NDJSON.
pub(super) fn shape(call: &Call) -> Result<Option<RowShape>> {
    call.parameters.choice("shape", &SHAPES)
}

/// `orderBy=column:asc`, `column:desc`, or the column only, which is ascending. The direction is in any letter case; it
/// is split off at the last colon, unless the whole text is exactly the name of a column.
pub(super) fn order(text: &str, names: &[&str]) -> Result<RowOrder> {
    let (column, direction) = match text.rsplit_once(':') {
        Some(parts) if !names.contains(&text) => parts,
        _ => (text, "asc"),
    };
    let is_descending = match direction {
        _ if direction.eq_ignore_ascii_case("asc") => false,
        _ if direction.eq_ignore_ascii_case("desc") => true,
        _ => {
            let message = format!("parameter orderBy: {} ends with neither `:asc` nor `:desc`", shown(text));
            return Err(Error::invalid(message));
        }
    };
    Ok(RowOrder { column: resolve_column(names, column)?, is_descending })
}

/// Positions of `columnNames`, each column once, in the order of the request.
pub(super) fn places(list: &str, names: &[&str]) -> Result<Vec<usize>> {
    let columns = ColumnNames::new(names);
    let mut places = Vec::new();
    let mut is_named = vec![false; names.len()];
    for name in list.split(',') {
        if name.is_empty() {
            return Err(Error::invalid(format!(
                "parameter columnNames: {} holds an empty name",
                shown(list)
            )));
        }
        let place = columns.resolve(name)?;
        if !std::mem::replace(&mut is_named[place], true) {
            places.push(place);
        }
    }
    Ok(places)
}

/// `Content-Type` of a format.
pub(super) fn content_type(format: RowFormat) -> HeaderValue {
    match format {
        RowFormat::Json => JSON,
        RowFormat::Ndjson => HeaderValue::from_static(NDJSON),
        RowFormat::Csv | RowFormat::EscapedCsv => {
            HeaderValue::from_static("text/csv; charset=utf-8; header=present")
        }
        RowFormat::ArrowStream => HeaderValue::from_static(ARROW),
        RowFormat::Parquet => HeaderValue::from_static(PARQUET),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_format_is_chosen() {
        let check = |accept: &str, expected| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_str(accept).expect(accept));
            assert_eq!(accepted_format(&headers), expected, "{accept}");
        };
        assert_eq!(accepted_format(&HeaderMap::new()), RowFormat::Json);
        check("*/*", RowFormat::Json);
        check("", RowFormat::Json);
        // Values that browsers and common clients send.
        check("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", RowFormat::Json);
        check("application/json, text/plain, */*", RowFormat::Json);
        check("text/csv", RowFormat::Csv);
        check("text/csv; charset=utf-8; header=present", RowFormat::Csv);
        check("text/*", RowFormat::Csv);
        check("application/x-ndjson", RowFormat::Ndjson);
        check("application/jsonl", RowFormat::Ndjson);
        check("application/vnd.apache.arrow.stream", RowFormat::ArrowStream);
        check("application/vnd.apache.parquet", RowFormat::Parquet);
        // The quality counts, and among equals the first.
        check("application/json;q=0.5, application/vnd.apache.parquet;q=0.9", RowFormat::Parquet);
        check("text/csv, application/json", RowFormat::Csv);
        check("application/json, text/csv", RowFormat::Json);
        check("text/csv, */*;q=0.1", RowFormat::Csv);
        check("text/csv;q=0.1, */*", RowFormat::Json);
        // A refusal takes precedence over a wider range.
        check("application/json;q=0, */*", RowFormat::Ndjson);
        check("application/*;q=0, */*", RowFormat::Csv);
        // Without a supported format it is ignored.
        check("image/png", RowFormat::Json);
        check("*/*;q=0", RowFormat::Json);
        check("text/csv;q=2", RowFormat::Json);
    }
}
