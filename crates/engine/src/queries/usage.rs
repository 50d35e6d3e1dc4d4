//! Number and size of results: counted at the start and periodically, and updated as results are added and removed
//! in between, so that no caller waits for the disk. A result that is about to be stored reserves its bytes first.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::metrics::FileUsage;

/// The running count, by workspace. Files that are added or removed during a count may be missed until the next count.
#[derive(Debug, Default)]
pub(super) struct Usage {
    stored: Mutex<Stored>,
    /// Bytes of files that are being written, by location.
    unfinished: Mutex<HashMap<String, u64>>,
}

#[derive(Debug, Default)]
struct Stored {
    counts: Counts,
    /// Bytes of results that are about to be stored, by the folder of the workspace and the location.
    reserved: HashMap<String, HashMap<String, u64>>,
}

/// The bytes of a result that is about to be stored, until it is counted or this is dropped.
#[derive(Debug)]
pub(super) struct Reservation {
    usage: Arc<Usage>,
    location: String,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.usage.stored().release(&self.location);
    }
}

/// A file that is being written, until this is dropped.
#[derive(Debug)]
pub(super) struct Writing {
    usage: Arc<Usage>,
    location: String,
}

impl Writing {
    pub(super) fn begin(usage: &Arc<Usage>, location: &str) -> Self {
        Self { usage: Arc::clone(usage), location: location.to_owned() }
    }

    /// Records the present size of the file; returns the total size of the workspace's other unfinished files.
    pub(super) fn note(&self, bytes: u64) -> u64 {
        let mut unfinished = self.usage.unfinished();
        unfinished.insert(self.location.clone(), bytes);
        let own = folder(&self.location);
        let others =
            unfinished.iter().filter(|(location, _)| **location != self.location && folder(location) == own);
        others.map(|(_, bytes)| *bytes).sum()
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.usage.unfinished().remove(&self.location);
    }
}

/// Files and bytes, by the folder of the workspace.
type Counts = HashMap<String, (i64, i64)>;

impl Usage {
    /// Counts a stored result; from now on its reservation does not count.
    pub(super) fn added(&self, location: &str, bytes: u64) {
        let mut stored = self.stored();
        stored.release(location);
        shift(&mut stored.counts, folder(location), 1, signed(bytes));
    }

    pub(super) fn removed(&self, location: &str, bytes: u64) {
        shift(&mut self.stored().counts, folder(location), -1, -signed(bytes));
    }

    /// Reserves the bytes of a result, if all results of its workspace then have at most `limit` bytes.
    pub(super) fn reserve(self: &Arc<Self>, location: &str, bytes: u64, limit: u64) -> Option<Reservation> {
        let mut stored = self.stored();
        if stored.bytes(folder(location)).saturating_add(bytes) > limit {
            return None;
        }
        let of_workspace = stored.reserved.entry(folder(location).to_owned()).or_default();
        of_workspace.insert(location.to_owned(), bytes);
        Some(Reservation { usage: Arc::clone(self), location: location.to_owned() })
    }

    /// Bytes of a workspace's results, with those that are about to be stored.
    pub(super) fn bytes_with_reserved(&self, workspace_id: &str) -> u64 {
        self.stored().bytes(workspace_id)
    }

    /// Usage of all workspaces.
    pub(super) fn get(&self) -> FileUsage {
        let stored = self.stored();
        let sum = stored.counts.values().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        usage(sum)
    }

    /// Usage of one workspace.
    pub(super) fn of(&self, workspace_id: &str) -> FileUsage {
        usage(self.stored().counts.get(workspace_id).copied().unwrap_or_default())
    }

    /// Replaces the count by the result of `count`: locations and bytes. Changes after the call has begun are
    /// preserved.
    pub(super) fn recount<E>(&self, count: impl FnOnce() -> Result<Vec<(String, u64)>, E>) -> Result<(), E> {
        let before = self.stored().counts.clone();
        let mut found = Counts::new();
        for (location, bytes) in count()? {
            shift(&mut found, folder(&location), 1, signed(bytes));
        }
        let counts = &mut self.stored().counts;
        for (folder, (files, bytes)) in before {
            shift(counts, &folder, -files, -bytes);
        }
        for (folder, (files, bytes)) in found {
            shift(counts, &folder, files, bytes);
        }
        Ok(())
    }

    fn unfinished(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stored(&self) -> MutexGuard<'_, Stored> {
        self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stored {
    fn bytes(&self, folder: &str) -> u64 {
        let counted = usage(self.counts.get(folder).copied().unwrap_or_default()).bytes;
        let reserved = self.reserved.get(folder).into_iter().flat_map(HashMap::values);
        reserved.fold(counted, |sum, bytes| sum.saturating_add(*bytes))
    }

    fn release(&mut self, location: &str) {
        let Some(of_workspace) = self.reserved.get_mut(folder(location)) else { return };
        of_workspace.remove(location);
        if of_workspace.is_empty() {
            self.reserved.remove(folder(location));
        }
    }
}

/// The workspace's folder of `results/WORKSPACE/QUERY.arrow`.
fn folder(location: &str) -> &str {
    location.split('/').nth(1).unwrap_or_default()
}

fn shift(counts: &mut Counts, folder: &str, files: i64, bytes: i64) {
    let count = counts.entry(folder.to_owned()).or_default();
    *count = (count.0 + files, count.1 + bytes);
    if *count == (0, 0) {
        counts.remove(folder);
    }
}

fn usage((files, bytes): (i64, i64)) -> FileUsage {
    let count = |count: i64| u64::try_from(count).unwrap_or(0);
    FileUsage { files: count(files), bytes: count(bytes) }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_files_of_other_runs_are_counted() {
        let usage = Arc::new(Usage::default());
        let begin = |location| Writing::begin(&usage, location);
        let [one, two, other] = ["results/a/1.arrow", "results/a/2.arrow", "results/b/3.arrow"].map(begin);
        assert_eq!(one.note(10), 0);
        assert_eq!(two.note(20), 10);
        assert_eq!(other.note(40), 0);
        assert_eq!(one.note(15), 20);
        drop(two);
        assert_eq!(one.note(15), 0);
    }

    #[test]
    fn reserved_bytes_count_until_the_result_is_counted() {
        let usage = Arc::new(Usage::default());
        let reserve = |location, bytes| usage.reserve(location, bytes, 10);
        usage.added("results/a/1.arrow", 3);
        let second = reserve("results/a/2.arrow", 4).expect("7 of 10");
        assert!(reserve("results/a/3.arrow", 4).is_none());
        let other = reserve("results/b/4.arrow", 10).expect("another workspace");
        assert_eq!((usage.bytes_with_reserved("a"), usage.of("a").bytes), (7, 3));
        usage.added("results/a/2.arrow", 4);
        assert_eq!((usage.bytes_with_reserved("a"), usage.of("a").bytes), (7, 7));
        drop(second);
        assert_eq!(usage.bytes_with_reserved("a"), 7);
        // One that is not stored after all.
        drop(reserve("results/a/3.arrow", 3).expect("10 of 10"));
        assert_eq!(usage.bytes_with_reserved("a"), 7);
        drop(other);
        assert!(usage.stored().reserved.is_empty());
    }

    #[test]
    fn changes_during_a_count_are_preserved() {
        let usage = Usage::default();
        usage.added("results/a/1.arrow", 10);
        usage.added("results/b/2.arrow", 20);
        usage.removed("results/a/1.arrow", 10);
        assert_eq!(usage.get(), FileUsage { files: 1, bytes: 20 });
        assert_eq!(usage.of("b"), FileUsage { files: 1, bytes: 20 });
        assert_eq!(usage.of("a"), FileUsage::default());
        let found = vec![("results/a/3.arrow".to_owned(), 300), ("results/b/4.arrow".to_owned(), 400)];
        let counted = usage.recount(|| {
            usage.added("results/b/5.arrow", 5);
            Ok::<_, ()>(found)
        });
        assert_eq!((counted, usage.get()), (Ok(()), FileUsage { files: 3, bytes: 705 }));
        assert_eq!(usage.of("b"), FileUsage { files: 2, bytes: 405 });
        // A file that was removed before it was counted does not make the count wrap around.
        let _ = usage.recount(|| Ok::<_, ()>(Vec::new()));
        usage.removed("results/a/3.arrow", 100);
        usage.removed("results/b/4.arrow", 100);
        assert_eq!(usage.get(), FileUsage::default());
    }
}
