//! The session in a request's `X-Trino-` headers, and the headers that change it.

use std::collections::BTreeMap;

use http::header::HeaderName;
use http::{HeaderMap, HeaderValue};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rowhouse_engine::{ClientSession, SessionChange, session_property};
use rowhouse_model::Source;
use rowhouse_model::client_protocol::header;

use crate::error::{Error, Result};

/// Maximum number of prepared statements, and of properties, of one session.
const MAX_ENTRIES: usize = 1_000;
/// Maximum length of a stored `source`; a longer one is truncated.
const MAX_SOURCE_CHARACTERS: usize = 64;

/// The session of a request.
///
/// # Errors
/// `InvalidArguments`, naming the header that is malformed.
pub(super) fn session(headers: &HeaderMap) -> Result<ClientSession> {
    let one = |name: &'static str| -> Result<Option<String>> {
        let text = headers.get(name).map(|value| text(name, value)).transpose()?;
        Ok(text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
    };
    let names = |text: Option<String>| text.map(|text| decoded(&text).to_lowercase());
    let mut properties = pairs(headers, header::SESSION)?;
    // The client's own zone applies unless a statement has set one.
    if let Some(zone) = one(header::TIME_ZONE)? {
        properties.entry(session_property::TIME_ZONE.to_owned()).or_insert(zone);
    }
    Ok(ClientSession {
        catalog: names(one(header::CATALOG)?),
        schema: names(one(header::SCHEMA)?),
        properties,
        prepared: pairs(headers, header::PREPARED_STATEMENT)?,
        transaction: one(header::TRANSACTION_ID)?,
    })
}

/// The source: the client's own name.
pub(super) fn source(headers: &HeaderMap) -> Source {
    let given = headers.get(header::SOURCE).and_then(|value| value.to_str().ok()).map(str::trim);
    let given: String = given.unwrap_or_default().chars().take(MAX_SOURCE_CHARACTERS).collect();
    if given.is_empty() { Source::Other("TRINO".to_owned()) } else { Source::from(given) }
}

/// Whether the client supports times and timestamps of any precision; for others they have milliseconds.
pub(super) fn knows_precisions(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::CLIENT_CAPABILITIES).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|name| name.trim() == header::PARAMETRIC_DATETIME)
}

/// The headers that report a change to a client.
///
/// # Errors
/// `InvalidArguments`: the value is not valid in a header.
pub(super) fn session_headers(
    change: &SessionChange,
    new_transaction: &str,
) -> Result<Vec<(HeaderName, HeaderValue)>> {
    let pair = |name: &str, value: &str| format!("{}={}", encoded(name), encoded(value));
    let headers = match change {
        SessionChange::Use { catalog, schema } => {
            vec![(header::SET_CATALOG, encoded(catalog)), (header::SET_SCHEMA, encoded(schema))]
        }
        SessionChange::Set { name, value } => vec![(header::SET_SESSION, pair(name, value))],
        SessionChange::Reset { name } => vec![(header::CLEAR_SESSION, encoded(name))],
        SessionChange::AddPrepared { name, statement } => {
            vec![(header::ADDED_PREPARE, pair(name, statement))]
        }
        SessionChange::RemovePrepared { name } => vec![(header::DEALLOCATED_PREPARE, encoded(name))],
        SessionChange::Start => vec![(header::STARTED_TRANSACTION_ID, new_transaction.to_owned())],
        SessionChange::End => vec![(header::CLEAR_TRANSACTION_ID, "true".to_owned())],
    };
    headers
        .into_iter()
        .map(|(name, text)| {
            let value = HeaderValue::from_str(&text).map_err(|_| {
                Error::invalid(format!("{name} cannot be sent: {text:?} is not a valid header value"))
            })?;
            Ok((HeaderName::from_static(name), value))
        })
        .collect()
}

/// `name=value` pairs of a header that may be repeated, with several pairs each.
fn pairs(headers: &HeaderMap, name: &'static str) -> Result<BTreeMap<String, String>> {
    let mut pairs = BTreeMap::new();
    for value in headers.get_all(name) {
        let text = text(name, value)?;
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (key, value) =
                pair.split_once('=').filter(|(key, _)| !key.trim().is_empty()).ok_or_else(|| {
                    Error::invalid(format!("header {name}: expected NAME=VALUE, found {pair:?}"))
                })?;
            pairs.insert(decoded(key.trim()), decoded(value.trim()));
            if pairs.len() > MAX_ENTRIES {
                return Err(Error::invalid(format!("header {name}: more than {MAX_ENTRIES} entries")));
            }
        }
    }
    Ok(pairs)
}

fn text<'h>(name: &str, value: &'h HeaderValue) -> Result<&'h str> {
    value.to_str().map_err(|_| Error::invalid(format!("header {name}: not ASCII; encode it as a URL")))
}

/// Decoded as `application/x-www-form-urlencoded`, which Trino's clients write.
fn decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
        .to_string()
        .replace("%5F", "_")
        .replace("%2E", ".")
        .replace("%2D", "-")
        .replace("%20", "+")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |&(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect(value))
        };
        let mut headers = HeaderMap::new();
        pairs.iter().map(pair).for_each(|(name, value)| {
            headers.append(name, value);
        });
        headers
    }

    #[test]
    fn a_session_is_read_from_its_headers() {
        let headers = headers(&[
            ("x-trino-catalog", "Rowhouse"),
            ("x-trino-schema", "demo"),
            ("x-trino-session", "cache_ttl=10m,query_max_run_time=1h"),
            ("x-trino-session", "cache_refresh=true"),
            ("x-trino-prepared-statement", "p=SELECT+%3F+%2B+1%2C%0A2"),
            ("x-trino-transaction-id", "NONE"),
        ]);
        let session = session(&headers).expect("a session");
        assert_eq!(session.catalog.as_deref(), Some("rowhouse"));
        assert_eq!(session.properties.len(), 3);
        assert_eq!(session.prepared["p"], "SELECT ? + 1,\n2");
        assert_eq!(session.transaction.as_deref(), Some("NONE"));
    }

    #[test]
    fn malformed_headers_are_named() {
        let refused = |name: &'static str, value: &str| {
            session(&headers(&[(name, value)])).expect_err(value).to_string()
        };
        assert_eq!(
            refused("x-trino-session", "a=1,b"),
            "header x-trino-session: expected NAME=VALUE, found \"b\""
        );
        let many: Vec<String> = (0..=MAX_ENTRIES).map(|number| format!("p{number}=x")).collect();
        assert!(refused("x-trino-prepared-statement", &many.join(",")).contains("1000 entries"));
    }

    #[test]
    fn session_changes_are_reported_as_in_trino() {
        let statement = "SELECT ?\n+ 'ä'".to_owned();
        let change = SessionChange::AddPrepared { name: "p".to_owned(), statement };
        let headers = session_headers(&change, "").expect("headers");
        assert_eq!(headers[0].0.as_str(), "x-trino-added-prepare");
        assert_eq!(headers[0].1, "p=SELECT+%3F%0A%2B+%27%C3%A4%27");
    }
}
