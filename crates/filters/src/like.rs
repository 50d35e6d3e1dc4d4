//! SQL's LIKE with the escape character `\`: compiled once, then matched in time that grows with the product
//! of the lengths at worst.

use crate::error::{Error, ErrorKind, Quoted};

/// A compiled LIKE pattern: `%` stands for any text, `_` for any one character (Unicode scalar value), `\`
/// before `%`, `_` or `\` takes its meaning away. Letter case counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LikePattern {
    source: String,
    /// What stands between the `%`: never empty. One segment means that there is no `%`.
    segments: Vec<Segment>,
}

/// A piece of a pattern without `%`, so of a fixed length in characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Segment {
    Literal(String),
    /// Holds at least one `_`, which is `None`.
    Wildcards(Vec<Option<char>>),
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
                '%' => segments.push(Segment::new(std::mem::take(&mut segment))),
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
        segments.push(Segment::new(segment));
        Ok(Self { source: source.to_owned(), segments })
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Whether the whole of `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        // Segments have fixed lengths, so taking each at its first place leaves the most text to the next ones:
        // there is nothing to go back for.
        match &self.segments[..] {
            [] => text.is_empty(),
            [only] => only.strip_from_start(text).is_some_and(str::is_empty),
            [first, middle @ .., last] => {
                let Some(mut rest) = first.strip_from_start(text).and_then(|rest| last.strip_from_end(rest))
                else {
                    return false;
                };
                for segment in middle {
                    let Some(after) = segment.strip_through(rest) else { return false };
                    rest = after;
                }
                true
            }
        }
    }
}

impl Segment {
    fn new(characters: Vec<Option<char>>) -> Self {
        match characters.iter().copied().collect::<Option<String>>() {
            Some(literal) => Self::Literal(literal),
            None => Self::Wildcards(characters),
        }
    }

    /// What follows the segment in a text that begins with it.
    fn strip_from_start<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Literal(literal) => text.strip_prefix(literal.as_str()),
            Self::Wildcards(pattern) => {
                let mut characters = text.chars();
                pattern.iter().all(|wanted| fits(*wanted, characters.next())).then_some(characters.as_str())
            }
        }
    }

    /// What precedes the segment in a text that ends with it.
    fn strip_from_end<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Literal(literal) => text.strip_suffix(literal.as_str()),
            Self::Wildcards(pattern) => {
                let mut characters = text.chars();
                pattern
                    .iter()
                    .rev()
                    .all(|wanted| fits(*wanted, characters.next_back()))
                    .then_some(characters.as_str())
            }
        }
    }

    /// What follows the segment's first place in a text.
    fn strip_through<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Literal(literal) => text.find(literal.as_str()).map(|start| &text[start + literal.len()..]),
            Self::Wildcards(_) => {
                text.char_indices().find_map(|(start, _)| self.strip_from_start(&text[start..]))
            }
        }
    }
}

fn fits(wanted: Option<char>, found: Option<char>) -> bool {
    found.is_some_and(|found| wanted.is_none_or(|wanted| wanted == found))
}

#[cfg(test)]
mod tests;
