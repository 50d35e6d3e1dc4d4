//! Caches the latest small results in memory, because clients fetch the rows right after submitting. The store has all small
//! results.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

/// Maximum number of results in memory.
const MAX_RESULTS: usize = 4096;
/// Maximum number of their bytes.
const MAX_BYTES: usize = 4 << 20;

/// Results by location.
#[derive(Debug, Default)]
pub(super) struct RecentResults {
    held: Mutex<Contents>,
}

#[derive(Debug, Default)]
struct Contents {
    files: HashMap<String, RecentResult>,
    /// Locations in insertion order; the first is evicted first. Removed results may be among them.
    order: VecDeque<String>,
    bytes: usize,
}

#[derive(Debug)]
struct RecentResult {
    file: Bytes,
    is_read: bool,
}

impl RecentResults {
    /// Adds a complete result, once the store has it.
    pub(super) fn add(&self, location: &str, file: &Bytes) {
        let mut held = self.held();
        held.bytes += file.len();
        let kept = RecentResult { file: file.clone(), is_read: false };
        if let Some(before) = held.files.insert(location.to_owned(), kept) {
            held.bytes -= before.file.len();
        } else {
            held.order.push_back(location.to_owned());
        }
        while held.order.len() > MAX_RESULTS || held.bytes > MAX_BYTES {
            let Some(oldest) = held.order.pop_front() else { return };
            held.forget(&oldest);
        }
    }

    /// The complete result, if it is cached, and whether it was read before.
    pub(super) fn get(&self, location: &str) -> Option<(Bytes, bool)> {
        let mut held = self.held();
        let kept = held.files.get_mut(location)?;
        Some((kept.file.clone(), std::mem::replace(&mut kept.is_read, true)))
    }

    /// Evicts a result that was removed from the store.
    pub(super) fn forget(&self, location: &str) {
        self.held().forget(location);
    }

    fn held(&self) -> MutexGuard<'_, Contents> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contents {
    fn forget(&mut self, location: &str) {
        if let Some(kept) = self.files.remove(location) {
            self.bytes -= kept.file.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_recent_results_are_cached() {
        let results = RecentResults::default();
        let file = Bytes::from_static(b"rows");
        for number in 0..=MAX_RESULTS {
            results.add(&number.to_string(), &file);
        }
        assert_eq!((results.get("0"), results.get("1")), (None, Some((file.clone(), false))));
        assert_eq!(results.get("1"), Some((file.clone(), true)));
        results.forget("1");
        results.add("2", &file);
        assert_eq!((results.get("1"), results.get("2")), (None, Some((file.clone(), false))));
        assert_eq!(results.held().bytes, (MAX_RESULTS - 1) * file.len());
        results.add("large", &Bytes::from(vec![0; MAX_BYTES - 2 * file.len()]));
        assert!(results.get("large").is_some());
        assert_eq!(results.held().files.len(), 3);
        results.add("larger", &Bytes::from(vec![0; MAX_BYTES + 1]));
        let held = results.held();
        assert_eq!((held.files.len(), held.bytes), (0, 0));
    }
}
