//! The text of the comment that counts, `-- Service API: required("column:operator", "column")`: its strict grammar,
//! and the recognition of near misses.

use crate::error::{Error, ErrorKind, Location, Quoted};
use crate::nearest::edit_distance;

/// The exact beginning of every declaration (interface.md, "Required filters").
const OPENING: &str = "-- Service API: required(";

/// What is wrong with a declaration, and at which byte offset of the comment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    offset: usize,
    message: String,
}

impl Fault {
    pub(super) fn into_error(self, sql: &str, comment_offset: usize) -> Error {
        let message = format!(
            "malformed required-filter comment: {}; it is written `-- Service API: required(\"column:operator\", \
             \"column\")`",
            self.message
        );
        Error::new(ErrorKind::MalformedComment, message).at(Location::of(sql, comment_offset + self.offset))
    }
}

/// The entries of a declaration, each with the offset of its opening quote; a quote in a column's name is doubled.
pub(super) fn parse(comment: &str) -> Result<Vec<(usize, String)>, Fault> {
    let mut cursor = Cursor { comment, offset: 0 };
    for wanted in OPENING.chars() {
        cursor.expect(wanted)?;
    }
    let mut entries = Vec::new();
    loop {
        cursor.skip_space();
        let start = cursor.offset;
        entries.push((start, cursor.entry()?));
        cursor.skip_space();
        if cursor.peek() == Some(')') {
            break;
        }
        cursor.expect_described(',', "`,` or `)` after the entry")?;
    }
    cursor.expect(')')?;
    cursor.skip_space();
    match cursor.peek() {
        None => Ok(entries),
        Some(_) => Err(cursor.fault("the end of the line after `)`")),
    }
}

struct Cursor<'c> {
    comment: &'c str,
    offset: usize,
}

impl<'c> Cursor<'c> {
    fn rest(&self) -> &'c str {
        &self.comment[self.offset..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_space(&mut self) {
        self.offset = self.comment.len() - self.rest().trim_start().len();
    }

    fn expect(&mut self, wanted: char) -> Result<(), Fault> {
        self.expect_described(wanted, &Quoted(&wanted.to_string()).to_string())
    }

    fn expect_described(&mut self, wanted: char, described: &str) -> Result<(), Fault> {
        if self.peek() != Some(wanted) {
            return Err(self.fault(described));
        }
        self.offset += wanted.len_utf8();
        Ok(())
    }

    /// One entry with its quotes.
    fn entry(&mut self) -> Result<String, Fault> {
        let start = self.offset;
        self.expect_described('"', "an entry in double quotes")?;
        let mut text = String::new();
        loop {
            let Some(length) = self.rest().find('"') else {
                self.offset = self.comment.len();
                return Err(self.fault("`\"` after the entry"));
            };
            text.push_str(&self.rest()[..length]);
            self.offset += length + 1;
            if self.peek() != Some('"') {
                break;
            }
            text.push('"');
            self.offset += 1;
        }
        if text.is_empty() {
            return Err(Fault { offset: start, message: "an entry is empty".to_owned() });
        }
        Ok(text)
    }

    fn fault(&self, expected: &str) -> Fault {
        let found = match self.peek() {
            Some(_) => Quoted(self.rest()).to_string(),
            None => "the end of the line".to_owned(),
        };
        Fault { offset: self.offset, message: format!("expected {expected}, found {found}") }
    }
}

/// Whether a comment is meant to declare required filters, well-formed or not (D24): its letters begin with "service
/// api" in any spelling, and a colon or `requir…` with a parenthesis or quote follows; or it calls `required("…")`
/// after a misspelled label or none. Prose that mentions the words further on does not count.
pub(super) fn is_meant_by(comment: &str) -> bool {
    let lower = comment.to_lowercase();
    after_label(&lower).is_some_and(|rest| begins_with_colon(rest) || begins_list(rest))
        || calls_required(&lower)
}

const BARE_LABEL: &str = "serviceapi";

/// Maximum edit distance of a label before `required("…")` from "serviceapi": `service` has distance 3.
const LABEL_EDITS: usize = 3;

/// The text after the letters of the label, whatever is before and between them.
fn after_label(lower: &str) -> Option<&str> {
    let mut wanted = BARE_LABEL.chars();
    let mut next = wanted.next();
    for (offset, character) in lower.char_indices().filter(|(_, character)| character.is_alphanumeric()) {
        if next != Some(character) {
            return None;
        }
        next = wanted.next();
        if next.is_none() {
            return Some(&lower[offset + character.len_utf8()..]);
        }
    }
    None
}

fn begins_with_colon(rest: &str) -> bool {
    rest.trim_start().starts_with([':', ';', '=', '：'])
}

fn begins_list(rest: &str) -> bool {
    rest.find("requir").is_some_and(|start| rest[start..].contains(['(', '"', '“', '”']))
}

/// `required("`, with or without spaces, after a label that is misspelled or missing.
fn calls_required(lower: &str) -> bool {
    let Some(start) = lower.find("requir") else { return false };
    let arguments = lower[start..].trim_start_matches(char::is_alphabetic).trim_start();
    let Some(argument) = arguments.strip_prefix('(') else { return false };
    if !argument.trim_start().starts_with(['"', '\'', '“', '”', '`']) {
        return false;
    }
    let label: Vec<char> = lower[..start].chars().filter(|character| character.is_alphanumeric()).collect();
    // Anything much longer is prose, and is not compared.
    label.is_empty()
        || (label.len() <= BARE_LABEL.len() + LABEL_EDITS
            && edit_distance(&label, &BARE_LABEL.chars().collect::<Vec<_>>()) <= LABEL_EDITS)
}
