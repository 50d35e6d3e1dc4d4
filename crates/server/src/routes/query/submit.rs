//! `POST /query`, with `wait` and `rows` in its body. Invalid SQL gives a FAILED query, not an error (D4).

use rowhouse_engine::{Access, CachePolicy, Purpose, StatementSession, Submission, session_in_zone};
use rowhouse_model::{CacheCheck, Role, Source, StatementParameters};

use crate::call::Call;
use crate::error::{Error, Result};
use crate::object::Object;
use crate::response::Answer;

use super::submitted::{self, ResponseOptions};

/// Maximum length of `source`, which is stored as given (D14).
const MAX_SOURCE_BYTES: usize = 256;

pub(crate) async fn answer(call: &mut Call) -> Result<Answer> {
    let (access, object) = call.access_by_body(Role::Analyst).await?;
    let wanted = ResponseOptions::of(call, &object)?;
    let submission = Submission {
        sql: object.required_text("sql")?,
        parameters: parameters(&object)?,
        cache: cache(&object)?,
        source: source(&object)?,
        saved_sql: None,
        purpose: Purpose::Result,
        session: session(&object, &access)?,
        max_run_time: None,
        awaits_end: wanted.awaits_end(),
        lists_other_workspaces: false,
    };
    submitted::submit(call, &access, submission, &object, wanted).await
}

/// The cache is enabled only if both fields are present; each is validated in any case (D19).
pub(crate) fn cache(object: &Object) -> Result<Option<CachePolicy>> {
    let ttl_seconds = object.optional_count("cacheTTL")?;
    let refresh = object.optional_switch("cacheRefresh")?;
    let check = object.optional::<CacheCheck>("cacheCheck", "\"age\" or \"sources\"")?;
    let stale_seconds = object.optional_count("cacheStale")?.unwrap_or(0);
    let both = ttl_seconds.zip(refresh);
    Ok(both.map(|(ttl_seconds, refresh)| CachePolicy { ttl_seconds, refresh, check, stale_seconds }))
}

/// Values of the parameters `:name` of the statement (D41); whether they match is checked with the statement (D4).
pub(crate) fn parameters(object: &Object) -> Result<StatementParameters> {
    Ok(object.optional_form("parameters")?.unwrap_or_default())
}

/// The time zone of a statement; UTC, or a cluster's own, unless the body names one.
pub(crate) fn session(object: &Object, access: &Access) -> Result<StatementSession> {
    let Some(zone) = object.optional_text("timeZone")? else { return Ok(StatementSession::default()) };
    let session = session_in_zone(&zone, access.workspace.engine.is_trino());
    session.map_err(|message| Error::invalid(format!("field timeZone: {message}")))
}

/// The source; `API` unless the body says otherwise (D14).
pub(crate) fn source(object: &Object) -> Result<Source> {
    let text = object.optional_text("source")?;
    if text.as_ref().is_some_and(|text| text.len() > MAX_SOURCE_BYTES) {
        return Err(Error::invalid(format!("field source is over {MAX_SOURCE_BYTES} bytes")));
    }
    Ok(text.map_or(Source::Api, Source::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> String {
        let object = Object::parse(body.as_bytes()).expect(body);
        match (cache(&object), source(&object)) {
            (Ok(cache), Ok(source)) => {
                format!("{:?} {source}", cache.map(|policy| (policy.ttl_seconds, policy.refresh)))
            }
            (Err(error), _) | (_, Err(error)) => error.to_string(),
        }
    }

    #[test]
    fn the_cache_mechanism_needs_both_fields() {
        assert_eq!(read(r#"{"cacheTTL":60,"cacheRefresh":false}"#), "Some((60, false)) API");
        assert_eq!(read(r#"{"cacheTTL":60}"#), "None API");
        assert_eq!(read(r#"{"cacheRefresh":true}"#), "None API");
        assert_eq!(
            read(r#"{"cacheTTL":-1}"#),
            "field cacheTTL: expected a whole number from 0 to 9007199254740992, found -1"
        );
        let sources = read(r#"{"cacheTTL":60,"cacheRefresh":false,"cacheCheck":"sources"}"#);
        assert_eq!(sources, "Some((60, false)) API");
        assert_eq!(
            read(r#"{"cacheCheck":"files"}"#),
            r#"field cacheCheck: expected "age" or "sources", found "files""#
        );
        assert_eq!(
            read(r#"{"cacheStale":1.5}"#),
            "field cacheStale: expected a whole number from 0 to 9007199254740992, found 1.5"
        );
        assert_eq!(read(r#"{"cacheRefresh":1}"#), "field cacheRefresh: expected true or false, found 1");
    }

    #[test]
    fn a_source_is_stored_as_given() {
        assert_eq!(read(r#"{"source":"WEB"}"#), "None WEB");
        assert_eq!(read(r#"{"source":"my dashboard"}"#), "None my dashboard");
        assert!(read(&format!("{{\"source\":\"{}\"}}", "x".repeat(257))).contains("256"));
    }
}
