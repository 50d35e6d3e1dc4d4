//! The memory of a streamed answer. One chunk is reserved from beginning to end, so that the answer always continues
//! once its client has read what was sent; chunks ahead of the client, and larger chunks, are granted while there is
//! room.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::task::AtomicWaker;
use rowhouse_engine::{Budget, CHUNK_MEMORY_BYTES, ChunkSource, Progress, RowsResult};

use crate::answer_memory::{Portion, Reserved};
use crate::error::Result;

/// The allowance of one answer.
#[derive(Debug)]
pub(super) struct Allowance {
    portion: Portion,
    /// The reservation for one chunk.
    own: Arc<Reserved>,
    outstanding: Arc<Outstanding>,
}

/// Chunks that are being encoded or have not been sent.
#[derive(Debug, Default)]
struct Outstanding {
    count: AtomicUsize,
    waker: AtomicWaker,
}

/// Counts while it lives.
#[derive(Debug)]
struct Counted(Arc<Outstanding>);

/// Permission to encode chunks.
#[derive(Debug)]
pub(super) struct Grant {
    counted: Counted,
    own: Arc<Reserved>,
    bytes: usize,
    /// Memory beyond the answer's own chunk; none for that one.
    more: Option<Reserved>,
}

/// A chunk that releases its memory when its last byte has been sent.
struct Sent {
    bytes: Bytes,
    _counted: Counted,
    _own: Arc<Reserved>,
    _more: Option<Reserved>,
}

impl Allowance {
    /// For a new answer.
    ///
    /// # Errors
    /// `OutOfAnswerMemory`.
    pub(super) fn begin(portion: &Portion) -> Result<Self> {
        let own = Arc::new(portion.reserve(CHUNK_MEMORY_BYTES)?);
        Ok(Self { portion: portion.clone(), own, outstanding: Arc::default() })
    }

    /// A grant for a chunk of this size, immediately or never.
    ///
    /// # Errors
    /// `OutOfAnswerMemory`, `AnswerTooLarge`.
    pub(super) fn grant(&self, bytes: usize) -> Result<Grant> {
        self.check(bytes)?;
        let more = match self.needed(bytes) {
            0 => None,
            more => Some(self.portion.reserve(more)?),
        };
        Ok(self.granted(bytes, more))
    }

    /// The same without a limit.
    pub(super) fn grant_at_any_rate(&self, bytes: usize) -> Grant {
        self.granted(bytes, Some(self.portion.reserve_at_any_rate(bytes)))
    }

    /// A grant for a chunk of this size, as soon as there is room for it or nothing of the answer is left to be sent.
    ///
    /// # Errors
    /// `AnswerTooLarge`.
    pub(super) fn poll_grant(&self, bytes: usize, context: &mut Context<'_>) -> Poll<Result<Grant>> {
        self.check(bytes)?;
        // Registered before the check of outstanding chunks, or the release of the last one could be missed.
        self.outstanding.waker.register(context.waker());
        let more = match self.needed(bytes) {
            0 => None,
            more if self.is_idle() => match self.portion.poll_reserve(more, context) {
                Poll::Ready(more) => Some(more?),
                Poll::Pending => return Poll::Pending,
            },
            more => match self.portion.try_reserve(more) {
                Some(more) => Some(more),
                None => return Poll::Pending,
            },
        };
        Poll::Ready(Ok(self.granted(bytes, more)))
    }

    /// Refuses a chunk for which there is no room even if there is no other answer: what an account has may not be more than
    /// what it leaves free, and this answer has its own chunk.
    fn check(&self, bytes: usize) -> Result<()> {
        if bytes <= CHUNK_MEMORY_BYTES { Ok(()) } else { self.portion.check(bytes + CHUNK_MEMORY_BYTES) }
    }

    /// The memory of a chunk beyond the answer's own.
    fn needed(&self, bytes: usize) -> usize {
        if self.is_idle() { bytes.saturating_sub(CHUNK_MEMORY_BYTES) } else { bytes }
    }

    fn is_idle(&self) -> bool {
        self.outstanding.count.load(Ordering::SeqCst) == 0
    }

    fn granted(&self, bytes: usize, more: Option<Reserved>) -> Grant {
        let counted = Counted::one_of(&self.outstanding);
        Grant { counted, own: Arc::clone(&self.own), bytes, more }
    }
}

impl Grant {
    /// The bytes that it permits.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// A chunk that was encoded with this grant.
    pub(super) fn cover(&mut self, bytes: Bytes) -> Bytes {
        let more = self.more.as_mut().map(|more| more.split(bytes.len()));
        let counted = Counted::one_of(&self.counted.0);
        Bytes::from_owner(Sent { bytes, _counted: counted, _own: Arc::clone(&self.own), _more: more })
    }
}

impl Counted {
    fn one_of(outstanding: &Arc<Outstanding>) -> Self {
        outstanding.count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(outstanding))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if self.0.count.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.0.waker.wake();
        }
    }
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// A source with the memory that it holds between chunks.
#[derive(Debug)]
pub(super) struct HeldSource {
    source: Box<dyn ChunkSource>,
    held: Reserved,
}

impl HeldSource {
    /// `held` is what it holds now, or may hold soon.
    pub(super) fn new(source: Box<dyn ChunkSource>, held: Reserved) -> Self {
        Self { source, held }
    }

    /// The memory of the next chunk.
    pub(super) fn next_chunk_bytes(&self) -> usize {
        self.source.next_chunk_bytes()
    }

    /// The next chunk, or a turn of work towards it.
    pub(super) fn advance(&mut self, budget: &mut Budget) -> RowsResult<Progress<Option<Bytes>>> {
        let progress = self.source.advance(budget);
        self.held.set(self.source.held_bytes());
        progress
    }

    /// The next part for another thread.
    pub(super) fn split(&mut self) -> Option<Self> {
        let part = self.source.split()?;
        Some(Self { source: part, held: self.held.split(0) })
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::task::Waker;

    use super::*;
    use crate::answer_memory::AnswerMemory;
    use crate::encoders::Share;
    use crate::error::Error;

    fn chunk() -> Bytes {
        Bytes::from(vec![0; CHUNK_MEMORY_BYTES])
    }

    #[test]
    fn an_answer_continues_once_sent_even_without_free_memory() {
        let memory = AnswerMemory::new(5 * CHUNK_MEMORY_BYTES);
        let portion = memory.portion(&Share::Nobody);
        let (one, two) =
            (Allowance::begin(&portion).expect("room"), Allowance::begin(&portion).expect("room"));
        let full = Allowance::begin(&portion).expect("room");
        assert!(matches!(Allowance::begin(&portion), Err(Error::OutOfAnswerMemory)), "half is in use");
        let mut context = Context::from_waker(Waker::noop());
        for allowance in [&one, &two, &full] {
            let Poll::Ready(Ok(mut grant)) = allowance.poll_grant(CHUNK_MEMORY_BYTES, &mut context) else {
                panic!("its own chunk")
            };
            let sent = grant.cover(chunk());
            drop(grant);
            assert!(
                allowance.poll_grant(CHUNK_MEMORY_BYTES, &mut context).is_pending(),
                "ahead of its client"
            );
            assert!(allowance.grant(1).is_err());
            let rest = sent.slice(10..);
            drop(sent);
            assert!(
                allowance.poll_grant(CHUNK_MEMORY_BYTES, &mut context).is_pending(),
                "some of it is left"
            );
            drop(rest);
            assert!(allowance.poll_grant(CHUNK_MEMORY_BYTES, &mut context).is_ready());
        }
        drop((one, two, full));
        assert_eq!(memory.used_bytes(), 0);
    }

    #[tokio::test]
    async fn released_memory_wakes_the_answer() {
        let memory = AnswerMemory::new(4 * CHUNK_MEMORY_BYTES);
        let portion = memory.portion(&Share::Nobody);
        let allowance = Arc::new(Allowance::begin(&portion).expect("room"));
        // For its own client.
        let other = portion.try_reserve(CHUNK_MEMORY_BYTES).expect("room");
        let sent = allowance.grant(CHUNK_MEMORY_BYTES).expect("its own chunk").cover(chunk());
        let waits = |bytes: usize| {
            let allowance = Arc::clone(&allowance);
            tokio::spawn(
                async move { poll_fn(|context| allowance.poll_grant(bytes, context)).await.map(drop) },
            )
        };
        let waiting = waits(CHUNK_MEMORY_BYTES);
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(sent);
        waiting.await.expect("no panic").expect("granted");
        // For another answer.
        let waiting = waits(3 * CHUNK_MEMORY_BYTES);
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(other);
        waiting.await.expect("no panic").expect("granted");
        // Regression: it waited for ever, or was told to try again.
        assert!(matches!(waits(4 * CHUNK_MEMORY_BYTES).await, Ok(Err(Error::AnswerTooLarge { .. }))));
        assert!(matches!(allowance.grant(4 * CHUNK_MEMORY_BYTES), Err(Error::AnswerTooLarge { .. })));
        assert!(matches!(waits(6 * CHUNK_MEMORY_BYTES).await, Ok(Err(Error::AnswerTooLarge { .. }))));
    }
}
