//! The answer to a submit: the record at once or, with `wait`, when the query has ended; with `rows` also its first
//! rows, so that one request replaces three.

use http::{HeaderName, HeaderValue};
use rowhouse_engine::{
    Access, Envelope, IdempotencyKey, QueryRecord, RowFormat, RowShape, StoredResult, Submission,
};
use rowhouse_model::{CacheOutcome, CacheVerdict, QueryStatus};

use super::{result, wait};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::object::Object;
use crate::response::{Answer, JSON, unchanged, whole};
use crate::routes::row_format;

/// A client's key for its request.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Whether the answer is that of an earlier request with this key.
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Options of a submit beyond the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResponseOptions {
    wait_seconds: u64,
    rows: Option<u64>,
    shape: RowShape,
}

impl ResponseOptions {
    /// Reads `wait`, `rows` and `shape`.
    pub(crate) fn of(call: &Call, object: &Object) -> Result<Self> {
        let rows = object.optional_count("rows")?;
        let shape = match object.optional_text("shape")?.as_deref() {
            None | Some("arrays") => RowShape::Arrays,
            Some("objects") => RowShape::Objects,
            Some(other) => {
                let found: String = other.chars().take(64).collect();
                return Err(Error::invalid(format!(
                    "field shape is '{found}'; it may be 'arrays' or 'objects'"
                )));
            }
        };
        Ok(Self {
            wait_seconds: object.optional_count("wait")?.unwrap_or(0),
            rows: rows.map(|rows| row_format::capped(call, Some(rows))).transpose()?,
            shape,
        })
    }

    /// Whether the answer waits for the end of the query.
    pub(crate) const fn awaits_end(&self) -> bool {
        self.wait_seconds > 0
    }
}

/// Submits a request's statement, only once if it has an `Idempotency-Key`, and answers.
pub(crate) async fn submit(
    call: &Call,
    access: &Access,
    submission: Submission,
    object: &Object,
    wanted: ResponseOptions,
) -> Result<Answer> {
    call.reserve_answer([Some(submission.sql.as_str()), object.raw("parameters")])?;
    let queries = call.app.engine.queries();
    let Some(name) = call.headers.get(IDEMPOTENCY_KEY) else {
        let record = call.while_client_waits(queries.submit_shared(access, submission)).await??;
        return answer(call, access, record, wanted).await;
    };
    let saved_sql = submission.saved_sql.as_ref().map_or("", |id| id.as_str());
    let key = IdempotencyKey::new(name.as_bytes(), std::iter::once(saved_sql).chain(object.texts()))?;
    let submitted = queries.submit_once(access, submission, key);
    let (record, is_replayed) = call.while_client_waits(submitted).await??;
    let mut answer = answer(call, access, record, wanted).await?;
    if is_replayed {
        answer.headers_mut().insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
        return Ok(unchanged(answer));
    }
    Ok(answer)
}

/// Waits as long as the body requests, and answers. If the client disconnects meanwhile, the query continues.
pub(crate) async fn answer(
    call: &Call,
    access: &Access,
    record: QueryRecord,
    wanted: ResponseOptions,
) -> Result<Answer> {
    let waited = wait::at_most(call, access, record, wanted.wait_seconds);
    let record = call.while_client_waits(waited).await??;
    call.note.others(record.other_workspaces.as_deref());
    let bypassed = CacheVerdict::new(CacheOutcome::Bypassed);
    let cache_status = cache_status(record.cache.as_ref().unwrap_or(&bypassed));
    let mut answer = match wanted.rows {
        Some(rows) if record.status == Some(QueryStatus::Finished) => {
            let stored = call.app.engine.queries().result_of(access, record).await?;
            let page = row_format::Page { offset: 0, limit: rows };
            result::rows(call, stored, page, wanted.shape, RowFormat::Json, envelope).await?
        }
        _ => whole(JSON, record.json()?),
    };
    if let Some(status) = cache_status {
        answer.headers_mut().insert(HeaderName::from_static("cache-status"), status);
    }
    Ok(answer)
}

/// The record's fields, and the rows as one more.
fn envelope(result: &StoredResult) -> Result<Envelope> {
    let mut prefix = result.record.json()?.to_vec();
    // The end of the record's object.
    prefix.pop();
    prefix.extend_from_slice(b",\"result\":");
    Ok(Envelope { prefix, suffix: b"}".to_vec() })
}

/// The cache verdict as RFC 9211 defines it.
pub(in crate::routes) fn cache_status(verdict: &CacheVerdict) -> Option<HeaderValue> {
    let mut status = match verdict.outcome {
        CacheOutcome::Hit => "rowhouse; hit",
        // No time to live is left, or its sources have changed.
        CacheOutcome::Stale => "rowhouse; hit; ttl=0",
        CacheOutcome::Miss if verdict.age_seconds.is_some() => "rowhouse; fwd=stale",
        CacheOutcome::Miss => "rowhouse; fwd=uri-miss",
        CacheOutcome::Joined => "rowhouse; fwd=uri-miss; collapsed",
        CacheOutcome::Bypassed => "rowhouse; fwd=bypass",
    }
    .to_owned();
    if let Some(reason) = &verdict.reason {
        // A string of a structured field: printable ASCII, with two characters escaped.
        let printable = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
        let text =
            reason.chars().map(printable).collect::<String>().replace('\\', "\\\\").replace('"', "\\\"");
        status.push_str(&format!("; detail=\"{text}\""));
    }
    HeaderValue::from_str(&status).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_a_structured_field() {
        let check = |outcome, age_seconds, reason: Option<&str>, expected: &str| {
            let reason = reason.map(str::to_owned);
            let verdict = CacheVerdict { outcome, age_seconds, sources_changed: None, reason };
            assert_eq!(cache_status(&verdict).expect("a value"), expected);
        };
        check(CacheOutcome::Hit, Some(3), None, "rowhouse; hit");
        check(CacheOutcome::Stale, Some(70), Some("old"), "rowhouse; hit; ttl=0; detail=\"old\"");
        check(CacheOutcome::Miss, None, None, "rowhouse; fwd=uri-miss");
        check(CacheOutcome::Joined, None, None, "rowhouse; fwd=uri-miss; collapsed");
        check(CacheOutcome::Bypassed, None, None, "rowhouse; fwd=bypass");
        let expected = "rowhouse; fwd=stale; detail=\"table a\\\"b? changed\"";
        check(CacheOutcome::Miss, Some(3), Some("table a\"bä changed"), expected);
    }
}
