//! The lock of the data directory: one server at a time. The kernel releases it when the process ends, however it ends,
//! so a crash leaves no lock behind. The directory is locked itself, too: a lock file may be removed by hand.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use crate::error::{Error, ErrorKind, Result};

/// Contains the process id of the server that has the directory; its content means nothing without the lock.
pub(crate) const LOCK_FILE: &str = "server.lock";

/// The held lock; dropping it releases the directory.
pub(super) struct DataDirLock {
    file: File,
    /// Not a lock of the database: SQLite's own would end when another file of the process on it is closed.
    folder: File,
}

impl DataDirLock {
    /// Creates the directory, accessible to the server's user only, if it is missing.
    pub(super) fn acquire(folder: &Path) -> Result<Self> {
        let fault =
            |error| Error::internal(format!("locking the data directory {}", folder.display()), error);
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(fault)?;
        let path = folder.join(LOCK_FILE);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(fault)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(held(folder, &mut file)),
            Err(error) => return Err(fault(error.into())),
        }
        let directory = File::open(folder).map_err(fault)?;
        match flock(&directory, FlockOperation::NonBlockingLockExclusive) {
            // Of the holder nothing is known but that its lock file is another one, which is gone.
            Err(rustix::io::Errno::WOULDBLOCK) => {
                let _ = file.set_len(0);
                return Err(held(folder, &mut file));
            }
            Ok(()) => {}
            // NFS has no locks of directories.
            Err(error) => tracing::debug!(%error, "only the lock file is locked, not the data directory"),
        }
        file.set_len(0).map_err(fault)?;
        writeln!(file, "{}", std::process::id()).map_err(fault)?;
        Ok(Self { file, folder: directory })
    }
}

impl Drop for DataDirLock {
    fn drop(&mut self) {
        // Closing the file is not enough: a child that another thread has just forked has it open until it executes its
        // program, and with it the lock.
        // OK to ignore: the kernel releases the lock when the last of them closes the file.
        let _ = flock(&self.folder, FlockOperation::Unlock);
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

fn held(folder: &Path, file: &mut File) -> Error {
    let mut text = String::new();
    // OK to ignore a failure: then the message omits the number.
    let _ = file.rewind().and_then(|()| file.read_to_string(&mut text));
    let holder = match text.trim() {
        "" => "another process".to_owned(),
        pid => format!("process {pid}"),
    };
    Error::new(
        ErrorKind::Internal,
        format!(
            "the data directory {} is in use by {holder}; stop that server or start this one with another --data-dir",
            folder.display()
        ),
    )
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Regression: opening a directory again right after its store was closed failed if another thread was starting a process
    /// at that moment.
    #[test]
    fn a_dropped_lock_is_free_although_a_forked_child_has_its_file_open() {
        let folder = tempfile::tempdir().unwrap();
        let lock = DataDirLock::acquire(folder.path()).unwrap();
        let of_the_child = (lock.file.try_clone().unwrap(), lock.folder.try_clone().unwrap());
        assert!(DataDirLock::acquire(folder.path()).is_err());
        drop(lock);
        DataDirLock::acquire(folder.path()).unwrap();
        drop(of_the_child);
    }
    /// Regression: when the lock file was removed, a second server started on the directory of a running one.
    #[test]
    fn a_directory_stays_locked_without_its_lock_file() {
        let folder = tempfile::tempdir().unwrap();
        let lock = DataDirLock::acquire(folder.path()).unwrap();
        std::fs::remove_file(folder.path().join(LOCK_FILE)).unwrap();
        for _ in 0..2 {
            let refused = DataDirLock::acquire(folder.path()).err().unwrap();
            assert!(refused.to_string().contains("in use by another process"), "{refused}");
        }
        drop(lock);
        DataDirLock::acquire(folder.path()).unwrap();
    }
}
