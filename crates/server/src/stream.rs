//! Streams rows. A `ChunkSource` does CPU work and file reads, so each chunk is encoded on an encoder thread, one ahead
//! of the client: a slow client holds two chunks of memory and no thread, if there is room for the second (D64), and a
//! client that disconnects ends the work with its body, at the end of a piece of a turn. For a client that waits for
//! chunks, parts of the rows are encoded on several threads concurrently. An error in mid-stream aborts the connection,
//! so that a partial answer cannot be mistaken for a complete one.

use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};
use http::HeaderValue;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use rowhouse_engine::{Budget, CHUNK_MEMORY_BYTES, ChunkSource, Progress};

use crate::answer_memory::AnswerMemory;
use crate::compress::{Coding, CompressedSource, WholeBody};
use crate::encoders::{Encoders, Share};
use crate::error::{Error, Result};
use crate::response::{Answer, AnswerBody};

mod allowance;
pub(crate) mod chunk_stream;

use allowance::{Allowance, Grant};
use chunk_stream::{ChunkStream, Source, Streamed};

/// An answer up to this size is encoded completely before its head is sent: one write, with its length, and every error
/// still has a proper status.
const WHOLE_ANSWER_BYTES: usize = 64 << 10;

/// Approximate number of headers of an answer with rows, reserved once.
const HEADERS: usize = 12;

/// The parameters of an answer with rows.
#[derive(Debug)]
pub(crate) struct RowsHead {
    /// Its `Content-Type`.
    pub(crate) content_type: HeaderValue,
    /// The content coding; small answers are not compressed.
    pub(crate) coding: Coding,
    /// The budget that its memory is counted in.
    pub(crate) memory: AnswerMemory,
}

enum Start {
    Whole(Bytes, Coding),
    Streamed(Streamed),
}

/// Answers with rows: `open` finds their source, on an encoder thread and in turns, within a memory limit.
pub(crate) async fn rows(
    encoders: &Encoders,
    share: Share,
    head: RowsHead,
    memory_bytes: usize,
    mut open: impl FnMut(&mut Budget) -> Result<Progress<Source>> + Send + 'static,
) -> Result<Answer> {
    let coding = head.coding;
    let portion = head.memory.portion(&share);
    let mut allowance = None;
    let mut beginning = None;
    let start = encoders.submit(share.clone(), memory_bytes, move |budget| {
        if beginning.is_none() {
            // Before anything is opened.
            if allowance.is_none() {
                allowance = Some(Allowance::begin(&portion)?);
            }
            match open(budget)? {
                Progress::Done(source) => beginning = Some(Beginning::new(source, coding, allowance.take())),
                Progress::Paused => return Ok(Progress::Paused),
            }
        }
        beginning.as_mut().map_or(Ok(Progress::Paused), |beginning| beginning.advance(budget))
    });
    let start = start.await?;
    answer(encoders, share, head, start)
}

/// A source that exists already.
pub(crate) fn opened_once(
    open: impl FnOnce() -> Result<Source> + Send + 'static,
) -> impl FnMut(&mut Budget) -> Result<Progress<Source>> + Send + 'static {
    let mut open = Some(open);
    move |_| match open.take() {
        Some(open) => open().map(Progress::Done),
        None => Err(Error::Internal("a source of rows was opened twice".to_owned())),
    }
}

/// Answers with a few rows in memory, without a hop to another thread: on the reactor, a page costs less than the hop.
/// Compression is done elsewhere.
pub(crate) fn rows_at_hand(
    encoders: &Encoders,
    share: impl FnOnce() -> Share,
    head: RowsHead,
    source: Source,
) -> Result<Answer> {
    // A small one, as nearly all of them are, is counted with other whole answers.
    if source.next_chunk_bytes() <= CHUNK_MEMORY_BYTES {
        return match encode_small(source, head.coding)? {
            start @ Start::Whole(..) => answer(encoders, Share::Nobody, head, start),
            start @ Start::Streamed(_) => answer(encoders, share(), head, start),
        };
    }
    let share = share();
    let allowance = Allowance::begin(&head.memory.portion(&share))?;
    let start = encode_at_once(Beginning::new(source, head.coding, Some(allowance)))?;
    answer(encoders, share, head, start)
}

/// An answer that nearly always is one chunk.
fn encode_small(mut source: Source, coding: Coding) -> Result<Start> {
    if coding != Coding::Identity {
        return encode_at_once(Beginning::new(source, coding, None));
    }
    let mut next = || -> Result<Option<Bytes>> {
        loop {
            if let Progress::Done(chunk) = source.advance(&mut Budget::unlimited())? {
                return Ok(chunk);
            }
        }
    };
    let Some(first) = next()? else { return Ok(Start::Whole(Bytes::new(), coding)) };
    let is_short = first.len() <= WHOLE_ANSWER_BYTES;
    let second = if is_short { next()? } else { None };
    if is_short && second.is_none() {
        return Ok(Start::Whole(first, coding));
    }
    let chunks = std::iter::once(first).chain(second).filter(|chunk| !chunk.is_empty());
    let chunks: VecDeque<Bytes> = chunks.collect();
    let length = chunks.iter().map(Bytes::len).sum();
    encode_at_once(Beginning { chunks, length, ..Beginning::new(source, coding, None) })
}

fn encode_at_once(mut beginning: Beginning) -> Result<Start> {
    loop {
        if let Progress::Done(start) = beginning.advance(&mut Budget::unlimited())? {
            return Ok(start);
        }
    }
}

fn answer(encoders: &Encoders, share: Share, head: RowsHead, start: Start) -> Result<Answer> {
    let (body, coding) = match start {
        Start::Whole(bytes, coding) => (AnswerBody::Whole(bytes), coding),
        Start::Streamed(begun) => {
            let coding = begun.coding;
            let portion = head.memory.portion(&share);
            let stream = ChunkStream::new(encoders.clone(), share, &portion, begun)?;
            (AnswerBody::Stream(Box::new(stream)), coding)
        }
    };
    let mut answer = http::Response::new(body);
    answer.headers_mut().reserve(HEADERS);
    answer.headers_mut().insert(CONTENT_TYPE, head.content_type);
    if let Some(name) = coding.name() {
        answer.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(name));
    }
    Ok(answer)
}

/// The beginning of an answer.
struct Beginning {
    /// None once it has ended, or was passed on.
    source: Option<Source>,
    chunks: VecDeque<Bytes>,
    length: usize,
    coding: Coding,
    whole: Option<WholeBody>,
    /// Its allowance; none if it is in memory and takes no more than a chunk.
    allowance: Option<Allowance>,
    grant: Option<Grant>,
}

impl Beginning {
    fn new(source: Source, coding: Coding, allowance: Option<Allowance>) -> Self {
        let (chunks, source) = (VecDeque::new(), Some(source));
        Self { source, chunks, length: 0, coding, whole: None, allowance, grant: None }
    }

    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Start>> {
        while let Some(source) = &mut self.source {
            if self.length > WHOLE_ANSWER_BYTES {
                return self.streamed().map(Progress::Done);
            }
            // The first grant is sufficient for everything small.
            let bytes = source.next_chunk_bytes();
            if let Some(allowance) = &self.allowance
                && self.grant.as_ref().is_none_or(|grant| bytes > grant.bytes())
            {
                // One after the other: the larger one includes the smaller one.
                self.grant = None;
                self.grant = Some(allowance.grant(bytes.max(CHUNK_MEMORY_BYTES))?);
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
        let (allowance, grant) = (self.allowance.take(), self.grant.take());
        Ok(Start::Streamed(match CompressedSource::new(self.coding)? {
            Some(encoder) => {
                let source: Source = Box::new(Begun { chunks, rest: source });
                let rest = Box::new(encoder.of(source));
                Streamed { chunks: VecDeque::new(), rest, coding: self.coding, allowance, grant }
            }
            None => Streamed { chunks, rest: source, coding: Coding::Identity, allowance, grant },
        }))
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

    fn next_chunk_bytes(&self) -> usize {
        self.rest.next_chunk_bytes()
    }

    fn held_bytes(&self) -> usize {
        self.chunks.iter().map(Bytes::len).sum::<usize>() + self.rest.held_bytes()
    }
}

#[cfg(test)]
mod tests;
