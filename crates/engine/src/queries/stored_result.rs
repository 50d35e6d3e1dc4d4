//! Reading results: of a record that has succeeded, while its result is stored.

use std::sync::Arc;

use rowhouse_model::QueryId;
use rowhouse_rows::arrow_file::ArrowFile;

use super::record::check_finished;
use super::{Queries, QueryRecord, Shared};
use crate::error::{Error, ErrorKind, Result};
use crate::store::query_records::StoredQuery;
use crate::store::small_results;

/// A result that can be read.
#[derive(Clone, Debug)]
pub struct StoredResult {
    /// The record of its statement, with its columns and its row count.
    pub record: QueryRecord,
    /// The rows.
    pub file: Arc<ArrowFile>,
}

impl StoredResult {
    /// Row count of the whole result.
    pub fn row_count(&self) -> u64 {
        self.record.row_count.unwrap_or_default()
    }
}

impl Queries {
    pub(super) async fn read_result(&self, record: QueryRecord) -> Result<StoredResult> {
        let id = &record.id;
        check_finished(id, record.stored())?;
        let StoredQuery { result_file, result_expires_at, .. } = record.stored();
        let is_expired = result_expires_at.is_none_or(|moment| moment <= self.shared.clock.now());
        let location = result_file.as_ref().filter(|_| !is_expired).ok_or_else(|| result_expired(id))?;
        let file = self.shared.open_result(id, location).await?;
        Ok(StoredResult { record, file })
    }
}

impl Shared {
    /// The file of a query's result; [`ErrorKind::ResultExpired`] if it is gone.
    pub(super) async fn open_result(&self, id: &QueryId, location: &str) -> Result<Arc<ArrowFile>> {
        let (open_results, clock) = (&self.open_results, &self.clock);
        if let Some(file) = open_results.get(location, clock.monotonic()) {
            return Ok(file);
        }
        let path = self.result_files.path(location);
        if let Some((file, is_read_again)) = self.recent_results.get(location) {
            let file = ArrowFile::of_bytes(&path, file)?;
            // Most are read once and should not displace files that are kept open.
            return Ok(if is_read_again {
                open_results.keep(location, file, clock.monotonic())
            } else {
                file
            });
        }
        let opened = {
            let (path, location, store) = (path.clone(), location.to_owned(), Arc::clone(&self.store));
            let open = move || {
                let kept = store.read(|connection| small_results::get(connection, &location))?;
                let is_kept = kept.is_some();
                let file = match kept {
                    Some(file) => ArrowFile::of_bytes(&path, file.into()),
                    None => ArrowFile::open(&path),
                };
                Ok::<_, Error>((is_kept, file))
            };
            tokio::task::spawn_blocking(open).await
        };
        match opened.map_err(|error| Error::internal("opening a result", error))?? {
            (_, Ok(file)) => Ok(open_results.keep(location, file, clock.monotonic())),
            // The sweep removes files of expired results while they are requested.
            (false, Err(_)) if !path.exists() => Err(result_expired(id)),
            (_, Err(error)) => Err(error.into()),
        }
    }
}

fn result_expired(id: &QueryId) -> Error {
    let message = format!(
        "the result of query '{id}' has passed its retention or was deleted; run the statement again"
    );
    Error::new(ErrorKind::ResultExpired, message)
}
