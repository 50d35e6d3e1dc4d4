//! Whether a data directory without a database is a new one. Results, views and keys are created only where a database
//! exists. If they exist without it, it was lost, moved or not mounted, and a new database would not know them.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use rowhouse_model::Timestamp;

use super::{ADMIN_TOKEN_FILE, DATABASE_FILE};
use crate::error::{Error, ErrorKind, Result};
use crate::result_links::KEY_FILE;
use crate::set_aside::SetAside;

/// SQLite's log and its index.
const LOG_FILE: &str = "rowhouse.db-wal";
const LOG_INDEX_FILE: &str = "rowhouse.db-shm";
/// Folders of files that the database names, with subfolders by workspace or view.
const FOLDERS: [(&str, &str); 2] = [("results", "files of results"), ("views", "files of views")];

/// Traces of a database in its folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseTraces(Vec<String>);

impl DatabaseTraces {
    /// Inspects a data directory; without one there are no traces.
    ///
    /// # Errors
    /// An existing folder cannot be read.
    pub(crate) fn of(data_dir: &Path) -> io::Result<Self> {
        let mut traces = Vec::new();
        for (folder, files) in FOLDERS {
            let count = files_below(&data_dir.join(folder))?;
            if count > 0 {
                traces.push(format!("{count} {files}"));
            }
        }
        // A log without its database; with a database, it may be that of a killed first start.
        let log = is_missing(&data_dir.join(DATABASE_FILE)).then_some(LOG_FILE);
        for name in [ADMIN_TOKEN_FILE, KEY_FILE].into_iter().chain(log) {
            if fs::metadata(data_dir.join(name)).is_ok_and(|metadata| metadata.len() > 0) {
                traces.push(name.to_owned());
            }
        }
        Ok(Self(traces))
    }

    /// Whether there are no traces.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for DatabaseTraces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

/// Whether a database is missing or empty.
pub(crate) fn is_missing(database: &Path) -> bool {
    !fs::metadata(database).is_ok_and(|metadata| metadata.len() > 0)
}

/// Checks that a directory whose database is missing or empty has never had one.
///
/// # Errors
/// `NotSupported`: it has had one; the message says what to do.
pub(super) fn check_new(data_dir: &Path, database: &Path) -> Result<()> {
    let traces = DatabaseTraces::of(data_dir)
        .map_err(|error| Error::internal(format!("looking at {}: {error}", data_dir.display()), error))?;
    if traces.is_empty() {
        return Ok(());
    }
    let database = database.display();
    let message = format!(
        "{database} is missing or empty, and {} has had a database: there are {traces}. Nothing was changed. Look \
         whether this is the right data_dir and whether everything is mounted, and put the database back, from where \
         it is or from a backup. To begin with a new one instead, which knows nothing of these files: \
         rowhouse serve --new-database",
        data_dir.display()
    );
    Err(Error::new(ErrorKind::NotSupported, message))
}

/// Sets aside files that a new database must not find and files that the new server would overwrite; the owners of all
/// other files ignore what the new database does not name.
pub(super) fn set_aside(data_dir: &Path, now: Timestamp) -> Result<()> {
    let mut aside = SetAside::at(data_dir, now);
    for name in [LOG_FILE, LOG_INDEX_FILE, ADMIN_TOKEN_FILE] {
        if data_dir.join(name).exists() {
            aside
                .take(Path::new(name))
                .map_err(|error| Error::internal(format!("setting {name} aside: {error}"), error))?;
        }
    }
    aside.log_summary("files of the database that is missing");
    Ok(())
}

/// Number of files in the subfolders of a folder; 0 if there is no such folder.
fn files_below(folder: &Path) -> io::Result<usize> {
    let mut count = 0;
    let folders = match fs::read_dir(folder) {
        Ok(folders) => folders,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    for inner in folders {
        let inner = inner?;
        if inner.file_type()?.is_dir() {
            count += fs::read_dir(inner.path())?.count();
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::Store;
    use super::*;

    fn check(files: &[(&str, &str)], expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let traces = DatabaseTraces::of(folder.path()).unwrap();
        assert_eq!(traces.to_string(), expected, "{files:?}");
        let path = folder.path().join(DATABASE_FILE);
        let opened = Store::open(&path);
        assert_eq!(opened.is_ok(), expected.is_empty(), "{files:?}");
        if let Err(error) = opened {
            let message = error.to_string();
            assert!(message.contains(expected) && message.contains("--new-database"), "{message}");
            for (name, content) in files {
                assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), *content, "{name}");
            }
            assert!(is_missing(&path), "nothing was made");
            Store::open_or_create(&path, Some(Timestamp::from_millis(0))).unwrap();
            Store::open(&path).unwrap();
        }
    }

    #[test]
    fn traces_of_a_missing_database_are_found() {
        check(&[], "");
        // A first start that was killed before it had a database.
        check(&[("rowhouse.db", "")], "");
        check(&[("rowhouse.db", ""), ("set-aside/x/results/w/q.arrow", "x")], "");
        check(&[("server.lock", "7\n"), ("samples/tiny/nation.parquet", "x"), ("notes", "x")], "");
        check(&[("results/w/q.arrow", "x"), ("results/w/r.arrow", "x")], "2 files of results");
        check(&[("rowhouse.db", ""), ("views/v/1.arrow", "x")], "1 files of views");
        check(&[("admin-token", "t"), ("link-key", "k")], "admin-token, link-key");
        check(&[("rowhouse.db-wal", "x")], "rowhouse.db-wal");
    }
}
