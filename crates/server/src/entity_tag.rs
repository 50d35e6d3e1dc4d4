//! Strong entity tags of rows (D25, D118): one for each generation of a view or stored result, each set of parameters
//! that shape the body, and each content coding.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use http::header::IF_NONE_MATCH;
use http::{HeaderMap, HeaderValue};

use crate::compress::Coding;

/// The tag of an answer before its coding is known.
#[derive(Clone, Debug)]
pub(crate) struct EntityTag {
    generation: u64,
    shape: u64,
}

impl EntityTag {
    /// `shape` is everything but the generation that determines the body's bytes. The server's version is added:
    /// another one may encode the same rows differently.
    pub(crate) fn new(generation: u64, shape: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        env!("CARGO_PKG_VERSION").hash(&mut hasher);
        shape.hash(&mut hasher);
        Self { generation, shape: hasher.finish() }
    }

    /// Value of `ETag` for an answer of this coding.
    pub(crate) fn header(&self, coding: Coding) -> Option<HeaderValue> {
        HeaderValue::try_from(self.text(coding)).ok()
    }

    /// The coding of the client's cached answer, if `If-None-Match` names it and this request would accept it. A tiny
    /// answer is never compressed, so the uncompressed one always counts.
    pub(crate) fn matched(&self, headers: &HeaderMap, accepted: Coding) -> Option<Coding> {
        if !headers.contains_key(IF_NONE_MATCH) {
            return None;
        }
        let values: Vec<&str> =
            headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok()).collect();
        let named = |coding| {
            let text = self.text(coding);
            // Weak comparison, as If-None-Match requires.
            let is_named = |tag: &str| tag.trim().strip_prefix("W/").unwrap_or(tag.trim()) == text;
            values.iter().any(|value| value.trim() == "*" || value.split(',').any(is_named))
        };
        [accepted, Coding::Identity].into_iter().find(|&coding| named(coding))
    }

    fn text(&self, coding: Coding) -> String {
        let Self { generation, shape } = self;
        match coding.name() {
            Some(name) => format!("\"{generation}-{shape:016x}-{name}\""),
            None => format!("\"{generation}-{shape:016x}\""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_differ_by_generation_shape_and_coding() {
        let tags = [
            EntityTag::new(1, "a").text(Coding::Identity),
            EntityTag::new(2, "a").text(Coding::Identity),
            EntityTag::new(1, "b").text(Coding::Identity),
            EntityTag::new(1, "a").text(Coding::Gzip),
            EntityTag::new(1, "a").text(Coding::Zstd),
        ];
        let distinct: std::collections::HashSet<&String> = tags.iter().collect();
        assert_eq!(distinct.len(), tags.len());
        assert_eq!(tags[0], EntityTag::new(1, "a").text(Coding::Identity));
    }

    #[test]
    fn if_none_match() {
        let tag = EntityTag::new(7, "shape");
        let check = |value: &str, accepted, expected| {
            let mut headers = HeaderMap::new();
            headers.insert(IF_NONE_MATCH, HeaderValue::from_str(value).expect(value));
            assert_eq!(tag.matched(&headers, accepted), expected, "{value}");
        };
        let (plain, gzip) = (tag.text(Coding::Identity), tag.text(Coding::Gzip));
        check(&plain, Coding::Identity, Some(Coding::Identity));
        check(&plain, Coding::Gzip, Some(Coding::Identity));
        check(&gzip, Coding::Gzip, Some(Coding::Gzip));
        check(&gzip, Coding::Identity, None);
        check(&format!("\"x\", W/{plain}"), Coding::Identity, Some(Coding::Identity));
        check("*", Coding::Gzip, Some(Coding::Gzip));
        check("\"x\"", Coding::Identity, None);
        assert_eq!(tag.matched(&HeaderMap::new(), Coding::Identity), None);
    }
}
