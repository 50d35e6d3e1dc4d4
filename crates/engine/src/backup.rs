//! Copies a data directory, with or without a server running on it. SQLite gives a snapshot of the database. Results
//! and generations never change once they have their final names, so a hard link preserves each, whatever the server
//! removes meanwhile. A completed copy contains every file that its snapshot names; otherwise the copy fails. Files that
//! were damaged before are reported.

use std::collections::HashSet;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rowhouse_rows::arrow_file::ArrowFile;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::error::{Error, ErrorKind, Result};
use crate::store::{self, ADMIN_TOKEN_FILE, DATABASE_FILE};
use crate::workspace_files::{FILES_FOLDER, PARTIAL_FOLDER};

/// Maximum number of attempts to take a snapshot whose files all existed when they were linked: a refresh or a sweep
/// may interfere.
const MAX_SNAPSHOTS: usize = 50;
/// Maximum wait for a lock of the database.
const BUSY_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);
/// Folders of immutable files, each with a subfolder per workspace or view.
const FOLDERS: [&str; 2] = ["results", "views"];
/// Prefix of the name of the staging folder for links, inside the data directory.
pub(crate) const STAGING_PREFIX: &str = "backup-";
/// Suffix of that name, after the process id.
pub(crate) const STAGING_SUFFIX: &str = ".staging";
/// Suffix of the name of an incomplete copy.
const PARTIAL: &str = ".partial";

/// Contents of a backup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupReport {
    /// Number of results and files of generations.
    pub files: u64,
    /// Their bytes.
    pub file_bytes: u64,
    /// Bytes of the database.
    pub database_bytes: u64,
    /// Whether the files are hard links to those of the data directory.
    pub is_linked: bool,
    /// Files among them whose ends are missing or damaged, by their paths in the data directory: they were no better there.
    /// Checksums of rows are not verified ([`verify`](crate::verify) does).
    pub incomplete: Vec<PathBuf>,
}

/// Copies the data directory to `target`, which must not exist. With `copy` files are copied even where links would
/// work. Blocking.
///
/// # Errors
///
/// `InvalidArguments`: the target exists or is inside the data directory; `NotFound`: there is no database;
/// `NotSupported`: it is another program's, or a newer version's; internal: an error of the disk. Nothing is left
/// behind.
pub fn backup(data_dir: &Path, target: &Path, copy: bool) -> Result<BackupReport> {
    let source = data_dir.join(DATABASE_FILE);
    if !source.is_file() {
        let message = format!("there is no database {}: is this the data directory?", source.display());
        return Err(Error::new(ErrorKind::NotFound, message));
    }
    check_target(data_dir, target)?;
    remove_stale(data_dir);
    let staging = Staging::make(data_dir)?;
    let database = open(&source, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    store::check_version(&database, &source)?;
    let report = stage(&database, data_dir, &staging.path)?;
    staging.publish(target, copy, report)
}

fn check_target(data_dir: &Path, target: &Path) -> Result<()> {
    let refuse = |why: &str| {
        Err(Error::new(ErrorKind::InvalidArguments, format!("backup folder {}: {why}", target.display())))
    };
    if fs::symlink_metadata(target).is_ok() {
        return refuse("it exists already; name one that does not");
    }
    let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(parent) = fs::canonicalize(parent) else {
        return refuse("the folder that it is to lie in is not there");
    };
    match fs::canonicalize(data_dir) {
        Ok(data_dir) if parent.starts_with(&data_dir) => refuse("it lies inside the data directory"),
        Ok(_) => Ok(()),
        Err(error) => Err(fault("looking at the data directory", data_dir, error)),
    }
}

/// Creates links and a snapshot that names no other files.
fn stage(database: &Connection, data_dir: &Path, staging: &Path) -> Result<BackupReport> {
    // Existing files are linked before the snapshot: they may be removed right after it.
    for folder in FOLDERS {
        link_folders(&data_dir.join(folder), &staging.join(folder))?;
    }
    let copy = staging.join(DATABASE_FILE);
    for _ in 0..MAX_SNAPSHOTS {
        snapshot(database, &copy)?;
        let taken = open(&copy, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        if let Some(named) = link_named(database, &taken, data_dir, staging)? {
            check_integrity(&taken, &copy)?;
            close(taken, &copy)?;
            let mut report = remove_unnamed(staging, &named)?;
            link_tree(&data_dir.join(FILES_FOLDER), &staging.join(FILES_FOLDER), &mut report)?;
            copy_token(data_dir, staging)?;
            report.database_bytes =
                fs::metadata(&copy).map_err(|error| fault("looking at", &copy, error))?.len();
            return Ok(report);
        }
    }
    let message = format!("the data directory changed under {MAX_SNAPSHOTS} snapshots in a row; try again");
    Err(Error::new(ErrorKind::Internal, message))
}

/// A snapshot of the whole database; its writer does not wait. Checkpoints cannot reset the log while this runs, so
/// nothing is synced here: the copy is synced when it is closed.
fn snapshot(database: &Connection, copy: &Path) -> Result<()> {
    let take = || -> rusqlite::Result<()> {
        let mut target = Connection::open(copy)?;
        target.pragma_update(None, "synchronous", "OFF")?;
        let backup = Backup::new(database, &mut target)?;
        loop {
            match backup.step(-1)? {
                StepResult::Done => return Ok(()),
                _ => std::thread::sleep(std::time::Duration::from_millis(10)),
            }
        }
    };
    take().map_err(|error| Error::internal(format!("copying the database to {}", copy.display()), error))
}

/// Links files that a snapshot names and that are not linked yet. None if one is gone: a newer snapshot does not name
/// it.
fn link_named(
    database: &Connection,
    taken: &Connection,
    data_dir: &Path,
    staging: &Path,
) -> Result<Option<HashSet<PathBuf>>> {
    let read = |error| Error::internal("reading the copied database", error);
    let mut named = HashSet::new();
    let kept = store::small_results::locations(taken).map_err(read)?;
    let files = store::query_records::result_files(taken).map_err(read)?;
    // Small results are in the database.
    for location in files.into_iter().filter(|location| !kept.contains(location)) {
        let location = PathBuf::from(location);
        let linked = staging.join(&location);
        if linked.exists() || link(&data_dir.join(&location), &linked)? {
            named.insert(location);
        } else if !is_named(database, &location).map_err(read)? {
            return Ok(None);
        }
        // Otherwise it was missing before: the database drops a name before the file is removed.
    }
    let generations = store::generations::load(taken).map_err(read)?;
    for generation in &generations {
        let folder = Path::new("views").join(generation.view_id.as_str());
        let names = generation_files(&data_dir.join(&folder), generation.number)?;
        for name in names {
            let location = folder.join(name);
            let linked = staging.join(&location);
            if !linked.exists() && !link(&data_dir.join(&location), &linked)? {
                return Ok(None);
            }
        }
    }
    // A generation's files are removed only after a newer one is committed: those of still-served generations were all
    // present when they were listed.
    let served = store::generations::load(database).map_err(read)?;
    for generation in &generations {
        let is_served = served
            .iter()
            .any(|served| served.view_id == generation.view_id && served.number == generation.number);
        if !is_served {
            return Ok(None);
        }
        let folder = Path::new("views").join(generation.view_id.as_str());
        let names = generation_files(&staging.join(&folder), generation.number)?;
        // Missing in the data directory itself: the server reports it at its start, and refreshes the view.
        named.extend(names.into_iter().map(|name| folder.join(name)));
    }
    Ok(Some(named))
}

/// Whether the live database names a result.
fn is_named(database: &Connection, location: &Path) -> rusqlite::Result<bool> {
    let location = location.to_string_lossy();
    database.query_row(
        "SELECT EXISTS (SELECT 1 FROM query_records WHERE result_file = ?1)
             OR EXISTS (SELECT 1 FROM cache_entries WHERE location = ?1)",
        [&*location],
        |row| row.get(0),
    )
}

/// Names of the files of a generation; none if there is no folder.
fn generation_files(folder: &Path, number: u64) -> Result<Vec<String>> {
    let prefix = format!("{number}.");
    let names = names_in(folder).map_err(|error| fault("listing", folder, error))?;
    Ok(names.into_iter().filter(|name| name.starts_with(&prefix)).collect())
}

fn link_folders(from: &Path, to: &Path) -> Result<()> {
    make_folder(to)?;
    for inner in names_in(from).map_err(|error| fault("listing", from, error))? {
        let folder = from.join(&inner);
        if !folder.is_dir() {
            continue;
        }
        for name in names_in(&folder).map_err(|error| fault("listing", &folder, error))? {
            if !name.ends_with(PARTIAL) {
                link(&folder.join(&name), &to.join(&inner).join(&name))?;
            }
        }
    }
    Ok(())
}

/// Links uploaded files of workspaces: no database names them, and each is copied in its present state.
fn link_tree(from: &Path, to: &Path, report: &mut BackupReport) -> Result<()> {
    for name in names_in(from).map_err(|error| fault("listing", from, error))? {
        if name == PARTIAL_FOLDER {
            continue;
        }
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            link_tree(&from, &to, report)?;
        } else if link(&from, &to)? {
            report.files += 1;
            report.file_bytes += fs::metadata(&to).map_err(|error| fault("looking at", &to, error))?.len();
        }
    }
    Ok(())
}

/// Whether the file existed.
fn link(from: &Path, to: &Path) -> Result<bool> {
    if let Some(folder) = to.parent() {
        make_folder(folder)?;
    }
    match fs::hard_link(from, to) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(fault("linking", from, error)),
    }
}

/// Removes linked files that the snapshot does not name, and counts the rest.
fn remove_unnamed(staging: &Path, named: &HashSet<PathBuf>) -> Result<BackupReport> {
    let mut report = BackupReport { is_linked: true, ..BackupReport::default() };
    for folder in FOLDERS {
        for inner in names_in(&staging.join(folder)).map_err(|error| fault("listing", staging, error))? {
            let inner = Path::new(folder).join(inner);
            let mut is_used = false;
            let path = staging.join(&inner);
            for name in names_in(&path).map_err(|error| fault("listing", &path, error))? {
                let location = inner.join(name);
                let path = staging.join(&location);
                if named.contains(&location) {
                    let metadata = fs::metadata(&path).map_err(|error| fault("looking at", &path, error))?;
                    report.files += 1;
                    report.file_bytes += metadata.len();
                    is_used = true;
                    if !is_complete(&path) {
                        report.incomplete.push(location);
                    }
                } else {
                    fs::remove_file(&path).map_err(|error| fault("removing", &path, error))?;
                }
            }
            if !is_used {
                fs::remove_dir(&path).map_err(|error| fault("removing", &path, error))?;
            }
        }
    }
    Ok(report)
}

/// Whether a file of rows has its end, which is written last; other files are not looked at.
fn is_complete(path: &Path) -> bool {
    path.extension().is_none_or(|extension| extension != "arrow") || ArrowFile::open(path).is_ok()
}

fn copy_token(data_dir: &Path, staging: &Path) -> Result<()> {
    let token = data_dir.join(ADMIN_TOKEN_FILE);
    match fs::copy(&token, staging.join(ADMIN_TOKEN_FILE)) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(fault("copying", &token, error)),
    }
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let open = || -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        Ok(connection)
    };
    open().map_err(|error| Error::internal(format!("opening the database {}", path.display()), error))
}

fn check_integrity(connection: &Connection, path: &Path) -> Result<()> {
    let found: rusqlite::Result<String> =
        connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0));
    match found {
        Ok(found) if found == "ok" => Ok(()),
        Ok(found) => {
            let message = format!("the copied database {} is damaged: {found}", path.display());
            Err(Error::new(ErrorKind::Internal, message))
        }
        Err(error) => Err(Error::internal(format!("checking {}", path.display()), error)),
    }
}

/// Closes it as one synced file without a log.
fn close(connection: Connection, path: &Path) -> Result<()> {
    let checkpoint = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    checkpoint.map_err(|error| Error::internal(format!("closing {}", path.display()), error))?;
    connection.close().map_err(|(_, error)| Error::internal(format!("closing {}", path.display()), error))?;
    // Read access to the folder must not imply read access to the file.
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(path, permissions).map_err(|error| fault("protecting", path, error))?;
    File::open(path).and_then(|file| file.sync_all()).map_err(|error| fault("syncing", path, error))
}

/// The staging folder for links; removed unless it becomes the backup.
struct Staging {
    path: PathBuf,
}

impl Staging {
    fn make(data_dir: &Path) -> Result<Self> {
        let path = data_dir.join(format!("{STAGING_PREFIX}{}{STAGING_SUFFIX}", std::process::id()));
        make_folder(&path)?;
        Ok(Self { path })
    }

    /// Moves it to its place, or copies it if it cannot be moved.
    fn publish(self, target: &Path, copy: bool, report: BackupReport) -> Result<BackupReport> {
        sync_folders(&self.path)?;
        if !copy {
            match fs::rename(&self.path, target) {
                Ok(()) => {
                    sync_parent(target)?;
                    return Ok(report);
                }
                Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
                Err(error) => return Err(fault("making", target, error)),
            }
        }
        let mut partial = target.as_os_str().to_owned();
        partial.push(PARTIAL);
        let partial = PathBuf::from(partial);
        let copied = copy_folder(&self.path, &partial)
            .and_then(|()| fs::rename(&partial, target))
            .map_err(|error| fault("copying to", &partial, error));
        if copied.is_err() {
            // OK to ignore: if the folder cannot be removed, its name shows that it is incomplete.
            let _ = fs::remove_dir_all(&partial);
        }
        copied?;
        sync_parent(target)?;
        Ok(BackupReport { is_linked: false, ..report })
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // It no longer exists if it has become the backup.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the staging folders of killed backups.
fn remove_stale(data_dir: &Path) {
    for name in names_in(data_dir).unwrap_or_default() {
        let pid = name.strip_prefix(STAGING_PREFIX).and_then(|rest| rest.strip_suffix(STAGING_SUFFIX));
        let Some(pid) = pid.and_then(|pid| pid.parse::<u32>().ok()) else { continue };
        if !Path::new("/proc").join(pid.to_string()).exists() {
            // OK to ignore: it is harmless, and `rowhouse doctor` reports it.
            let _ = fs::remove_dir_all(data_dir.join(name));
        }
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_folder(&path, &copy)?;
        } else {
            fs::copy(&path, &copy)?;
            File::open(&copy)?.sync_all()?;
        }
    }
    File::open(to)?.sync_all()
}

fn sync_folders(folder: &Path) -> Result<()> {
    let sync = || -> io::Result<()> {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    folders.push(entry.path());
                }
            }
            File::open(&folder)?.sync_all()?;
        }
        Ok(())
    };
    sync().map_err(|error| fault("syncing", folder, error))
}

fn sync_parent(target: &Path) -> Result<()> {
    let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(parent).and_then(|parent| parent.sync_all()).map_err(|error| fault("syncing", parent, error))
}

fn make_folder(path: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(|error| fault("making", path, error))
}

/// Names of a folder's entries; none if there is no folder.
fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn fault(doing: &str, path: &Path, error: io::Error) -> Error {
    Error::internal(format!("{doing} {}: {error}", path.display()), error)
}

#[cfg(test)]
mod tests;
