//! Rows on their way out. A `ChunkSource` does CPU work and file reads, so each chunk is made on an encoder's
//! thread, one ahead of what the client has taken: a slow client holds two chunks of memory and no thread,
//! and one that is gone ends the work with its body. A fault in mid-stream breaks the connection, so that
//! nobody takes half an answer for a whole one.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

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
    Streamed(Source, Coding),
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
        Start::Streamed(source, coding) => {
            (AnswerBody::Stream(ChunkStream::new(encoders.clone(), source)), coding)
        }
    };
    let mut answer = http::Response::new(body);
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
        chunks.push_back(chunk);
    }
    let source: Source = Box::new(Begun { chunks, rest: source });
    Ok(match CompressedSource::new(coding)? {
        Some(encoder) => Start::Streamed(Box::new(encoder.of(source)), coding),
        None => Start::Streamed(source, Coding::Identity),
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
}

type Made = Option<(Bytes, Source)>;

/// The chunks of a source, as the body of an answer. Dropping it ends the work.
#[derive(Debug)]
pub(crate) struct ChunkStream {
    encoders: Encoders,
    /// The chunk that is being made; none once the source has ended or failed.
    next: Option<Turn<Made>>,
}

impl ChunkStream {
    fn new(encoders: Encoders, source: Source) -> Self {
        let next = Some(make(&encoders, source));
        Self { encoders, next }
    }

    /// The next chunk; the one after it is begun at once.
    pub(crate) fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes>>> {
        let Some(next) = &mut self.next else { return Poll::Ready(None) };
        let made = ready!(Pin::new(next).poll(context));
        self.next = None;
        Poll::Ready(match made {
            Ok(None) => None,
            Ok(Some((chunk, source))) => {
                self.next = Some(make(&self.encoders, source));
                Some(Ok(chunk))
            }
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "an answer broke off");
                Some(Err(error))
            }
        })
    }
}

fn make(encoders: &Encoders, mut source: Source) -> Turn<Made> {
    encoders.submit(move || {
        loop {
            match source.next_chunk()? {
                // An empty frame would be the last chunk of a chunked body.
                Some(chunk) if chunk.is_empty() => {}
                Some(chunk) => return Ok(Some((chunk, source))),
                None => return Ok(None),
            }
        }
    })
}

#[cfg(test)]
mod tests;
