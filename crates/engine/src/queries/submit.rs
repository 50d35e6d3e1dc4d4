//! Accepts a statement: parses it, looks it up in the cache, records it, and places it with a run of its own or with
//! another's. Its record is durable before the answer, and on a cluster before anything runs.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rowhouse_executor::{BoxFuture, Execution, StatementSession};
use rowhouse_model::{
    CacheOutcome, CacheVerdict, Query, QueryError, QueryStatus, StatementId, Timestamp, ViewId,
};
use rusqlite::Transaction;
use tokio::sync::watch;

use super::idempotency::IdempotencyKey;
use super::phase::Phase;
use super::record::QueryRecord;
use super::run::{Run, RunInput};
use super::state::{Live, RunProgress, RunState, gone};
use super::trace::Trace;
use super::{
    CachePolicy, Purpose, Shared, Submission, conclude, drive, places, retention, snapshot, warm_up,
};
use crate::error::{Error, ErrorKind, Result};
use crate::metrics::CacheLookup;
use crate::service::Admission;
use crate::store::cache_entries::CacheEntry;
use crate::store::idempotency_keys::{self, StoredSubmit};
use crate::store::query_records::{self, StoredQuery};
use crate::store::{BegunWrite, CommitTime, Rollback, saved_sql};
use crate::workspaces::Access;

mod at_once;
mod cached;
mod fingerprint;
mod own_run;
mod placement;
mod renewal;
mod with_session;

use fingerprint::ReadText;
pub(super) use fingerprint::{Read, read};

use placement::Placement;

/// A statement being submitted.
struct Submitting {
    shared: Arc<Shared>,
    access: Access,
    /// The record to be stored.
    stored: StoredQuery,
    refresh: Option<ViewId>,
    /// The id of its run, once it gets one of its own.
    statement_id: OnceLock<StatementId>,
    /// The same time on both clocks.
    submitted_at: Timestamp,
    submitted: Duration,
    /// Seconds for which an entry is fresh, if the cache is enabled: it reads the cache and joins runs.
    fresh_seconds: Option<u64>,
    /// The cache policy, if both of its fields were given (D19).
    policy: Option<CachePolicy>,
    /// The cache outcome if it gets a run of its own.
    alone: CacheLookup,
    session: Arc<StatementSession>,
    max_run_time: Option<Duration>,
    /// When its row is committed.
    commit: CommitTime,
    /// Its idempotency key.
    key: Option<IdempotencyKey>,
    trace: Trace,
}

/// The rest of the submit; not cancel safe.
pub(super) async fn submit(
    shared: Arc<Shared>,
    access: Access,
    submission: Submission,
    key: Option<IdempotencyKey>,
    read: Read,
    trace: Trace,
) -> Result<QueryRecord> {
    let Read { outcome, id, others, submitted_at, submitted } = read;
    let mut submission = submission;
    let outcome = outcome.and_then(|read| {
        with_session::apply(&mut submission, &read.properties)?;
        Ok(read)
    });
    // The row is committed with the statement's end, if that comes soon: one commit instead of two. On a cluster the
    // commit must precede the run.
    let is_deferred = submission.awaits_end && !access.workspace.engine.is_trino();
    let commit = if is_deferred { CommitTime::WithNext } else { CommitTime::Now };
    let Submission { sql, parameters, cache, source, saved_sql, purpose, session, max_run_time, .. } =
        submission;
    let (ReadText { fingerprint, constant, .. }, refusal) = match outcome {
        Ok(read) => (read, None),
        Err(error) => (ReadText::default(), Some(error)),
    };
    let query = Query {
        id,
        statement_id: None,
        account_id: Some(access.account_id().clone()),
        status: Some(QueryStatus::Queued),
        started_at: Some(submitted_at),
        sql: Some(sql),
        parameters: (!parameters.is_empty()).then_some(parameters),
        duration: Some(0),
        workspace_id: access.workspace.id.clone(),
        workspace_sql_name: Some(access.workspace.sql_name.clone()),
        other_workspaces: (!others.is_empty()).then_some(others),
        location: None,
        error: None,
        user_id: Some(access.principal.account.username.clone()),
        user_type: Some(access.role),
        row_count: None,
        from_cache: Some(false),
        cache: None,
        source: Some(source),
        columns: None,
        query_stats: None,
        output_stage: None,
        data_format: None,
    };
    let stored = StoredQuery { query, saved_sql, fingerprint, result_file: None, result_expires_at: None };
    // The workspace's setting applies unless the statement has one.
    let default_check = shared.limits.of(&access.workspace.id).cache_check;
    let cache = cache.map(|policy| CachePolicy { check: policy.check.or(default_check), ..policy });
    // A result that depends on rights in several workspaces answers no other caller (D127).
    let is_kept = stored.query.other_workspaces.is_none();
    let fresh_seconds = cache
        .filter(|policy| policy.ttl_seconds > 0 && !policy.refresh && is_kept)
        .map(|policy| policy.ttl_seconds);
    let alone = match cache.filter(|_| is_kept) {
        Some(CachePolicy { refresh: true, .. }) => CacheLookup::Refreshed,
        Some(CachePolicy { ttl_seconds: 1.., .. }) => CacheLookup::Miss,
        _ => CacheLookup::Bypassed,
    };
    let refresh = match purpose {
        Purpose::Result => None,
        Purpose::Refresh { view } => Some(view),
    };
    // Boxed, because it would be moved with each future that has it.
    let submitting = Box::new(Submitting {
        shared,
        access,
        stored,
        refresh,
        statement_id: OnceLock::new(),
        submitted_at,
        submitted,
        fresh_seconds,
        policy: cache,
        alone,
        session: session.into(),
        max_run_time,
        commit,
        key,
        trace,
    });
    match refusal {
        Some(error) => submitting.refuse(error).await,
        None => submitting.accept(constant).await,
    }
}

impl Submitting {
    /// Records an invalid statement (D4).
    async fn refuse(self: Box<Self>, error: QueryError) -> Result<QueryRecord> {
        // While disabled, only cache hits are answered (D21).
        let _admission = self.shared.service.admit()?;
        let refused = snapshot::born_failed(self.stored.clone(), error);
        self.trace.ended(&refused.query);
        self.insert_final(QueryRecord::new(refused), None).await?.ok_or_else(|| {
            Error::new(ErrorKind::Internal, "a record that depends on no result was not inserted")
        })
    }

    async fn accept(mut self: Box<Self>, constant: Option<Box<Execution>>) -> Result<QueryRecord> {
        let seen = self.shared.state().flights_ended;
        match self.look_up().await? {
            Ok(hit) => {
                if let Some(record) =
                    self.insert_final(QueryRecord::new(self.hit(&hit)), Some(&hit.entry)).await?
                {
                    self.shared.counters.accepted(hit.lookup());
                    self.renew(&hit);
                    self.trace.ended(&record);
                    self.shared.service.touch();
                    return Ok(record);
                }
                let reason = Some("the kept result has just been removed".to_owned());
                let miss = CacheVerdict::new(CacheOutcome::Miss);
                self.stored.query.cache = Some(CacheVerdict { reason, ..miss });
            }
            // Without the two fields the record is as if there were no cache.
            Err(verdict) => self.stored.query.cache = self.policy.map(|_| verdict),
        }
        if let Some(execution) = constant
            && let Some(record) = self.answer_at_once(*execution).await?
        {
            return Ok(record);
        }
        Arc::<Self>::from(self).run_or_join(seen).await
    }

    async fn run_or_join(self: Arc<Self>, seen: u64) -> Result<QueryRecord> {
        let admission = Arc::new(self.shared.service.admit()?);
        let inserting = self.begin_insert(&admission).await?;
        if self.access.workspace.engine.is_trino() {
            // A cluster may execute writes: the record of the request must be durable before.
            self.inserted(inserting).await?;
            Arc::clone(&self).place(admission, seen).await;
        } else {
            // The disk and the worker are busy at the same time. Nothing is published about a record that is not
            // durable.
            Arc::clone(&self).place(admission, seen).await;
            self.inserted(inserting).await?;
        }
        if self.refresh.is_some() {
            warm_up::follow(&self.shared, &self.access, &self.stored.query.id);
        }
        // OK to ignore: a statement that takes long to plan is answered in its present state.
        let _ = tokio::time::timeout(self.shared.config().planning_wait, self.planned()).await;
        self.shared.stored(&self.access, &self.stored.query.id).await
    }

    /// Resolves when names and types are resolved, or planning failed; at once if the statement waits for others.
    async fn planned(&self) {
        let id = &self.stored.query.id;
        let (phases, ended) = {
            let state = self.shared.state();
            let run = state.live.get(id).and_then(|live| state.runs.get(live.run.as_ref()?));
            let Some(run) = run.filter(|run| run.task.is_some()) else { return };
            (run.phases.subscribe(), state.ended(&self.stored.query.workspace_id, id))
        };
        let mut phases = phases;
        let is_planned = |phase: &Phase| matches!(phase, Phase::Running | Phase::Ending);
        let is_ending = phases.wait_for(is_planned).await.map_or(true, |phase| *phase == Phase::Ending);
        if let (true, Some(ended)) = (is_ending, ended)
            && !self.is_installing()
        {
            ended.await;
        }
    }

    /// Whether this is a refresh whose rows are being installed: that waits for the view's lock, which the caller of the
    /// submit may hold.
    fn is_installing(&self) -> bool {
        let state = self.shared.state();
        let run = state.live.get(&self.stored.query.id).and_then(|live| state.runs.get(live.run.as_ref()?));
        self.refresh.is_some() && run.is_some_and(|run| run.progress.columns.is_some())
    }

    /// Inserts a record that is final from the start; none if the result that it names was removed meanwhile.
    async fn insert_final(
        &self,
        record: QueryRecord,
        entry: Option<&CacheEntry>,
    ) -> Result<Option<QueryRecord>> {
        let location = entry.map(|entry| entry.location.clone());
        let (shared, holder) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
        // Serialized here: the store's one thread is busy enough.
        let json = record.json()?;
        let noted = self.noted();
        let has_long_texts = query_records::long_bytes(&record.stored().query) > 0;
        let inserted = self.shared.store.write_with(
            Rollback::of(self.key.is_some() || has_long_texts),
            move |transaction| {
                // Results are removed on this thread, too: a result that is used now stays.
                if let Some(location) = &location
                    && !holder.has_result(transaction, location)?
                {
                    return Ok(None);
                }
                let end = record.stored();
                let before = transaction.total_changes();
                query_records::insert_written(transaction, end, &json)?;
                holder.found_results.hit_was_inserted(before, transaction.total_changes());
                noted(transaction)?;
                let given_up = retention::give_up_texts(&holder, transaction, &end.query)?;
                if let (Some(id), Some(stats)) = (&end.saved_sql, &end.query.query_stats) {
                    saved_sql::set_last_run(transaction, id, stats)?;
                }
                let unused = retention::delete_unused(transaction, given_up.locations)?;
                Ok(Some((record, given_up.entries, unused)))
            },
            move |inserted| {
                let (record, purged, unused) = inserted?;
                shared.cache.forget(&purged);
                let left = conclude::show_born(&shared, &record);
                Some((record, unused, left))
            },
        );
        // Values that left the state are dropped here, not on the store's thread.
        let Some((record, unused, _left)) = inserted.await? else { return Ok(None) };
        retention::remove_files(&self.shared, unused).await;
        Ok(Some(record))
    }

    /// Takes a place in memory, and begins to write a row in the store.
    async fn begin_insert(&self, admission: &Arc<Admission>) -> Result<BegunWrite<()>> {
        let query = &self.stored.query;
        self.reserve(admission)?;
        let (shared, workspace_id) = (Arc::clone(&self.shared), query.workspace_id.clone());
        let mut row = self.stored.clone();
        // After a kill only the row remains. It names its expected run, whose id a caller may have seen by then.
        row.query.statement_id = Some(self.expected_run());
        let noted = self.noted();
        let begun = self.shared.store.begin_write(
            self.commit,
            Rollback::of(self.key.is_some()),
            move |transaction| {
                query_records::insert(transaction, &row)?;
                noted(transaction)
            },
            move |()| shared.state().count_up(&workspace_id),
        );
        let begun = begun.await;
        if begun.is_err() {
            conclude::withdraw(&self.shared, &query.workspace_id, &query.id);
        }
        begun
    }

    /// Stores its idempotency key with its row, if it has one.
    fn noted(&self) -> impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()> + Send + use<> {
        let query = &self.stored.query;
        let noted = self.key.as_ref().map(|key| {
            let digest = key.digest().to_vec();
            let (workspace_id, query_id) = (query.workspace_id.clone(), query.id.clone());
            (key.name().to_owned(), StoredSubmit { digest, workspace_id, query_id })
        });
        let (account_id, now) = (self.access.account_id().clone(), self.submitted_at);
        move |transaction| match noted {
            Some((name, kept)) => idempotency_keys::set(transaction, &account_id, &name, &kept, now),
            None => Ok(()),
        }
    }

    /// Returns when the row is durable; otherwise there is no record.
    async fn inserted(&self, inserting: BegunWrite<()>) -> Result<()> {
        let query = &self.stored.query;
        inserting
            .committed()
            .await
            .inspect_err(|_| conclude::withdraw(&self.shared, &query.workspace_id, &query.id))
    }

    fn reserve(&self, admission: &Arc<Admission>) -> Result<()> {
        let bytes = self.stored.query.text_bytes();
        let taken = places::take(&self.shared, &self.access.workspace, bytes)?;
        let (ended, _) = watch::channel(());
        let live = Live {
            stored: self.stored.clone(),
            submitted: self.submitted,
            run: None,
            refresh: self.refresh.clone(),
            is_joiner: false,
            is_ending: false,
            trace: self.trace.clone(),
            ended_at: None,
            taken,
            ended,
            admission: Arc::clone(admission),
        };
        let mut state = self.shared.state();
        if state.is_closing {
            return Err(Error::new(ErrorKind::ServiceDisabled, "the server is stopping"));
        }
        state.live.insert(self.stored.query.id.clone(), live);
        Ok(())
    }

    /// Finds a run for the recorded statement. `seen` is the number of shared runs that had ended before the cache was
    /// read: if one has ended since, the cache is read again, so that of identical statements only the first runs,
    /// however they interleave.
    fn place(self: Arc<Self>, admission: Arc<Admission>, mut seen: u64) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            loop {
                match self.try_place(&admission, seen) {
                    Placement::Placed => {
                        self.report_to_saved_sql();
                        drive::dispatch(&self.shared);
                        return;
                    }
                    Placement::AfterRun(over) => gone(over).await,
                    Placement::AfterItsReading(over) => {
                        // This waits as long as the other run takes: the record is QUEUED meanwhile.
                        tokio::spawn(async move {
                            gone(over).await;
                            let seen = self.shared.state().flights_ended;
                            if !self.took_entry().await {
                                self.place(admission, seen).await;
                            }
                        });
                        return;
                    }
                    Placement::LookAgain => {}
                }
                seen = self.shared.state().flights_ended;
                if self.took_entry().await {
                    return;
                }
            }
        })
    }

    /// Reads the cache again; an unreadable cache counts as empty.
    async fn took_entry(&self) -> bool {
        match self.look_up().await {
            Ok(Ok(hit)) => self.take_entry(&hit).await,
            _ => false,
        }
    }

    fn report_to_saved_sql(&self) {
        let StoredQuery { query, saved_sql: Some(saved_sql), .. } = &self.stored else { return };
        let monotonic = self.shared.clock.monotonic();
        let state = self.shared.state();
        let held = state.look_up(&query.workspace_id, &query.id, monotonic);
        if let Some(stats) = held.and_then(|held| held.query_stats.clone()) {
            self.shared.context.saved_sql_ran(saved_sql, stats);
        }
    }

    fn try_place(&self, admission: &Arc<Admission>, seen: u64) -> Placement {
        let query = &self.stored.query;
        let flight = self.flight();
        let mut guard = self.shared.state();
        let state = &mut *guard;
        let Some(live) = state.live.get_mut(&query.id).filter(|live| !live.is_ending) else {
            // Canceled before it had a run.
            return Placement::Placed;
        };
        if let Some(flight) = &flight {
            let shared_run = state.flights.get(flight).and_then(|id| Some((id, state.runs.get_mut(id)?)));
            match shared_run {
                Some((_, run)) if run.phase == Phase::Ending => {
                    return Placement::AfterRun(run.phases.subscribe());
                }
                // It may have read its sources before the changes that this statement must see.
                Some((_, run)) if self.follows_sources() && run.phase != Phase::Queued => {
                    return Placement::AfterItsReading(run.phases.subscribe());
                }
                Some((id, run)) => {
                    live.is_joiner = true;
                    live.run = Some(id.clone());
                    run.members.push(query.id.clone());
                    self.shared.counters.accepted(CacheLookup::Joined);
                    return Placement::Placed;
                }
                None if state.flights_ended != seen => return Placement::LookAgain,
                None => {}
            }
        }
        let id = self.statement_id().clone();
        live.run = Some(id.clone());
        let (phases, _) = watch::channel(Phase::Queued);
        let run = RunState {
            phase: Phase::Queued,
            members: vec![query.id.clone()],
            flight: flight.clone(),
            leaves_no_entry: false,
            task: None,
            progress: RunProgress::default(),
            phases,
        };
        state.runs.insert(id.clone(), run);
        if let Some(flight) = flight {
            state.flights.insert(flight, id.clone());
        }
        let input = RunInput {
            access: self.access.clone(),
            others: query.other_workspaces.clone().unwrap_or_default().into(),
            first_query: query.id.clone(),
            sql: query.sql.as_deref().unwrap_or_default().into(),
            parameters: query.parameters.clone().unwrap_or_default().into(),
            session: Arc::clone(&self.session),
            max_run_time: self.max_run_time,
            submitted_at: self.submitted_at,
            admission: Arc::clone(admission),
            trace: self.trace.clone(),
        };
        self.trace.queued();
        state.schedule.push(&query.workspace_id, Run::new(&self.shared, id, input));
        self.shared.counters.accepted(self.alone);
        Placement::Placed
    }
}
