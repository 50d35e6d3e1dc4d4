//! The first place of letters and `_` in a text: of letters alone by the Two-Way algorithm, with `_` between them by
//! Shift-And. Neither goes back in the text, so neither takes text times pattern.

use memchr::memmem::Finder;

use super::bit_parallel::BitParallel;

/// A search looks at so many bytes at least, so that one that is left and taken up gets on.
const LEAST_BYTES: usize = 4096;

/// Begins and ends with a letter.
#[derive(Debug)]
pub(super) enum Needle {
    Letters(Box<Finder<'static>>),
    Wildcards(Box<BitParallel>),
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// The first place ends here.
    EndsAt(usize),
    /// There is none.
    Absent,
    /// There is none that begins before this byte; what lies behind it has not been looked at.
    NotBefore(usize),
}

impl Needle {
    pub(super) fn new(characters: &[Option<char>]) -> Self {
        match characters.iter().copied().collect::<Option<String>>() {
            Some(letters) => Self::Letters(Box::new(Finder::new(&letters).into_owned())),
            None => Self::Wildcards(Box::new(BitParallel::new(characters))),
        }
    }

    /// Looks at about `most_bytes` of a text, and tells at how many it has looked.
    pub(super) fn search(&self, text: &[u8], most_bytes: usize) -> (Search, usize) {
        let most_bytes = most_bytes.max(LEAST_BYTES);
        match self {
            Self::Letters(finder) => {
                let length = finder.needle().len();
                let end = most_bytes.saturating_add(length).min(text.len());
                match finder.find(&text[..end]) {
                    Some(start) => (Search::EndsAt(start + length), start + length),
                    None if end == text.len() => (Search::Absent, end),
                    None => (Search::NotBefore(end + 1 - length), end),
                }
            }
            Self::Wildcards(wildcards) => wildcards.search(text, most_bytes),
        }
    }

    /// What a byte costs, in about a nanosecond.
    pub(super) fn steps_per_byte(&self) -> u64 {
        match self {
            Self::Letters(_) => 1,
            Self::Wildcards(wildcards) => wildcards.steps_per_byte(),
        }
    }
}
