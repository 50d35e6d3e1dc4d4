//! Folders of workers: the one place that each may write. They are on the file system of the results, because their
//! files become result files.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{Mode, OFlags, open};

/// The folders of one server, all in one parent folder.
#[derive(Debug)]
pub(super) struct WorkDirs {
    root: PathBuf,
    /// Number of folders created so far.
    made: Mutex<u64>,
}

impl WorkDirs {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, made: Mutex::new(0) }
    }

    /// Creates a folder. The first call removes the remains of an earlier server: by then this one holds the data
    /// directory.
    pub(super) fn make(&self) -> io::Result<WorkDir> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if *made == 0 {
            match fs::remove_dir_all(&self.root) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => DirBuilder::new().mode(0o700).recursive(true).create(&self.root)?,
            }
        }
        *made += 1;
        let path = self.root.join(made.to_string());
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(WorkDir { path })
    }
}

/// The folder of one worker; removed on drop, so it must outlive the process.
#[derive(Debug)]
pub(super) struct WorkDir {
    path: PathBuf,
}

impl WorkDir {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file in it that becomes `output`.
    pub(super) fn file(&self, output: &Path) -> PathBuf {
        self.path.join(output.file_name().unwrap_or("result.arrow".as_ref()))
    }
}

/// Opens a regular file that a worker has written, never a link, pipe or device.
pub(super) fn open_written(path: &Path) -> io::Result<File> {
    let file = File::from(open(
        path,
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC,
        Mode::empty(),
    )?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("the result is no file")) }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        let path = std::mem::take(&mut self.path);
        let remove = move || {
            if let Err(error) = fs::remove_dir_all(&path)
                && error.kind() != io::ErrorKind::NotFound
            {
                tracing::warn!(%error, path = %path.display(), "the folder of a worker was not removed");
            }
        };
        // Without a runtime the server is ending.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(remove)),
            Err(_) => remove(),
        }
    }
}
