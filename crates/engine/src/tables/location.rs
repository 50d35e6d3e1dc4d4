//! The location of a new table: made absolute, confined to the table roots, with the format derived from the file
//! extensions.

use std::path::{Component, Path, PathBuf};

use rowhouse_model::{ErrorCode, QueryError, TableFormat, WorkspaceId};

use crate::error::{Error, ErrorKind, Result};
use crate::workspace_files::{FILES_SCHEME, FilePath};
use rowhouse_executor::catalog::files::{endings, list_files};

/// Every format, in the order in which a folder is searched for its files.
const FORMATS: [TableFormat; 4] =
    [TableFormat::Parquet, TableFormat::Csv, TableFormat::Ndjson, TableFormat::Arrow];
/// Maximum length of a location, bytes.
const MAX_LOCATION: usize = 4096;

/// The folders that may contain tables, without symbolic links; empty: anywhere.
#[derive(Clone, Debug)]
pub(super) struct TableRoots {
    roots: Vec<PathBuf>,
    /// The uploaded files, in a folder for each workspace.
    files: PathBuf,
    working_dir: PathBuf,
}

impl TableRoots {
    /// # Errors
    ///
    /// A root does not exist: then no table could be checked against it.
    pub(super) fn new(roots: &[PathBuf], files: PathBuf) -> Result<Self> {
        let canonical = |root: &PathBuf| {
            root.canonicalize().map_err(|error| {
                let message = format!("the table root '{}' cannot be used: {error}", root.display());
                Error::new(ErrorKind::InvalidArguments, message).with_source(error)
            })
        };
        let working_dir = std::env::current_dir()
            .map_err(|error| Error::internal("finding the working directory", error))?;
        let files = working_dir.join(files);
        Ok(Self { roots: roots.iter().map(canonical).collect::<Result<_>>()?, files, working_dir })
    }

    /// Whether there are no roots.
    pub(super) fn are_anywhere(&self) -> bool {
        self.roots.is_empty()
    }

    /// The absolute location and its format, after inspecting the files.
    pub(super) async fn resolve(
        &self,
        workspace_id: &WorkspaceId,
        location: String,
        format: Option<TableFormat>,
    ) -> Result<(String, TableFormat)> {
        let (roots, workspace_id) = (self.clone(), workspace_id.clone());
        let resolved = tokio::task::spawn_blocking(move || match location.strip_prefix(FILES_SCHEME) {
            Some(path) => roots.resolve_own(&workspace_id, path, format),
            None => roots.resolve_blocking(&location, format),
        });
        let resolved = resolved.await;
        resolved.unwrap_or_else(|error| Err(Error::internal("looking at a table's files", error)))
    }

    fn resolve_blocking(&self, location: &str, format: Option<TableFormat>) -> Result<(String, TableFormat)> {
        let location = self.confine(&self.absolute(location)?)?;
        let format = match format {
            Some(format) => format,
            None => find_format(&location)?,
        };
        // At least one file must exist: a table without files is usually a mistake.
        list_files(&location, format).map_err(unreadable)?;
        Ok((location, format))
    }

    /// The folder of all workspaces' files.
    pub(super) fn files_dir(&self) -> &Path {
        &self.files
    }

    /// A location among the files of a workspace: it is stored as given, independent of the data directory's path.
    fn resolve_own(
        &self,
        workspace_id: &WorkspaceId,
        path: &str,
        format: Option<TableFormat>,
    ) -> Result<(String, TableFormat)> {
        let path = FilePath::new(path.trim_end_matches('/'))?;
        let location = format!("{FILES_SCHEME}{}", path.as_str());
        let Some(place) = self.follow(workspace_id, &location) else {
            return Err(Error::new(ErrorKind::InvalidArguments, "'location' must be UTF-8"));
        };
        let format = match format {
            Some(format) => format,
            None => find_format(&place)?,
        };
        // Its path on this machine is not disclosed to callers who may not name a path there.
        list_files(&place, format).map_err(|_| {
            let message = format!("'location': the workspace has no files at '{location}' that can be read");
            Error::new(ErrorKind::InvalidArguments, message)
        })?;
        Ok((location, format))
    }

    /// The present target of a stored table's location; `None` if it is outside the roots, because a link was changed
    /// or the operator has changed the roots. Blocking.
    pub(super) fn follow(&self, workspace_id: &WorkspaceId, location: &str) -> Option<String> {
        if let Some(path) = location.strip_prefix(FILES_SCHEME) {
            return self.files.join(workspace_id.as_str()).join(path).to_str().map(str::to_owned);
        }
        if self.roots.is_empty() {
            return Some(location.to_owned());
        }
        let path = Path::new(location);
        let fixed = fixed_part(path);
        let Ok(canonical) = fixed.canonicalize() else {
            // Nothing can be read there: the statement reports it.
            return Some(location.to_owned());
        };
        let rest = path.strip_prefix(&fixed).unwrap_or(Path::new(""));
        self.joined_inside(&canonical, rest)?.to_str().map(str::to_owned)
    }

    fn absolute(&self, location: &str) -> Result<PathBuf> {
        let refuse = |what: &str| Err(Error::new(ErrorKind::InvalidArguments, format!("'location' {what}")));
        if location.trim().is_empty() {
            return refuse("must not be empty");
        }
        if location.len() > MAX_LOCATION {
            return refuse(&format!("must have at most {MAX_LOCATION} bytes"));
        }
        if location.contains('\0') {
            return refuse("must not have a NUL character");
        }
        let path = match location.split_once("://") {
            Some(("file", path)) if path.starts_with('/') => path,
            Some((scheme, _)) => {
                return Err(Error::new(
                    ErrorKind::NotSupported,
                    format!(
                        "'location' has the scheme '{}': supported are files, globs and folders of the \
                         server's machine, as '/data/orders/*.parquet'",
                        rowhouse_model::excerpt(scheme)
                    ),
                ));
            }
            None => location,
        };
        Ok(without_dots(&self.working_dir.join(path)))
    }

    /// If roots are set, the location is stored without symbolic links, so that the displayed path is the one that is
    /// read; otherwise links are followed by each statement.
    fn confine(&self, location: &Path) -> Result<String> {
        let fixed = fixed_part(location);
        let rest = location.strip_prefix(&fixed).unwrap_or(Path::new(""));
        let confined = if self.roots.is_empty() {
            location.to_owned()
        } else {
            let outside = || {
                let roots: Vec<_> = self.roots.iter().map(|root| root.display().to_string()).collect();
                Error::new(
                    ErrorKind::InvalidArguments,
                    format!(
                        "'location' must lie in one of the folders that the operator allows: {}",
                        roots.join(", ")
                    ),
                )
            };
            let canonical = fixed.canonicalize().map_err(|_| outside())?;
            self.joined_inside(&canonical, rest).ok_or_else(outside)?
        };
        match confined.to_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(Error::new(ErrorKind::InvalidArguments, "'location' must be UTF-8")),
        }
    }

    fn joined_inside(&self, canonical: &Path, rest: &Path) -> Option<PathBuf> {
        let is_inside = self.roots.iter().any(|root| canonical.starts_with(root));
        // Joined with an empty path it would end with a slash.
        let joined = if rest.as_os_str().is_empty() { canonical.to_owned() } else { canonical.join(rest) };
        is_inside.then_some(joined)
    }
}

/// Converts an error of the files for the caller who names them.
pub(super) fn unreadable(error: QueryError) -> Error {
    match error.code() {
        Some(ErrorCode::GenericInternalError) | None => error.into(),
        Some(ErrorCode::NotSupported) => Error::new(ErrorKind::NotSupported, error.message),
        Some(ErrorCode::ServiceDisabled) => Error::new(ErrorKind::ServiceDisabled, error.message),
        Some(_) => Error::new(ErrorKind::InvalidArguments, format!("'location': {}", error.message)),
    }
}

/// The format derived from the file extensions.
fn find_format(location: &str) -> Result<TableFormat> {
    let by_ending = |name: &str| {
        let name = name.to_ascii_lowercase();
        FORMATS.into_iter().find(|&format| endings(format).iter().any(|ending| name.ends_with(ending)))
    };
    let refuse = |what: &str| {
        let message = format!("{what}; give 'format': parquet, csv, ndjson or arrow");
        Err(Error::new(ErrorKind::InvalidArguments, message))
    };
    if !Path::new(location).is_dir() {
        return match by_ending(location) {
            Some(format) => Ok(format),
            None => refuse("the ending of 'location' tells no format"),
        };
    }
    let found: Vec<_> = FORMATS.into_iter().filter(|&format| list_files(location, format).is_ok()).collect();
    match found.as_slice() {
        [format] => Ok(*format),
        [] => refuse("the folder of 'location' has no files whose ending tells a format"),
        _ => refuse("the folder of 'location' has files of several formats"),
    }
}

/// The path before its first component with a special character of globs; the whole path if it exists.
fn fixed_part(location: &Path) -> PathBuf {
    if location.exists() {
        return location.to_owned();
    }
    let is_fixed =
        |component: &Component<'_>| !component.as_os_str().to_string_lossy().contains(['*', '?', '[']);
    let fixed: PathBuf = location.components().take_while(is_fixed).collect();
    if fixed == location { location.to_owned() } else { fixed }
}

/// `a/./b` and `a/x/../b` as `a/b`: a glob with `..` after its fixed part would lead out of a root.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
