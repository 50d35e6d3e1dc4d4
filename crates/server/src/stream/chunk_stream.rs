//! The chunks of a source as the body of an answer, each encoded ahead of the client.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use rowhouse_engine::{ChunkSource, Progress};

use super::allowance::{Allowance, Grant, HeldSource};
use crate::answer_memory::Portion;
use crate::compress::Coding;
use crate::encoders::{Encoders, Share, Turn};
use crate::error::{Error, Result};

/// With more streamed answers than this, each has one turn at a time: that keeps all cores busy, and clients may stop
/// reading at any time.
const MAX_WIDE_STREAMS: usize = 16;

/// Chunks of a part that are encoded in one turn: a part has about one, and its end is detected when a second is
/// requested.
const PART_CHUNKS: usize = 2;

/// The first chunks and the source of the others.
pub(super) struct Streamed {
    pub(super) chunks: VecDeque<Bytes>,
    pub(super) rest: Source,
    pub(super) coding: Coding,
    /// Its allowance, and the grant of its chunks; none yet if they were in memory.
    pub(super) allowance: Option<Allowance>,
    pub(super) grant: Option<Grant>,
}

pub(super) type Source = Box<dyn ChunkSource>;

/// Chunks of one turn, and their source unless it has ended.
type TurnOutput = (VecDeque<Bytes>, Option<HeldSource>);

/// The chunks of a source, as the body of an answer. Dropping it ends the work.
#[derive(Debug)]
pub(crate) struct ChunkStream {
    encoders: Encoders,
    share: Share,
    /// Chunks that are ready.
    ready: VecDeque<Bytes>,
    /// Chunks that are being encoded, in the order in which they are sent.
    turns: VecDeque<Turn<TurnOutput>>,
    /// The source without a turn; none once it is in the last turn, has ended or has failed.
    rest: Option<HeldSource>,
    allowance: Allowance,
    /// Number of concurrent turns.
    width: usize,
}

impl ChunkStream {
    pub(super) fn new(encoders: Encoders, share: Share, portion: &Portion, begun: Streamed) -> Result<Self> {
        let Streamed { chunks, rest, coding, allowance, grant } = begun;
        let allowance = allowance.map_or_else(|| Allowance::begin(portion), Ok)?;
        let held = match coding {
            Coding::Identity => portion.reserve_at_any_rate(rest.held_bytes()),
            Coding::Gzip | Coding::Zstd => portion.reserve(rest.held_bytes())?,
        };
        let mut grant = grant.unwrap_or_else(|| allowance.grant_at_any_rate(0));
        let ready = chunks.into_iter().map(|chunk| grant.cover(chunk)).collect();
        let rest = Some(HeldSource::new(rest, held));
        Ok(Self { encoders, share, ready, turns: VecDeque::new(), rest, allowance, width: 1 })
    }

    /// The next chunk; starts encoding the following ones.
    pub(crate) fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes>>> {
        loop {
            // The first chunk is sent with the head, before parts occupy all cores: if the system schedules a thread
            // for some milliseconds, both would wait that long.
            if let Some(chunk) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(chunk)));
            }
            if let Err(error) = self.begin(context) {
                return self.broken(error);
            }
            let Some(next) = self.turns.front_mut() else {
                // Nothing is left, or there is no memory for it at the moment.
                return if self.rest.is_none() { Poll::Ready(None) } else { Poll::Pending };
            };
            let Poll::Ready(made) = Pin::new(next).poll(context) else {
                // The client reads chunks as fast as they are encoded.
                self.width =
                    if self.encoders.holders() <= MAX_WIDE_STREAMS { self.encoders.threads() } else { 1 };
                return Poll::Pending;
            };
            self.turns.pop_front();
            match made {
                Ok((chunks, source)) => {
                    self.ready = chunks;
                    match source {
                        // A part has more chunks than expected: it precedes the others, which may hold all memory.
                        Some(part) if self.rest.is_some() => {
                            let grant = self.allowance.grant_at_any_rate(part.next_chunk_bytes());
                            self.turns.push_front(self.make(part, PART_CHUNKS, grant));
                        }
                        Some(source) => self.rest = Some(source),
                        None => {}
                    }
                    if let Err(error) = self.begin(context) {
                        return self.broken(error);
                    }
                    // A client that makes others wait holds no more than necessary.
                    self.width = 1;
                }
                Err(error) => return self.broken(error),
            }
        }
    }

    fn broken(&mut self, error: Error) -> Poll<Option<Result<Bytes>>> {
        self.turns.clear();
        self.rest = None;
        tracing::error!(error = &error as &dyn std::error::Error, "an answer broke off");
        Poll::Ready(Some(Err(error)))
    }

    /// Starts as many turns as wanted and as there is memory for: of parts of the rows, if they can be split.
    fn begin(&mut self, context: &mut Context<'_>) -> Result<()> {
        while self.turns.len() < self.width
            && let Some(mut source) = self.rest.take()
        {
            let Poll::Ready(grant) = self.allowance.poll_grant(source.next_chunk_bytes(), context) else {
                self.rest = Some(source);
                return Ok(());
            };
            let grant = grant?;
            if let Some(part) = source.split() {
                self.turns.push_back(self.make(part, PART_CHUNKS, grant));
                self.rest = Some(source);
            } else if self.turns.is_empty() {
                self.turns.push_back(self.make(source, 1, grant));
            } else {
                // The rest continues when the parts are through.
                self.rest = Some(source);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The next chunks of a source, at most `most`, and fewer if the next one takes more memory than was granted.
    fn make(&self, source: HeldSource, most: usize, mut grant: Grant) -> Turn<TurnOutput> {
        let mut chunks = VecDeque::with_capacity(most);
        let mut source = Some(source);
        self.encoders.submit(self.share.clone(), 0, move |budget| {
            while chunks.len() < most
                && let Some(making) = &mut source
            {
                match making.advance(budget)? {
                    // An empty frame would be the last chunk of a chunked body.
                    Progress::Done(Some(chunk)) if chunk.is_empty() => break,
                    Progress::Done(Some(chunk)) => chunks.push_back(grant.cover(chunk)),
                    Progress::Done(None) => source = None,
                    Progress::Paused => return Ok(Progress::Paused),
                }
            }
            Ok(Progress::Done((std::mem::take(&mut chunks), source.take())))
        })
    }
}
