//! Protocol version of a request. Up to 2025-11-25 client and server agree on one in a handshake, which the server does
//! not store; from 2026-07-28 on each request names its version, and repeats its subject in headers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use rmcp::model::{ErrorData, ProtocolVersion};

use super::message::Request;

/// Supported versions, oldest first. Older ones have batches, or another HTTP transport.
pub(super) const SUPPORTED: [ProtocolVersion; 3] =
    [ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

const PROTOCOL_VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// The lifecycle of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lifecycle {
    /// A handshake, or after one.
    Handshake,
    /// Each request is independent.
    PerRequest,
}

/// The version that a handshake agrees on.
pub(super) fn agreed(asked: &ProtocolVersion) -> ProtocolVersion {
    let known = SUPPORTED.iter().find(|version| *version == asked && version.has_initialize());
    known.cloned().unwrap_or(ProtocolVersion::LATEST_WITH_INITIALIZE)
}

/// Checks the version of a request.
///
/// # Errors
/// An unsupported version, or headers that contradict the body: status 400.
pub(super) fn lifecycle(headers: &HeaderMap, request: &Request<'_>) -> Result<Lifecycle, ErrorData> {
    let stated = header(headers, PROTOCOL_VERSION)?;
    // The handshake belongs to the older versions, whatever version it requests.
    if request.method == "initialize" {
        return Ok(Lifecycle::Handshake);
    }
    let meta = request.params.meta()?;
    let version = match (meta.protocol_version(), stated) {
        (Some(version), Some(stated)) if version.as_str() == stated => version,
        (Some(version), stated) => {
            let stated = stated.unwrap_or("missing");
            let message = format!("the header MCP-Protocol-Version is {stated}, _meta says {version}");
            return Err(ErrorData::header_mismatch(message, None));
        }
        // The version before the header existed, whose requests are the same except for batches.
        (None, None) if request.method != "server/discover" => return Ok(Lifecycle::Handshake),
        (None, None) => ProtocolVersion::NO_INITIALIZE,
        (None, Some(stated)) if stated == ProtocolVersion::V_2025_03_26.as_str() => {
            return Ok(Lifecycle::Handshake);
        }
        (None, Some(stated)) => {
            let known = SUPPORTED.iter().find(|version| version.as_str() == stated).cloned();
            known.ok_or_else(|| unsupported(stated))?
        }
    };
    if !SUPPORTED.contains(&version) {
        return Err(unsupported(version.as_str()));
    }
    if version.has_initialize() {
        return Ok(Lifecycle::Handshake);
    }
    let missing = meta.missing_required_keys(&version);
    if !missing.is_empty() {
        let message = format!("_meta of params lacks {}, or it is malformed", missing.join(" and "));
        return Err(ErrorData::invalid_params(message, None));
    }
    check_headers(headers, request)?;
    Ok(Lifecycle::PerRequest)
}

/// Headers for routing must not contradict the body.
fn check_headers(headers: &HeaderMap, request: &Request<'_>) -> Result<(), ErrorData> {
    let mismatch = |message: String| ErrorData::header_mismatch(message, None);
    let method = header(headers, METHOD)?;
    if method != Some(request.method.as_str()) {
        let method = method.unwrap_or("missing");
        return Err(mismatch(format!(
            "the header Mcp-Method is {method}, the body's method {}",
            request.method
        )));
    }
    let named = match request.method.as_str() {
        "tools/call" => "name",
        "resources/read" => "uri",
        _ => return Ok(()),
    };
    let stated = header(headers, NAME)?.map(decoded).transpose()?;
    if stated != request.params.text(named) {
        return Err(mismatch(format!("the header Mcp-Name is not the body's {named}")));
    }
    Ok(())
}

/// A header that must not be repeated.
fn header<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h str>, ErrorData> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    match (value.to_str(), values.next()) {
        (Ok(text), None) => Ok(Some(text.trim())),
        _ => {
            Err(ErrorData::header_mismatch(format!("the header {name} stands twice, or is not ASCII"), None))
        }
    }
}

/// A value that is not valid in a header is encoded as `=?base64?…?=`.
fn decoded(text: &str) -> Result<String, ErrorData> {
    let Some(coded) = text.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(text.to_owned());
    };
    let decoded = STANDARD.decode(coded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.ok_or_else(|| ErrorData::header_mismatch("the header Mcp-Name is no Base64 of a text", None))
}

fn unsupported(version: &str) -> ErrorData {
    let message = format!("the version {} is not spoken here", rowhouse_model::excerpt(version));
    let names: Vec<&str> = SUPPORTED.iter().map(ProtocolVersion::as_str).collect();
    let data = serde_json::json!({ "requested": rowhouse_model::excerpt(version), "supported": names });
    ErrorData::new(rmcp::model::ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, message, Some(data))
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::super::message::Message;
    use super::*;

    fn check(method: &str, params: &str, headers: &[(&'static str, &'static str)], expected: &str) {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        let Ok(Message::Request(request)) = Message::read(body.as_bytes()) else { panic!("{body}") };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let found = match lifecycle(&map, &request) {
            Ok(lifecycle) => format!("{lifecycle:?}"),
            Err(error) => error.code.0.to_string(),
        };
        assert_eq!(found, expected, "{body} {headers:?}");
    }

    #[test]
    fn versions() {
        const NEW: &str = r#"{"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
                              "io.modelcontextprotocol/clientCapabilities":{}}}"#;
        let version = |version| ("mcp-protocol-version", version);
        check("initialize", r#"{"protocolVersion":"2026-07-28"}"#, &[version("2026-07-28")], "Handshake");
        check("tools/list", "{}", &[], "Handshake");
        check("tools/list", "{}", &[version("2025-06-18")], "Handshake");
        check("tools/list", "{}", &[version("2025-11-25")], "Handshake");
        check("tools/list", "{}", &[version("2025-03-26")], "Handshake");
        check("tools/list", "{}", &[version("2024-11-05")], "-32022");
        check("tools/list", "{}", &[version("1999-01-01")], "-32022");
        check("tools/list", "{}", &[version("2025-06-18"), version("2025-06-18")], "-32020");
        // Required fields of each request.
        check("tools/list", "{}", &[version("2026-07-28")], "-32602");
        check("server/discover", "{}", &[], "-32602");
        check("tools/call", NEW, &[], "-32020");
        check("tools/call", NEW, &[version("2025-11-25")], "-32020");
        let [of, method, name] = [version("2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "a")];
        check("tools/call", NEW, &[of], "-32020");
        check("tools/call", NEW, &[of, method], "-32020");
        check("tools/call", NEW, &[of, method, ("mcp-name", "b")], "-32020");
        check("tools/call", NEW, &[of, ("mcp-method", "tools/list"), name], "-32020");
        check("tools/call", NEW, &[of, method, name], "PerRequest");
        check("tools/call", NEW, &[of, method, ("mcp-name", "=?base64?YQ==?=")], "PerRequest");
        check("tools/call", NEW, &[of, method, ("mcp-name", "=?base64?Y?=")], "-32020");
    }

    #[test]
    fn a_handshake_agrees_on_a_version_with_a_handshake() {
        let check = |asked: &str, expected: &str| {
            let asked = serde_json::from_value(asked.into()).expect("a version");
            assert_eq!(agreed(&asked).as_str(), expected);
        };
        check("2025-06-18", "2025-06-18");
        check("2025-11-25", "2025-11-25");
        check("2026-07-28", "2025-11-25");
        check("2024-11-05", "2025-11-25");
        check("9999-99-99", "2025-11-25");
    }
}
