//! Strong entity tags of rows (D25, D118): one for each generation of a view or stored result, each set of parameters
//! that shape the body, and each content coding.

use std::hash::{Hash, Hasher};

use http::header::IF_NONE_MATCH;
use http::{HeaderMap, HeaderValue};
use twox_hash::XxHash64;

use crate::accept::MAX_ENTRIES;
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
        let mut shape_bytes =
            HashedBytes { bytes: [0; HashedBytes::AT_A_TIME], length: 0, hasher: XxHash64::default() };
        env!("CARGO_PKG_VERSION").hash(&mut shape_bytes);
        shape.hash(&mut shape_bytes);
        Self { generation, shape: shape_bytes.finish() }
    }

    /// Value of `ETag` for an answer of this coding.
    pub(crate) fn header(&self, coding: Coding) -> Option<HeaderValue> {
        HeaderValue::from_bytes(self.text(coding).as_bytes()).ok()
    }

    /// The coding of the client's cached answer, if `If-None-Match` names it and this request would accept it. A tiny
    /// answer is never compressed, so the uncompressed one always counts.
    pub(crate) fn matched(&self, headers: &HeaderMap, accepted: Coding) -> Option<Coding> {
        if !headers.contains_key(IF_NONE_MATCH) {
            return None;
        }
        let values = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let tags: Vec<&str> = values.flat_map(|value| value.split(',')).take(MAX_ENTRIES).collect();
        let named = |coding| {
            let text = self.text(coding);
            // Weak comparison, as If-None-Match requires.
            let is_named =
                |tag: &str| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == text.as_bytes();
            tags.iter().any(|tag| is_named(tag.trim()))
        };
        [accepted, Coding::Identity].into_iter().find(|&coding| named(coding))
    }

    /// `"7-0123456789abcdef"` or `"7-0123456789abcdef-gzip"`.
    fn text(&self, coding: Coding) -> TagText {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = TagText { bytes: [0; TagText::MAX_BYTES], length: 0 };
        text.put(b"\"");
        text.put(itoa::Buffer::new().format(self.generation).as_bytes());
        text.put(b"-");
        let shape: [u8; 16] =
            std::array::from_fn(|place| DIGITS[(self.shape >> (60 - 4 * place)) as usize % 16]);
        text.put(&shape);
        if let Some(name) = coding.name() {
            text.put(b"-");
            text.put(name.as_bytes());
        }
        text.put(b"\"");
        text
    }
}

/// A tag as a header shows it.
#[derive(Clone, Copy)]
struct TagText {
    bytes: [u8; Self::MAX_BYTES],
    length: usize,
}

impl TagText {
    /// Room for a generation of 20 digits and the longest name of a coding.
    const MAX_BYTES: usize = 48;

    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Collects the many small pieces of a shape: the hasher takes them much faster together.
struct HashedBytes {
    bytes: [u8; Self::AT_A_TIME],
    length: usize,
    hasher: XxHash64,
}

impl HashedBytes {
    const AT_A_TIME: usize = 256;
}

impl Hasher for HashedBytes {
    fn write(&mut self, bytes: &[u8]) {
        if self.length + bytes.len() > Self::AT_A_TIME {
            self.hasher.write(&self.bytes[..self.length]);
            self.length = 0;
        }
        match self.bytes.get_mut(self.length..self.length + bytes.len()) {
            Some(free) => {
                free.copy_from_slice(bytes);
                self.length += bytes.len();
            }
            None => self.hasher.write(bytes),
        }
    }

    fn finish(&self) -> u64 {
        let mut hasher = self.hasher.clone();
        hasher.write(&self.bytes[..self.length]);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl EntityTag {
        fn shown(&self, coding: Coding) -> String {
            String::from_utf8(self.text(coding).as_bytes().to_vec()).expect("text")
        }
    }

    #[test]
    fn tags_differ_by_generation_shape_and_coding() {
        let tags = [
            EntityTag::new(1, "a").shown(Coding::Identity),
            EntityTag::new(2, "a").shown(Coding::Identity),
            EntityTag::new(1, "b").shown(Coding::Identity),
            EntityTag::new(1, "a").shown(Coding::Gzip),
            EntityTag::new(1, "a").shown(Coding::Zstd),
        ];
        let distinct: std::collections::HashSet<&String> = tags.iter().collect();
        assert_eq!(distinct.len(), tags.len());
        assert_eq!(tags[0], EntityTag::new(1, "a").shown(Coding::Identity));
    }

    #[test]
    fn shapes_of_any_length_are_hashed_whole_and_in_order() {
        for length in (0..600).chain([5000]) {
            let text: String = ('a'..='z').cycle().take(length).collect();
            let shape = (7_u8, &text, length, [&text, "x", &text], u64::MAX);
            let mut plain = XxHash64::default();
            env!("CARGO_PKG_VERSION").hash(&mut plain);
            shape.hash(&mut plain);
            assert_eq!(EntityTag::new(1, shape).shape, plain.finish(), "{length}");
        }
    }

    #[test]
    fn a_tag_is_its_numbers_in_quotes() {
        for (generation, shape) in [(0, 0), (7, 0x0123_4567_89AB_CDEF), (u64::MAX, u64::MAX), (10, 1 << 63)] {
            let tag = EntityTag { generation, shape };
            assert_eq!(tag.shown(Coding::Identity), format!("\"{generation}-{shape:016x}\""));
            assert_eq!(tag.shown(Coding::Zstd), format!("\"{generation}-{shape:016x}-zstd\""));
        }
    }

    #[test]
    fn if_none_match() {
        let tag = EntityTag::new(7, "shape");
        let check = |value: &str, accepted, expected| {
            let mut headers = HeaderMap::new();
            headers.insert(IF_NONE_MATCH, HeaderValue::from_str(value).expect(value));
            assert_eq!(tag.matched(&headers, accepted), expected, "{value}");
        };
        let (plain, gzip) = (tag.shown(Coding::Identity), tag.shown(Coding::Gzip));
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
