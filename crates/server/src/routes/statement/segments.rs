//! Rows as segments of Trino's spooling protocol: a page names some, with their exact sizes, and the client fetches
//! each separately, possibly several concurrently. A segment is encoded with its page and cached until it is fetched;
//! if it was evicted, it is encoded again, with the same bytes from the same stored rows.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::Arc;

use futures_util::future::try_join_all;
use http::HeaderMap;
use rowhouse_engine::{
    Budget, ChunkSource, Envelope, Progress, RowSelection, RowsError, SegmentEncoding, StatementLink,
    StoredResult, TrinoValue, encode_for_trino, rows_within,
};
use rowhouse_model::client_protocol::{self, SegmentMetadata, SpooledData};

use super::address::{Address, forms_of, granted};
use crate::answer_memory::Reserved;
use crate::call::Call;
use crate::encoders::Share;
use crate::error::{Error, Result};
use crate::parameters::shown;
use crate::response::{Answer, done};
use crate::waiting_segments::{Segment, SegmentKey};

/// Approximate bytes of rows in a segment.
const SEGMENT_BYTES: usize = 4 << 20;
/// Maximum number of segments of a page.
const SEGMENTS_OF_A_PAGE: usize = 4;
/// Memory for encoding one: its rows, and the same compressed.
const ENCODING_BYTES: usize = 2 * SEGMENT_BYTES;
const ZSTD_LEVEL: i32 = 1;
/// Size of the pieces in which Zstandard compresses rows, and the cost per byte in steps.
const PIECE_BYTES: usize = 64 << 10;
const STEPS_PER_BYTE: u64 = 2;
const ENCODINGS: &str = "x-trino-query-data-encoding";

/// The segments of a page.
pub(super) struct SegmentPage {
    /// `data` of the page.
    pub(super) data: SpooledData,
    /// The row after them.
    pub(super) end: u64,
}

/// The client's preferred encoding of segments; on this machine uncompressed rows, which are faster.
pub(super) fn encoding_of(headers: &HeaderMap, is_local: bool) -> Option<SegmentEncoding> {
    let texts = headers.get_all(ENCODINGS).iter().filter_map(|value| value.to_str().ok());
    let known: Vec<_> = texts
        .flat_map(|text| text.split(','))
        .filter_map(|name| SegmentEncoding::named(name.trim()))
        .collect();
    let plain = known.iter().find(|encoding| is_local && **encoding == SegmentEncoding::Json);
    plain.or(known.first()).copied()
}

/// The segments from a row on; none if there is no memory for them, or if the rows fit in a page without segments.
pub(super) async fn page(
    call: &Call,
    link: &StatementLink,
    address: &Address,
    result: &StoredResult,
    (offset, page_bytes): (u64, usize),
) -> Result<Option<SegmentPage>> {
    let Some(encoding) = link.encoding else { return Ok(None) };
    let places = places(call, result, offset, page_bytes).await?;
    let portion = call.app.answer_memory.portion(&Share::of(&call.account));
    let mut encodings = Vec::with_capacity(places.len());
    for &(offset, limit) in &places {
        let Some(reserved) = portion.try_reserve(ENCODING_BYTES) else { break };
        let key = SegmentKey {
            query_id: link.query_id.clone(),
            knows_precisions: link.knows_precisions,
            encoding,
            offset,
        };
        encodings.push(async move {
            let segment = encode(call, result, &key, limit, reserved).await?;
            Ok::<_, Error>((limit, segment, key))
        });
    }
    let encoded: Vec<(u64, Segment, SegmentKey)> = try_join_all(encodings).await?;
    let mut segments = Vec::with_capacity(encoded.len());
    let mut end = offset;
    for (rows, segment, key) in encoded {
        let metadata = SegmentMetadata {
            row_offset: key.offset,
            rows_count: rows,
            segment_size: segment.bytes.len(),
            uncompressed_size: (encoding != SegmentEncoding::Json).then_some(segment.uncompressed_bytes),
        };
        let uri = address.at("segment", key.offset);
        let ack_uri = Some(format!("{uri}/ack"));
        segments.push(client_protocol::Segment::Spooled { uri, ack_uri, headers: HashMap::new(), metadata });
        end = key.offset + rows;
        call.app.segments.put(key, segment);
    }
    let data = SpooledData { encoding: encoding.name().to_owned(), segments };
    Ok((end > offset).then_some(SegmentPage { data, end }))
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
    let key = SegmentKey {
        query_id: link.query_id.clone(),
        knows_precisions: link.knows_precisions,
        encoding,
        offset,
    };
    let segment = match call.app.segments.take(&key) {
        Some(segment) => segment,
        None => {
            let portion = call.app.answer_memory.portion(&Share::of(&call.account));
            let reserved = portion.reserve(ENCODING_BYTES)?;
            let places = places(call, &result, offset, 0).await?;
            let (_, limit) = places.first().copied().ok_or_else(wrong)?;
            encode(call, &result, &key, limit, reserved).await?
        }
    };
    Ok(segment.into_answer())
}

/// `GET /v1/statement/segment/:id/:slug/:offset/ack`: a client has read a segment. It was already released when it was
/// fetched.
pub(crate) fn acknowledge(call: &Call, id: &str, slug: &str) -> Result<Answer> {
    granted(call, id, slug)?;
    Ok(done())
}

/// Offset and number of rows of the segments of a page; none if the rest of the rows has at most `page_bytes`.
async fn places(
    call: &Call,
    result: &StoredResult,
    offset: u64,
    page_bytes: usize,
) -> Result<Vec<(u64, u64)>> {
    let result = result.clone();
    let find = move |budget: &mut Budget| {
        let columns = result.record.projection();
        let within = |offset, bytes, budget: &mut Budget| {
            rows_within(&result.file, columns.columns(), offset, bytes, budget)
        };
        let mut places = Vec::new();
        let mut at = offset;
        if page_bytes > 0 && at + within(at, page_bytes, budget)? >= result.row_count() {
            return Ok(Progress::Done(places));
        }
        while at < result.row_count() && places.len() < SEGMENTS_OF_A_PAGE {
            let limit = within(at, SEGMENT_BYTES, budget)?;
            places.push((at, limit));
            at += limit;
        }
        Ok(Progress::Done(places))
    };
    call.app.encoders.submit(Share::of(&call.account), 0, find).await
}

async fn encode(
    call: &Call,
    result: &StoredResult,
    key: &SegmentKey,
    limit: u64,
    mut reserved: Reserved,
) -> Result<Segment> {
    let forms: Arc<[TrinoValue]> = forms_of(&result.record, key.knows_precisions);
    let selection = RowSelection::Range { offset: key.offset, limit };
    let envelope = Envelope { prefix: Vec::new(), suffix: Vec::new() };
    let file = Arc::clone(&result.file);
    let rows = encode_for_trino(file, result.record.projection(), forms, selection, envelope)?;
    let mut encoder = SegmentEncoder {
        rows,
        text: Vec::with_capacity(SEGMENT_BYTES),
        encoding: key.encoding,
        packer: None,
    };
    let share = Share::of(&call.account);
    let turns = call.app.encoders.submit(share, ENCODING_BYTES, move |budget| encoder.advance(budget));
    let (bytes, uncompressed_bytes) = turns.await?;
    reserved.set(bytes.capacity());
    Ok(Segment { bytes: bytes.into(), uncompressed_bytes, _reserved: reserved })
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
    fn the_clients_own_order_counts_but_for_one_on_this_machine() {
        let check = |value: &'static str, is_local: bool, expected: Option<SegmentEncoding>| {
            let mut headers = HeaderMap::new();
            headers.insert(ENCODINGS, HeaderValue::from_static(value));
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
