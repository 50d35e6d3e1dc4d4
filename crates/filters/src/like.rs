//! SQL's LIKE with the escape character `\`: compiled once, then matched in time linear in the text, whatever the
//! pattern, times one for each 64 characters of a segment that has `_` between letters. A long text can be matched
//! piece by piece.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Quoted};

mod bit_parallel;
mod characters;
mod needle;
mod segment;

use needle::Needle;
use segment::Segment;

/// Minimum size of a piece of text, so that the cost of starting a piece is negligible.
const LEAST_PIECE_BYTES: usize = 4096;

/// A compiled LIKE pattern: `%` matches any text, `_` any one character (Unicode scalar value), `\` escapes `%`, `_` or
/// `\`. Matching is case-sensitive.
#[derive(Clone, Debug)]
pub struct LikePattern {
    source: String,
    /// Shared, because filters are cloned for each of their readers.
    compiled: Arc<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    /// Bytes of the shortest text that matches. Shorter texts are not searched, so that no text costs more than its own
    /// length.
    least_bytes: usize,
    /// The segment before the first `%`: the whole pattern if there is none.
    first: Segment,
    rest: Option<Rest>,
    steps_per_byte: u64,
}

/// The rest of the pattern after the first `%`.
#[derive(Debug)]
struct Rest {
    /// Minimum number of characters before the first needle.
    skipped: usize,
    middle: Vec<Middle>,
    /// Minimum number of bytes of a text that one piece searches.
    piece_bytes: usize,
    /// The segment after the last `%`.
    last: Segment,
}

/// A segment between two `%`: its letters and what is between them, without leading and trailing `_`.
#[derive(Debug)]
struct Middle {
    needle: Needle,
    /// Minimum number of characters after it: the `_` that end this segment and those that begin the next.
    skipped: usize,
}

/// The state of matching a text in pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LikePlace {
    /// Needles found so far.
    met: usize,
    /// Where the search for the next needle continues, counted from the first `%`; none before the first search.
    position: Option<usize>,
    looked_at: usize,
}

impl LikePlace {
    /// Bytes searched so far, some of them twice: the cost of matching so far.
    pub fn looked_at(&self) -> usize {
        self.looked_at
    }
}

impl LikePattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// `MalformedOperand` where a `\` stands before anything but `%`, `_` and `\`, or at the end, as in Trino.
    pub fn new(source: &str) -> Result<Self, Error> {
        let mut segments = Vec::new();
        let mut segment = Vec::new();
        let mut characters = source.chars().enumerate();
        while let Some((position, character)) = characters.next() {
            match character {
                '%' => segments.push(std::mem::take(&mut segment)),
                '_' => segment.push(None),
                '\\' => match characters.next() {
                    Some((_, escaped @ ('%' | '_' | '\\'))) => segment.push(Some(escaped)),
                    other => {
                        let found = match other {
                            Some((_, character)) => format!("before {}", Quoted(&character.to_string())),
                            None => "at the end".to_owned(),
                        };
                        return Err(Error::new(
                            ErrorKind::MalformedOperand,
                            format!(
                                "the LIKE pattern {} has a `\\` {found} (its character {}), expected `\\%`, `\\_` or \
                                 `\\\\`",
                                Quoted(source),
                                position + 1
                            ),
                        ));
                    }
                },
                _ => segment.push(Some(character)),
            }
        }
        segments.push(segment);
        Ok(Self { source: source.to_owned(), compiled: Arc::new(Compiled::new(&segments)) })
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Whether the whole of `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        self.matches_utf8(text.as_bytes())
    }

    /// As [`LikePattern::matches`], of bytes that are known to be UTF-8. For other bytes the answer is unspecified.
    pub fn matches_utf8(&self, text: &[u8]) -> bool {
        self.advance(text, &mut LikePlace::default(), usize::MAX).unwrap_or(false)
    }

    /// As [`LikePattern::matches_utf8`], but searches only about `most_bytes` of the text, or a few times the length of
    /// the pattern if that is more. None if the answer is not known yet: a further call with the same text and place
    /// continues.
    pub fn advance(&self, text: &[u8], place: &mut LikePlace, most_bytes: usize) -> Option<bool> {
        let Compiled { least_bytes, first, rest, .. } = &*self.compiled;
        if text.len() < *least_bytes {
            return Some(false);
        }
        let Some(after_first) = first.strip_from_start(text) else { return Some(false) };
        let Some(rest) = rest else { return Some(after_first.is_empty()) };
        let Some(text) = rest.last.strip_from_end(after_first) else { return Some(false) };
        rest.advance(text, place, most_bytes)
    }

    /// Cost of [`LikePattern::advance`] per byte that it searches, about a nanosecond of a core each.
    pub fn steps_per_byte(&self) -> u64 {
        self.compiled.steps_per_byte
    }
}

impl PartialEq for LikePattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for LikePattern {}

impl Hash for LikePattern {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.source.hash(state);
    }
}

impl Compiled {
    /// Compiles the segments between the `%`; `None` is a `_`.
    fn new(segments: &[Vec<Option<char>>]) -> Self {
        let characters = segments.iter().flatten();
        let least_bytes = characters.map(|character| character.map_or(1, char::len_utf8)).sum();
        let (first, rest) = match segments {
            [] => (Segment::new(&[]), None),
            [only] => (Segment::new(only), None),
            [first, middle @ .., last] => (Segment::new(first), Some(Rest::new(middle, last))),
        };
        let middle = rest.iter().flat_map(|rest| &rest.middle);
        let steps_per_byte = middle.map(|middle| middle.needle.steps_per_byte()).max().unwrap_or(1);
        Self { least_bytes, first, rest, steps_per_byte }
    }
}

impl Rest {
    fn new(segments: &[Vec<Option<char>>], last: &[Option<char>]) -> Self {
        let (mut skipped, mut middle) = (0, Vec::<Middle>::new());
        for segment in segments {
            let is_letter = |character: &Option<char>| character.is_some();
            let start = segment.iter().position(is_letter).unwrap_or(segment.len());
            let end = segment.iter().rposition(is_letter).map_or(start, |place| place + 1);
            *middle.last_mut().map_or(&mut skipped, |before| &mut before.skipped) += start;
            if start < end {
                let needle = Needle::new(&segment[start..end]);
                middle.push(Middle { needle, skipped: segment.len() - end });
            }
        }
        let needles = middle.iter().map(|middle| middle.needle.piece_bytes());
        let piece_bytes = needles.max().unwrap_or(0).max(LEAST_PIECE_BYTES);
        Self { skipped, middle, piece_bytes, last: Segment::new(last) }
    }

    /// A segment between two `%` has a fixed length, so matching each at its first position leaves the most text for
    /// the next ones: backtracking is never needed.
    fn advance(&self, text: &[u8], place: &mut LikePlace, most_bytes: usize) -> Option<bool> {
        let start = match place.position {
            Some(position) => position,
            None => match characters::skip(text, self.skipped) {
                Some(position) => position,
                None => return Some(false),
            },
        };
        // Checked once for all needles: checking it for each would take text times needles.
        let end = characters::floor_boundary(text, start.saturating_add(most_bytes.max(self.piece_bytes)));
        let window = text.get(start..end).and_then(|window| std::str::from_utf8(window).ok());
        let Some(window) = window else { return Some(false) };
        let mut position = 0;
        while let Some(middle) = self.middle.get(place.met) {
            // Skipped characters may extend beyond the window.
            let Some(left) = window.get(position..) else { break };
            match middle.needle.find_end(left) {
                Some(end) => {
                    place.looked_at += end;
                    position += end;
                    match characters::skip(&text[start + position..], middle.skipped) {
                        Some(skipped) => position += skipped,
                        None => return Some(false),
                    }
                    place.met += 1;
                }
                None => {
                    place.looked_at += left.len();
                    if end == text.len() {
                        return Some(false);
                    }
                    position += middle.needle.first_unknown(left);
                    break;
                }
            }
        }
        place.position = Some(start + position);
        (place.met == self.middle.len()).then_some(true)
    }
}

#[cfg(test)]
mod tests;
