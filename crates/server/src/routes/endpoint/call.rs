//! A call of an endpoint: `GET` with a query string, or `POST` with the same names in a JSON object. The rows are those
//! of an ordinary query, or of a cached result if one qualifies; a call that takes longer than its wait is answered
//! with 202.

use std::time::Instant;

use http::header::{CACHE_CONTROL, LOCATION, RETRY_AFTER};
use http::{HeaderName, HeaderValue, StatusCode};
use rowhouse_engine::{
    CallOutcome, Endpoint, EndpointAccess, Envelope, Error as EngineError, ErrorKind, ProjectedColumn,
    Projection, QueryRecord, RowFormat, StoredResult,
};
use rowhouse_model::{CacheOutcome, CacheVerdict, QueryId, QueryStatus, StatementParameters, path};
use serde_json::json;

use super::request::{self, EndpointRequest};
use crate::answer_cache::AnswerKey;
use crate::call::{Call, checked_id};
use crate::compress::Coding;
use crate::encoders::Share;
use crate::entity_tag::EntityTag;
use crate::error::{Error, Result};
use crate::response::{Answer, json as answer_json, unchanged};
use crate::routes::query::{result, submitted};
use crate::routes::row_format;

/// Id of the call's record.
const X_QUERY_ID: HeaderName = HeaderName::from_static("x-query-id");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

pub(crate) async fn get(call: &Call, workspace: &str, name: &str) -> Result<Answer> {
    answer(call, workspace, name, &StatementParameters::default()).await
}

pub(crate) async fn post(call: &mut Call, workspace: &str, name: &str) -> Result<Answer> {
    call.reader()?;
    call.body_memory = call.body.reserve(&call.app.answer_memory.portion(&Share::of(&call.note))).await?;
    // The body contains user data: it is not passed to the audit log.
    let body = call.body.read().await?;
    if body.is_empty() {
        return Err(Error::invalid("the body is empty, expected one JSON object"));
    }
    let parameters =
        serde_json::from_slice(&body).map_err(|error| Error::invalid(format!("the body: {error}")))?;
    drop(body);
    answer(call, workspace, name, &parameters).await.map(unchanged)
}

async fn answer(call: &Call, workspace: &str, name: &str, body: &StatementParameters) -> Result<Answer> {
    let begun = Instant::now();
    let principal = call.reader()?;
    let engine = &call.app.engine;
    let access = engine.workspaces().access_by_sql_name(&principal, checked_id("workspace", workspace)?)?;
    call.note.workspace(access.workspace.id.as_str());
    let (name, suffix) = split(name)?;
    let entered = engine.endpoints().find(&access, checked_id("endpoint", name)?)?;
    let answered = async {
        let asked = request::read(call, body, &entered, suffix)?;
        answered(call, &entered, &asked, begun).await
    };
    let answered = answered.await;
    let is_kept = answered.as_ref().is_ok_and(|(_, is_kept)| *is_kept);
    let status = answered.as_ref().map_or(StatusCode::BAD_REQUEST, |(answer, _)| answer.status());
    let outcome = match (status, is_kept) {
        (StatusCode::OK | StatusCode::NOT_MODIFIED, true) => CallOutcome::Cached,
        (StatusCode::OK | StatusCode::NOT_MODIFIED, false) => CallOutcome::Run,
        (StatusCode::ACCEPTED, _) => CallOutcome::Unfinished,
        _ => CallOutcome::Failed,
    };
    engine.endpoints().note_call(&entered, outcome, begun.elapsed(), call.app.clock.now());
    answered.map(|(answer, _)| answer)
}

/// The answer, and whether it comes from a cached result.
async fn answered(
    call: &Call,
    entered: &EndpointAccess,
    asked: &EndpointRequest,
    begun: Instant,
) -> Result<(Answer, bool)> {
    let queries = call.app.engine.queries();
    if let Some(kept) = queries.cached_call(entered, &asked.parameters, asked.order).await {
        let rows = Rows { location: kept.location(), row_count: kept.row_count() };
        match rows
            .answer(call, entered.endpoint(), asked, async || Ok(queries.cached_result(&kept).await?))
            .await
        {
            Ok(mut answer) => {
                let timing = server_timing(None, begun);
                add_headers(&mut answer, kept.query_id(), kept.verdict(), timing);
                return Ok((answer, true));
            }
            // Deleted a moment ago: the statement runs.
            Err(Error::Engine(error)) if error.kind() == ErrorKind::ResultExpired => {}
            Err(error) => return Err(error),
        }
    }
    let submitted = queries.call(entered, asked.parameters.clone(), asked.order, !asked.wait.is_zero());
    let record = call.while_client_waits(submitted).await??;
    let waited = async {
        tokio::select! {
            ended = queries.wait_for_call(entered, record.clone(), asked.wait) => Ok(ended?),
            () = call.app.stopped() => Ok::<_, Error>(record.clone()),
        }
    };
    let record = call.while_client_waits(waited).await??;
    let mut answer = if record.status.is_some_and(QueryStatus::is_final) {
        let result = queries.call_result(entered, record.clone()).await?;
        let location = result.record.location.clone().unwrap_or_default();
        let rows = Rows { location: &location, row_count: result.row_count() };
        rows.answer(call, entered.endpoint(), asked, async || Ok(result)).await?
    } else {
        unfinished(&record)?
    };
    let bypassed = CacheVerdict::new(CacheOutcome::Bypassed);
    let verdict = record.cache.as_ref().unwrap_or(&bypassed);
    add_headers(&mut answer, &record.id, verdict, server_timing(Some(&record), begun));
    let is_kept = matches!(verdict.outcome, CacheOutcome::Hit | CacheOutcome::Stale);
    Ok((answer, is_kept))
}

fn add_headers(answer: &mut Answer, query_id: &QueryId, verdict: &CacheVerdict, timing: Option<HeaderValue>) {
    let headers = answer.headers_mut();
    headers.extend(HeaderValue::from_str(query_id.as_str()).ok().map(|id| (X_QUERY_ID, id)));
    headers.extend(submitted::cache_status(verdict).map(|status| (CACHE_STATUS, status)));
    headers.extend(timing.map(|timing| (SERVER_TIMING, timing)));
}

/// `sales.csv` is the endpoint `sales` in a format.
fn split(name: &str) -> Result<(&str, Option<RowFormat>)> {
    let Some((stem, suffix)) = name.rsplit_once('.') else { return Ok((name, None)) };
    match row_format::FORMATS.iter().find(|(word, _)| *word == suffix) {
        Some(&(_, format)) => Ok((stem, Some(format))),
        None => {
            let name = rowhouse_model::excerpt(name);
            let message = format!(
                "there is no endpoint '{name}': it may end in .json, .ndjson, .csv, .arrow or .parquet"
            );
            Err(EngineError::new(ErrorKind::NotFound, message).into())
        }
    }
}

/// A result with rows, before its file is opened.
struct Rows<'r> {
    /// Location of the result in the store: it is unique per result, and the result never changes.
    location: &'r str,
    row_count: u64,
}

impl Rows<'_> {
    /// The requested rows, or 304 if the client has them.
    async fn answer(
        &self,
        call: &Call,
        endpoint: &Endpoint,
        asked: &EndpointRequest,
        result: impl AsyncFnOnce() -> Result<StoredResult>,
    ) -> Result<Answer> {
        let Self { location, row_count } = *self;
        check_count(endpoint, asked, row_count)?;
        let EndpointRequest { page, shape, format, .. } = *asked;
        let places = &asked.places;
        let tag = (location, places, (page.offset, page.limit, asked.is_counted), format, shape);
        let entity_tag = EntityTag::new(row_count, tag);
        let coding = Coding::of(&call.headers);
        let rows = async || {
            let key = AnswerKey {
                location: location.to_owned(),
                places: places.clone(),
                offset: page.offset,
                limit: page.limit,
                format,
                shape,
                coding,
            };
            if let Some(answer) = call.app.answer_cache.get(&key) {
                return Ok(answer);
            }
            let result = result().await?;
            let projection = projection(&result, places.as_deref())?;
            // The answer is only the rows, as for a view.
            let envelope = |_: &StoredResult| Ok(Envelope::default());
            let answer = result::projected(call, result, projection, page, shape, format, envelope).await?;
            if endpoint.cache().is_some() {
                call.app.answer_cache.keep(key, &answer);
            }
            Ok(answer)
        };
        let mut answer = result::tagged(call, &entity_tag, coding, rows).await?;
        if asked.is_counted {
            answer.headers_mut().insert(row_format::X_TOTAL_COUNT, HeaderValue::from(row_count));
        }
        Ok(answer)
    }
}

/// Refuses more rows than the endpoint's limit, unless a range is requested.
fn check_count(endpoint: &Endpoint, asked: &EndpointRequest, row_count: u64) -> Result<()> {
    let Some(most) = endpoint.max_rows().filter(|_| asked.limit.is_none()) else { return Ok(()) };
    if row_count.saturating_sub(asked.page.offset) <= most {
        return Ok(());
    }
    let message = format!(
        "there are {row_count} rows and the endpoint gives at most {most} at a time: ask for a part of them with limit and \
         offset"
    );
    let error = EngineError::new(ErrorKind::InvalidArguments, message)
        .with_details(json!({ "rowCount": row_count, "maxRows": most }));
    Err(error.into())
}

/// The requested columns.
fn projection(result: &StoredResult, places: Option<&[usize]>) -> Result<Projection> {
    let Some(places) = places else { return Ok(result.record.projection().clone()) };
    let columns = result.record.result_columns();
    let named = places.iter().map(|&index| {
        let column = columns
            .get(index)
            .ok_or_else(|| Error::Internal(format!("the result has no column {index} of its endpoint")))?;
        Ok(ProjectedColumn { name: column.name.clone(), index })
    });
    Ok(Projection::new(named.collect::<Result<_>>()?))
}

/// 202: the query is still running.
fn unfinished(record: &QueryRecord) -> Result<Answer> {
    let (id, workspace_id) = (&record.id, &record.workspace_id);
    // The record without its text, which not every caller may see.
    let mut answer = answer_json(&json!({
        "id": id, "statementId": record.statement_id, "workspaceId": workspace_id, "status": record.status,
    }))?;
    *answer.status_mut() = StatusCode::ACCEPTED;
    let headers = answer.headers_mut();
    let address = format!("{}?workspaceId={}", path::query(id.as_str()), workspace_id.as_str());
    headers.extend(HeaderValue::from_str(&address).ok().map(|address| (LOCATION, address)));
    headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(answer)
}

/// The times of the call's phases, in milliseconds.
fn server_timing(record: Option<&QueryRecord>, begun: Instant) -> Option<HeaderValue> {
    let mut parts = Vec::new();
    let run = record.filter(|record| record.from_cache != Some(true));
    if let Some(stats) = run.and_then(|record| record.query_stats.as_ref()) {
        for (name, millis) in [
            ("queue", stats.queued_time_millis),
            ("plan", stats.planning_time_millis),
            ("run", stats.execution_time_millis),
        ] {
            parts.push(format!("{name};dur={millis}"));
        }
    }
    parts.push(format!("total;dur={:.3}", begun.elapsed().as_secs_f64() * 1000.0));
    HeaderValue::from_str(&parts.join(", ")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_of_a_path_is_the_format() {
        let check = |name: &str, expected: Option<(&str, Option<RowFormat>)>| {
            assert_eq!(split(name).ok(), expected, "{name}");
        };
        check("sales", Some(("sales", None)));
        check("sales.csv", Some(("sales", Some(RowFormat::Csv))));
        check("sales.parquet", Some(("sales", Some(RowFormat::Parquet))));
        check("sales.xlsx", None);
        check("sales.", None);
        check("a.b.json", Some(("a.b", Some(RowFormat::Json))));
    }
}
