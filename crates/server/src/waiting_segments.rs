//! Encoded segments of results for Trino's clients that have not been fetched, and those that are being encoded, so that
//! a page waits for a segment that is already encoded ahead of it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
/// Maximum number of unfetched segments, because compressed ones may be tiny and each look-up visits them all.
const MAX_WAITING: usize = 1024;
/// A client that has not fetched a segment for so long is gone, or it pauses and the segment is encoded again for it.
const UNFETCHED_TIMEOUT: Duration = Duration::from_secs(60);

/// A segment, or its place while it is being encoded.
pub(crate) type SegmentCell = Arc<OnceCell<Segment>>;

/// Unfetched segments, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct WaitingSegments(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting(VecDeque<Held>);

#[derive(Debug)]
struct Held {
    key: SegmentKey,
    cell: SegmentCell,
    /// When a page named it last, or when it was encoded ahead.
    since: Duration,
}

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
    /// The cell of a segment that a page names; the caller must fill it if it is empty and then call
    /// [`evict`](Self::evict).
    pub(crate) fn cell(&self, key: &SegmentKey, now: Duration) -> SegmentCell {
        let mut waiting = self.waiting();
        waiting.drop_abandoned(now);
        match waiting.find(key) {
            Some(place) => {
                let held = &mut waiting.0[place];
                held.since = now;
                Arc::clone(&held.cell)
            }
            None => waiting.push(key, now),
        }
    }

    /// A new cell for a segment that is encoded before a page names it: none if the segment has a cell, or if another one
    /// would have to be evicted for it.
    pub(crate) fn cell_if_room(&self, key: &SegmentKey, now: Duration) -> Option<SegmentCell> {
        let mut waiting = self.waiting();
        waiting.drop_abandoned(now);
        let reserved_bytes: usize = waiting.0.iter().map(Held::expected_bytes).sum();
        let has_room = reserved_bytes + SEGMENT_BYTES <= WAITING_BYTES && waiting.0.len() < MAX_WAITING;
        (has_room && waiting.find(key).is_none()).then(|| waiting.push(key, now))
    }

    /// Evicts the oldest segments until the rest is within both maxima. Cells that are being filled are not counted:
    /// their memory is reserved by those who fill them.
    pub(crate) fn evict(&self) {
        let mut waiting = self.waiting();
        let mut bytes = waiting.bytes();
        while (bytes > WAITING_BYTES || waiting.0.len() > MAX_WAITING)
            && let Some(oldest) = waiting.0.iter().position(|held| held.cell.initialized())
            && let Some(held) = waiting.0.remove(oldest)
        {
            bytes = bytes.saturating_sub(held.bytes());
        }
    }

    /// Removes a segment that was encoded before a page names it, if it is larger than was expected and others would be
    /// evicted for it; false if it was removed.
    pub(crate) fn retain_if_fits(&self, key: &SegmentKey) -> bool {
        let mut waiting = self.waiting();
        let is_over = waiting.bytes() > WAITING_BYTES;
        if is_over && let Some(place) = waiting.find(key) {
            waiting.0.remove(place);
        }
        !is_over
    }

    /// Removes and returns the cell of a segment, if it is still stored.
    pub(crate) fn take(&self, key: &SegmentKey) -> Option<SegmentCell> {
        let mut waiting = self.waiting();
        let place = waiting.find(key)?;
        waiting.0.remove(place).map(|held| held.cell)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn find(&self, key: &SegmentKey) -> Option<usize> {
        self.0.iter().position(|held| held.key == *key)
    }

    fn push(&mut self, key: &SegmentKey, now: Duration) -> SegmentCell {
        let cell = SegmentCell::default();
        self.0.push_back(Held { key: key.clone(), cell: Arc::clone(&cell), since: now });
        cell
    }

    /// Removes the empty cells that nobody fills any more, and the segments of clients that have gone away.
    fn drop_abandoned(&mut self, now: Duration) {
        self.0.retain(|held| match held.cell.initialized() {
            true => now.saturating_sub(held.since) < UNFETCHED_TIMEOUT,
            false => Arc::strong_count(&held.cell) > 1,
        });
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(Held::bytes).sum()
    }
}

impl Held {
    fn bytes(&self) -> usize {
        self.cell.get().map_or(0, |segment| segment.bytes.len())
    }

    /// The same, with an estimate for a segment that is being encoded.
    fn expected_bytes(&self) -> usize {
        self.cell.get().map_or(SEGMENT_BYTES, |segment| segment.bytes.len())
    }
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

    const NOW: Duration = Duration::from_secs(1000);

    #[test]
    fn waiting_segments_are_bounded_and_fetched_once() {
        let waiting = WaitingSegments::default();
        let memory = AnswerMemory::new(1 << 30);
        for offset in 0..20 {
            fill(&waiting.cell(&key(offset), NOW), &memory);
            waiting.evict();
        }
        assert_eq!(memory.used_bytes(), WAITING_BYTES);
        assert!(waiting.take(&key(0)).is_none(), "newer ones took its place");
        assert!(waiting.take(&key(19)).is_some_and(|cell| cell.initialized()));
        assert!(waiting.take(&key(19)).is_none());
        assert_eq!(memory.used_bytes(), WAITING_BYTES - SEGMENT_BYTES);
    }

    #[test]
    fn the_number_of_tiny_segments_is_bounded() {
        let waiting = WaitingSegments::default();
        let memory = AnswerMemory::new(1 << 30);
        let count = u64::try_from(MAX_WAITING).expect("a small number");
        for offset in 0..count + 10 {
            let reserved = memory.portion(&Share::Nobody).try_reserve(1).expect("room");
            let segment =
                Segment { bytes: Bytes::from_static(b"1"), uncompressed_bytes: 1, _reserved: reserved };
            waiting.cell(&key(offset), NOW).set(segment).expect("an empty cell");
            waiting.evict();
        }
        assert_eq!(memory.used_bytes(), MAX_WAITING);
        assert!(waiting.take(&key(9)).is_none());
        assert!(waiting.cell_if_room(&key(0), NOW).is_none());
        assert!(waiting.take(&key(10)).is_some());
        assert!(waiting.cell_if_room(&key(0), NOW).is_some());
    }

    #[test]
    fn cells_are_shared_while_somebody_fills_them() {
        let waiting = WaitingSegments::default();
        let memory = AnswerMemory::new(1 << 30);
        let cell = waiting.cell(&key(0), NOW);
        // Neither other cells that are being filled nor an eviction drop it.
        let others: Vec<_> = (1..20).map(|offset| waiting.cell(&key(offset), NOW)).collect();
        waiting.evict();
        let same = waiting.take(&key(0)).expect("it is being filled");
        fill(&cell, &memory);
        assert!(same.initialized());
        drop((cell, same));
        assert_eq!(memory.used_bytes(), 0);
        assert!(waiting.take(&key(1)).is_some());
        // A page that ended without filling them left these.
        drop(others);
        drop(waiting.cell(&key(30), NOW));
        assert!(waiting.take(&key(2)).is_none());
    }

    #[test]
    fn segments_encoded_ahead_evict_nothing() {
        let waiting = WaitingSegments::default();
        let memory = AnswerMemory::new(1 << 30);
        for offset in 0..7 {
            fill(&waiting.cell(&key(offset), NOW), &memory);
        }
        assert!(waiting.cell_if_room(&key(6), NOW).is_none(), "it has a cell");
        let ahead = waiting.cell_if_room(&key(7), NOW).expect("room for one");
        assert!(waiting.cell_if_room(&key(8), NOW).is_none(), "not for two");
        fill(&ahead, &memory);
        assert!(waiting.retain_if_fits(&key(7)));
        // A page names one more meanwhile, and another turns out larger than expected.
        fill(&waiting.cell(&key(9), NOW), &memory);
        assert!(!waiting.retain_if_fits(&key(7)));
        assert!(waiting.take(&key(7)).is_none() && waiting.take(&key(0)).is_some());
        // Segments of clients that went away do not take the memory forever.
        assert!(waiting.cell_if_room(&key(10), NOW).is_some());
        assert!(waiting.cell_if_room(&key(11), NOW + UNFETCHED_TIMEOUT).is_some());
        assert!(waiting.take(&key(1)).is_none());
    }
}
