//! Removes unused files in the views' folder at the start, before anything else runs: generations of a view that a kill
//! left incomplete or already replaced are removed; the rows of a view that the database does not know are set aside,
//! because it may be the wrong database.

use std::fs;
use std::io;
use std::path::Path;

use rowhouse_model::ViewId;

use crate::set_aside::SetAside;

/// A view that the database knows; the rest of its folder is removed.
pub(super) enum KnownView {
    /// No generation was completed.
    WithoutGeneration,
    /// The served generation.
    Generation(u64),
}

/// Checks every view's folder in `views`, a folder inside the data directory; `kept` says what to keep of it, or that
/// the view is unknown. Best effort: files that stay are logged and harmless. Blocking.
pub(super) fn remove(
    data_dir: &Path,
    views: &str,
    kept: impl Fn(&ViewId) -> Option<KnownView>,
    mut set_aside: SetAside,
) {
    let folders = match fs::read_dir(data_dir.join(views)) {
        Ok(folders) => folders,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => {
            tracing::warn!(%error, "the views' folder cannot be read");
            return;
        }
    };
    for folder in folders.flatten() {
        let id = ViewId::new(folder.file_name().to_string_lossy());
        let outcome = match kept(&id) {
            Some(KnownView::Generation(served)) => remove_other_generations(&folder.path(), served),
            Some(KnownView::WithoutGeneration) => fs::remove_dir_all(folder.path()),
            None => set_aside.take(&Path::new(views).join(folder.file_name())),
        };
        if let Err(error) = outcome {
            tracing::warn!(%error, folder = %folder.path().display(), "files that no view serves stay behind");
        }
    }
    set_aside.log_summary("rows of views");
}

fn remove_other_generations(folder: &Path, served: u64) -> io::Result<()> {
    let prefix = format!("{served}.");
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // An index that a kill left incomplete is unused, too.
        if !name.starts_with(&prefix) || name.ends_with(".partial") {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
