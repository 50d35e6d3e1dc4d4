//! The sources of a result: the tables that a statement has read and their versions, so that a cached result can be
//! compared with the present state.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rowhouse_model::TableFormat;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::catalog::files::{endings, list_files};

/// A file that was written this recently may be written again without a new file time: kernels count file times in
/// ticks of up to 10 ms.
const TICK: Duration = Duration::from_millis(20);

/// What a result depends on besides its text and its session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// The tables and views of its workspace that it has read, each once.
    pub tables: Vec<SourceTable>,
    /// A source that may return other rows each time: `random()`, `current_timestamp`, the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volatile: Option<String>,
    /// The day that `current_date` returned, in days since 1970-01-01.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<i32>,
}

/// A table in the version in which it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceTable {
    /// Its name in its schema.
    pub name: String,
    /// Its version.
    pub version: TableVersion,
}

/// Version of a table, equal while the table has the same rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableVersion {
    /// Version of registered files: a digest of their paths, sizes and times of change; none if it is unknown, which
    /// counts as different.
    Files(Option<String>),
    /// Version of a materialized view: the file of its served generation. File names are unique per generation.
    View(PathBuf),
}

/// Stamp of a file, which changes when the file is replaced or written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    inode: u64,
    #[cfg(unix)]
    changed: (i64, i64),
}

impl FileStamp {
    /// The stamp of a file as it is now.
    ///
    /// # Errors
    ///
    /// It does not exist, or its metadata cannot be read.
    pub fn of(path: &Path) -> io::Result<Self> {
        path.metadata().map(|metadata| Self::of_metadata(&metadata))
    }

    /// The stamp that the metadata of a file, which may be open, has.
    pub fn of_metadata(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            inode: metadata.ino(),
            #[cfg(unix)]
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Time of the last change, by the clock that programs cannot set for a file.
    fn changed_at(&self) -> Option<SystemTime> {
        #[cfg(unix)]
        {
            let (seconds, nanos) = self.changed;
            let since = Duration::new(u64::try_from(seconds).ok()?, u32::try_from(nanos).ok()?);
            SystemTime::UNIX_EPOCH.checked_add(since)
        }
        #[cfg(not(unix))]
        self.modified
    }

    /// Whether a later change is certain to change the stamp.
    pub fn is_settled(&self, now: SystemTime) -> bool {
        self.changed_at().and_then(|at| now.duration_since(at).ok()).is_some_and(|age| age > TICK)
    }

    fn digest(&self, hash: &mut Sha256) {
        hash.update(self.bytes.to_le_bytes());
        let modified = self.modified.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
        hash.update(modified.map_or(0, |since| since.as_nanos()).to_le_bytes());
        #[cfg(unix)]
        {
            hash.update(self.inode.to_le_bytes());
            hash.update(self.changed.0.to_le_bytes());
            hash.update(self.changed.1.to_le_bytes());
        }
    }
}

impl TableVersion {
    /// The version of these files in this format, to be taken before they are read. Its digest is none if a file is
    /// missing or was changed a moment ago.
    pub fn of_files(files: &[PathBuf], format: TableFormat) -> Self {
        let now = SystemTime::now();
        let mut hash = Sha256::new();
        hash.update(endings(format)[0]);
        for file in files {
            let Some(stamp) = FileStamp::of(file).ok().filter(|stamp| stamp.is_settled(now)) else {
                return Self::Files(None);
            };
            let path = file.as_os_str().as_encoded_bytes();
            hash.update((path.len() as u64).to_le_bytes());
            hash.update(path);
            stamp.digest(&mut hash);
        }
        Self::Files(Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The version of the files at a location now.
    pub fn of_location(location: &str, format: TableFormat) -> Self {
        list_files(location, format).map_or(Self::Files(None), |files| Self::of_files(&files, format))
    }

    /// Whether a table of version `now` has the same rows as one of this version.
    pub fn is_same(&self, now: &Self) -> bool {
        *self != Self::Files(None) && self == now
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use super::*;

    fn version(folder: &Path) -> TableVersion {
        TableVersion::of_location(folder.to_str().unwrap(), TableFormat::Csv)
    }

    fn settle() {
        std::thread::sleep(TICK * 2);
    }

    #[test]
    fn a_version_changes_if_a_file_is_replaced_written_added_or_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
        fs::write(&first, "x\n1\n").unwrap();
        settle();
        let mut seen = vec![version(folder.path())];
        assert!(seen[0].is_same(&version(folder.path())));
        let same_length = || {
            let other = folder.path().join("_new");
            fs::write(&other, "x\n2\n").unwrap();
            fs::rename(other, &first).unwrap();
        };
        let changes: [&dyn Fn(); 4] = [
            &|| fs::write(&first, "x\n3\n").unwrap(),
            &same_length,
            &|| fs::write(&second, "x\n4\n").unwrap(),
            &|| fs::remove_file(&second).unwrap(),
        ];
        for change in changes {
            change();
            settle();
            let now = version(folder.path());
            assert!(seen.iter().all(|before| !before.is_same(&now)) || seen.len() == 4, "{now:?} {seen:?}");
            seen.push(now);
        }
        // Without the second file the version is the earlier one again.
        assert!(seen[2].is_same(&seen[4]));
    }

    #[test]
    fn a_file_changed_a_moment_ago_has_no_version() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.csv"), "x\n1\n").unwrap();
        let fresh = version(folder.path());
        assert_eq!(fresh, TableVersion::Files(None));
        assert!(!fresh.is_same(&fresh));
        assert_eq!(version(&folder.path().join("nowhere")), TableVersion::Files(None));
    }
}
