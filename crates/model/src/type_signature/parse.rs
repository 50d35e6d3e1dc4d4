//! Parses a type name in Trino's spelling (D15).

use std::fmt;

use super::{FieldName, NamedType, TypeArgument, TypeSignature};

/// The length of a `varchar` without one.
pub(super) const UNBOUNDED_LENGTH: TypeArgument = TypeArgument::Long(2_147_483_647);

/// Maximum nesting of types: the parser is recursive, and names also come from other servers.
const MAX_DEPTH: usize = 64;

/// The text is no type name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTypeName {
    text: String,
    offset: usize,
    expected: &'static str,
}

impl fmt::Display for InvalidTypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, offset, expected } = self;
        write!(f, "'{text}' is not a type name: expected {expected} at byte {offset}")
    }
}

impl std::error::Error for InvalidTypeName {}

pub(super) fn parse(text: &str) -> Result<TypeSignature, InvalidTypeName> {
    let mut parser = Parser { text, offset: 0 };
    let signature = parser.signature(0).and_then(|signature| {
        parser.skip_spaces();
        if parser.rest().is_empty() { Ok(signature) } else { Err("the end") }
    });
    signature.map_err(|expected| InvalidTypeName { text: text.to_owned(), offset: parser.offset, expected })
}

/// The contents of a type's parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arguments {
    Fields,
    TypesOrNumbers,
}

struct Parser<'t> {
    text: &'t str,
    offset: usize,
}

type Parsed<T> = Result<T, &'static str>;

impl<'t> Parser<'t> {
    fn signature(&mut self, depth: usize) -> Parsed<TypeSignature> {
        if depth > MAX_DEPTH {
            return Err("fewer levels of types");
        }
        let mut raw_type = self.word().ok_or("the name of a type")?.to_owned();
        match raw_type.to_ascii_lowercase().as_str() {
            "interval" if self.takes_words(&["day", "to", "second"]) => raw_type.push_str(" day to second"),
            "interval" if self.takes_words(&["year", "to", "month"]) => raw_type.push_str(" year to month"),
            "interval" => return Err("'day to second' or 'year to month'"),
            "double" if self.takes_words(&["precision"]) => {}
            _ => {}
        }
        let kind =
            if raw_type.eq_ignore_ascii_case("row") { Arguments::Fields } else { Arguments::TypesOrNumbers };
        let mut arguments = if self.takes('(') { self.arguments(kind, depth)? } else { Vec::new() };
        let can_have_zone = ["time", "timestamp"].iter().any(|name| raw_type.eq_ignore_ascii_case(name));
        if can_have_zone {
            if self.takes_words(&["with", "time", "zone"]) {
                raw_type.push_str(" with time zone");
            } else {
                self.takes_words(&["without", "time", "zone"]);
            }
        }
        fill_in(&raw_type, &mut arguments);
        Ok(TypeSignature::new(raw_type, arguments))
    }

    fn arguments(&mut self, kind: Arguments, depth: usize) -> Parsed<Vec<TypeArgument>> {
        let mut arguments = Vec::new();
        loop {
            self.skip_spaces();
            arguments.push(match kind {
                Arguments::Fields => TypeArgument::NamedType(self.field(depth)?),
                Arguments::TypesOrNumbers if self.rest().starts_with(|c: char| c.is_ascii_digit()) => {
                    TypeArgument::Long(self.number()?)
                }
                Arguments::TypesOrNumbers => TypeArgument::Type(self.signature(depth + 1)?),
            });
            if self.takes(')') {
                return Ok(arguments);
            }
            if !self.takes(',') {
                return Err("',' or ')'");
            }
        }
    }

    /// `x bigint`, `"a b" bigint` or `bigint`.
    fn field(&mut self, depth: usize) -> Parsed<NamedType> {
        let field_name = if self.rest().starts_with('"') {
            Some(FieldName { name: self.quoted_name()? })
        } else {
            self.plain_field_name().map(|name| FieldName { name: name.to_owned() })
        };
        Ok(NamedType { field_name, type_signature: self.signature(depth + 1)? })
    }

    /// A word that is followed by another word is a field's name, unless both begin a type of several words.
    fn plain_field_name(&mut self) -> Option<&'t str> {
        let start = self.offset;
        let name = self.word()?;
        let next = Parser { ..*self }.word().or_else(|| self.next_is('"').then_some("\""));
        let next = next.map(str::to_ascii_lowercase);
        let begins_type = matches!(
            (name.to_ascii_lowercase().as_str(), next.as_deref()),
            (_, None)
                | ("time" | "timestamp", Some("with" | "without"))
                | ("interval", Some("day" | "year"))
                | ("double", Some("precision"))
        );
        if !begins_type {
            return Some(name);
        }
        self.offset = start;
        None
    }

    fn quoted_name(&mut self) -> Parsed<String> {
        let mut name = String::new();
        let mut characters = self.rest().char_indices().skip(1).peekable();
        while let Some((at, character)) = characters.next() {
            if character != '"' {
                name.push(character);
            } else if characters.next_if(|&(_, next)| next == '"').is_some() {
                name.push('"');
            } else {
                self.offset += at + 1;
                return Ok(name);
            }
        }
        Err("a closing '\"'")
    }

    fn number(&mut self) -> Parsed<i64> {
        let rest = self.rest();
        let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
        let number = digits.parse().map_err(|_| "a smaller number")?;
        self.offset += digits.len();
        Ok(number)
    }

    fn word(&mut self) -> Option<&'t str> {
        self.skip_spaces();
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | ':' | '-');
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.offset += word.len();
        Some(word)
    }

    /// Consumes all of the words or none.
    fn takes_words(&mut self, words: &[&str]) -> bool {
        let start = self.offset;
        let found =
            words.iter().all(|word| self.word().is_some_and(|found| found.eq_ignore_ascii_case(word)));
        if !found {
            self.offset = start;
        }
        found
    }

    fn takes(&mut self, character: char) -> bool {
        let found = self.next_is(character);
        if found {
            self.skip_spaces();
            self.offset += character.len_utf8();
        }
        found
    }

    fn next_is(&self, character: char) -> bool {
        self.rest().trim_start().starts_with(character)
    }

    fn skip_spaces(&mut self) {
        self.offset += self.rest().len() - self.rest().trim_start().len();
    }

    fn rest(&self) -> &'t str {
        &self.text[self.offset..]
    }
}

/// Adds the arguments that Trino adds when a name omits them.
fn fill_in(raw_type: &str, arguments: &mut Vec<TypeArgument>) {
    match (raw_type.to_ascii_lowercase().as_str(), arguments.len()) {
        ("varchar", 0) => arguments.push(UNBOUNDED_LENGTH),
        ("char", 0) => arguments.push(TypeArgument::Long(1)),
        ("decimal", 0) => arguments.extend([TypeArgument::Long(38), TypeArgument::Long(0)]),
        ("decimal", 1) => arguments.push(TypeArgument::Long(0)),
        ("time" | "timestamp" | "time with time zone" | "timestamp with time zone", 0) => {
            arguments.push(TypeArgument::Long(3));
        }
        _ => {}
    }
}
