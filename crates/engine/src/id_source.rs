//! Random ids and secrets, injected so that tests can predict them.

use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use rowhouse_model::Timestamp;

/// A source of random bytes.
pub trait IdSource: Debug + Send + Sync {
    /// Fills the buffer.
    fn fill(&self, bytes: &mut [u8]);

    /// A new id: 20 characters of lower-case base 32 (100 random bits), safe in URLs and file names.
    fn new_id(&self) -> String {
        let mut bytes = [0; ID_CHARACTERS];
        self.fill(&mut bytes);
        bytes.into_iter().map(character).collect()
    }

    /// A new id for records that are created often and indexed: ids of one time are adjacent, so that a group of new
    /// ones touches one page of the index instead of one for each.
    fn new_ordered_id(&self, _now: Timestamp) -> String {
        self.new_id()
    }
}

const ID_CHARACTERS: usize = 20;
/// Characters of an ordered id for its millisecond: enough for a thousand years.
const TIME_CHARACTERS: usize = 9;
/// Ordered ids whose random bytes a thread takes from the operating system at once.
const SPARE_IDS: usize = 64;

/// Crockford's base 32 in lower case: no letters that read as digits.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The character of a byte's last five bits.
fn character(byte: u8) -> char {
    char::from(ALPHABET[usize::from(byte & 31)])
}

thread_local! {
    /// Random bytes of ordered ids; each is used once.
    static SPARE_BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The operating system's random numbers.
#[derive(Debug, Default)]
pub struct RandomIdSource;

impl IdSource for RandomIdSource {
    fn fill(&self, bytes: &mut [u8]) {
        // OK because Linux cannot fail here after boot, and without randomness no secret may be made.
        getrandom::fill(bytes).expect("the operating system gives random bytes");
    }

    /// The time, followed by 55 random bits. Such an id is no secret, so its bits may have waited in memory.
    fn new_ordered_id(&self, now: Timestamp) -> String {
        let millis = now.as_millis();
        let mut id = String::with_capacity(ID_CHARACTERS);
        id.extend((0..TIME_CHARACTERS).rev().map(|place| character((millis >> (5 * place)) as u8)));
        SPARE_BYTES.with_borrow_mut(|spare| {
            if spare.len() < ID_CHARACTERS - TIME_CHARACTERS {
                spare.resize(SPARE_IDS * (ID_CHARACTERS - TIME_CHARACTERS), 0);
                self.fill(spare);
            }
            let rest = spare.len() - (ID_CHARACTERS - TIME_CHARACTERS);
            id.extend(spare.drain(rest..).map(character));
        });
        id
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
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ordered_ids_sort_by_time_and_are_unique() {
        let at = |millis: i64| RandomIdSource.new_ordered_id(Timestamp::from_millis(millis));
        let ids = [0, 1, 31, 32, 1_700_000_000_000, 1_700_000_000_001, 1_800_000_000_000].map(at);
        assert!(ids.is_sorted(), "{ids:?}");
        assert!(ids.iter().all(|id| id.len() == 20 && id.bytes().all(|byte| ALPHABET.contains(&byte))));
        let many: HashSet<_> = (0..5 * SPARE_IDS).map(|_| at(5)).collect();
        assert_eq!(many.len(), 5 * SPARE_IDS);
    }
}
