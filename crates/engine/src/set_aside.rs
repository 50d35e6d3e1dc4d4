//! Files of a data directory that its database does not know: they are set aside (quarantined), not removed, because
//! the database may be the wrong one. When a database that names them is back, they are restored.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rowhouse_model::Timestamp;

pub(crate) mod take_back;

/// Folder inside the data directory, with a folder for each time that files were set aside.
pub(crate) const SET_ASIDE_FOLDER: &str = "set-aside";

/// The files that are set aside in this run.
#[derive(Debug)]
pub(crate) struct SetAside {
    data_dir: PathBuf,
    folder: PathBuf,
    files: u64,
    bytes: u64,
}

impl SetAside {
    /// Empty; its folder is named after the time.
    pub(crate) fn at(data_dir: &Path, now: Timestamp) -> Self {
        let name = now.to_string().replace(':', "-");
        let folder = data_dir.join(SET_ASIDE_FOLDER).join(name);
        Self { data_dir: data_dir.to_owned(), folder, files: 0, bytes: 0 }
    }

    /// Moves a file or a folder, given by its path inside the data directory, and keeps that path.
    ///
    /// # Errors
    /// It is not moved: the target exists, it is on another file system, or an error of the disk.
    pub(crate) fn take(&mut self, place: &Path) -> io::Result<()> {
        let (from, to) = (self.data_dir.join(place), self.folder.join(place));
        if fs::symlink_metadata(&to).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let (files, bytes) = size(&from)?;
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::rename(from, to)?;
        self.files += files;
        self.bytes += bytes;
        Ok(())
    }

    /// Logs what was set aside, if anything.
    pub(crate) fn log_summary(&self, what: &str) {
        if self.files > 0 {
            tracing::warn!(
                files = self.files,
                bytes = self.bytes,
                folder = %self.folder.display(),
                "{what} that the database does not know were set aside: put the database back that does, and they are \
                 taken back, or remove the folder"
            );
        }
    }
}

/// Files that were set aside at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAsideFolder {
    /// Path inside the data directory.
    pub place: PathBuf,
    /// Number of files in it.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Everything that is set aside, newest last. Blocking.
///
/// # Errors
/// A folder cannot be read.
pub(crate) fn folders(data_dir: &Path) -> io::Result<Vec<SetAsideFolder>> {
    let mut folders = Vec::new();
    let entries = match fs::read_dir(data_dir.join(SET_ASIDE_FOLDER)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(folders),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let (files, bytes) = size(&entry.path())?;
        folders.push(SetAsideFolder {
            place: Path::new(SET_ASIDE_FOLDER).join(entry.file_name()),
            files,
            bytes,
        });
    }
    folders.sort_by(|left, right| left.place.cmp(&right.place));
    Ok(folders)
}

/// Number of files and bytes of a file or folder.
fn size(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_dir() {
        return Ok((1, metadata.len()));
    }
    let mut total = (0, 0);
    for entry in fs::read_dir(path)? {
        let (files, bytes) = size(&entry?.path())?;
        total = (total.0 + files, total.1 + bytes);
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn quarantined_files_keep_their_paths_and_replace_nothing() {
        let data_dir = tempfile::tempdir().unwrap();
        let write = |place: &str, content: &str| {
            let path = data_dir.path().join(place);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        };
        write("results/w/a.arrow", "12");
        write("views/v/1.arrow", "345");
        write("views/v/1.stats", "6");
        let mut now = SetAside::at(data_dir.path(), Timestamp::from_millis(1_000));
        now.take(Path::new("results/w/a.arrow")).unwrap();
        now.take(Path::new("views/v")).unwrap();
        assert!(now.take(Path::new("results/w/b.arrow")).is_err(), "it is not there");
        write("results/w/a.arrow", "another");
        assert!(now.take(Path::new("results/w/a.arrow")).is_err(), "its place is taken");
        assert!(data_dir.path().join("results/w/a.arrow").exists());
        let place = PathBuf::from("set-aside/1970-01-01T00-00-01.000Z");
        assert_eq!(
            folders(data_dir.path()).unwrap(),
            [SetAsideFolder { place: place.clone(), files: 3, bytes: 6 }]
        );
        assert!(data_dir.path().join(place).join("views/v/1.stats").is_file());
    }
}
