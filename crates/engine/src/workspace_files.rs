//! Uploaded files of a workspace: in `files` of the data directory, in a folder for each workspace, by their paths. A
//! file gets its path only when it is complete and synced; another one of the same path replaces it. All files of a
//! workspace share a quota, which includes uploads in progress.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rowhouse_model::{Role, Timestamp, WorkspaceId};

use crate::disk;
use crate::error::{Error, ErrorKind, Result};
use crate::id_source::IdSource;
use crate::result_links::FileGrant;
use crate::workspaces::Access;
use rowhouse_rows::ChunkSource;

mod download;
mod path;
#[cfg(test)]
mod tests;
mod upload;

pub use path::FilePath;
pub use upload::Upload;

/// Folder inside the data directory.
pub(crate) const FILES_FOLDER: &str = "files";
/// Subfolder for uploads in progress: no workspace has such an id.
pub(crate) const PARTIAL_FOLDER: &str = ".partial";
/// Maximum number of files of one workspace.
const MAX_FILES: u64 = 10_000;
/// Prefix of a table's location that names files of its workspace.
pub(crate) const FILES_SCHEME: &str = "files:/";

/// A text for clients: paths below `files_dir`, the folder of all workspaces' files, are shown as the locations that name them,
/// because a location does not disclose where the server has its data.
pub(crate) fn with_locations(text: &str, files_dir: &Path) -> String {
    let files_dir = format!("{}/", files_dir.display());
    let mut parts = text.split(files_dir.as_str());
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // The workspace's folder.
        let path = part.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        shown.push_str(FILES_SCHEME);
        shown.push_str(path.strip_prefix('/').unwrap_or(path));
    }
    shown
}

/// A file of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceFile {
    /// Its path, without a leading slash.
    pub path: String,
    /// Its size, bytes.
    pub size: u64,
    /// Upload time.
    pub modified_at: Timestamp,
}

/// All files of all workspaces.
pub struct WorkspaceFiles {
    shared: Arc<Shared>,
    ids: Arc<dyn IdSource>,
}

struct Shared {
    folder: PathBuf,
    quota_bytes: u64,
    /// Usage of the workspaces that were counted. The lock is held while files are added and removed, which is fast.
    usage: Mutex<HashMap<WorkspaceId, Usage>>,
}

/// Usage of a workspace, including uploads in progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Usage {
    files: u64,
    bytes: u64,
}

impl WorkspaceFiles {
    /// Removes the remains of uploads that a kill interrupted. Blocking.
    pub(crate) fn open(data_dir: &Path, quota_bytes: u64, ids: Arc<dyn IdSource>) -> Result<Self> {
        let folder = data_dir.join(FILES_FOLDER);
        let partial = folder.join(PARTIAL_FOLDER);
        match fs::remove_dir_all(&partial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(fault("removing", &partial, error)),
            _ => Ok(()),
        }?;
        let shared = Shared { folder, quota_bytes, usage: Mutex::default() };
        Ok(Self { shared: Arc::new(shared), ids })
    }

    /// The workspace's files, by path.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer.
    pub async fn list(&self, access: &Access) -> Result<Vec<WorkspaceFile>> {
        access.require(Role::Analyst)?;
        let (shared, workspace) = (Arc::clone(&self.shared), access.workspace.id.clone());
        let listed = tokio::task::spawn_blocking(move || shared.walk(&workspace)).await;
        listed.unwrap_or_else(|error| Err(Error::internal("listing files", error)))
    }

    /// Checks that a file exists.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::NotFound`].
    pub fn check(&self, access: &Access, path: &FilePath) -> Result<()> {
        access.require(Role::Analyst)?;
        let is_file =
            fs::metadata(self.shared.place(&access.workspace.id, path)).is_ok_and(|found| found.is_file());
        if is_file { Ok(()) } else { Err(missing(path)) }
    }

    /// Removes files; missing ones are ignored.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer; an error of the disk.
    pub async fn delete(&self, access: &Access, paths: Vec<FilePath>) -> Result<Vec<FilePath>> {
        access.require(Role::Analyst)?;
        let (shared, workspace) = (Arc::clone(&self.shared), access.workspace.id.clone());
        let deleted = tokio::task::spawn_blocking(move || {
            let mut deleted = Vec::new();
            for path in paths {
                if shared.remove(&workspace, &path)? {
                    deleted.push(path);
                }
            }
            Ok(deleted)
        });
        deleted.await.unwrap_or_else(|error| Err(Error::internal("removing files", error)))
    }

    /// A file's bytes, for the holder of a link to it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`].
    pub fn read(&self, grant: &FileGrant) -> Result<Box<dyn ChunkSource>> {
        let place = self.shared.place(&grant.workspace_id, &grant.path);
        let file = fs::File::open(&place).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => missing(&grant.path),
            _ => fault("opening", &place, error),
        })?;
        // A folder can be opened, too.
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(missing(&grant.path));
        }
        Ok(Box::new(download::Download::new(file)))
    }

    /// Begins an upload, for the holder of a link. `at_least`: the minimum number of bytes that will follow.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidArguments`]: the quota does not suffice, or a folder has this path.
    pub async fn begin(&self, grant: &FileGrant, at_least: u64) -> Result<Upload> {
        let (shared, id) = (Arc::clone(&self.shared), self.ids.new_id());
        let grant = grant.clone();
        let begun = tokio::task::spawn_blocking(move || Upload::begin(shared, &grant, at_least, &id)).await;
        begun.unwrap_or_else(|error| Err(Error::internal("beginning an upload", error)))
    }
}

impl Shared {
    fn place(&self, workspace: &WorkspaceId, path: &FilePath) -> PathBuf {
        self.folder.join(workspace.as_str()).join(path.as_str())
    }

    fn usage(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Usage>> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the usage of a workspace when it is first needed.
    fn look(&self, usage: &mut HashMap<WorkspaceId, Usage>, workspace: &WorkspaceId) -> Result<Usage> {
        if let Some(known) = usage.get(workspace) {
            return Ok(*known);
        }
        let files = self.walk(workspace)?;
        let counted = Usage { files: files.len() as u64, bytes: files.iter().map(|file| file.size).sum() };
        usage.insert(workspace.clone(), counted);
        Ok(counted)
    }

    /// Reserves bytes that are about to be written, and a file.
    fn reserve(&self, workspace: &WorkspaceId, more: Usage) -> Result<()> {
        let mut usage = self.usage();
        let Usage { files, bytes } = self.look(&mut usage, workspace)?;
        if bytes.saturating_add(more.bytes) > self.quota_bytes {
            let message = format!(
                "the workspace's files have {bytes} bytes, and may have {}; {} more do not fit, delete others",
                self.quota_bytes, more.bytes
            );
            return Err(Error::new(ErrorKind::InvalidArguments, message));
        }
        if files + more.files > MAX_FILES {
            let message = format!("the workspace has {files} files, and may have {MAX_FILES}; delete others");
            return Err(Error::new(ErrorKind::InvalidArguments, message));
        }
        usage.insert(workspace.clone(), Usage { files: files + more.files, bytes: bytes + more.bytes });
        Ok(())
    }

    fn release(&self, workspace: &WorkspaceId, less: Usage) {
        if let Some(usage) = self.usage().get_mut(workspace) {
            usage.files = usage.files.saturating_sub(less.files);
            usage.bytes = usage.bytes.saturating_sub(less.bytes);
        }
    }

    fn remove(&self, workspace: &WorkspaceId, path: &FilePath) -> Result<bool> {
        let place = self.place(workspace, path);
        let mut usage = self.usage();
        self.look(&mut usage, workspace)?;
        let size = match fs::symlink_metadata(&place) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            _ => return Ok(false),
        };
        fs::remove_file(&place).map_err(|error| fault("removing", &place, error))?;
        drop(usage);
        self.release(workspace, Usage { files: 1, bytes: size });
        // Folders exist only for their files.
        let root = self.folder.join(workspace.as_str());
        for folder in place.ancestors().skip(1).take_while(|folder| *folder != root) {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(true)
    }

    /// Every file, by path.
    fn walk(&self, workspace: &WorkspaceId) -> Result<Vec<WorkspaceFile>> {
        let root = self.folder.join(workspace.as_str());
        let mut files = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                // One that was removed meanwhile, too.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(fault("listing", &folder, error)),
            };
            for entry in entries {
                let entry = entry.map_err(|error| fault("listing", &folder, error))?;
                let Ok(metadata) = entry.metadata() else { continue };
                if metadata.is_dir() {
                    folders.push(entry.path());
                } else if let Ok(path) = entry.path().strip_prefix(&root)
                    && let Some(path) = path.to_str()
                {
                    let modified = metadata.modified().unwrap_or(std::time::UNIX_EPOCH);
                    let millis =
                        modified.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_millis();
                    files.push(WorkspaceFile {
                        path: path.to_owned(),
                        size: metadata.len(),
                        modified_at: Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX)),
                    });
                }
            }
        }
        files.sort_by(|left, right| left.path.cmp(&right.path));
        Ok(files)
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn missing(path: &FilePath) -> Error {
    let message = format!("the workspace has no file '{}'", rowhouse_model::excerpt(path.as_str()));
    Error::new(ErrorKind::NotFound, message)
}

fn fault(doing: &str, path: &Path, error: io::Error) -> Error {
    if disk::is_full(&error) {
        return disk::full();
    }
    Error::internal(format!("{doing} {}: {error}", path.display()), error)
}

impl fmt::Debug for WorkspaceFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkspaceFiles").field("folder", &self.shared.folder).finish_non_exhaustive()
    }
}
