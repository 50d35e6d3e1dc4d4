//! Caches file metadata while none of the files changes.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use polars::prelude::PolarsResult;
use rowhouse_executor::sources::FileStamp;
use rowhouse_model::TableFormat;

use super::Found;

/// Maximum number of cached results; beyond it the cache is cleared.
const MAX_REMEMBERED: usize = 1000;

static REMEMBERED: Mutex<Option<HashMap<Key, Found>>> = Mutex::new(None);

type Key = (TableFormat, Vec<(PathBuf, FileStamp)>);

/// The cache of inspection results.
#[derive(Debug)]
pub(super) struct Remembered;

impl Remembered {
    /// The cached result for the files, or the result of `look`.
    pub(super) fn look(
        files: &[PathBuf],
        format: TableFormat,
        look: impl FnOnce() -> PolarsResult<Found>,
    ) -> PolarsResult<Found> {
        let stamps = files.iter().map(|file| Ok((file.clone(), FileStamp::of(file)?)));
        let key: Key = (format, stamps.collect::<std::io::Result<_>>()?);
        if let Some(found) = remembered().get_or_insert_default().get(&key) {
            return Ok(found.clone());
        }
        let found = look()?;
        let mut remembered = remembered();
        let map = remembered.get_or_insert_default();
        if map.len() >= MAX_REMEMBERED {
            map.clear();
        }
        map.insert(key, found.clone());
        Ok(found)
    }
}

fn remembered() -> std::sync::MutexGuard<'static, Option<HashMap<Key, Found>>> {
    REMEMBERED.lock().unwrap_or_else(PoisonError::into_inner)
}
