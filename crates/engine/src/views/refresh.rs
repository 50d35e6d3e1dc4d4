//! Refreshes of views: ordinary statements, submitted on demand or by the schedule, at most one per view at a time. A
//! second request joins the one in progress; a change of the SQL supersedes it.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{ErrorCode, Query, QueryError, QueryId, QueryStatus, Source, Timestamp, ViewId};

use super::install::RefreshedRows;
use super::state::{RunningRefresh, View};
use super::{OwnRefresh, Views};
use crate::error::{Error, Result};
use crate::workspaces::Access;
use rowhouse_executor::BoxFuture;

/// A backward correction up to this is normal clock adjustment.
const CORRECTION_MILLIS: i64 = 60_000;
/// How often the schedules are checked.
const SCHEDULE_PERIOD: Duration = Duration::from_secs(1);

/// The runner of a view's statement: `queries` in the server, a list of scripted outcomes in tests.
pub(crate) trait RefreshRunner: Debug + Send + Sync {
    /// Submits the statement; its record is durable when this returns.
    fn submit<'a>(
        &'a self,
        access: &'a Access,
        view: &'a ViewId,
        sql: String,
        source: Source,
    ) -> BoxFuture<'a, Result<Query>>;

    /// How the statement ended, once it has.
    fn completion<'a>(
        &'a self,
        access: &'a Access,
        id: &'a QueryId,
    ) -> BoxFuture<'a, Result<RefreshedRows, QueryError>>;

    /// The present record.
    fn get<'a>(&'a self, access: &'a Access, id: &'a QueryId) -> BoxFuture<'a, Result<Query>>;

    /// Ends the statement if it has not ended.
    fn cancel<'a>(&'a self, access: &'a Access, id: &'a QueryId) -> BoxFuture<'a, Result<Query>>;
}

impl Views {
    /// Runs the schedules from now on, and repeats refreshes that the last stop of the server interrupted. Ends when
    /// the views are dropped, or by the handle.
    pub(crate) fn start(self: &Arc<Self>) -> tokio::task::AbortHandle {
        let views = Arc::downgrade(self);
        let task = tokio::spawn(async move {
            let mut period = tokio::time::interval(SCHEDULE_PERIOD);
            period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            if let Some(views) = views.upgrade() {
                views.resume().await;
            }
            loop {
                period.tick().await;
                match views.upgrade() {
                    Some(views) => {
                        views.replace_damaged().await;
                        views.run_due().await;
                    }
                    None => return,
                }
            }
        });
        task.abort_handle()
    }

    /// Starts the refreshes that are due. Missed ticks, for example during a stop of the server, collapse into one; a
    /// tick during a refresh is served by it.
    pub(super) async fn run_due(self: &Arc<Self>) {
        let now = self.clock.now();
        for view in self.state.all() {
            let live = view.live();
            let base = live.scheduled_at.unwrap_or(live.record.created_at);
            let due = live.record.schedule.as_ref().and_then(|schedule| schedule.next_after(base));
            // The clock was set back before the last tick: the state of the schedule is unknown, and it restarts.
            let is_behind = base.as_millis().saturating_sub(now.as_millis()) > CORRECTION_MILLIS;
            if due.is_none_or(|due| now < due && !is_behind) {
                continue;
            }
            // Busy: a refresh is being started at this moment; the tick is checked again in a second.
            let Ok(mut running) = view.running.try_lock() else { continue };
            if let Some(running) = &mut *running {
                running.tick.get_or_insert(now);
                continue;
            }
            drop(running);
            self.refresh_by_itself(&view, Source::Schedule, Some(now)).await;
        }
    }

    /// Starts the refreshes that a definition required and that neither succeeded nor failed, and those of views whose
    /// rows were lost.
    pub(super) async fn resume(self: &Arc<Self>) {
        for view in self.state.all() {
            let live = view.live();
            let is_current = live.served.is_some_and(|served| served.revision == live.record.revision);
            let is_owed = live.lost.is_some() || live.last_error.is_none();
            if !is_current && is_owed && live.fault.is_none() {
                self.refresh_by_itself(&view, Source::MaterializedView, None).await;
            }
        }
    }

    /// Gives up generations whose rows were found damaged, and refreshes their views.
    pub(super) async fn replace_damaged(self: &Arc<Self>) {
        for view in self.state.all() {
            let live = view.live();
            let Some(damaged) = live.served.filter(|served| served.is_damaged()) else { continue };
            let error = format!("the file of generation {} is damaged", damaged.number);
            tracing::error!(view = view.id.as_str(), path = %damaged.path().display(), "{error}; it is refreshed");
            view.change(|live| {
                if live.served.as_ref().is_some_and(|served| Arc::ptr_eq(served, &damaged)) {
                    live.served = None;
                    live.lost = Some(damaged);
                    live.last_error = Some(error);
                }
            });
            if live.fault.is_none() {
                self.refresh_by_itself(&view, Source::MaterializedView, None).await;
            }
        }
    }

    async fn refresh_by_itself(self: &Arc<Self>, view: &Arc<View>, source: Source, tick: Option<Timestamp>) {
        let account = self.accounts.get(&view.live().record.account_id);
        let workspace = self.workspaces.get(&view.workspace_id);
        // OK to skip if one is missing: foreign keys allow no such view.
        let Some((account, workspace)) = account.zip(workspace) else { return };
        let access = Access::for_server(account, workspace);
        let at = self.clock.now();
        let outcome = self.begin_refresh(&access, view, source.clone(), tick).await;
        if let Err(error) = &outcome {
            tracing::warn!(%error, view = view.id.as_str(), "a refresh was refused");
        }
        let record = view.live().record;
        self.own_refreshes.report(OwnRefresh {
            at,
            view_id: view.id.clone(),
            view_sql_name: record.sql_name.clone(),
            workspace_id: view.workspace_id.clone(),
            account_id: record.account_id.clone(),
            username: access.principal.account.username.clone(),
            source,
            outcome,
        });
    }

    /// Submits the view's statement, or joins the refresh of the same text in progress.
    pub(super) async fn begin_refresh(
        self: &Arc<Self>,
        access: &Access,
        view: &Arc<View>,
        source: Source,
        tick: Option<Timestamp>,
    ) -> Result<Query> {
        let (views, access, view) = (Arc::clone(self), access.clone(), Arc::clone(view));
        // A separate task, so that the refresh is followed even if the caller disconnects.
        let begun = tokio::spawn(async move { views.submit_or_join(&access, &view, source, tick).await });
        begun.await.unwrap_or_else(|error| Err(Error::internal("starting a refresh", error)))
    }

    async fn submit_or_join(
        self: &Arc<Self>,
        access: &Access,
        view: &Arc<View>,
        source: Source,
        tick: Option<Timestamp>,
    ) -> Result<Query> {
        if let Some(ended) = self.ended_refresh(access, view).await {
            note_end(self, access, view, &ended).await;
        }
        let mut running = view.running.lock().await;
        let record = view.live().record;
        if let Some(current) = &*running {
            if current.revision == record.revision {
                let id = current.query_id.clone();
                drop(running);
                return self.runner.get(access, &id).await;
            }
            // Its rows would be those of an old text. Its end is not awaited: it may be installing its rows, and check
            // here whether it is still wanted.
            self.cancel_in_background(access, view, current.query_id.clone());
            *running = None;
        }
        let submitted = self.runner.submit(access, &view.id, record.sql.clone(), source).await;
        let query = match submitted {
            Ok(query) => query,
            Err(error) => {
                drop(running);
                self.state.note(view, tick, Some(error.to_string())).await;
                return Err(error);
            }
        };
        *running = Some(RunningRefresh { query_id: query.id.clone(), revision: record.revision, tick });
        drop(running);
        tokio::spawn(follow(Arc::clone(self), access.clone(), Arc::clone(view), query.id.clone()));
        Ok(query)
    }

    /// The refresh whose record has ended, while the view has not recorded it yet. A caller that has seen the end and
    /// requests another refresh must not get the same one again.
    async fn ended_refresh(&self, access: &Access, view: &View) -> Option<QueryId> {
        let current = view.running.lock().await.clone()?;
        let query = self.runner.get(access, &current.query_id).await.ok()?;
        query.status.is_some_and(QueryStatus::is_final).then_some(current.query_id)
    }

    /// Ends a refresh that is no longer wanted; an error of it is only logged.
    pub(super) fn cancel_in_background(
        self: &Arc<Self>,
        access: &Access,
        view: &Arc<View>,
        query_id: QueryId,
    ) {
        let (views, access, view) = (Arc::clone(self), access.clone(), Arc::clone(view));
        tokio::spawn(async move {
            if let Err(error) = views.runner.cancel(&access, &query_id).await {
                tracing::warn!(%error, view = view.id.as_str(), "a refresh was not canceled");
            }
        });
    }
}

/// Waits for the end of a refresh and records it.
async fn follow(views: Arc<Views>, access: Access, view: Arc<View>, query_id: QueryId) {
    note_end(&views, &access, &view, &query_id).await;
}

/// Records how a refresh ended, once it has. A successful one was installed before its record turned final; here only a
/// failure is recorded. Idempotent.
async fn note_end(views: &Views, access: &Access, view: &Arc<View>, query_id: &QueryId) {
    match views.runner.completion(access, query_id).await {
        Ok(rows) => {
            // The error is recorded where it occurs.
            let _ = views.state.refreshed(&view.id, query_id, rows).await;
        }
        // Not the view's fault; the next start repeats it, as after a kill.
        Err(error) if error.code() == Some(ErrorCode::ServerRestarted) => {}
        Err(error) => views.state.settle(view, query_id, Some(&error)).await,
    }
}
