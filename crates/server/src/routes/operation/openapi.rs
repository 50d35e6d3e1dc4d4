//! `GET /openapi.json`: the OpenAPI document; no token needed.

use crate::response::{Answer, JSON, whole};

const DOCUMENT: &str = include_str!("openapi.json");

pub(crate) fn answer() -> Answer {
    whole(JSON, DOCUMENT)
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;
    use crate::error::Error;
    use crate::router::route;

    const METHODS: [&str; 6] = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"];

    /// Every path and method of the document is a route, and every method of those routes is in the document.
    #[test]
    fn the_document_and_the_router_agree() {
        let document: serde_json::Value = serde_json::from_str(DOCUMENT).expect("JSON");
        let paths = document["paths"].as_object().expect("paths");
        for (path, operations) in paths {
            let example = path.replace(['{', '}'], "x");
            for method in METHODS.iter().filter(|&&method| method != "HEAD") {
                let method: Method = method.parse().expect("a method");
                let is_route = match route(None, &method, &example) {
                    Ok(_) => true,
                    Err(Error::MethodNotAllowed { .. }) => false,
                    Err(error) => panic!("{path}: {error}"),
                };
                let key = method.as_str().to_ascii_lowercase();
                assert_eq!(operations.get(key).is_some(), is_route, "{method} {path}");
            }
        }
        assert_eq!(paths.len(), 31, "a new path belongs in the document");
    }

    /// Every `$ref` names a schema that is there.
    #[test]
    fn no_reference_is_dangling() {
        let document: serde_json::Value = serde_json::from_str(DOCUMENT).expect("JSON");
        let schemas = document["components"]["schemas"].as_object().expect("schemas");
        for (at, _) in DOCUMENT.match_indices("#/components/schemas/") {
            let rest = &DOCUMENT[at + "#/components/schemas/".len()..];
            let name = rest.split('"').next().unwrap_or_default();
            assert!(schemas.contains_key(name), "{name}");
        }
    }
}
