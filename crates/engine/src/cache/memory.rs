//! Cache entries in memory, always consistent with the store under concurrent reads and writes.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rowhouse_model::WorkspaceId;

use crate::store::cache_entries::CacheEntry;

/// Maximum number of entries.
const MAX_ENTRIES: usize = 1024;
/// Longer statements are looked up in the store each time; with [`MAX_ENTRIES`] it bounds the memory.
const MAX_FINGERPRINT_BYTES: usize = 4 << 10;
/// Entries with more columns are looked up in the store, too.
const MAX_COLUMNS: usize = 256;

/// Entries by workspace and statement.
#[derive(Debug, Default)]
pub(super) struct MemoryEntries(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    by_statement: HashMap<WorkspaceId, HashMap<String, Arc<CacheEntry>>>,
    /// In order of insertion; the first one is evicted first.
    order: VecDeque<Arc<CacheEntry>>,
    /// Incremented by every change of the store: an entry that was read before must not be inserted after.
    changes: u64,
}

/// Result of a look-up in memory.
#[derive(Debug)]
pub(super) struct MemoryLookup {
    /// None if the store must be consulted.
    pub(super) entry: Option<Arc<CacheEntry>>,
    /// To be passed to `put` with the store's answer.
    pub(super) changes: u64,
}

impl MemoryEntries {
    /// The entry of a statement.
    pub(super) fn get(&self, workspace_id: &WorkspaceId, fingerprint: &str) -> MemoryLookup {
        let entries = self.entries();
        let entry = entries.by_statement.get(workspace_id).and_then(|held| held.get(fingerprint));
        MemoryLookup { entry: entry.cloned(), changes: entries.changes }
    }

    /// Inserts an entry. For one that was read from the store, `read_at` is the change count before the read: if it has
    /// changed since, the entry may be out of date.
    pub(super) fn put(&self, entry: &Arc<CacheEntry>, read_at: Option<u64>) {
        let mut entries = self.entries();
        match read_at {
            Some(changes) if changes != entries.changes => return,
            Some(_) => {}
            None => entries.changes += 1,
        }
        entries.remove(entry);
        if entry.fingerprint.len() > MAX_FINGERPRINT_BYTES || entry.columns.len() > MAX_COLUMNS {
            return;
        }
        let of_workspace = entries.by_statement.entry(entry.workspace_id.clone()).or_default();
        of_workspace.insert(entry.fingerprint.clone(), Arc::clone(entry));
        entries.order.push_back(Arc::clone(entry));
        if entries.order.len() > MAX_ENTRIES
            && let Some(oldest) = entries.order.pop_front()
        {
            entries.remove(&oldest);
        }
    }

    /// Removes entries that the store no longer has.
    pub(super) fn forget(&self, removed: &[CacheEntry]) {
        let mut entries = self.entries();
        entries.changes += 1;
        for entry in removed {
            entries.remove(entry);
        }
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    /// Removes the entry for the statement of `entry`.
    fn remove(&mut self, entry: &CacheEntry) {
        let Some(of_workspace) = self.by_statement.get_mut(&entry.workspace_id) else { return };
        let Some(held) = of_workspace.remove(&entry.fingerprint) else { return };
        if of_workspace.is_empty() {
            self.by_statement.remove(&entry.workspace_id);
        }
        self.order.retain(|other| !Arc::ptr_eq(other, &held));
    }
}

#[cfg(test)]
mod tests {
    use rowhouse_model::{QueryId, Timestamp};

    use super::*;

    fn entry(fingerprint: &str, location: &str) -> Arc<CacheEntry> {
        Arc::new(CacheEntry {
            workspace_id: WorkspaceId::new("w"),
            fingerprint: fingerprint.to_owned(),
            query_id: QueryId::new("q"),
            location: location.to_owned(),
            columns: Vec::new(),
            row_count: 0,
            created_at: Timestamp::from_millis(0),
            sources: None,
        })
    }

    fn location(held: &MemoryEntries, fingerprint: &str) -> Option<String> {
        let found = held.get(&WorkspaceId::new("w"), fingerprint).entry;
        found.map(|entry| entry.location.clone())
    }

    #[test]
    fn an_entry_read_before_a_change_is_not_inserted_after_it() {
        let held = MemoryEntries::default();
        let before = held.get(&WorkspaceId::new("w"), "a").changes;
        held.put(&entry("a", "new"), None);
        held.put(&entry("a", "old"), Some(before));
        assert_eq!(location(&held, "a").as_deref(), Some("new"));
        let before = held.get(&WorkspaceId::new("w"), "b").changes;
        held.forget(&[CacheEntry::clone(&entry("a", "new"))]);
        held.put(&entry("b", "old"), Some(before));
        assert_eq!((location(&held, "a"), location(&held, "b")), (None, None));
        let now = held.get(&WorkspaceId::new("w"), "b").changes;
        held.put(&entry("b", "read"), Some(now));
        assert_eq!(location(&held, "b").as_deref(), Some("read"));
    }

    #[test]
    fn the_memory_is_bounded() {
        let held = MemoryEntries::default();
        for number in 0..=MAX_ENTRIES {
            held.put(&entry(&number.to_string(), "x"), None);
            held.put(&entry(&number.to_string(), "x"), None);
        }
        assert!(location(&held, "0").is_none() && location(&held, "1").is_some());
        let entries = held.entries();
        assert_eq!(entries.order.len(), MAX_ENTRIES);
        assert_eq!(entries.by_statement.values().map(HashMap::len).sum::<usize>(), MAX_ENTRIES);
        drop(entries);
        held.put(&entry(&"x".repeat(MAX_FINGERPRINT_BYTES + 1), "x"), None);
        assert_eq!(held.entries().order.len(), MAX_ENTRIES);
    }
}
