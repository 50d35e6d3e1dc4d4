//! Calls of endpoints: ordinary statements and records, which a caller whose role permits nothing else may make, and
//! whose result that caller may read.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use rowhouse_executor::StatementSession;
use rowhouse_model::{CacheCheck, QueryStatus, Source, StatementParameters};

mod cached;

pub use cached::CachedCall;

use super::idempotency::IdempotencyKey;
use super::{CachePolicy, Purpose, Queries, QueryRecord, StoredResult, Submission, Trace, submit};
use crate::endpoints::{Endpoint, EndpointAccess};
use crate::error::{Error, ErrorKind, Result};
use crate::run_to_end::RunToEnd;
use crate::views::RowOrder;
use crate::visibility::may_say;
use crate::workspaces::Access;

/// `source` of the statements of endpoints (D14).
const SOURCE: &str = "ENDPOINT";

impl Queries {
    /// Submits an endpoint's statement with the parameters that [`Endpoint::bind`](crate::Endpoint::bind) returned.
    /// `awaits_end` is as in [`Submission`].
    ///
    /// # Errors
    ///
    /// As for [`submit`](Self::submit), except for the role.
    pub async fn call(
        &self,
        entered: &EndpointAccess,
        parameters: StatementParameters,
        order: Option<RowOrder>,
        awaits_end: bool,
    ) -> Result<QueryRecord> {
        self.call_as(entered, parameters, order, |submission| Submission { awaits_end, ..submission }).await
    }

    /// The same with another source (D14).
    ///
    /// # Errors
    ///
    /// As for [`call`](Self::call).
    pub async fn call_from(
        &self,
        entered: &EndpointAccess,
        parameters: StatementParameters,
        order: Option<RowOrder>,
        source: Source,
    ) -> Result<QueryRecord> {
        self.call_as(entered, parameters, order, |submission| Submission { source, ..submission }).await
    }

    /// The same with another purpose.
    pub(super) async fn call_as(
        &self,
        entered: &EndpointAccess,
        parameters: StatementParameters,
        order: Option<RowOrder>,
        kind: impl FnOnce(Submission) -> Submission,
    ) -> Result<QueryRecord> {
        let endpoint = entered.endpoint();
        // WITH SESSION may set a time zone or cache properties besides the declaration: such a call is not recognized by its key.
        let is_cached = endpoint.cache().is_some() && !may_say(endpoint.sql(), "SESSION");
        let key = is_cached.then(|| call_key(entered, &parameters, order)).flatten();
        let submission = kind(submission(endpoint, parameters, order)?);
        let record = self.accept_in(entered.access(), submission, None, Reach::Workspace).await?;
        // A refused statement has no fingerprint.
        if let Some(key) = key.filter(|_| !record.stored().fingerprint.is_empty()) {
            self.shared.known_calls.remember(&key, record.stored().fingerprint.clone());
        }
        Ok(record)
    }

    /// The record of a call when it is final, or in its state after `at_most`.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get), except for the role.
    pub async fn wait_for_call(
        &self,
        entered: &EndpointAccess,
        record: QueryRecord,
        at_most: Duration,
    ) -> Result<QueryRecord> {
        check_call(entered, &record)?;
        if record.status.is_some_and(QueryStatus::is_final) {
            return Ok(record);
        }
        if let Some(ended) = self.shared.ended_in(entered.access(), &record.id) {
            // OK to ignore: after a time-out the record is returned as well.
            let _ = tokio::time::timeout(at_most, ended).await;
        }
        self.shared.stored(entered.access(), &record.id).await
    }

    /// Ends a call in progress with USER_CANCELED (D10).
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get), except for the role.
    pub async fn cancel_call(&self, entered: &EndpointAccess, record: &QueryRecord) -> Result<()> {
        check_call(entered, record)?;
        self.end_canceled(entered.access(), &record.id).await;
        Ok(())
    }

    /// The result of a call that has ended.
    ///
    /// # Errors
    ///
    /// As for [`result`](Self::result), except for the role.
    pub async fn call_result(&self, entered: &EndpointAccess, record: QueryRecord) -> Result<StoredResult> {
        check_call(entered, &record)?;
        self.read_result(record).await
    }

    /// Reads a caller's own statement and accepts it.
    pub(super) async fn accept(
        &self,
        access: &Access,
        submission: Submission,
        key: Option<IdempotencyKey>,
    ) -> Result<QueryRecord> {
        self.accept_in(access, submission, key, Reach::Caller).await
    }

    /// Parses a statement and accepts it, for any caller.
    async fn accept_in(
        &self,
        access: &Access,
        submission: Submission,
        key: Option<IdempotencyKey>,
        reach: Reach,
    ) -> Result<QueryRecord> {
        let max_sql_bytes = self.shared.config().max_sql_bytes;
        crate::names::check_sql(&submission.sql, max_sql_bytes)?;
        crate::names::check_parameters(&submission.parameters, max_sql_bytes)?;
        let trace = Trace::begin(&access.workspace.sql_name);
        let mut read = submit::read(&self.shared, access, &submission, &trace).await?;
        if reach == Reach::Caller {
            read.others = self.shared.named_by(access, &submission);
        }
        // A caller that disconnects must not leave a statement partially accepted.
        let (shared, access) = (Arc::clone(&self.shared), access.clone());
        let mut accepting =
            RunToEnd::new(Box::pin(submit::submit(shared, access, submission, key, read, trace)));
        poll_fn(|context| {
            let polled = catch_unwind(AssertUnwindSafe(|| Pin::new(&mut accepting).poll(context)));
            polled.unwrap_or_else(|_| {
                Poll::Ready(Err(Error::new(ErrorKind::Internal, "accepting a statement failed")))
            })
        })
        .await
    }
}

/// Which workspaces a statement may name (D127).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// The endpoint's own workspace: the rows are the same for all callers.
    Workspace,
    /// The workspaces that its caller may query.
    Caller,
}

fn submission(
    endpoint: &Endpoint,
    parameters: StatementParameters,
    order: Option<RowOrder>,
) -> Result<Submission> {
    let sql = match order {
        None => endpoint.sql().to_owned(),
        Some(RowOrder { column, is_descending }) => {
            rowhouse_sql::ordered_by(endpoint.sql(), column + 1, is_descending)?
        }
    };
    Ok(Submission {
        sql,
        parameters,
        cache: policy(endpoint),
        source: Source::from(SOURCE.to_owned()),
        saved_sql: Some(endpoint.id.clone()),
        purpose: Purpose::Result,
        session: StatementSession::default(),
        max_run_time: endpoint.max_run_time(),
        awaits_end: false,
        lists_other_workspaces: false,
    })
}

/// The conditions for a cached result to answer, if the endpoint declares a cache.
fn policy(endpoint: &Endpoint) -> Option<CachePolicy> {
    endpoint.cache().map(|cache| CachePolicy {
        ttl_seconds: cache.fresh.as_secs(),
        refresh: false,
        check: Some(CacheCheck::Sources),
        stale_seconds: cache.stale.map_or(0, |stale| stale.as_secs()),
    })
}

fn call_key(
    entered: &EndpointAccess,
    parameters: &StatementParameters,
    order: Option<RowOrder>,
) -> Option<String> {
    entered.endpoint().call_key(parameters, order, entered.access())
}

/// The right to call an endpoint does not include reading other records.
fn check_call(entered: &EndpointAccess, record: &QueryRecord) -> Result<()> {
    let is_own = record.stored().saved_sql.as_ref() == Some(&entered.endpoint().id)
        && record.workspace_id == entered.endpoint().workspace_id
        && record.account_id.as_ref() == Some(entered.access().account_id());
    if is_own {
        return Ok(());
    }
    Err(Error::new(ErrorKind::NotFound, "the query is no call of this endpoint by this caller"))
}
