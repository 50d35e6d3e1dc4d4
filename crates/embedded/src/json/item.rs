//! The tree of a JSON text. Numbers with a point or an exponent are doubles; integers retain all their digits, as in
//! Trino.

use std::cmp::Ordering;

use rowhouse_sql::json_text::{Reader, Token};

use super::MAX_DEPTH;

/// Bytes of a text whose copy counts as one step.
const BYTES_OF_A_STEP: usize = 64;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Null,
    /// What a blank document is in SQL/JSON: written as `null`, but neither a scalar nor equal to `null`.
    Missing,
    Boolean(bool),
    /// A number as it is written; parsed ones are integers.
    Digits(String),
    Double(f64),
    Text(String),
    Array(Vec<Item>),
    /// Members with unique names.
    Object(Vec<(String, Item)>),
}

/// An array or an object that is being parsed.
enum Open {
    Array(Vec<Item>),
    Object(Members),
}

/// Members in the order of the first occurrence of their names; the last value of a name counts.
#[derive(Default)]
struct Members {
    members: Vec<(String, Item)>,
    /// The name whose value is parsed next.
    name: String,
}

impl Item {
    /// Parses a text; `None` if it is invalid JSON or nested too deep.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut json = Reader::new(text);
        let first = json.next()?;
        let item = Self::begun(&mut json, first)?;
        json.is_at_end().then_some(item)
    }

    /// Parses the value that begins with a token.
    pub(crate) fn begun(json: &mut Reader<'_>, first: Token) -> Option<Self> {
        let mut open: Vec<Open> = Vec::new();
        let mut token = first;
        loop {
            let complete = match token {
                Token::StartArray => {
                    open.push(Open::Array(Vec::new()));
                    None
                }
                Token::StartObject => {
                    open.push(Open::Object(Members::default()));
                    None
                }
                Token::Name => {
                    let Some(Open::Object(members)) = open.last_mut() else { return None };
                    members.name = json.text()?.into_owned();
                    None
                }
                Token::EndArray | Token::EndObject => Some(open.pop()?.closed()),
                Token::Text => Some(Self::Text(json.text()?.into_owned())),
                Token::Integer => {
                    Some(Self::Digits(if json.raw() == "-0" { "0" } else { json.raw() }.to_owned()))
                }
                Token::Fraction => Some(Self::Double(json.raw().parse().ok()?)),
                Token::True | Token::False => Some(Self::Boolean(token == Token::True)),
                Token::Null => Some(Self::Null),
            };
            if open.len() > MAX_DEPTH {
                return None;
            }
            if let Some(item) = complete {
                match open.last_mut() {
                    None => return Some(item),
                    Some(Open::Array(elements)) => elements.push(item),
                    Some(Open::Object(members)) => {
                        let name = std::mem::take(&mut members.name);
                        members.members.push((name, item));
                    }
                }
            }
            token = json.next()?;
        }
    }

    /// The number of steps of a copy: one for each value, including this one, and [those of its texts](text_steps).
    pub(crate) fn size(&self) -> usize {
        1 + match self {
            Self::Array(elements) => elements.iter().map(Self::size).sum(),
            Self::Object(members) => {
                members.iter().map(|(name, value)| text_steps(name.len()) + value.size()).sum()
            }
            Self::Text(text) | Self::Digits(text) => text_steps(text.len()),
            Self::Null | Self::Missing | Self::Boolean(_) | Self::Double(_) => 0,
        }
    }

    /// Sorts the members of all objects by name, in the order of Java's strings.
    pub(crate) fn sort(&mut self) {
        match self {
            Self::Array(elements) => elements.iter_mut().for_each(Self::sort),
            Self::Object(members) => {
                members.sort_by(|(a, _), (b, _)| compare_units(a, b));
                members.iter_mut().for_each(|(_, value)| value.sort());
            }
            _ => {}
        }
    }
}

/// The number of steps of a copy of a text with `bytes` bytes.
pub(crate) const fn text_steps(bytes: usize) -> usize {
    bytes / BYTES_OF_A_STEP
}

impl Open {
    fn closed(self) -> Item {
        match self {
            Self::Array(elements) => Item::Array(elements),
            Self::Object(Members { members, .. }) => Item::Object(without_repeated(members)),
        }
    }
}

/// The last value of each name, at the position of its first occurrence.
fn without_repeated(members: Vec<(String, Item)>) -> Vec<(String, Item)> {
    let mut places = std::collections::HashMap::with_capacity(members.len());
    let mut kept: Vec<(String, Item)> = Vec::with_capacity(members.len());
    for (name, value) in members {
        match places.get(&name) {
            Some(&place) => {
                let (_, before): &mut (String, Item) = &mut kept[place];
                *before = value;
            }
            None => {
                places.insert(name.clone(), kept.len());
                kept.push((name, value));
            }
        }
    }
    kept
}

/// The order of Java's strings: by 16-bit units.
fn compare_units(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

#[cfg(test)]
mod tests {
    use super::super::write_item;
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let written = Item::read(text).map(|mut item| {
            item.sort();
            let mut output = String::new();
            write_item(&item, &mut output);
            output
        });
        assert_eq!(written.as_deref(), expected, "{text}");
    }

    #[test]
    fn members_are_sorted_and_the_last_duplicate_wins() {
        check(r#" {"b":1,"a":{"d":1.50,"c":-0},"b":[2]} "#, Some(r#"{"a":{"c":0,"d":1.5},"b":[2]}"#));
        check("{\"\u{ffff}\":1,\"😀\":2}", Some("{\"\\uD83D\\uDE00\":2,\"\u{ffff}\":1}"));
        check("[1", None);
        check("1 1", None);
    }

    #[test]
    fn nesting_depth_is_limited() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        check(&nested(MAX_DEPTH), Some(&nested(MAX_DEPTH)));
        check(&nested(MAX_DEPTH + 1), None);
    }
}
