//! The generation that a view serves: its metadata at once, its files when the first reader comes. Its files stay until
//! it has been replaced and its last holder is gone (D25).

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rowhouse_model::{Column, Timestamp};
use tokio::sync::OnceCell;

use super::generation::Generation;
use crate::error::{Error, ErrorKind, Result};
use crate::store::generations::StoredGeneration;

/// A generation with its files on disk.
pub struct ServedGeneration {
    folder: PathBuf,
    path: PathBuf,
    pub(super) number: u64,
    /// The revision of the definition that it was computed from.
    pub(super) revision: u64,
    pub(super) columns: Arc<[Column]>,
    pub(super) row_count: u64,
    pub(super) refreshed_at: Timestamp,
    /// Bytes of its files.
    pub(super) bytes: u64,
    opened: OnceCell<Arc<Generation>>,
    is_retired: AtomicBool,
    /// Whether it could not be opened because its rows are damaged.
    is_unreadable: AtomicBool,
}

impl ServedGeneration {
    /// `folder` is the view's, with the files in it; `opened` is given if it was just built. Blocking.
    pub(super) fn new(folder: &Path, stored: StoredGeneration, opened: Option<Arc<Generation>>) -> Self {
        let StoredGeneration { view_id: _, number, revision, columns, row_count, refreshed_at } = stored;
        Self {
            folder: folder.to_owned(),
            path: Generation::path(folder, number),
            number,
            revision,
            columns,
            row_count,
            refreshed_at,
            bytes: Generation::bytes(folder, number),
            opened: OnceCell::new_with(opened),
            is_retired: AtomicBool::new(false),
            is_unreadable: AtomicBool::new(false),
        }
    }

    /// The Arrow IPC file of its rows.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens its files for the first reader, and returns the open ones to the others.
    pub(super) async fn open(&self) -> Result<Arc<Generation>> {
        let opened = self.opened.get_or_try_init(|| async {
            let (folder, number, columns) = (self.folder.clone(), self.number, Arc::clone(&self.columns));
            let refreshed_at = self.refreshed_at;
            tokio::task::spawn_blocking(move || Generation::open(&folder, number, columns, refreshed_at))
                .await
                .unwrap_or_else(|error| Err(Error::internal("opening a view's generation", error)))
                .map(Arc::new)
        });
        opened.await.cloned().inspect_err(|error| {
            if error.kind() == ErrorKind::Damaged {
                self.is_unreadable.store(true, Ordering::Relaxed);
            }
        })
    }

    /// Whether a reader has found its rows damaged.
    pub(super) fn is_damaged(&self) -> bool {
        let is_found = |opened: &Arc<Generation>| opened.file().is_damaged();
        self.is_unreadable.load(Ordering::Relaxed) || self.opened.get().is_some_and(is_found)
    }

    /// Names of the columns whose index its reads have used.
    pub(super) fn used_indexes(&self) -> Vec<String> {
        self.opened.get().map(|opened| opened.used_indexes()).unwrap_or_default()
    }

    /// Its files are removed with its last holder.
    pub(super) fn retire(&self) {
        self.is_retired.store(true, Ordering::Release);
    }
}

/// Removes the files of one generation, then the folder if it is empty. Blocking.
fn remove(folder: &Path, number: u64) {
    Generation::remove(folder, number);
    // OK to fail: the folder contains the next generation.
    let _ = std::fs::remove_dir(folder);
}

impl Drop for ServedGeneration {
    fn drop(&mut self) {
        if !self.is_retired.load(Ordering::Acquire) {
            return;
        }
        let (folder, number) = (self.folder.clone(), self.number);
        // The last holder may be a request: the reactor must not wait for the disk.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(move || remove(&folder, number))),
            Err(_) => remove(&folder, number),
        }
    }
}

impl fmt::Debug for ServedGeneration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServedGeneration").field("path", &self.path).finish_non_exhaustive()
    }
}
