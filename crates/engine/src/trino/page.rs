//! One page of Trino's answer, read in one pass: what it says of the statement, and its rows straight into columns, or
//! where they were spooled. Where the next page is found is told before the rows are read, so that it can be fetched
//! meanwhile.

use rowhouse_model::{Column, QueryError};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::rows::Rows;
use super::spool::{Segment, SpooledData};
use super::wire::{StatementStats, WireColumn, WireError};

/// What a page says besides its rows.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// Trino's id of the statement.
    pub(super) id: String,
    /// Where the next page is; none on the last.
    pub(super) next: Option<String>,
    pub(super) stats: StatementStats,
    pub(super) error: Option<QueryError>,
    /// Whether it has rows itself.
    pub(super) has_rows: bool,
    /// Where the rows are that it does not have itself.
    pub(super) segments: Vec<Segment>,
}

/// What the pages so far have told of the result.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Once a page has told them.
    pub(super) columns: Option<Vec<Column>>,
    /// The rows; with the columns.
    pub(super) rows: Option<Rows>,
}

/// Reads a segment of spooled rows; their columns must be known.
///
/// # Errors
/// It is not JSON, not an array of rows, or has a value that is none of its column's type.
pub(super) fn read_segment(text: &[u8], found: &mut Found) -> Result<(), serde_json::Error> {
    let rows = found.rows.as_mut().ok_or_else(|| serde_json::Error::custom("rows without columns"))?;
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    rows.deserialize(&mut deserializer)?;
    deserializer.end()
}

/// Reads a page. `early` is told the next page's place before rows are read.
///
/// # Errors
/// It is not JSON, not a page, or has a value that is none of its column's type.
pub(super) fn read(
    page: &[u8],
    found: &mut Found,
    early: &mut dyn FnMut(Option<&str>),
) -> Result<Head, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(page);
    let head = Page { found, early }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(head)
}

struct Page<'p> {
    found: &'p mut Found,
    early: &'p mut dyn FnMut(Option<&str>),
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Key {
    Id,
    NextUri,
    Columns,
    Data,
    Stats,
    Error,
    #[serde(other)]
    Other,
}

impl<'de> DeserializeSeed<'de> for Page<'_> {
    type Value = Head;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Head, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Page<'_> {
    type Value = Head;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a page of Trino's client protocol")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Head, A::Error> {
        let mut head = Head::default();
        // Rows that come before their columns wait as text; Trino does not send them so.
        let mut waiting: Option<&RawValue> = None;
        let mut has_id = false;
        while let Some(key) = entries.next_key()? {
            match key {
                Key::Id => {
                    head.id = entries.next_value()?;
                    has_id = true;
                }
                Key::NextUri => head.next = entries.next_value()?,
                Key::Columns => {
                    let columns: Option<Vec<WireColumn>> = entries.next_value()?;
                    if let (Some(columns), None) = (columns, &self.found.columns) {
                        let columns: Vec<Column> = columns.into_iter().map(WireColumn::into_column).collect();
                        self.found.rows = Some(Rows::new(&columns));
                        self.found.columns = Some(columns);
                    }
                }
                Key::Data => match &mut self.found.rows {
                    Some(rows) => {
                        (self.early)(head.next.as_deref());
                        entries.next_value_seed(Data { rows, head: &mut head })?;
                    }
                    None => waiting = entries.next_value()?,
                },
                Key::Stats => head.stats = entries.next_value()?,
                Key::Error => {
                    let error: Option<WireError> = entries.next_value()?;
                    head.error = error.map(WireError::into_error);
                }
                Key::Other => {
                    entries.next_value::<IgnoredAny>()?;
                }
            }
        }
        if !has_id {
            return Err(A::Error::missing_field("id"));
        }
        if let Some(waiting) = waiting {
            let rows = self.found.rows.as_mut().ok_or_else(|| A::Error::custom("rows without columns"))?;
            let mut deserializer = serde_json::Deserializer::from_str(waiting.get());
            let data = Data { rows, head: &mut head };
            data.deserialize(&mut deserializer).map_err(A::Error::custom)?;
        }
        Ok(head)
    }
}

/// `data`: rows, null, or where rows were spooled.
struct Data<'d> {
    rows: &'d mut Rows,
    head: &'d mut Head,
}

impl<'de> DeserializeSeed<'de> for Data<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Data<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("rows or segments of rows")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, rows: A) -> Result<(), A::Error> {
        self.head.has_rows = true;
        self.rows.visit_seq(rows)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<(), A::Error> {
        let spooled = SpooledData::deserialize(MapAccessDeserializer::new(entries))?;
        self.head.segments = spooled.into_segments().map_err(A::Error::custom)?;
        Ok(())
    }
}
