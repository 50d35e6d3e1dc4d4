//! A result leaves the folder of its worker, which may live on with the file open: what is served must be out of its reach.
//! So a small file is copied, and for a large one the worker ends first.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use rowhouse_executor::protocol::SMALL_RESULT_BYTES;
use rustix::fs::{Mode, OFlags, open};
use tokio::task::spawn_blocking;

use super::process::Process;

/// A file up to this is copied: cheaper than a process.
const MAX_COPIED_BYTES: u64 = 1 << 20;

/// Gives the file that a worker has written its place, durably; the worker, where it lives on.
pub(super) async fn deliver(process: Process, to: &Path) -> io::Result<Option<Process>> {
    let from = process.output();
    let (source, target) = (from.clone(), to.to_owned());
    if let Some(delivered) = blocking(move || copy_if_small(&source, target)).await? {
        delivered.keep();
        return Ok(Some(process));
    }
    let folder = process.kill_and_wait().await;
    let target = to.to_owned();
    let delivered = blocking(move || {
        let delivered = Delivered { path: Some(target) };
        std::fs::rename(&from, delivered.path())?;
        opened(delivered.path())?.sync_all()?;
        drop(folder);
        Ok(delivered)
    });
    delivered.await?.keep();
    Ok(None)
}

fn copy_if_small(from: &Path, to: PathBuf) -> io::Result<Option<Delivered>> {
    let source = opened(from)?;
    if source.metadata()?.len() > MAX_COPIED_BYTES {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    (&source).take(MAX_COPIED_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_COPIED_BYTES {
        return Err(io::Error::other("the result grows after its end"));
    }
    let mut target = File::options().write(true).create_new(true).open(&to)?;
    let delivered = Delivered { path: Some(to) };
    target.write_all(&bytes)?;
    if bytes.len() as u64 > SMALL_RESULT_BYTES {
        target.sync_all()?;
    }
    std::fs::remove_file(from)?;
    Ok(Some(delivered))
}

/// A file and no link, pipe or device, whatever lies there.
fn opened(path: &Path) -> io::Result<File> {
    let file = File::from(open(
        path,
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC,
        Mode::empty(),
    )?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("the result is no file")) }
}

/// A file in its place; removed unless somebody still waits for it.
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
            // OK to ignore: what is left of a result is removed at the next start.
            let _ = std::fs::remove_file(path);
        }
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
