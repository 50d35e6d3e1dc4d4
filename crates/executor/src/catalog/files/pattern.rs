//! The files that match a pattern. Each folder is read once, whatever the number of ways in which the pattern matches
//! its path, and the work of one listing is bounded.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use glob::{MatchOptions, Pattern};
use rowhouse_model::{ErrorCode, QueryError};

use super::folder::{Child, Folder};
use super::{fixed_part, is_glob, push, unreadable};

/// Maximum work of one listing: a comparison of a name with a component of the pattern counts once, and once more for
/// each [`SIZE_OF_A_COMPARISON`].
const MAX_COMPARISONS: usize = 4_000_000;

/// Length of the name times length of the component, up to which their comparison counts once.
const SIZE_OF_A_COMPARISON: usize = 1024;

const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// One component of a pattern.
enum Component {
    /// `**`: any number of folders.
    Folders,
    Name(String),
    Pattern(Pattern),
}

/// What one name is among the components that it may match.
#[derive(Default)]
struct Matched {
    /// The components that the names in the folder of this name may match.
    next: BTreeSet<usize>,
    /// Whether the name is the last of the pattern.
    is_last: bool,
}

struct Listing {
    components: Vec<Component>,
    max_comparisons: usize,
    comparisons: usize,
    files: Vec<PathBuf>,
}

/// The files that match `location`, in no order.
pub(super) fn list(location: &str) -> Result<Vec<PathBuf>, QueryError> {
    list_within(location, MAX_COMPARISONS)
}

fn list_within(location: &str, max_comparisons: usize) -> Result<Vec<PathBuf>, QueryError> {
    let fixed = fixed_part(location);
    let mut listing = Listing {
        components: components_of(location, fixed)?,
        max_comparisons,
        comparisons: 0,
        files: Vec::new(),
    };
    let root = Folder::root(fixed)?;
    // Not recursive: a path may have 2,000 folders.
    let mut unread = vec![(Rc::clone(&root), listing.with_skipped([0]))];
    while let Some((folder, expected)) = unread.pop() {
        listing.read(&folder, &expected, &root.real, &mut unread)?;
    }
    Ok(listing.files)
}

fn components_of(location: &str, fixed: &Path) -> Result<Vec<Component>, QueryError> {
    let invalid = |error: glob::PatternError| {
        QueryError::new(ErrorCode::External, format!("'{location}' is not a valid pattern: {error}"))
    };
    // The error's position is one in the whole text.
    Pattern::new(location).map_err(invalid)?;
    // A fixed part without text is the working folder.
    let rest = fixed.to_str().and_then(|fixed| location.strip_prefix(fixed)).unwrap_or(location);
    let mut components = Vec::new();
    for text in rest.split('/') {
        match text {
            "" | "." => {}
            "**" if matches!(components.last(), Some(Component::Folders)) => {}
            "**" => components.push(Component::Folders),
            _ if is_glob(text) => components.push(Component::Pattern(Pattern::new(text).map_err(invalid)?)),
            _ => components.push(Component::Name(text.to_owned())),
        }
    }
    Ok(components)
}

impl Listing {
    /// Lists the matching files of a folder whose names may match the components `expected`, and leaves its folders
    /// to be read.
    fn read(
        &mut self,
        folder: &Rc<Folder>,
        expected: &BTreeSet<usize>,
        root: &Path,
        unread: &mut Vec<(Rc<Folder>, BTreeSet<usize>)>,
    ) -> Result<(), QueryError> {
        let mut look = |listing: &mut Self, path: PathBuf, name: &str| {
            let Matched { next, is_last } = listing.compare(name, expected)?;
            if !next.is_empty() || is_last {
                match folder.child(path, root) {
                    Some(Child::File(path)) if is_last => push(&mut listing.files, path)?,
                    Some(Child::Folder(child)) if !next.is_empty() => unread.push((child, next)),
                    _ => {}
                }
            }
            Ok(())
        };
        let names = expected.iter().map(|&index| match &self.components[index] {
            Component::Name(name) => Some(name.clone()),
            Component::Folders | Component::Pattern(_) => None,
        });
        // The folder itself need not be readable for names without special characters.
        if let Some(names) = names.collect::<Option<BTreeSet<String>>>() {
            return names.iter().try_for_each(|name| look(self, folder.path.join(name), name));
        }
        for entry in folder.entries()? {
            let entry = entry.map_err(|error| unreadable(&folder.path, &error))?;
            // No pattern matches a name that is not UTF-8.
            if let Some(name) = entry.file_name().to_str() {
                look(self, entry.path(), name)?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, name: &str, expected: &BTreeSet<usize>) -> Result<Matched, QueryError> {
        let is_hidden = name.starts_with('.');
        let mut matched = Matched::default();
        let mut next = Vec::new();
        for &index in expected {
            let component = &self.components[index];
            let length = match component {
                Component::Pattern(pattern) => pattern.as_str().len(),
                Component::Folders | Component::Name(_) => 0,
            };
            self.comparisons += 1 + name.len() * length / SIZE_OF_A_COMPARISON;
            if self.comparisons > self.max_comparisons {
                return Err(too_much());
            }
            match component {
                Component::Folders if !is_hidden => next.push(index),
                Component::Pattern(pattern) if !is_hidden && pattern.matches_with(name, OPTIONS) => {
                    next.push(index + 1);
                }
                Component::Name(expected) if expected == name => next.push(index + 1),
                Component::Folders | Component::Pattern(_) | Component::Name(_) => {}
            }
        }
        matched.is_last = next.last() == Some(&self.components.len());
        next.retain(|&index| index < self.components.len());
        matched.next = self.with_skipped(next);
        Ok(matched)
    }

    /// These components, and those after each `**` among them, which may stand for no folder.
    fn with_skipped(&self, components: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        for index in components {
            all.insert(index);
            if matches!(self.components[index], Component::Folders) && index + 1 < self.components.len() {
                all.insert(index + 1);
            }
        }
        all
    }
}

fn too_much() -> QueryError {
    let what = "too many files and folders would be compared with the pattern of the location; let it begin with the \
                folder of the files, and use '**' once at most";
    QueryError::new(ErrorCode::NotSupported, what)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use super::*;

    fn folder(paths: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for path in paths {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    fn check(folder: &Path, pattern: &str, expected: &[&str]) {
        let mut files = list(&format!("{}/{pattern}", folder.display())).unwrap();
        files.sort();
        let files: Vec<_> =
            files.iter().map(|file| file.strip_prefix(folder).unwrap().to_str().unwrap()).collect();
        assert_eq!(files, expected, "{pattern}");
    }

    /// Regression: a file was listed once for each way in which a pattern with two `**` matches its path, and its rows
    /// were counted as often.
    #[test]
    fn a_file_that_matches_in_several_ways_is_listed_once() {
        let folder =
            folder(&["q/a/a/a/one.csv", "q/a/two.csv", "q/three.csv", "q/.h/a/one.csv", "q/b.csv/x"]);
        let folder = folder.path();
        check(folder, "q/**/a/**/one.csv", &["q/a/a/a/one.csv"]);
        check(folder, "q/**/*/**/*.csv", &["q/a/a/a/one.csv", "q/a/two.csv"]);
        check(folder, "q/**/**/*.csv", &["q/a/a/a/one.csv", "q/a/two.csv", "q/three.csv"]);
        check(folder, "**/[ab]/t*", &["q/a/two.csv"]);
        check(folder, "*/.h/**/one.csv", &["q/.h/a/one.csv"]);
        check(folder, "q/*/a/*/one.csv", &["q/a/a/a/one.csv"]);
        check(folder, "q/*", &["q/three.csv"]);
        check(folder, "q/**", &[]);
        check(folder, "q/*/../three.csv", &[]);
    }

    /// Regression: the time of `**/a/**/a/...` was exponential in the folders named `a`.
    #[test]
    fn many_recursive_parts_over_deep_folders_are_listed_in_linear_time() {
        let chains: Vec<String> = (0..20).map(|chain| format!("d{chain}/{}x.csv", "a/".repeat(15))).collect();
        let folder = folder(&chains.iter().map(String::as_str).collect::<Vec<_>>());
        let pattern = format!("{}/{}zz.csv", folder.path().display(), "**/a/".repeat(6));
        // 20 chains of 17 names, each compared with at most 12 components.
        assert_eq!(list_within(&pattern, 20 * 17 * 13).unwrap(), Vec::<PathBuf>::new());
    }

    #[test]
    fn the_work_of_a_listing_is_bounded() {
        let folder = folder(&["a/b/c/one.csv", "a/b/c/two.csv"]);
        let pattern = format!("{}/**/*.csv", folder.path().display());
        assert_eq!(list_within(&pattern, 10).unwrap().len(), 2);
        let refused = list_within(&pattern, 9).unwrap_err();
        assert_eq!(refused.code(), Some(ErrorCode::NotSupported));
        assert!(refused.message.contains("use '**' once at most"), "{}", refused.message);
        // Long names and components are more work.
        let long = format!("{}.csv", "a".repeat(200));
        fs::write(folder.path().join(&long), "").unwrap();
        let pattern = format!("{}/*{}b", folder.path().display(), "a".repeat(100));
        assert!(list_within(&pattern, 15).is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_name_that_is_not_utf_8_matches_nothing() {
        use std::os::unix::ffi::OsStrExt;
        let folder = folder(&["a.csv"]);
        fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.csv")), "").unwrap();
        check(folder.path(), "*.csv", &["a.csv"]);
    }
}
