//! Encoded segments of results for Trino's clients that have not been fetched, and those that are being encoded: a
//! segment that several requests need at the same time is encoded once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use rowhouse_engine::SegmentEncoding;
use rowhouse_model::QueryId;
use tokio::sync::OnceCell;

use crate::answer_memory::{Counted, Reserved};
use crate::pause_slots::MayPause;
use crate::response::{Answer, JSON, whole};

/// Approximate bytes of the rows of a segment.
pub(crate) const SEGMENT_BYTES: usize = 4 << 20;
/// Maximum memory of unfetched segments, of all clients.
const WAITING_BYTES: usize = 32 << 20;

/// A segment, or its place while it is being encoded.
pub(crate) type SegmentCell = Arc<OnceCell<Segment>>;

/// Unfetched segments, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct WaitingSegments(Mutex<VecDeque<(SegmentKey, SegmentCell)>>);

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
    /// The cell of a segment, which is empty for a new one: the caller must fill it and then call
    /// [`evict`](Self::evict).
    pub(crate) fn cell(&self, key: &SegmentKey) -> SegmentCell {
        let mut waiting = self.waiting();
        if let Some((_, cell)) = waiting.iter().find(|(held, _)| held == key) {
            return Arc::clone(cell);
        }
        let cell = SegmentCell::default();
        waiting.push_back((key.clone(), Arc::clone(&cell)));
        cell
    }

    /// Removes the cells that nobody fills, and the oldest segments until the rest is within the maximum.
    pub(crate) fn evict(&self) {
        let mut waiting = self.waiting();
        waiting.retain(|(_, cell)| cell.initialized() || Arc::strong_count(cell) > 1);
        let mut bytes = used_bytes(&waiting);
        while bytes > WAITING_BYTES
            && let Some((_, oldest)) = waiting.pop_front()
        {
            bytes -= cell_bytes(&oldest);
        }
    }

    /// Whether another segment would be within the maximum, so that no other is evicted for it.
    pub(crate) fn has_room(&self) -> bool {
        used_bytes(&self.waiting()) + SEGMENT_BYTES <= WAITING_BYTES
    }

    /// Removes and returns the cell of a segment, if it is still stored.
    pub(crate) fn take(&self, key: &SegmentKey) -> Option<SegmentCell> {
        let mut waiting = self.waiting();
        let place = waiting.iter().position(|(held, _)| held == key)?;
        waiting.remove(place).map(|(_, cell)| cell)
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<(SegmentKey, SegmentCell)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn used_bytes(waiting: &VecDeque<(SegmentKey, SegmentCell)>) -> usize {
    waiting.iter().map(|(_, cell)| cell_bytes(cell)).sum()
}

/// The segment's bytes; an estimate while it is being encoded.
fn cell_bytes(cell: &SegmentCell) -> usize {
    cell.get().map_or(SEGMENT_BYTES, |segment| segment.bytes.len())
}

/// A segment that is sent; its memory is released when it was sent and is not stored any more.
struct Sent(SegmentCell);

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        self.0.get().map_or(&[], |segment| &segment.bytes)
    }
}

/// The answer with the bytes of an encoded segment.
pub(crate) fn answer(cell: SegmentCell) -> Answer {
    let mut answer = whole(JSON, Bytes::from_owner(Sent(cell)));
    answer.extensions_mut().insert(MayPause);
    answer.extensions_mut().insert(Counted);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer_memory::AnswerMemory;
    use crate::encoders::Share;

    fn key(offset: u64) -> SegmentKey {
        SegmentKey {
            query_id: QueryId::new("q"),
            knows_precisions: true,
            encoding: SegmentEncoding::Json,
            offset,
        }
    }

    fn fill(cell: &SegmentCell, memory: &AnswerMemory) {
        let reserved = memory.portion(&Share::Nobody).try_reserve(SEGMENT_BYTES).expect("room");
        let bytes = Bytes::from(vec![0; SEGMENT_BYTES]);
        cell.set(Segment { bytes, uncompressed_bytes: 0, _reserved: reserved }).expect("an empty cell");
    }

    #[test]
    fn waiting_segments_are_bounded_and_given_away_once() {
        let waiting = WaitingSegments::default();
        let memory = AnswerMemory::new(1 << 30);
        for offset in 0..20 {
            assert_eq!(waiting.has_room(), offset < 8);
            fill(&waiting.cell(&key(offset)), &memory);
            waiting.evict();
        }
        assert_eq!(memory.used_bytes(), WAITING_BYTES);
        assert!(waiting.take(&key(0)).is_none(), "newer ones took its place");
        assert!(waiting.take(&key(19)).is_some_and(|cell| cell.initialized()));
        assert!(waiting.take(&key(19)).is_none());
        assert_eq!(memory.used_bytes(), WAITING_BYTES - SEGMENT_BYTES);
    }

    #[test]
    fn cells_are_shared_while_somebody_fills_them() {
        let waiting = WaitingSegments::default();
        let memory = AnswerMemory::new(1 << 30);
        let cell = waiting.cell(&key(0));
        waiting.evict();
        let same = waiting.take(&key(0)).expect("it is being filled");
        fill(&cell, &memory);
        assert!(same.initialized());
        drop((cell, same));
        assert_eq!(memory.used_bytes(), 0);
        drop(waiting.cell(&key(1)));
        waiting.evict();
        assert!(waiting.take(&key(1)).is_none(), "nobody fills it");
    }
}
