//! One line of the audit log, and which requests have one: statements, reads of rows, changes, and refusals of the
//! caller.

use http::{Method, StatusCode};
use rowhouse_model::Timestamp;
use serde::Serialize;

use super::{AuditSubject, Note};
use crate::route_table::UNKNOWN_ROUTE;

/// Maximum length of a logged `X-Forwarded-For`.
const MAX_FORWARDED_BYTES: usize = 256;

/// The action of a request; none for those that only read records, which have no line.
pub(crate) fn action(route: &str, method: &Method, status: u16) -> Option<&'static str> {
    let action = match route {
        "POST /api/v1/query"
        | "POST /api/v1/sql/:id"
        | "PUT /api/v1/query/:id/cancel"
        | "POST /api/v1/materializedView/:id/refresh" => Some("statement"),
        // Includes links to results, and reads by such a link.
        _ if route.starts_with("GET /api/v1/query/:id/result") => Some("result"),
        "GET /v1/data/:workspace/materializedView/:view" => Some("view"),
        "GET /v1/data/:workspace/endpoint/:endpoint" | "POST /v1/data/:workspace/endpoint/:endpoint" => {
            Some("endpoint")
        }
        // Its endpoint records the action.
        "POST /graphql" | "POST /mcp" | "POST /mcp/:workspace" | UNKNOWN_ROUTE => None,
        _ if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) => None,
        _ => Some("change"),
    };
    action.or_else(|| (status == StatusCode::UNAUTHORIZED).then_some("access"))
}

/// One line, in the order of its fields.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry<'a> {
    /// Time of the request.
    pub(crate) time: Timestamp,
    pub(crate) request_id: &'a str,
    pub(crate) action: &'static str,
    /// `done`, `refused`, `failed` or `abandoned`.
    pub(crate) outcome: &'static str,
    pub(crate) status: u16,
    /// The code of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<&'a str>,
    /// The account's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) account: Option<&'a str>,
    /// The notes of its endpoint.
    #[serde(flatten)]
    pub(crate) note: &'a Note,
    /// The address that the connection came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<&'a str>,
    /// The origin that the request claims; set by a proxy, or invented by the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) forwarded_for: Option<&'a str>,
    pub(crate) method: &'a str,
    pub(crate) route: &'a str,
    /// The path with its ids, without its query string.
    pub(crate) path: &'a str,
    /// The object that was created or run.
    #[serde(flatten)]
    pub(crate) made: &'a AuditSubject,
    pub(crate) duration_ms: f64,
    pub(crate) bytes: u64,
    pub(crate) complete: bool,
}

impl Entry<'_> {
    /// The line, including its end.
    pub(super) fn line(&self) -> Vec<u8> {
        // OK because it consists of texts, numbers and JSON values, which always serialize.
        let mut line = serde_json::to_vec(self).expect("an entry can be written");
        line.push(b'\n');
        line
    }
}

/// The outcome of a request, in a word.
pub(crate) const fn outcome(status: u16, is_complete: bool) -> &'static str {
    match status {
        200..400 if is_complete => "done",
        200..400 | 499 => "abandoned",
        400..499 => "refused",
        _ => "failed",
    }
}

/// `X-Forwarded-For`, truncated if too long.
pub(crate) fn forwarded_for(headers: &http::HeaderMap) -> Option<String> {
    let value = headers.get("x-forwarded-for")?.to_str().ok()?;
    Some(value.chars().take(MAX_FORWARDED_BYTES).collect())
}

/// The path of a request for the log. The address of a statement is a credential, so its slug and everything behind it are
/// omitted.
pub(crate) fn logged_path(path: &str) -> &str {
    let path = &path[..path.floor_char_boundary(MAX_PATH_BYTES)];
    let Some(start) = path.find(STATEMENT_ADDRESS).map(|start| start + STATEMENT_ADDRESS.len()) else {
        return path;
    };
    let mut slashes = path[start..].match_indices('/').map(|(place, _)| start + place);
    slashes.nth(1).map_or(path, |end| &path[..end])
}

/// Longer paths are cut: over HTTP/2 a few bytes stand for one, and need no token. Those of routes are shorter.
const MAX_PATH_BYTES: usize = 1024;

/// The beginning of statements' addresses behind the base path; `queued/ID/SLUG/TOKEN` follows.
const STATEMENT_ADDRESS: &str = "/v1/statement/";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logged_paths_omit_the_slug() {
        let check = |path, expected| assert_eq!(logged_path(path), expected);
        check("/v1/statement/executing/q1/secret/7", "/v1/statement/executing/q1");
        check("/web/v1/statement/segment/q1/secret/0/ack", "/web/v1/statement/segment/q1");
        check("/v1/statement", "/v1/statement");
        let long = format!("/{}", "é".repeat(1000));
        check(&long, &long[..MAX_PATH_BYTES - 1]);
        check("/v1/statement/queued/q1", "/v1/statement/queued/q1");
        check("/api/v1/query/q1/result", "/api/v1/query/q1/result");
    }

    #[test]
    fn statements_reads_changes_and_refusals_are_logged() {
        let check = |method: Method, route, status, expected| {
            assert_eq!(action(route, &method, status), expected, "{method} {route} {status}");
        };
        check(Method::POST, "POST /api/v1/query", 200, Some("statement"));
        check(Method::GET, "GET /api/v1/query/:id/result", 404, Some("result"));
        check(Method::HEAD, "GET /v1/data/:workspace/materializedView/:view", 200, Some("view"));
        check(Method::POST, "POST /v1/data/:workspace/endpoint/:endpoint", 200, Some("endpoint"));
        check(Method::DELETE, "DELETE /api/v1/token/:id", 401, Some("change"));
        check(Method::GET, "GET /api/v1/queries", 200, None);
        check(Method::GET, "GET /api/v1/queries", 401, Some("access"));
        check(Method::POST, UNKNOWN_ROUTE, 404, None);
        check(Method::POST, "POST /graphql", 200, None);
        check(Method::POST, "POST /mcp/:workspace", 200, None);
        check(Method::POST, "POST /mcp", 401, Some("access"));
    }

    #[test]
    fn outcomes() {
        let check = |status, is_complete, expected| assert_eq!(outcome(status, is_complete), expected);
        check(200, true, "done");
        check(200, false, "abandoned");
        check(304, true, "done");
        check(401, true, "refused");
        check(429, true, "refused");
        check(499, false, "abandoned");
        check(500, true, "failed");
        check(503, true, "failed");
    }
}
