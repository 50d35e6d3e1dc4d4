//! Encoded segments of results for Trino's clients that have not been fetched.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use rowhouse_engine::SegmentEncoding;
use rowhouse_model::QueryId;

use crate::answer_memory::{Counted, Reserved};
use crate::pause_slots::MayPause;
use crate::response::{Answer, JSON, whole};

/// Maximum memory of unfetched segments, of all clients.
const WAITING_BYTES: usize = 32 << 20;

/// Unfetched segments, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct WaitingSegments(Mutex<VecDeque<(SegmentKey, Segment)>>);

/// What determines a segment's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SegmentKey {
    pub(crate) query_id: QueryId,
    pub(crate) knows_precisions: bool,
    pub(crate) encoding: SegmentEncoding,
    pub(crate) offset: u64,
}

#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) bytes: Bytes,
    pub(crate) uncompressed_bytes: usize,
    /// Released when it is sent or evicted.
    pub(crate) _reserved: Reserved,
}

impl WaitingSegments {
    /// Stores a segment until it is fetched, or evicted by newer ones.
    pub(crate) fn put(&self, key: SegmentKey, segment: Segment) {
        let mut waiting = self.waiting();
        waiting.retain(|(held, _)| *held != key);
        waiting.push_back((key, segment));
        let mut bytes: usize = waiting.iter().map(|(_, segment)| segment.bytes.len()).sum();
        while bytes > WAITING_BYTES
            && let Some((_, oldest)) = waiting.pop_front()
        {
            bytes -= oldest.bytes.len();
        }
    }

    /// Removes and returns a segment, if it is still stored.
    pub(crate) fn take(&self, key: &SegmentKey) -> Option<Segment> {
        let mut waiting = self.waiting();
        let place = waiting.iter().position(|(held, _)| held == key)?;
        waiting.remove(place).map(|(_, segment)| segment)
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<(SegmentKey, Segment)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Segment {
    /// The answer with its bytes, which releases their memory when they were sent.
    pub(crate) fn into_answer(self) -> Answer {
        let mut answer = whole(JSON, Bytes::from_owner(self));
        answer.extensions_mut().insert(MayPause);
        answer.extensions_mut().insert(Counted);
        answer
    }
}

impl AsRef<[u8]> for Segment {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer_memory::AnswerMemory;
    use crate::encoders::Share;

    #[test]
    fn what_waits_is_bounded_and_given_away_once() {
        const BYTES: usize = 4 << 20;
        let waiting = WaitingSegments::default();
        let memory = AnswerMemory::new(1 << 30);
        let portion = memory.portion(&Share::Nobody);
        let key = |offset| SegmentKey {
            query_id: QueryId::new("q"),
            knows_precisions: true,
            encoding: SegmentEncoding::Json,
            offset,
        };
        for offset in 0..20 {
            let reserved = portion.try_reserve(BYTES).expect("room");
            let bytes = Bytes::from(vec![0; BYTES]);
            waiting.put(key(offset), Segment { bytes, uncompressed_bytes: 0, _reserved: reserved });
        }
        assert_eq!(memory.used_bytes(), WAITING_BYTES);
        assert!(waiting.take(&key(0)).is_none(), "newer ones took its place");
        assert!(waiting.take(&key(19)).is_some());
        assert!(waiting.take(&key(19)).is_none());
        assert_eq!(memory.used_bytes(), WAITING_BYTES - BYTES);
    }
}
