//! Random ids and secrets, passed in so that tests can foretell them.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

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
}

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
