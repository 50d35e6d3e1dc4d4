//! Random ids and secrets, injected so that tests can predict them.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use rowhouse_model::Timestamp;

/// A source of random bytes.
pub trait IdSource: Debug + Send + Sync {
    /// Fills the buffer.
    fn fill(&self, bytes: &mut [u8]);

    /// A new id: 20 characters of lower-case base 32 (100 random bits), safe in URLs and file names.
    fn new_id(&self) -> String {
        let mut bytes = [0; 20];
        self.fill(&mut bytes);
        bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)])).collect()
    }

    /// A new id for records that are created often and indexed: ids of one time are adjacent, so that a group of new
    /// ones touches one page of the index instead of one for each.
    fn new_ordered_id(&self, _now: Timestamp) -> String {
        self.new_id()
    }
}

/// Characters of an ordered id for its millisecond: enough for a thousand years.
const TIME_CHARACTERS: usize = 9;

/// Crockford's base 32 in lower case: no letters that read as digits.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The operating system's random numbers.
#[derive(Debug, Default)]
pub struct RandomIdSource;

impl IdSource for RandomIdSource {
    fn fill(&self, bytes: &mut [u8]) {
        // OK because Linux cannot fail here after boot, and without randomness no secret may be made.
        getrandom::fill(bytes).expect("the operating system gives random bytes");
    }

    /// The time, followed by 55 random bits.
    fn new_ordered_id(&self, now: Timestamp) -> String {
        let millis = now.as_millis();
        let time = (0..TIME_CHARACTERS).rev().map(|place| ALPHABET[(millis >> (5 * place)) as usize & 31]);
        let random = self.new_id().split_off(TIME_CHARACTERS);
        time.map(char::from).chain(random.chars()).collect()
    }
}

/// Counts upwards: the same ids in every run of a test.
#[derive(Debug, Default)]
pub struct SequentialIdSource {
    next: AtomicU64,
}

impl IdSource for SequentialIdSource {
    fn fill(&self, bytes: &mut [u8]) {
        let mut number = self.next.fetch_add(1, Ordering::Relaxed);
        for byte in bytes.iter_mut().rev() {
            *byte = u8::try_from(number % 32).unwrap_or_default();
            number /= 32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordered_ids_sort_by_time_and_are_unique() {
        let at = |millis: i64| RandomIdSource.new_ordered_id(Timestamp::from_millis(millis));
        let ids = [0, 1, 31, 32, 1_700_000_000_000, 1_700_000_000_001, 1_800_000_000_000].map(at);
        assert!(ids.is_sorted(), "{ids:?}");
        assert!(ids.iter().all(|id| id.len() == 20 && id.bytes().all(|byte| ALPHABET.contains(&byte))));
        assert_ne!(at(5), at(5));
    }
}
