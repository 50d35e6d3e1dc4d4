//! Rows that a cluster stores outside its pages, compressed, as segments (Trino's spooling protocol, from version 466):
//! each page lists them. They are fetched in order, a few ahead of the decoder, without the cluster's credentials, and
//! acknowledged to the cluster once they are read.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use rowhouse_model::QueryError;
use rowhouse_model::client_protocol::{Segment, SegmentMetadata, SpooledData};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::connection::Connection;
use super::failure::{external, internal};
use super::page_memory::{LARGE_PAGE_BYTES, MAX_PAGE_BYTES, PageMemory};
use super::request_headers::ENCODINGS;

/// Segments being fetched or waiting for the decoder: at most 16 MB each, except for a single larger row.
const SEGMENTS_AT_ONCE: usize = 2;
/// Known segments above which further pages wait.
const SEGMENTS_KNOWN: usize = 16;
/// Time limit of an acknowledgement; a cluster removes an unacknowledged segment by itself. Nothing waits for it.
const ACKNOWLEDGE_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum size of the answer to it, which nobody reads.
const MAX_ACKNOWLEDGEMENT_BYTES: usize = 64 << 10;

/// A segment's bytes, as the cluster encoded them.
#[derive(Debug)]
pub(super) struct LoadedSegment {
    pub(super) bytes: Bytes,
    pub(super) metadata: SegmentMetadata,
    acknowledge: Option<(Uri, HeaderMap)>,
}

/// The segments of a page.
///
/// # Errors
/// They have an encoding that was not requested.
pub(super) fn segments_of(data: SpooledData) -> Result<Vec<Segment>, String> {
    if ENCODINGS.split(',').any(|encoding| encoding == data.encoding) {
        Ok(data.segments)
    } else {
        Err(format!("its rows are encoded as '{}', which was not asked for", data.encoding))
    }
}

impl LoadedSegment {
    /// The JSON text, an array of rows; in `buffer` if it is compressed.
    ///
    /// # Errors
    /// It does not match its metadata.
    pub(super) fn text<'t>(&'t self, buffer: &'t mut Vec<u8>) -> Result<&'t [u8], String> {
        let Some(size) = self.metadata.uncompressed_size else { return Ok(&self.bytes) };
        if size > MAX_PAGE_BYTES {
            return Err(format!(
                "it has more than {} MiB; select fewer bytes in one row",
                MAX_PAGE_BYTES >> 20
            ));
        }
        buffer.clear();
        buffer.reserve_exact(size);
        let mut decompressor = zstd::bulk::Decompressor::new().map_err(|error| error.to_string())?;
        let length =
            decompressor.decompress_to_buffer(&self.bytes, buffer).map_err(|error| error.to_string())?;
        if length == size { Ok(buffer) } else { Err(format!("it has {length} bytes, not {size}")) }
    }

    /// Acknowledges it to the cluster, so that it can be removed. Does not wait.
    pub(super) fn acknowledge(self, connection: &Arc<Connection>) {
        let Some((uri, headers)) = self.acknowledge else { return };
        let connection = Arc::clone(connection);
        tokio::spawn(async move {
            let memory = PageMemory::up_to(MAX_ACKNOWLEDGEMENT_BYTES);
            let acknowledgement = connection.segment(&uri, &headers, 0, &memory);
            let acknowledged = tokio::time::timeout(ACKNOWLEDGE_TIMEOUT, acknowledgement).await;
            match acknowledged {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => {
                    tracing::debug!(error = error.message, "a segment stays until its time is over")
                }
                Err(_) => tracing::debug!("a segment stays until its time is over: no answer"),
            }
        });
    }
}

/// A segment being fetched.
#[derive(Debug)]
struct Loading {
    loaded: oneshot::Receiver<Result<LoadedSegment, QueryError>>,
    is_large: bool,
}

/// The segments of a statement that are known and not decoded yet, in order.
#[derive(Debug)]
pub(super) struct Spool {
    connection: Arc<Connection>,
    memory: Arc<PageMemory>,
    known: VecDeque<Segment>,
    loading: VecDeque<Loading>,
    /// Aborted when the statement is dropped.
    loads: JoinSet<()>,
}

impl Spool {
    pub(super) fn new(connection: &Arc<Connection>, memory: &Arc<PageMemory>) -> Self {
        let (connection, memory) = (Arc::clone(connection), Arc::clone(memory));
        Self { connection, memory, known: VecDeque::new(), loading: VecDeque::new(), loads: JoinSet::new() }
    }

    pub(super) fn add(&mut self, segments: Vec<Segment>) {
        self.known.extend(segments);
        self.load();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.loading.is_empty()
    }

    /// Whether further pages must wait.
    pub(super) fn is_full(&self) -> bool {
        self.known.len() >= SEGMENTS_KNOWN
    }

    /// The next segment; pending forever if none is known. Cancel safe.
    pub(super) async fn next(&mut self) -> Result<Box<LoadedSegment>, QueryError> {
        let Some(first) = self.loading.front_mut() else { return std::future::pending().await };
        let loaded = (&mut first.loaded).await.map_err(|error| internal("fetching a segment", &error))?;
        self.loading.pop_front();
        self.load();
        loaded.map(Box::new)
    }

    fn load(&mut self) {
        while self.loads.try_join_next().is_some() {}
        while self.has_room()
            && let Some(segment) = self.known.pop_front()
        {
            let (sender, loaded) = oneshot::channel();
            let is_large = is_large(&segment);
            let (connection, memory) = (Arc::clone(&self.connection), Arc::clone(&self.memory));
            self.loads.spawn(async move {
                // OK to ignore: a dropped statement needs no rows.
                let _ = sender.send(load(&connection, segment, &memory).await);
            });
            self.loading.push_back(Loading { loaded, is_large });
        }
    }

    /// Whether the next segment may be fetched: a large one is alone.
    fn has_room(&self) -> bool {
        let is_alone =
            self.loading.iter().any(|loading| loading.is_large) || self.known.front().is_some_and(is_large);
        self.loading.len() < if is_alone { 1 } else { SEGMENTS_AT_ONCE }
    }
}

fn is_large(segment: &Segment) -> bool {
    let (Segment::Inline { metadata, .. } | Segment::Spooled { metadata, .. }) = segment;
    metadata.segment_size.max(metadata.uncompressed_size.unwrap_or(0)) > LARGE_PAGE_BYTES
}

/// A segment's bytes.
pub(super) async fn load(
    connection: &Connection,
    segment: Segment,
    memory: &PageMemory,
) -> Result<LoadedSegment, QueryError> {
    if let Segment::Inline { metadata, .. } | Segment::Spooled { metadata, .. } = &segment
        && let Some(size) = metadata.uncompressed_size
    {
        // OK to ignore: one that is too large is refused where it is decompressed.
        memory.admit(size).await;
    }
    let malformed =
        |why: String| external(format!("{}: a segment of Trino's cannot be read: {why}", connection.name));
    match segment {
        Segment::Inline { data, metadata } => {
            let bytes = STANDARD.decode(data).map_err(|error| malformed(error.to_string()))?;
            Ok(LoadedSegment { bytes: bytes.into(), metadata, acknowledge: None })
        }
        Segment::Spooled { uri, ack_uri, headers, metadata } => {
            let place = |uri: String| -> Result<Uri, QueryError> {
                uri.parse().map_err(|error| malformed(format!("'{uri}': {error}")))
            };
            let mut wanted = HeaderMap::new();
            for (name, values) in headers {
                let name: HeaderName =
                    name.parse().map_err(|error| malformed(format!("'{name}': {error}")))?;
                for value in values {
                    let value = HeaderValue::try_from(value).map_err(|error| malformed(error.to_string()))?;
                    wanted.append(&name, value);
                }
            }
            let bytes = connection.segment(&place(uri)?, &wanted, metadata.segment_size, memory).await?;
            let acknowledge = ack_uri.map(place).transpose()?.map(|uri| (uri, wanted));
            Ok(LoadedSegment { bytes, metadata, acknowledge })
        }
    }
}
