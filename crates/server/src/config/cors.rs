//! The origins whose pages may call, for browsers (the Fetch standard's CORS protocol).

use std::time::Duration;

use http::{HeaderName, Method};

use super::value::{parse_duration, parse_switch};
use super::{ConfigError, DURATION, Settings, unusable};

/// The rules; there are none unless an origin is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cors {
    /// The origins that are allowed.
    pub(crate) origins: Origins,
    /// Value of `Access-Control-Allow-Methods`.
    pub(crate) methods: String,
    /// Value of `Access-Control-Allow-Headers`.
    pub(crate) headers: String,
    /// How long a browser may cache the answer.
    pub(crate) max_age: Duration,
    /// Whether cookies may be sent.
    pub(crate) allow_credentials: bool,
}

/// Origins of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origins {
    /// All origins.
    Any,
    /// These origins, as browsers spell them.
    Listed(Vec<String>),
}

const METHODS: &str = "GET, HEAD, POST, PUT, DELETE";
const HEADERS: &str = "accept, authorization, content-type, idempotency-key, if-none-match, mcp-method, mcp-name, \
                       mcp-protocol-version, mcp-session-id, traceparent, x-request-id";
const MAX_AGE: Duration = Duration::from_secs(600);

/// Reads the rules.
pub(super) fn read(settings: &Settings) -> Result<Option<Cors>, ConfigError> {
    let methods = list(settings, "cors.allowed_methods", "a method such as GET", |text| {
        let is_upper = text.bytes().all(|byte| byte.is_ascii_uppercase());
        (is_upper && Method::from_bytes(text.as_bytes()).is_ok()).then(|| text.to_owned())
    })?;
    let headers = list(settings, "cors.allowed_headers", "a header's name such as content-type", |text| {
        text.parse::<HeaderName>().ok().map(|name| name.as_str().to_owned())
    })?;
    let max_age = settings.read("cors.max_age", DURATION, parse_duration)?.unwrap_or(MAX_AGE);
    let allow_credentials =
        settings.read("cors.allow_credentials", "true or false", parse_switch)?.unwrap_or(false);
    let expected = "an origin such as https://app.example.com, without a path, or *";
    let Some(origins) = list(settings, "cors.allowed_origins", expected, origin)? else { return Ok(None) };
    let origins = if origins.iter().any(|origin| origin == "*") {
        if allow_credentials {
            let message = "cors.allow_credentials cannot be true while cors.allowed_origins is *: any page on the \
                           web could act with its visitors' cookies; list the origins";
            return Err(ConfigError::new(message.to_owned()));
        }
        Origins::Any
    } else {
        Origins::Listed(origins)
    };
    let joined = |list: Option<Vec<String>>, default: &str| {
        list.map_or_else(|| default.to_owned(), |list| list.join(", "))
    };
    let (methods, headers) = (joined(methods, METHODS), joined(headers, HEADERS));
    Ok(Some(Cors { origins, methods, headers, max_age, allow_credentials }))
}

/// A list; none if it is not given, or empty.
fn list(
    settings: &Settings,
    key: &str,
    expected: &str,
    parse: impl Fn(&str) -> Option<String>,
) -> Result<Option<Vec<String>>, ConfigError> {
    let Some(given) = settings.given.get(key) else { return Ok(None) };
    let values = given.texts.iter().map(|text| parse(text).ok_or_else(|| unusable(given, text, expected)));
    values.collect::<Result<Vec<_>, _>>().map(|values| Some(values).filter(|values| !values.is_empty()))
}

/// A browser sends scheme, host and a port that is not the scheme's default, in lower case; only that form can match.
fn origin(text: &str) -> Option<String> {
    if text == "*" {
        return Some(text.to_owned());
    }
    let (scheme, host) = text.split_once("://")?;
    let is_scheme =
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_host = !host.is_empty()
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte));
    (is_scheme && is_host).then(|| text.to_ascii_lowercase())
}
