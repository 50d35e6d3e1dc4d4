//! A prefix or suffix that a text must have: letters and `_`, of a fixed length in characters.

use super::characters::{skip, skip_back};

#[derive(Debug)]
pub(super) struct Segment(Vec<Piece>);

#[derive(Debug)]
enum Piece {
    Letters(Vec<u8>),
    /// This number of `_`.
    Any(usize),
}

impl Segment {
    pub(super) fn new(characters: &[Option<char>]) -> Self {
        let mut pieces = Vec::new();
        for character in characters {
            match (character, pieces.last_mut()) {
                (Some(letter), Some(Piece::Letters(letters))) => push(letters, *letter),
                (Some(letter), _) => {
                    let mut letters = Vec::new();
                    push(&mut letters, *letter);
                    pieces.push(Piece::Letters(letters));
                }
                (None, Some(Piece::Any(count))) => *count += 1,
                (None, _) => pieces.push(Piece::Any(1)),
            }
        }
        Self(pieces)
    }

    /// The rest of a text that begins with the segment.
    #[inline]
    pub(super) fn strip_from_start<'t>(&self, mut text: &'t [u8]) -> Option<&'t [u8]> {
        for piece in &self.0 {
            text = match piece {
                Piece::Letters(letters) => text.strip_prefix(letters.as_slice())?,
                Piece::Any(count) => &text[skip(text, *count)?..],
            };
        }
        Some(text)
    }

    /// The beginning of a text that ends with the segment.
    #[inline]
    pub(super) fn strip_from_end<'t>(&self, mut text: &'t [u8]) -> Option<&'t [u8]> {
        for piece in self.0.iter().rev() {
            text = match piece {
                Piece::Letters(letters) => text.strip_suffix(letters.as_slice())?,
                Piece::Any(count) => &text[..skip_back(text, *count)?],
            };
        }
        Some(text)
    }
}

fn push(letters: &mut Vec<u8>, letter: char) {
    letters.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
}
