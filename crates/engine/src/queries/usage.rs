//! How many result files there are and how long they are: counted at the start and every now and then, raised
//! and lowered as files come and go in between, so that nobody who asks has to wait for the disk.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::metrics::FileUsage;

/// The running count. What comes or goes while the files are being counted may be missed until the next count.
#[derive(Debug, Default)]
pub(super) struct Usage {
    files: AtomicI64,
    bytes: AtomicI64,
}

impl Usage {
    pub(super) fn added(&self, bytes: u64) {
        self.shift(1, i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    pub(super) fn removed(&self, bytes: u64) {
        self.shift(-1, -i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    pub(super) fn get(&self) -> FileUsage {
        let read = |count: &AtomicI64| u64::try_from(count.load(Ordering::Relaxed)).unwrap_or(0);
        FileUsage { files: read(&self.files), bytes: read(&self.bytes) }
    }

    /// Replaces the count by what `count` finds. What is added or removed after the call has begun stays in.
    pub(super) fn recount<E>(&self, count: impl FnOnce() -> Result<FileUsage, E>) -> Result<(), E> {
        let (files, bytes) = (self.files.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed));
        let found = count()?;
        let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        self.shift(signed(found.files) - files, signed(found.bytes) - bytes);
        Ok(())
    }

    fn shift(&self, files: i64, bytes: i64) {
        self.files.fetch_add(files, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_during_a_count_stays_in() {
        let usage = Usage::default();
        usage.added(10);
        usage.added(20);
        usage.removed(10);
        assert_eq!(usage.get(), FileUsage { files: 1, bytes: 20 });
        let counted = usage.recount(|| {
            usage.added(5);
            Ok::<_, ()>(FileUsage { files: 7, bytes: 700 })
        });
        assert_eq!((counted, usage.get()), (Ok(()), FileUsage { files: 8, bytes: 705 }));
        // A file that was removed before it was counted does not make the count wrap around.
        let _ = usage.recount(|| Ok::<_, ()>(FileUsage::default()));
        usage.removed(100);
        usage.removed(100);
        assert_eq!(usage.get(), FileUsage::default());
    }
}
