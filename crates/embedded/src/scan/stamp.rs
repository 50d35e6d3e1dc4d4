//! The version of a table's files, and a cache of their metadata while none of them changes.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use polars::prelude::PolarsResult;
use rowhouse_executor::sources::FileStamp;
use rowhouse_model::TableFormat;

use super::Found;

/// Maximum number of cached results; beyond it the cache is cleared.
const MAX_CACHED: usize = 1000;

static CACHE: Mutex<Option<HashMap<Arc<FilesVersion>, Found>>> = Mutex::new(None);

/// The files of a table with their stamps.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct FilesVersion {
    format: TableFormat,
    files: Vec<(PathBuf, FileStamp)>,
}

impl FilesVersion {
    /// The present version.
    pub(super) fn of(files: &[PathBuf], format: TableFormat) -> std::io::Result<Self> {
        let stamps = files.iter().map(|file| Ok((file.clone(), FileStamp::of(file)?)));
        Ok(Self { format, files: stamps.collect::<std::io::Result<_>>()? })
    }

    /// The files and their stamps.
    pub(super) fn files(&self) -> &[(PathBuf, FileStamp)] {
        &self.files
    }

    /// Whether this is still the version.
    pub(super) fn is_present(&self) -> bool {
        self.files.iter().all(|(file, stamp)| FileStamp::of(file).is_ok_and(|present| present == *stamp))
    }

    /// Whether this is still the version, and a later change of a file is certain to change it.
    pub(super) fn is_settled(&self) -> bool {
        let now = SystemTime::now();
        self.files.iter().all(|(_, stamp)| stamp.is_settled(now)) && self.is_present()
    }
}

/// The cache of inspection results.
#[derive(Debug)]
pub(super) struct InspectionCache;

impl InspectionCache {
    /// The cached result for the files, or the result of `inspect`; `None` if a file was replaced meanwhile.
    pub(super) fn inspect(
        version: &Arc<FilesVersion>,
        inspect: impl FnOnce() -> PolarsResult<Found>,
    ) -> PolarsResult<Option<Found>> {
        if let Some(found) = cache().get_or_insert_default().get(version) {
            return Ok(Some(found.clone()));
        }
        let found = inspect();
        if !version.is_present() {
            return Ok(None);
        }
        let found = found?;
        let mut cache = cache();
        let map = cache.get_or_insert_default();
        if map.len() >= MAX_CACHED {
            map.clear();
        }
        map.insert(Arc::clone(version), found.clone());
        Ok(Some(found))
    }
}

fn cache() -> MutexGuard<'static, Option<HashMap<Arc<FilesVersion>, Found>>> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}
