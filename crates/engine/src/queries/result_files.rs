//! Paths of results: `results/<workspace id>/<query id>.arrow` inside the data directory. A worker writes the file as
//! `.partial` and syncs it; the server renames it when the run has succeeded.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rowhouse_model::{QueryId, WorkspaceId};

use super::usage::{Reservation, Usage, Writing};
use crate::error::{Error, Result};
use crate::metrics::FileUsage;
use crate::store::{Store, small_results};
use rowhouse_executor::protocol::SMALL_RESULT_BYTES;

/// Folder of the results inside the data directory.
const FOLDER: &str = "results";
/// Suffix of a complete result.
const WHOLE: &str = ".arrow";
/// Suffix of an incomplete file.
const PARTIAL: &str = ".partial";

/// The folder of all results.
#[derive(Clone, Debug)]
pub(super) struct ResultFiles {
    data_dir: PathBuf,
    usage: Arc<Usage>,
}

impl ResultFiles {
    pub(super) fn new(data_dir: &Path) -> Self {
        // Workers and the server must resolve paths alike, whatever their working directory is.
        let data_dir = std::path::absolute(data_dir).unwrap_or_else(|_| data_dir.to_owned());
        Self { data_dir, usage: Arc::default() }
    }

    /// The result's name in records (D14).
    #[expect(clippy::unused_self, reason = "locations belong to the folder")]
    pub(super) fn location(&self, workspace_id: &WorkspaceId, id: &QueryId) -> String {
        format!("{FOLDER}/{workspace_id}/{id}{WHOLE}")
    }

    /// The query id of a complete result file; none for an incomplete one.
    pub(super) fn query_of(location: &str) -> Option<&str> {
        location.rsplit('/').next()?.strip_suffix(WHOLE)
    }

    /// The file of a location.
    pub(super) fn path(&self, location: &str) -> PathBuf {
        self.data_dir.join(location)
    }

    /// Creates the folder; returns the path to write to.
    pub(super) async fn prepare(&self, location: &str) -> io::Result<PathBuf> {
        let partial = self.partial(location);
        // The check is fast if the folder exists, as it does except for the first statement.
        let Some(folder) = partial.parent().filter(|folder| !folder.is_dir()).map(Path::to_owned) else {
            return Ok(partial);
        };
        let make = move || {
            std::fs::create_dir_all(&folder)?;
            // A new workspace's folder must be as durable as the results in it.
            let above = folder.parent().into_iter().flat_map(|results| [Some(results), results.parent()]);
            for folder in above.flatten() {
                File::open(folder)?.sync_all()?;
            }
            Ok(())
        };
        tokio::task::spawn_blocking(make).await.unwrap_or_else(|error| Err(io::Error::other(error)))?;
        Ok(partial)
    }

    /// Gives a written file its final name, durably, and returns its size in bytes. `file` is the content if the executor has
    /// not written it.
    pub(super) async fn publish(&self, location: &str, file: Option<Vec<u8>>) -> io::Result<u64> {
        let (partial, path) = (self.partial(location), self.path(location));
        let publish = move || {
            if let Some(file) = file {
                std::fs::write(&partial, file)?;
            }
            publish(&partial, &path)
        };
        let published = tokio::task::spawn_blocking(publish).await;
        let bytes = published.unwrap_or_else(|error| Err(io::Error::other(error)))?;
        self.usage.added(location, bytes);
        Ok(bytes)
    }

    /// Counts a new result without a file.
    pub(super) fn kept(&self, location: &str, bytes: u64) {
        self.usage.added(location, bytes);
    }

    /// Counts out a deleted result without a file.
    pub(super) fn given_up(&self, location: &str, bytes: u64) {
        self.usage.removed(location, bytes);
    }

    /// Removes the file of a run that no record waits for any more.
    pub(super) async fn discard(&self, location: &str) {
        remove(&self.partial(location)).await;
    }

    /// Removes the file of a result without references.
    pub(super) async fn remove(&self, location: &str) {
        let path = self.path(location);
        let bytes = tokio::fs::metadata(&path).await.map(|metadata| metadata.len());
        if remove(&path).await
            && let Ok(bytes) = bytes
        {
            self.usage.removed(location, bytes);
        }
    }

    /// Number and bytes of all results.
    pub(super) fn usage(&self) -> FileUsage {
        self.usage.get()
    }

    /// Usage of one workspace.
    pub(super) fn usage_of(&self, workspace_id: &WorkspaceId) -> FileUsage {
        self.usage.of(workspace_id.as_str())
    }

    /// Reserves the bytes of a result, if all results of its workspace then have at most `limit` bytes.
    pub(super) fn reserve(&self, location: &str, bytes: u64, limit: u64) -> Option<Reservation> {
        self.usage.reserve(location, bytes, limit)
    }

    /// Bytes of a workspace's results, with those that are about to be stored.
    pub(super) fn bytes_with_reserved(&self, workspace_id: &WorkspaceId) -> u64 {
        self.usage.bytes_with_reserved(workspace_id.as_str())
    }

    /// Bytes that a run has written so far; `file` is the run's own file, if it has one. Blocking.
    pub(super) fn written(&self, location: &str, file: Option<&Path>) -> u64 {
        let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
        bytes(&self.partial(location)).max(file.map_or(0, bytes))
    }

    /// A run begins to write.
    pub(super) fn writing(&self, location: &str) -> Writing {
        Writing::begin(&self.usage, location)
    }

    /// Counts the files on the disk, and the results that the store keeps. Blocking.
    pub(super) fn recount(&self, store: &Store) -> Result<()> {
        self.usage.recount(|| {
            let kept = store.read(small_results::sizes)?;
            let listed = self.list()?.into_iter().filter(|location| !location.ends_with(PARTIAL));
            // A file that was removed meanwhile does not count.
            let bytes = |location: &String| std::fs::metadata(self.path(location)).map(|file| file.len());
            Ok(listed
                .filter_map(|location| Some((bytes(&location).ok()?, location)))
                .map(|(bytes, location)| (location, bytes))
                .chain(kept)
                .collect())
        })
    }

    /// The locations of all files, including incomplete ones. Blocking.
    pub(super) fn list(&self) -> Result<Vec<String>> {
        let list = || -> io::Result<Vec<String>> {
            let mut locations = Vec::new();
            for folder in read_dir(&self.data_dir.join(FOLDER))? {
                let folder = folder?;
                if !folder.file_type()?.is_dir() {
                    continue;
                }
                let folder_name = folder.file_name();
                for file in read_dir(&folder.path())? {
                    let file_name = file?.file_name();
                    let (folder_name, file_name) =
                        (folder_name.to_string_lossy(), file_name.to_string_lossy());
                    locations.push(format!("{FOLDER}/{folder_name}/{file_name}"));
                }
            }
            Ok(locations)
        };
        list().map_err(|error| Error::internal("listing the results", error))
    }

    /// Removes files and returns their number. Blocking.
    pub(super) fn remove_all<'a>(&self, locations: impl Iterator<Item = &'a String>) -> Result<usize> {
        let mut removed = 0;
        for location in locations {
            match std::fs::remove_file(self.path(location)) {
                Ok(()) => removed += 1,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::internal(format!("removing {location}"), error)),
            }
        }
        Ok(removed)
    }

    fn partial(&self, location: &str) -> PathBuf {
        self.data_dir.join(format!("{location}{PARTIAL}"))
    }
}

/// Gives a file its name, durably; its bytes.
fn publish(partial: &Path, path: &Path) -> io::Result<u64> {
    let file = File::open(partial)?;
    let bytes = file.metadata()?.len();
    if bytes <= SMALL_RESULT_BYTES as u64 {
        // Larger ones are already synced.
        file.sync_all()?;
    }
    std::fs::rename(partial, path)?;
    // The name is durable once its folder is synced; the record that names it is written afterwards.
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(bytes)
}

/// Whether it existed and was removed.
async fn remove(path: &Path) -> bool {
    match tokio::fs::remove_file(path).await {
        Ok(()) => true,
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                tracing::warn!(%error, path = %path.display(), "a result's file was not removed");
            }
            false
        }
    }
}

/// The entries of a folder, empty if there is no folder.
fn read_dir(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<std::fs::DirEntry>>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => Ok(Some(entries).into_iter().flatten()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None.into_iter().flatten()),
        Err(error) => Err(error),
    }
}
