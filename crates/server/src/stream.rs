//! Rows on their way out. A `ChunkSource` does CPU work and file reads, so each chunk is made on an encoder's
//! thread, one ahead of what the client has taken: a slow client holds two chunks of memory and no thread, and one
//! that is gone ends the work with its body, at the end of a piece of a turn. For a client that waits for chunks, parts of the rows are made on several
//! threads at a time. A fault in mid-stream breaks the connection, so that nobody takes half an answer for a whole one.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use http::HeaderValue;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use rowhouse_engine::{Budget, ChunkSource, Progress};

use crate::compress::{Coding, CompressedSource, WholeBody};
use crate::encoders::{Encoders, Share, Turn};
use crate::error::{Error, Result};
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

/// Answers with rows: `open` finds their source, on an encoder's thread and in turns, in so much memory at most.
pub(crate) async fn rows(
    encoders: &Encoders,
    share: Share,
    head: RowsHead,
    memory_bytes: usize,
    mut open: impl FnMut(&mut Budget) -> Result<Progress<Source>> + Send + 'static,
) -> Result<Answer> {
    let coding = head.coding;
    let mut beginning = None;
    let start = encoders.submit(share.clone(), memory_bytes, move |budget| {
        if beginning.is_none() {
            match open(budget)? {
                Progress::Done(source) => beginning = Some(Beginning::new(source, coding)),
                Progress::Paused => return Ok(Progress::Paused),
            }
        }
        beginning.as_mut().map_or(Ok(Progress::Paused), |beginning| beginning.advance(budget))
    });
    let start = start.await?;
    Ok(answer(encoders, share, head, start))
}

/// A source that is there when it is asked for.
pub(crate) fn opened_once(
    open: impl FnOnce() -> Result<Source> + Send + 'static,
) -> impl FnMut(&mut Budget) -> Result<Progress<Source>> + Send + 'static {
    let mut open = Some(open);
    move |_| match open.take() {
        Some(open) => open().map(Progress::Done),
        None => Err(Error::Internal("a source of rows was opened twice".to_owned())),
    }
}

/// Answers with rows that are at hand, a few of them, without a hop to another thread: on the reactor, a page
/// costs less than the hop. Compression is another matter.
pub(crate) fn rows_at_hand(
    encoders: &Encoders,
    share: impl FnOnce() -> Share,
    head: RowsHead,
    source: Source,
) -> Result<Answer> {
    let mut beginning = Beginning::new(source, head.coding);
    loop {
        if let Progress::Done(start) = beginning.advance(&mut Budget::unlimited())? {
            return Ok(match start {
                Start::Whole(..) => answer(encoders, Share::Nobody, head, start),
                Start::Streamed(..) => answer(encoders, share(), head, start),
            });
        }
    }
}

fn answer(encoders: &Encoders, share: Share, head: RowsHead, start: Start) -> Answer {
    let (body, coding) = match start {
        Start::Whole(bytes, coding) => (AnswerBody::Whole(bytes), coding),
        Start::Streamed(ready, rest, coding) => {
            (AnswerBody::Stream(ChunkStream::new(encoders.clone(), share, ready, rest)), coding)
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

/// The beginning of an answer in the making.
struct Beginning {
    /// None once it has ended, or is given away.
    source: Option<Source>,
    chunks: VecDeque<Bytes>,
    length: usize,
    coding: Coding,
    whole: Option<WholeBody>,
}

impl Beginning {
    fn new(source: Source, coding: Coding) -> Self {
        Self { source: Some(source), chunks: VecDeque::new(), length: 0, coding, whole: None }
    }

    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Start>> {
        while let Some(source) = &mut self.source {
            if self.length > WHOLE_ANSWER_BYTES {
                return self.streamed().map(Progress::Done);
            }
            match source.advance(budget)? {
                Progress::Done(Some(chunk)) => {
                    self.length += chunk.len();
                    // An empty frame would be the last chunk of a chunked body.
                    if !chunk.is_empty() {
                        self.chunks.push_back(chunk);
                    }
                }
                Progress::Done(None) => {
                    self.source = None;
                    let bytes = joined(std::mem::take(&mut self.chunks), self.length);
                    if self.coding == Coding::Identity {
                        return Ok(Progress::Done(Start::Whole(bytes, Coding::Identity)));
                    }
                    self.whole = Some(WholeBody::new(bytes, self.coding)?);
                }
                Progress::Paused => return Ok(Progress::Paused),
            }
        }
        match &mut self.whole {
            Some(whole) => Ok(whole.advance(budget)?.map(|(bytes, coding)| Start::Whole(bytes, coding))),
            None => Err(Error::Internal("an answer was begun twice".to_owned())),
        }
    }

    fn streamed(&mut self) -> Result<Start> {
        let chunks = std::mem::take(&mut self.chunks);
        let Some(source) = self.source.take() else {
            return Err(Error::Internal("an answer was begun twice".to_owned()));
        };
        Ok(match CompressedSource::new(self.coding)? {
            Some(encoder) => {
                let source: Source = Box::new(Begun { chunks, rest: source });
                Start::Streamed(VecDeque::new(), Box::new(encoder.of(source)), self.coding)
            }
            None => Start::Streamed(chunks, source, Coding::Identity),
        })
    }
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
    fn advance(&mut self, budget: &mut Budget) -> rowhouse_engine::RowsResult<Progress<Option<Bytes>>> {
        match self.chunks.pop_front() {
            Some(chunk) => Ok(Progress::Done(Some(chunk))),
            None => self.rest.advance(budget),
        }
    }
}

/// Chunks that were made in one turn, and their source unless it has ended.
type Made = (VecDeque<Bytes>, Option<Source>);

/// The chunks of a source, as the body of an answer. Dropping it ends the work.
#[derive(Debug)]
pub(crate) struct ChunkStream {
    encoders: Encoders,
    share: Share,
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
    fn new(encoders: Encoders, share: Share, ready: VecDeque<Bytes>, rest: Source) -> Self {
        Self { encoders, share, ready, turns: VecDeque::new(), rest: Some(rest), width: 1 }
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
                            self.turns.push_front(self.make(part, PART_CHUNKS));
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
                self.turns.push_back(self.make(part, PART_CHUNKS));
                self.rest = Some(source);
            } else if self.turns.is_empty() {
                self.turns.push_back(self.make(source, 1));
            } else {
                // What is left goes on when the parts are through.
                self.rest = Some(source);
                return;
            }
        }
    }

    /// The next chunks of a source, so many at most.
    fn make(&self, source: Source, most: usize) -> Turn<Made> {
        let mut chunks = VecDeque::with_capacity(most);
        let mut source = Some(source);
        self.encoders.submit(self.share.clone(), 0, move |budget| {
            while chunks.len() < most
                && let Some(making) = &mut source
            {
                match making.advance(budget)? {
                    // An empty frame would be the last chunk of a chunked body.
                    Progress::Done(Some(chunk)) if chunk.is_empty() => {}
                    Progress::Done(Some(chunk)) => chunks.push_back(chunk),
                    Progress::Done(None) => source = None,
                    Progress::Paused => return Ok(Progress::Paused),
                }
            }
            Ok(Progress::Done((std::mem::take(&mut chunks), source.take())))
        })
    }
}

#[cfg(test)]
mod tests;
