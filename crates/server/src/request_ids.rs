//! Ids of requests: unique, not secret. They consist of a random prefix for each start of the server and a counter, so
//! no random bytes are needed for each request.

use std::sync::atomic::{AtomicU64, Ordering};

use rowhouse_engine::IdSource;

/// Characters of the prefix: 60 random bits.
const PREFIX_BYTES: usize = 12;
/// Digits of the counter, in base 32: 40 bits.
const COUNT_BYTES: usize = 8;
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Generates ids of 20 characters, as other ids have.
#[derive(Debug)]
pub(crate) struct RequestIds {
    prefix: String,
    next: AtomicU64,
}

impl RequestIds {
    /// Takes the prefix from random bytes.
    pub(crate) fn new(ids: &dyn IdSource) -> Self {
        let mut prefix = ids.new_id();
        prefix.truncate(PREFIX_BYTES);
        Self { prefix, next: AtomicU64::new(0) }
    }

    /// A new id.
    pub(crate) fn next(&self) -> String {
        let count = self.next.fetch_add(1, Ordering::Relaxed);
        let mut id = String::with_capacity(PREFIX_BYTES + COUNT_BYTES);
        id.push_str(&self.prefix);
        let digits = (0..COUNT_BYTES).rev().map(|place| DIGITS[(count >> (5 * place)) as usize & 31]);
        id.extend(digits.map(char::from));
        id
    }
}

#[cfg(test)]
mod tests {
    use rowhouse_engine::RandomIdSource;

    use super::*;

    #[test]
    fn request_ids_are_unique_and_of_one_form() {
        let (one, other) = (RequestIds::new(&RandomIdSource), RequestIds::new(&RandomIdSource));
        let ids: std::collections::BTreeSet<String> =
            (0..100).flat_map(|_| [one.next(), other.next()]).collect();
        assert_eq!(ids.len(), 200);
        assert!(ids.iter().all(|id| id.len() == 20 && id.bytes().all(|byte| DIGITS.contains(&byte))));
    }
}
