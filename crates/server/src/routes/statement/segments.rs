//! Rows as segments of Trino's spooling protocol: a page names some, with their exact sizes, and the client fetches
//! each separately, possibly several concurrently. A segment is encoded with its page, or ahead of it, and cached until
//! it is fetched; if it was evicted, it is encoded again, with the same bytes from the same stored rows.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::Arc;

use futures_util::future::try_join_all;
use http::HeaderMap;
use rowhouse_engine::{
    ArrowFile, Budget, ChunkSource, Envelope, Progress, Projection, RowSelection, RowsError, SegmentEncoding,
    StatementLink, StoredResult, TrinoValue, encode_for_trino, rows_within,
};
use rowhouse_model::QueryId;
use rowhouse_model::client_protocol::header::QUERY_DATA_ENCODING;
use rowhouse_model::client_protocol::{self, SegmentMetadata, SpooledData};

use super::address::{Address, forms_of, granted};
use crate::answer_memory::{Portion, Reserved};
use crate::app::App;
use crate::call::Call;
use crate::encoders::Share;
use crate::error::{Error, Result};
use crate::parameters::shown;
use crate::response::{Answer, done};
use crate::waiting_segments::{self, SEGMENT_BYTES, Segment, SegmentCell, SegmentKey};

/// Maximum number of segments of a page.
const SEGMENTS_OF_A_PAGE: usize = 4;
/// Memory for encoding one: its rows, and the same compressed.
const ENCODING_BYTES: usize = 2 * SEGMENT_BYTES;
const ZSTD_LEVEL: i32 = 1;
/// Size of the pieces in which Zstandard compresses rows, and the cost per byte in steps.
const PIECE_BYTES: usize = 64 << 10;
const STEPS_PER_BYTE: u64 = 2;

/// The segments of a page.
pub(super) struct SegmentPage {
    /// `data` of the page.
    pub(super) data: SpooledData,
    /// The row after them.
    pub(super) end: u64,
}

/// The client's preferred encoding of segments; on this machine uncompressed rows, which are faster.
pub(super) fn encoding_of(headers: &HeaderMap, is_local: bool) -> Option<SegmentEncoding> {
    let texts = headers.get_all(QUERY_DATA_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let known: Vec<_> = texts
        .flat_map(|text| text.split(','))
        .filter_map(|name| SegmentEncoding::named(name.trim()))
        .collect();
    let plain = known.iter().find(|encoding| is_local && **encoding == SegmentEncoding::Json);
    plain.or(known.first()).copied()
}

/// The segments from a row on; none if there is no memory for them, or if the rows fit in a page without segments.
/// Those of the next page are encoded while the client reads these.
pub(super) async fn page(
    call: &Call,
    link: &StatementLink,
    address: &Address,
    result: &StoredResult,
    (offset, page_bytes): (u64, usize),
) -> Result<Option<SegmentPage>> {
    let Some(encoding) = link.encoding else { return Ok(None) };
    let source = SegmentSource::new(call, link, encoding, result);
    let places = source.places(offset, page_bytes).await?;
    let encodings = places.iter().map(|&(offset, limit)| source.segment(offset, limit));
    let encoded = try_join_all(encodings).await?;
    source.app.segments.evict();
    let mut segments = Vec::with_capacity(encoded.len());
    let mut end = offset;
    for (&(offset, rows), cell) in places.iter().zip(&encoded) {
        // No memory for this one: the page ends before it.
        let Some(segment) = cell.as_ref().and_then(|cell| cell.get()) else { break };
        let metadata = SegmentMetadata {
            row_offset: offset,
            rows_count: rows,
            segment_size: segment.bytes.len(),
            uncompressed_size: (encoding != SegmentEncoding::Json).then_some(segment.uncompressed_bytes),
        };
        let uri = address.at("segment", offset);
        let ack_uri = Some(format!("{uri}/ack"));
        segments.push(client_protocol::Segment::Spooled { uri, ack_uri, headers: HashMap::new(), metadata });
        end = offset + rows;
    }
    if end == offset {
        return Ok(None);
    }
    if end < result.row_count() {
        tokio::spawn(source.encode_ahead(end, page_bytes));
    }
    let data = SpooledData { encoding: encoding.name().to_owned(), segments };
    Ok(Some(SegmentPage { data, end }))
}

/// `GET /v1/statement/segment/:id/:slug/:offset`: the rows of a segment.
pub(crate) async fn answer(call: &Call, id: &str, slug: &str, offset: &str) -> Result<Answer> {
    call.note.action("result");
    let (access, link) = granted(call, id, slug)?;
    let wrong = || Error::invalid(format!("{} is no segment of a statement", shown(offset)));
    let encoding = link.encoding.ok_or_else(wrong)?;
    let offset: u64 = offset.parse().map_err(|_| wrong())?;
    let result = call.app.engine.queries().result(&access, &link.query_id).await?;
    call.note.others(result.record.other_workspaces.as_deref());
    if offset >= result.row_count() {
        return Err(wrong());
    }
    let source = SegmentSource::new(call, &link, encoding, &result);
    let cell = call.app.segments.take(&source.key(offset)).unwrap_or_default();
    if !cell.initialized() {
        let reserved = || source.portion().reserve(ENCODING_BYTES);
        let places = source.places(offset, 0).await?;
        let (_, limit) = places.first().copied().ok_or_else(wrong)?;
        cell.get_or_try_init(async || source.encode(offset, limit, reserved()?).await).await?;
    }
    Ok(waiting_segments::answer(cell))
}

/// `GET /v1/statement/segment/:id/:slug/:offset/ack`: a client has read a segment. It was already released when it was
/// fetched.
pub(crate) fn acknowledge(call: &Call, id: &str, slug: &str) -> Result<Answer> {
    granted(call, id, slug)?;
    Ok(done())
}

/// The segments of one result for one client.
struct SegmentSource {
    app: Arc<App>,
    share: Share,
    file: Arc<ArrowFile>,
    row_count: u64,
    projection: Projection,
    forms: Arc<[TrinoValue]>,
    query_id: QueryId,
    knows_precisions: bool,
    encoding: SegmentEncoding,
}

impl SegmentSource {
    fn new(call: &Call, link: &StatementLink, encoding: SegmentEncoding, result: &StoredResult) -> Self {
        Self {
            app: Arc::clone(&call.app),
            share: Share::of(&call.note),
            file: Arc::clone(&result.file),
            row_count: result.row_count(),
            projection: result.record.projection().clone(),
            forms: forms_of(&result.record, link.knows_precisions),
            query_id: link.query_id.clone(),
            knows_precisions: link.knows_precisions,
            encoding,
        }
    }

    fn key(&self, offset: u64) -> SegmentKey {
        SegmentKey {
            query_id: self.query_id.clone(),
            knows_precisions: self.knows_precisions,
            encoding: self.encoding,
            offset,
        }
    }

    fn portion(&self) -> Portion {
        self.app.answer_memory.portion(&self.share)
    }

    /// Offset and number of rows of the segments of a page; none if the rest of the rows has at most `page_bytes`.
    async fn places(&self, offset: u64, page_bytes: usize) -> Result<Vec<(u64, u64)>> {
        let (file, projection, row_count) = (Arc::clone(&self.file), self.projection.clone(), self.row_count);
        let find = move |budget: &mut Budget| {
            let within = |offset, bytes, budget: &mut Budget| {
                rows_within(&file, projection.columns(), offset, bytes, budget)
            };
            let mut places = Vec::new();
            let mut at = offset;
            if page_bytes > 0 && at + within(at, page_bytes, budget)? >= row_count {
                return Ok(Progress::Done(places));
            }
            while at < row_count && places.len() < SEGMENTS_OF_A_PAGE {
                let limit = within(at, SEGMENT_BYTES, budget)?;
                places.push((at, limit));
                at += limit;
            }
            Ok(Progress::Done(places))
        };
        self.app.encoders.submit(self.share.clone(), 0, find).await
    }

    /// The cell of an encoded segment, which waits to be fetched; none if there is no memory for it.
    async fn segment(&self, offset: u64, limit: u64) -> Result<Option<SegmentCell>> {
        let cell = self.app.segments.cell(&self.key(offset), self.app.clock.monotonic());
        let filled = cell.get_or_try_init(async || {
            let reserved = self.portion().try_reserve(ENCODING_BYTES).ok_or(None)?;
            self.encode(offset, limit, reserved).await.map_err(Some)
        });
        match filled.await {
            Ok(_) => {}
            Err(None) => return Ok(None),
            Err(Some(error)) => return Err(error),
        }
        Ok(Some(cell))
    }

    /// Encodes the segments of a page before it is requested, one after the other, while there is memory and no other
    /// segment has to go for them. Ends at one that has a cell: another request encodes from there on.
    async fn encode_ahead(self, offset: u64, page_bytes: usize) {
        let segments = &self.app.segments;
        let cell_of = |key: &SegmentKey| segments.cell_if_room(key, self.app.clock.monotonic());
        // Taken first: a client that requests the same page repeatedly causes no more work.
        let mut first = cell_of(&self.key(offset));
        if first.is_none() {
            return;
        }
        // OK to ignore errors: the request for the page meets them.
        for (offset, limit) in self.places(offset, page_bytes).await.unwrap_or_default() {
            let key = self.key(offset);
            let Some(cell) = first.take().or_else(|| cell_of(&key)) else { return };
            let filled = cell.get_or_try_init(async || {
                // Half of it stays free for what clients request.
                let mut reserved = self.portion().try_reserve(2 * ENCODING_BYTES).ok_or(None)?;
                reserved.set(ENCODING_BYTES);
                self.encode(offset, limit, reserved).await.map_err(Some)
            });
            if filled.await.is_err() || !segments.retain_if_fits(&key) {
                return;
            }
        }
    }

    async fn encode(&self, offset: u64, limit: u64, mut reserved: Reserved) -> Result<Segment> {
        let selection = RowSelection::Range { offset, limit };
        let envelope = Envelope { prefix: Vec::new(), suffix: Vec::new() };
        let (file, forms) = (Arc::clone(&self.file), Arc::clone(&self.forms));
        let rows = encode_for_trino(file, &self.projection, forms, selection, envelope)?;
        let mut encoder = SegmentEncoder {
            rows,
            text: Vec::with_capacity(SEGMENT_BYTES),
            encoding: self.encoding,
            packer: None,
        };
        let turns = self
            .app
            .encoders
            .submit(self.share.clone(), ENCODING_BYTES, move |budget| encoder.advance(budget));
        let (bytes, uncompressed_bytes) = turns.await?;
        reserved.set(bytes.capacity());
        Ok(Segment { bytes: bytes.into(), uncompressed_bytes, _reserved: reserved })
    }
}

/// A segment being encoded.
struct SegmentEncoder {
    rows: Box<dyn ChunkSource>,
    text: Vec<u8>,
    encoding: SegmentEncoding,
    /// Present once the rows exist, with the number of bytes compressed so far.
    packer: Option<(zstd::stream::write::Encoder<'static, Vec<u8>>, usize)>,
}

impl SegmentEncoder {
    /// The segment, and the number of bytes of its rows.
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<(Vec<u8>, usize)>> {
        let broken = |error: std::io::Error| Error::from(RowsError::internal("compressing a segment", error));
        if self.packer.is_none() {
            loop {
                match self.rows.advance(budget)? {
                    Progress::Done(Some(chunk)) => self.text.extend_from_slice(&chunk),
                    Progress::Done(None) => break,
                    Progress::Paused => return Ok(Progress::Paused),
                }
            }
            let length = self.text.len();
            match self.encoding {
                SegmentEncoding::Json => return Ok(Progress::Done((std::mem::take(&mut self.text), length))),
                // A block is compressed in one call: 4 MiB in some milliseconds.
                SegmentEncoding::JsonLz4 => {
                    budget.spend(length as u64);
                    return Ok(Progress::Done((lz4_flex::block::compress(&self.text), length)));
                }
                SegmentEncoding::JsonZstd => {}
            }
            let mut packer = zstd::stream::write::Encoder::new(Vec::new(), ZSTD_LEVEL).map_err(broken)?;
            // Clients need the uncompressed size.
            packer.include_contentsize(true).map_err(broken)?;
            packer.set_pledged_src_size(Some(self.text.len() as u64)).map_err(broken)?;
            self.packer = Some((packer, 0));
        }
        while let Some((packer, taken)) = &mut self.packer {
            let rest = &self.text[*taken..];
            if rest.is_empty() {
                break;
            }
            if budget.is_spent() {
                return Ok(Progress::Paused);
            }
            let piece = &rest[..rest.len().min(PIECE_BYTES)];
            budget.spend(piece.len() as u64 * STEPS_PER_BYTE);
            packer.write_all(piece).map_err(broken)?;
            *taken += piece.len();
        }
        let (packer, taken) =
            self.packer.take().ok_or_else(|| Error::Internal("a segment was made twice".to_owned()))?;
        Ok(Progress::Done((packer.finish().map_err(broken)?, taken)))
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn the_clients_preferred_encoding_is_used_except_locally() {
        let check = |value: &'static str, is_local: bool, expected: Option<SegmentEncoding>| {
            let mut headers = HeaderMap::new();
            headers.insert(QUERY_DATA_ENCODING, HeaderValue::from_static(value));
            assert_eq!(encoding_of(&headers, is_local), expected, "{value}");
        };
        check("json+zstd,json+lz4, json", false, Some(SegmentEncoding::JsonZstd));
        check("json+zstd,json+lz4, json", true, Some(SegmentEncoding::Json));
        check("json+zstd", true, Some(SegmentEncoding::JsonZstd));
        check("json+lz4,json", false, Some(SegmentEncoding::JsonLz4));
        check("json+lz4,json", true, Some(SegmentEncoding::Json));
        check("arrow,json+snappy", false, None);
        check("", true, None);
    }
}
