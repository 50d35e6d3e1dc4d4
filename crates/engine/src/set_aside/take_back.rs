//! Restores set-aside files that the database names again.

use std::fs;
use std::path::Path;

use super::{SetAsideFolder, folders};
use crate::error::{Error, Result};
use crate::store::{self, Store};

/// Restores files that the database names and that are not in their place. Must be called before files that it does not
/// name are searched for. Blocking.
///
/// # Errors
/// The database cannot be read.
pub(crate) fn run(store: &Store, data_dir: &Path) -> Result<()> {
    let folders = folders(data_dir)
        .map_err(|error| Error::internal(format!("looking at what is set aside: {error}"), error))?;
    if folders.is_empty() {
        return Ok(());
    }
    let mut taken = 0;
    let named = store.read(store::query_records::result_files)?;
    for location in named {
        let place = Path::new(&location);
        if !data_dir.join(place).exists() {
            taken += u64::from(take_back_one(data_dir, &folders, place));
        }
    }
    for generation in store.read(store::generations::load)? {
        let place = Path::new("views").join(generation.view_id.as_str());
        let prefix = format!("{}.", generation.number);
        if crate::Generation::path(&data_dir.join(&place), generation.number).exists() {
            continue;
        }
        for folder in &folders {
            let names =
                fs::read_dir(data_dir.join(&folder.place).join(&place)).into_iter().flatten().flatten();
            let names = names.map(|entry| entry.file_name());
            for name in names.filter(|name| name.to_string_lossy().starts_with(&prefix)) {
                taken += u64::from(take_back_one(data_dir, &folders, &place.join(name)));
            }
        }
    }
    if taken > 0 {
        tracing::info!(files = taken, "files that had been set aside were taken back");
    }
    Ok(())
}

/// Restored from the newest folder that has it.
fn take_back_one(data_dir: &Path, folders: &[SetAsideFolder], place: &Path) -> bool {
    let to = data_dir.join(place);
    let Some(from) = folders
        .iter()
        .rev()
        .map(|folder| data_dir.join(&folder.place).join(place))
        .find(|from| from.exists())
    else {
        return false;
    };
    let taken = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::rename(&from, &to));
    if let Err(error) = &taken {
        tracing::warn!(%error, file = %from.display(), "a file that is set aside cannot be taken back");
    }
    taken.is_ok()
}
