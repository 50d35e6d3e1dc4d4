//! Rows on their way out. A `ChunkSource` does CPU work and file reads, so each chunk is made on an encoder's
//! thread, one ahead of what the client has taken: a slow client holds two chunks of memory and no thread, and one
//! that is gone ends the work with its body. For a client that waits for chunks, parts of the rows are made on several
//! threads at a time. A fault in mid-stream breaks the connection, so that nobody takes half an answer for a whole one.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use http::HeaderValue;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use rowhouse_engine::ChunkSource;

use crate::compress::{Coding, CompressedSource, compress};
use crate::encoders::{Encoders, Turn};
use crate::error::Result;
use crate::response::{Answer, AnswerBody};

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
}

enum Start {
    Whole(Bytes, Coding),
    /// The first chunks and the source of the others.
    Streamed(VecDeque<Bytes>, Source, Coding),
}

type Source = Box<dyn ChunkSource>;

/// Answers with rows: `open` makes their source, on an encoder's thread.
pub(crate) async fn rows(
    encoders: &Encoders,
    head: RowsHead,
    open: impl FnOnce() -> Result<Source> + Send + 'static,
) -> Result<Answer> {
    let coding = head.coding;
    let start = encoders.submit(move || start(open()?, coding)).await?;
    Ok(answer(encoders, head, start))
}

/// Answers with rows that are at hand, a few of them, without a hop to another thread: on the reactor, a page
/// costs less than the hop. Compression is another matter.
pub(crate) fn rows_at_hand(encoders: &Encoders, head: RowsHead, source: Source) -> Result<Answer> {
    let start = start(source, head.coding)?;
    Ok(answer(encoders, head, start))
}

fn answer(encoders: &Encoders, head: RowsHead, start: Start) -> Answer {
    let (body, coding) = match start {
        Start::Whole(bytes, coding) => (AnswerBody::Whole(bytes), coding),
        Start::Streamed(ready, rest, coding) => {
            (AnswerBody::Stream(ChunkStream::new(encoders.clone(), ready, rest)), coding)
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

fn start(mut source: Source, coding: Coding) -> Result<Start> {
    let mut chunks = VecDeque::new();
    let mut length = 0;
    while length <= WHOLE_ANSWER_BYTES {
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
    Ok(match CompressedSource::new(coding)? {
        Some(encoder) => {
            let source: Source = Box::new(Begun { chunks, rest: source });
            Start::Streamed(VecDeque::new(), Box::new(encoder.of(source)), coding)
        }
        None => Start::Streamed(chunks, source, Coding::Identity),
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
    fn next_chunk(&mut self) -> rowhouse_engine::RowsResult<Option<Bytes>> {
        match self.chunks.pop_front() {
            Some(chunk) => Ok(Some(chunk)),
            None => self.rest.next_chunk(),
        }
    }
}

/// Chunks that were made in one turn, and their source unless it has ended.
type Made = (VecDeque<Bytes>, Option<Source>);

/// The chunks of a source, as the body of an answer. Dropping it ends the work.
#[derive(Debug)]
pub(crate) struct ChunkStream {
    encoders: Encoders,
    /// Chunks that are ready.
    ready: VecDeque<Bytes>,
    /// Those that are being made, in the order in which they are sent.
    turns: VecDeque<Turn<Made>>,
    /// What has not been begun; none once the source is in the last turn, has ended or has failed.
    rest: Option<Source>,
    /// Turns at a time.
    width: usize,
}

impl ChunkStream {
    fn new(encoders: Encoders, ready: VecDeque<Bytes>, rest: Source) -> Self {
        Self { encoders, ready, turns: VecDeque::new(), rest: Some(rest), width: 1 }
    }

    /// The next chunk; those after it are begun at once.
    pub(crate) fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes>>> {
        loop {
            // The first chunk leaves with the head, before parts are begun that take all cores: a system that lets a
            // thread have its core for some milliseconds would have both wait for so long.
            if let Some(chunk) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(chunk)));
            }
            self.begin();
            let Some(next) = self.turns.front_mut() else { return Poll::Ready(None) };
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
                        // More of a part than was expected: it comes before the others.
                        Some(part) if self.rest.is_some() => {
                            self.turns.push_front(make(&self.encoders, part, PART_CHUNKS));
                        }
                        Some(source) => self.rest = Some(source),
                        None => {}
                    }
                    self.begin();
                    // A client that has others wait for it holds no more than it must.
                    self.width = 1;
                }
                Err(error) => {
                    self.turns.clear();
                    self.rest = None;
                    tracing::error!(error = &error as &dyn std::error::Error, "an answer broke off");
                    return Poll::Ready(Some(Err(error)));
                }
            }
        }
    }

    /// Begins as many turns as there are to be: of parts of the rows, if they can be split.
    fn begin(&mut self) {
        while self.turns.len() < self.width
            && let Some(mut source) = self.rest.take()
        {
            if let Some(part) = source.split() {
                self.turns.push_back(make(&self.encoders, part, PART_CHUNKS));
                self.rest = Some(source);
            } else if self.turns.is_empty() {
                self.turns.push_back(make(&self.encoders, source, 1));
            } else {
                // What is left goes on when the parts are through.
                self.rest = Some(source);
                return;
            }
        }
    }
}

/// The next chunks of a source, so many at most.
fn make(encoders: &Encoders, mut source: Source, most: usize) -> Turn<Made> {
    encoders.submit(move || {
        let mut chunks = VecDeque::with_capacity(most);
        while chunks.len() < most {
            match source.next_chunk()? {
                // An empty frame would be the last chunk of a chunked body.
                Some(chunk) if chunk.is_empty() => {}
                Some(chunk) => chunks.push_back(chunk),
                None => return Ok((chunks, None)),
            }
        }
        Ok((chunks, Some(source)))
    })
}

#[cfg(test)]
mod tests;
