//! Statements that were parsed recently and are well-formed, by their text. Dashboards send the same texts repeatedly,
//! and parsing takes a thread with a deep stack, which costs more than the rest of a cache hit.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of statements.
const MAX_STATEMENTS: usize = 1024;
/// Longer texts are not stored: with [`MAX_STATEMENTS`] it bounds the memory to 4 MiB.
const MAX_TEXT_BYTES: usize = 4 << 10;

/// The fingerprints of texts.
#[derive(Debug, Default)]
pub(super) struct KnownStatements {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    fingerprints: HashMap<String, String>,
    /// Texts in order of insertion; the first one is evicted first.
    texts: VecDeque<String>,
}

impl KnownStatements {
    /// The fingerprint of a text that was parsed before.
    pub(super) fn fingerprint(&self, text: &str) -> Option<String> {
        self.known().fingerprints.get(text).cloned()
    }

    /// Stores a well-formed text.
    pub(super) fn remember(&self, text: &str, fingerprint: &str) {
        if text.len() > MAX_TEXT_BYTES {
            return;
        }
        let mut known = self.known();
        if known.fingerprints.insert(text.to_owned(), fingerprint.to_owned()).is_some() {
            return;
        }
        known.texts.push_back(text.to_owned());
        if known.texts.len() > MAX_STATEMENTS
            && let Some(oldest) = known.texts.pop_front()
        {
            known.fingerprints.remove(&oldest);
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_statements_are_remembered_except_long_ones() {
        let known = KnownStatements::default();
        for number in 0..=MAX_STATEMENTS {
            known.remember(&number.to_string(), &format!("f{number}"));
            known.remember(&number.to_string(), &format!("f{number}"));
        }
        assert_eq!(known.fingerprint("0"), None);
        assert_eq!(known.fingerprint("1").as_deref(), Some("f1"));
        assert_eq!(known.known().texts.len(), MAX_STATEMENTS);
        let long = "x".repeat(MAX_TEXT_BYTES + 1);
        known.remember(&long, "f");
        assert_eq!(known.fingerprint(&long), None);
    }
}
