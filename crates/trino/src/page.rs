//! One page of Trino's answer, parsed in one pass: its statement fields, and its rows directly into columns, or their
//! spooled segments. The address of the next page is reported before the rows are parsed, so that it can be fetched
//! meanwhile.

use rowhouse_model::client_protocol::{ResultColumn, Segment, SpooledData, StatementError, StatementStats};
use rowhouse_model::{Column, QueryError};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::json::{Json, Read};
use super::rows::Rows;
use super::spool::{self, LoadedSegment};
use super::wire;

/// Maximum bytes of the columns' JSON. In the form of a record it is about as long, and has a lower limit.
const MAX_COLUMNS_BYTES: usize = 4 << 20;
/// Maximum number of columns; those of a record are fewer, because of its bytes.
const MAX_COLUMNS: usize = 25_000;
/// Maximum length of a statement's id; Trino's have 27 bytes.
const MAX_ID_BYTES: usize = 128;

/// The fields of a page besides its rows.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// Trino's id of the statement.
    pub(super) id: String,
    /// Address of the next page; none on the last.
    pub(super) next: Option<String>,
    pub(super) stats: StatementStats,
    pub(super) error: Option<QueryError>,
    /// Whether it contains rows itself.
    pub(super) has_rows: bool,
    /// The segments of spooled rows.
    pub(super) segments: Vec<Segment>,
}

/// What the pages so far have reported of the result.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The columns, once a page has reported them.
    pub(super) columns: Option<Vec<Column>>,
    /// The rows; present with the columns.
    pub(super) rows: Option<Rows>,
}

/// Parses a segment of spooled rows, decompressed in `buffer`; their columns must be known. Returns its bytes of JSON.
///
/// # Errors
/// It is not JSON, not an array of rows, has a value that does not match its column's type, or another number of rows
/// than announced.
pub(super) fn read_segment(
    segment: &LoadedSegment,
    buffer: &mut Vec<u8>,
    found: &mut Found,
) -> Result<usize, String> {
    let stored = |why: &dyn std::fmt::Display| format!("a segment of Trino's cannot be stored: {why}");
    let text = segment.text(buffer).map_err(|why| stored(&why))?;
    let mut json = Json::new(text).map_err(|error| stored(&error))?;
    let rows = found.rows.as_mut().ok_or_else(|| stored(&"rows without columns"))?;
    let before = rows.waiting();
    rows.read(&mut json).and_then(|()| json.end()).map_err(|error| stored(&error))?;
    let (count, promised) = (rows.waiting() - before, segment.metadata.rows_count);
    if count as u64 != promised {
        return Err(stored(&format_args!("it has {count} rows, not {promised}")));
    }
    Ok(text.len())
}

/// Parses a page. `early` is called with the next page's address before rows are parsed, if it precedes them.
///
/// # Errors
/// It is not JSON, not a page, has a value that does not match its column's type, or more columns than a record may
/// have.
pub(super) fn read(page: &[u8], found: &mut Found, early: &mut dyn FnMut(&str)) -> Read<Head> {
    let mut json = Json::new(page)?;
    let mut head = Head::default();
    // Rows that precede their columns are kept as text; Trino does not send this order.
    let mut waiting: Option<&RawValue> = None;
    let mut id = None;
    json.expect(b'{')?;
    let mut has_another = json.has_first(b'}');
    while has_another {
        let key = json.text()?;
        json.expect(b':')?;
        match &*key {
            "id" => id = Some(read_id(&mut json)?),
            "nextUri" => head.next = json.value()?,
            "columns" => {
                let text: Option<&RawValue> = json.value()?;
                if let (Some(text), None) = (text, &found.columns) {
                    let columns: Vec<Column> =
                        read_columns(&json, text)?.into_iter().map(wire::column_of).collect();
                    found.rows = Some(Rows::new(&columns));
                    found.columns = Some(columns);
                }
            }
            "data" => match &mut found.rows {
                Some(rows) => {
                    if let Some(next) = &head.next {
                        early(next);
                    }
                    read_data(&mut json, rows, &mut head)?;
                }
                None => waiting = json.value()?,
            },
            "stats" => head.stats = json.value()?,
            "error" => head.error = json.value::<Option<StatementError>>()?.map(wire::error_of),
            _ => {
                json.value::<IgnoredAny>()?;
            }
        }
        has_another = json.has_another(b'}')?;
    }
    json.end()?;
    head.id = id.ok_or_else(|| json.malformed("missing field `id`"))?;
    if let Some(waiting) = waiting {
        let rows = found.rows.as_mut().ok_or_else(|| json.malformed("rows without columns"))?;
        read_data(&mut Json::new(waiting.get().as_bytes())?, rows, &mut head)?;
    }
    Ok(head)
}

/// The columns, unless there are more than a record may have.
fn read_columns(json: &Json<'_>, text: &RawValue) -> Read<Vec<ResultColumn>> {
    const ADVICE: &str = "select fewer columns, or rows with fewer fields";
    let bytes = text.get().len();
    if bytes > MAX_COLUMNS_BYTES {
        let why = format_args!("its columns take {bytes} bytes; {MAX_COLUMNS_BYTES} are the most: {ADVICE}");
        return Err(json.unsupported(why));
    }
    let columns: Vec<ResultColumn> =
        serde_json::from_str(text.get()).map_err(|error| json.malformed(error))?;
    if columns.len() > MAX_COLUMNS {
        let count = columns.len();
        return Err(
            json.unsupported(format_args!("it has {count} columns; {MAX_COLUMNS} are the most: {ADVICE}"))
        );
    }
    Ok(columns)
}

/// The statement's id, which is a part of its record.
fn read_id(json: &mut Json<'_>) -> Read<String> {
    let id: String = json.value()?;
    if id.len() > MAX_ID_BYTES {
        return Err(json.malformed(format_args!("an id of {} bytes", id.len())));
    }
    Ok(id)
}

/// `data`: rows, null, or segments of spooled rows.
fn read_data(json: &mut Json<'_>, rows: &mut Rows, head: &mut Head) -> Read<()> {
    match json.peek() {
        Some(b'n') => json.word("null"),
        Some(b'[') => {
            head.has_rows = true;
            rows.read(json)
        }
        Some(b'{') => {
            let spooled: SpooledData = json.value()?;
            head.segments = spool::segments_of(spooled).map_err(|why| json.malformed(why))?;
            Ok(())
        }
        _ => Err(json.unexpected(&"rows or segments of rows")),
    }
}
