//! Renews a stale cache entry after it has answered (D117): one run per entry, as an ordinary statement of the caller
//! who used the entry first; no caller waits for it.

use std::sync::Arc;

use rowhouse_executor::BoxFuture;
use rowhouse_model::{QueryId, QueryStatus, Source};

use super::cached::Hit;
use super::{Read, Submitting, submit};
use crate::error::Result;
use crate::queries::renewals::Renewing;
use crate::queries::trace::Trace;
use crate::queries::{CachePolicy, Purpose, Shared, Submission};
use crate::workspaces::Access;

/// `source` of renewals (D14).
const SOURCE: &str = "CACHE_RENEWAL";

impl Submitting {
    /// Renews the entry of a stale answer, unless a renewal is in progress.
    pub(super) fn renew(&self, hit: &Hit) {
        if !hit.is_stale() {
            return;
        }
        let Some(key) = self.flight() else { return };
        if self.shared.state().flights.contains_key(&key) {
            // Its run creates the next entry.
            return;
        }
        let Some(renewing) = self.shared.renewals.begin(&self.shared.clock, key, &hit.entry.query_id) else {
            return;
        };
        let query = &self.stored.query;
        let submission = Submission {
            sql: query.sql.clone().unwrap_or_default(),
            parameters: query.parameters.clone().unwrap_or_default(),
            cache: self.policy.map(|policy| CachePolicy { stale_seconds: 0, ..policy }),
            source: Source::from(SOURCE.to_owned()),
            saved_sql: self.stored.saved_sql.clone(),
            purpose: Purpose::Result,
            session: self.session.as_ref().clone(),
            max_run_time: self.max_run_time,
            awaits_end: false,
            lists_other_workspaces: false,
        };
        let fingerprint = self.stored.fingerprint.clone();
        tokio::spawn(run(Arc::clone(&self.shared), self.access.clone(), submission, fingerprint, renewing));
    }
}

/// Boxed, because a renewal is a submit, which could start a renewal; this one does not.
fn run(
    shared: Arc<Shared>,
    access: Access,
    submission: Submission,
    fingerprint: String,
    renewing: Renewing,
) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        match renewed(&shared, &access, submission, fingerprint).await {
            Ok(true) => renewing.succeeded(),
            Ok(false) => drop(renewing),
            Err(error) => tracing::warn!(%error, "a kept result was not renewed"),
        }
    })
}

/// Whether it has succeeded.
async fn renewed(
    shared: &Arc<Shared>,
    access: &Access,
    submission: Submission,
    fingerprint: String,
) -> Result<bool> {
    let (submitted_at, submitted) = (shared.clock.now(), shared.clock.monotonic());
    let trace = Trace::begin(&access.workspace.sql_name);
    let id = QueryId::new(shared.ids.new_ordered_id(submitted_at));
    trace.is(&id);
    // The result of a statement that names other workspaces is not cached.
    let read =
        Read { outcome: Ok(fingerprint.into()), id: id.clone(), others: Vec::new(), submitted_at, submitted };
    let record = submit(Arc::clone(shared), access.clone(), submission, None, read, trace).await?;
    if record.status.is_some_and(QueryStatus::is_final) {
        return Ok(record.status == Some(QueryStatus::Finished));
    }
    if let Some(ended) = shared.ended_in(access, &id) {
        ended.await;
    }
    Ok(shared.stored(access, &id).await?.status == Some(QueryStatus::Finished))
}
