//! Finds the first match of letters and `_` in a text: letters alone with Two-Way, the standard library's search;
//! letters with `_` between them with Shift-And. Neither backtracks in the text, so neither takes text times pattern.

use super::bit_parallel::BitParallel;

/// Letters and `_` to be found in a text; it begins and ends with a letter.
#[derive(Debug)]
pub(super) enum Needle {
    Letters(String),
    Wildcards(Box<BitParallel>),
}

impl Needle {
    pub(super) fn new(characters: &[Option<char>]) -> Self {
        match characters.iter().copied().collect::<Option<String>>() {
            Some(letters) => Self::Letters(letters),
            None => Self::Wildcards(Box::new(BitParallel::new(characters))),
        }
    }

    /// End of its first match in a text.
    pub(super) fn find_end(&self, text: &str) -> Option<usize> {
        match self {
            // Preparing a search takes time linear in the letters: no text costs more than its own length.
            Self::Letters(letters) if letters.len() > text.len() => None,
            Self::Letters(letters) => text.find(letters.as_str()).map(|start| start + letters.len()),
            Self::Wildcards(wildcards) => wildcards.find_end(text.as_bytes()),
        }
    }

    /// Where a match may begin in a text without one, if more text follows.
    pub(super) fn first_unknown(&self, text: &str) -> usize {
        match self {
            Self::Letters(letters) => {
                let mut place = (text.len() + 1).saturating_sub(letters.len()).min(text.len());
                while !text.is_char_boundary(place) {
                    place -= 1;
                }
                place
            }
            Self::Wildcards(wildcards) => wildcards.first_unknown(text.as_bytes()),
        }
    }

    /// Minimum size of a piece of text, so that most of it is not searched again in the next piece.
    pub(super) fn piece_bytes(&self) -> usize {
        match self {
            Self::Letters(letters) => letters.len().saturating_mul(2),
            Self::Wildcards(wildcards) => wildcards.piece_bytes(),
        }
    }

    /// Cost of a byte, about a nanosecond each.
    pub(super) fn steps_per_byte(&self) -> u64 {
        match self {
            Self::Letters(_) => 1,
            Self::Wildcards(wildcards) => wildcards.steps_per_byte(),
        }
    }
}
