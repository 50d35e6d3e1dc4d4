//! Moves a result out of the folder of its worker. A worker that is kept may still have the file open, and must not be
//! able to change a served file: so a file is copied, and for a large one the worker ends first.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rowhouse_executor::protocol::SMALL_RESULT_BYTES;
use tokio::task::spawn_blocking;

use super::process::Process;
use super::work_dir::open_written;
use super::write_behind::WriteBehind;

/// Maximum size of a file that is copied: cheaper than a new process and the loss of its warm memory.
pub(super) const MAX_COPIED_BYTES: u64 = 64 << 20;

/// Moves the file that a worker has written to its final place, durably unless it is small; returns the worker if it is
/// still alive. `write_behind` has made a part of a large file durable.
pub(super) async fn deliver(
    process: Process,
    from: &Path,
    to: &Path,
    write_behind: WriteBehind,
) -> io::Result<Option<Process>> {
    let written = Written::open(from.to_owned())?;
    let to = to.to_owned();
    if written.bytes <= SMALL_RESULT_BYTES as u64 {
        // Passing this to a blocking thread takes longer than doing it.
        written.copy(to)?.keep();
        return Ok(Some(process));
    }
    if written.bytes <= MAX_COPIED_BYTES {
        blocking(move || written.copy(to)).await?.keep();
        return Ok(Some(process));
    }
    let folder = process.kill_and_wait().await;
    write_behind.finish().await?;
    let delivered = blocking(move || {
        let delivered = written.rename(to);
        drop(folder);
        delivered
    });
    delivered.await?.keep();
    Ok(None)
}

/// The file that a worker has written.
struct Written {
    path: PathBuf,
    file: File,
    bytes: u64,
}

impl Written {
    fn open(path: PathBuf) -> io::Result<Self> {
        let file = open_written(&path)?;
        let bytes = file.metadata()?.len();
        Ok(Self { path, file, bytes })
    }

    fn copy(self, to: PathBuf) -> io::Result<Delivered> {
        let mut target = File::options().write(true).create_new(true).open(&to)?;
        let delivered = Delivered { path: Some(to) };
        if io::copy(&mut self.file.take(self.bytes), &mut target)? != self.bytes {
            return Err(io::Error::other("the result shrinks after its end"));
        }
        if self.bytes > SMALL_RESULT_BYTES as u64 {
            target.sync_all()?;
        }
        std::fs::remove_file(&self.path)?;
        Ok(delivered)
    }

    /// For a file that no process has open any more.
    fn rename(self, to: PathBuf) -> io::Result<Delivered> {
        let delivered = Delivered { path: Some(to) };
        std::fs::rename(&self.path, delivered.path())?;
        open_written(delivered.path())?.sync_all()?;
        Ok(delivered)
    }
}

/// A file in its final place; removed unless someone still waits for it.
struct Delivered {
    path: Option<PathBuf>,
}

impl Delivered {
    fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(""))
    }

    fn keep(mut self) {
        self.path = None;
    }
}

impl Drop for Delivered {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // OK to ignore: remains of a result are removed at the next start.
            let _ = std::fs::remove_file(path);
        }
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
