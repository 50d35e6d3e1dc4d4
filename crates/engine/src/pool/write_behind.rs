//! Starts to make a large result durable while its worker still writes it, so that the sync at its end has little left:
//! a disk is idle otherwise until the last row, and the statement waits for all bytes after it.

use std::io;
use std::path::Path;

use tokio::task::{JoinHandle, spawn_blocking};

use super::work_dir::open_written;

/// Bytes that a file grows between two syncs: a sync has a fixed cost of a few milliseconds (a commit of the file
/// system's journal), which is small beside the transfer of so many bytes on any disk.
const INTERVAL_BYTES: u64 = 32 << 20;

/// The syncs of one file, one at a time.
#[derive(Debug)]
pub(super) struct WriteBehind {
    /// Smaller files are not synced.
    from_bytes: u64,
    /// The file's size at the latest sync.
    synced_bytes: u64,
    pending: Option<JoinHandle<io::Result<()>>>,
    /// The first error of a sync. The system reports each only once, so a later sync would succeed.
    error: Option<io::Error>,
}

impl WriteBehind {
    /// Of a file that is synced once it is larger than this.
    pub(super) fn of_more_than(from_bytes: u64) -> Self {
        Self { from_bytes, synced_bytes: 0, pending: None, error: None }
    }

    /// Starts a sync if the file has grown enough since the latest one, and that one has ended.
    pub(super) async fn advance(&mut self, written: &Path) {
        if self.pending.as_ref().is_some_and(|sync| !sync.is_finished()) {
            return;
        }
        self.wait().await;
        // A file that does not exist yet, or is replaced, is found out when it is delivered.
        let bytes = std::fs::symlink_metadata(written).map_or(0, |file| file.len());
        if bytes <= self.from_bytes || bytes < self.synced_bytes + INTERVAL_BYTES {
            return;
        }
        let Ok(file) = open_written(written) else { return };
        self.synced_bytes = bytes;
        self.pending = Some(spawn_blocking(move || file.sync_data()));
    }

    /// Waits for the latest sync.
    ///
    /// # Errors
    /// The first error of any sync: not all bytes are on the disk.
    pub(super) async fn finish(mut self) -> io::Result<()> {
        self.wait().await;
        self.error.map_or(Ok(()), Err)
    }

    async fn wait(&mut self) {
        let Some(sync) = self.pending.take() else { return };
        let ended = sync.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        self.error = self.error.take().or(ended.err());
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    /// Sizes of a file, and the sizes at which a sync started.
    async fn syncs(sizes_mib: &[u64]) -> Vec<u64> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.arrow");
        let mut write_behind = WriteBehind::of_more_than(64 << 20);
        write_behind.advance(&path).await;
        assert!(write_behind.pending.is_none(), "no file");
        let file = File::create_new(&path).expect("a file");
        let mut started = Vec::new();
        for size in sizes_mib {
            file.set_len(size << 20).expect("grown");
            write_behind.advance(&path).await;
            if let Some(sync) = &write_behind.pending {
                started.push(write_behind.synced_bytes >> 20);
                while !sync.is_finished() {
                    tokio::task::yield_now().await;
                }
            }
        }
        write_behind.finish().await.expect("synced");
        started.dedup();
        started
    }

    #[tokio::test]
    async fn a_large_file_is_synced_as_it_grows() {
        assert_eq!(syncs(&[1, 40, 64]).await, [0; 0]);
        assert_eq!(syncs(&[64, 65, 66, 96, 97, 128, 129, 200]).await, [65, 97, 129, 200]);
    }

    #[tokio::test]
    async fn one_sync_runs_at_a_time_and_its_error_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.arrow");
        File::create_new(&path).and_then(|file| file.set_len(100 << 20)).expect("a file");
        let (fail, failed) = std::sync::mpsc::channel::<()>();
        let full = move || failed.recv().map_or(Ok(()), |()| Err(io::ErrorKind::StorageFull.into()));
        let pending = Some(spawn_blocking(full));
        let mut write_behind = WriteBehind { pending, ..WriteBehind::of_more_than(64 << 20) };
        write_behind.advance(&path).await;
        assert_eq!(write_behind.synced_bytes, 0, "another sync runs");
        fail.send(()).expect("it waits");
        while write_behind.synced_bytes == 0 {
            write_behind.advance(&path).await;
            tokio::task::yield_now().await;
        }
        let error = write_behind.finish().await.expect_err("the first sync failed");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
