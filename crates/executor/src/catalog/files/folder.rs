//! A folder of a listing, and its files and folders: links are followed only as far as the listing allows.

use std::fs::ReadDir;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rowhouse_model::QueryError;

use crate::catalog::files::unreadable;

/// A folder, and the folders through which the listing came to it.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// The path without symbolic links.
    pub(super) real: PathBuf,
    parent: Option<Rc<Self>>,
    /// Whether the listing followed a link to it, or to a folder above.
    is_linked: bool,
}

/// An entry of a folder.
#[derive(Debug)]
pub(super) enum Child {
    File(PathBuf),
    Folder(Rc<Folder>),
}

impl Folder {
    /// The folder where a listing starts.
    pub(super) fn root(path: &Path) -> Result<Rc<Self>, QueryError> {
        let real = path.canonicalize().map_err(|error| unreadable(path, &error))?;
        Ok(Rc::new(Self { path: path.to_owned(), real, parent: None, is_linked: false }))
    }

    pub(super) fn entries(&self) -> Result<ReadDir, QueryError> {
        self.path.read_dir().map_err(|error| unreadable(&self.path, &error))
    }

    /// The entry at `path`, which is this folder's path and a name. It is none if there is nothing, or if a link leads
    /// out of `root` or to a folder through which the listing came here.
    pub(super) fn child(self: &Rc<Self>, path: PathBuf, root: &Path) -> Option<Child> {
        let mut kind = path.symlink_metadata().ok()?.file_type();
        let is_link = kind.is_symlink();
        let real = if is_link {
            let real = path.canonicalize().ok()?;
            if !real.starts_with(root) {
                return None;
            }
            kind = real.metadata().ok()?.file_type();
            real
        } else if kind.is_dir() {
            self.real.join(path.file_name()?)
        } else {
            PathBuf::new()
        };
        if kind.is_dir() {
            let is_linked = self.is_linked || is_link;
            if is_linked && self.and_above().any(|above| above.real == real) {
                return None;
            }
            return Some(Child::Folder(Rc::new(Self {
                path,
                real,
                parent: Some(Rc::clone(self)),
                is_linked,
            })));
        }
        kind.is_file().then_some(Child::File(path))
    }

    fn and_above(self: &Rc<Self>) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(&**self), |folder| folder.parent.as_deref())
    }
}
