//! Caches file metadata while none of the files changes.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use polars::prelude::PolarsResult;
use rowhouse_executor::sources::FileStamp;
use rowhouse_model::TableFormat;

use super::Found;

/// Maximum number of cached results; beyond it the cache is cleared.
const MAX_CACHED: usize = 1000;

static CACHE: Mutex<Option<HashMap<Key, Found>>> = Mutex::new(None);

type Key = (TableFormat, Vec<(PathBuf, FileStamp)>);

/// The cache of inspection results.
#[derive(Debug)]
pub(super) struct InspectionCache;

impl InspectionCache {
    /// The cached result for the files, or the result of `inspect`.
    pub(super) fn inspect(
        files: &[PathBuf],
        format: TableFormat,
        inspect: impl FnOnce() -> PolarsResult<Found>,
    ) -> PolarsResult<Found> {
        let stamps = files.iter().map(|file| Ok((file.clone(), FileStamp::of(file)?)));
        let key: Key = (format, stamps.collect::<std::io::Result<_>>()?);
        if let Some(found) = cache().get_or_insert_default().get(&key) {
            return Ok(found.clone());
        }
        let found = inspect()?;
        let mut cache = cache();
        let map = cache.get_or_insert_default();
        if map.len() >= MAX_CACHED {
            map.clear();
        }
        map.insert(key, found.clone());
        Ok(found)
    }
}

fn cache() -> std::sync::MutexGuard<'static, Option<HashMap<Key, Found>>> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}
