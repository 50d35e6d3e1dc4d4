//! Statements that consist of constant rows (D138): the rows are known as soon as the text is parsed, so only record,
//! rows and cache entry must be made durable, in one write.

use std::sync::Arc;

use bytes::Bytes;
use rowhouse_executor::Execution;

use super::Submitting;
use crate::error::{Error, ErrorKind, Result};
use crate::queries::conclude::{self, SmallResult};
use crate::queries::{QueryRecord, drive, places, result_space, retention, snapshot};
use crate::store::{Rollback, query_records, saved_sql, small_results};

impl Submitting {
    /// Ends the statement with these rows. None if it must be scheduled like any other statement: if the engine rests
    /// or others wait for a slot, if its result is shared with identical statements or is a view's, or if its workspace
    /// has no space for the result.
    pub(super) async fn answer_at_once(&self, mut execution: Execution) -> Result<Option<QueryRecord>> {
        let Some(file) = execution.file.take().map(Bytes::from) else { return Ok(None) };
        let (shared, workspace) = (&self.shared, &self.access.workspace);
        if self.fresh_seconds.is_some() || self.refresh.is_some() {
            return Ok(None);
        }
        let admission = shared.service.admit()?;
        if !admission.is_awake() || !drive::has_slot(shared, workspace, self.session.max_memory_bytes) {
            return Ok(None);
        }
        let taken = places::take(shared, workspace, self.stored.query.text_bytes())?;
        if shared.state().is_closing {
            return Err(Error::new(ErrorKind::ServiceDisabled, "the server is stopping"));
        }
        let (query_id, bytes) = (&self.stored.query.id, file.len() as u64);
        let location = shared.result_files.location(&workspace.id, query_id);
        let room = result_space::check_written(shared, &workspace.id, &location, Some(bytes)).await;
        let Ok(_room) = room else { return Ok(None) };
        self.trace.queued();
        self.trace.planning();
        self.trace.running();
        let now = shared.clock.now();
        let duration = shared.clock.monotonic().saturating_sub(self.submitted);
        let expires_at = snapshot::later(now, shared.config().result_retention);
        let id = self.statement_id();
        let end =
            snapshot::at_once(self.stored.clone(), id, &execution, &location, bytes, expires_at, duration);
        let key = (workspace.id.clone(), end.fingerprint.clone());
        let entry = conclude::cache_entry(key, query_id.clone(), execution, location.clone(), now);
        // A result that depends on other workspaces answers no other statement (D127).
        let entry = self.stored.query.other_workspaces.is_none().then(|| Arc::new(entry));
        let kept = SmallResult { location, file };
        let record = QueryRecord::new(end);
        // Serialized here: the store's one thread is busy enough.
        let json = record.json()?;
        let noted = self.noted();
        let holder = Arc::clone(shared);
        let written = shared.store.write_with(
            Rollback::of(self.key.is_some()),
            move |transaction| {
                let end = record.stored();
                query_records::insert_written(transaction, end, &json)?;
                noted(transaction)?;
                if let (Some(id), Some(stats)) = (&end.saved_sql, &end.query.query_stats) {
                    saved_sql::set_last_run(transaction, id, stats)?;
                }
                small_results::insert(transaction, &kept.location, &kept.file)?;
                let unused = retention::replace_entry(transaction, entry.as_deref())?;
                Ok((record, kept, entry, unused))
            },
            move |(record, kept, entry, unused)| {
                conclude::hold(&holder, &kept);
                // Before the end is visible: a caller that sees it finds the entry.
                if let Some(entry) = &entry {
                    holder.cache.set(entry);
                }
                let left = conclude::show_born(&holder, &record);
                (record, left, unused)
            },
        );
        // Values that left the state are dropped here, not on the store's thread.
        let (record, _left, unused) = written.await?;
        if !unused.is_empty() {
            let shared = Arc::clone(shared);
            tokio::spawn(async move { retention::remove_files(&shared, unused).await });
        }
        drop((taken, admission));
        self.shared.counters.accepted(self.alone);
        self.trace.ended(&record);
        Ok(Some(record))
    }
}
