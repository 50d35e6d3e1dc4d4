//! A call of an endpoint: `GET` with a query string, or `POST` with the same names in a JSON object. The rows are those of an
//! ordinary query, or of a kept result where one will do; a call that takes longer than its wait is answered with 202.

use std::time::Instant;

use http::header::{CACHE_CONTROL, LOCATION, RETRY_AFTER};
use http::{HeaderName, HeaderValue, StatusCode};
use rowhouse_engine::{
    Endpoint, Envelope, Error as EngineError, ErrorKind, ProjectedColumn, Projection, QueryRecord, RowFormat,
    StoredResult,
};
use rowhouse_model::{CacheOutcome, CacheVerdict, QueryStatus, StatementParameters, path};
use serde_json::json;

use super::request::{self, Asked};
use crate::call::{Call, checked_id};
use crate::compress::Coding;
use crate::encoders::Share;
use crate::entity_tag::EntityTag;
use crate::error::{Error, Result};
use crate::response::{Answer, json as answer_json};
use crate::routes::query::{result, submitted};
use crate::routes::row_format;

/// Of the call's record.
const X_QUERY_ID: HeaderName = HeaderName::from_static("x-query-id");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

pub(crate) async fn get(call: &Call, workspace: &str, name: &str) -> Result<Answer> {
    answer(call, workspace, name, &StatementParameters::default()).await
}

pub(crate) async fn post(call: &mut Call, workspace: &str, name: &str) -> Result<Answer> {
    call.reader()?;
    call.body_memory = call.body.reserve(&call.app.answer_memory.portion(&Share::of(&call.account))).await?;
    // What the body says are values of people's data: the audit log does not look at it.
    let body = call.body.read().await?;
    if body.is_empty() {
        return Err(Error::invalid("the body is empty, expected one JSON object"));
    }
    let parameters =
        serde_json::from_slice(&body).map_err(|error| Error::invalid(format!("the body: {error}")))?;
    drop(body);
    answer(call, workspace, name, &parameters).await
}

async fn answer(call: &Call, workspace: &str, name: &str, body: &StatementParameters) -> Result<Answer> {
    let begun = Instant::now();
    let principal = call.reader()?;
    let engine = &call.app.engine;
    let access = engine.workspaces().access_by_sql_name(&principal, checked_id("workspace", workspace)?)?;
    call.note.workspace(access.workspace.id.as_str());
    let (name, suffix) = split(name)?;
    let entered = engine.endpoints().find(&access, checked_id("endpoint", name)?)?;
    let asked = request::read(call, body, &entered, suffix)?;

    let queries = engine.queries();
    let submitted = queries.call(&entered, asked.parameters.clone(), asked.order);
    let record = call.while_client_waits(submitted).await??;
    let waited = async {
        tokio::select! {
            ended = queries.wait_for_call(&entered, record.clone(), asked.wait) => Ok(ended?),
            () = call.app.stopped() => Ok::<_, Error>(record.clone()),
        }
    };
    let record = call.while_client_waits(waited).await??;
    let mut answer = if record.status.is_some_and(QueryStatus::is_final) {
        let result = queries.call_result(&entered, record.clone()).await?;
        rows(call, entered.endpoint(), &asked, result).await?
    } else {
        unfinished(&record)?
    };
    let headers = answer.headers_mut();
    headers.extend(HeaderValue::from_str(record.id.as_str()).ok().map(|id| (X_QUERY_ID, id)));
    let bypassed = CacheVerdict::new(CacheOutcome::Bypassed);
    let verdict = record.cache.as_ref().unwrap_or(&bypassed);
    headers.extend(submitted::cache_status(verdict).map(|status| (CACHE_STATUS, status)));
    headers.extend(server_timing(&record, begun).map(|timing| (SERVER_TIMING, timing)));
    Ok(answer)
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

/// The rows that are asked for, or that the caller has them.
async fn rows(call: &Call, endpoint: &Endpoint, asked: &Asked, result: StoredResult) -> Result<Answer> {
    let row_count = result.row_count();
    if let (None, Some(most)) = (asked.limit, endpoint.max_rows())
        && row_count.saturating_sub(asked.page.offset) > most
    {
        let message = format!(
            "there are {row_count} rows and the endpoint gives at most {most} at a time: ask for a part of them with \
             limit and offset"
        );
        let error = EngineError::new(ErrorKind::InvalidArguments, message)
            .with_details(json!({ "rowCount": row_count, "maxRows": most }));
        return Err(error.into());
    }
    let columns = result.record.result_columns();
    let projection = match &asked.places {
        None => result.record.projection().clone(),
        Some(places) => {
            let named = places.iter().map(|&index| {
                let column = columns.get(index).ok_or_else(|| {
                    Error::Internal(format!("the result has no column {index} of its endpoint"))
                })?;
                Ok(ProjectedColumn { name: column.name.clone(), index })
            });
            Projection::new(named.collect::<Result<_>>()?)
        }
    };
    // A result never changes, and a place in the store is that of one result.
    let location = result.record.location.clone().unwrap_or_default();
    let page = (asked.page.offset, asked.page.limit, asked.is_counted);
    let entity_tag = EntityTag::new(row_count, (location, &asked.places, page, asked.format, asked.shape));
    let Asked { page, shape, format, .. } = *asked;
    let rows = async || {
        // The rows alone, as of a view.
        let envelope = |_: &StoredResult| Ok(Envelope::default());
        result::projected(call, result, projection, page, shape, format, envelope).await
    };
    let mut answer = result::tagged(call, &entity_tag, Coding::of(&call.headers), rows).await?;
    if asked.is_counted {
        answer.headers_mut().insert(row_format::X_TOTAL_COUNT, HeaderValue::from(row_count));
    }
    Ok(answer)
}

/// 202: the query goes on.
fn unfinished(record: &QueryRecord) -> Result<Answer> {
    let (id, workspace_id) = (&record.id, &record.workspace_id);
    // Without the text, which is not for everybody who may call.
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

/// Where the time went, in milliseconds.
fn server_timing(record: &QueryRecord, begun: Instant) -> Option<HeaderValue> {
    let mut parts = Vec::new();
    if record.from_cache != Some(true)
        && let Some(stats) = &record.query_stats
    {
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
    fn a_path_may_name_the_format() {
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
