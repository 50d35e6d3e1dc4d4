//! `WITH SESSION`: properties that a statement sets for itself take precedence over those of its session and its caller.

use std::collections::BTreeMap;

use rowhouse_model::QueryError;
use rowhouse_sql::StatementProperty;

use crate::client_session::{ClientSession, checked_property, time_zone_of};
use crate::queries::{CachePolicy, Purpose, Submission};

/// Sets the properties, whose names are known already.
///
/// # Errors
/// `INVALID_SESSION_PROPERTY`, as for SET SESSION; `NOT_SUPPORTED` for the workspace and the protocol of the rows, which
/// a statement cannot choose.
pub(super) fn apply(submission: &mut Submission, properties: &[StatementProperty]) -> Result<(), QueryError> {
    if properties.is_empty() {
        return Ok(());
    }
    let properties = properties.iter().map(checked_property).collect::<Result<BTreeMap<_, _>, _>>()?;
    submission.session.properties.extend(properties.clone());
    if let Some(zone) = time_zone_of(&properties) {
        submission.session.time_zone = zone;
    }
    let own = ClientSession { properties, ..ClientSession::default() };
    submission.max_run_time = own.max_run_time().or(submission.max_run_time);
    submission.session.max_memory_bytes = own.max_memory_bytes().or(submission.session.max_memory_bytes);
    // A refresh always runs.
    if submission.purpose == Purpose::Result {
        submission.cache = cache(&own, submission.cache);
    }
    Ok(())
}

/// The cache policy: the statement's properties, then the caller's.
fn cache(own: &ClientSession, given: Option<CachePolicy>) -> Option<CachePolicy> {
    let said = own.cache_settings();
    let base = given.or(said.ttl_seconds.map(|ttl_seconds| CachePolicy {
        ttl_seconds,
        refresh: false,
        check: None,
        stale_seconds: 0,
    }))?;
    Some(CachePolicy {
        ttl_seconds: said.ttl_seconds.unwrap_or(base.ttl_seconds),
        refresh: said.refresh.unwrap_or(base.refresh),
        check: said.check.or(base.check),
        stale_seconds: said.stale_seconds.unwrap_or(base.stale_seconds),
    })
}

#[cfg(test)]
mod tests {
    use rowhouse_model::ErrorLocation;
    use rowhouse_sql::SessionValue;

    use super::*;

    fn applied(
        properties: &[(&str, SessionValue)],
        submission: Submission,
    ) -> Result<Submission, QueryError> {
        let place = ErrorLocation { line_number: 1, column_number: 1 };
        let property = |(name, value): &(&str, SessionValue)| StatementProperty {
            name: (*name).to_owned(),
            value: value.clone(),
            name_place: place,
            value_place: place,
        };
        let mut submission = submission;
        apply(&mut submission, &properties.iter().map(property).collect::<Vec<_>>())?;
        Ok(submission)
    }

    fn text(text: &str) -> SessionValue {
        SessionValue::Text(text.to_owned())
    }

    #[test]
    fn statement_properties_override_those_of_the_session() {
        let given = CachePolicy { ttl_seconds: 5, refresh: false, check: None, stale_seconds: 7 };
        let submission = Submission { cache: Some(given), ..Submission::new("x") };
        let properties = [
            ("cache_ttl", text("1m")),
            ("cache_refresh", SessionValue::Boolean(true)),
            ("query_max_run_time", text("2s")),
            ("max_memory", text("128MB")),
            ("time_zone_id", text("Asia/Tokyo")),
        ];
        let found = applied(&properties, submission).expect("known properties");
        assert_eq!(found.cache, Some(CachePolicy { ttl_seconds: 60, refresh: true, ..given }));
        assert_eq!(found.max_run_time, Some(std::time::Duration::from_secs(2)));
        assert_eq!(found.session.max_memory_bytes, Some(128 << 20));
        assert_eq!(found.session.time_zone.as_deref(), Some("Asia/Tokyo"));
        let utc = applied(&[("time_zone_id", text("UTC"))], found).expect("a zone");
        assert_eq!(utc.session.time_zone, None);
    }

    #[test]
    fn statement_properties_are_checked_as_in_set_session() {
        let refused = |name, value| {
            let error = applied(&[(name, value)], Submission::new("x")).expect_err("refused");
            format!("{} {}", error.error_name, error.message)
        };
        assert_eq!(
            refused("query_max_run_time", SessionValue::Number("1".to_owned())),
            "INVALID_SESSION_PROPERTY Unable to set session property 'query_max_run_time' to '1': Cannot cast type \
             integer to varchar"
        );
        assert_eq!(
            refused("time_zone_id", text("Mars")),
            "INVALID_SESSION_PROPERTY line 1:1: Time zone not supported: Mars"
        );
        assert_eq!(
            refused("workspace", text("other")),
            "NOT_SUPPORTED line 1:1: workspace of one statement is not supported: SET SESSION sets it for a session"
        );
        assert_eq!(
            refused("spooling_enabled", SessionValue::Boolean(false)),
            "NOT_SUPPORTED line 1:1: spooling_enabled of one statement is not supported: SET SESSION sets it for a session"
        );
    }
}
