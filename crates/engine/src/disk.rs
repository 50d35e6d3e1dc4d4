//! The disk of the data directory: free space, the errors of a full disk, and a reserve that is freed so that tokens
//! can be revoked even then.

use std::io;
use std::path::{Path, PathBuf};

use rowhouse_model::{ErrorCode, QueryError};

use crate::error::{Error, ErrorKind};

/// Name of the reserve inside the data directory.
const RESERVE_FILE: &str = "reserve";
/// Its size: a write to the store needs a few pages.
const RESERVE_BYTES: u64 = 1 << 20;
/// With less free space the disk counts as full.
const FULL_BYTES: u64 = 256 << 10;

const WHAT_TO_DO: &str =
    "free some, delete results (DELETE /api/v1/query/:id/result) or shorten results.retention";

/// The disk.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    data_dir: PathBuf,
}

impl Disk {
    pub(crate) fn of(data_dir: &Path) -> Self {
        Self { data_dir: data_dir.to_owned() }
    }

    /// As [`of`](Self::of), and creates the reserve. Blocking.
    pub(crate) fn with_reserve(data_dir: &Path) -> Self {
        let disk = Self::of(data_dir);
        disk.ensure_reserve();
        disk
    }

    /// Whether the disk is full. Blocking; if the system does not report free space, the disk is not full.
    pub(crate) fn is_full(&self) -> bool {
        self.free_bytes().is_some_and(|free| free < FULL_BYTES)
    }

    /// Free space. Blocking; none if the system does not report it.
    pub(crate) fn free_bytes(&self) -> Option<u64> {
        let space = rustix::fs::statvfs(&self.data_dir).ok()?;
        Some(space.f_bavail.saturating_mul(space.f_frsize))
    }

    /// Creates the reserve if there is room for it. Blocking.
    pub(crate) fn ensure_reserve(&self) {
        let path = self.reserve();
        let is_there = std::fs::metadata(&path).is_ok_and(|file| file.len() == RESERVE_BYTES);
        if is_there || self.free_bytes().is_some_and(|free| free < 4 * RESERVE_BYTES) {
            return;
        }
        // Pseudorandom bytes, which no file system stores as a hole or compresses.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let words = std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_le_bytes()
        });
        let bytes: Vec<u8> = words.flatten().take(RESERVE_BYTES as usize).collect();
        if let Err(error) = std::fs::write(&path, bytes) {
            tracing::warn!(%error, "the disk's reserve was not made");
            // OK to ignore: then a partial reserve remains.
            let _ = std::fs::remove_file(path);
        }
    }

    /// Frees the reserve for a write that must not fail; returns whether there was one. Blocking.
    pub(crate) fn release_reserve(&self) -> bool {
        let is_given = std::fs::remove_file(self.reserve()).is_ok();
        if is_given {
            tracing::warn!("the disk is full: its reserve was given back");
        }
        is_given
    }

    fn reserve(&self) -> PathBuf {
        self.data_dir.join(RESERVE_FILE)
    }
}

/// The error of a request that would have to write.
pub(crate) fn full() -> Error {
    Error::new(ErrorKind::StorageFull, format!("the disk of the data directory is full; {WHAT_TO_DO}"))
}

/// The error of a statement without room for its result or spilled rows.
pub(crate) fn full_for_statement() -> QueryError {
    QueryError::new(
        ErrorCode::GenericInsufficientResources,
        format!(
            "the disk of the data directory is full, and the statement's rows have no room; {WHAT_TO_DO}"
        ),
    )
}

/// Whether a write failed because the disk is full.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Replaces the error of a statement that failed because the disk is full, whatever the executor reported.
pub(crate) fn explain(error: QueryError) -> QueryError {
    let is_of_files =
        matches!(error.code(), Some(ErrorCode::External | ErrorCode::GenericInternalError) | None);
    let is_full = ["No space left on device", "os error 28", "Disk quota exceeded"]
        .iter()
        .any(|text| error.message.contains(text));
    if is_of_files && is_full { full_for_statement() } else { error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_reserve_is_created_released_and_created_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::of(folder.path());
        assert!(!disk.release_reserve());
        for _ in 0..2 {
            disk.ensure_reserve();
            let bytes = std::fs::metadata(folder.path().join(RESERVE_FILE)).expect("the reserve").len();
            assert_eq!(bytes, RESERVE_BYTES);
            assert!(disk.release_reserve());
        }
    }

    #[test]
    fn a_full_disk_is_recognized_except_in_user_errors() {
        let error = |code, message: &str| explain(QueryError::new(code, message)).code();
        let full = Some(ErrorCode::GenericInsufficientResources);
        let text = "cannot read the table's files: No space left on device (os error 28)";
        assert_eq!(error(ErrorCode::External, text), full);
        assert_eq!(error(ErrorCode::External, "cannot read the table's files"), Some(ErrorCode::External));
        let cast = "Cannot cast 'No space left on device' to BIGINT";
        assert_eq!(error(ErrorCode::InvalidCastArgument, cast), Some(ErrorCode::InvalidCastArgument));
    }
}
