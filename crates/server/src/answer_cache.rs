//! Cached bytes of small answers with rows of stored results, which never change: a repeated request for a cached
//! result is answered without a file and without the encoder (D120).

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderValue, Response};
use rowhouse_engine::{RowFormat, RowShape};

use crate::compress::Coding;
use crate::response::{Answer, AnswerBody};

/// Maximum of all bodies and keys.
const MAX_BYTES: usize = 32 << 20;
/// Larger ones are not cached.
const MAX_ANSWER_BYTES: usize = 64 << 10;
/// Approximate overhead of one besides its body and its key's text.
const OVERHEAD_BYTES: usize = 512;

/// Everything on which the bytes depend.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AnswerKey {
    /// The result's location in the store.
    pub(crate) location: String,
    pub(crate) places: Option<Vec<usize>>,
    pub(crate) offset: u64,
    pub(crate) limit: u64,
    pub(crate) format: RowFormat,
    pub(crate) shape: RowShape,
    /// The coding that the client accepts.
    pub(crate) coding: Coding,
}

/// Answers by key; the oldest is evicted first.
#[derive(Debug, Default)]
pub(crate) struct AnswerCache(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    answers: HashMap<AnswerKey, CachedAnswer>,
    order: VecDeque<AnswerKey>,
    bytes: usize,
}

#[derive(Clone, Debug)]
struct CachedAnswer {
    content_type: HeaderValue,
    content_encoding: Option<HeaderValue>,
    body: Bytes,
}

impl AnswerCache {
    /// The answer, with the two headers that describe its bytes.
    pub(crate) fn get(&self, key: &AnswerKey) -> Option<Answer> {
        let CachedAnswer { content_type, content_encoding, body } = self.entries().answers.get(key)?.clone();
        let mut answer = Response::new(AnswerBody::Whole(body));
        answer.headers_mut().insert(CONTENT_TYPE, content_type);
        answer.headers_mut().extend(content_encoding.map(|encoding| (CONTENT_ENCODING, encoding)));
        Some(answer)
    }

    /// Caches an answer, if it is whole and small.
    pub(crate) fn keep(&self, key: AnswerKey, answer: &Answer) {
        let AnswerBody::Whole(body) = answer.body() else { return };
        let Some(content_type) = answer.headers().get(CONTENT_TYPE).cloned() else { return };
        if body.len() > MAX_ANSWER_BYTES {
            return;
        }
        let content_encoding = answer.headers().get(CONTENT_ENCODING).cloned();
        // A copy: the bytes may be part of a larger allocation that would stay alive with them.
        let cached = CachedAnswer { content_type, content_encoding, body: Bytes::copy_from_slice(body) };
        let mut all = self.entries();
        let bytes = key.bytes() + cached.body.len();
        if all.answers.insert(key.clone(), cached).is_some() {
            return;
        }
        all.bytes += bytes;
        all.order.push_back(key);
        while all.bytes > MAX_BYTES {
            let Some(oldest) = all.order.pop_front() else { break };
            if let Some(removed) = all.answers.remove(&oldest) {
                all.bytes -= oldest.bytes() + removed.body.len();
            }
        }
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AnswerKey {
    fn bytes(&self) -> usize {
        let places = self.places.as_ref().map_or(0, |places| places.len() * size_of::<usize>());
        // The key is in the order, too.
        2 * (self.location.len() + places) + OVERHEAD_BYTES
    }
}

#[cfg(test)]
mod tests {
    use crate::response::{JSON, whole};

    use super::*;

    fn key(location: &str) -> AnswerKey {
        AnswerKey {
            location: location.to_owned(),
            places: None,
            offset: 0,
            limit: 10,
            format: RowFormat::Json,
            shape: RowShape::Objects,
            coding: Coding::Identity,
        }
    }

    #[test]
    fn a_cached_answer_is_found_only_by_its_whole_key() {
        let cache = AnswerCache::default();
        cache.keep(key("a"), &whole(JSON, "[1]"));
        let found = cache.get(&key("a")).expect("it is kept");
        assert_eq!(found.headers().get(CONTENT_TYPE), Some(&JSON));
        assert!(matches!(found.body(), AnswerBody::Whole(bytes) if bytes.as_ref() == b"[1]"));
        for other in [
            key("b"),
            AnswerKey { offset: 1, ..key("a") },
            AnswerKey { limit: 1, ..key("a") },
            AnswerKey { places: Some(vec![0]), ..key("a") },
            AnswerKey { format: RowFormat::Csv, ..key("a") },
            AnswerKey { shape: RowShape::Arrays, ..key("a") },
            AnswerKey { coding: Coding::Gzip, ..key("a") },
        ] {
            assert!(cache.get(&other).is_none(), "{other:?}");
        }
    }

    #[test]
    fn the_memory_is_bounded() {
        let cache = AnswerCache::default();
        cache.keep(key("large"), &whole(JSON, vec![b' '; MAX_ANSWER_BYTES + 1]));
        assert!(cache.get(&key("large")).is_none());
        for number in 0..1000 {
            cache.keep(key(&number.to_string()), &whole(JSON, vec![b' '; MAX_ANSWER_BYTES]));
        }
        let all = cache.entries();
        let (bytes, count) = (all.bytes, all.answers.len());
        assert!(bytes <= MAX_BYTES && count > 400 && count == all.order.len(), "{bytes} {count}");
    }

    #[test]
    fn the_oldest_answer_is_evicted_first() {
        let cache = AnswerCache::default();
        for number in 0..1000 {
            cache.keep(key(&number.to_string()), &whole(JSON, vec![b' '; MAX_ANSWER_BYTES]));
        }
        assert!(cache.get(&key("0")).is_none() && cache.get(&key("999")).is_some());
    }
}
