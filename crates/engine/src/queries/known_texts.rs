//! What is known about the texts that came recently: the oldest is forgotten first.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of texts.
pub(super) const MAX_TEXTS: usize = 1024;
/// Longer texts are not stored: with [`MAX_TEXTS`] it bounds the memory of the texts to 4 MiB.
pub(super) const MAX_TEXT_BYTES: usize = 4 << 10;

/// Values by text.
#[derive(Debug)]
pub(super) struct KnownTexts<V> {
    known: Mutex<Known<V>>,
}

#[derive(Debug)]
struct Known<V> {
    values: HashMap<String, V>,
    /// Texts in order of insertion; the first one is evicted first.
    texts: VecDeque<String>,
}

impl<V> Default for KnownTexts<V> {
    fn default() -> Self {
        Self { known: Mutex::new(Known { values: HashMap::new(), texts: VecDeque::new() }) }
    }
}

impl<V: Clone> KnownTexts<V> {
    /// The value of a text.
    pub(super) fn get(&self, text: &str) -> Option<V> {
        // A long text is not there, and to hash it would take as long as it is.
        if text.len() > MAX_TEXT_BYTES {
            return None;
        }
        self.known().values.get(text).cloned()
    }

    /// Stores the value of a text, unless that is long.
    pub(super) fn remember(&self, text: &str, value: V) {
        if text.len() > MAX_TEXT_BYTES {
            return;
        }
        let mut known = self.known();
        if known.values.insert(text.to_owned(), value).is_some() {
            return;
        }
        known.texts.push_back(text.to_owned());
        if known.texts.len() > MAX_TEXTS
            && let Some(oldest) = known.texts.pop_front()
        {
            known.values.remove(&oldest);
        }
    }

    fn known(&self) -> MutexGuard<'_, Known<V>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_texts_are_known_unless_they_are_long() {
        let known = KnownTexts::default();
        for number in 0..=MAX_TEXTS {
            known.remember(&number.to_string(), 0);
            known.remember(&number.to_string(), number);
        }
        assert_eq!(known.get("0"), None);
        assert_eq!(known.get("1"), Some(1));
        assert_eq!(known.known().texts.len(), MAX_TEXTS);
        let long = "x".repeat(MAX_TEXT_BYTES + 1);
        known.remember(&long, 7);
        assert_eq!(known.get(&long), None);
    }
}
