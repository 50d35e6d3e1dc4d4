//! Headers of every request to a cluster (Trino's `ProtocolHeaders`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue};
use rowhouse_model::client_protocol::header;

use super::cluster::{TrinoAuthentication, TrinoCluster};

/// The supported encodings, the preferred one first.
pub(super) const ENCODINGS: &str = "json+zstd,json";

/// The headers of every request to the cluster, including credentials.
pub(super) fn of(cluster: &TrinoCluster) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    let mut put = |name: &'static str, text: &str| -> Result<(), String> {
        let value = HeaderValue::from_str(text).map_err(|_| format!("'{text}' cannot stand in a header"))?;
        headers.append(HeaderName::from_static(name), value);
        Ok(())
    };
    put(header::USER, &cluster.user)?;
    put(header::SOURCE, &cluster.source)?;
    put(header::TIME_ZONE, &cluster.time_zone)?;
    put(header::CLIENT_CAPABILITIES, header::PARAMETRIC_DATETIME)?;
    // A cluster without spooling sends rows in its pages.
    put(header::QUERY_DATA_ENCODING, ENCODINGS)?;
    if let Some(catalog) = &cluster.catalog {
        put(header::CATALOG, catalog)?;
    }
    if let Some(schema) = &cluster.schema {
        put(header::SCHEMA, schema)?;
    }
    if !cluster.client_tags.is_empty() {
        put(header::CLIENT_TAGS, &cluster.client_tags.join(","))?;
    }
    for property in &cluster.session {
        let (name, value) =
            property.split_once('=').ok_or_else(|| format!("'{property}' is not of the form NAME=VALUE"))?;
        put(header::SESSION, &session_property(name.trim(), value.trim()))?;
    }
    let authorization = match &cluster.authentication {
        TrinoAuthentication::None => None,
        TrinoAuthentication::Basic { password } => {
            Some(format!("Basic {}", STANDARD.encode(format!("{}:{password}", cluster.user))))
        }
        TrinoAuthentication::Bearer { token } => Some(format!("Bearer {token}")),
    };
    if let Some(authorization) = authorization {
        let mut value = HeaderValue::from_str(&authorization)
            .map_err(|_| "the password or token cannot stand in a header".to_owned())?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(USER_AGENT, HeaderValue::from_static(concat!("rowhouse/", env!("CARGO_PKG_VERSION"))));
    Ok(headers)
}

/// A session property in the form of the header.
pub(super) fn session_property(name: &str, value: &str) -> String {
    format!("{name}={}", percent_encoded(value))
}

/// Encodes text as `application/x-www-form-urlencoded`, which Trino decodes.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}
