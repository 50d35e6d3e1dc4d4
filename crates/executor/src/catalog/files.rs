//! The files of a table's location, which is a file, a glob or a folder, by the file extensions of its format. It lists
//! and checks paths; it does not read files.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use rowhouse_model::{ErrorCode, QueryError, TableFormat};

use crate::catalog::files::folder::{Child, Folder};
use crate::denied_file::mark_denied_file;

mod folder;
mod pattern;

/// Maximum number of files of a table; more data belongs in fewer, larger files.
pub const MAX_FILES: usize = 100_000;

/// Maximum number of entries that a listing of a folder looks at, in it and below it: links may lead to a folder in many ways.
const MAX_ENTRIES: usize = 4_000_000;

/// File extensions of a format, by which the files of a folder are selected.
pub const fn endings(format: TableFormat) -> &'static [&'static str] {
    match format {
        TableFormat::Parquet => &[".parquet", ".pq"],
        TableFormat::Csv => &[".csv", ".csv.gz"],
        TableFormat::Ndjson => &[".ndjson", ".jsonl", ".ndjson.gz", ".jsonl.gz"],
        TableFormat::Arrow => &[".arrow", ".ipc", ".feather"],
    }
}

/// The files behind a location, each once, sorted by path: the order that the server and its workers share. A folder means
/// all files of the format below it; names that begin with `.` or `_` are skipped, because writers of data sets use them
/// for their own metadata.
///
/// A symbolic link that leads out of the folder, or out of the fixed part of the glob, is skipped: write access to a
/// table's folder must not widen what the workspace may read. So is one that leads to a folder that contains it.
pub fn list_files(location: &str, format: TableFormat) -> Result<Vec<PathBuf>, QueryError> {
    let path = Path::new(location);
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = if path.is_dir() {
        list_folder(path, endings(format), MAX_ENTRIES)?
    } else if is_glob(location) {
        pattern::list(location)?
    } else {
        let what = format!("file or folder '{location}' does not exist");
        return Err(QueryError::new(ErrorCode::External, what));
    };
    if files.is_empty() {
        let wanted = endings(format).join(", ");
        let what = format!("no files found at '{location}' (looked for {wanted})");
        return Err(QueryError::new(ErrorCode::External, what));
    }
    files.sort();
    Ok(files)
}

/// Whether a location that is no existing file or folder is a pattern.
pub fn is_glob(location: &str) -> bool {
    location.contains(['*', '?', '['])
}

fn list_folder(path: &Path, endings: &[&str], max_entries: usize) -> Result<Vec<PathBuf>, QueryError> {
    let root = Folder::root(path)?;
    let mut files = Vec::new();
    let mut entries = 0;
    // Not recursive: a path may have 2,000 folders.
    let mut unread = vec![Rc::clone(&root)];
    while let Some(folder) = unread.pop() {
        for entry in folder.entries()? {
            let entry = entry.map_err(|error| unreadable(&folder.path, &error))?;
            entries += 1;
            if entries > max_entries {
                let what =
                    format!("there are more than {max_entries} files and folders below '{}'", path.display());
                return Err(QueryError::new(ErrorCode::NotSupported, what));
            }
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(['.', '_']) {
                continue;
            }
            match folder.child(entry.path(), &root.real) {
                Some(Child::Folder(child)) => unread.push(child),
                Some(Child::File(path)) if endings.iter().any(|ending| has_ending(&name, ending)) => {
                    push(&mut files, path)?;
                }
                _ => {}
            }
        }
    }
    Ok(files)
}

/// The folders of a pattern before its first special character.
pub fn fixed_part(location: &str) -> &Path {
    let special = location.find(['*', '?', '[']).unwrap_or(location.len());
    let folder = location[..special].rfind('/').map_or("", |slash| &location[..=slash]);
    Path::new(if folder.is_empty() { "." } else { folder })
}

fn push(files: &mut Vec<PathBuf>, path: PathBuf) -> Result<(), QueryError> {
    if files.len() == MAX_FILES {
        let what = format!("a table can have at most {MAX_FILES} files");
        return Err(QueryError::new(ErrorCode::NotSupported, what));
    }
    files.push(path);
    Ok(())
}

fn has_ending(name: &str, ending: &str) -> bool {
    name.len() > ending.len()
        && name.is_char_boundary(name.len() - ending.len())
        && name[name.len() - ending.len()..].eq_ignore_ascii_case(ending)
}

fn unreadable(path: &Path, error: &std::io::Error) -> QueryError {
    let unreadable =
        QueryError::new(ErrorCode::External, format!("cannot read '{}': {error}", path.display()));
    if error.kind() == std::io::ErrorKind::PermissionDenied {
        mark_denied_file(unreadable)
    } else {
        unreadable
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for path in ["b.parquet", "a.parquet", "note.txt", "_tmp.parquet", ".c.parquet"] {
            fs::write(folder.path().join(path), "").unwrap();
        }
        fs::create_dir(folder.path().join("year=2024")).unwrap();
        fs::write(folder.path().join("year=2024/c.PARQUET"), "").unwrap();
        folder
    }

    fn names(folder: &Path, location: &str) -> Vec<String> {
        let files = list_files(location, TableFormat::Parquet).unwrap();
        files.iter().map(|file| file.strip_prefix(folder).unwrap().display().to_string()).collect()
    }

    #[test]
    fn a_folder_lists_all_its_files_of_the_format() {
        let folder = folder();
        let location = folder.path().display().to_string();
        assert_eq!(names(folder.path(), &location), ["a.parquet", "b.parquet", "year=2024/c.PARQUET"]);
    }

    #[test]
    fn a_glob_crosses_folders_only_with_two_asterisks() {
        let folder = folder();
        let shallow = format!("{}/*.parquet", folder.path().display());
        assert_eq!(names(folder.path(), &shallow), ["_tmp.parquet", "a.parquet", "b.parquet"]);
        let deep = format!("{}/**/c.*", folder.path().display());
        assert_eq!(names(folder.path(), &deep), ["year=2024/c.PARQUET"]);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_out_of_the_folder_is_skipped() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret.parquet"), "").unwrap();
        let folder = folder();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("linked")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret.parquet"), folder.path().join("x.parquet"))
            .unwrap();
        let location = folder.path().display().to_string();
        assert_eq!(names(folder.path(), &location), ["a.parquet", "b.parquet", "year=2024/c.PARQUET"]);
        let pattern = format!("{location}/*.parquet");
        assert_eq!(names(folder.path(), &pattern), ["_tmp.parquet", "a.parquet", "b.parquet"]);
    }

    /// Regression: a link to the folder that contains it listed every file once for each of 32 levels.
    #[test]
    #[cfg(unix)]
    fn a_link_to_a_folder_that_contains_it_is_skipped() {
        let folder = folder();
        let inside = folder.path().join("year=2024");
        std::os::unix::fs::symlink(folder.path(), inside.join("up")).unwrap();
        std::os::unix::fs::symlink(&inside, inside.join("self")).unwrap();
        let location = folder.path().display().to_string();
        assert_eq!(names(folder.path(), &location), ["a.parquet", "b.parquet", "year=2024/c.PARQUET"]);
        assert_eq!(names(folder.path(), &format!("{location}/**/c.*")), ["year=2024/c.PARQUET"]);
    }

    /// Regression: files below 32 folders were left out.
    #[test]
    fn a_folder_lists_files_at_any_depth() {
        let folder = folder();
        let deep = folder.path().join(vec!["d"; 100].join("/"));
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("z.parquet"), "").unwrap();
        let found = list_folder(folder.path(), &[".parquet"], 200).unwrap();
        assert_eq!(found.iter().filter(|file| **file == deep.join("z.parquet")).count(), 1);
        let error = list_folder(folder.path(), &[".parquet"], 100).unwrap_err();
        assert_eq!(
            error.message,
            format!("there are more than 100 files and folders below '{}'", folder.path().display())
        );
    }

    #[test]
    fn a_missing_location_is_named_in_the_error() {
        let error = list_files("/nowhere/x.parquet", TableFormat::Parquet).unwrap_err();
        assert_eq!(error.message, "file or folder '/nowhere/x.parquet' does not exist");
        let folder = folder();
        let location = folder.path().display().to_string();
        let error = list_files(&location, TableFormat::Csv).unwrap_err();
        assert_eq!(error.message, format!("no files found at '{location}' (looked for .csv, .csv.gz)"));
    }
}
