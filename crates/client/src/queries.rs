//! Statements: submit, poll, wait, cancel, list (D9–D13, D19).

use std::time::Duration;

use rowhouse_model::{
    CacheCheck, CancelQuery, Query, QueryId, QueryList, QueryStatus, Source, StatementParameter,
    StatementParameters, SubmitQuery, path,
};
use tokio::time::Instant;

use crate::request::{Request, segment};
use crate::{Error, ErrorKind, Result, WorkspaceClient};

/// Server-side wait of one request of a longer wait: short enough for a proxy in between.
const LONG_POLL: Duration = Duration::from_secs(30);

/// Pause between two polls of a server that does not wait (interface.md, "about once per second").
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// A statement to submit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    sql: String,
    cache: Option<(u64, bool)>,
    cache_check: Option<CacheCheck>,
    cache_stale: Option<u64>,
    source: Option<Source>,
    parameters: StatementParameters,
    time_zone: Option<String>,
}

impl Statement {
    /// A statement with this text.
    pub fn new(sql: impl Into<String>) -> Self {
        let parameters = StatementParameters::default();
        Self {
            sql: sql.into(),
            cache: None,
            cache_check: None,
            cache_stale: None,
            source: None,
            parameters,
            time_zone: None,
        }
    }

    /// Enables the cache (D19): a result younger than `ttl_seconds` answers; `refresh` runs the statement anyway and
    /// replaces the result.
    #[must_use]
    pub fn cache(self, ttl_seconds: u64, refresh: bool) -> Self {
        Self { cache: Some((ttl_seconds, refresh)), ..self }
    }

    /// What else qualifies a cached result; default: its age alone.
    #[must_use]
    pub fn cache_check(self, check: CacheCheck) -> Self {
        Self { cache_check: Some(check), ..self }
    }

    /// Seconds beyond `ttl_seconds` in which a cached result answers while one run renews it.
    #[must_use]
    pub fn cache_stale(self, seconds: u64) -> Self {
        Self { cache_stale: Some(seconds), ..self }
    }

    /// What submits it; default `API` (D14).
    #[must_use]
    pub fn source(self, source: Source) -> Self {
        Self { source: Some(source), ..self }
    }

    /// The session's time zone: a name of the IANA database or an offset such as `+05:30`; UTC without it.
    #[must_use]
    pub fn time_zone(self, zone: impl Into<String>) -> Self {
        Self { time_zone: Some(zone.into()), ..self }
    }

    /// The value of `:name` in the text (D41): a number, a text, a boolean, or a [`StatementParameter`] with an
    /// explicit type.
    #[must_use]
    pub fn parameter(mut self, name: impl Into<String>, value: impl Into<StatementParameter>) -> Self {
        self.parameters.insert(name, value);
        self
    }
}

impl From<&str> for Statement {
    fn from(sql: &str) -> Self {
        Self::new(sql)
    }
}

impl From<String> for Statement {
    fn from(sql: String) -> Self {
        Self::new(sql)
    }
}

impl WorkspaceClient {
    /// `POST /query`. Invalid SQL is not an error here: the record is FAILED (D4).
    ///
    /// # Errors
    ///
    /// The server refused the request, or could not be reached. A submit whose answer was lost is not retried: the
    /// statement may be running.
    pub async fn submit(&self, statement: impl Into<Statement>) -> Result<Query> {
        let Statement { sql, cache, cache_check, cache_stale, source, parameters, time_zone } =
            statement.into();
        let body = SubmitQuery {
            workspace_id: self.workspace_id.clone(),
            sql,
            cache_refresh: cache.map(|(_, refresh)| refresh),
            cache_ttl: cache.map(|(ttl_seconds, _)| ttl_seconds),
            cache_check,
            cache_stale,
            source,
            parameters: (!parameters.is_empty()).then_some(parameters),
            time_zone,
            wait: None,
            rows: None,
            shape: None,
        };
        self.json(&Request::post(path::SUBMIT_QUERY, &body)?).await
    }

    /// Submits, waits for the end, and returns an error for a statement that failed.
    ///
    /// # Errors
    ///
    /// As [`submit`](Self::submit) and [`wait`](Self::wait); [`ErrorKind::QueryFailed`] if the statement failed.
    pub async fn run(&self, statement: impl Into<Statement>) -> Result<Query> {
        let submitted = self.submit(statement).await?;
        let query = if is_final(&submitted) { submitted } else { self.wait(&submitted.id).await? };
        match query.status {
            Some(QueryStatus::Failed) => Err(Error::query_failed(&query)),
            _ => Ok(query),
        }
    }

    /// `GET /query/:id`: the record as it is now.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn query(&self, id: &QueryId) -> Result<Query> {
        self.poll(id, Duration::ZERO).await
    }

    /// `GET /query/:id?wait=`: the record when it is final or after the wait, whichever comes first. The server counts
    /// whole seconds; a fraction is rounded up.
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    pub async fn poll(&self, id: &QueryId, wait: Duration) -> Result<Query> {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        let mut request = self.scoped(Request::get(path::query(&segment("the query's id", id.as_str())?)));
        if seconds > 0 {
            request = request.query("wait", seconds);
            request.long_poll = Duration::from_secs(seconds);
        }
        self.json(&request).await
    }

    /// Waits until the query is final, without a time limit. The query may have failed: see its `status`.
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    pub async fn wait(&self, id: &QueryId) -> Result<Query> {
        self.wait_until(id, None).await
    }

    /// Waits until the query is final, at most for `timeout`. The query continues after a timeout.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Timeout`] if the query is not final by then; as [`query`](Self::query) otherwise.
    pub async fn wait_timeout(&self, id: &QueryId, timeout: Duration) -> Result<Query> {
        self.wait_until(id, Some(Instant::now() + timeout)).await
    }

    /// `DELETE /query/:id/result`: deletes the result and keeps the record.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, `QUERY_NOT_FINISHED`, or any other failure of a request.
    pub async fn delete_result(&self, id: &QueryId) -> Result<Query> {
        let path = path::query_result(&segment("the query's id", id.as_str())?);
        self.json(&Request::delete(path).query("workspaceId", &self.workspace_id)).await
    }

    /// `PUT /query/:id/cancel`: idempotent; returns the record after it (D10).
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn cancel(&self, id: &QueryId) -> Result<Query> {
        let body = CancelQuery { workspace_id: self.workspace_id.clone() };
        self.json(&Request::put(path::query_cancel(&segment("the query's id", id.as_str())?), &body)?).await
    }

    /// `GET /queries`: the workspace's records, newest first (D12).
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENTS` for a limit over 1000 (D8), or any other failure of a request.
    pub async fn queries(&self, limit: u64, offset: u64) -> Result<QueryList> {
        let request = self.scoped(Request::get(path::QUERIES)).query("limit", limit).query("offset", offset);
        self.json(&request).await
    }

    async fn wait_until(&self, id: &QueryId, deadline: Option<Instant>) -> Result<Query> {
        let mut last_status = None;
        loop {
            let asked_at = Instant::now();
            let left = deadline.map(|deadline| deadline.saturating_duration_since(asked_at));
            let wait = left.map_or(LONG_POLL, |left| left.min(LONG_POLL));
            let query = self.poll(id, wait).await?;
            if is_final(&query) {
                return Ok(query);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                let state = query.status.map_or("not final", QueryStatus::as_str);
                return Err(Error::new(ErrorKind::Timeout, format!("query {id} is still {state}")));
            }
            // A server that answers early without a change does not know `wait`: it is polled once a second.
            if query.status == last_status {
                let next = asked_at + POLL_INTERVAL;
                tokio::time::sleep_until(deadline.map_or(next, |deadline| deadline.min(next))).await;
            }
            last_status = query.status;
        }
    }
}

fn is_final(query: &Query) -> bool {
    query.status.is_some_and(QueryStatus::is_final)
}
