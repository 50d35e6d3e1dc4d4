//! A file being written. Dropping it before its end leaves nothing.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use rowhouse_model::WorkspaceId;

use super::{FilePath, PARTIAL_FOLDER, Shared, Usage, fault, make_folder};
use crate::error::{Error, ErrorKind, Result};
use crate::result_links::FileGrant;

/// Bytes of a file being written, counted in the workspace's quota.
pub struct Upload {
    shared: Arc<Shared>,
    workspace_id: WorkspaceId,
    path: FilePath,
    partial: PathBuf,
    /// None while it is written to, and after an error.
    file: Option<File>,
    counted: Usage,
    written: u64,
}

impl Upload {
    /// Blocking.
    pub(super) fn begin(shared: Arc<Shared>, grant: &FileGrant, at_least: u64, id: &str) -> Result<Self> {
        let counted = Usage { files: 1, bytes: at_least };
        shared.reserve(&grant.workspace_id, counted)?;
        let folder = shared.folder.join(PARTIAL_FOLDER);
        let mut upload = Self {
            partial: folder.join(id),
            shared,
            workspace_id: grant.workspace_id.clone(),
            path: grant.path.clone(),
            file: None,
            counted,
            written: 0,
        };
        make_folder(&folder).map_err(|error| fault("making", &folder, error))?;
        let file = File::options().write(true).create_new(true).mode(0o600).open(&upload.partial);
        upload.file = Some(file.map_err(|error| fault("making", &upload.partial, error))?);
        Ok(upload)
    }

    /// Writes further bytes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidArguments`] above the workspace's quota; an error of the disk.
    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        let after = self.written + bytes.len() as u64;
        if after > self.counted.bytes {
            let more = after - self.counted.bytes;
            self.shared.reserve(&self.workspace_id, Usage { files: 0, bytes: more })?;
            self.counted.bytes = after;
        }
        let mut file = self.file.take().ok_or_else(|| broken_off("an earlier write failed"))?;
        let written = tokio::task::spawn_blocking(move || file.write_all(&bytes).map(|()| file)).await;
        let written = written.map_err(|error| Error::internal("writing a file", error))?;
        self.file = Some(written.map_err(|error| fault("writing", &self.partial, error))?);
        self.written = after;
        Ok(())
    }

    /// Syncs the file and moves it to its path.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidArguments`]: a folder has its path, or a file the path of one of its folders; an error of
    /// the disk.
    pub async fn finish(self) -> Result<()> {
        let finished = tokio::task::spawn_blocking(move || self.finish_blocking()).await;
        finished.unwrap_or_else(|error| Err(Error::internal("ending an upload", error)))
    }

    fn finish_blocking(mut self) -> Result<()> {
        let file = self.file.take().ok_or_else(|| broken_off("an earlier write failed"))?;
        file.sync_all().map_err(|error| fault("syncing", &self.partial, error))?;
        let place = self.shared.place(&self.workspace_id, &self.path);
        let folder = place.parent().unwrap_or(&self.shared.folder).to_owned();
        let replaced = self.put(&place, &folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                self.taken("a file is where its folder has to be")
            }
            io::ErrorKind::IsADirectory => self.taken("a folder is in its place"),
            _ => fault("placing", &place, error),
        })?;
        // The reservation beyond its size, and the file that it replaces.
        let too_much = self.counted.bytes.saturating_sub(self.written);
        let less = match replaced {
            Some(bytes) => Usage { files: 1, bytes: bytes + too_much },
            None => Usage { files: 0, bytes: too_much },
        };
        self.shared.release(&self.workspace_id, less);
        self.counted = Usage::default();
        sync_folders(&folder, &self.shared.folder).map_err(|error| fault("syncing", &folder, error))
    }

    /// Under the lock, so that the count matches the files. Returns the size of the replaced file.
    fn put(&self, place: &Path, folder: &Path) -> io::Result<Option<u64>> {
        let _usage = self.shared.usage();
        make_folder(folder)?;
        let replaced = match fs::symlink_metadata(place) {
            Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) => Some(metadata.len()),
            Err(_) => None,
        };
        fs::rename(&self.partial, place)?;
        Ok(replaced)
    }

    fn taken(&self, what: &str) -> Error {
        let path = rowhouse_model::excerpt(self.path.as_str());
        Error::new(ErrorKind::InvalidArguments, format!("the file '{path}' cannot be put there: {what}"))
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if self.counted != Usage::default() {
            // OK to ignore: the next start removes it.
            let _ = fs::remove_file(&self.partial);
            self.shared.release(&self.workspace_id, self.counted);
        }
    }
}

fn broken_off(why: &str) -> Error {
    Error::new(ErrorKind::Internal, format!("an upload broke off: {why}"))
}

/// A new name is durable once its folder is synced, and a new folder's once its parent is.
fn sync_folders(folder: &Path, root: &Path) -> io::Result<()> {
    for folder in folder.ancestors() {
        File::open(folder)?.sync_all()?;
        if folder == root {
            break;
        }
    }
    Ok(())
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upload")
            .field("partial", &self.partial)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}
