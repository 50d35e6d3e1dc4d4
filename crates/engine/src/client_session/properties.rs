//! Session properties of this server. A cluster has its own.

use std::collections::BTreeMap;
use std::time::Duration;

use rowhouse_executor::StatementSession;
use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
pub(crate) use rowhouse_sql::session_property::TIME_ZONE;
pub(super) use rowhouse_sql::session_property::{
    CACHE_CHECK, CACHE_REFRESH, CACHE_STALE, CACHE_TTL, MAX_MEMORY, MAX_RUN_TIME, SPOOLING, WORKSPACE,
};
use rowhouse_sql::types::{UTC, canonical_zone, nearest_zone};
use rowhouse_sql::{SessionValue, StatementProperty};

/// Minimum memory limit: a process needs some memory for itself.
const LEAST_MEMORY_BYTES: u64 = 64 << 20;

/// A property of sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionProperty {
    /// Its name.
    pub name: &'static str,
    /// Its default value.
    pub default: &'static str,
    /// Its type in SQL.
    pub type_name: &'static str,
    /// Its description.
    pub description: &'static str,
}

/// All properties, by name.
pub const SESSION_PROPERTIES: &[SessionProperty] = &[
    SessionProperty {
        name: CACHE_CHECK,
        default: "",
        type_name: "varchar",
        description: "Condition for a fresh cached result: 'age' none, 'sources' its tables are unchanged; default: the workspace's setting",
    },
    SessionProperty {
        name: CACHE_REFRESH,
        default: "false",
        type_name: "boolean",
        description: "Run a statement even if a cached result is fresh, and replace that result",
    },
    SessionProperty {
        name: CACHE_STALE,
        default: "",
        type_name: "varchar",
        description: "Time after cache_ttl for which a cached result is used while it is renewed, such as '1h'",
    },
    SessionProperty {
        name: CACHE_TTL,
        default: "",
        type_name: "varchar",
        description: "Time for which a cached result is fresh, such as '10m'; default: cached results are not used",
    },
    SessionProperty {
        name: MAX_MEMORY,
        default: "",
        type_name: "varchar",
        description: "Memory limit of a statement, such as '512MB', from 64MB up to the server's limit",
    },
    SessionProperty {
        name: MAX_RUN_TIME,
        default: "",
        type_name: "varchar",
        description: "Time limit of a statement, such as '30s', up to the server's limit",
    },
    SessionProperty {
        name: SPOOLING,
        default: "true",
        type_name: "boolean",
        description: "Whether rows are sent as segments of the spooling protocol to clients that support them",
    },
    SessionProperty {
        name: TIME_ZONE,
        default: "UTC",
        type_name: "varchar",
        description: "Time zone of the session",
    },
    SessionProperty {
        name: WORKSPACE,
        default: "",
        type_name: "varchar",
        description: "Workspace in which statements run; default: the schema, if the catalog is rowhouse",
    },
];

/// Error of a property.
#[derive(Debug)]
pub(super) enum PropertyError {
    /// No such property; the text may suggest a similar name.
    Unknown(String),
    /// Invalid value.
    Value(String),
    /// Unknown time zone.
    Zone(String),
}

impl PropertyError {
    pub(super) fn at(self, place: Option<ErrorLocation>) -> QueryError {
        match (self, place) {
            (Self::Unknown(message), Some(place)) => {
                QueryError::at(ErrorCode::InvalidSessionProperty, place, message)
            }
            // As in Trino: in a statement it is the property that is wrong.
            (Self::Zone(message), Some(place)) => {
                QueryError::at(ErrorCode::InvalidSessionProperty, place, message)
            }
            (Self::Zone(message), None) => QueryError::new(ErrorCode::NotSupported, message),
            (Self::Unknown(message) | Self::Value(message), _) => {
                QueryError::new(ErrorCode::InvalidSessionProperty, message)
            }
        }
    }
}

/// Whether a property is this server's, also on a cluster.
pub(super) fn is_own(name: &str) -> bool {
    matches!(name, WORKSPACE | CACHE_TTL | CACHE_REFRESH | CACHE_CHECK | CACHE_STALE)
}

/// Whether its values are text.
pub(super) fn is_text(name: &str) -> bool {
    named(name).is_none_or(|property| property.type_name == "varchar")
}

pub(super) fn check_name(name: &str) -> Result<(), PropertyError> {
    if named(name).is_some() {
        return Ok(());
    }
    let near = rowhouse_filters::nearest(name, SESSION_PROPERTIES.iter().map(|property| property.name));
    let near = near.map_or_else(String::new, |near| format!(". Did you mean '{near}'?"));
    Err(PropertyError::Unknown(format!("Session property '{name}' does not exist{near}")))
}

/// Checks a name and a value.
pub(super) fn check(name: &str, value: &str, is_text: bool) -> Result<(), PropertyError> {
    check_name(name)?;
    let refused = |why: &str| {
        Err(PropertyError::Value(format!("Unable to set session property '{name}' to '{value}': {why}")))
    };
    match name {
        CACHE_REFRESH | SPOOLING if is_text || !matches!(value, "true" | "false") => {
            // A header has no types.
            if matches!(value, "true" | "false") { Ok(()) } else { refused("it is true or false") }
        }
        CACHE_CHECK if !matches!(value, "age" | "sources") => refused("it is 'age' or 'sources'"),
        CACHE_TTL | CACHE_STALE if seconds(value).is_none() => {
            refused("expected a duration such as '10m', or seconds as a whole number")
        }
        MAX_MEMORY if bytes(value).is_none_or(|bytes| bytes < LEAST_MEMORY_BYTES) => {
            refused("expected a size such as '512MB' or '2GB', of 64MB at least")
        }
        MAX_RUN_TIME | TIME_ZONE if !is_text => refused("Cannot cast type integer to varchar"),
        MAX_RUN_TIME if duration(value).is_none_or(|duration| duration.is_zero()) => {
            refused("expected a duration such as '30s' or '2h'")
        }
        TIME_ZONE if !is_zone(value) => Err(PropertyError::Zone(format!("Time zone not supported: {value}"))),
        _ => Ok(()),
    }
}

/// A value as a session keeps it.
pub(super) fn text_of(value: &SessionValue) -> String {
    match value {
        SessionValue::Text(text) | SessionValue::Number(text) => text.clone(),
        SessionValue::Boolean(value) => value.to_string(),
    }
}

/// The name and the value of a property that a statement sets for itself.
///
/// # Errors
/// As for SET SESSION; a statement cannot choose its workspace, nor the protocol of its rows.
pub(crate) fn checked_property(property: &StatementProperty) -> Result<(String, String), QueryError> {
    let StatementProperty { name, value, name_place, value_place } = property;
    if [WORKSPACE, SPOOLING].contains(&name.as_str()) {
        let message = format!("{name} of one statement is not supported: SET SESSION sets it for a session");
        return Err(QueryError::at(ErrorCode::NotSupported, *name_place, message));
    }
    let is_text = matches!(value, SessionValue::Text(_));
    let value = text_of(value);
    check(name, &value, is_text).map_err(|error| error.at(Some(*value_place)))?;
    Ok((name.clone(), value))
}

/// The time zone among properties, if one is set; the inner none is UTC.
pub(crate) fn time_zone_of(properties: &BTreeMap<String, String>) -> Option<Option<String>> {
    properties.get(TIME_ZONE).map(|zone| other_zone(zone))
}

fn named(name: &str) -> Option<&'static SessionProperty> {
    SESSION_PROPERTIES.iter().find(|property| property.name == name)
}

fn is_zone(name: &str) -> bool {
    canonical_zone(name).is_some()
}

/// The zone of a name, unless it is UTC.
pub(super) fn other_zone(name: &str) -> Option<String> {
    canonical_zone(name).filter(|zone| zone != UTC)
}

/// A statement's session in a time zone.
///
/// # Errors
/// The name is not one of Trino's time zones; the message names the nearest one.
pub fn session_in_zone(name: &str, is_cluster: bool) -> Result<StatementSession, String> {
    let zone = canonical_zone(name).ok_or_else(|| {
        let near = nearest_zone(name).map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        format!("there is no time zone '{name}'{near}")
    })?;
    // A cluster's own default may be any zone.
    let time_zone = (is_cluster || zone != UTC).then_some(zone);
    Ok(StatementSession { time_zone, ..StatementSession::default() })
}

/// Whole seconds of a duration, or of a plain number.
pub(super) fn seconds(text: &str) -> Option<u64> {
    text.parse().ok().or_else(|| duration(text).map(|duration| duration.as_secs()))
}

/// A duration in Trino's notation: a number and one of `ns`, `us`, `ms`, `s`, `m`, `h`, `d`.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let unit_start = text.find(|character: char| character.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit_start);
    let number: f64 = number.trim().parse().ok().filter(|number: &f64| *number >= 0.0)?;
    let seconds = match unit {
        "ns" => 1e-9,
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number * seconds).ok()
}

/// A size in Trino's notation: a number and one of `B`, `kB`, `MB`, `GB`, `TB`, each 1024 times the one before.
pub(super) fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let unit_start = text.find(|character: char| character.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit_start);
    let number: f64 = number.trim().parse().ok().filter(|number: &f64| *number >= 0.0)?;
    let power = ["B", "kB", "MB", "GB", "TB"].iter().position(|known| *known == unit)?;
    let bytes = number * 1024_f64.powi(i32::try_from(power).ok()?);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size that is no negative number"
    )]
    (bytes < 2_f64.powi(63)).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_session_property_is_described() {
        let names: Vec<&str> = SESSION_PROPERTIES.iter().map(|property| property.name).collect();
        assert_eq!(names, rowhouse_sql::session_property::SESSION_PROPERTY_NAMES);
    }

    #[test]
    fn durations_are_spelled_as_in_trino() {
        assert_eq!(duration("1.5h"), Some(Duration::from_secs(5400)));
        assert_eq!(duration(" 250 ms"), Some(Duration::from_millis(250)));
        assert_eq!(duration("2d"), Some(Duration::from_secs(172_800)));
        for wrong in ["", "1", "h", "-1h", "1 week", "NaNs", "1e400d"] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
        assert_eq!(seconds("600"), Some(600));
        assert_eq!(seconds("10m"), Some(600));
        assert_eq!(seconds("soon"), None);
    }

    #[test]
    fn sizes_are_spelled_as_in_trino() {
        assert_eq!(bytes("512MB"), Some(512 << 20));
        assert_eq!(bytes("1.5 GB"), Some(1536 << 20));
        assert_eq!(bytes("7B"), Some(7));
        for wrong in ["", "512", "MB", "-1MB", "1 mb", "1e30TB", "NaNMB"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_unknown_property_gets_a_suggestion() {
        let check = |name: &str, value: &str, expected: &str| {
            let found = check(name, value, is_text(name)).map_err(|error| error.at(None).message);
            assert_eq!(found.err().unwrap_or_default(), expected);
        };
        check("cache_ttl", "10m", "");
        check("cache_tl", "10m", "Session property 'cache_tl' does not exist. Did you mean 'cache_ttl'?");
        check(
            "query_max_run_time",
            "soon",
            "Unable to set session property 'query_max_run_time' to 'soon': expected a duration such as '30s' or '2h'",
        );
        check("time_zone_id", "Europe/Berlin", "");
        check("time_zone_id", "nope", "Time zone not supported: nope");
        check(
            "cache_refresh",
            "yes",
            "Unable to set session property 'cache_refresh' to 'yes': it is true or false",
        );
    }
}
