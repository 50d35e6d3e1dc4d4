//! Files under the views' folder that nothing serves: of generations that a kill left half made or already
//! replaced, and of dropped views. They are removed at start, when nothing else is at work yet.

use std::fs;
use std::io;
use std::path::Path;

use rowhouse_model::ViewId;

use super::state::ViewState;

/// Removes what it can; what stays is told in the log and harms nobody. Blocking.
pub(super) fn remove(state: &ViewState) {
    let folders = match fs::read_dir(state.folder()) {
        Ok(folders) => folders,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => {
            tracing::warn!(%error, "the views' folder cannot be read");
            return;
        }
    };
    for folder in folders.flatten() {
        let id = ViewId::new(folder.file_name().to_string_lossy());
        let served = state.get(&id).and_then(|view| view.live().served);
        let outcome = match served {
            Some(served) => remove_other_generations(&folder.path(), served.number),
            None => fs::remove_dir_all(folder.path()),
        };
        if let Err(error) = outcome {
            tracing::warn!(%error, folder = %folder.path().display(), "files that no view serves stay behind");
        }
    }
}

fn remove_other_generations(folder: &Path, served: u64) -> io::Result<()> {
    let prefix = format!("{served}.");
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // An index that a kill has left half built is one as well.
        if !name.starts_with(&prefix) || name.ends_with(".partial") {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
