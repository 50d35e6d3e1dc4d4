//! What results and views share: the page, the format and the shape that a request asks for.

use http::HeaderValue;
use http::header::ACCEPT;
use rowhouse_engine::{ErrorKind, RowFormat, RowShape};

use crate::accept::qualities;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::response::JSON;

const FORMATS: [(&str, RowFormat); 5] = [
    ("json", RowFormat::Json),
    ("ndjson", RowFormat::Ndjson),
    ("csv", RowFormat::Csv),
    ("arrow", RowFormat::ArrowStream),
    ("parquet", RowFormat::Parquet),
];
const SHAPES: [(&str, RowShape); 2] = [("arrays", RowShape::Arrays), ("objects", RowShape::Objects)];

const NDJSON: &str = "application/x-ndjson";
const CSV: &str = "text/csv";
const ARROW: &str = "application/vnd.apache.arrow.stream";
const PARQUET: &str = "application/vnd.apache.parquet";

/// Which rows are asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    /// Rows to skip.
    pub(super) offset: u64,
    /// Rows to give, at most.
    pub(super) limit: u64,
}

/// `limit` and `offset` (D7): all rows without a limit, unless the operator has set a cap (D8).
pub(super) fn page(call: &Call) -> Result<Page> {
    let limit = call.parameters.count("limit")?;
    let offset = call.parameters.count("offset")?.unwrap_or(0);
    if let Some(cap) = call.app.config.max_page_rows
        && limit.is_none_or(|limit| limit > cap)
    {
        let asked =
            limit.map_or_else(|| "absent, which asks for all rows".to_owned(), |limit| limit.to_string());
        let message = format!("parameter limit is {asked}; this server gives at most {cap} rows at a time");
        // For clients that page by themselves.
        let details = serde_json::json!({ "maxPageRows": cap });
        let error = rowhouse_engine::Error::new(ErrorKind::InvalidArguments, message).with_details(details);
        return Err(Error::Engine(error));
    }
    Ok(Page { offset, limit: limit.unwrap_or(u64::MAX) })
}

/// `format`, else the best of `Accept` that is served here, else JSON.
pub(super) fn format(call: &Call) -> Result<RowFormat> {
    if let Some(format) = call.parameters.choice("format", &FORMATS)? {
        return Ok(format);
    }
    let accepted = qualities(&call.headers, &ACCEPT);
    // Of equals the first that is named.
    let best = accepted.iter().rev().filter(|&&(_, quality)| quality > 0).filter_map(|(name, quality)| {
        let format = match name.as_str() {
            "application/json" | "application/*" | "*/*" => RowFormat::Json,
            NDJSON | "application/ndjson" | "application/jsonl" => RowFormat::Ndjson,
            CSV | "text/*" => RowFormat::Csv,
            ARROW => RowFormat::ArrowStream,
            PARQUET => RowFormat::Parquet,
            _ => return None,
        };
        Some((*quality, format))
    });
    Ok(best.max_by_key(|&(quality, _)| quality).map_or(RowFormat::Json, |(_, format)| format))
}

/// `shape`, which JSON and NDJSON take.
pub(super) fn shape(call: &Call) -> Result<Option<RowShape>> {
    call.parameters.choice("shape", &SHAPES)
}

/// `Content-Type` of a format.
pub(super) fn content_type(format: RowFormat) -> HeaderValue {
    match format {
        RowFormat::Json => JSON,
        RowFormat::Ndjson => HeaderValue::from_static(NDJSON),
        RowFormat::Csv => HeaderValue::from_static("text/csv; charset=utf-8; header=present"),
        RowFormat::ArrowStream => HeaderValue::from_static(ARROW),
        RowFormat::Parquet => HeaderValue::from_static(PARQUET),
    }
}
