//! Rows on their way out. A `ChunkSource` does CPU work and file reads, so each chunk is made on an encoder's
//! thread, one ahead of what the client has taken: a slow client holds two chunks of memory and no thread, and one
//! that is gone ends the work with its body. For a client that waits for chunks, parts of the rows are made on several
//! threads at a time. All of it is counted by the memory for answers. A fault in mid-stream breaks the connection, so that nobody takes half an answer for a whole one.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use http::HeaderValue;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use rowhouse_engine::{CHUNK_MEMORY_BYTES, ChunkSource};

use crate::answer_memory::Payer;
use crate::compress::{Coding, CompressedSource, compress};
use crate::encoders::{Encoders, Turn};
use crate::error::{Error, Result};
use crate::response::{Answer, AnswerBody};

mod allowance;

use allowance::{Allowance, Grant, HeldSource};

/// An answer up to this size is made whole before its head is sent: one write, with its length, and every
/// error still a proper status.
const WHOLE_ANSWER_BYTES: usize = 64 << 10;
/// Where more answers than this are streamed, each has one turn at a time: that keeps all cores busy, and the clients
/// may stop taking chunks any time.
const MAX_WIDE_STREAMS: usize = 16;
/// Headers that an answer of rows has in the end, about: room for them is made once.
const HEADERS: usize = 12;
/// Chunks of a part that are made in one turn: a part is about one, and is seen to have ended where a second is asked
/// for.
const PART_CHUNKS: usize = 2;

/// The head and the start of an answer of rows.
#[derive(Debug)]
pub(crate) struct RowsHead {
    /// Its `Content-Type`.
    pub(crate) content_type: HeaderValue,
    /// How it may be compressed; small ones are not.
    pub(crate) coding: Coding,
    /// Who it is for.
    pub(crate) payer: Payer,
}

enum Start {
    Whole(Bytes, Coding),
    /// The first chunks and the source of the others.
    Streamed(VecDeque<Bytes>, HeldSource, Allowance, Coding),
}

type Source = Box<dyn ChunkSource>;

/// Answers with rows: `open` makes their source, on an encoder's thread.
pub(crate) async fn rows(
    encoders: &Encoders,
    head: RowsHead,
    open: impl FnOnce() -> Result<Source> + Send + 'static,
) -> Result<Answer> {
    let (coding, payer) = (head.coding, head.payer.clone());
    let start = encoders.submit(move || {
        // Before anything is opened.
        let allowance = Allowance::begin(&payer.share())?;
        start(open()?, coding, &payer, Some(allowance))
    });
    let start = start.await?;
    Ok(answer(encoders, head, start))
}

/// Answers with rows that are at hand, a few of them, without a hop to another thread: on the reactor, a page
/// costs less than the hop. Compression is another matter, and so is what takes more memory than a chunk.
pub(crate) fn rows_at_hand(encoders: &Encoders, head: RowsHead, source: Source) -> Result<Answer> {
    let start = if source.next_chunk_bytes() > CHUNK_MEMORY_BYTES {
        let share = head.payer.share();
        let source = HeldSource::new(source, share.reserve_at_any_rate(0));
        Start::Streamed(VecDeque::new(), source, Allowance::begin(&share)?, Coding::Identity)
    } else {
        // Small, as nearly all of them are, it is counted with other whole answers.
        start(source, head.coding, &head.payer, None)?
    };
    Ok(answer(encoders, head, start))
}

fn answer(encoders: &Encoders, head: RowsHead, start: Start) -> Answer {
    let (body, coding) = match start {
        Start::Whole(bytes, coding) => (AnswerBody::Whole(bytes), coding),
        Start::Streamed(ready, rest, allowance, coding) => {
            let stream = ChunkStream::new(encoders.clone(), ready, rest, allowance);
            (AnswerBody::Stream(stream), coding)
        }
    };
    let mut answer = http::Response::new(body);
    answer.headers_mut().reserve(HEADERS);
    answer.headers_mut().insert(CONTENT_TYPE, head.content_type);
    if let Some(name) = coding.name() {
        answer.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(name));
    }
    answer
}

fn start(mut source: Source, coding: Coding, payer: &Payer, allowance: Option<Allowance>) -> Result<Start> {
    let mut chunks = VecDeque::new();
    let mut length = 0;
    let mut grant = None;
    while length <= WHOLE_ANSWER_BYTES {
        // The first leave is good for all that is small; at hand, it needs none.
        let bytes = source.next_chunk_bytes();
        if let Some(allowance) = &allowance
            && (grant.is_none() || bytes > CHUNK_MEMORY_BYTES)
        {
            grant = Some(allowance.grant(bytes)?);
        }
        let Some(chunk) = source.next_chunk()? else {
            let (bytes, coding) = compress(joined(chunks, length), coding)?;
            return Ok(Start::Whole(bytes, coding));
        };
        length += chunk.len();
        // An empty frame would be the last chunk of a chunked body.
        if !chunk.is_empty() {
            chunks.push_back(chunk);
        }
    }
    let share = payer.share();
    let allowance = allowance.map_or_else(|| Allowance::begin(&share), Ok)?;
    Ok(match CompressedSource::new(coding)? {
        Some(encoder) => {
            let encoder = encoder.of(Box::new(Begun { chunks, rest: source }));
            let held = share.reserve(encoder.held_bytes())?;
            Start::Streamed(VecDeque::new(), HeldSource::new(Box::new(encoder), held), allowance, coding)
        }
        None => {
            let held = share.reserve_at_any_rate(source.held_bytes());
            let mut grant = grant.unwrap_or_else(|| allowance.grant_at_any_rate(0));
            let chunks = chunks.into_iter().map(|chunk| grant.cover(chunk)).collect();
            drop(grant);
            Start::Streamed(chunks, HeldSource::new(source, held), allowance, Coding::Identity)
        }
    })
}

fn joined(mut chunks: VecDeque<Bytes>, length: usize) -> Bytes {
    if chunks.len() == 1 {
        return chunks.pop_front().unwrap_or_default();
    }
    let mut joined = BytesMut::with_capacity(length);
    chunks.iter().for_each(|chunk| joined.extend_from_slice(chunk));
    joined.freeze()
}

/// A source whose first chunks have been taken already.
struct Begun {
    chunks: VecDeque<Bytes>,
    rest: Source,
}

impl ChunkSource for Begun {
    fn next_chunk(&mut self) -> rowhouse_engine::Result<Option<Bytes>> {
        match self.chunks.pop_front() {
            Some(chunk) => Ok(Some(chunk)),
            None => self.rest.next_chunk(),
        }
    }

    fn next_chunk_bytes(&self) -> usize {
        self.rest.next_chunk_bytes()
    }

    fn held_bytes(&self) -> usize {
        self.chunks.iter().map(Bytes::len).sum::<usize>() + self.rest.held_bytes()
    }
}

/// Chunks that were made in one turn, and their source unless it has ended.
type Made = (VecDeque<Bytes>, Option<HeldSource>);

/// The chunks of a source, as the body of an answer. Dropping it ends the work.
#[derive(Debug)]
pub(crate) struct ChunkStream {
    encoders: Encoders,
    /// Chunks that are ready.
    ready: VecDeque<Bytes>,
    /// Those that are being made, in the order in which they are sent.
    turns: VecDeque<Turn<Made>>,
    /// What has not been begun; none once the source is in the last turn, has ended or has failed.
    rest: Option<HeldSource>,
    allowance: Allowance,
    /// Turns at a time.
    width: usize,
}

impl ChunkStream {
    fn new(encoders: Encoders, ready: VecDeque<Bytes>, rest: HeldSource, allowance: Allowance) -> Self {
        Self { encoders, ready, turns: VecDeque::new(), rest: Some(rest), allowance, width: 1 }
    }

    /// The next chunk; those after it are begun at once.
    pub(crate) fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes>>> {
        loop {
            // The first chunk leaves with the head, before parts are begun that take all cores: a system that lets a
            // thread have its core for some milliseconds would have both wait for so long.
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
                // The client takes chunks as fast as they are made.
                self.width =
                    if self.encoders.holders() <= MAX_WIDE_STREAMS { self.encoders.threads() } else { 1 };
                return Poll::Pending;
            };
            self.turns.pop_front();
            match made {
                Ok((chunks, source)) => {
                    self.ready = chunks;
                    match source {
                        // More of a part than was expected: it comes before the others, which may hold all there is.
                        Some(part) if self.rest.is_some() => {
                            let grant = self.allowance.grant_at_any_rate(part.next_chunk_bytes());
                            self.turns.push_front(make(&self.encoders, part, PART_CHUNKS, grant));
                        }
                        Some(source) => self.rest = Some(source),
                        None => {}
                    }
                    if let Err(error) = self.begin(context) {
                        return self.broken(error);
                    }
                    // A client that has others wait for it holds no more than it must.
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

    /// Begins as many turns as there are to be and as there is memory for: of parts of the rows, if they can be split.
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
                self.turns.push_back(make(&self.encoders, part, PART_CHUNKS, grant));
                self.rest = Some(source);
            } else if self.turns.is_empty() {
                self.turns.push_back(make(&self.encoders, source, 1, grant));
            } else {
                // What is left goes on when the parts are through.
                self.rest = Some(source);
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The next chunks of a source, so many at most, and fewer where the next one takes more memory than was granted.
fn make(encoders: &Encoders, mut source: HeldSource, most: usize, mut grant: Grant) -> Turn<Made> {
    encoders.submit(move || {
        let mut chunks = VecDeque::with_capacity(most);
        while chunks.len() < most {
            match source.next_chunk()? {
                // An empty frame would be the last chunk of a chunked body.
                Some(chunk) if chunk.is_empty() => break,
                Some(chunk) => chunks.push_back(grant.cover(chunk)),
                None => return Ok((chunks, None)),
            }
        }
        Ok((chunks, Some(source)))
    })
}

#[cfg(test)]
mod tests;
