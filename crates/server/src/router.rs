//! Finds the route of a method and path in the table of `routes`. Every route answers under `/`, under `/web` and under
//! the configured prefix (D1). Segments are percent-decoded after the split, so an encoded slash does not separate; a
//! trailing slash makes another path, which is unknown (only the page has one).

use std::borrow::Cow;

use http::Method;
use memchr::{memchr, memchr_iter};
use percent_encoding::percent_decode_str;
use rowhouse_model::path::WEB_BASE;

use crate::error::{Error, Result};
use crate::routes::{self, Route};

/// The route of a request; HEAD is routed as GET.
///
/// # Errors
/// `UnknownRoute`, or `MethodNotAllowed` with the methods of the path.
pub(crate) fn route(base_path: Option<&str>, method: &Method, path: &str) -> Result<Route> {
    let local = local_path(base_path, path);
    if !path.starts_with('/') {
        return Err(Error::UnknownRoute { path: path.to_owned() });
    }
    let segments = Segments::of(local);
    let mut segments = segments.as_slice();
    let decoded: Vec<Cow<'_, str>>;
    let decoded_segments: Vec<&str>;
    // Most paths need no decoding.
    if memchr(b'%', local.as_bytes()).is_some() {
        decoded = segments.iter().map(|segment| percent_decode_str(segment).decode_utf8_lossy()).collect();
        decoded_segments = decoded.iter().map(AsRef::as_ref).collect();
        segments = &decoded_segments;
    }
    let wanted = if method == Method::HEAD { &Method::GET } else { method };
    let page = page_base(path, segments);
    if let Some(base) = &page
        && *wanted == Method::GET
    {
        return Ok(Route::Page { base: base.clone() });
    }
    // Empty ids match no route.
    let has_empty = segments.contains(&"");
    if !has_empty && let Some(route) = routes::find(wanted, segments) {
        return Ok(route);
    }
    let methods = match page {
        Some(_) => vec![Method::GET],
        None if has_empty => Vec::new(),
        None => routes::methods_of(segments),
    };
    if methods.is_empty() {
        return Err(Error::UnknownRoute { path: path.chars().take(200).collect() });
    }
    let with_head = methods.iter().flat_map(|method| {
        let head = (*method == Method::GET).then_some("HEAD");
        std::iter::once(method.as_str()).chain(head)
    });
    Err(Error::MethodNotAllowed {
        method: method.as_str().chars().take(40).collect(),
        allowed: with_head.collect::<Vec<_>>().join(", "),
    })
}

/// More segments than any route has.
const MAX_SEGMENTS: usize = 12;

/// What stands behind each slash of a path, of at most as many slashes as can matter.
struct Segments<'p> {
    texts: [&'p str; MAX_SEGMENTS],
    count: usize,
}

impl<'p> Segments<'p> {
    fn of(path: &'p str) -> Self {
        let mut segments = Self { texts: [""; MAX_SEGMENTS], count: 0 };
        let mut slashes = memchr_iter(b'/', path.as_bytes());
        let Some(mut slash) = slashes.next() else { return segments };
        for (text, next) in segments.texts.iter_mut().zip(slashes.chain([path.len()])) {
            *text = &path[slash + 1..next];
            segments.count += 1;
            slash = next;
        }
        segments
    }

    fn as_slice(&self) -> &[&'p str] {
        &self.texts[..self.count]
    }
}

/// The prefix under which a request came: `/web`, the configured one, or nothing (D1).
pub(crate) fn base_path_of<'a>(base_path: Option<&str>, path: &'a str) -> &'a str {
    &path[..path.len() - local_path(base_path, path).len()]
}

/// The path without its prefix.
fn local_path<'a>(base_path: Option<&str>, path: &'a str) -> &'a str {
    let strip =
        |prefix: &str| path.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    base_path.and_then(strip).or_else(|| strip(WEB_BASE)).unwrap_or(path)
}

/// For a path of the page: the relative address of the page's root.
fn page_base(path: &str, segments: &[&str]) -> Option<String> {
    match segments {
        // Without a trailing slash the address's last segment is not a folder: `/web` has its files in `web/`.
        [] => Some(format!("{}/", path.rsplit('/').next().unwrap_or_default())),
        [""] => Some("./".to_owned()),
        ["workspaces", workspace] if !workspace.is_empty() => Some("../".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: &str, path: &str, expected: &str) {
        let method: Method = method.parse().expect(method);
        let found = match route(Some("/sql/house"), &method, path) {
            Ok(route) => format!("{route:?}"),
            Err(Error::UnknownRoute { .. }) => "unknown".to_owned(),
            Err(Error::MethodNotAllowed { allowed, .. }) => format!("allow {allowed}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{method} {path}");
    }

    #[test]
    fn the_three_base_paths() {
        for base in ["", "/web", "/sql/house"] {
            check("GET", &format!("{base}/api/v1/queries"), "ListQueries");
            check("HEAD", &format!("{base}/healthz"), "Health");
            check("GET", &format!("{base}/api/v1/reference"), "Reference");
            check(
                "GET",
                &format!("{base}/v1/data/demo/materializedView/v"),
                "ReadView { workspace: \"demo\", view: \"v\" }",
            );
            check("GET", &format!("{base}/"), "Page { base: \"./\" }");
            check("GET", &format!("{base}/workspaces/w1"), "Page { base: \"../\" }");
            check("GET", &format!("{base}/assets/a.js"), "PageFile { name: \"a.js\" }");
        }
        check("GET", "/web", "Page { base: \"web/\" }");
        check("GET", "/sql/house", "Page { base: \"house/\" }");
        check("GET", "/workspaces", "unknown");
        check("GET", "/webapi/v1/queries", "unknown");
        check("GET", "/web/web/api/v1/queries", "unknown");
        check("GET", "/sql/api/v1/queries", "unknown");
    }

    #[test]
    fn methods() {
        check("POST", "/api/v1/query", "SubmitQuery");
        check("GET", "/api/v1/query", "allow POST");
        check("PATCH", "/api/v1/sql/7", "allow GET, HEAD, POST, PUT, DELETE");
        check("OPTIONS", "/api/v1/queries", "allow GET, HEAD");
        check("DELETE", "/nowhere", "unknown");
    }

    #[test]
    fn segments_are_those_of_split() {
        for path in ["", "/", "a", "a/b", "/a", "/a/", "//", "/a//b/é/", "*", &"/a".repeat(40)] {
            let expected: Vec<_> = path.split('/').skip(1).take(MAX_SEGMENTS).collect();
            assert_eq!(Segments::of(path).as_slice(), expected, "{path}");
        }
        check("GET", &format!("/api/v1/queries{}", "/a".repeat(40)), "unknown");
    }

    #[test]
    fn segments() {
        check("GET", "/api/v1/query/a%2Fb%20c", "GetQuery { id: \"a/b c\" }");
        check("GET", "/api/v1/query/%ff", "GetQuery { id: \"\u{fffd}\" }");
        check("GET", "/api/v1/quer%79/1", "GetQuery { id: \"1\" }");
        check("GET", "/api/v1/query/", "unknown");
        check("GET", "/api/v1/query//result", "unknown");
        check("GET", "/api/v1/queries/", "unknown");
        check("GET", "//api/v1/queries", "unknown");
        check("GET", "/api/v1/query/..", "GetQuery { id: \"..\" }");
        check("OPTIONS", "*", "unknown");
    }
}
